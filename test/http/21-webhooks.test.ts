/** Webhooks: signed, in order, at least once, and never to addresses that are not public. */
import {once} from 'node:events'
import {createServer, type IncomingHttpHeaders} from 'node:http'
import type {AddressInfo} from 'node:net'
import test, {type ExecutionContext} from 'ava'
import {Webhook} from 'standardwebhooks'
import {type ChangeAction, readChangeRange, readChanges} from '../../src/db/store/changes.ts'
import {openSession} from '../../src/db/store/create-session.ts'
import {addWebhook, listWebhooks, removeWebhook, retryWebhook} from '../../src/db/store/webhooks.ts'
import {makeSecret, showSecret} from '../../src/hooks/signature.ts'
import {start} from '../../src/serve.ts'
import {readConfig} from '../../src/settings/config.ts'
import {agentOf, startGuarded} from '../support/access.ts'
import {testSchema} from '../support/postgres.ts'
import {type Settings, startService, type TestService, unlimited} from '../support/service.ts'

type Got = {readonly headers: IncomingHttpHeaders; readonly body: string}

/** A receiver that notes what it accepts. `answer` gives the status of each request; undefined: it never answers. */
async function receive(t: ExecutionContext, answer: (got: Got, number: number) => number | undefined = () => 204) {
  const accepted: Got[] = []
  let number = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const got = {headers: request.headers, body}
    number += 1
    const status = answer(got, number)
    if (status === undefined) return
    if (status < 300) accepted.push(got)
    response.writeHead(status, status === 302 ? {Location: '/elsewhere'} : {}).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const {port} = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  t.teardown(close)
  return {url: `http://127.0.0.1:${port}/hook`, accepted, close, requests: () => number, port}
}

const quick: Settings = {WEBHOOK_NETWORKS: 'loopback', WEBHOOK_RETRY_MS: '50', WEBHOOK_TIMEOUT_MS: '20000'}

/** Settings for a receiver that hangs. */
const impatient: Settings = {WEBHOOK_TIMEOUT_MS: '1500', WEBHOOK_ATTEMPTS: '1000'}

type Hook = {
  readonly url: string
  readonly secret?: Buffer
  readonly agent?: string
  readonly under?: string
  readonly actions?: readonly ChangeAction[]
  readonly after?: string
}

async function addHook({database: {database}}: TestService, hook: Hook): Promise<string> {
  const session = await openSession(database, testSchema)
  const {last} = await readChangeRange(database, testSchema)
  const {url, secret = makeSecret(), agent = null, under = null, actions = null, after = last} = hook
  return addWebhook(session, {url, secret, agent, groups: [], under, actions, after})
}

async function until(isTrue: () => boolean | Promise<boolean>, seconds = 30): Promise<void> {
  for (let left = seconds * 20; left > 0 && !(await isTrue()); left -= 1)
    await new Promise(resolve => setTimeout(resolve, 50))
}

const stateOf = async ({database: {database}}: TestService, id: string) =>
  (await listWebhooks(await openSession(database, testSchema))).find(hook => hook.id === id)

const make = (service: Pick<TestService, 'send'>, slug: string, path = '/') =>
  service.send({method: 'POST', path, headers: {'Content-Type': 'text/turtle', Slug: slug}, body: ''})

const documentsOf = (got: readonly Got[]): readonly string[] => got.map(({body}) => JSON.parse(body).data.document)

test('a change is posted, with a signature that the published library verifies', async t => {
  const service = await startService(quick)
  t.teardown(service.stop)
  const {url, accepted} = await receive(t)
  const secret = makeSecret()
  await make(service, 'projects')
  await addHook(service, {url, secret, under: `${service.base}projects/`, actions: ['created']})

  await make(service, 'outside')
  await make(service, 'one', '/projects/')
  await service.send({method: 'DELETE', path: '/projects/one/'})
  await make(service, 'two', '/projects/')
  await until(() => accepted.length >= 2)

  t.deepEqual(documentsOf(accepted), [`${service.base}projects/one/`, `${service.base}projects/two/`])
  const [got] = accepted
  t.is(got?.headers['content-type'], 'application/json')
  const message = new Webhook(showSecret(secret)).verify(got?.body ?? '', got?.headers as Record<string, string>)
  const {type, timestamp, data} = message as {type: string; timestamp: string; data: Record<string, unknown>}
  t.is(type, 'document.created')
  t.true(Math.abs(Date.parse(timestamp) - Date.now()) < 600_000)
  t.is(got?.headers['webhook-id'], `chg_${data.position}`)
  t.is(data.parent, `${service.base}projects/`)
  t.throws(() => new Webhook(showSecret(makeSecret())).verify(got?.body ?? '', got?.headers as Record<string, string>))
})

test('a receiver that fails, hangs, dies and comes back gets every change in order', async t => {
  const service = await startService({...quick, ...impatient})
  t.teardown(service.stop)
  const other = await start(
    readConfig({
      ...unlimited,
      PORT: '0',
      DATABASE_URL: service.database.url,
      DATABASE_POOL_MAX: '4',
      ...quick,
      ...impatient,
    }),
  )
  t.teardown(() => other.stop())
  const statuses = [500, 204, undefined, 204, 302, 204, 204, 429, 204] as const
  const {url, accepted} = await receive(t, (_, number) => statuses[number % statuses.length])
  const {last} = await readChangeRange(service.database.database, testSchema)
  await addHook(service, {url, after: last})

  for (let count = 0; count < 12; count += 1) await make(service, `n${count}`)
  await until(() => new Set(accepted.map(({headers}) => headers['webhook-id'])).size >= 12, 60)

  const session = await openSession(service.database.database, testSchema)
  const {changes} = await readChanges(session, {after: last, limit: 100})
  t.is(changes.length, 12)
  t.deepEqual(
    [...new Set(accepted.map(({headers}) => headers['webhook-id']))], // one answered too late is repeated
    changes.map(({position}) => `chg_${position}`),
  )
})

