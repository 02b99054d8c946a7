/** Creating a document: POST to its parent (docs/interface.md, Creating). */
import test from 'ava'
import {
  answerOf,
  c,
  create,
  documentHeaders,
  jsonLd,
  ldp,
  quadsOf,
  readValue,
  refusal,
  saidOf,
  trig,
  turtle,
} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService({ALLOWED_HOSTS: 'evil.example'})
})
test.after.always(() => service.stop())

const serviceTriples = (path: string) => [
  `<> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <${c}Document>`,
  `<> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <${ldp}BasicContainer>`,
  `<> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <${ldp}RDFSource>`,
  `<> <${ldp}hasMemberRelation> <${ldp}member>`,
  `<> <${ldp}insertedContentRelation> <${ldp}MemberSubject>`,
  `<> <${ldp}membershipResource> <${service.base}${path.slice(1)}>`,
]

test('a POST with a free Slug is a 201 with Location, ETag and no body, and creates the document', async t => {
  const answer = await service.send({
    method: 'POST',
    headers: {...turtle, Slug: 'first'},
    body: '<> <http://x.example/p> "v" .',
  })
  const etag = String(answer.headers.etag)

  t.deepEqual(answerOf(t, answer), {
    status: 201,
    headers: {...documentHeaders(service, '/first/', etag), location: `${service.base}first/`},
    body: '',
  })
  t.regex(etag, /^"[^",]+"$/)
  t.is(answer.headers['content-length'], '0')
  t.is((await service.send({path: '/first/'})).headers.etag, etag)
  t.deepEqual(await saidOf(service, '/first/'), ['<> <http://x.example/p> "v"'])
})

