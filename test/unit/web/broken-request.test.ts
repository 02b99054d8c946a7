/** Request lines that Node's parser rejects get the same response however they are split into packets. */
import {once} from 'node:events'
import type {AddressInfo} from 'node:net'
import {connect, type Socket} from 'node:net'
import {setImmediate as immediate} from 'node:timers/promises'
import test, {type ExecutionContext} from 'ava'
import {createWebServer} from '../../../src/web/server/server.ts'

const headerBytes = 3000

async function open(t: ExecutionContext, requestMs = 30_000): Promise<number> {
  const web = createWebServer({headerBytes, requestMs})
  web.answerWith((request, response) => {
    request.resume().once('end', () => response.end(`${request.method} `))
  })
  await new Promise<void>(resolve => web.server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => web.drain(AbortSignal.abort()))
  const {port} = web.server.address() as AddressInfo
  web.server.on('connection', (socket: Socket) => accepted.set(`${port} ${socket.remotePort}`, socket))
  return port
}

const accepted = new Map<string, Socket>() // by the ports of both ends

/**
 * Waits until the server has read this much of a connection, or has closed it, so that the rest is a packet of its own.
 */
async function isRead(port: number, {localPort}: Socket, bytes: number): Promise<void> {
  for (;;) {
    const {bytesRead, writable} = accepted.get(`${port} ${localPort}`) ?? {bytesRead: 0, writable: true}
    if (bytesRead >= bytes || !writable) return
    await immediate()
  }
}

const end = '' // as a part: the client sends nothing more

/** Sends each part as a packet of its own and reads until the server closes the connection. */
async function sendParts(port: number, parts: readonly string[]): Promise<string> {
  const socket = connect({port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true})
  let text = ''
  const ended = new Promise<void>(resolve => socket.once('close', () => resolve()).once('end', () => socket.end()))
  socket
    .setEncoding('latin1')
    .on('data', chunk => {
      text += chunk
    })
    .on('error', () => undefined)
  await once(socket, 'connect')
  let sent = 0
  for (const part of parts) {
    if (part === end) socket.end()
    else socket.write(part, 'latin1')
    sent += part.length
    await isRead(port, socket, sent)
  }
  await ended
  return text
}

/** Status and rule of every response, in order. */
function answersIn(text: string): readonly string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})[\s\S]*?(?:"title":"([^"]+)"|\r\n\r\n([A-Z-]+) )/g)].map(
    ([, status, rule, method]) => `${status} ${rule ?? method}`,
  )
}

/** The bytes as one packet, as two split at every place, and one by one. */
function packetsOf(bytes: string, from = 1): readonly (readonly string[])[] {
  const cuts = Array.from({length: Math.min(bytes.length - from, 40)}, (_, index) => index + from)
  return [[bytes], ...cuts.map(cut => [bytes.slice(0, cut), bytes.slice(cut)]), [...bytes]]
}

async function answersAlike(
  t: ExecutionContext,
  port: number,
  packets: readonly (readonly string[])[],
  answers: readonly string[],
): Promise<void> {
  const check = async (parts: readonly string[]) =>
    t.deepEqual(answersIn(await sendParts(port, parts)), answers, JSON.stringify(parts))
  await Promise.all(packets.map(check))
}

const rest = ' / HTTP/1.1\r\nHost: a\r\n\r\n'

const unknown = ['BREW', 'get', 'Get', 'GETX', 'PO', 'P', 'G', 'POS', "!#$%&'*+.^_`|~-9", 'M', 'MK', 'hello', 'UNLOCKS']
const ofOtherProtocols = ['DESCRIBE', 'SETUP', 'PLAY', 'FLUSH', 'GET_PARAMETER', 'PRI']

for (const method of [...unknown, ...ofOtherProtocols])
  test(`the method ${method} is a 501, however it is split into packets`, async t => {
    const port = await open(t)
    await answersAlike(t, port, packetsOf(method + rest), ['501 method-known'])
  })

test('an unknown method is a 501 after another request too, also after a body', async t => {
  const port = await open(t)
  const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
  const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\n<a> <b>.'
  for (const first of [get, post, `${get}\r\n`])
    for (const method of ['BREW', 'PO', 'get', 'PLAY']) {
      const answers = [first.startsWith('GET') ? '200 GET' : '200 POST', '501 method-known']
      await answersAlike(t, port, packetsOf(first + method + rest, first.length - 2), answers)
    }
})

