/** A TCP proxy whose connections can be cut. */
import {once} from 'node:events'
import {type AddressInfo, connect, createServer, type Socket} from 'node:net'
import type {ExecutionContext} from 'ava'

export type NetProxy = {
  readonly port: number
  /** Connections go to this port from now on; undefined: they are closed at once. */
  readonly lead: (port: number | undefined) => void
  /** Destroys all connections, with any data in transit. */
  readonly cut: () => void
}

/** Starts a proxy on 127.0.0.1, which ends with the test. */
export async function startNetProxy(t: ExecutionContext): Promise<NetProxy> {
  const sockets = new Set<Socket>()
  let target: number | undefined
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }
  const server = createServer(near => {
    keep(near)
    if (target === undefined) return void near.destroy()
    const far = connect(target, '127.0.0.1')
    keep(far)
    near.pipe(far).pipe(near)
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
    lead(port) {
      target = port
    },
    cut,
  }
}
