/**
 * Checks whether a replica has replayed the position that a reader needs, before the reader's snapshot is taken.
 *
 * The order matters: a statement takes its snapshot before it calls any function, so a position read in the same
 * statement may be later than the snapshot. The position is therefore read by a separate statement, sent together with
 * the reading statement or with the BEGIN of a transaction that keeps its snapshot.
 */
import {type LogPosition, parseLogPosition, ServerBehind} from './reader.ts'

/** SQL for the replay position. It is null on a server that is not in recovery, such as a promoted replica. */
export const replayText = `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position`

/** @throws  ServerBehind: the replica has not replayed the position */
export function requireReplayed(rows: readonly object[], after: LogPosition): void {
  const [row] = rows as readonly {readonly position: string | null}[]
  const replayed = parseLogPosition(row?.position ?? '') ?? 0n
  if (replayed < after) throw new ServerBehind(replayed)
}

/**
 * Returns what was read if the replica had replayed the position. Waits for both statements, so that the connection is
 * free afterwards.
 *
 * @param question  the result of `replayText`, which ran before the reading
 * @throws          ServerBehind, and the errors of both statements
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
