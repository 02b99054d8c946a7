/**
 * A proxy between the service and PostgreSQL that can fail like a network.
 *
 * The service connects to a port of 127.0.0.1. The proxy connects to the Unix socket of the server.
 */
import {type AddressInfo, connect, createServer, type Socket} from 'node:net'

/**
 * flowing  bytes pass in both directions, after `delayMs`
 * mute     statements pass, but not their results: they are executed, and the service does not know
 * stalled  nothing passes, not even the end of a connection; new connections get no response
 * closed   new connections are refused
 */
export type Weather =
  | {readonly kind: 'flowing'; readonly delayMs?: number}
  | {readonly kind: 'mute' | 'stalled' | 'closed'}

export type DatabaseProxy = {
  readonly port: number
  readonly become: (weather: Weather) => void
  /** Destroys all connections at once, with any data in transit. */
  readonly cut: () => void
  readonly close: () => Promise<void>
}

type Link = {readonly near: Socket; readonly far: Socket; readonly flow: () => void}

/** @param socketPath  socket of the server; called for each connection, because it may move */
export async function startProxy(socketPath: () => string): Promise<DatabaseProxy> {
  const links = new Set<Link>()
  let weather: Weather = {kind: 'flowing'}

  const server = createServer(near => {
    if (weather.kind === 'closed') {
      near.resetAndDestroy()
      return
    }
    const far = connect(socketPath())
    const there = pass(near, far, () => weather.kind !== 'stalled')
    const back = pass(far, near, () => weather.kind === 'flowing')
    const link = {
      near,
      far,
      flow() {
        there()
        back()
      },
    }
    links.add(link)
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const)
      end
        .on('error', () => undefined)
        .once('close', () => {
          links.delete(link)
          other.destroy()
        })
  })

  /** Passes bytes on in order, delayed or when the mode allows. Returns a function that tries again. */
  function pass(from: Socket, to: Socket, mayPass: () => boolean): () => void {
    const held: Buffer[] = []
    const flow = () => {
      if (!mayPass()) return
      for (const bytes of held.splice(0)) if (!to.destroyed) to.write(bytes)
    }
    from.on('data', bytes => {
      held.push(bytes)
      const delayMs = weather.kind === 'flowing' ? (weather.delayMs ?? 0) : 0
      if (delayMs === 0) flow()
      else setTimeout(flow, delayMs)
    })
    return flow
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    become(next) {
      weather = next
      for (const {flow} of links) flow()
    },
    cut() {
      for (const {near, far} of links) {
        near.resetAndDestroy()
        far.destroy()
      }
    },
    close() {
      for (const {near, far} of links) {
        near.destroy()
        far.destroy()
      }
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
