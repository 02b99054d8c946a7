/** Requests with an Upgrade field: all but WebSockets are answered as if it were not there. */
import test from 'ava'
import {send, sendBytes} from '../support/client.ts'
import {create} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAA']

/** The status lines of the responses to requests that are sent at once on one connection. */
async function statusesOf(requests: readonly string[]): Promise<readonly string[]> {
  const said = await sendBytes(service.url, requests.join(''))
  return said.match(/^HTTP\/1\.1 \d{3}/gm) ?? []
}

test('a request that offers h2c is answered as without the offer, with its body, and so are those that follow', async t => {
  const body = '<> <http://e/p> "é" .'
  const posted = (slug: string, lines: readonly string[]) =>
    ['POST / HTTP/1.1', 'Host: localhost', 'Content-Type: text/turtle', `Slug: ${slug}`, ...lines].join('\r\n')
  const sized = `${posted('sized', [...upgrade, `Content-Length: ${Buffer.byteLength(body)}`])}\r\n\r\n${body}`
  const chunk = `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const chunked = `${posted('chunked', [...upgrade, 'Transfer-Encoding: chunked'])}\r\n\r\n${chunk}`
  const read = (path: string, lines: readonly string[]) =>
    [`GET ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n')

  t.deepEqual(await statusesOf([sized, chunked, read('/sized/', upgrade), read('/chunked/', ['Connection: close'])]), [
    'HTTP/1.1 201',
    'HTTP/1.1 201',
    'HTTP/1.1 200',
    'HTTP/1.1 200',
  ])
  for (const path of ['/sized/', '/chunked/']) t.regex((await service.send({path})).text, /"é"/)
})

test('a WebSocket is ignored where there is none, and errors are answers of HTTP', async t => {
  const {path} = await create(t, service, {slug: 'plain', body: ''})
  const ask = (target: string, headers = {}) =>
    send(service.url, {
      path: target,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version': '13',
        ...headers,
      },
    })

  const [document, missing, foreign] = await Promise.all([ask(path), ask('/none/'), ask(path, {Host: 'evil.example'})])
  t.deepEqual([document.status, missing.status, foreign.status], [200, 404, 421])
  t.is(document.headers.connection, 'close')
  t.is(document.text, (await service.send({path})).text)
})

test('connections that come back are counted once', async t => {
  const text = ['GET /live HTTP/1.1', 'Host: localhost', ...upgrade, '', ''].join('\r\n')
  const last = 'GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  const limited = await startService({CONNECTION_LIMIT: '3'})
  t.teardown(limited.stop)

  for (let count = 0; count < 8; count += 1)
    t.is((await sendBytes(limited.url, text + text + last)).match(/HTTP\/1\.1 200/g)?.length, 3)
})

test.serial('a connection on which every request offers h2c gathers no listeners', async t => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  const text = ['GET /live HTTP/1.1', 'Host: localhost', ...upgrade, '', ''].join('\r\n')
  const last = 'GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

  t.is((await statusesOf([...Array.from({length: 40}, () => text), last])).length, 41)
  t.deepEqual(warnings, [])
})
