/**
 * Whether a replica has replayed as far as a reader needs, asked before the reader's snapshot is taken.
 *
 * The order matters: a statement takes its snapshot before it calls any function, so a position that the
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

/**
 * What was read, if it may count; both are over by then, so that their connection is free.
 *
 * @param question  answered by `replayText`, before the reading began
 * @throws          ServerBehind, and what either throws
 */
export async function readAfter<Rows>(
  question: PromiseLike<readonly object[]>,
  reading: Promise<Rows>,
  after: LogPosition,
): Promise<Rows> {
  const [position, rows] = await Promise.allSettled([question, reading])
  if (position.status === 'rejected') throw position.reason
  requireReplayed(position.value, after)
  if (rows.status === 'rejected') throw rows.reason
  return rows.value
}
