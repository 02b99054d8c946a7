/**
 * Snapshots that stay open, on a reserved connection.
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

export type OpenSnapshot<Reserved> = {
  readonly connection: Reserved
  /** Rejects if BEGIN failed (or with ServerBehind): results of the connection must be withheld until it resolves. */
  readonly begun: Promise<unknown>
  /** Ends the transaction after the statements that were sent; it only read, so COMMIT does for a failed one, too. */
  readonly close: () => void
}

/** Opens a snapshot on a reserved connection. Its first statements travel with BEGIN. */
export async function openSnapshot<Reserved extends Connection>({
  reserve,
  leave,
  after,
}: SnapshotOptions<Reserved>): Promise<OpenSnapshot<Reserved>> {
  const connection = await reservedOr(leave, reserve)
  const seen = after === undefined ? undefined : askReplayed(connection, after)
  const begun = Promise.all([seen, connection.unsafe(beginText).execute()])
  begun.catch(() => undefined) // whoever runs a statement learns of it
  let isOpen = true
  return {
    connection,
    begun,
    close() {
      if (!isOpen) return
      isOpen = false
      const ended = connection.unsafe('commit').catch(() => undefined) // the snapshot is lost with its connection
      void ended.then(connection.release).then(leave)
    },
  }
}

async function reservedOr<Reserved>(leave: () => void, reserve: () => Promise<Reserved>): Promise<Reserved> {
  try {
    return await reserve()
  } catch (error) {
    leave()
    throw error
  }
}

async function askReplayed(connection: Connection, after: LogPosition): Promise<void> {
  requireReplayed(await connection.unsafe(replayText).execute(), after)
}

/** The error that the driver gives for a statement after `end`. It gives none for `reserve` after `end`. */
export function poolClosed(): Error {
  return Object.assign(new Error('The pool was closed'), {code: 'CONNECTION_ENDED'})
}
