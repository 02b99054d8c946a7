/**
 * Connections that take too long, or are too many: cut off, so that nobody holds a place for nothing.
 *
 * Floor 5. Requests that do not arrive are Node's own to end (408); here are answers that nobody takes.
 */
import type {Server, ServerResponse} from 'node:http'
import type {BlockList, Socket} from 'node:net'
import {observe} from '../base/observation.ts'
import {isIn, networkOf, plainAddress} from '../http/forwarded.ts'

export type ConnectionLimits = {
  readonly stallMs: number // without a byte taken of what was sent
  readonly answerMs?: number // for an answer to be taken in full; Infinity: no limit
  readonly connectionMax?: number
  readonly perAddress?: AddressLimit
}

export type AddressLimit = {
  readonly connectionMax: number // Infinity: no limit
  readonly proxies: BlockList // not limited: they connect for many
}

const sweepMs = 1000

/** @param responses  those under way, and when each began */
export function limitConnections(
  server: Server,
  responses: ReadonlyMap<ServerResponse, number>,
  {stallMs, answerMs = Number.POSITIVE_INFINITY, connectionMax, perAddress}: ConnectionLimits,
): void {
  if (connectionMax !== undefined) {
    server.maxConnections = connectionMax
    server.on('drop', () => observe({kind: 'connection-refused', connections: connectionMax}))
  }
  if (perAddress !== undefined) limitAddresses(server, perAddress)
  cutStalled(server, responses, stallMs)
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const [{req}, begun] of responses) if (now - begun > answerMs) req.socket.destroy()
  }, sweepMs).unref()
  server.once('close', () => clearInterval(sweep))
}

/** Closes connections of an address (in IPv6 of a network of 64 bits) that has as many as it may. */
function limitAddresses(server: Server, {connectionMax, proxies}: AddressLimit): void {
  if (connectionMax === Number.POSITIVE_INFINITY) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    if (address === undefined || isIn(proxies, address)) return
    const place = networkOf(address)
    const before = open.get(place) ?? 0
    if (before >= connectionMax) {
      socket.destroy()
      observe({kind: 'address-refused', address: place, connections: connectionMax})
      return
    }
    open.set(place, before + 1)
    socket.once('close', () => {
      const left = (open.get(place) ?? 1) - 1
      if (left === 0) open.delete(place)
      else open.set(place, left)
    })
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
