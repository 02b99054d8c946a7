/**
 * Retries work after collisions and lost connections, and runs several reads in one snapshot.
 *
 * A single function call does not need a transaction: one statement is one transaction.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from '../../base/observation.ts'
import {Problem} from '../../base/problem.ts'
import type {Database, Transaction} from './pool.ts'
import {databaseCodeOf, isCollision, isConnectionLost, isSilence} from './problem-of.ts'
import type {QueryOptions} from './statement.ts'

const collisionRetries = 3

/** Whether the work only reads. A read is retried after a lost connection; a write may have been done already. */
export type WorkKind = 'read' | 'write'

/**
 * Runs work, and runs it again after a collision (three times at most). Work that only reads is also retried once after
 * a lost connection, but not after a timeout, because the next attempt would take as long. All work is retried once if
 * the dataset was moving to another node of a cluster, which refuses a transaction before its end.
 *
 * @param work  starts from its beginning each time: it must keep nothing of a failed attempt
 * @throws      the error of the last attempt; after collisions Problem 503 `busy`
 */
export async function retry<Result>(kind: WorkKind, work: () => Promise<Result>): Promise<Result> {
  let losses = 0
  let moves = 0
  for (let collisions = 0; ; ) {
    try {
      return await work()
    } catch (error) {
      const code = databaseCodeOf(error)
      if (code === undefined) throw error
      if (isCollision(code) && collisions < collisionRetries) collisions += 1
      else if (kind === 'read' && isConnectionLost(code) && !isSilence(code) && losses === 0) losses += 1
      else if (isMoving(error) && moves === 0) moves += 1
      else throw error
      observe({kind: 'transaction-repeated', code, attempt: collisions + losses + moves})
      await delay(jitterMs(collisions))
    }
  }
}

function isMoving(error: unknown): boolean {
  return error instanceof Problem && error.rule === 'dataset-moving'
}

/** Full jitter, so that two colliding transactions do not collide again: 0 to 10, 20, 40 ms. */
function jitterMs(collisions: number): number {
  return Math.random() * 5 * 2 ** collisions
}

/** A transaction that has ended: every call throws. */
export function endedTransaction(): Transaction {
  const refuse = (): never => {
    throw new Error('the transaction is over')
  }
  return {query: refuse, cursor: refuse, script: refuse, copyIn: refuse, copyOut: refuse}
}

/** Runs several statements in one read-only snapshot. */
export function readOnly<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
  options?: Pick<QueryOptions, 'after' | 'share'>,
): Promise<Result> {
  return database.begin('repeatable read read only', work, options)
}
