/**
 * A snapshot to read from, on a connection of its own, for one round trip less than the driver's transactions cost.
 *
 * Its BEGIN goes out together with the first statements, and nobody waits for its end; the driver's own
 * `begin` has both of them cost a round trip. What must have been replayed is asked before the BEGIN, in the same
 * message.
 */
import type {LogPosition} from '../replicas/reader.ts'
import {replayText, requireReplayed} from '../replicas/replayed.ts'

const beginText = 'begin isolation level repeatable read read only'

/** What is needed of a connection of the driver's. */
type Connection = {
  readonly unsafe: (text: string) => PromiseLike<readonly object[]> & {
    readonly execute: () => PromiseLike<readonly object[]>
    readonly catch: (handle: () => undefined) => Promise<unknown>
  }
  readonly release: () => void
}

export type SnapshotOptions<Reserved> = {
  readonly reserve: () => Promise<Reserved>
  readonly leave: () => void // is called when the connection is free again
  readonly after: LogPosition | undefined
}

/**
 * Does work in a snapshot.
 *
 * @param work  gives out no answer of the connection's before `seen` is settled well, where it is given
 * @throws      ServerBehind, and what the work throws
 */
export async function readSnapshot<Reserved extends Connection, Result>(
  {reserve, leave, after}: SnapshotOptions<Reserved>,
  work: (connection: Reserved, seen: Promise<void> | undefined) => Promise<Result>,
): Promise<Result> {
  let end = (_text: 'commit' | 'rollback') => leave()
  try {
    const connection = await reserve()
    end = text => {
      const ended = connection.unsafe(text).catch(() => undefined) // the connection is lost, and the snapshot with it
      void ended.then(connection.release).then(leave)
    }
    const seen = after === undefined ? undefined : askReplayed(connection, after)
    const begun = connection.unsafe(beginText).execute()
    const [result] = await Promise.all([work(connection, seen), begun, seen])
    end('commit')
    return result
  } catch (error) {
    end('rollback')
    throw error
  }
}

/**
 * Has statements answered in a snapshot: all of it, from BEGIN to COMMIT, is one message, for one round trip.
 *
 * @param ask  sends the statements; settles when nothing of them is under way any more
 * @throws     ServerBehind, and what the statements throw
 */
export async function askSnapshot<Reserved extends Connection, Result>(
  {reserve, leave, after}: SnapshotOptions<Reserved>,
  ask: (connection: Reserved) => Promise<Result>,
): Promise<Result> {
  const connection = await reserve().catch((error: unknown) => {
    leave()
    throw error
  })
  const seen = after === undefined ? undefined : askReplayed(connection, after)
  const begun = connection.unsafe(beginText).execute()
  const answer = ask(connection)
  const ended = connection.unsafe('commit').execute()
  void Promise.allSettled([seen, begun, answer, ended]).then(() => {
    connection.release()
    leave()
  })
  const [result] = await Promise.all([answer, seen, begun])
  return result
}

async function askReplayed(connection: Connection, after: LogPosition): Promise<void> {
  requireReplayed(await connection.unsafe(replayText).execute(), after)
}

/** What the driver says of a statement that comes too late; of a connection asked for too late it says nothing. */
export function poolClosed(): Error {
  return Object.assign(new Error('The pool was closed'), {code: 'CONNECTION_ENDED'})
}
