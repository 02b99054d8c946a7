/**
 * Sends one statement with the driver, and waits for its rows.
 */
import type postgres from 'postgres'
import {timed} from '../../base/stages.ts'
import type {Stopwatch} from '../../base/stopwatch.ts'
import type {LogPosition} from '../replicas/reader.ts'
import {cancelWhen} from './cancel.ts'
import type {PoolOptions} from './driver-options.ts'
import type {GateShare} from './gate.ts'
import {encodeValue, type SqlValue} from './value.ts'

/** The text of a statement and the values of its parameters. */
export type BoundStatement = readonly [text: string, values: readonly SqlValue[]]

export type QueryOptions = {
  readonly once?: boolean // the text is rarely repeated: do not keep it prepared on the connection
  readonly limitBytes?: number | undefined // of all rows together; beyond it Problem 422 `result-size`
  readonly isPatient?: boolean // ignores `answerWithinMs`
  /** Cancels the statement on the server: Problem 503 `query-timeout`; 499 `client-gone` if it was not sent yet. */
  readonly signal?: AbortSignal | undefined
  readonly after?: LogPosition | undefined // pool only: throws ServerBehind unless the replica has replayed up to it
  readonly share?: GateShare | undefined // pool only: the share of the pool's places; 'read' by default
  /** Pool only: run first, in the transaction and the message of the statement. Their results are ignored. */
  readonly before?: readonly BoundStatement[] | undefined
  readonly turn?: string | undefined // pool only: who takes turns with others for a place (session.ts)
  readonly watch?: Stopwatch // measures `connect`, the wait for a connection, and `sql`
}

/** In a read-only transaction, a write that PostgreSQL refuses is our own bug. */
export type StatementLimits = PoolOptions & {readonly isReading?: boolean}

export type AskedStatement = readonly [text: string, values: readonly SqlValue[], how: QueryOptions]

/** In UTF-16 units. A longer text does not stay prepared: the memory of its plan grows with it, on each connection. */
const preparedLength = 30_000

/** The options `patient`, `byte_limit` and `before` are added by patches/. */
export function driverHow(
  {prepare}: StatementLimits,
  text: string,
  {once = false, isPatient, limitBytes, before}: QueryOptions,
): object {
  const first = before?.map(([text, values]) => ({text, values: values.map(encodeValue)}))
  const isKept = prepare && !once && text.length <= preparedLength
  return {prepare: isKept, simple: false, patient: isPatient, byte_limit: limitBytes, before: first}
}

/** Sends a statement. Behind a pooler the time limit is enforced here. */
export function sendStatement(sql: postgres.ISql, options: StatementLimits, ...[text, values, how]: AskedStatement) {
  const afterMs = options.isPooled ? options.statementTimeoutMs : 0
  const pending = sql.unsafe(text, values.map(encodeValue), driverHow(options, text, how))
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
    const found = await rows
    return found.length === 1 ? [found[0] as object] : Array.from(found) // instead of the driver's subclass
  } finally {
    await settle()
  }
}
