/**
 * A short answer of a query in one round trip: whether its plan is right still, its rows, their terms.
 *
 * Floor 3. Reads only. Its statement stays prepared on a connection, for many a query is planned by PostgreSQL for
 * longer than it runs. Constants are part of its text, so there is one plan, the same for all values of its parameters.
 */
import {factValues, type KnownFacts} from './facts.ts'
import {quoteIdentifier} from './identifier.ts'
import type {Database, QueryOptions} from './pool.ts'
import {
  type Conditions,
  conditionValues,
  type FoundTerms,
  foundTerms,
  plannedText,
  settleText,
  type TermsRow,
} from './rows.ts'

/** A query whose whole answer is asked for at once. */
export type ShortStatement = {
  readonly text: string // of shortText
  readonly parameters: readonly string[]
  readonly isWalked: boolean
  readonly limitBytes: number // of terms; 0: none are asked for
}

export type ShortAnswer = {
  readonly count: number
  readonly ids: readonly (string | null)[] // of the first column's rows, the second's …
  readonly keys: readonly (readonly (string | null)[])[] // by column
  readonly terms: FoundTerms // those of the ids
}

type ShortRow = TermsRow & {
  readonly is_whole: boolean
  readonly solutions: number
  readonly ids: readonly (string | null)[] | null
  readonly keys: readonly (readonly (string | null)[])[] | null
}

/**
 * The statement of a query. Its parameters are the query's ($1) and the limit of its terms in bytes ($2).
 *
 * @param gathered  a statement whose row has `solutions`, `ids` and `keys` (sparql/gather.ts)
 */
export function shortText(schema: string, gathered: string, rowLimit: number): string {
  return `with gathered as materialized (${gathered})
    select a.*, t.*
      from (select solutions, solutions <= ${rowLimit} as is_whole,
                   case when solutions <= ${rowLimit} then ids end as ids,
                   case when solutions <= ${rowLimit} then keys end as keys from gathered) as a,
           ${quoteIdentifier(schema)}.terms_up_to(case when $2 > 0 then a.ids end, $2::int8) as t
     where $1::text[] is not null`
}

/**
 * Asks for the whole answer of a query, in a snapshot of its own.
 *
 * @returns  'stale' when the facts that it was planned for do not hold; 'long' when it has more rows than its limit
 */
export async function readShortAnswer(
  database: Database,
  {schema, facts, conditions}: {readonly schema: string; readonly facts: KnownFacts; readonly conditions: Conditions},
  {text, parameters, isWalked, limitBytes}: ShortStatement,
  options: Pick<QueryOptions, 'signal' | 'after' | 'limitBytes'>,
): Promise<ShortAnswer | 'stale' | 'long'> {
  const guard = `${settleText}, set_config('plan_cache_mode', 'force_generic_plan', true),
    ${quoteIdentifier(schema)}.sparql_facts_hold($5::text[], $6::int8[], $7::boolean, $8::int8[], $9::text[],
                                                 $10::int8[], $11::int8[], $12::int8[]) as is_right,
    ${plannedText('$4')}`
  const [row] =
    (await database.snapshot<ShortRow>(
      [guard, [...conditionValues(schema, conditions), isWalked, ...factValues(facts)]],
      [text, [parameters, limitBytes]],
      options,
    )) ?? []
  if (row === undefined) return 'stale'
  if (!row.is_whole) return 'long'
  return {count: row.solutions, ids: row.ids ?? [], keys: row.keys ?? [], terms: foundTerms(row)}
}
