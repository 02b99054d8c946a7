/**
 * The HTTP server around the application: limits of requests and connections, start-up and shutdown.
 *
 * Independent of the application.
 * Sources: RFC 9110 §10.1.1 (100-continue); docs/operations.md.
 */
import {setMaxListeners} from 'node:events'
import {createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse} from 'node:http'
import {collectStages} from '../../base/stages.ts'
import {answerBrokenRequests, problemText} from './broken-request.ts'
import {recordRequest} from './request-record.ts'
import {createRunningResponses} from './running.ts'
import {type ConnectionLimits, limitConnections} from './slow-clients.ts'
import {handleUpgrades, takenEvent} from './upgrade.ts'

export type ServerOptions = {
  readonly headerBytes: number // header section and request line together
  readonly requestMs: number // for a request to arrive in full, and for a client to read more of its answer
} & Omit<ConnectionLimits, 'stallMs'>

export type WebServer = {
  readonly server: Server
  /** Sets the application. Until then, every request is a 503. */
  readonly answerWith: (listener: RequestListener) => void
  readonly isDraining: () => boolean
  readonly draining: AbortSignal // aborts when the server shuts down, so that streams without an end can end
  /**
   * Announces the end and keeps answering: /ready is a 503, and each answer closes its connection.
   */
  readonly leave: () => void
  /**
   * Shuts the server down: it accepts no new connections or requests, and finishes the running ones.
   *
   * @param limit  closes all remaining connections when it aborts
   * @returns      resolves when every connection is closed
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
  const responses = createRunningResponses()
  let answer: RequestListener | undefined
  let isLeaving = false
  const draining = new AbortController()
  setMaxListeners(0, draining.signal) // each open dataset has one

  const handle: RequestListener = (request, response) => {
    const {id, stages, end} = recordRequest(request, response)
    const forget = responses.add(response)
    response.on(takenEvent, forget) // it may stay open for days
    response.on('close', () => {
      forget()
      end()
    })
    if (isLeaving) response.setHeader('Connection', 'close')
    if (draining.signal.aborted && !isProbe(request)) refuse(response, 'draining', 'The service is shutting down.', id)
    else if (answer === undefined) refuse(response, 'starting', 'The service is starting.', id)
    else collectStages(stages, () => answer?.(request, response))
  }
  // request-head.ts checks Host, because Node would refuse a request without it with an empty answer.
  const options = {...serverTimes(requestMs), maxHeaderSize: headerBytes, requireHostHeader: false}
  const server = createServer(options, handle)
  limitConnections(server, responses.all, {stallMs: requestMs, ...connections})
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response)
    handle(request, response)
  })
  const runningOn = responses.lastOn
  answerBrokenRequests(server, {headerBytes, runningOn})
  const upgraded = handleUpgrades(server, {handle, runningOn})

  return {
    server,
    answerWith(listener) {
      answer = listener
    },
    isDraining: () => isLeaving || draining.signal.aborted,
    draining: draining.signal,
    leave() {
      isLeaving = true
    },
    drain(limit) {
      for (const {response} of responses.all()) if (!response.headersSent) response.setHeader('Connection', 'close')
      draining.abort()
      const cut = () => {
        server.closeAllConnections()
        for (const socket of upgraded) socket.destroy()
      }
      if (limit.aborted) cut()
      limit.addEventListener('abort', cut, {once: true})
      return new Promise(resolve => server.close(() => resolve()))
    },
    running: () => responses.all().length,
  }
}

/** Sends 100 Continue when a handler starts to read the body. A client that is refused before need not send it. */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const {shouldKeepAlive} = response
  response.shouldKeepAlive = false // the next bytes could be the body or a new request
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
  const body = problemText({status: 503, rule, detail, requestId})
  response.writeHead(503, {
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'Retry-After': '2',
    Connection: 'close',
  })
  response.end(body)
}
