/**
 * The number of a worker process, starting at 1. The keeper assigns it.
 *
 * It is in the environment because the log needs it before the channel to the keeper works.
 */
import cluster from 'node:cluster'

export const workerVariable = 'QUADSTEAD_WORKER'

/** The number of this worker; undefined in other processes. */
export function workerNumber(): number | undefined {
  return cluster.isWorker ? Number(process.env[workerVariable]) : undefined
}
