/**
 * Derives the settings of one process from those of the service: divides the limits that each process enforces alone.
 *
 * Pure. It does not divide limits of client connections and requests, which the keeper counts (`counts.ts`).
 */
import type {Config} from '../settings/config.ts'

export type WorkerShare = {
  readonly number: number // from 1
  readonly of: number
}

/** The part of one process. The parts are integers whose sum is the total. */
export function partOf(total: number, {number, of}: WorkerShare): number {
  return Math.floor(total / of) + (number <= total % of ? 1 : 0)
}

/**
 * The settings of one process. Connections to PostgreSQL, places in their queue, and the bytes for bodies and waiting
 * answers add up to those of the service. The limit of a caller's concurrent queries is divided and rounded up.
 */
export function configOfShare(config: Config, share: WorkerShare): Config {
  const {database, callers, spool} = config
  const {connectionMax, queueMax} = database
  return {
    ...config,
    changeListeners: partOf(config.changeListeners, share),
    database: {...database, connectionMax: partOf(connectionMax, share), queueMax: partOf(queueMax, share)},
    callers: {
      ...callers,
      queriesAtOnce: Math.ceil(callers.queriesAtOnce / share.of),
      heldBodyBytes: partOf(callers.heldBodyBytes, share),
    },
    spool: {
      ...spool,
      callerBytes: partOf(spool.callerBytes, share),
      totalBytes: partOf(spool.totalBytes, share),
      memoryBytes: partOf(spool.memoryBytes, share),
    },
  }
}
