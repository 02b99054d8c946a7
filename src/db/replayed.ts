/**
 * Whether a replica has replayed as far as a reader needs, asked before the reader's snapshot is taken.
 *
 * Floor 3. The order matters: a statement takes its snapshot before it calls any function, so a position that the
 * statement itself tells may be of a later moment than what it sees. Hence a statement of its own, sent together with
 * the one that reads, or with the BEGIN of a transaction whose snapshot lasts.
 */
import {type LogPosition, parseLogPosition, ServerBehind} from './reader.ts'

/** No position where the server replays nothing: one that was promoted goes its own way. */
export const replayText = `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position`

/** @throws ServerBehind */
export function requireReplayed(rows: readonly object[], after: LogPosition): void {
  const [row] = rows as readonly {readonly position: string | null}[]
  const replayed = parseLogPosition(row?.position ?? '') ?? 0n
  if (replayed < after) throw new ServerBehind(replayed)
}
