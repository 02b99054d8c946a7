/** Batches (docs/interface.md, Batches). */
import {readFileSync} from 'node:fs'
import test, {type ExecutionContext} from 'ava'
import {agentOf, startGuarded} from '../support/access.ts'
import type {Received, Sent} from '../support/client.ts'
import {bodyToPut, create, jsonLd, saidOf, turtle} from '../support/documents.ts'
import {asSource, brokenInvariants, ex, ldpatch, ruleOf} from '../support/members.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(async t => {
  t.deepEqual(await brokenInvariants(service), [])
  await service.stop()
})

type Asked = Readonly<Record<string, unknown>>
type Told = {readonly id: string; readonly status: number; readonly headers: Record<string, string>; body?: unknown}

const json = {'Content-Type': 'application/json'}
const sparqlUpdate = {'Content-Type': 'application/sparql-update'}

function post(requests: unknown, headers: Sent['headers'] = {}, to = service): Promise<Received> {
  const body = JSON.stringify(Array.isArray(requests) ? {requests} : requests)
  return to.send({method: 'POST', path: '/batch', headers: {...json, ...headers}, body})
}

async function batch(t: ExecutionContext, requests: readonly Asked[], headers: Sent['headers'] = {}, to = service) {
  const answer = await post(requests, headers, to)
  t.is(answer.status, 200, answer.text)
  return (JSON.parse(answer.text) as {responses: Told[]}).responses
}

/** A status, and the rule if it is an error. */
function outcome({status, body}: Told): string {
  return status < 400 ? String(status) : `${status} ${(body as {title: string}).title}`
}

const outcomes = (told: readonly Told[]) => told.map(one => `${one.id}: ${outcome(one)}`)
const etagOf = async (path: string) => String((await service.send({method: 'HEAD', path})).headers.etag)
const said = async (path: string) => (await saidOf(service, path)).map(line => line.replaceAll(ex, 'ex:'))
const say = (text: string) => `@prefix ex: <${ex}> . ${text}`
async function put(id: string, path: string, text: string, tag: string): Promise<Asked> {
  const headers = {...turtle, 'If-Match': tag, Prefer: asSource}
  return {id, method: 'PUT', url: path, headers, body: await bodyToPut(service, path, say(text)), atomicityGroup: 'g'}
}
const remove = (id: string, url: string, more: Asked = {}): Asked => ({id, method: 'DELETE', url, ...more})
const make = (id: string, slug: string, text = '', more: Asked = {}): Asked => ({
  id,
  method: 'POST',
  url: '/',
  headers: {...turtle, Slug: slug},
  body: say(text),
  ...more,
})

