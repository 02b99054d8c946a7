/**
 * Tracks the position of the primary's write-ahead log over time, to measure the lag of replicas.
 *
 * Clocks of different machines are not compared. A replica that has replayed the position sampled at a moment lags by
 * at most the time since that moment.
 */

import type {Database} from '../connection/pool.ts'
import {createBatch} from '../store/batch.ts'
import {inStay, type LogPosition, nowhere, parseLogPosition, placeInLog, stayOf} from './reader.ts'

export type Lag = {readonly ms: number; readonly bytes: number} // upper bounds; Infinity: unknown

export type PrimaryLog = {
  /** A position after everything that was committed before the call. */
  readonly position: () => Promise<LogPosition>
  /** Records the current position. Rejects if the primary does not answer, and keeps the earlier samples. */
  readonly sample: () => Promise<void>
  readonly lagOf: (replayed: LogPosition) => Lag
  /** The system identifier of the cluster, which its replicas share; undefined until the primary has answered. */
  readonly cluster: () => string | undefined
  /** A position in the log of a replica as one of the dataset: it has replayed `place` in the current stay. */
  readonly ofReplica: (place: LogPosition) => LogPosition
  /**
   * What a replica must have replayed for a reader that needs `after`: at least the beginning of the stay, because it
   * may still have the dataset of an earlier stay. undefined: `after` is of a later stay, which is on another node.
   */
  readonly onReplica: (after: LogPosition | undefined) => {readonly after: LogPosition | undefined} | undefined
}

/** SQL for the system identifier, which a cluster and its replicas have in common. */
export const clusterText = '(select system_identifier::text from pg_control_system())'

/**
 * SQL for the end of the last record. At the beginning of a page or segment the insert position is after the page
 * header, where no record ends; a replica that has replayed everything would seem to lag. Source: PostgreSQL, xlog.c,
 * XLogBytePosToRecPtr and XLogBytePosToEndRecPtr.
 */
const positionText = (stayText: string) => `
  select (l.at - case when o.file_offset = 40 then 40
                      when o.file_offset % current_setting('wal_block_size')::int = 24 then 24
                      else 0 end)::text as position, ${clusterText} as cluster, (${stayText})::text as stay
    from pg_current_wal_insert_lsn() as l (at), pg_walfile_name_offset(l.at) as o`

const together = {sizeMax: 10_000, flightMax: 1, waitMax: 100_000}

/**
 * @param keptMs    how long samples are kept
 * @param stayText  SQL for the number of the dataset's stay on its node, if it moves between nodes
 */
export function createPrimaryLog(primary: Pick<Database, 'query'>, keptMs: number, stayText = '0'): PrimaryLog {
  let samples: readonly {readonly atMs: number; readonly position: LogPosition}[] = []
  let cluster: string | undefined
  let begun = inStay(0n, 0n) // the first known position of the current stay
  const text = positionText(stayText)
  const ask = createBatch<null, LogPosition>(together, async questions => {
    const [row] = await primary.query<{position: string; cluster: string; stay: string}>(text)
    const place = parseLogPosition(row?.position ?? '')
    if (row === undefined || place === undefined) throw new Error('the primary did not tell where its log is')
    const position = inStay(BigInt(row.stay), place)
    if (stayOf(position) < stayOf(begun)) throw new Error('the dataset has moved to another node')
    if (stayOf(position) > stayOf(begun)) begun = position
    cluster = row.cluster
    return questions.map(() => position)
  })
  return {
    position: () => ask(null),
    async sample() {
      const atMs = performance.now()
      const position = await ask(null)
      samples = [...samples.filter(sample => sample.atMs > atMs - keptMs), {atMs, position}]
    },
    lagOf(replayed) {
      const last = samples.at(-1)
      if (last === undefined) return {ms: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY}
      const seen = samples.findLast(({position}) => position <= replayed)
      const bytes = Number(last.position > replayed ? last.position - replayed : 0n)
      return {ms: seen === undefined ? Number.POSITIVE_INFINITY : last.atMs - seen.atMs, bytes}
    },
    cluster: () => cluster,
    ofReplica: place => inStay(stayOf(begun), place),
    onReplica(after) {
      const isElsewhere = after !== undefined && after !== nowhere && stayOf(after) > stayOf(begun)
      if (isElsewhere) return undefined
      const first = stayOf(begun) === 0n ? undefined : begun
      const latest = after === undefined || (first !== undefined && after < first) ? first : after
      return {after: latest === undefined ? undefined : placeInLog(latest)}
    },
  }
}
