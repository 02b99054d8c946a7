/**
 * Work that is done again when the server undid it, and reads of several statements that see one state.
 *
 * A single function call needs neither: one statement is one transaction.
 * Source: decisions ("serialization/deadlock inside: up to 3 times with jitter, then 503 + Retry-After: 0").
 */
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from '../../base/observation.ts'
import type {Database, QueryOptions, Transaction} from './pool.ts'
import {databaseCodeOf, isCollision, isConnectionLost, isSilence} from './problem-of.ts'

const collisionRetries = 3

/** Whether the work changes anything: a read may be sent again after a lost connection, a write may have been done. */
export type WorkKind = 'read' | 'write'

/**
 * Runs work again after a collision (three times at most) and, if it only reads, once after a lost connection; not
 * after one on which nothing was heard for long: the next would be no better.
 *
 * @param work  from its beginning each time: it must keep nothing of a failed try
 * @throws      what the last try threw; after collisions that is Problem 503 `busy`
 */
export async function retry<Result>(kind: WorkKind, work: () => Promise<Result>): Promise<Result> {
  let losses = 0
  for (let collisions = 0; ; ) {
    try {
      return await work()
    } catch (error) {
      const code = databaseCodeOf(error)
      if (code === undefined) throw error
      if (isCollision(code) && collisions < collisionRetries) collisions += 1
      else if (kind === 'read' && isConnectionLost(code) && !isSilence(code) && losses === 0) losses += 1
      else throw error
      observe({kind: 'transaction-repeated', code, attempt: collisions + losses})
      await delay(jitterMs(collisions))
    }
  }
}

/** Full jitter, so that two that met do not meet again: 0 to 10, 20, 40 ms. */
function jitterMs(collisions: number): number {
  return Math.random() * 5 * 2 ** collisions
}

/** A transaction that is over: all that was to be asked has been. */
export function endedTransaction(): Transaction {
  const refuse = (): never => {
    throw new Error('the transaction is over')
  }
  return {query: refuse, cursor: refuse, script: refuse, copyIn: refuse, copyOut: refuse}
}

/** Several statements on one snapshot; nothing can be written. */
export function readOnly<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
  options?: Pick<QueryOptions, 'after' | 'share'>,
): Promise<Result> {
  return database.begin('repeatable read read only', work, options)
}
