/** A client that reads its response slowly, and can be told to read fast or to disconnect. */
import {createHash} from 'node:crypto'
import {connect, type Socket} from 'node:net'

export type SlowReader = {
  readonly socket: Socket
  readonly bytes: () => number // received so far, including heads
  readonly text: () => string // received so far
  /** Reads as fast as possible until the server closes the connection. */
  readonly hurry: () => Promise<SlowAnswer>
  readonly leave: () => void
}

/** The data received over one connection. */
export type SlowAnswer = {
  readonly status: number
  readonly isWhole: boolean
  readonly digest: string
  readonly length: number
}

export type Pace = {readonly sipBytes: number; readonly everyMs: number}

const drops: Pace = {sipBytes: 4096, everyMs: 300}

/** Sends bytes of one or more requests, the last of which has `Connection: close`, and reads at the given pace. */
export function readSlowly(url: string, request: string, {sipBytes, everyMs}: Pace = drops): SlowReader {
  const chunks: Buffer[] = []
  const socket = connect({port: Number(new URL(url).port), host: '127.0.0.1'}, () => socket.write(request))
  const keep = (chunk: Buffer | null) => void (chunk === null || chunks.push(chunk))
  const sip = setInterval(() => keep(socket.read(sipBytes) ?? null), everyMs)
  socket.pause()
  socket.on('error', () => undefined)
  socket.on('readable', () => undefined) // `read` does the reading
  socket.once('close', () => clearInterval(sip))
  return {
    socket,
    bytes: () => chunks.reduce((sum, {length}) => sum + length, 0),
    text: () => Buffer.concat(chunks).toString('latin1'),
    hurry() {
      clearInterval(sip)
      socket.removeAllListeners('readable')
      socket.on('data', (chunk: Buffer) => chunks.push(chunk))
      socket.resume()
      return new Promise(resolve => {
        const end = () => resolve(answerIn(Buffer.concat(chunks)))
        if (socket.destroyed) end()
        else socket.once('close', end)
      })
    },
    leave: () => void socket.destroy(),
  }
}

/** The SHA-256 of a response's body, with Content-Length or chunked. */
function answerIn(bytes: Buffer): SlowAnswer {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.subarray(0, Math.max(0, end)).toString('latin1')
  const rest = bytes.subarray(end + 4)
  const announced = /^content-length: (\d+)$/im.exec(head)?.[1]
  const {body, isWhole} =
    announced === undefined ? unchunked(rest) : {body: rest, isWhole: rest.length === Number(announced)}
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0),
    isWhole: end > 0 && isWhole,
    digest: createHash('sha256').update(body).digest('hex'),
    length: body.length,
  }
}

function unchunked(bytes: Buffer): {readonly body: Buffer; readonly isWhole: boolean} {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16)
    if (line < 0 || Number.isNaN(size)) break
    if (size === 0) return {body: Buffer.concat(parts), isWhole: true}
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
  return {body: Buffer.concat(parts), isWhole: false}
}

export function requestText(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): string {
  const lines = Object.entries({Host: 'localhost', Connection: 'close', ...headers}).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}
