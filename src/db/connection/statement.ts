/**
 * Sends one statement with the driver, and waits for its rows.
 */
import type postgres from 'postgres'
import {timed} from '../../base/stages.ts'
import {cancelWhen} from './cancel.ts'
import type {PoolOptions} from './driver-options.ts'
import type {QueryOptions} from './pool.ts'
import {encodeValue, type SqlValue} from './value.ts'

/** In a read-only transaction, a write that PostgreSQL refuses is our own bug. */
export type StatementLimits = PoolOptions & {readonly isReading?: boolean}

export type AskedStatement = readonly [text: string, values: readonly SqlValue[], how: QueryOptions]

/** The options `patient` and `byte_limit` are added by patches/. */
export function driverHow({prepare}: StatementLimits, {once = false, isPatient, limitBytes}: QueryOptions): object {
  return {prepare: prepare && !once, simple: false, patient: isPatient, byte_limit: limitBytes}
}

/** Sends a statement. Behind a pooler the time limit is enforced here. */
export function sendStatement(sql: postgres.ISql, options: StatementLimits, ...[text, values, how]: AskedStatement) {
  const afterMs = options.isPooled ? options.statementTimeoutMs : 0
  const pending = sql.unsafe(text, values.map(encodeValue), driverHow(options, how))
  return {pending, settle: cancelWhen(pending, {signal: how.signal, afterMs})}
}

export async function runStatement(
  sql: postgres.ISql,
  options: StatementLimits,
  ...asked: AskedStatement
): Promise<readonly object[]> {
  const {pending, settle} = sendStatement(sql, options, ...asked)
  try {
    const rows = timed('sql', () => pending.then(found => found as unknown as readonly object[]), asked[0])
    return Array.from(await rows) // a plain array instead of the driver's subclass
  } finally {
    await settle()
  }
}
