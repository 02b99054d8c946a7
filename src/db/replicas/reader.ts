/**
 * The reader of a request, and what its reads must see if several servers have the same data.
 *
 * Pure. `replicas.ts` uses it to choose a server. Source: PostgreSQL manual §8.20 (pg_lsn), §26.4 (hot standby).
 */

/**
 * A position in the primary's write-ahead log. A server that has replayed it has everything committed before it.
 *
 * The bits from the 65th on are the number of the stay of a dataset on a node of a Citus cluster, and 0 otherwise.
 * Later stays have greater numbers, so positions increase although each node has a log of its own.
 */
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
  readonly isSent?: () => boolean
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
export const nowhere: LogPosition = 2n ** 128n - 1n

/** Parses a position, such as PostgreSQL's `16/B374D848`, or `2.16/B374D848` of stay 2; undefined if it is not one. */
export function parseLogPosition(text: string): LogPosition | undefined {
  const [, stay = '0', high, low] = /^(?:([0-9A-F]{1,12})\.)?([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (high === undefined || low === undefined) return undefined
  return inStay(BigInt(`0x${stay}`), (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`))
}

export function formatLogPosition(position: LogPosition): string {
  const [stay, place] = [stayOf(position), placeInLog(position)]
  const prefix = stay === 0n ? '' : `${stay.toString(16)}.`
  return `${prefix}${(place >> 32n).toString(16)}/${(place & 0xffff_ffffn).toString(16)}`.toUpperCase()
}

export function inStay(stay: bigint, place: LogPosition): LogPosition {
  return (stay << 64n) | place
}

export function stayOf(position: LogPosition): bigint {
  return position >> 64n
}

/** The position in the log of its node. */
export function placeInLog(position: LogPosition): LogPosition {
  return position & (2n ** 64n - 1n)
}