test('the service adds types, times and membership properties, and nothing else, to an empty body', async t => {
  const {path, iri} = await create(t, service, {slug: 'empty'})

  const quads = await quadsOf(await service.send({path, headers: {Accept: 'application/n-quads'}}))
  const created = await readValue(service, path, `${c}created`)

  t.deepEqual(
    quads
      .filter(({predicate}) => !/#(created|modified)$/.test(predicate.value))
      .map(
        ({subject, predicate, object}) =>
          `<${subject.value === iri ? '' : '?'}> <${predicate.value}> <${object.value}>`,
      )
      .sort(),
    serviceTriples(path).sort(),
  )
  t.deepEqual(
    quads
      .filter(({predicate}) => /#(created|modified)$/.test(predicate.value))
      .map(({predicate, object}) => [predicate.value, object.value, 'datatype' in object && object.datatype.value])
      .sort(),
    ['created', 'modified'].map(name => [c + name, created, 'http://www.w3.org/2001/XMLSchema#dateTime']),
  )
  t.regex(created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
})

test('without a Slug the last segment is a random number', async t => {
  const made = await Promise.all([1, 2, 3].map(() => create(t, service, {})))

  for (const {iri} of made) t.regex(iri.slice(service.base.length), /^[0-9]+\/$/)
  t.is(new Set(made.map(({iri}) => iri)).size, 3)
})

test('documents can be created in documents of any depth', async t => {
  let parent = '/'
  for (const slug of ['deep', 'a', 'b', 'c', 'd', 'e']) parent = (await create(t, service, {parent, slug})).path

  t.is(parent, '/deep/a/b/c/d/e/')
  t.is((await service.send({path: parent})).status, 200)
})

test('a taken Slug is a 409 that names the existing URI; nothing is created or changed', async t => {
  const {iri, path, etag} = await create(t, service, {slug: 'taken', body: '<> <http://x.example/p> "first" .'})

  const again = await service.send({
    method: 'POST',
    headers: {...turtle, Slug: 'taken'},
    body: '<> <http://x.example/p> "second" .',
  })

  t.deepEqual(
    answerOf(t, again),
    refusal(service, {
      status: 409,
      rule: 'document-iri-free',
      detail: `There is a document <${iri}> already`,
      existing: iri,
    }),
  )
  t.is((await service.send({path})).headers.etag, etag)
  t.deepEqual(await saidOf(service, path), ['<> <http://x.example/p> "first"'])
})

test('of twenty parallel POSTs with one Slug exactly one is a 201, the others are a 409', async t => {
  const answers = await Promise.all(
    Array.from({length: 20}, () => service.send({method: 'POST', headers: {...turtle, Slug: 'race'}, body: ''})),
  )

  t.deepEqual(answers.map(({status}) => status).sort(), [201, ...Array(19).fill(409)])
})

test('a Slug is decoded, normalised, loses one trailing slash and is percent-encoded: spaces, commas', async t => {
  const slugs = [
    ['comments/', 'comments/'],
    ['two words', 'two%20words/'],
    ['a,b', 'a%2Cb/'],
    ['%41b', 'Ab/'],
    ['100% sure', '100%25%20sure/'],
    ['caf%C3%A9', 'caf%C3%A9/'],
    ['cafe%CC%81-2', 'caf%C3%A9-2/'],
    [Buffer.from('größe').toString('latin1'), 'gr%C3%B6%C3%9Fe/'],
    ['q?#[]', 'q%3F%23%5B%5D/'],
  ]

  for (const [slug = '', segment = ''] of slugs) {
    const {iri, path} = await create(t, service, {slug})
    t.is(iri, service.base + segment)
    t.is((await service.send({path})).status, 200, slug)
  }
})

test('a Slug that is empty, contains a slash, is a dot segment, too long or reserved is a 400; so are two', async t => {
  const odd = [
    '',
    ' ',
    '/',
    'a/b',
    '../../x',
    '.',
    '..',
    '%2e%2e',
    'x'.repeat(256),
    '.system',
    '.well-known/',
    '%ff',
    'a%00b',
  ]

  for (const slug of odd) {
    const {status, body} = answerOf(t, await service.send({method: 'POST', headers: {...turtle, Slug: slug}, body: ''}))
    t.is(status, 400, slug)
    t.like(body, {title: 'slug-usable'}, slug)
  }
  const two = answerOf(t, await service.send({method: 'POST', headers: {...turtle, Slug: ['a', 'b']}, body: ''}))
  t.deepEqual(two, refusal(service, {status: 400, rule: 'slug-single', detail: 'One Slug header is allowed, got 2'}))
})

test('a POST to a missing parent is a 404, also with an invalid body', async t => {
  for (const [headers, body] of [
    [turtle, ''],
    [turtle, '<broken'],
    [{'Content-Type': 'image/png'}, 'x'],
    [turtle, `<> <${c}created> "now" .`],
  ] as const) {
    const {status} = await service.send({method: 'POST', path: '/missing/', headers, body})
    t.is(status, 404, body)
  }
})

test('malformed RDF is a 400 with line and column', async t => {
  const bodies = [
    [turtle, '<> a <http://x.example/T> .\n<> broken .', 2],
    [trig, '<> {\n <> a }', 2],
    [jsonLd, '{\n "@id": "",\n}', 3],
  ] as const

  for (const [headers, body, line] of bodies) {
    const {status, body: problem} = answerOf(t, await service.send({method: 'POST', headers, body}))
    t.is(status, 400)
    t.like(problem, {title: 'body-syntax', status: 400, line}, body)
    t.is(typeof (problem as {column: unknown}).column, 'number')
  }
})

test('a foreign named graph is a 422 with a constrainedBy link', async t => {
  const graph = '{"@id": "http://x.example/other", "@graph": [{"@id": "", "http://x.example/p": "v"}]}'
  for (const [headers, body] of [
    [trig, '<http://x.example/other> { <> a <http://x.example/T> . }'],
    [trig, '_:g { <> a <http://x.example/T> . }'],
    [jsonLd, graph],
  ] as const) {
    const answer = await service.send({method: 'POST', headers, body})
    t.is(answer.status, 422)
    t.is(JSON.parse(answer.text).title, 'graph-own')
    t.regex(String(answer.headers.link), /#graph-own>; rel="http:\/\/www\.w3\.org\/ns\/ldp#constrainedBy"/)
  }
})

test('the graph of the new document may be named by <> or omitted', async t => {
  for (const [slug, body] of [
    ['graph-named', '<> { <> <http://x.example/p> "v" }'],
    ['graph-default', '<> <http://x.example/p> "v" .'],
  ] as const) {
    const {path} = await create(t, service, {slug, body, headers: trig})
    t.deepEqual(await saidOf(service, path), ['<> <http://x.example/p> "v"'])
  }
})

test('any subject is allowed in a document', async t => {
  const body =
    '<http://x.example/s> <http://x.example/p> <#f> . <#f> <http://x.example/q> [] . [] <http://x.example/r> 1 .'
  const {path, iri} = await create(t, service, {slug: 'subjects', body})

  const said = await saidOf(service, path)

  t.deepEqual(
    said.map(line => line.replace(/_:\w+/g, '_:b')),
    [
      `<${iri}#f> <http://x.example/q> _:b`,
      `<http://x.example/s> <http://x.example/p> <${iri}#f>`,
      '_:b <http://x.example/r> "1"^^<http://www.w3.org/2001/XMLSchema#integer>',
    ].sort(),
  )
})

test('literals are stored exactly as written', async t => {
  const literals = [
    '"01"^^xsd:integer',
    '"1.0E0"^^xsd:double',
    '"+5"^^xsd:int',
    '"5"^^xsd:integer',
    '"2015-01-01T00:00:00-06:00"^^xsd:dateTime',
    '"2015-01-01T06:00:00Z"^^xsd:dateTime',
    '"2015-01-01T06:00:00.00000"^^xsd:dateTime',
    '"yes"^^xsd:boolean',
    '"1"^^xsd:boolean',
    '"true"^^xsd:boolean',
    '"a"@EN-gb',
    '"-0"^^xsd:integer',
    '"0.10"^^xsd:decimal',
    '"NaN"^^xsd:float',
    '"99999999999999999999999999"^^xsd:integer',
    '"\\t\\n\\r\\"\\\\"',
    '"𝒳 \\uFFFE e\\u0301"',
    '""',
  ]
  const prefixes = '@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix x: <http://x.example/> . '
  const {path} = await create(t, service, {slug: 'literals', body: `${prefixes}<> x:p ${literals.join(', ')} .`})

  const said = await saidOf(service, path)

  const resolve = (text: string): string =>
    text.replace(/\\u(....)|\\(.)/g, (_, hex, one) =>
      hex === undefined
        ? (({t: '\t', n: '\n', r: '\r'} as Record<string, string>)[one] ?? one)
        : String.fromCodePoint(Number.parseInt(hex, 16)),
    )
  const expected = literals.map(
    text =>
      `<> <http://x.example/p> ${resolve(text.replace(/\^\^xsd:(\w+)/, '^^<http://www.w3.org/2001/XMLSchema#$1>'))}`,
  )
  t.deepEqual(said, expected.sort())
})

test('a body that sets c:created, c:modified or another reserved value is a 409 naming it', async t => {
  const bodies = [
    [`<> <${c}created> "2015-01-01T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .`, `${c}created`],
    [`<> <${c}modified> "now" .`, `${c}modified`],
    [`<> <${c}accessPoint> <http://x.example/> .`, `${c}accessPoint`],
    [`<> <${ldp}membershipResource> <http://x.example/> .`, `${ldp}membershipResource`],
    [`<> <${c}checksum> "abc" .`, `${c}checksum`],
    [`<http://x.example/s> <${c}document> <> .`, `${c}document`],
  ]

  for (const [body = '', property = ''] of bodies) {
    const answer = await service.send({method: 'POST', headers: {...turtle, Slug: 'reserved'}, body})
    t.is(answer.status, 409, property)
    t.like(JSON.parse(answer.text), {title: 'reserved-free', reservedProperties: [{property}]})
    t.regex(String(answer.headers.link), /constrainedBy/)
  }
  t.is((await service.send({path: '/reserved/'})).status, 404)
})

test("the service's own types and equal values are accepted silently", async t => {
  const body = `<> a <${c}Document>, <${ldp}RDFSource>, <${ldp}BasicContainer> ; <${ldp}membershipResource> <> ;
    <${ldp}hasMemberRelation> <${ldp}member> ; <${ldp}insertedContentRelation> <${ldp}MemberSubject> .`
  const {path} = await create(t, service, {slug: 'own-types', body})
  const plain = await create(t, service, {slug: 'own-none'})

  const strip = (text: string) => text.replace(/own-(types|none)/g, 'own').replace(/c:(created|modified) .*/g, '')
  t.is(strip((await service.send({path})).text), strip((await service.send({path: plain.path})).text))
})

test('a given membership relation is kept; one that is not an IRI, or two, are a 422', async t => {
  const {path} = await create(t, service, {
    slug: 'relation',
    body: `<> <${ldp}hasMemberRelation> <http://x.example/has> .`,
  })
  t.is(await readValue(service, path, `${ldp}hasMemberRelation`), 'http://x.example/has')

  for (const object of ['"text"', '<http://x.example/a>, <http://x.example/b>', '[]']) {
    const answer = await service.send({
      method: 'POST',
      headers: turtle,
      body: `<> <${ldp}hasMemberRelation> ${object} .`,
    })
    t.deepEqual([answer.status, JSON.parse(answer.text).title], [422, 'membership-shape'], object)
  }
})

test('ldp:contains in a POST is a 409, for the new document and for any other', async t => {
  for (const subject of ['<>', `<${service.base}>`]) {
    const body = `${subject} <${ldp}contains> <http://x.example/child> .`
    const answer = await service.send({method: 'POST', headers: turtle, body})
    t.deepEqual([answer.status, JSON.parse(answer.text).title], [409, 'containment-kept'], subject)
  }
})

test('remote contexts are a 422: only bundled ones are known', async t => {
  const body = '{"@context": "http://x.example/context", "@id": ""}'
  const {status, body: problem} = answerOf(t, await service.send({method: 'POST', headers: jsonLd, body}))

  t.is(status, 422)
  t.like(problem, {title: 'remote-context-refused', context: 'http://x.example/context'})
})

test('an unknown interaction model is a 400 on a write', async t => {
  const headers = {...turtle, Prefer: 'http://x.example/Model; rel=interaction-model'}
  const {status, body} = answerOf(t, await service.send({method: 'POST', headers, body: ''}))

  t.is(status, 400)
  t.like(body, {title: 'interaction-model-known'})
})

test('creating children changes neither ETag nor c:modified of the parent', async t => {
  const {path, etag} = await create(t, service, {slug: 'parent'})
  const before = answerOf(t, await service.send({path}))

  for (const slug of ['a', 'b', undefined])
    await create(t, service, {parent: path, ...(slug === undefined ? {} : {slug})})

  t.deepEqual(answerOf(t, await service.send({path})), before)
  t.is(before.headers.etag, etag)
})

test('If-Match on a POST applies to the parent', async t => {
  const {path, etag} = await create(t, service, {slug: 'conditional-parent'})
  const post = (value: string) =>
    service.send({method: 'POST', path, headers: {...turtle, 'If-Match': value, Slug: 'x'}, body: ''})

  t.is((await post('"none"')).status, 412)
  t.is((await post(etag)).status, 201)
})

test('Location and the IRIs of a body have the configured base, whatever Host says', async t => {
  const headers = {...turtle, Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example'}
  const answer = await service.send({
    method: 'POST',
    headers: {...headers, Slug: 'host'},
    body: '<> <http://x.example/p> <#f> .',
  })

  t.is(answer.headers.location, `${service.base}host/`)
  t.deepEqual(await saidOf(service, '/host/'), [`<> <http://x.example/p> <${service.base}host/#f>`])
})

test('a document that was deleted can be created again with the same Slug, and its ETag is new', async t => {
  const first = await create(t, service, {slug: 'again', body: '<> <http://x.example/p> 1 .'})
  await service.send({method: 'DELETE', path: first.path})

  const second = await create(t, service, {slug: 'again', body: '<> <http://x.example/p> 1 .'})

  t.is(second.iri, first.iri)
  t.not(second.etag, first.etag)
})
