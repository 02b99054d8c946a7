/**
 * Calls between the keeper of a service and its worker processes, over the channel that Node opens to a child.
 *
 * Each side has functions by name and calls those of the other side. What they take and return crosses by
 * structured clone. A call fails when its function throws, and when the other process ends before it answers.
 */

import type {ConnectionLimit} from '../base/connection-count.ts'
import type {Borrow} from '../base/lent-quota.ts'
import type {DatabaseAddress} from '../db/connection/address.ts'
import type {Iri} from '../rdf/term.ts'
import type {MetricValues} from '../telemetry/metrics.ts'
import type {QuotaName} from '../web/server/request-quota.ts'

/** What a worker needs to begin. */
export type Assignment = {
  readonly port: number | undefined // undefined: the first worker chooses it
  readonly address: DatabaseAddress | undefined // of the embedded server; undefined: that of DATABASE_URL
}

/** A connection of a worker. */
export type OpenedConnection = {readonly id: number; readonly place: string | undefined}

/** What a worker asks of the keeper. */
export type KeeperCalls = {
  readonly join: () => Assignment
  readonly listening: (service: {readonly url: string; readonly port: number; readonly base: Iri}) => void
  /** The worker cannot start, and ends. */
  readonly refused: (reason: {readonly message: string; readonly exitCode: number}) => void
  readonly borrow: (name: QuotaName, requests: Parameters<Borrow>[0]) => Awaited<ReturnType<Borrow>>
  readonly connections: (opened: readonly OpenedConnection[], closed: readonly number[]) => void
  /** The metrics of all processes as text. */
  readonly metrics: () => Promise<string>
}

/** What the keeper asks of a worker. */
export type WorkerCalls = {
  /** Ends in order; what runs may finish. */
  readonly stop: () => void
  /** Cuts off what still runs. */
  readonly hurry: () => void
  readonly refuseConnection: (id: number, limit: ConnectionLimit) => void
  readonly readMetrics: () => Promise<MetricValues>
}

type Calls = Readonly<Record<string, (...input: never) => unknown>>

export type Channel<Others extends Calls> = {
  readonly call: <Name extends keyof Others & string>(
    name: Name,
    ...input: Parameters<Others[Name]>
  ) => Promise<Awaited<ReturnType<Others[Name]>>>
  /** Fails all calls that wait: the other process has ended. */
  readonly close: () => void
}

/** The process at the other end: a worker of node:cluster, or this process for the keeper of a worker. */
export type Peer = {
  readonly send?: (message: Message) => unknown
  readonly isConnected: () => boolean
  readonly on: (event: 'message', listener: (message: Message) => void) => unknown
}

type Message =
  | {readonly call: string; readonly id: number; readonly input: readonly unknown[]}
  | {readonly answer: number; readonly output: unknown}
  | {readonly answer: number; readonly error: string}

type Pending = {readonly resolve: (output: never) => void; readonly reject: (error: Error) => void}

export function openChannel<Others extends Calls>(peer: Peer, own: Calls): Channel<Others> {
  const pending = new Map<number, Pending>()
  let [next, isClosed] = [0, false]

  function send(message: Message): void {
    if (!isClosed && peer.isConnected()) peer.send?.(message)
  }

  async function answer(id: number, name: string, input: readonly unknown[]): Promise<void> {
    try {
      send({answer: id, output: await own[name]?.(...(input as never))})
    } catch (error) {
      send({answer: id, error: error instanceof Error ? error.message : String(error)})
    }
  }

  peer.on('message', message => {
    if ('call' in message) return void answer(message.id, message.call, message.input)
    const call = pending.get(message.answer)
    pending.delete(message.answer)
    if ('error' in message) call?.reject(new Error(message.error))
    else call?.resolve(message.output as never)
  })

  return {
    call(name, ...input) {
      return new Promise((resolve, reject) => {
        if (isClosed || !peer.isConnected()) return reject(new Error('the other process has ended'))
        next += 1
        pending.set(next, {resolve, reject})
        send({call: name, id: next, input})
      })
    },
    close() {
      isClosed = true
      for (const {reject} of pending.values()) reject(new Error('the other process has ended'))
      pending.clear()
    },
  }
}
