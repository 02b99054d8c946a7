/**
 * Answers bytes that Node's parser rejects. There is no response object, so the answer is written to the socket.
 *
 * The parser knows a list of methods. It fails at the first byte that fits none of them, anywhere in a packet. A valid
 * request line with another method is a 501, not a 400, so this file reads the line to its end to tell them apart.
 * Sources: RFC 9110 §9.1 (501), §15.5.9 (408); RFC 6585 §5 (431); RFC 9112 §3 (request line).
 */
import {type Server, type ServerResponse, STATUS_CODES} from 'node:http'
import type {Socket} from 'node:net'
import type {Duplex} from 'node:stream'

/** An error of Node's parser: its code, the packet, and the number of bytes parsed before the error. */
type ParseError = NodeJS.ErrnoException & {
  readonly reason?: string
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

type Refusal = readonly [status: number, rule: string, detail: string]

const unknownMethod: Refusal = [501, 'method-known', 'This is no method that the service knows.']
const noRequest: Refusal = [400, 'request-syntax', 'This is not an HTTP request.']
const tooLong: Refusal = [431, 'header-size', 'The header section is too long.']
const refusals = new Map<string, Refusal>([
  ['HPE_HEADER_OVERFLOW', tooLong],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'request-time', 'The request did not arrive in time.']],
])

const requestLine = /^[!#$%&'*+.^_`|~\w-]+ +[\x21-\x7e\x80-\xff]+ HTTP\/1\.[01]\r?\n/
const method = /^[!#$%&'*+.^_`|~\w-]+$/
const target = /^[\x21-\x7e\x80-\xff]*$/
const versions = ['HTTP/1.0\r', 'HTTP/1.1\r']

export type BrokenOptions = {
  readonly headerBytes: number // limit for a request line too
  readonly runningOn: (socket: Duplex) => ServerResponse | undefined // the last response under way on the socket
}

/** Answers broken requests, unknown methods and CONNECT, which never reach the application. Closes the connection. */
export function answerBrokenRequests(server: Server, {headerBytes, runningOn}: BrokenOptions): void {
  const begun = new WeakMap<Duplex, string>() // unfinished request lines, one character for each byte
  const over = new WeakSet<Duplex>()
  const end = (socket: Duplex, refusal: Refusal | undefined) => {
    if (over.has(socket)) return
    over.add(socket)
    breakOff(socket, refusal, runningOn(socket))
  }
  server.on('clientError', (error: ParseError, socket: Socket) => {
    if (over.has(socket)) return
    const before = begun.get(socket)
    const line = before === undefined ? lineOf(error, socket) : continued(before, error)
    if (line === undefined) end(socket, refusalOf(error, socket))
    else if (requestLine.test(line)) end(socket, unknownMethod)
    else if (!mayBecomeRequestLine(line)) end(socket, noRequest)
    else if (line.length > headerBytes) end(socket, tooLong)
    else {
      if (before === undefined) socket.prependOnceListener('end', () => end(socket, noRequest))
      begun.set(socket, line)
    }
  })
  server.on('connect', (_, socket) => {
    socket.on('error', () => socket.destroy())
    end(socket, unknownMethod)
  })
}

function mayBecomeRequestLine(line: string): boolean {
  const [first = '', second = '', third, ...more] = line.split(/ +/)
  const isVersion = third === undefined || versions.some(version => version.startsWith(third))
  return method.test(first) && target.test(second) && isVersion && more.length === 0
}

/**
 * The request line in which the parser failed, as far as it has arrived.
 *
 * The bytes before the error belong to a method and may be in an earlier packet. The letter `M` stands for them.
 *
 * @returns  undefined: the error is not in the method
 */
function lineOf({code, reason = '', rawPacket, bytesParsed = 0}: ParseError, {bytesRead}: Socket): string | undefined {
  if (rawPacket === undefined) return undefined
  const rest = rawPacket.toString('latin1', bytesParsed)
  if (code === 'HPE_INVALID_METHOD') {
    const isFirst = bytesParsed === 0 ? bytesRead === rawPacket.length : isBlank(rawPacket[bytesParsed - 1])
    return isFirst ? rest : `M${rest}`
  }
  // RTSP methods fail only after "HTTP". After PRI the parser expects the rest of the HTTP/2 preface.
  if (reason.startsWith('Invalid method for HTTP')) return `M / HTTP${rest}`
  return reason === 'Expected HTTP/2 Connection Preface' ? 'PRI / HTTP/1.1\n' : undefined
}

/** @returns  the line with the next packet, on which the parser fails again; undefined: the connection failed */
function continued(before: string, {rawPacket}: ParseError): string | undefined {
  return rawPacket === undefined ? undefined : before + rawPacket.toString('latin1')
}

/** Whether a byte is CR or LF, which end the message before. */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d
}

/** @returns  undefined: the client is gone */
function refusalOf({code = ''}: ParseError, socket: Duplex): Refusal | undefined {
  return code === 'ECONNRESET' || !socket.writable ? undefined : (refusals.get(code) ?? noRequest)
}

/** Closes a connection with a refusal, after the response that is under way on it. */
function breakOff(socket: Duplex, refusal: Refusal | undefined, running: ServerResponse | undefined): void {
  if (refusal === undefined) socket.destroy()
  else if (running === undefined || (!running.req.complete && !running.headersSent)) answerBroken(socket, refusal)
  else if (running.req.complete && socket.writable) running.once('finish', () => answerBroken(socket, refusal))
  else socket.destroy() // the client would read the refusal as the rest of a partial answer
}

function answerBroken(socket: Duplex, [status, rule, detail]: Refusal): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = problemText({status, rule, detail})
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** Problem details (RFC 9457). The type is `about:blank`, because the base may not be known yet. */
export function problemText({status, rule, detail, requestId}: ProblemFacts): string {
  return JSON.stringify({type: 'about:blank', title: rule, status, detail, requestId})
}

type ProblemFacts = {
  readonly status: number
  readonly rule: string
  readonly detail: string
  readonly requestId?: string
}
