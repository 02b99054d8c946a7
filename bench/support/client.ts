/**
 * An HTTP client with a low cost, because the generator shares two cores with the service that it measures.
 *
 * A persistent connection has one request at a time (no pipelining). Requests are prepared texts. Answers are parsed
 * only for their framing. bench/ceiling.ts measures its maximum.
 * Source: RFC 9112 §6 (message body length), §7.1 (chunked).
 */
import {connect, type Socket} from 'node:net'

export type Answer = {
  readonly status: number
  readonly head: string // status line and header section
  readonly body: Buffer
}

export type Connection = {
  /** Sends one request and reads the whole answer. */
  readonly exchange: (request: string | Uint8Array) => Promise<Answer>
  readonly isOpen: () => boolean // false after the server has closed it
  readonly close: () => void
}

type Waiting = {readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void}

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({port, host: '127.0.0.1', noDelay: true})
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return new Promise(resolve => resolve(attach(socket)))
}

function attach(socket: Socket): Connection {
  let waiting: Waiting | undefined
  let received: Buffer | undefined
  const fail = (error: Error) => {
    waiting?.reject(error)
    waiting = undefined
  }
  socket.on('data', (chunk: Buffer) => {
    received = received === undefined ? chunk : Buffer.concat([received, chunk])
    const answer = readAnswer(received)
    if (answer === undefined) return
    received = undefined
    const {resolve} = waiting ?? {}
    waiting = undefined
    resolve?.(answer)
  })
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the connection was closed before the end of an answer')))
  return {
    exchange(request) {
      return new Promise((resolve, reject) => {
        waiting = {resolve, reject}
        socket.write(request)
      })
    },
    isOpen: () => socket.writable,
    close: () => socket.destroy(),
  }
}

/** An answer if it is complete. */
function readAnswer(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const start = end + 4
  if (status === 204 || status === 304) return {status, head, body: bytes.subarray(start, start)}
  const [, length] = /\ncontent-length: *(\d+)/i.exec(head) ?? []
  if (length !== undefined) {
    const stop = start + Number(length)
    return bytes.length < stop ? undefined : {status, head, body: bytes.subarray(start, stop)}
  }
  const body = readChunks(bytes, start)
  return body === undefined ? undefined : {status, head, body}
}

function readChunks(bytes: Buffer, start: number): Buffer | undefined {
  if (!bytes.subarray(-5).equals(lastChunk)) return undefined
  const chunks: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (lineEnd < 0 || lineEnd + 2 + length + 2 > bytes.length) return undefined
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length))
    at = lineEnd + 2 + length + 2
  }
}

const lastChunk = Buffer.from('0\r\n\r\n')

/** The bytes of one request on a persistent connection. */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): string {
  const lines = Object.entries({Host: 'localhost', ...headers}).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body ?? ''}`
}

/** A header field of an answer. */
export function headerOf(head: string, name: string): string | undefined {
  return new RegExp(`\\n${name}: *([^\\r\\n]*)`, 'i').exec(head)?.[1]
}
