/**
 * Bytes that Node's parser takes for no request, to an answer: written by hand, as there is no response object.
 *
 * The parser knows a list of methods and gives up at the first byte that leads to none of them, which may be
 * anywhere in a packet. A request line with any other method is a 501 and not a 400, so the line is read on to its end.
 * Sources: RFC 9110 §9.1 (501), §15.5.9 (408); RFC 6585 §5 (431); RFC 9112 §3 (request line).
 */
import {type Server, type ServerResponse, STATUS_CODES} from 'node:http'
import type {Socket} from 'node:net'
import type {Duplex} from 'node:stream'

/** What Node's parser throws: its code, the bytes it was reading, and how far it came. */
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
  readonly headerBytes: number // of a request line too
  readonly runningOn: (socket: Duplex) => ServerResponse | undefined // the last that is being answered
}

/** Answers what is no request, and methods that never get to the application; then their connection ends. */
export function answerBrokenRequests(server: Server, {headerBytes, runningOn}: BrokenOptions): void {
  const begun = new WeakMap<Duplex, string>() // request lines whose end has not come, one character a byte
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
 * The request line that the parser gave up in, as far as it has come. What was read before the fault is part of a
 * method, and perhaps in an earlier packet: a letter stands for it.
 *
 * @returns  undefined: the fault is not the method's
 */
function lineOf({code, reason = '', rawPacket, bytesParsed = 0}: ParseError, {bytesRead}: Socket): string | undefined {
  if (rawPacket === undefined) return undefined
  const rest = rawPacket.toString('latin1', bytesParsed)
  if (code === 'HPE_INVALID_METHOD') {
    const isFirst = bytesParsed === 0 ? bytesRead === rawPacket.length : isBlank(rawPacket[bytesParsed - 1])
    return isFirst ? rest : `M${rest}`
  }
  // Methods of RTSP: the parser takes the line as far as "HTTP", or waits for the preface of HTTP/2 after PRI.
  if (reason.startsWith('Invalid method for HTTP')) return `M / HTTP${rest}`
  return reason === 'Expected HTTP/2 Connection Preface' ? 'PRI / HTTP/1.1\n' : undefined
}

/** @returns  the line with the next packet, at which the parser fails again; undefined: the connection failed */
function continued(before: string, {rawPacket}: ParseError): string | undefined {
  return rawPacket === undefined ? undefined : before + rawPacket.toString('latin1')
}

/** Whether a byte ends a line or an earlier message's head. */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d
}

/** @returns  undefined: nobody is there to read an answer */
function refusalOf({code = ''}: ParseError, socket: Duplex): Refusal | undefined {
  return code === 'ECONNRESET' || !socket.writable ? undefined : (refusals.get(code) ?? noRequest)
}

/** Ends a connection with a refusal, after what is being answered on it. */
function breakOff(socket: Duplex, refusal: Refusal | undefined, running: ServerResponse | undefined): void {
  if (refusal === undefined) socket.destroy()
  else if (running === undefined || (!running.req.complete && !running.headersSent)) answerBroken(socket, refusal)
  else if (running.req.complete && socket.writable) running.once('finish', () => answerBroken(socket, refusal))
  else socket.destroy() // bytes after half an answer would be taken for the rest of it
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

/** The title is the rule, as in every other problem; the type is not, for it may be too early to know the base. */
export function problemText({status, rule, detail, requestId}: ProblemFacts): string {
  return JSON.stringify({type: 'about:blank', title: rule, status, detail, requestId})
}

type ProblemFacts = {
  readonly status: number
  readonly rule: string
  readonly detail: string
  readonly requestId?: string
}
