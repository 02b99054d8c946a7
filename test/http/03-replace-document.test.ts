/** Replacing a document: PUT (docs/interface.md, Replacing). */
import test, {type ExecutionContext} from 'ava'
import type {Quad} from '../../src/rdf/term.ts'
import {
  answerOf,
  bodyToPut,
  c,
  create,
  documentHeaders,
  jsonLd,
  ldp,
  quadsOf,
  readValue,
  refusal,
  saidOf,
  turtle,
} from '../support/documents.ts'
import {isIsomorphic} from '../support/isomorphism.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const asSource = {...turtle, Prefer: `${ldp}RDFSource; rel=interaction-model`}

function put(path: string, etag: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  return service.send({method: 'PUT', path, headers: {...asSource, 'If-Match': etag, ...headers}, body})
}

/** The problem of an invalid PUT, which must change nothing. */
async function refused(t: ExecutionContext, {path, etag}: {path: string; etag: string}, body: string) {
  const before = answerOf(t, await service.send({path}))
  const answer = answerOf(t, await put(path, etag, body))
  t.deepEqual(answerOf(t, await service.send({path})), before)
  return answer
}

test('a PUT with the latest ETag is a 204 with a new ETag; the body becomes the content of the document', async t => {
  const {path, etag} = await create(t, service, {slug: 'replace', body: '<> <http://x.example/p> "old", "kept" .'})
  const body = (await bodyToPut(service, path, '<> a <http://x.example/T> .')).replace('"old"', '"new"')

  const answer = await put(path, etag, body)
  const next = String(answer.headers.etag)

  t.deepEqual(answerOf(t, answer), {status: 204, headers: documentHeaders(service, path, next), body: ''})
  t.not(next, etag)
  t.is((await service.send({path})).headers.etag, next)
  t.deepEqual(await saidOf(service, path), ['<> <http://x.example/p> "kept"', '<> <http://x.example/p> "new"'])
  t.true((await service.send({path})).text.includes('<http://x.example/T>'))
})

test('every successful PUT gives a new ETag and a later c:modified, even if no triple changes', async t => {
  const {path, etag} = await create(t, service, {slug: 'unchanged'})
  const seen = [etag]
  const times = [await readValue(service, path, `${c}modified`)]

  for (let n = 0; n < 10; n += 1) {
    const {status, headers} = await put(path, seen.at(-1) ?? '', await bodyToPut(service, path))
    t.is(status, 204)
    seen.push(String(headers.etag))
    times.push(await readValue(service, path, `${c}modified`))
  }

  t.is(new Set(seen).size, 11)
  t.deepEqual(
    [...times].sort((a, b) => Date.parse(a) - Date.parse(b)),
    times,
  )
  t.is(new Set(times.map(Date.parse)).size, 11)
})

test('a PUT does not change c:created', async t => {
  const {path, etag} = await create(t, service, {slug: 'created'})
  const created = await readValue(service, path, `${c}created`)

  await put(path, etag, await bodyToPut(service, path))

  t.is(await readValue(service, path, `${c}created`), created)
})

test('an If-Match with no tag that equals the current one is a 412 etag-mismatch with the current ETag', async t => {
  const {path, etag} = await create(t, service, {slug: 'stale'})
  const body = await bodyToPut(service, path)

  t.deepEqual(
    answerOf(t, await put(path, '"none"', body)),
    refusal(
      service,
      {
        status: 412,
        rule: 'etag-mismatch',
        detail: `The document has changed: its entity tag is ${etag}, not "none".`,
        etag: etag.slice(1, -1),
      },
      {path, headers: {etag}},
    ),
  )
})

test('If-Match: * and any tag of a list match; weak tags never do', async t => {
  const {path} = await create(t, service, {slug: 'lists'})
  const current = async () => String((await service.send({method: 'HEAD', path})).headers.etag)
  const body = () => bodyToPut(service, path)

  t.is((await put(path, `W/${await current()}`, await body())).status, 412)
  t.is((await put(path, `"a", ${await current()}, "b"`, await body())).status, 204)
  t.is((await put(path, '*', await body())).status, 204)
})

