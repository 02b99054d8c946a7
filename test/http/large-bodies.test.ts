/** Bodies and documents that are read in worker threads are stored, changed and refused like small ones. */
import test from 'ava'
import {createBodies} from '../../src/ldp/bodies.ts'
import {platformVocabulary} from '../../src/rdf/vocabulary.ts'
import {c, turtle} from '../support/documents.ts'
import {brokenInvariants, ldpatch} from '../support/members.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService({BODY_LIMIT_TRIPLES: '30000'})
})
test.after.always(async t => {
  t.deepEqual(await brokenInvariants(service), [])
  await service.stop()
})

const numbers = (n: number) => Array.from({length: n}, (_, at) => at)
const ntriples = {Accept: 'application/n-triples'}
const filler = (n: number) => `#${'x'.repeat(n)}\n`
const post = (slug: string, body: string, headers = {}) =>
  service.send({method: 'POST', path: '/', headers: {...turtle, Slug: slug, ...headers}, body})
const own = async (path: string) =>
  (await service.send({path, headers: ntriples})).text
    .split('\n')
    .filter(line => line.includes('<http://e/'))
    .sort()

const linesOf = (n: number, path: string) =>
  numbers(n)
    .map(at => `<${service.base}${path}/#s${at}> <http://e/p> "value ${at}" .`)
    .sort()

const syntaxes: Readonly<Record<string, (n: number) => string>> = {
  'text/turtle': n =>
    numbers(n)
      .map(at => `<#s${at}> <http://e/p> "value ${at}" .\n`)
      .join(''),
  'application/trig': n =>
    `{ ${numbers(n)
      .map(at => `<#s${at}> <http://e/p> "value ${at}" .\n`)
      .join('')} }`,
  'application/ld+json': n =>
    JSON.stringify(numbers(n).map(at => ({'@id': `#s${at}`, 'http://e/p': [{'@value': `value ${at}`}]}))),
  'application/rdf+xml': n =>
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">${numbers(n)
      .map(at => `<rdf:Description rdf:about="#s${at}"><e:p>value ${at}</e:p></rdf:Description>`)
      .join('')}</rdf:RDF>`,
}

for (const [type, text] of Object.entries(syntaxes)) {
  test(`${type}: a large body is stored completely`, async t => {
    const slug = `large-${type.replace(/\W/g, '-')}`

    const {status} = await post(slug, text(2000), {'Content-Type': type})

    t.is(status, 201)
    t.deepEqual(await own(`/${slug}/`), linesOf(2000, slug))
  })
}

test('a large body replaces a document only with the current entity tag', async t => {
  const {headers} = await post('replaced', syntaxes['text/turtle']?.(2000) ?? '')
  const etag = String(headers.etag)
  const kept = (await service.send({path: '/replaced/', headers: ntriples})).text
  const isOurs = (line: string) => !line.includes('<http://e/')
  const body = `${kept.split('\n').filter(isOurs).join('\n')}\n${syntaxes['text/turtle']?.(1900)}`
  const put = () => service.send({method: 'PUT', path: '/replaced/', headers: {...turtle, 'If-Match': etag}, body})

  const statuses = [(await put()).status, (await put()).status]

  t.deepEqual(statuses, [204, 412])
  t.deepEqual(await own('/replaced/'), linesOf(1900, 'replaced'))
})

test('a large body is refused for the same reasons in the same order as a small one', async t => {
  await post('refused', '<> <http://e/p> 1 .')
  const small = ['<a> <b> <c> <d> .', `<> <${c}created> 1 .`, '_:a <http://e/p> "x"@x_y .']
  const requests = (body: string) => [
    {method: 'POST', path: '/', headers: turtle, body},
    {method: 'POST', path: '/missing/', headers: turtle, body},
    {method: 'PUT', path: '/missing/', headers: {...turtle, 'If-Match': '*'}, body},
    {method: 'PUT', path: '/refused/', headers: {...turtle, 'If-Match': '"0"'}, body},
    {method: 'PUT', path: '/refused/', headers: turtle, body},
    {method: 'PATCH', path: '/refused/', headers: ldpatch, body: `Add { ${body}`},
    {method: 'PATCH', path: '/missing/', headers: ldpatch, body: `Add { ${body}`},
  ]
  const outcomeOf = async (sent: ReturnType<typeof requests>[number]) => {
    const {status, text} = await service.send(sent)
    const {title, line, column} = JSON.parse(text || '{}')
    return {status, title, line, column}
  }
  for (const body of small) {
    const [short, long] = [requests(`\n${body}`), requests(`${filler(40_000)}${body}`)]
    for (const [at, sent] of short.entries()) t.deepEqual(await outcomeOf(long[at] ?? sent), await outcomeOf(sent))
  }
})

test('a large member action adds and removes members, and one that is neither is a 422', async t => {
  await post('point', `<> a <${c}AccessPoint> ; <http://www.w3.org/ns/ldp#hasMemberRelation> <http://e/member> .`)
  for (const name of ['m1', 'm2']) await post(name, '<> <http://e/p> 1 .')
  const action = (type: string) => `${filler(40_000)}_:a a <${c}${type}> ; <${c}targetMember> </m1/>, </m2/> .`
  const model = '<http://www.w3.org/ns/ldp#Container>; rel="interaction-model"'.replace(/[<>]/g, '')
  const send = (method: string, body: string, prefer: readonly string[] = []) =>
    service.send({method, path: '/point/', headers: {...turtle, Prefer: [model, ...prefer]}, body})
  const members = async () => (await own('/')).filter(line => line.includes('http://e/member'))

  const added = await send('PUT', action('AddMemberAction'))
  const [both, removed] = [
    await members(),
    await send('DELETE', action('RemoveMemberAction'), [
      `include="${c}PreferSelectedMembershipTriples"`,
      `omit="${c}PreferMembershipTriples"`,
    ]),
  ]
  const neither = await send('PUT', `${filler(40_000)}<> <http://e/p> 1 .`)

  t.deepEqual([added.status, both.length, removed.status, (await members()).length], [204, 2, 204, 0])
  t.deepEqual([neither.status, JSON.parse(neither.text).title], [422, 'member-action-shape'])
})

