/**
 * The HTTP server around the application: limits, what is not HTTP, and an orderly end.
 *
 * Floor 5. Knows nothing of what the application answers.
 * Sources: RFC 9110 §10.1.1 (100-continue), §15.5.9 (408), RFC 6585 §5 (431); decisions ("draining", "Expect").
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type {Duplex} from 'node:stream'
import {within} from '../base/stages.ts'
import {recordRequest} from './request-record.ts'
import {type ConnectionLimits, limitConnections} from './slow-clients.ts'

export type ServerOptions = {
  readonly headerBytes: number // header section and request line together
  readonly requestMs: number // for a request to arrive in full, and for a client to take more of its answer
} & Pick<ConnectionLimits, 'answerMs' | 'connectionMax'>

export type WebServer = {
  readonly server: Server
  /** Says who answers; until then every request is a 503. */
  readonly answerWith: (listener: RequestListener) => void
  readonly isDraining: () => boolean
  /**
   * Says to all who ask that it will end, and goes on: /ready is a 503, and each answer is the last of its connection.
   */
  readonly leave: () => void
  /**
   * Ends it: no new connections, no new requests on old ones, running requests finish.
   *
   * @param limit  cuts off what still runs when it fires
   * @returns      when every connection is closed
   */
  readonly drain: (limit: AbortSignal) => Promise<void>
  readonly running: () => number // requests being answered
}

const keepAliveMs = 65_000 // longer than the 60 s of common load balancers, so that they close first

const serverTimes = (requestMs: number) => ({
  requestTimeout: requestMs,
  headersTimeout: requestMs,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: 1000,
})

export function createWebServer({headerBytes, requestMs, ...connections}: ServerOptions): WebServer {
  const responses = new Map<ServerResponse, number>() // and when each began
  let answer: RequestListener | undefined
  let isLeaving = false
  let isDraining = false

  const handle: RequestListener = (request, response) => {
    const {id, stages, end} = recordRequest(request, response)
    responses.set(response, performance.now())
    response.once('close', () => {
      responses.delete(response)
      end()
    })
    if (isLeaving) response.setHeader('Connection', 'close')
    if (isDraining && !isProbe(request)) refuse(response, 'draining', 'The service is shutting down.', id)
    else if (answer === undefined) refuse(response, 'starting', 'The service is starting.', id)
    else within(stages, () => answer?.(request, response))
  }
  const server = createServer({...serverTimes(requestMs), maxHeaderSize: headerBytes}, handle)
  limitConnections(server, responses, {stallMs: requestMs, ...connections})
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response)
    handle(request, response)
  })
  const brokenSockets = new WeakSet<Duplex>()
  server.on('clientError', (error, socket) => {
    if (brokenSockets.has(socket)) return
    brokenSockets.add(socket)
    const running = [...responses.keys()].findLast(({req}) => req.socket === socket)
    breakOff(error, socket, running)
  })

  return {
    server,
    answerWith(listener) {
      answer = listener
    },
    isDraining: () => isLeaving || isDraining,
    leave() {
      isLeaving = true
    },
    drain(limit) {
      isDraining = true
      for (const response of responses.keys()) if (!response.headersSent) response.setHeader('Connection', 'close')
      const cut = () => server.closeAllConnections()
      if (limit.aborted) cut()
      limit.addEventListener('abort', cut, {once: true})
      return new Promise(resolve => server.close(() => resolve()))
    },
    running: () => responses.size,
  }
}

/** Tells the client to send its body only when somebody reads it; whoever is refused before need not send it at all. */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const {shouldKeepAlive} = response
  response.shouldKeepAlive = false // what follows an unsent body could not be told from it
  request.on('newListener', function listen(event) {
    if (event !== 'data' && event !== 'readable') return
    request.off('newListener', listen)
    if (response.headersSent) return
    response.shouldKeepAlive = shouldKeepAlive
    response.writeContinue()
  })
}

function isProbe({url}: IncomingMessage): boolean {
  return url === '/live' || url === '/ready'
}

function refuse(response: ServerResponse, rule: string, detail: string, requestId: string): void {
  const body = problemText(503, rule, detail, requestId)
  response.writeHead(503, {
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'Retry-After': '2',
    Connection: 'close',
  })
  response.end(body)
}

/** What Node's parser throws: its code, the bytes it was reading, and how far it came. */
type ParseError = NodeJS.ErrnoException & {readonly rawPacket?: Buffer; readonly bytesParsed?: number}

const requestLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r?\n/
const requestLineBytes = 1000 // enough to tell; a longer one is a 400
const broken = new Map<string, readonly [number, string, string]>([
  ['HPE_INVALID_METHOD', [501, 'method-known', 'This is no method that the service knows.']],
  ['HPE_HEADER_OVERFLOW', [431, 'header-size', 'The header section is too long.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'request-time', 'The request did not arrive in time.']],
])

/** Bytes that are no request end their connection, after what is being answered on it. */
function breakOff(error: ParseError, socket: Duplex, running: ServerResponse | undefined): void {
  if (running === undefined || (!running.req.complete && !running.headersSent)) answerBroken(error, socket)
  else if (running.req.complete && socket.writable) running.once('finish', () => answerBroken(error, socket))
  else socket.destroy() // bytes after half an answer would be taken for the rest of it
}

/** Bytes that are no request: there is no response object, so the answer is written by hand. */
function answerBroken(error: ParseError, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const unknown = [400, 'request-syntax', 'This is not an HTTP request.'] as const
  const [status, rule, detail] = broken.get(codeOf(error)) ?? unknown
  const body = problemText(status, rule, detail)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** The parser calls any first word that is no method of its own an invalid method; only a request line has one. */
function codeOf({code = '', rawPacket, bytesParsed = 0}: ParseError): string {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return code
  const start = rawPacket.lastIndexOf('\n', bytesParsed) + 1
  const line = rawPacket.toString('latin1', start, start + requestLineBytes)
  return requestLine.test(line) ? code : 'HPE_INVALID_CONSTANT'
}

/** The title is the rule, as in every other problem; the type is not, for it may be too early to know the base. */
function problemText(status: number, rule: string, detail: string, requestId?: string): string {
  return JSON.stringify({type: 'about:blank', title: rule, status, detail, requestId})
}
