/**
 * Sends long answers from a spool, so that a slow client blocks nothing else (decision 0017).
 *
 * A response that is queued behind another one on its connection gets no event when the connection closes. This file
 * therefore watches the socket.
 */
import {setMaxListeners} from 'node:events'
import type {Socket} from 'node:net'
import {type Duplex, pipeline} from 'node:stream'
import type {Context, Middleware} from 'koa'
import type {Spool} from '../../base/spool.ts'
import type {SpoolSpace} from '../../base/spool-space.ts'
import type {CallerKey} from './caller-key.ts'

/** Bodies longer than this are spooled. In UTF-16 units or bytes. */
export const wholeLength = 65_536

const spooled = new WeakMap<Socket, Set<Duplex>>() // streams that wait to be sent on a connection

/** Sends a spool's bytes as the client reads. If the spool or the response fails, the other is destroyed. */
export function sendSpool({req: {socket}, res}: Context, {stream}: Spool): void {
  const streams = spooled.get(socket) ?? watch(socket)
  streams.add(stream)
  if (socket.destroyed) stream.destroy()
  pipeline(stream, res, () => streams.delete(stream))
}

function watch(socket: Socket): Set<Duplex> {
  const streams = new Set<Duplex>()
  spooled.set(socket, streams)
  socket.once('close', () => {
    for (const stream of streams) stream.destroy()
  })
  return streams
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

/** Moves long bodies that were made as a whole from memory to a spool. */
export function spoolBodies(spools: SpoolSpace, callerKey: CallerKey): Middleware {
  return async (context, next) => {
    await next()
    const {body} = context
    if (context.respond === false || context.method === 'HEAD') return
    if (!(typeof body === 'string' || Buffer.isBuffer(body)) || body.length <= wholeLength) return
    const bytes = Buffer.from(body)
    const spool = spools.open(callerKey(context), Number.POSITIVE_INFINITY) // it holds nothing but its own bytes
    context.body = '' // frees the body, which Koa would keep until the client has read it
    context.length = bytes.length
    context.respond = false
    sendSpool(context, spool)
    spool.stream.end(bytes)
  }
}
