/** Ids of requests in responses, observations and PostgreSQL. */
import test from 'ava'
import type {Observation} from '../../src/base/observation.ts'
import {subscribe} from '../../src/base/observation.ts'
import {startStopwatch} from '../../src/base/stopwatch.ts'
import {ask} from '../../src/db/store/call.ts'
import {createSession} from '../../src/db/store/create-session.ts'
import {c, create} from '../support/documents.ts'
import {until} from '../support/machine.ts'
import {createTestDatabase, schemaIdentifier} from '../support/postgres.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService
const heard: Observation[] = []
const end = subscribe(observation => heard.push(observation))

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())
test.after.always(end)

const requestId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const toldOf = (id: unknown) => heard.filter(seen => 'requestId' in seen && seen.requestId === id)
const statementsOf = (id: string) =>
  heard.flatMap(seen => (seen.kind === 'statement' && seen.requestIds.includes(id) ? [seen] : []))
const requestOf = (id: unknown) => heard.find(seen => seen.kind === 'request' && seen.id === id)

/** The current application names of the connections of this service. */
async function shownNames(): Promise<readonly string[]> {
  const {database, name: datname} = service.database
  const rows = await database.query<{name: string}>(
    'select distinct application_name as name from pg_stat_activity where datname = $1',
    [datname],
  )
  return rows.map(({name}) => name)
}

test('every response has an id: a new one, or the one of the request if it is valid', async t => {
  for (const path of ['/', '/missing/', '/ready', '/live', '/sparql', '/%', '/errors'])
    t.regex(String((await service.send({path})).headers['x-request-id']), requestId, path)

  const sent = async (id: string) => (await service.send({headers: {'X-Request-Id': id}})).headers['x-request-id']
  t.is(await sent('a-1:b/c=@.+_'), 'a-1:b/c=@.+_')
  for (const bad of ['', 'a b', 'a"b', 'x'.repeat(65), 'é']) t.regex(String(await sent(bad)), requestId, bad)
})

test('an error body has the id in JSON and in RDF', async t => {
  const headers = {'X-Request-Id': 'mine-1'}
  const json = await service.send({path: '/missing/', headers})
  const rdf = await service.send({path: '/missing/', headers: {...headers, Accept: 'application/n-triples'}})

  t.like(JSON.parse(json.text), {requestId: 'mine-1'})
  t.regex(rdf.text, new RegExp(`<${c}requestID> "mine-1"`))
})

test('a request is observed when it ends: method, route, status, bytes', async t => {
  const {path} = await create(t, service, {slug: 'observed'})

  const answer = await service.send({path: `${path}?secret=1`, headers: {'X-Request-Id': 'get-1'}})
  await until(() => requestOf('get-1') !== undefined)

  const seen = requestOf('get-1')
  t.like(seen, {kind: 'request', method: 'GET', path, route: 'document', status: 200, isWhole: true})
  if (seen?.kind !== 'request') return t.fail()
  t.true(seen.ms > 0)
  t.true(seen.bytes > answer.bytes.length)
})

test('a query is observed with its stages, its SQL and whether its text had been parsed before', async t => {
  const text = 'select * { ?s <http://e/unseen> ?o } order by ?o limit 1'
  const ask = (id: string) =>
    service.send({path: `/sparql?query=${encodeURIComponent(text)}`, headers: {'X-Request-Id': id}})
  await ask('query-1')
  await ask('query-2')
  await until(() => toldOf('query-2').length > 0)

  const [first] = toldOf('query-1')
  const [second] = toldOf('query-2')
  t.like(first, {kind: 'query', outcome: 'answered', isPlanned: false, text})
  t.like(second, {kind: 'query', outcome: 'answered', isPlanned: true})
  if (first?.kind !== 'query') return t.fail()
  t.deepEqual(
    first.stages.map(({name}) => name),
    ['parse', 'look-up', 'plan', 'sql', 'deliver'],
  )
  t.regex(first.sql ?? '', /^\s*(select|with)\b/i)
  t.false(first.sql?.includes('http://e/unseen'))
})