test('two processes do not deliver twice, and a stopped process leaves its webhooks to the other', async t => {
  const service = await startService(quick)
  t.teardown(service.stop)
  const settings = {...unlimited, PORT: '0', DATABASE_URL: service.database.url, DATABASE_POOL_MAX: '4', ...quick}
  const other = await start(readConfig(settings))
  const receivers = await Promise.all([1, 2, 3].map(() => receive(t)))
  const ids = await Promise.all(receivers.map(({url}) => addHook(service, {url})))
  for (let count = 0; count < 20; count += 1) await make(service, `both${count}`)
  await other.stop()
  for (let count = 20; count < 30; count += 1) await make(service, `both${count}`)
  await until(() => receivers.every(({accepted}) => accepted.length >= 30))

  const expected = Array.from({length: 30}, (_, count) => `${service.base}both${count}/`)
  for (const {accepted} of receivers) {
    const once = new Map(accepted.map(got => [got.headers['webhook-id'], got]))
    t.deepEqual(documentsOf([...once.values()]), expected)
    t.true(accepted.length <= 31, 'at most the attempt that the stop cut off is repeated')
  }
  const hooks = await Promise.all(ids.map(id => stateOf(service, id)))
  t.deepEqual([...new Set(hooks.map(hook => hook?.failures))], [0])
})

test('too many failures make a webhook dead; retry lets it go on, or leaves the change out', async t => {
  const service = await startService({...quick, WEBHOOK_ATTEMPTS: '3'})
  t.teardown(service.stop)
  let bad = `${service.base}first/`
  const {url, accepted, requests} = await receive(t, ({body}) => (JSON.parse(body).data.document === bad ? 500 : 200))
  const id = await addHook(service, {url})
  const session = await openSession(service.database.database, testSchema)
  await make(service, 'first')
  await make(service, 'second')
  await until(async () => (await stateOf(service, id))?.state === 'dead')

  const dead = await stateOf(service, id)
  t.deepEqual([dead?.state, dead?.failures, dead?.last_reason], ['dead', 3, 'the receiver answered 500'])
  t.is(requests(), 3)
  await retryWebhook(session, id, true)
  await until(() => accepted.length === 1)
  t.deepEqual(documentsOf(accepted), [`${service.base}second/`])

  bad = `${service.base}third/`
  await make(service, 'third')
  await until(async () => (await stateOf(service, id))?.state === 'dead')
  bad = ''
  await retryWebhook(session, id, false)
  await until(() => accepted.length === 2)
  t.is(documentsOf(accepted)[1], `${service.base}third/`)
  await removeWebhook(session, id)
  await t.throwsAsync(removeWebhook(session, id), {message: /There is no webhook/})
  await t.throwsAsync(retryWebhook(session, id, false), {message: /There is no webhook/})
})

test('a receiver that answers 410 gets no more', async t => {
  const service = await startService(quick)
  t.teardown(service.stop)
  const {url, requests} = await receive(t, () => 410)
  const id = await addHook(service, {url})
  await make(service, 'one')
  await until(async () => (await stateOf(service, id))?.state === 'gone')
  await make(service, 'two')
  await new Promise(resolve => setTimeout(resolve, 2500))

  t.is(requests(), 1)
  t.is((await stateOf(service, id))?.last_reason, 'the receiver answered 410')
})

test('addresses that are not public are not reached, whatever names them', async t => {
  const service = await startService({WEBHOOK_ATTEMPTS: '1'})
  t.teardown(service.stop)
  const {requests, port} = await receive(t)
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433', '10.0.0.1']
  const ids = await Promise.all(hosts.map(host => addHook(service, {url: new URL(`http://${host}:${port}/`).href})))
  await make(service, 'one')
  await until(async () => (await Promise.all(ids.map(id => stateOf(service, id)))).every(one => one?.state === 'dead'))

  const hooks = await Promise.all(ids.map(id => stateOf(service, id)))
  for (const hook of hooks) t.regex(hook?.last_reason ?? '', /is not a public address/, hook?.url)
  t.is(requests(), 0)
})

test('a webhook that is made for an agent gets what the agent may read', async t => {
  const service = await startGuarded(quick)
  t.teardown(service.stop)
  const {url, accepted} = await receive(t)
  const post = (slug: string, path = '/') =>
    service.sendAs('root', {method: 'POST', path, headers: {'Content-Type': 'text/turtle', Slug: slug}, body: ''})
  await post('open')
  await post('secret')
  await service.grant('/open/', {[`agent ${agentOf('ada')}`]: ['read']})
  await addHook(service, {url, agent: agentOf('ada')})
  await post('one', '/secret/')
  await post('two', '/open/')
  await until(() => accepted.length > 0)

  t.deepEqual(documentsOf(accepted), [`${service.base}open/two/`])
})
