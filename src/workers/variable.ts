/**
 * The number of a worker process, from 1, as the keeper gives it to the process.
 *
 * In the environment, because the log needs it before anything else begins.
 */
import cluster from 'node:cluster'

export const workerVariable = 'QUADSTEAD_WORKER'

/** The number of this worker; undefined in a process that is none. */
export function workerNumber(): number | undefined {
  return cluster.isWorker ? Number(process.env[workerVariable]) : undefined
}
