/**
 * Starts, observes and stops one worker process, for the keeper.
 */
import cluster from 'node:cluster'
import {observe} from '../base/observation.ts'
import type {Assignment, KeeperCalls, WorkerCalls} from './channel.ts'
import {openChannel} from './channel.ts'
import type {WorkerCounts} from './counts.ts'
import {closeUnaccepted} from './handover.ts'
import type {WorkerMetrics} from './metrics.ts'
import {workerVariable} from './variable.ts'

/** The address on which a worker listens. */
export type Listening = Parameters<KeeperCalls['listening']>[0]

export type Ending = {
  readonly reason: string // a sentence
  readonly exitCode: number
  readonly servedMs: number // 0: it never listened
}

export type Launched = {
  readonly listening: Promise<Listening> // never settles if the worker ends first
  readonly ended: Promise<Ending>
  readonly signal: (name: NodeJS.Signals) => void
  /** Lets running requests finish. Kills the process after `limitMs`. */
  readonly stop: (limitMs: number) => void
  /** Aborts running requests. Kills the process after `limitMs`. */
  readonly hurry: (limitMs: number) => void
}

export type LaunchOptions = {
  readonly assign: () => Assignment
  readonly counts: WorkerCounts
  readonly metrics: WorkerMetrics
}

export function launch(number: number, {assign, counts, metrics}: LaunchOptions): Launched {
  const worker = cluster.fork({[workerVariable]: String(number)})
  closeUnaccepted(worker.process)
  const own = counts.join((id, limit) => void ignore(channel.call('refuseConnection', id, limit)))
  let began: number | undefined
  let refused: {readonly message: string; readonly exitCode: number} | undefined
  let listen: (service: Listening) => void
  const listening = new Promise<Listening>(resolve => {
    listen = resolve
  })
  const calls: KeeperCalls = {
    join: assign,
    listening(service) {
      began = performance.now()
      observe({kind: 'worker-started', worker: number, processId: worker.process.pid ?? 0})
      metrics.add(worker.id, () => channel.call('readMetrics'))
      listen(service)
    },
    refused(reason) {
      refused = reason
    },
    borrow: counts.lend,
    connections: own.count,
    metrics: metrics.read,
  }
  const channel = openChannel<WorkerCalls>(worker, calls)
  worker.on('error', error => observe({kind: 'failure', error})) // an error of the IPC channel
  const ended = new Promise<Ending>(resolve => {
    worker.once('exit', (code: number | null, signal: string | null) => {
      channel.close()
      own.leave()
      metrics.remove(worker.id)
      const how = signal === null || signal === '' ? `ended with code ${code}` : `was ended by ${signal}`
      const reason = refused?.message ?? `The process ${worker.process.pid} ${how}.`
      const servedMs = began === undefined ? 0 : Math.max(1, performance.now() - began)
      resolve({reason, exitCode: refused?.exitCode ?? 1, servedMs})
    })
  })
  const signal = (name: NodeJS.Signals) => void worker.process.kill(name)
  const killAfter = (limitMs: number) => {
    const timer = setTimeout(() => signal('SIGKILL'), limitMs)
    void ended.then(() => clearTimeout(timer))
  }
  return {
    listening,
    ended,
    signal,
    stop(limitMs) {
      killAfter(limitMs)
      ignore(channel.call('stop'))
    },
    hurry(limitMs) {
      killAfter(limitMs)
      ignore(channel.call('hurry'))
    },
  }
}

/** Ignores the failure of a call to a worker that may have ended. `ended` reports the end. */
function ignore(call: Promise<void>): void {
  call.catch(() => undefined)
}
