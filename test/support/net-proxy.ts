/** A TCP proxy whose connections can be cut, and that can delay cancel requests. */
import {once} from 'node:events'
import {type AddressInfo, connect, createServer, type Socket} from 'node:net'
import {Transform} from 'node:stream'
import {setTimeout as delay} from 'node:timers/promises'
import type {ExecutionContext} from 'ava'

export type NetProxy = {
  readonly port: number
  /** Connections go to this port or Unix socket from now on; undefined: they are closed at once. */
  readonly lead: (to: number | string | undefined) => void
  /** Destroys all connections, with any data in transit. */
  readonly cut: () => void
}

/** The code of PostgreSQL's message CancelRequest, which begins with its length (manual §55.7). */
const cancelCode = 80877102

/**
 * Starts a proxy on 127.0.0.1, which ends with the test.
 *
 * @param cancelDelayMs  how long cancel requests of PostgreSQL's protocol wait before they go on
 */
export async function startNetProxy(t: ExecutionContext, {cancelDelayMs = 0} = {}): Promise<NetProxy> {
  const sockets = new Set<Socket>()
  let target: number | string | undefined
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }
  const server = createServer(near => {
    keep(near)
    if (target === undefined) return void near.destroy()
    const far = typeof target === 'string' ? connect(target) : connect(target, '127.0.0.1')
    keep(far)
    near.pipe(delaysCancels(cancelDelayMs)).pipe(far).pipe(near)
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  t.teardown(() => {
    server.close()
    cut()
  })
  return {
    port: (server.address() as AddressInfo).port,
    lead(to) {
      target = to
    },
    cut,
  }
}

function delaysCancels(delayMs: number): Transform {
  return new Transform({
    async transform(chunk: Buffer, _encoding, done) {
      if (chunk.length === 16 && chunk.readUInt32BE(4) === cancelCode) await delay(delayMs)
      done(null, chunk)
    },
  })
}
