/** Reads bodies from streams, and from connections if the connection matters. */
import {EventEmitter, once} from 'node:events'
import {createServer, type IncomingMessage} from 'node:http'
import {type AddressInfo, connect} from 'node:net'
import {PassThrough, Readable} from 'node:stream'
import {brotliCompressSync, deflateSync, gzipSync} from 'node:zlib'
import test, {type ExecutionContext} from 'ava'
import fc from 'fast-check'
import {Problem} from '../../../src/base/problem.ts'
import {type BodyOptions, readBody} from '../../../src/http/body.ts'

const options: BodyOptions = {limitBytes: 1000, timeoutMs: 60_000}
const text = '<> a <http://example.org/Thing> . '.repeat(20) // 680 bytes

/** A body that arrives in pieces of a few bytes. */
function streamOf(bytes: Uint8Array, pieceBytes = 7): Readable {
  const pieces: Uint8Array[] = []
  for (let start = 0; start < bytes.length; start += pieceBytes) pieces.push(bytes.subarray(start, start + pieceBytes))
  return Readable.from(pieces, {objectMode: false})
}

async function read(bytes: Uint8Array, more: Partial<BodyOptions> = {}): Promise<string> {
  return Buffer.from(await readBody(streamOf(bytes), {...options, ...more})).toString()
}

test('a body in many chunks is read in one piece', async t => {
  t.is(await read(Buffer.from(text)), text)
})

test('an empty body has no bytes', async t => {
  t.deepEqual(await readBody(Readable.from([]), options), Buffer.alloc(0))
})

test('a body that was read before has no bytes', async t => {
  const stream = streamOf(Buffer.from(text))
  await readBody(stream, options)

  t.is((await readBody(stream, options)).length, 0)
})

test('a body as long as the limit is read, one byte more is a 413 with the limit', async t => {
  t.is((await read(Buffer.alloc(1000, 'a'))).length, 1000)
  t.like(await t.throwsAsync(read(Buffer.alloc(1001, 'a'))), {
    status: 413,
    rule: 'body-size',
    message: 'The body is larger than 1000 bytes',
    members: {limitBytes: 1000},
    headers: {Connection: 'close'},
  })
})

test('a Content-Length over the limit is a 413 before a byte arrives', async t => {
  const silent = new PassThrough()

  const error = await t.throwsAsync(readBody(silent, {...options, contentLength: '1001'}))

  t.like(error, {status: 413, rule: 'body-size'})
})

test('a Content-Length within the limit is not trusted', async t => {
  t.like(await t.throwsAsync(read(Buffer.alloc(1001), {contentLength: '10'})), {rule: 'body-size'})
})

