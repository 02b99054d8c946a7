/**
 * Reads a short query result in one round trip, and checks that the query's plan is still valid.
 *
 * Reads only. The facts and the rows are one statement, so they are of one snapshot. The statement stays prepared on
 * the connection, because PostgreSQL often plans a query for longer than it runs. The generic plan fits all values of
 * its parameters: the compiler makes parameters only of constants that its own plan does not depend on.
 */

import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database} from '../connection/pool.ts'
import type {QueryOptions} from '../connection/statement.ts'
import {factValues, type KnownFacts} from './facts.ts'
import {type Conditions, type FoundTerms, noTerms, plannedText, settleText, timeoutValues} from './rows.ts'

/** A query whose result is read as a whole. */
export type ShortStatement = {
  readonly text: string // returns one row with the columns that sparql/print/gather.ts names
  readonly parameters: readonly string[]
  readonly constants: readonly {readonly key: string; readonly id: string | undefined}[] // see `constantText`
  readonly isWalked: boolean
  readonly hasTerms: boolean // whether the answer contains its terms, if they are few (`termsText`)
}

export type ShortAnswer = {
  readonly solutions: number // at most one more than the statement's limit
  readonly ids: readonly (string | null)[] | null // of the first column's rows, the second's …; null: no rows
  readonly keys: readonly (readonly (string | null)[])[] | null // by column
  readonly terms: ShortTerms | null // null: none were asked for, or they are not few
}

type ShortTerms = readonly [ids: FoundTerms['ids'] | null, texts: FoundTerms['texts'], types: FoundTerms['types']]

const settingsText = `${settleText}, set_config('plan_cache_mode', 'force_generic_plan', true), ${plannedText('$4')}`

/**
 * SQL for the id of a constant. It is a parameter, or looked up by key if that is null.
 *
 * @param schema  not quoted
 * @param place   index of the constant in `constants`, whose parameters come after $1, those of the facts, and $11
 */
export function constantText(schema: string, place: number): string {
  const [id, key] = [12 + 2 * place, 13 + 2 * place]
  return `coalesce($${id}::int8, (select ${quoteIdentifier(schema)}.sparql_id($${key}::text)))`
}

/**
 * SQL that is true if the facts that a query was planned for hold, for the parameters $2 to $10.
 *
 * @param schema  not quoted
 */
export function factsText(schema: string): string {
  return `${quoteIdentifier(schema)}.sparql_facts_hold($2, $3, $4, $5, $6, $7, $8, $9, $10)`
}

const termsBytes = 2 ** 16 // of the terms in an answer

/**
 * SQL for the terms of ids: null unless the parameter $11, a number of bytes, is set and the ids are few.
 *
 * @param schema  not quoted
 * @param ids     SQL
 */
export function termsText(schema: string, ids: string): string {
  return `case when $11::int8 is not null then ${quoteIdentifier(schema)}.terms_of_answer(${ids}, $11) end`
}

/** The terms of a short answer, of the same snapshot as its rows. They are not all if they are long. */
export function termsOf({terms}: ShortAnswer, names: string): FoundTerms {
  const [ids, texts, types] = terms ?? [null, [], []]
  return ids === null ? noTerms : {ids, texts, types, names}
}

/**
 * Reads the whole result of a query.
 *
 * @returns  undefined if the facts that the query was planned for no longer hold
 */
export async function readShortAnswer(
  database: Database,
  {schema, facts, conditions}: {readonly schema: string; readonly facts: KnownFacts; readonly conditions: Conditions},
  {text, parameters, constants, isWalked, hasTerms}: ShortStatement,
  options: Pick<QueryOptions, 'signal' | 'after' | 'limitBytes'>,
): Promise<ShortAnswer | undefined> {
  const [row] = await database.query<ShortAnswer & {readonly is_right: boolean}>(
    text,
    [
      parameters,
      ...factValues(facts),
      hasTerms ? termsBytes : null,
      ...constants.flatMap(({id, key}) => [id ?? null, id === undefined ? key : null]),
    ],
    {...options, share: 'query', before: [settingsText, [...timeoutValues(schema, conditions), isWalked]]},
  )
  return row?.is_right === true ? row : undefined
}
