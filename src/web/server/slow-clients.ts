/**
 * Connections that take too long, or are too many: cut off, so that nobody holds a place for nothing.
 *
 * Requests that do not arrive are Node's own to end (408); here are answers that nobody takes.
 */
import type {Server, ServerResponse} from 'node:http'
import type {BlockList, Socket} from 'node:net'
import type {ConnectionCount, ConnectionLimit} from '../../base/connection-count.ts'
import {observe} from '../../base/observation.ts'
import {isIn, networkOf, plainAddress} from '../../http/forwarded.ts'

export type ConnectionLimits = {
  readonly stallMs: number // without a byte taken of what was sent
  readonly answerMs?: number // for an answer to be taken in full; Infinity: no limit
  readonly counted?: CountedConnections // undefined: without limits
}

export type CountedConnections = {
  readonly count: ConnectionCount
  readonly limits: Readonly<Record<ConnectionLimit, number>> // for the log
  readonly proxies: BlockList // not limited by address: they connect for many
}

const sweepMs = 1000

/** @param responses  those under way, and when each began */
export function limitConnections(
  server: Server,
  responses: ReadonlyMap<ServerResponse, number>,
  {stallMs, answerMs = Number.POSITIVE_INFINITY, counted}: ConnectionLimits,
): void {
  if (counted !== undefined) countConnections(server, counted)
  cutStalled(server, responses, stallMs)
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const [{req}, begun] of responses) if (now - begun > answerMs) req.socket.destroy()
  }, sweepMs).unref()
  server.once('close', () => clearInterval(sweep))
}

/** Closes connections that are one too many, in all or of an address (in IPv6 of a network of 64 bits). */
function countConnections(server: Server, {count, limits, proxies}: CountedConnections): void {
  server.on('connection', (socket: Socket) => {
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
 * Nothing moves on a stalled connection, nor on one whose answer is being worked out: then nothing waits to be sent.
 * Nor on one that is kept for further requests, and that is over now.
 */
function cutStalled(server: Server, responses: ReadonlyMap<ServerResponse, number>, stallMs: number): void {
  const used = new WeakSet<Socket>()
  server.timeout = stallMs
  for (const event of ['request', 'checkContinue'] as const) server.on(event, ({socket}) => used.add(socket))
  server.on('timeout', socket => {
    const isAnswering = [...responses.keys()].some(({req}) => req.socket === socket)
    if (socket.writableLength > 0 || (used.has(socket) && !isAnswering)) socket.destroy()
  })
}