test('without If-Match a PUT is a 428, with If-Unmodified-Since too', async t => {
  const {path, iri} = await create(t, service, {slug: 'unconditional'})
  const body = await bodyToPut(service, path)
  const wanted = refusal(
    service,
    {
      status: 428,
      rule: 'precondition-required',
      detail: `A PUT of <${iri}> needs an If-Match header with its ETag.`,
    },
    {path},
  )

  for (const headers of [asSource, turtle, {...asSource, 'If-Unmodified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT'}])
    t.deepEqual(answerOf(t, await service.send({method: 'PUT', path, headers, body})), wanted)
})

test('If-None-Match that matches the existing document is a 412 on a write', async t => {
  const {path, etag} = await create(t, service, {slug: 'none-match'})
  const body = await bodyToPut(service, path)

  for (const value of ['*', etag]) t.is((await put(path, etag, body, {'If-None-Match': value})).status, 412, value)
  t.is((await put(path, etag, body, {'If-None-Match': '"other"'})).status, 204)
})

test('a PUT to a URI that does not exist is a 404, and nothing is created', async t => {
  for (const value of ['*', '"1"']) {
    const {status, body} = answerOf(t, await put('/nothing/', value, '<> <http://x.example/p> 1 .'))
    t.is(status, 404)
    t.like(body, {title: 'document-exists'})
  }
  t.is((await service.send({path: '/nothing/'})).status, 404)
})

test('an empty body lacks every reserved property: a 412 that names each, with the stored value', async t => {
  const {path, iri, etag} = await create(t, service, {slug: 'reserved'})
  const created = await readValue(service, path, `${c}created`)
  const date = `"${created}"^^<http://www.w3.org/2001/XMLSchema#dateTime>`
  const stored = [
    [`${c}created`, date],
    [`${c}modified`, date],
    [`${ldp}hasMemberRelation`, `<${ldp}member>`],
    [`${ldp}insertedContentRelation`, `<${ldp}MemberSubject>`],
    [`${ldp}membershipResource`, `<${iri}>`],
  ]

  const {status, body} = await refused(t, {path, etag}, '')
  const {title, detail, reservedProperties} = body as {
    title: string
    detail: string
    reservedProperties: {property: string}[]
  }

  t.deepEqual([status, title], [412, 'reserved-kept'])
  t.deepEqual(
    reservedProperties.sort((a, b) => (a.property < b.property ? 1 : -1)),
    stored
      .map(([property = '', value]) => ({property, stored: [value], sent: null}))
      .sort((a, b) => (a.property < b.property ? 1 : -1)),
  )
  for (const [property = ''] of stored) t.true(detail.includes(`<${property}> (missing)`), property)
})

