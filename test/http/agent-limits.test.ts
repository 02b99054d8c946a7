/** Limits with access control: agents are counted from any address, failed credentials by address. */
import test, {type ExecutionContext} from 'ava'
import {type GuardedService, startGuarded} from '../support/access.ts'
import type {Received} from '../support/client.ts'
import {turtle} from '../support/documents.ts'
import {until} from '../support/machine.ts'
import {isAnswering} from '../support/postgres.ts'
import type {Settings} from '../support/service.ts'

const hour = {REQUEST_LIMIT_WINDOW_MS: '3600000'}

async function startCounting(t: ExecutionContext, settings: Settings): Promise<GuardedService> {
  const service = await startGuarded({TRUSTED_PROXIES: 'loopback', ...settings})
  t.teardown(service.stop)
  await service.grant('/', {authenticated: ['write', 'control'], public: ['read']})
  return service
}

const from = (address: string) => ({'X-Forwarded-For': address})
const countOf = ({status, headers}: Received) => [status, headers.ratelimit]
const titleOf = ({text}: Received) => JSON.parse(text).title

test.serial('an agent has one quota from all addresses, and others at its address have their own', async t => {
  const service = await startCounting(t, {REQUEST_LIMIT: '2', ...hour})
  const get = (name: string | undefined, address: string) => service.sendAs(name, {headers: from(address)})

  t.deepEqual(countOf(await get('ada', '192.0.2.1')), [200, '"requests";r=1;t=1800'])
  t.deepEqual(countOf(await get('ada', '192.0.2.2')), [200, '"requests";r=0;t=3600'])
  const refused = await get('ada', '192.0.2.3')
  t.deepEqual([...countOf(refused), titleOf(refused)], [429, '"requests";r=0;t=3600', 'request-rate'])
  t.deepEqual(countOf(await get('bob', '192.0.2.1')), [200, '"requests";r=1;t=1800'])
  t.deepEqual(countOf(await get(undefined, '192.0.2.1')), [200, '"requests";r=1;t=1800'])
})

test.serial('an agent on this machine is counted too, even if its address is trusted', async t => {
  for (const TRUSTED_PROXIES of ['', 'loopback']) {
    const service = await startCounting(t, {TRUSTED_PROXIES, REQUEST_LIMIT: '1', ...hour})

    t.deepEqual(countOf(await service.sendAs('ada', {})), [200, '"requests";r=0;t=3600'])
    t.is((await service.sendAs('ada', {})).status, 429)
    t.is((await service.sendAs('bob', {})).status, 200)
  }
})

test.serial('invalid credentials are counted by address; after too many, none are checked', async t => {
  const service = await startCounting(t, {REQUEST_LIMIT: '2', ...hour, API_KEY_CACHE_MS: '0'})
  const guess = (key: string, address: string) =>
    service.send({headers: {Authorization: `Bearer qsk_${key}`, ...from(address)}})

  const guesses = [await guess('a', '192.0.2.1'), await guess('b', '192.0.2.1'), await guess('c', '192.0.2.1')]
  t.deepEqual(guesses.map(countOf), [
    [401, '"credentials";r=1;t=1800'],
    [401, '"credentials";r=0;t=3600'],
    [429, '"credentials";r=0;t=3600'],
  ])
  t.like(guesses[2]?.headers, {'retry-after': '1800', 'ratelimit-policy': '"credentials";q=2;w=3600'})
  t.is(titleOf(guesses[2] as Received), 'credentials-rate')

  const valid = await service.sendAs('ada', {headers: from('192.0.2.1')})
  t.deepEqual([valid.status, titleOf(valid)], [429, 'credentials-rate'], 'also valid ones: nobody can try on')
  t.is((await service.sendAs('ada', {headers: from('192.0.2.2')})).status, 200)
  t.deepEqual(countOf(await service.send({headers: from('192.0.2.1')})), [200, '"requests";r=1;t=1800'])
})

test.serial('anonymous requests do not block agents with the same address', async t => {
  const service = await startCounting(t, {REQUEST_LIMIT: '1', ...hour})

  const strangers = [await service.send({headers: from('192.0.2.1')}), await service.send({headers: from('192.0.2.1')})]
  t.deepEqual(
    strangers.map(({status}) => status),
    [200, 429],
  )
  t.is((await service.sendAs('ada', {headers: from('192.0.2.1')})).status, 200)
})

test.serial('queries of one agent wait for each other, from whichever address', async t => {
  const settings = {QUERY_LIMIT_AT_ONCE: '1', DATABASE_QUEUE_WAIT_MS: '300', STATEMENT_TIMEOUT_MS: '3000'}
  const service = await startCounting(t, settings)
  const sparql = {'Content-Type': 'application/sparql-query', Accept: 'application/sparql-results+json'}
  const ask = (name: string, address: string, body: string) =>
    service.sendAs(name, {method: 'POST', path: '/sparql', headers: {...sparql, ...from(address)}, body})
  for (let n = 0; n < 5; n += 1)
    await service.sendAs('ada', {method: 'POST', headers: {...turtle, Slug: `d${n}`}, body: ''})
  const endless = `SELECT (COUNT(*) AS ?n) { ${Array.from({length: 6}, (_, i) => `?a${i} ?b${i} ?c${i}`).join(' . ')} }`
  const slow = ask('ada', '192.0.2.1', endless)
  await until(() => isAnswering(service.database))

  const refused = await ask('ada', '192.0.2.2', 'ASK {}')
  t.deepEqual([refused.status, titleOf(refused)], [429, 'queries-at-once'])
  t.is((await ask('bob', '192.0.2.1', 'ASK {}')).status, 200)
  t.is((await slow).status, 503)
})