test('the length of the target makes no difference, up to its limit', async t => {
  const port = await open(t)
  const long = (method: string, bytes: number) => `${method} /${'x'.repeat(bytes)} HTTP/1.1\r\nHost: a\r\n\r\n`

  for (const parts of [[long('BREW', 2900)], [long('BREW', 2900).slice(0, 2000), long('BREW', 2900).slice(2000)]])
    t.deepEqual(answersIn(await sendParts(port, parts)), ['501 method-known'])
  for (const method of ['GET', 'BREW', 'DESCRIBE'])
    t.deepEqual(
      answersIn(await sendParts(port, [long(method, 4000)])).at(-1),
      method === 'BREW' ? '501 method-known' : '431 header-size',
    )
  t.deepEqual(answersIn(await sendParts(port, [`BREW /${'x'.repeat(headerBytes)}`])), ['431 header-size'])
})

test('methods that the parser knows reach the application', async t => {
  const port = await open(t)
  for (const method of ['PROPFIND', 'M-SEARCH', 'SOURCE', 'PURGE', 'TRACE'])
    t.deepEqual(answersIn(await sendParts(port, [`${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`])), [
      `200 ${method}`,
    ])
})

test('CONNECT is a 501 that closes the connection, after the running response', async t => {
  const port = await open(t)
  for (const target of ['example.org:443', '/', '*', 'http://a/'])
    t.deepEqual(answersIn(await sendParts(port, [`CONNECT ${target} HTTP/1.1\r\nHost: a\r\n\r\nGET ${rest}`])), [
      '501 method-known',
    ])
  t.deepEqual(answersIn(await sendParts(port, [`GET${rest}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n\u0016\u0003`])), [
    '200 GET',
    '501 method-known',
  ])
})

test('a request to upgrade the protocol is answered in HTTP/1.1', async t => {
  const port = await open(t)
  for (const upgrade of ['websocket', 'h2c', 'TLS/1.0']) {
    const head = `GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: ${upgrade}\r\n\r\n`
    t.deepEqual(answersIn(await sendParts(port, [head])), ['200 GET'])
  }
})

for (const [what, bytes] of [
  ['a line without version', 'BREW /\r\n\r\n'],
  ['another version', 'BREW / HTTP/2.0\r\n\r\n'],
  ['another protocol', 'BREW / RTSP/1.0\r\n\r\n'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['no target', 'BREW  HTTP/1.1\r\n\r\n'],
  ['words', 'hello, world\r\n\r\n'],
  ['a tab for a space', 'GET\t/ HTTP/1.1\r\n\r\n'],
  ['a method of other characters', 'BR[W / HTTP/1.1\r\n\r\n'],
  ['a control character in the target', 'BREW /\u0001 HTTP/1.1\r\n\r\n'],
  ['a version that goes on', 'BREW / HTTP/1.11\r\n\r\n'],
  ['a handshake of TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000'],
  ['an answer', 'HTTP/1.1 200 OK\r\n\r\n'],
] as const)
  test(`${what} is a 400, however it is split into packets`, async t => {
    const port = await open(t)
    await answersAlike(t, port, packetsOf(bytes), ['400 request-syntax'])
  })

test('a line that begins with a space is a 400', async t => {
  const port = await open(t)
  t.deepEqual(answersIn(await sendParts(port, [' / HTTP/1.1\r\n\r\n'])), ['400 request-syntax'])
  t.deepEqual(answersIn(await sendParts(port, [`GET${rest} / HTTP/1.1\r\n\r\n`])), ['200 GET', '400 request-syntax'])
})

test('an unfinished request line is a 408, and a 400 if the client closes the connection', async t => {
  const port = await open(t, 1000)
  t.deepEqual(answersIn(await sendParts(port, ['BREW /abc'])), ['408 request-time'])
  for (const bytes of ['B', 'BREW /abc', 'GET /abc'])
    t.deepEqual(answersIn(await sendParts(port, [bytes, end])), ['400 request-syntax'], bytes)
})
