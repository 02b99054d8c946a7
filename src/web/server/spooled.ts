/**
 * Answers that wait for their readers in a spool, so that nothing else waits for a slow client.
 *
 * A response that waits behind another one on its connection does not hear of the connection's end, so here
 * the connection is asked.
 */
import type {Socket} from 'node:net'
import {type Duplex, pipeline} from 'node:stream'
import type {Context, Middleware} from 'koa'
import type {Spool} from '../../base/spool.ts'
import type {SpoolSpace} from '../../base/spool-space.ts'
import type {CallerKey} from './caller-key.ts'

/** Longer bodies are spooled; shorter ones are sent as a whole. UTF-16 units or bytes. */
export const wholeLength = 65_536

const spooled = new WeakMap<Socket, Set<Duplex>>() // what waits to be sent on a connection

/** Sends what is written to a spool, as the client reads. Either goes when the other does. */
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

/** Aborted when the client goes before the end of its answer. */
export function goneSignal({req: {socket}, res}: Context): AbortSignal {
  const gone = new AbortController()
  res.once('close', () => res.writableFinished || gone.abort())
  if (socket.destroyed) gone.abort()
  return gone.signal
}

/** Has long bodies that were made as a whole wait in a spool, and not in memory. */
export function spoolBodies(spools: SpoolSpace, callerKey: CallerKey): Middleware {
  return async (context, next) => {
    await next()
    const {body} = context
    if (context.respond === false || context.method === 'HEAD') return
    if (!(typeof body === 'string' || Buffer.isBuffer(body)) || body.length <= wholeLength) return
    const bytes = Buffer.from(body)
    const spool = spools.open(callerKey(context), Number.POSITIVE_INFINITY) // nothing is held but its own bytes
    context.body = '' // or Koa would hold it as long as the client reads
    context.length = bytes.length
    context.respond = false
    sendSpool(context, spool)
    spool.stream.end(bytes)
  }
}
