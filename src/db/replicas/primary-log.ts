/**
 * Tracks the position of the primary's write-ahead log over time, to measure the lag of replicas.
 *
 * Clocks of different machines are not compared. A replica that has replayed the position sampled at a moment lags by
 * at most the time since that moment.
 */

import type {Database} from '../connection/pool.ts'
import {createBatch} from '../store/batch.ts'
import {type LogPosition, parseLogPosition} from './reader.ts'

export type Lag = {readonly ms: number; readonly bytes: number} // upper bounds; Infinity: unknown

export type PrimaryLog = {
  /** A position after everything that was committed before the call. */
  readonly position: () => Promise<LogPosition>
  /** Records the current position. Rejects if the primary does not answer, and keeps the earlier samples. */
  readonly sample: () => Promise<void>
  readonly lagOf: (replayed: LogPosition) => Lag
  /** The system identifier of the cluster, which its replicas share; undefined until the primary has answered. */
  readonly cluster: () => string | undefined
}

/** SQL for the system identifier, which a cluster and its replicas have in common. */
export const clusterText = '(select system_identifier::text from pg_control_system())'

/**
 * SQL for the end of the last record. At the beginning of a page or segment the insert position is after the page
 * header, where no record ends; a replica that has replayed everything would seem to lag. Source: PostgreSQL, xlog.c,
 * XLogBytePosToRecPtr and XLogBytePosToEndRecPtr.
 */
const positionText = `
  select (l.at - case when o.file_offset = 40 then 40
                      when o.file_offset % current_setting('wal_block_size')::int = 24 then 24
                      else 0 end)::text as position, ${clusterText} as cluster
    from pg_current_wal_insert_lsn() as l (at), pg_walfile_name_offset(l.at) as o`

const together = {sizeMax: 10_000, flightMax: 1, waitMax: 100_000}

/** @param keptMs  how long samples are kept */
export function createPrimaryLog(primary: Pick<Database, 'query'>, keptMs: number): PrimaryLog {
  let samples: readonly {readonly atMs: number; readonly position: LogPosition}[] = []
  let cluster: string | undefined
  const ask = createBatch<null, LogPosition>(together, async questions => {
    const [row] = await primary.query<{position: string; cluster: string}>(positionText)
    const position = parseLogPosition(row?.position ?? '')
    cluster = row?.cluster
    if (position === undefined) throw new Error('the primary did not tell where its log is')
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
  }
}