test('each request has its own answer, in order, with JSON as values and other bodies as strings', async t => {
  const told = await batch(t, [
    make('a', 'plain', '<> ex:p "one" .'),
    {id: 'b', method: 'get', url: '$a', headers: {Accept: 'application/ld+json'}},
    {id: 'c', method: 'GET', url: 'plain/', headers: {accept: 'text/turtle'}},
    {id: 'd', method: 'HEAD', url: `${service.base}plain/`},
    {id: 'e', method: 'GET', url: '/plain/', headers: {accept: 'application/x-binary-rdf'}},
    remove('f', '$a'),
  ])

  t.deepEqual(outcomes(told), ['a: 201', 'b: 200', 'c: 200', 'd: 200', 'e: 200', 'f: 204'])
  const [made, linked, text, head, binary, removed] = told
  t.is(made?.headers.location, `${service.base}plain/`)
  t.is(made?.body, undefined)
  t.is(linked?.headers.etag, made?.headers.etag)
  t.is(typeof linked?.body, 'object')
  t.regex(String(text?.body), /ex:p "one"|#p> "one"/)
  t.is(head?.body, undefined)
  t.deepEqual(Buffer.from(String(binary?.body), 'base64url').subarray(0, 4), Buffer.from('BRDF'))
  t.is(typeof removed?.headers.date, 'string')
  t.is((await service.send({path: '/plain/'})).status, 404)
})

test('$id stands for a document made earlier: in URLs, and in bodies in which IRIs are references', async t => {
  const told = await batch(t, [
    make('1', 'parent', '<> ex:p "1" .'),
    {id: '2', method: 'POST', url: '$1', headers: {...turtle, Slug: 'child'}, body: say('<> ex:in <$1> , "<$1>" .')},
    {
      id: '3',
      method: 'POST',
      url: '/parent/',
      headers: {...jsonLd, Slug: 'linked'},
      body: {'@id': '', [`${ex}to`]: [{'@id': '$1/child/#it'}, '$1']},
    },
    {id: '4', method: 'PATCH', url: '$2', headers: ldpatch, body: `Add {<> <${ex}sees> <$3>, <$9>} .`},
    {id: '5', method: 'POST', url: '/', headers: sparqlUpdate, body: `INSERT DATA { GRAPH <$2> { <$1> <${ex}q> 1 } }`},
  ])

  t.deepEqual(outcomes(told), ['1: 201', '2: 201', '3: 201', '4: 204', '5: 200'])
  const parent = `${service.base}parent/`
  t.deepEqual(await said('/parent/child/'), [
    '<> <ex:in> "<$1>"',
    `<> <ex:in> <${parent}>`,
    `<> <ex:sees> <${parent}child/$9>`,
    `<> <ex:sees> <${parent}linked/>`,
    `<${parent}> <ex:q> "1"^^<http://www.w3.org/2001/XMLSchema#integer>`,
  ])
  t.deepEqual(await said('/parent/linked/'), ['<> <ex:to> "$1"', `<> <ex:to> <${parent}child/#it>`])
})

test('a group is done as a whole or not at all, and each request keeps its If-Match', async t => {
  const [left, right] = [await create(t, service, {slug: 'left'}), await create(t, service, {slug: 'right'})]
  const pair = async (tag: string) => [
    await put('a', left.path, '<> ex:n 1 .', left.etag),
    make('new', 'in-group', '', {atomicityGroup: 'g'}),
    await put('b', right.path, '<> ex:n 1 .', tag),
    remove('c', '/in-group/', {atomicityGroup: 'g'}),
  ]

  const refused = await batch(t, [...(await pair('"1"')), {id: 'last', method: 'GET', url: left.path}])
  t.deepEqual(outcomes(refused), [
    'a: 424 batch-group',
    'new: 424 batch-group',
    'b: 412 etag-mismatch',
    'c: 424 batch-group',
    'last: 424 batch-stopped',
  ])
  t.is(await etagOf(left.path), left.etag)
  t.is((await service.send({path: '/in-group/'})).status, 404)

  t.deepEqual(outcomes(await batch(t, await pair(right.etag))), ['a: 204', 'new: 201', 'b: 204', 'c: 204'])
  t.deepEqual(await said(left.path), ['<> <ex:n> "1"^^<http://www.w3.org/2001/XMLSchema#integer>'])
  t.deepEqual(await said(right.path), ['<> <ex:n> "1"^^<http://www.w3.org/2001/XMLSchema#integer>'])
})

test('every kind of write can be in a group, and sees the ones before', async t => {
  const {path, iri, etag} = await create(t, service, {slug: 'all'})
  const g = {atomicityGroup: 'g'}
  const all = await batch(t, [
    await put('put', path, '<> ex:n 1 .', etag),
    {
      id: 'patch',
      method: 'PATCH',
      url: path,
      headers: {...ldpatch, 'If-Match': '$put'},
      body: `Add {<> <${ex}k> 2} .`,
      ...g,
    },
    {id: 'child', method: 'POST', url: path, headers: {...turtle, Slug: 'child'}, body: '', ...g},
    {
      id: 'update',
      method: 'POST',
      url: path,
      headers: sparqlUpdate,
      body: `INSERT { <> <${ex}sum> ?s } WHERE { SELECT (SUM(?o) AS ?s) { <> <${ex}n>|<${ex}k> ?o } }`,
      ...g,
    },
    {id: 'patched', method: 'PATCH', url: path, headers: sparqlUpdate, body: `DELETE DATA { <> <${ex}n> 1 }`, ...g},
    {
      id: 'sparql',
      method: 'POST',
      url: '/sparql',
      headers: sparqlUpdate,
      body: `INSERT { GRAPH <$child> { <$child> <${ex}of> ?k } } WHERE { <${iri}> <${ex}k> ?k }`,
      ...g,
    },
    {id: 'read', method: 'GET', url: '$child', headers: {accept: 'application/n-triples'}, ...g},
  ])
  t.deepEqual(outcomes(all), [
    'put: 204',
    'patch: 204',
    'child: 201',
    'update: 200',
    'patched: 204',
    'sparql: 200',
    'read: 200',
  ])
  t.regex(String(all.at(-1)?.body), /ns#of> "2"/)
  t.deepEqual(
    (await said(path)).map(line => line.replace(/\^\^.*/, '')),
    ['<> <ex:k> "2"', '<> <ex:sum> "3"'],
  )
})

test('after a failure nothing more is done, unless the client prefers to continue', async t => {
  const requests = [
    {id: 'a', method: 'GET', url: '/nothing/'},
    make('b', 'going-on'),
    {id: 'c', method: 'GET', url: '$b', dependsOn: ['a']},
    {id: 'd', method: 'GET', url: '$b'},
    {id: 'e', method: 'GET', url: '/', dependsOn: ['c']},
  ]

  t.deepEqual(outcomes(await batch(t, requests)), [
    'a: 404 document-exists',
    ...['b', 'c', 'd', 'e'].map(id => `${id}: 424 batch-stopped`),
  ])
  const answer = await post(requests, {Prefer: 'continue-on-error'})
  t.is(answer.headers['preference-applied'], 'continue-on-error')
  t.deepEqual(outcomes(JSON.parse(answer.text).responses), [
    'a: 404 document-exists',
    'b: 201',
    'c: 424 batch-dependency',
    'd: 200',
    'e: 424 batch-dependency',
  ])
})

test('a group can be depended on; a request that refers to a failed one is not tried', async t => {
  const told = await batch(
    t,
    [
      make('a', 'depended', '', {atomicityGroup: 'g'}),
      {id: 'b', method: 'GET', url: '/nothing/', atomicityGroup: 'g'},
      remove('c', '/', {dependsOn: ['g']}),
      remove('d', '$a'),
    ],
    {Prefer: 'continue-on-error=true'},
  )
  t.deepEqual(outcomes(told), [
    'a: 424 batch-group',
    'b: 404 document-exists',
    'c: 424 batch-dependency',
    'd: 424 batch-dependency',
  ])
})

test('requests to the graph store can be in a group', async t => {
  const {path, iri} = await create(t, service, {slug: 'as-graph', body: `<> <${ex}n> 1 .`})
  const url = `/rdf-graph-store?graph=${encodeURIComponent(iri)}`
  const told = await batch(t, [
    {id: 'a', method: 'PUT', url, headers: turtle, body: say('<> ex:n 2 .'), atomicityGroup: 'g'},
    {id: 'b', method: 'POST', url, headers: turtle, body: say('<> ex:n 3 .'), atomicityGroup: 'g'},
    {id: 'c', method: 'GET', url: path, headers: {accept: 'application/n-triples'}, atomicityGroup: 'g'},
  ])

  t.deepEqual(outcomes(told), ['a: 204', 'b: 204', 'c: 200'])
  t.deepEqual(
    (await said(path)).map(line => line.replace(/\^\^.*/, '')),
    ['<> <ex:n> "2"', '<> <ex:n> "3"'],
  )
})

test('a move can be in a group, to a document made in it', async t => {
  const {path} = await create(t, service, {slug: 'moving', body: `<> <${ex}n> 1 .`})
  const g = {atomicityGroup: 'g'}
  const told = await batch(t, [
    make('new', 'goal', '<> ex:sees </moving/> .', g),
    {id: 'move', method: 'MOVE', url: path, headers: {Destination: '$new/moved/'}, ...g},
    {id: 'read', method: 'GET', url: '$new/moved/', headers: {accept: 'application/n-triples'}, ...g},
  ])

  t.deepEqual(outcomes(told), ['new: 201', 'move: 201', 'read: 200'])
  t.is((await service.send({path})).status, 404)
  t.deepEqual(await said('/goal/'), [`<> <ex:sees> <${service.base}goal/moved/>`])
})

test('queries run outside of groups', async t => {
  const query = {method: 'POST', url: '/', headers: {'Content-Type': 'Application/SPARQL-Query'}, body: 'ASK {}'}
  const form = {...query, url: '/sparql', headers: {'Content-Type': 'application/x-www-form-urlencoded'}}
  const told = await batch(
    t,
    [
      {id: 'a', ...query},
      {id: 'b', ...form, body: 'query=ASK+%7B%7D'},
      {id: 'c', method: 'GET', url: 'sparql?query=ASK%7B%7D'},
      {id: 'd', ...query, atomicityGroup: 'g'},
      {id: 'e', method: 'GET', url: '/', atomicityGroup: 'g'},
    ],
    {Prefer: 'continue-on-error'},
  )
  t.deepEqual(outcomes(told), ['a: 200', 'b: 200', 'c: 200', 'd: 422 query-alone', 'e: 424 batch-group'])
  t.deepEqual(told[0]?.body, {head: {}, boolean: true})
})

test('a malformed batch is refused as a whole', async t => {
  const get = {id: 'a', method: 'GET', url: '/'}
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [{}, /"requests" must be an array/],
    [{requests: [], more: 1}, /unknown member "more"/],
    [[1], /request 1: it must be an object/],
    [[{...get, id: 7}], /"id" must have 1 to 100/],
    [[get, get], /request 2: the id "a" is in use/],
    [[{...get, verb: 1}], /unknown member "verb"/],
    [[{...get, if: 'true'}], /"if" is not supported/],
    [[{...get, method: 'G T'}], /"method" must be/],
    [[{...get, url: 1}], /"url" must be a string/],
    [[{...get, url: '$b/'}], /no earlier request has this id/],
    [[{...get, dependsOn: 'a'}], /"dependsOn" must be an array/],
    [[{...get, dependsOn: ['a']}], /names "a", which is no earlier request/],
    [[{...get, headers: {Authorization: 'x'}}], /belongs to the request with the batch/],
    [[{...get, headers: {Accept: 'x', accept: 'x'}}], /occurs twice/],
    [[{...get, headers: {Accept: 'x\ny'}}], /not a header field/],
    [[{...get, headers: {__proto__x: 1}}], /not a header field/],
    [[{...get, body: {}}], /must be a string/],
    [
      [
        {...get, atomicityGroup: 'g'},
        {...get, id: 'b'},
        {...get, id: 'c', atomicityGroup: 'g'},
      ],
      /"g" is in use/,
    ],
    [[{...get, atomicityGroup: 'a'}], /the id "a" is in use/],
  ]
  for (const [requests, sentence] of refused) {
    const answer = await post(requests)
    t.is(`${answer.status} ${ruleOf(answer)}`, '400 batch-shape', answer.text)
    t.regex(JSON.parse(answer.text).detail, sentence)
  }
  const nested = `{"requests": [{"id":"a","method":"POST","url":"/","headers":{"content-type":"application/ld+json"},"body":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`
  const deep = await service.send({method: 'POST', path: '/batch', headers: json, body: nested})
  t.is(`${deep.status} ${ruleOf(deep)}`, '400 batch-shape')
  for (const [body, headers, rule] of [
    ['{', json, '400 json-syntax'],
    ['{}', {}, '400 content-type-given'],
    ['{}', {'Content-Type': 'multipart/mixed'}, '415 media-type-known'],
  ] as const) {
    const answer = await service.send({method: 'POST', path: '/batch', headers, body})
    t.is(`${answer.status} ${ruleOf(answer)}`, rule)
  }
  t.is((await service.send({path: '/batch'})).status, 405)
  const options = await service.send({method: 'OPTIONS', path: '/batch'})
  t.deepEqual([options.status, options.headers.allow], [204, 'OPTIONS, POST'])
})

test('requests that only documents can answer are refused one by one', async t => {
  const urls = ['http://elsewhere.example/', 'batch', '*', '/a/../b/', 'metrics', '/.system/access']
  const told = await batch(
    t,
    urls.map((url, n) => ({id: String(n), method: 'GET', url})),
    {Prefer: 'continue-on-error'},
  )
  t.deepEqual(told.map(outcome), [
    '400 batch-url',
    '400 batch-url',
    '404 document-exists',
    '400 uri-valid',
    '404 document-exists',
    '404 document-exists',
  ])
  const odd = await batch(t, [{id: 'a', method: 'BREW', url: '/'}])
  t.deepEqual(odd.map(outcome), ['501 method-known'])
})

test('the number and the length of requests and responses are limited', async t => {
  const small = await useService(t, {BATCH_LIMIT_REQUESTS: '3', BATCH_LIMIT_BYTES: '4096'})
  const get = (id: number) => ({id: String(id), method: 'GET', url: '/'})
  const many = await post([1, 2, 3, 4].map(get), {}, small)
  t.is(`${many.status} ${ruleOf(many)}`, '413 batch-size')
  const long = await post([make('a', 'long', `<> ex:p "${'x'.repeat(5000)}" .`)], {}, small)
  t.is(`${long.status} ${ruleOf(long)}`, '413 body-size')

  const text = say(`<> ex:p "${'x'.repeat(3000)}" .`)
  const returning = {...turtle, Slug: 'long', Prefer: 'return=representation', Accept: 'application/n-triples'}
  const body = `${text}${Array.from({length: 30}, (_, n) => `<> ex:q ${n} .`).join('')}`
  const [told] = await batch(t, [{id: 'a', method: 'POST', url: '/', headers: returning, body}], {}, small)
  t.is(told?.status, 422)
  t.regex(String(told?.body), /"answer-size"/)
  t.is((await small.send({path: '/long/'})).status, 404)
})

test('a long batch is read in a worker thread', async t => {
  const requests = Array.from({length: 60}, (_, n) => make(`n${n}`, `thread-${n}`, `<> ex:p "${'x'.repeat(2000)}" .`))
  const told = await batch(t, requests)
  t.deepEqual(new Set(told.map(outcome)), new Set(['201']))
})

test('each request counts towards the quota of the caller', async t => {
  const limited = await useService(t, {REQUEST_LIMIT: '5', REQUEST_LIMIT_WINDOW_MS: '600000'})
  const get = (id: number) => ({id: String(id), method: 'GET', url: '/'})
  const told = await batch(t, [1, 2, 3, 4, 5, 6].map(get), {Prefer: 'continue-on-error'}, limited)
  t.deepEqual(told.map(outcome), ['200', '200', '200', '200', '429 request-rate', '429 request-rate'])
})

test('groups that only read see one state of all documents, and groups that write never wait for each other forever', async t => {
  const paths = await Promise.all(['x', 'y'].map(async slug => (await create(t, service, {slug})).path))
  const write = (n: number, order: readonly string[]) =>
    batch(
      t,
      order.map((url, at) => ({
        id: String(at),
        method: 'PATCH',
        url,
        headers: sparqlUpdate,
        body: `DELETE { <> <${ex}v> ?o } INSERT { <> <${ex}v> ${n} } WHERE { OPTIONAL { <> <${ex}v> ?o } }`,
        atomicityGroup: 'g',
      })),
    )
  const read = () =>
    batch(
      t,
      paths.map((url, at) => ({
        id: String(at),
        method: 'GET',
        url,
        headers: {accept: 'application/n-triples'},
        atomicityGroup: 'g',
      })),
    )
  await write(0, paths)
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      const [x, y] = (await read()).map(({body}) => /#v> "(\d+)"/.exec(String(body))?.[1])
      t.is(x, y)
      t.truthy(x)
    }
  })()
  for (let round = 1; round <= 10; round += 1) {
    const told = await Promise.all([write(2 * round, paths), write(2 * round + 1, paths.toReversed())])
    t.deepEqual(told.flat().map(outcome), ['204', '204', '204', '204'])
  }
  isOver = true
  await reading
})

