/**
 * Who reads, and what must be seen: what a read says where several servers hold the same data.
 *
 * Pure. `replicas.ts` chooses by it; a pool of one server has nothing to choose.
 * Source: PostgreSQL manual §8.20 (pg_lsn), §26.4 (hot standby).
 */

/** A place in the primary's write-ahead log: all that was committed before it has been replayed by who got there. */
export type LogPosition = bigint

/** One who reads, for as long as a request lasts: all its reads go to one server. */
export type Reader = {
  readonly after: LogPosition | undefined // the server must have replayed so far
  readonly place: number // readers of one place are sent to one replica while it is well
  /** Which server it is: undefined until the first read, and 'primary' for good once a replica did not do. */
  server: string | undefined
}

export type ReadChoice<Result> = {
  /** Whether a replica's answer will do; otherwise the primary is asked. */
  readonly isEnough?: (result: Result) => boolean
  /** Whether the client has been told something already, so that the work cannot be done again elsewhere. */
  readonly isTold?: () => boolean
}

/** A replica has not replayed as far as it must have. */
export class ServerBehind extends Error {
  readonly replayed: LogPosition

  constructor(replayed: LogPosition) {
    super(`replayed up to ${formatLogPosition(replayed)} only`)
    this.replayed = replayed
  }
}

/** No replica ever comes so far. */
export const nowhere: LogPosition = 2n ** 64n - 1n

/** Reads PostgreSQL's text of a position, as `16/B374D848`; undefined when it is none. */
export function parseLogPosition(text: string): LogPosition | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return high === undefined || low === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export function formatLogPosition(position: LogPosition): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase()
}
