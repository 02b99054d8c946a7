/**
 * A short answer of a query, rows and terms, in one statement: sql/functions/97_sparql_answer.sql, sparql_answer_if.
 *
 * Floor 3. Reads only.
 */
import {factValues, type KnownFacts} from './facts.ts'
import {quoteIdentifier} from './identifier.ts'
import type {Database, QueryOptions} from './pool.ts'
import {type Conditions, type FoundTerms, foundTerms, nameText, type Statement, type TermsRow} from './rows.ts'

/** A query whose whole answer is asked for at once: `text` gives what sparql_answer_if expects. */
export type ShortStatement = Pick<Statement, 'text' | 'parameters' | 'isWalked'> & {
  readonly rowLimit: number
  readonly limitBytes: number // of terms
}

export type ShortAnswer = {
  readonly count: number
  readonly ids: readonly (string | null)[] // of the first column's rows, the second's …
  readonly keys: readonly (readonly (string | null)[])[] // by column
  readonly terms: FoundTerms // those of the ids
}

type ShortRow = TermsRow & {
  readonly is_right: boolean
  readonly solutions: number
  readonly ids: readonly (string | null)[] | null
  readonly keys: readonly (readonly (string | null)[])[] | null
}

/**
 * Asks for the whole answer of a query in one round trip, in a snapshot of its own.
 *
 * @returns  'stale' when the facts that it was planned for do not hold; 'long' when it has more rows than its limit
 */
export async function readShortAnswer(
  database: Database,
  {schema, facts, conditions}: {readonly schema: string; readonly facts: KnownFacts; readonly conditions: Conditions},
  {text, parameters, isWalked, rowLimit, limitBytes}: ShortStatement,
  options: Pick<QueryOptions, 'signal' | 'after'>,
): Promise<ShortAnswer | 'stale' | 'long'> {
  const {timeoutMs, requestId} = conditions
  const asked = `select a.* from ${quoteIdentifier(schema)}.sparql_answer_if(
    $1::text[], $2::int8[], $3::boolean, $4::int8[], $5::text[], $6::int8[], $7::int8[], $8::int8[], $9::text,
    $10::text[], $11::boolean, $12::int, $13::int8) as a
    where (select ${nameText('$14')}) is not null`
  const query = [text, parameters, isWalked, rowLimit, limitBytes]
  const values = [...factValues(facts), ...query, requestId ?? null]
  const [row] = await database.snapshot<ShortRow>(asked, values, {...options, timeoutMs})
  if (row?.is_right !== true) return 'stale'
  if (row.solutions > rowLimit) return 'long'
  return {count: row.solutions, ids: row.ids ?? [], keys: row.keys ?? [], terms: foundTerms(row)}
}