test('batches at once never need more than a connection each', async t => {
  const tight = await useService(t, {DATABASE_POOL_MAX: '3', DATABASE_QUEUE_WAIT_MS: '8000'})
  await Promise.all(
    Array.from({length: 8}, async (_, n) => {
      const told = await batch(
        t,
        [
          make('a', `tight-${n}`, '', {atomicityGroup: 'g'}),
          {
            id: 'b',
            method: 'POST',
            url: '$a',
            headers: sparqlUpdate,
            body: `INSERT { <> <${ex}n> ?n } WHERE { SELECT (COUNT(*) AS ?n) { ?s ?p ?o } }`,
            atomicityGroup: 'g',
          },
        ],
        {},
        tight,
      )
      t.deepEqual(told.map(outcome), ['201', '200'])
    }),
  )
})

test('access is checked for each request, and the audit has the id of the batch', async t => {
  const guarded = await startGuarded({AUDIT: 'on'})
  t.teardown(guarded.stop)
  const send = async (who: string | undefined, requests: readonly Asked[]) => {
    const sent = {method: 'POST', path: '/batch', headers: {...json, 'X-Request-Id': 'batch-1'}}
    const answer = await guarded.sendAs(who, {...sent, body: JSON.stringify({requests})})
    return (JSON.parse(answer.text) as {responses: Told[]}).responses
  }
  t.deepEqual(outcomes(await send('root', [make('a', 'open'), make('b', 'closed')])), ['a: 201', 'b: 201'])
  await guarded.grant('/open/', {[`agent ${agentOf('ann')}`]: ['write']})

  const patch = (id: string, path: string) => ({
    id,
    method: 'PATCH',
    url: path,
    headers: ldpatch,
    body: `Add {<> <${ex}p> 1} .`,
    atomicityGroup: 'g',
  })
  const mixed = [patch('a', '/open/'), patch('b', '/closed/')]
  t.deepEqual(outcomes(await send('ann', mixed)), ['a: 424 batch-group', 'b: 403 access-granted'])
  t.deepEqual(outcomes(await send(undefined, mixed)), ['a: 401 authentication-required', 'b: 424 batch-group'])
  t.deepEqual(outcomes(await send('ann', [patch('a', '/open/')])), ['a: 204'])

  const {database} = guarded.database
  const rows = await database.query(
    `select agent, request_id, action, document from quadstead.audit where action <> 'grant' order by id`,
  )
  const row = (agent: string, action: string, path: string) => ({
    agent: agentOf(agent),
    request_id: 'batch-1',
    action,
    document: guarded.base + path,
  })
  t.deepEqual(rows, [row('root', 'create', 'open/'), row('root', 'create', 'closed/'), row('ann', 'patch', 'open/')])
})

