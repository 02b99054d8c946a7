/**
 * Closes connections that exceed a limit, and connections whose client does not read its answer.
 *
 * Node itself ends requests that arrive too slowly (408).
 */
import type {Server} from 'node:http'
import type {BlockList, Socket} from 'node:net'
import type {ConnectionCount, ConnectionLimit} from '../../base/connection-count.ts'
import {observe} from '../../base/observation.ts'
import {isIn, networkOf, plainAddress} from '../../http/forwarded.ts'
import type {RunningResponse} from './running.ts'

export type ConnectionLimits = {
  readonly stallMs: number // without any byte moving on the connection
  readonly answerMs?: number // for a client to read the whole answer; Infinity: no limit
  readonly counted?: CountedConnections // undefined: no limits
}

export type CountedConnections = {
  readonly count: ConnectionCount
  readonly limits: Readonly<Record<ConnectionLimit, number>> // for the log
  readonly proxies: BlockList // no limit by address, because they connect for many clients
}

const sweepMs = 1000

/** @param running  the responses under way */
export function limitConnections(
  server: Server,
  running: () => readonly RunningResponse[],
  {stallMs, answerMs = Number.POSITIVE_INFINITY, counted}: ConnectionLimits,
): void {
  if (counted !== undefined) countConnections(server, counted)
  cutStalled(server, running, stallMs)
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const {response, begun} of running()) if (now - begun > answerMs) response.req.socket.destroy()
  }, sweepMs).unref()
  server.once('close', () => clearInterval(sweep))
}

/** Closes connections above the limit in total, or above that of one address (in IPv6, of one /64 network). */
function countConnections(server: Server, {count, limits, proxies}: CountedConnections): void {
  const counted = new WeakSet<Socket>()
  server.on('connection', (socket: Socket) => {
    if (counted.has(socket)) return // it comes back from an upgrade that was ignored (upgrade.ts)
    counted.add(socket)
    const address = plainAddress(socket.remoteAddress ?? '')
    const place = address === undefined || isIn(proxies, address) ? undefined : networkOf(address)
    const close = count.open(place, limit => {
      socket.destroy()
      if (limit === 'all') observe({kind: 'connection-refused', connections: limits.all})
      else observe({kind: 'address-refused', address: place ?? '', connections: limits.address})
    })
    socket.once('close', close)
  })
}

/**
 * Closes connections on which nothing has moved for `stallMs`.
 *
 * A connection stays open while its answer is computed: then it has no bytes to send. It is closed if bytes wait for
 * the client, or if it has had a request and none is under way.
 */
function cutStalled(server: Server, running: () => readonly RunningResponse[], stallMs: number): void {
  const used = new WeakSet<Socket>()
  server.timeout = stallMs
  for (const event of ['request', 'checkContinue'] as const) server.on(event, ({socket}) => used.add(socket))
  server.on('timeout', socket => {
    const isAnswering = running().some(({response}) => response.req.socket === socket)
    if (socket.writableLength > 0 || (used.has(socket) && !isAnswering)) socket.destroy()
  })
}
