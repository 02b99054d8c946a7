/**
 * The reader of a request, and what its reads must see if several servers have the same data.
 *
 * Pure. `replicas.ts` uses it to choose a server. Source: PostgreSQL manual §8.20 (pg_lsn), §26.4 (hot standby).
 */

/** A position in the primary's write-ahead log. A server that has replayed it has everything committed before it. */
export type LogPosition = bigint

/** The reads of one request, which all go to the same server. */
export type Reader = {
  readonly after: LogPosition | undefined // the server must have replayed this position
  readonly place: number // readers with the same place use the same replica while it is available
  /** The server: undefined until the first read, and 'primary' from the first read that the primary had to answer. */
  server: string | undefined
}

export type ReadChoice<Result> = {
  /** Whether a replica's answer is acceptable; otherwise the primary is asked. */
  readonly isEnough?: (result: Result) => boolean
  /** Whether part of the answer was sent to the client, so that the work cannot be repeated on the primary. */
  readonly isTold?: () => boolean
}

/** The error if a replica has not replayed the required position. */
export class ServerBehind extends Error {
  readonly replayed: LogPosition

  constructor(replayed: LogPosition) {
    super(`replayed up to ${formatLogPosition(replayed)} only`)
    this.replayed = replayed
  }
}

/** A position that no replica ever reaches. */
export const nowhere: LogPosition = 2n ** 64n - 1n

/** Parses PostgreSQL's text of a position, such as `16/B374D848`; undefined if it is not one. */
export function parseLogPosition(text: string): LogPosition | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return high === undefined || low === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export function formatLogPosition(position: LogPosition): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase()
}
