/**
 * Remote procedure calls between the keeper of a service and its worker processes, over Node's IPC channel.
 *
 * Each side has named functions that the other side calls. Arguments and results are copied by structured clone. A call
 * fails if its function throws, or if the other process ends before it answers.
 */

import type {ConnectionLimit} from '../base/connection-count.ts'
import type {Borrow} from '../base/lent-quota.ts'
import type {DatabaseAddress} from '../db/connection/address.ts'
import type {Iri} from '../rdf/term.ts'
import type {MetricValues} from '../telemetry/metrics.ts'
import type {NamedQuota} from './member.ts'

/** The data that a worker needs to start. */
export type Assignment = {
  readonly port: number | undefined // undefined: the first worker chooses one
  readonly address: DatabaseAddress | undefined // of the embedded server; undefined: use DATABASE_URL
}

/** A client connection that a worker has accepted. */
export type OpenedConnection = {readonly id: number; readonly place: string | undefined}

/** The functions of the keeper that workers call. */
export type KeeperCalls = {
  readonly join: () => Assignment
  readonly listening: (service: {readonly url: string; readonly port: number; readonly base: Iri}) => void
  /** Reports that the worker cannot start. It then exits. */
  readonly refused: (reason: {readonly message: string; readonly exitCode: number}) => void
  readonly borrow: (limits: NamedQuota, requests: Parameters<Borrow>[0]) => Awaited<ReturnType<Borrow>>
  readonly connections: (opened: readonly OpenedConnection[], closed: readonly number[]) => void
  /** Returns the metrics of all processes as text. */
  readonly metrics: () => Promise<string>
}

/** The functions of a worker that the keeper calls. */
export type WorkerCalls = {
  /** Stops the worker after its running requests have finished. */
  readonly stop: () => void
  /** Aborts the requests that still run. */
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
  /** Rejects all pending calls, because the other process has ended. */
  readonly close: () => void
}

/** An end of the channel: in the keeper a worker of node:cluster, in a worker the process itself. */
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