test('the example of the guide does what it says', async t => {
  const page = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('\n## Batches\n')
  const example = /```json\n(.*?)```/s.exec(section)?.[1] ?? ''

  const told = await batch(t, JSON.parse(example).requests)

  t.deepEqual(outcomes(told), ['author: 201', 'book: 201', 'read: 200'])
  t.deepEqual(await said('/jane/emma/'), [`<> <ex:by> <${service.base}jane/>`])
})

test('a group with a move is done whole or not at all', async t => {
  await create(t, service, {slug: 'm1'})
  await create(t, service, {slug: 'mref', body: '<> <http://x/p> </m1/> .'})
  const move = (id: string, from: string, destination: string): Asked => ({
    ...{id, method: 'MOVE', url: from, headers: {Destination: destination}, atomicityGroup: 'g'},
  })
  const group = {atomicityGroup: 'g'}

  const undone = await batch(t, [move('1', '/m1/', '/m2/'), remove('2', '/mref/', group), remove('3', '/none/', group)])
  t.deepEqual(outcomes(undone).at(-1), '3: 404 document-exists')
  t.deepEqual(await saidOf(service, '/mref/'), [`<> <http://x/p> <${service.base}m1/>`])

  const done = await batch(t, [make('1', 'mbox', '', group), move('2', '/m1/', '/mbox/m2/')])
  t.deepEqual(outcomes(done), ['1: 201', '2: 201'])
  t.deepEqual(await saidOf(service, '/mref/'), [`<> <http://x/p> <${service.base}mbox/m2/>`])
})