test('each reserved property missing, changed or doubled is a 412 that names it and no other', async t => {
  const {path, etag} = await create(t, service, {slug: 'reserved-each'})
  const whole = await bodyToPut(service, path)
  const names = [
    'c:created',
    'c:modified',
    'ldp:hasMemberRelation',
    'ldp:insertedContentRelation',
    'ldp:membershipResource',
  ]

  for (const name of names) {
    const line = new RegExp(`^  ${name} .*\n`, 'm')
    const property = name.replace('c:', c).replace('ldp:', ldp)
    const changes = [
      ['missing', whole.replace(line, '').replace(/ ;\n+$/, ' .\n')],
      ['changed', whole.replace(line, found => found.replace(/(ldp|c):(\w+) .* ([;.])\n/, '$1:$2 "other" $3\n'))],
      ['changed', `${whole}<> ${name} <http://x.example/more> .`],
    ] as const
    for (const [word, body] of changes) {
      t.not(body, whole)
      const answer = await refused(t, {path, etag}, body)
      const problem = answer.body as {detail: string; reservedProperties: {property: string}[]}
      t.is(answer.status, 412, `${name} ${word}: ${JSON.stringify(problem)}`)
      t.deepEqual(
        problem.reservedProperties.map(each => each.property),
        [property],
      )
      t.true(problem.detail.includes(`<${property}> (${word})`), problem.detail)
      t.regex(String(answer.headers.link), /#reserved-kept>; rel="http:\/\/www\.w3\.org\/ns\/ldp#constrainedBy"/)
    }
  }
})

test("a body without the service's types keeps them: only properties are reserved", async t => {
  const {path, etag} = await create(t, service, {slug: 'types', body: '<> a <http://x.example/T> .'})
  const body = (await bodyToPut(service, path)).replace(/ a .* ;\n/, '\n')

  t.is((await put(path, etag, body)).status, 204)
  t.true((await service.send({path})).text.includes(`a ldp:RDFSource, ldp:BasicContainer, c:Document ;`))
})

test('ldp:contains in a PUT is a 409; an actual child or member is ignored', async t => {
  const parent = await create(t, service, {slug: 'contains'})
  const child = await create(t, service, {parent: parent.path, slug: 'child'})
  const foreign = await bodyToPut(service, parent.path, `<> ldp:contains <${service.base}other/> .`)
  const own = await bodyToPut(service, parent.path, `<> ldp:contains <${child.iri}> ; ldp:member <${child.iri}> .`)

  const {status, body} = await refused(t, parent, foreign)
  t.deepEqual([status, (body as {title: string}).title], [409, 'containment-kept'])
  t.is((await put(parent.path, parent.etag, own)).status, 204)
  t.deepEqual(await saidOf(service, parent.path), [])
})

test('malformed RDF is a 400, a foreign graph a 422, and a stale tag a 412 before either', async t => {
  const {path, etag} = await create(t, service, {slug: 'order'})

  t.is((await put(path, etag, '<> broken')).status, 400)
  t.is((await put(path, '"stale"', '<> broken')).status, 412)
  t.is((await put(path, etag, '<http://x.example/g> {}', {'Content-Type': 'application/trig'})).status, 412)
  const foreign = '<http://x.example/g> {<> a <http://x.example/T>}'
  t.is((await put(path, etag, foreign, {'Content-Type': 'application/trig'})).status, 422)
  t.is((await put(path, '"stale"', foreign, {'Content-Type': 'application/trig'})).status, 412)
})

test('an unknown interaction model is a 400', async t => {
  const {path, etag} = await create(t, service, {slug: 'model'})

  const answer = await put(path, etag, await bodyToPut(service, path), {
    Prefer: 'http://x.example/M; rel=interaction-model',
  })

  t.deepEqual([answer.status, JSON.parse(answer.text).title], [400, 'interaction-model-known'])
})

test('blank nodes keep the label that a GET shows; other labels are new nodes', async t => {
  const {path, etag} = await create(t, service, {
    slug: 'blank',
    body: '<> <http://x.example/p> [ <http://x.example/q> 1 ] .',
  })
  const [, label = ''] =
    /_:(qs\d+)/.exec((await service.send({path, headers: {Accept: 'application/n-quads'}})).text) ?? []
  const one = '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'

  const more = `_:${label} <http://x.example/q> 2 . <> <http://x.example/p> _:unknown, _:qs999999999 .`
  const quads = (await service.send({path, headers: {Accept: 'application/n-triples'}})).text
  t.is((await put(path, etag, quads + more, {'Content-Type': 'text/turtle'})).status, 204)

  const said = await saidOf(service, path)
  t.true(said.includes(`_:${label} <http://x.example/q> ${one}`))
  t.true(said.includes(`_:${label} <http://x.example/q> ${one.replace('1', '2')}`))
  t.is(said.filter(line => line.startsWith('<> <http://x.example/p> _:')).length, 3)
  t.false(said.some(line => line.includes('unknown') || line.includes('qs999999999')))
})

test('the JSON-LD of a GET can be PUT unchanged', async t => {
  const body =
    '@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . ' +
    '<> <http://x.example/p> (1 "a"@en <#f> (true)), [ <http://x.example/q> "01"^^xsd:integer ] .'
  const {path, etag} = await create(t, service, {slug: 'round', body})
  const read = async () => quadsOf(await service.send({path, headers: {Accept: 'application/n-quads'}}))
  const before = await read()
  const {text} = await service.send({path, headers: {Accept: 'application/ld+json'}})

  t.is((await put(path, etag, text, jsonLd)).status, 204)

  const isOwn = ({predicate}: Quad) => predicate.value === `${c}modified`
  t.true(
    isIsomorphic(
      (await read()).filter(quad => !isOwn(quad)),
      before.filter(quad => !isOwn(quad)),
    ),
  )
})

test('parallel PUTs with one ETag: exactly one wins', async t => {
  const {path, etag} = await create(t, service, {slug: 'parallel'})
  const body = await bodyToPut(service, path)

  const answers = await Promise.all(
    Array.from({length: 12}, (_, n) => put(path, etag, `${body}<> <http://x.example/n> ${n} .`)),
  )

  t.deepEqual(answers.map(({status}) => status).sort(), [204, ...Array(11).fill(412)])
  t.is((await saidOf(service, path)).length, 1)
})