const codings: [string, (bytes: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['identity', bytes => bytes],
  ['', bytes => bytes],
  ['identity, gzip', gzipSync],
]

for (const [contentEncoding, encode] of codings)
  test(`the content coding "${contentEncoding}" is decoded`, async t => {
    t.is(await read(encode(Buffer.from(text)), {contentEncoding}), text)
  })

for (const [contentEncoding, encode] of codings.filter(([name]) => /^(gzip|deflate|br)$/.test(name))) {
  test(`a small ${contentEncoding} body that inflates beyond the limit is a 413`, async t => {
    const bomb = encode(Buffer.alloc(10_000_000))

    t.like(await t.throwsAsync(read(bomb, {contentEncoding, limitBytes: 20_000})), {status: 413, rule: 'body-size'})
  })

  test(`a ${contentEncoding} body that ends too early is a 400`, async t => {
    const cut = encode(Buffer.from(text)).subarray(0, -3)

    t.like(await t.throwsAsync(read(cut, {contentEncoding})), {
      status: 400,
      rule: 'body-encoding',
      message: `The body is not what Content-Encoding says: "${contentEncoding}"`,
    })
  })

  test(`a body that is not ${contentEncoding} is a 400`, async t => {
    t.like(await t.throwsAsync(read(Buffer.from(text), {contentEncoding})), {status: 400, rule: 'body-encoding'})
  })
}

test('a compressed body is counted as sent too', async t => {
  const endless = Buffer.concat(Array.from({length: 60}, () => gzipSync(Buffer.alloc(0)))) // inflates to nothing

  t.is(endless.length, 1200)
  t.like(await t.throwsAsync(read(endless, {contentEncoding: 'gzip'})), {status: 413, rule: 'body-size'})
})

for (const contentEncoding of ['zstd', 'compress', 'gzip, gzip', 'aes128gcm', 'gzip;q=1'])
  test(`the content coding "${contentEncoding}" is a 415 that lists the known ones`, async t => {
    t.like(await t.throwsAsync(read(Buffer.from(text), {contentEncoding})), {
      status: 415,
      rule: 'content-encoding-known',
      message: `Content-Encoding must be one of gzip, deflate, br, got "${contentEncoding}"`,
      headers: {Connection: 'close', 'Accept-Encoding': 'gzip, deflate, br'},
    })
  })

for (const contentEncoding of ['identity', 'gzip'])
  test(`a body (${contentEncoding}) that does not arrive is a 408`, async t => {
    const error = await t.throwsAsync(readBody(new PassThrough(), {limitBytes: 10, timeoutMs: 5, contentEncoding}))

    t.like(error, {
      status: 408,
      rule: 'body-time',
      message: 'The body did not arrive within 5 ms',
      headers: {Connection: 'close'},
    })
  })

test('a stream that fails, closes or was closed means that the client disconnected', async t => {
  const failing = new PassThrough()
  const closing = new PassThrough()
  const closed = new PassThrough()
  closed.destroy()
  const reading = [failing, closing, closed].map(stream => t.throwsAsync(readBody(stream, options)))
  failing.destroy(new Error('reset'))
  closing.destroy()

  for (const error of await Promise.all(reading)) t.like(error, {status: 499, rule: 'client-gone'})
})

test('after a failure there are no listeners, and the stream is drained', async t => {
  const stream = new PassThrough()
  const reading = t.throwsAsync(readBody(stream, {...options, contentEncoding: 'gzip'}))
  stream.write('no gzip')
  await reading

  t.is(stream.destroyed, false)
  t.deepEqual([stream.listenerCount('data'), stream.readableFlowing], [0, true])
})

/** A server that reads each body with these options and responds with its length or the broken rule. */
async function listen(
  t: ExecutionContext,
  bodyOptions: BodyOptions,
): Promise<{port: number; outcome: Promise<string>}> {
  const outcomes = new EventEmitter()
  const first = once(outcomes, 'outcome').then(([outcome]) => String(outcome))
  const answer = async (request: IncomingMessage): Promise<string> => {
    try {
      return String((await readBody(request, bodyOptions)).length)
    } catch (error) {
      return error instanceof Problem ? error.rule : String(error)
    }
  }
  const server = createServer(async (request, response) => {
    const outcome = await answer(request)
    outcomes.emit('outcome', outcome)
    response.writeHead(200, {Connection: 'close'}).end(outcome)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return {port: (server.address() as AddressInfo).port, outcome: first}
}

test('a chunked request body is read', async t => {
  const {port} = await listen(t, options)

  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'DELETE',
    body: streamOf(Buffer.from(text)),
    duplex: 'half',
  } as RequestInit)

  t.is(await answer.text(), '680')
})

test('a client that sends far too much still gets its response', async t => {
  const {port} = await listen(t, options)
  const socket = connect(port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n')
  for (let i = 0; i < 20; i++) socket.write(`400\r\n${'a'.repeat(1024)}\r\n`)
  const [answer] = await once(socket, 'data')
  socket.destroy()

  t.regex(String(answer), /body-size/)
})

test('a client that disconnects during the body is recognised', async t => {
  const {port, outcome} = await listen(t, options)
  const socket = connect(port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf', () => socket.destroy())

  t.is(await outcome, 'client-gone')
})

test('any bytes with any coding are read or refused by a Problem', async t => {
  const coding = fc.constantFrom('gzip', 'deflate', 'br', 'identity', undefined)
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({maxLength: 1200}), coding, async (bytes, contentEncoding) => {
      try {
        return (await readBody(streamOf(bytes, 100), {...options, contentEncoding})).length <= options.limitBytes
      } catch (error) {
        return error instanceof Problem
      }
    }),
  )
  t.pass()
})