test('an invalid query is observed as refused, without SQL', async t => {
  await service.send({path: '/sparql?query=selec', headers: {'X-Request-Id': 'bad-1'}})

  t.like(toldOf('bad-1')[0], {kind: 'query', outcome: 'refused', sql: undefined})
})

test.serial('a statement for a document is observed: its function, its requests, its stages', async t => {
  const {path} = await create(t, service, {slug: 'stated'})
  await service.send({path, headers: {'X-Request-Id': 'read-1'}})
  await service.send({path, method: 'DELETE', headers: {'X-Request-Id': 'delete-1', 'If-Match': '"1"'}})

  const [read] = statementsOf('read-1')
  t.like(read, {name: 'read_documents', requestIds: ['read-1'], isAnswered: true})
  t.deepEqual(
    read?.stages.map(({name}) => name),
    ['together', 'connect', 'sql'],
  )
  t.true((read?.ms ?? 0) > 0)
  const [refused] = statementsOf('delete-1')
  t.like(refused, {name: 'delete_document', isAnswered: false})
  t.deepEqual(
    refused?.stages.map(({name}) => name),
    ['connect', 'sql'],
  )
})

test.serial('PostgreSQL shows the request id while documents are read and written, and not afterwards', async t => {
  const {path} = await create(t, service, {slug: 'waiting'})
  const {database} = service.database
  const sent = await database.begin('read committed', async transaction => {
    await transaction.query(`lock table ${schemaIdentifier}.document in access exclusive mode`)
    const write = service.send({path, method: 'DELETE', headers: {'X-Request-Id': 'write-1'}})
    await until(async () => (await shownNames()).includes('quadstead write-1'))
    const reads = []
    for (const id of ['read-2', 'read-3']) {
      reads.push(service.send({path: '/', headers: {'X-Request-Id': id}}))
      await until(async () => (await shownNames()).includes(`quadstead ${id}`))
    }
    const {length} = heard
    for (const id of ['read-4', 'read-5']) reads.push(service.send({path: '/', headers: {'X-Request-Id': id}}))
    await service.send({path: '/live'}) // they have arrived
    t.is(heard.slice(length).filter(({kind}) => kind === 'statement').length, 0)
    return [write, ...reads]
  })

  const answers = await Promise.all(sent)
  t.deepEqual(
    answers.map(({status}) => status),
    [204, 200, 200, 200, 200],
  )
  t.deepEqual(statementsOf('read-4').at(-1)?.requestIds, ['read-4', 'read-5'])
  t.deepEqual(
    (await shownNames()).filter(name => /write|read/.test(name)),
    [],
  )
})

test('one statement for several requests has the id of the first', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  const session = createSession(database, 'pg_catalog', new Map())
  const call = {name: 'x', text: `select current_setting('application_name') as name from txid_current()`, values: []}
  const named = async (requestIds: readonly string[]) => {
    const [row] = await ask<{name: string}>(session, 'read', call, {requestIds, watch: startStopwatch()})
    return row?.name
  }

  t.is(await named([]), 'quadstead')
  t.is(await named(['a']), 'quadstead a')
  t.is(await named(['a', 'b', 'c']), 'quadstead a +2')
  t.is(await named(['x'.repeat(64)]), `quadstead ${'x'.repeat(53)}`)
  t.is(await named([]), 'quadstead')
})

test('PostgreSQL shows the request id while a query runs, and not afterwards', async t => {
  const slow = `select (count(*) as ?n) {
    ${[1, 2, 3, 4, 5, 6, 7, 8].map(n => `?a${n} ?b${n} ?c${n} .`).join(' ')} filter (?c1 != ?c2 || ?c3 != ?c4) }`
  const gone = new AbortController()
  const running = service
    .send({
      path: `/sparql?query=${encodeURIComponent(slow)}`,
      headers: {'X-Request-Id': 'slow-1'},
      signal: gone.signal,
    })
    .catch(() => undefined)

  await until(async () => (await shownNames()).includes('quadstead slow-1'))
  gone.abort()
  await running
  await until(async () => !(await shownNames()).includes('quadstead slow-1'))
  await until(() => toldOf('slow-1').length > 0)

  t.like(toldOf('slow-1')[0], {kind: 'query', outcome: 'cancelled'})
})
