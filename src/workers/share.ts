/**
 * The settings of a service to those of one of its processes: limits that processes keep for themselves are divided.
 *
 * Pure. Limits of connections and requests are not divided: the processes count them together (`workers.ts`).
 */
import type {Config} from '../settings/config.ts'

export type Share = {
  readonly number: number // from 1
  readonly of: number
}

/** Whole parts that add up to the total. */
export function partOf(total: number, {number, of}: Share): number {
  return Math.floor(total / of) + (number <= total % of ? 1 : 0)
}

/**
 * The settings of one process. Connections to PostgreSQL, places in the queue before them, room for bodies and for
 * waiting answers add up to those of the service. Of a caller's queries at once each process takes a part, rounded up.
 */
export function shareOf(config: Config, share: Share): Config {
  const {database, callers, spool} = config
  const {connectionMax, queueMax} = database
  return {
    ...config,
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
