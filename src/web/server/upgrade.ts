/**
 * Upgrades of connections to WebSocket: each is first a request like any other, which a handler may accept.
 *
 * Node takes a connection away from HTTP as soon as a request has an Upgrade field. Here only
 * WebSockets need that, and a server may ignore the field (RFC 9110 §7.8). All other requests therefore go back to the
 * HTTP server without it. Clients of Java send such requests ("Upgrade: h2c") on every new connection.
 * Sources: RFC 9110 §7.8; RFC 6455 §4.2; docs of node:http, 'connection' ("This event can also be explicitly emitted").
 */
import {type IncomingMessage, type RequestListener, type Server, ServerResponse} from 'node:http'
import type {Socket} from 'node:net'
import {splitList} from '../../http/field.ts'

/** A connection whose client waits for 101 or for a refusal. */
export type Upgrade = {
  readonly socket: Socket
  readonly head: Buffer // bytes that the client has sent after the request
}

const open = new WeakMap<IncomingMessage, {readonly upgrade: Upgrade; readonly response: ServerResponse}>()

export type UpgradeOptions = {
  readonly handle: RequestListener
  readonly runningOn: (socket: Socket) => ServerResponse | undefined // the last response under way on the socket
}

/** @returns  the open connections that have left HTTP */
export function handleUpgrades(server: Server, {handle, runningOn}: UpgradeOptions): ReadonlySet<Socket> {
  const taken = new Set<Socket>()
  const answer = (request: IncomingMessage, upgrade: Upgrade): void => {
    const {socket} = upgrade
    if (socket.destroyed || !socket.writable) return
    if (asksForWebSocket(request)) {
      taken.add(socket)
      socket.once('close', () => taken.delete(socket))
      handle(request, respondOn(request, upgrade))
    } else {
      giveBack(server, request, upgrade)
    }
  }
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const before = runningOn(socket) // the client did not wait for it
    if (before === undefined) answer(request, {socket, head})
    else before.once('close', () => answer(request, {socket, head}))
  })
  return taken
}

/** The response to a request that waits for an upgrade. It closes the connection, unless the upgrade is taken. */
function respondOn(request: IncomingMessage, upgrade: Upgrade): ServerResponse {
  const {socket} = upgrade
  const response = new ServerResponse(request)
  response.assignSocket(socket)
  response.shouldKeepAlive = false
  response.once('finish', () => {
    response.detachSocket(socket)
    socket.destroySoon()
  })
  open.set(request, {upgrade, response})
  return response
}

function asksForWebSocket({method, headers: {upgrade = ''}}: IncomingMessage): boolean {
  return method === 'GET' && splitList(upgrade.toLowerCase()).includes('websocket')
}

/** Lets the HTTP server read the request again, without its Upgrade field. */
function giveBack(server: Server, request: IncomingMessage, {socket, head}: Upgrade): void {
  const {method, url, httpVersion, rawHeaders} = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${rawHeaders[at + 1]}`)
  }
  for (const event of ['error', 'timeout']) socket.removeAllListeners(event) // the server adds its own again
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}

/** Whether the request waits for an upgrade. */
export function isUpgrade(request: IncomingMessage): boolean {
  return open.has(request)
}

/** The event of a response whose connection was taken. Its `close` comes when the connection is closed. */
export const takenEvent = 'taken'

/**
 * Takes the connection from its request, which gets no other response. It is recorded with the status 101 in the end.
 *
 * @returns  undefined: the request is no upgrade
 */
export function takeUpgrade(request: IncomingMessage): Upgrade | undefined {
  const found = open.get(request)
  if (found === undefined) return undefined
  const {upgrade, response} = found
  open.delete(request)
  response.statusCode = 101
  response.removeAllListeners('finish')
  response.detachSocket(upgrade.socket)
  response.emit(takenEvent)
  upgrade.socket.once('close', () => response.emit('close'))
  return upgrade
}
