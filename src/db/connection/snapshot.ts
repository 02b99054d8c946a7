/**
 * Reads from a snapshot on a reserved connection. It saves one round trip over the driver's transactions.
 *
 * BEGIN is sent together with the first statements, and COMMIT is not awaited; the driver's own `begin` spends a round
 * trip on each. The replay position of a replica is requested before BEGIN, in the same message.
 */
import type {LogPosition} from '../replicas/reader.ts'
import {replayText, requireReplayed} from '../replicas/replayed.ts'

const beginText = 'begin isolation level repeatable read read only'

/** The part of the driver's connection that is used here. */
type Connection = {
  readonly unsafe: (text: string) => PromiseLike<readonly object[]> & {
    readonly execute: () => PromiseLike<readonly object[]>
    readonly catch: (handle: () => undefined) => Promise<unknown>
  }
  readonly release: () => void
}

export type SnapshotOptions<Reserved> = {
  readonly reserve: () => Promise<Reserved>
  readonly leave: () => void // called when the connection is free again
  readonly after: LogPosition | undefined
}

/**
 * Runs work in a snapshot.
 *
 * @param work  must withhold the results of the connection until `seen` resolves, if `seen` is given
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
 * Runs statements in a snapshot. Everything from BEGIN to COMMIT is one message, for one round trip.
 *
 * @param ask  sends the statements; settles when all of them have ended
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

/** The error that the driver gives for a statement after `end`. It gives none for `reserve` after `end`. */
export function poolClosed(): Error {
  return Object.assign(new Error('The pool was closed'), {code: 'CONNECTION_ENDED'})
}
