/** The HTTP server around the application: start, draining, limits, 100-continue. */
import {Agent} from 'node:http'
import type {AddressInfo} from 'node:net'
import test, {type ExecutionContext} from 'ava'
import {createWebServer, type WebServer} from '../../../src/web/server/server.ts'
import {send, sendBytes} from '../../support/client.ts'
import {until} from '../../support/machine.ts'

async function open(t: ExecutionContext): Promise<{web: WebServer; url: string}> {
  const web = createWebServer({headerBytes: 4000, requestMs: 1000})
  await new Promise<void>(resolve => web.server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => web.drain(AbortSignal.abort()))
  return {web, url: `http://127.0.0.1:${(web.server.address() as AddressInfo).port}/`}
}

/** A promise that the test resolves. */
function promise(): {readonly kept: Promise<void>; readonly keep: () => void} {
  let keep = () => {}
  const kept = new Promise<void>(resolve => {
    keep = resolve
  })
  return {kept, keep: () => keep()}
}

test('until the application is ready, a request is a 503 with Retry-After', async t => {
  const {url} = await open(t)

  const {status, headers, text} = await send(url)

  t.is(status, 503)
  t.like(headers, {'content-type': 'application/problem+json', 'retry-after': '2', connection: 'close'})
  t.like(JSON.parse(text), {status: 503, title: 'starting'})
})

test('draining lets a running request finish and accepts no new connection', async t => {
  const {web, url} = await open(t)
  const {kept, keep} = promise()
  web.answerWith(async (request, response) => {
    if (request.url === '/slow') await kept
    response.end('done')
  })
  const agent = new Agent({keepAlive: true})
  t.teardown(() => agent.destroy())
  const slow = send(url, {path: '/slow', agent})
  await until(() => web.running() === 1)

  const drained = web.drain(new AbortController().signal)
  await t.throwsAsync(send(url), {code: 'ECONNREFUSED'})
  keep()
  const {status, headers, text} = await slow

  t.deepEqual([status, headers.connection, text], [200, 'close', 'done'])
  await drained
})

test('a request on an open connection while draining is a 503', async t => {
  const {web, url} = await open(t)
  const {kept, keep} = promise()
  web.answerWith(async (_, response) => {
    await kept
    response.end('done')
  })

  const bytes = sendBytes(url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n')
  await until(() => web.running() > 0)
  const drained = web.drain(new AbortController().signal)
  keep()

  t.regex(await bytes, /^HTTP\/1\.1 200 OK\r\n/)
  await drained
})

test('requests that still run at the time limit are broken off', async t => {
  const {web, url} = await open(t)
  web.answerWith(() => undefined)
  const slow = t.throwsAsync(send(url), {code: 'ECONNRESET'})
  await until(() => web.running() === 1)

  await web.drain(AbortSignal.timeout(10))

  await slow
})

test('a header section that is too long is a 431, bytes that are not HTTP a 400, a missing body a 408', async t => {
  const {web, url} = await open(t)
  web.answerWith((request, response) => {
    request.resume().once('end', () => response.end())
  })

  t.regex(
    await sendBytes(url, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(5000)}\r\n\r\n`),
    /^HTTP\/1\.1 431 .*"title":"header-size"/s,
  )
  t.regex(await sendBytes(url, 'hello\r\n\r\n'), /^HTTP\/1\.1 400 .*"title":"request-syntax"/s)
  t.regex(
    await sendBytes(url, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab'),
    /^HTTP\/1\.1 408 .*"title":"request-time"/s,
  )
})

test('100-continue is sent when the body is read, and not if the request is refused before', async t => {
  const {web, url} = await open(t)
  web.answerWith(async (request, response) => {
    if (request.url === '/refused') {
      response.writeHead(404).end()
      return
    }
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    response.end(text)
  })
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`

  t.regex(await sendBytes(url, head('/refused')), /^HTTP\/1\.1 404 Not Found\r\n/)
  t.regex(await sendBytes(url, `${head('/read')}hi`), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n.*hi$/s)
})

test('a hundred open datasets listen for the end without a warning', async t => {
  const {web} = await open(t)
  const warnings: string[] = []
  const note = ({message}: Error) => warnings.push(message)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))

  for (let dataset = 0; dataset < 100; dataset += 1) web.draining.addEventListener('abort', () => undefined)
  await new Promise(resolve => setImmediate(resolve))

  t.deepEqual(warnings, [])
})

test('an unknown method is a 501', async t => {
  const {web, url} = await open(t)
  web.answerWith((_, response) => response.end())

  t.regex(
    await sendBytes(url, 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n'),
    /^HTTP\/1\.1 501 Not Implemented\r\n.*"title":"method-known"/s,
  )
})

test('bytes after a request that are not HTTP get a response after that of the request', async t => {
  const {web, url} = await open(t)
  const {kept, keep} = promise()
  web.answerWith(async (_, response) => {
    await kept
    response.end('done')
  })

  const bytes = sendBytes(url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n')
  await until(() => web.running() > 0)
  keep()

  t.regex(await bytes, /^HTTP\/1\.1 200 OK\r\n.*\r\ndone.*HTTP\/1\.1 400 Bad Request\r\n.*"title":"request-syntax"/s)
})