test('a large patch, and patches of a large document, have the same effect as small ones', async t => {
  t.timeout(120_000)
  await post('patched', `${syntaxes['text/turtle']?.(12_000)} <> <http://e/node> [ <http://e/q> 7 ] .`)
  const send = (body: string, headers = {}) =>
    service.send({method: 'PATCH', path: '/patched/', headers: {...ldpatch, ...headers}, body})
  const count = async (word: string) => (await own('/patched/')).filter(line => line.includes(word)).length

  const ground = await send(`Delete { ${syntaxes['text/turtle']?.(2000)} } . Add { <> <http://e/added> 1 . } .`)
  const path = await send('Bind ?n <> /<http://e/node> . Add { ?n <http://e/found> 1 . } .')
  const large = await send(`${filler(40_000)}Bind ?n <> /<http://e/node> . AddNew { ?n <http://e/again> 1 . } .`)
  const refused = await send('AddNew { <#s3000> <http://e/p> "value 3000" . } .')
  const checksum = await send('Add { <> <http://e/p> 1 . } .', {'If-Match': `"${'0'.repeat(64)}"`})

  t.deepEqual(
    [ground, path, large, refused, checksum].map(({status}) => status),
    [204, 204, 204, 422, 412],
  )
  t.is(JSON.parse(refused.text).title, 'add-new')
  t.deepEqual(await Promise.all(['value ', '/added', '/found', '/again'].map(count)), [10_000, 1, 1, 1])
})

test('a patch of few triples that visits very many succeeds', async t => {
  await post('walked', `<> <http://e/l> (${numbers(2000).join(' ')}) .`)
  const body = 'UpdateList <> <http://e/l> 0..1 ( 7 ) .\n'.repeat(100) // visits 400,000 triples

  const {status} = await service.send({method: 'PATCH', path: '/walked/', headers: ldpatch, body})

  t.is(status, 204)
})

test('a small body whose contexts copy very many terms is read', async t => {
  const contexts = numbers(600).map(at => ({[`t${at}`]: 'http://e/'})) // 180,000 terms in all
  const body = JSON.stringify({'@context': contexts, '@id': '', 'http://e/p': 1})

  const {status} = await post('contexts', body, {'Content-Type': 'application/ld+json'})

  t.is(status, 201)
})

test('the response maps the new labels of very many nodes', async t => {
  t.timeout(120_000)
  const labels = numbers(11_000).map(at => (at === 0 ? 'metadata-1-x' : `n${at}`))
  const body = labels.map(label => `<> <http://e/p> _:${label} .\n`).join('')

  const {status, headers, text} = await post('labels', body, {Prefer: 'return=minimal', Accept: 'application/ld+json'})

  t.is(status, 201)
  t.is(headers['preference-applied'], 'return=minimal')
  t.is(headers['content-location'], headers.location)
  const nodes: Record<string, {'@id': string}[]>[] = JSON.parse(text)
  const told = nodes.flatMap(node =>
    (node[`${c}entryKey`] ?? []).map(key => [key['@id'], node[`${c}entryValue`]?.[0]?.['@id']]),
  )
  const stored = (await own('/labels/')).flatMap(line => /(_:\S+) \.$/.exec(line)?.[1] ?? [])
  t.deepEqual(
    told.map(([sent]) => sent),
    labels.map(label => `_:${label}`),
  )
  t.deepEqual(told.map(([, got]) => got).sort(), stored.sort())
  t.false(nodes.some(node => labels.includes(String(node['@id']).slice(2))))
})

test('more triples than BODY_LIMIT_TRIPLES are a 422', async t => {
  const few = `<> <http://e/p> ${numbers(30_001).join()} .`

  const {status, text} = await post('too-many', few)

  t.deepEqual([status, JSON.parse(text).title, JSON.parse(text).limit], [422, 'body-triples', 30_000])
})

const task = (text: string) => ({
  bytes: Buffer.from(text),
  mediaType: 'text/turtle',
  context: {document: 'http://h/d/', base: 'http://h/', platform: platformVocabulary(c)},
})

test('a body that needs too much time or memory ends its thread, and the next body is read', async t => {
  t.timeout(120_000)
  const long = task(`<> <http://e/p> ${'[],'.repeat(1_000_000)}[] .`)
  const quick = createBodies({limitMs: 50})
  const poor = createBodies({bodyBytes: 1, limitMs: 110_000})
  t.teardown(quick.close)
  t.teardown(poor.close)

  t.like(await t.throwsAsync(quick.readReplacement(long)), {status: 503, rule: 'body-work', members: {limitMs: 50}})
  t.like(await t.throwsAsync(poor.readReplacement(long)), {status: 422, rule: 'body-work'})
  t.like(await poor.readReplacement(task(`${filler(40_000)}<> <http://e/p> 1 .`)), {
    keys: '{"Ihttp://h/d/","Ihttp://e/p"}',
  })
})
