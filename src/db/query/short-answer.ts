/**
 * Reads a short query result in one round trip, and checks that the query's plan is still valid.
 *
 * Reads only. The statement stays prepared on the connection, because PostgreSQL often plans a query for longer than it
 * runs. Constants are part of its text, so one generic plan fits all values of its parameters.
 */

import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database} from '../connection/pool.ts'
import type {QueryOptions} from '../connection/statement.ts'
import {factValues, type KnownFacts} from './facts.ts'
import {type Conditions, plannedText, settleText, timeoutValues} from './rows.ts'

/** A query whose result is read as a whole. */
export type ShortStatement = {
  readonly text: string // returns one row with the columns that sparql/print/gather.ts names
  readonly parameters: readonly string[]
  readonly isWalked: boolean
}

export type ShortAnswer = {
  readonly solutions: number // at most one more than the statement's limit
  readonly ids: readonly (string | null)[] | null // of the first column's rows, the second's …; null: no rows
  readonly keys: readonly (readonly (string | null)[])[] | null // by column
}

/**
 * Reads the whole result of a query in a snapshot of its own.
 *
 * @returns  undefined if the facts that the query was planned for no longer hold
 */
export async function readShortAnswer(
  database: Database,
  {schema, facts, conditions}: {readonly schema: string; readonly facts: KnownFacts; readonly conditions: Conditions},
  {text, parameters, isWalked}: ShortStatement,
  options: Pick<QueryOptions, 'signal' | 'after' | 'limitBytes'>,
): Promise<ShortAnswer | undefined> {
  const guard = `${settleText}, set_config('plan_cache_mode', 'force_generic_plan', true),
    ${quoteIdentifier(schema)}.sparql_facts_hold($5::int8, $6::text[], $7::int8[], $8::boolean, $9::int8[],
                                                 $10::text[], $11::int8[], $12::int8[], $13::int8[]) as is_right,
    ${plannedText('$4')}`
  const rows = await database.snapshot<ShortAnswer>(
    [guard, [...timeoutValues(schema, conditions), isWalked, ...factValues(facts)]],
    [text, [parameters]],
    options,
  )
  return rows?.[0]
}
