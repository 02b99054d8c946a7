/**
 * The rows of a short answer in one round trip, with whether the plan of its query is right still.
 *
 * Reads only. Its statement stays prepared on a connection, for many a query is planned by PostgreSQL for
 * longer than it runs. Constants are part of its text, so there is one plan, the same for all values of its parameters.
 */

import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database, QueryOptions} from '../connection/pool.ts'
import {factValues, type KnownFacts} from './facts.ts'
import {type Conditions, conditionValues, plannedText, settleText} from './rows.ts'

/** A query whose whole answer is asked for at once. */
export type ShortStatement = {
  readonly text: string // its row has the columns that sparql/print/gather.ts names
  readonly parameters: readonly string[]
  readonly isWalked: boolean
}

export type ShortAnswer = {
  readonly solutions: number // one more than the statement's limit at most
  readonly ids: readonly (string | null)[] | null // of the first column's rows, the second's …; null: no rows
  readonly keys: readonly (readonly (string | null)[])[] | null // by column
}

/**
 * Asks for the whole answer of a query, in a snapshot of its own.
 *
 * @returns  undefined when the facts that it was planned for do not hold
 */
export async function readShortAnswer(
  database: Database,
  {schema, facts, conditions}: {readonly schema: string; readonly facts: KnownFacts; readonly conditions: Conditions},
  {text, parameters, isWalked}: ShortStatement,
  options: Pick<QueryOptions, 'signal' | 'after' | 'limitBytes'>,
): Promise<ShortAnswer | undefined> {
  const guard = `${settleText}, set_config('plan_cache_mode', 'force_generic_plan', true),
    ${quoteIdentifier(schema)}.sparql_facts_hold($5::text[], $6::int8[], $7::boolean, $8::int8[], $9::text[],
                                                 $10::int8[], $11::int8[], $12::int8[]) as is_right,
    ${plannedText('$4')}`
  const rows = await database.snapshot<ShortAnswer>(
    [guard, [...conditionValues(schema, conditions), isWalked, ...factValues(facts)]],
    [text, [parameters]],
    options,
  )
  return rows?.[0]
}
