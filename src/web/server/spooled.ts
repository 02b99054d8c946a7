/**
 * Sends long answers from limited memory or from a spool, so that a slow client blocks nothing else (decision 0017).
 *
 * A response that is queued behind another one on its connection gets no event when the connection closes. This file
 * therefore watches the socket.
 */
import {setMaxListeners} from 'node:events'
import type {Socket} from 'node:net'
import {pipeline} from 'node:stream'
import type {Context, Middleware} from 'koa'
import type {Spool} from '../../base/spool.ts'
import type {SpoolSpace} from '../../base/spool-space.ts'
import type {CallerKey} from './caller-key.ts'

/** Longer bodies wait for their clients within the limits of the spool space. In UTF-16 units or bytes. */
export const wholeLength = 65_536

const waiting = new WeakMap<Socket, Set<() => void>>() // what ends what waits to be sent on a connection

/** Calls a function when the connection closes. Returns a function that prevents it, and whether it did. */
function onGone(socket: Socket, end: () => void): () => boolean {
  const ends = waiting.get(socket) ?? watch(socket)
  ends.add(end)
  return () => ends.delete(end)
}

function watch(socket: Socket): Set<() => void> {
  const ends = new Set<() => void>()
  waiting.set(socket, ends)
  socket.once('close', () => {
    const left = [...ends]
    ends.clear() // a response may be closed after its socket
    for (const end of left) end()
  })
  return ends
}

/** Sends a spool's bytes as the client reads. If the spool or the response fails, the other is destroyed. */
export function sendSpool({req: {socket}, res}: Context, {stream}: Spool): void {
  const sent = onGone(socket, () => stream.destroy())
  if (socket.destroyed) stream.destroy()
  pipeline(stream, res, sent)
}

const signals = new WeakMap<Socket, AbortSignal>()

/**
 * A signal that aborts if the client disconnects. The requests of a connection share it, because its creation costs
 * more than most steps of a short answer. That of an inner request also aborts if its response is too long.
 */
export function goneSignal({req: {socket}, res, state}: Context): AbortSignal {
  const shared = state.isInner === true ? undefined : signals.get(socket)
  if (shared !== undefined) return shared
  const gone = new AbortController()
  if (state.isInner === true) res.once('close', () => res.writableFinished || gone.abort())
  else {
    signals.set(socket, gone.signal)
    setMaxListeners(0, gone.signal) // requests may be pipelined
    socket.once('close', () => gone.abort())
  }
  if (socket.destroyed) gone.abort()
  return gone.signal
}

/** Sends long bodies that were made as a whole from memory if there is room, else from a spool. */
export function spoolBodies(spools: SpoolSpace, callerKey: CallerKey): Middleware {
  return async (context, next) => {
    await next()
    const {body} = context
    if (context.respond === false || context.method === 'HEAD') return
    if (!(typeof body === 'string' || Buffer.isBuffer(body)) || body.length <= wholeLength) return
    if (holdBody(spools, context, Buffer.byteLength(body))) return
    const bytes = Buffer.from(body)
    const spool = spools.open(callerKey(context), Number.POSITIVE_INFINITY) // it holds nothing but its own bytes
    context.body = '' // frees the body, which Koa would keep until the client has read it
    context.length = bytes.length
    context.respond = false
    sendSpool(context, spool)
    spool.stream.end(bytes)
  }
}

/** Leaves a body in memory until it is sent. Returns false if there is no room. */
function holdBody(spools: SpoolSpace, {req: {socket}, res}: Context, bytes: number): boolean {
  const give = socket.destroyed ? undefined : spools.hold(bytes)
  if (give === undefined) return false
  const forget = onGone(socket, give)
  res.once('close', () => {
    if (forget()) give()
  })
  return true
}
