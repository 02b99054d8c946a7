/** Shares of the pool: waiting writes, endless queries or blocked reads do not delay other requests. */
import test from 'ava'
import {create} from '../support/documents.ts'
import {until} from '../support/machine.ts'
import {schemaIdentifier, type TestDatabase} from '../support/postgres.ts'
import {type TestService, useService} from '../support/service.ts'

const settings = {
  TRUSTED_PROXIES: 'loopback',
  QUERY_LIMIT_AT_ONCE: '5',
  DATABASE_POOL_MAX: '4',
  STATEMENT_TIMEOUT_MS: '20000',
} as const
const crowd = [1, 2, 3, 4, 5, 6, 7, 8]

const get = (service: TestService, path = '/') => service.send({path})
const ask = (service: TestService, query: string, address = '192.0.2.100') =>
  service.send({path: `/sparql?query=${encodeURIComponent(query)}`, headers: {'X-Forwarded-For': address}})
const write = (service: TestService) =>
  service.send({method: 'POST', headers: {'Content-Type': 'text/turtle'}, body: '<> <http://e/p> 1 .'})

/** The number of statements of the service that wait for a lock, or run. */
async function countOf({database, name}: TestDatabase, condition: string): Promise<number> {
  const text = `select from pg_stat_activity
    where datname = $1 and pid <> pg_backend_pid() and backend_type = 'client backend' and ${condition}`
  return (await database.query(text, [name])).length
}

test.serial('writes that wait for a lock leave places for reads and queries', async t => {
  const service = await useService(t, settings)
  for (const n of crowd) await create(t, service, {slug: `d${n}`})
  const {answers, deletes} = await service.database.database.begin('read committed', async transaction => {
    await transaction.query(`lock table ${schemaIdentifier}.document in share mode`)
    const waiting = crowd.map(n => service.send({method: 'DELETE', path: `/d${n}/`}))
    await until(async () => (await countOf(service.database, `wait_event_type = 'Lock'`)) >= 2)
    const others = await Promise.all([
      get(service),
      get(service, '/d1/'),
      ask(service, 'ASK {}'),
      get(service, '/ready'),
    ])
    t.true((await countOf(service.database, `wait_event_type = 'Lock'`)) <= 2)
    return {answers: others, deletes: waiting}
  })

  t.deepEqual(
    answers.map(({status}) => status),
    [200, 200, 200, 200],
  )
  for (const answer of await Promise.all(deletes)) t.is(answer.status, 204)
})

test.serial('callers take turns: a write does not wait for many writes of another caller', async t => {
  const patient = {STATEMENT_TIMEOUT_MS: '90000', DATABASE_QUEUE_WAIT_MS: '90000'} // the lock is held while all arrive
  const service = await useService(t, {...settings, ...patient})
  const names = Array.from({length: 30}, (_, n) => `d${n}`)
  for (const name of names) await create(t, service, {slug: name})
  const order: string[] = []
  const patch = async (name: string, address: string) => {
    const headers = {'Content-Type': 'text/ldpatch', 'X-Forwarded-For': address}
    const body = 'Add { <> <http://e/p> "patched" . } .'
    t.is((await service.send({method: 'PATCH', path: `/${name}/`, headers, body})).status, 204)
    order.push(address)
  }
  const waiting = async (count: number) => {
    const line = `quadstead_pool_waiting{share="write"} ${count}\n`
    await until(async () => (await service.send({path: '/metrics'})).text.includes(line))
  }
  const patches = await service.database.database.begin('read committed', async transaction => {
    await transaction.query(`lock table ${schemaIdentifier}.document in share mode`)
    const ofCrowd = names.slice(1).map(name => patch(name, '192.0.2.1'))
    await waiting(27)
    const ofOther = patch('d0', '192.0.2.2')
    await waiting(28)
    return [...ofCrowd, ofOther]
  })
  await Promise.all(patches)

  t.true(order.indexOf('192.0.2.2') < 6, order.join(' '))
})

test.serial('endless queries leave places for reads and writes, and one caller leaves a place to others', async t => {
  const service = await useService(t, settings)
  for (const n of crowd) await create(t, service, {slug: `d${n}`})
  const patterns = Array.from({length: 6}, (_, i) => `?a${i} ?b${i} ?c${i}`).join(' . ')
  const endless = `SELECT (COUNT(*) AS ?n) { ${patterns} }`
  const active = `state = 'active'`
  const ofOne = crowd.map(() => ask(service, endless, '192.0.2.1'))
  await until(async () => (await countOf(service.database, active)) >= 1)

  t.is((await ask(service, 'ASK {}')).status, 200)
  const ofMany = crowd.map(n => ask(service, endless, `192.0.2.${n + 1}`))
  await until(async () => (await countOf(service.database, active)) >= 2)
  const answers = await Promise.all([get(service), write(service), get(service, '/d1/'), get(service, '/ready')])

  t.deepEqual(
    answers.map(({status}) => status),
    [200, 201, 200, 200],
  )
  t.is(await countOf(service.database, active), 2)
  const refused = new Set((await Promise.all([...ofOne, ...ofMany])).map(({status}) => status))
  t.deepEqual(
    [...refused].filter(status => status !== 503 && status !== 429),
    [],
  )
})

test.serial('blocked reads do not make the service unready', async t => {
  const service = await useService(t, settings)
  const {ready, reads} = await service.database.database.begin('read committed', async transaction => {
    await transaction.query(`lock table ${schemaIdentifier}.document in access exclusive mode`)
    const stuck = [
      ...crowd.map(n => get(service, `/d${n}/`)),
      ...crowd.map(n => ask(service, `DESCRIBE <http://e/${n}>`)),
    ]
    stuck.push(write(service), write(service))
    await until(async () => (await countOf(service.database, `wait_event_type = 'Lock'`)) >= 2)
    return {ready: await Promise.all(crowd.map(() => get(service, '/ready'))), reads: stuck}
  })

  t.deepEqual(new Set(ready.map(({status}) => status)), new Set([200]))
  for (const {status} of await Promise.all(reads)) t.true([200, 201, 404].includes(status))
})
