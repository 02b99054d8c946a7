/**
 * How far the primary's write-ahead log has come: now, and some time ago, by which a replica's lag is told.
 *
 * No clock is compared with another machine's: a replica that has replayed what the log had at a moment is
 * behind by no more than what passed since.
 */

import type {Database} from '../connection/pool.ts'
import {createBatch} from '../store/batch.ts'
import {type LogPosition, parseLogPosition} from './reader.ts'

export type Lag = {readonly ms: number; readonly bytes: number} // at most; Infinity: not known

export type PrimaryLog = {
  /** A position behind all that was committed before the call. */
  readonly position: () => Promise<LogPosition>
  /** Remembers where the log is; what was remembered stays when the primary does not answer. */
  readonly sample: () => Promise<void>
  readonly lagOf: (replayed: LogPosition) => Lag
  /** Which cluster it is, and so each of its replicas; undefined until it told. */
  readonly cluster: () => string | undefined
}

/** The number that a cluster and its copies have in common. */
export const clusterText = '(select system_identifier::text from pg_control_system())'

/**
 * The end of the last record. At the beginning of a page (or segment) the insert position is behind the page's header,
 * where no record ends, and a replica that replayed everything would seem to lack something.
 * Source: PostgreSQL, xlog.c, XLogBytePosToRecPtr and XLogBytePosToEndRecPtr.
 */
const positionText = `
  select (l.at - case when o.file_offset = 40 then 40
                      when o.file_offset % current_setting('wal_block_size')::int = 24 then 24
                      else 0 end)::text as position, ${clusterText} as cluster
    from pg_current_wal_insert_lsn() as l (at), pg_walfile_name_offset(l.at) as o`

const together = {sizeMax: 10_000, flightMax: 1, waitMax: 100_000}

/** @param keptMs  how long samples are remembered */
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
