/** Who asked: ids of requests in answers, observations and PostgreSQL. */
import test from 'ava'
import type {Observation} from '../../src/base/observation.ts'
import {subscribe} from '../../src/base/observation.ts'
import {c, create} from '../support/documents.ts'
import {until} from '../support/machine.ts'
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
const requestOf = (id: unknown) => heard.find(seen => seen.kind === 'request' && seen.id === id)

test('every answer has an id: made here, or the client’s own when it is sane', async t => {
  for (const path of ['/', '/missing/', '/ready', '/live', '/sparql', '/%', '/errors'])
    t.regex(String((await service.send({path})).headers['x-request-id']), requestId, path)

  const sent = async (id: string) => (await service.send({headers: {'X-Request-Id': id}})).headers['x-request-id']
  t.is(await sent('a-1:b/c=@.+_'), 'a-1:b/c=@.+_')
  for (const bad of ['', 'a b', 'a"b', 'x'.repeat(65), 'é']) t.regex(String(await sent(bad)), requestId, bad)
})

test('an error body tells the id in JSON and in RDF', async t => {
  const headers = {'X-Request-Id': 'mine-1'}
  const json = await service.send({path: '/missing/', headers})
  const rdf = await service.send({path: '/missing/', headers: {...headers, Accept: 'application/n-triples'}})

  t.like(JSON.parse(json.text), {requestId: 'mine-1'})
  t.regex(rdf.text, new RegExp(`<${c}requestID> "mine-1"`))
})

test('a request is observed when it is over: what it was, how it went, how much was sent', async t => {
  const {path} = await create(t, service, {slug: 'observed'})

  const answer = await service.send({path: `${path}?secret=1`, headers: {'X-Request-Id': 'get-1'}})
  await until(() => requestOf('get-1') !== undefined)

  const seen = requestOf('get-1')
  t.like(seen, {kind: 'request', method: 'GET', path, route: 'document', status: 200, isWhole: true})
  if (seen?.kind !== 'request') return t.fail()
  t.true(seen.ms > 0)
  t.true(seen.bytes > answer.bytes.length)
})

test('a query is observed with its stages, its SQL and whether its text was known', async t => {
  const text = 'select * { ?s a ?type } limit 1'
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
    ['parse', 'connect', 'look-up', 'plan', 'sql', 'deliver'],
  )
  t.regex(first.sql ?? '', /^\s*(select|with)\b/i)
  t.false(first.sql?.includes('22-rdf-syntax-ns#type'))
})

test('a query that cannot be parsed is refused, and has no SQL', async t => {
  await service.send({path: '/sparql?query=selec', headers: {'X-Request-Id': 'bad-1'}})

  t.like(toldOf('bad-1')[0], {kind: 'query', outcome: 'refused', sql: undefined})
})

test('while a query runs PostgreSQL shows whose it is, and forgets it after', async t => {
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
  const {database} = service.database
  const names = async () => {
    const rows = await database.query<{name: string}>('select distinct application_name as name from pg_stat_activity')
    return rows.map(({name}) => name)
  }

  await until(async () => (await names()).includes('quadstead slow-1'))
  gone.abort()
  await running
  await until(async () => !(await names()).includes('quadstead slow-1'))
  await until(() => toldOf('slow-1').length > 0)

  t.like(toldOf('slow-1')[0], {kind: 'query', outcome: 'cancelled'})
})
