/** Changes over a WebSocket at /changes. */
import test, {type ExecutionContext} from 'ava'
import {WebSocket} from 'ws'
import {agentOf, startGuarded} from '../support/access.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

type Options = {readonly protocols?: readonly string[]; readonly headers?: Readonly<Record<string, string>>}

/** Opens a WebSocket. Resolves to the status if that is refused. */
async function open(t: ExecutionContext, url: string, {protocols = [], headers = {}}: Options = {}) {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), [...protocols], {headers})
  t.teardown(() => socket.terminate())
  const messages: Record<string, unknown>[] = []
  socket.on('message', data => messages.push(JSON.parse(String(data))))
  socket.on('error', () => undefined)
  const closed = new Promise<{code: number; reason: string}>(resolve => {
    socket.once('close', (code, reason) => resolve({code, reason: String(reason)}))
  })
  const status = await new Promise<number>(resolve => {
    socket.once('open', () => resolve(101))
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
  })
  const gather = async (count: number) => {
    for (let left = 400; left > 0 && messages.length < count; left -= 1)
      await new Promise(resolve => setTimeout(resolve, 50))
    return messages
  }
  return {status, socket, gather, closed, messages}
}

const make = ({send}: Pick<TestService, 'send'>, slug: string, path = '/', headers = {}) =>
  send({method: 'POST', path, headers: {'Content-Type': 'text/turtle', Slug: slug, ...headers}, body: ''})

test('changes arrive as lines of the log, and a client goes on from the last position it saw', async t => {
  await make(service, 'box')
  const {status, socket, gather} = await open(t, `${service.url}changes?under=/box/`)
  t.is(status, 101)
  await make(service, 'outside')
  await make(service, 'one', '/box/')
  await make(service, 'two', '/box/')
  const [first] = await gather(2)
  socket.terminate()
  await service.send({method: 'DELETE', path: '/box/one/'})

  const again = await open(t, `${service.url}changes?under=/box/&after=${first?.position}`)
  const messages = await again.gather(2)
  t.deepEqual(
    messages.map(({action, document}) => [action, document]),
    [
      ['created', `${service.base}box/two/`],
      ['deleted', `${service.base}box/one/`],
    ],
  )
  const path = `/changes?under=/box/&after=${first?.position}`
  const {text} = await service.send({path, headers: {Accept: 'application/x-ndjson'}})
  t.deepEqual(
    messages,
    text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
  )
})

test('errors before the start are answers of HTTP, and messages are refused', async t => {
  t.is((await open(t, `${service.url}changes?after=x`)).status, 400)
  t.is((await open(t, `${service.url}changes?after=999999999999`)).status, 410)
  t.is((await open(t, `${service.url}changes`, {headers: {Origin: 'https://evil.example'}})).status, 403)
  const {socket, closed} = await open(t, `${service.url}changes`)
  socket.send('hello')
  t.is((await closed).code, 1008)
})

test('a listener gets what it may read, with its key in a header field or as a subprotocol', async t => {
  const guarded = await startGuarded()
  t.teardown(guarded.stop)
  const post = async (slug: string, path = '/') =>
    make(guarded, slug, path, {Authorization: await guarded.authorizationOf('root')})
  await post('open')
  await guarded.grant('/open/', {[`agent ${agentOf('ada')}`]: ['read']})
  const authorization = await guarded.authorizationOf('ada')
  const protocols = ['quadstead.changes', `bearer.${authorization.replace('Bearer ', '')}`]
  const url = `${guarded.url}changes`
  const listening = await Promise.all([open(t, url, {headers: {authorization}}), open(t, url, {protocols})])
  const form = {'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin'}
  const body = `key=${authorization.replace('Bearer ', '')}`
  const signedIn = await guarded.send({method: 'POST', path: '/.system/sign-in', headers: form, body})
  const cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  const {origin} = new URL(guarded.base)
  listening.push(await open(t, url, {headers: {cookie, origin}}))
  const nobody = await open(t, url, {headers: {cookie, origin: 'http://localhost:3000'}}) // CORS allows it
  await post('secret')
  await post('one', '/open/')

  for (const {gather} of listening)
    t.deepEqual(
      (await gather(1)).map(({document}) => document),
      [`${guarded.base}open/one/`],
    )
  t.is(listening[1]?.socket.protocol, 'quadstead.changes')
  t.deepEqual(nobody.messages, [])
  t.is((await open(t, url, {protocols: ['quadstead.changes', 'bearer.qsk_wrong']})).status, 401)
})

test('a service that stops tells its listeners to connect again', async t => {
  const stopping = await startService()
  const {closed} = await open(t, `${stopping.url}changes`)
  await stopping.stop()

  t.is((await closed).code, 1012)
})
