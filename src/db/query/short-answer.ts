/**
 * Reads a short query result in one round trip, and checks that the query's plan is still valid.
 *
 * Reads only. Three statements in one message are a transaction with one snapshot. The first two are the same for all
 * queries: they set the conditions and check the facts, and PostgreSQL plans them once for a connection. If the facts
 * do not hold, an error skips the third statement, which reads the rows. It contains little besides the query, because
 * PostgreSQL often plans a statement for longer than it runs. It stays prepared on the connection. The generic plan
 * fits all values of its parameters: the compiler makes parameters only of constants that its own plan does not depend
 * on.
 */

import {memoize} from '../../http/memo.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database} from '../connection/pool.ts'
import {databaseCodeOf} from '../connection/problem-of.ts'
import type {BoundStatement, QueryOptions} from '../connection/statement.ts'
import {
  areCommon,
  changedText,
  factValues,
  type KnownFacts,
  rememberState,
  type StoreFacts,
  stateText,
} from './facts.ts'
import {type Conditions, type FoundTerms, noTerms, plannedText, settleText, timeoutValues} from './rows.ts'

/** A query whose result is read as a whole. */
export type ShortStatement = {
  readonly text: string // returns one row with the columns that sparql/print/gather.ts names
  readonly parameters: readonly string[]
  readonly constants: readonly {readonly key: string; readonly id: string | undefined}[] // see `constantText`
  readonly isWalked: boolean
  readonly isMemoized: boolean
  readonly hasTerms: boolean // whether the answer contains its terms, if they are few (`termsText`)
}

export type ShortAnswer = {
  readonly solutions: number // at most one more than the statement's limit
  readonly ids: readonly (string | null)[] | null // of the first column's rows, the second's …; null: no rows
  readonly keys: readonly (readonly (string | null)[])[] | null // by column
  readonly terms: ShortTerms | null // null: none were asked for, or they are not few
  readonly constants?: readonly (string | null)[] // ids of the lifted constants; null: not stored
  readonly state?: string | null // `stateText`, if the statement returns it
}

type ShortTerms = readonly [ids: FoundTerms['ids'] | null, texts: FoundTerms['texts'], types: FoundTerms['types']]

const outdated = 'QSOLD' // SQLSTATE of sparql_outdated

/** Takes the transaction's snapshot with its first query. Until then the level may be changed, here by one message. */
const snapshotText = `set transaction_isolation = 'repeatable read'`

const settingsText = `${settleText}, set_config('plan_cache_mode', 'force_generic_plan', true),
    ${plannedText('$4', '$5')}`

/** SQL that sets the conditions of a query, and raises `outdated` if SQL that tells of changed facts is true. */
function checkText(schema: string, changed: string): string {
  return `${settingsText}, case when ${changed} then ${quoteIdentifier(schema)}.sparql_outdated() end`
}

/** By the facts of a plan, because V8 hashes each new text. */
const commonTexts = new WeakMap<StoreFacts, string>()

/** Checks the facts that a query was planned for. */
function checkOf(
  schema: string,
  {isWalked, isMemoized}: Pick<ShortStatement, 'isWalked' | 'isMemoized'>,
  known: KnownFacts,
  conditions: Conditions,
): BoundStatement {
  const {facts} = known
  const values = [...timeoutValues(schema, conditions), isWalked, isMemoized]
  if (!areCommon(known)) return [allText(schema), [...values, ...factValues(known), heldOf(known)?.states ?? []]]
  const text = commonTexts.get(facts) ?? checkText(schema, changedText(schema, facts, '$6'))
  commonTexts.set(facts, text)
  return [text, [...values, facts.names]]
}

/** It is kept for the same reason. In a state in which the facts held they are not checked again. */
const allText = memoize((schema: string): string => {
  const facts = '$6, $7, $8, $9, $10, $11, $12, $13, $14, $15'
  const haveChanged = `not ${quoteIdentifier(schema)}.sparql_facts_hold(${facts})`
  return checkText(schema, `case when ${stateText} = any($16::text[]) then false else ${haveChanged} end`)
})

/** The states in which the facts held for all callers: what a caller may read depends on its name, too. */
function heldOf({grantees, held}: KnownFacts): KnownFacts['held'] {
  return grantees === undefined ? held : undefined
}

/**
 * SQL for the id of a constant. It is a parameter, or looked up by key if that is null.
 *
 * @param schema  not quoted
 * @param place   number of the parameter; the next one is the key
 */
export function constantText(schema: string, place: number): string {
  return `coalesce($${place}::int8, (select ${quoteIdentifier(schema)}.sparql_id($${place + 1}::text)))`
}

/** SQL for the same id; null if the constant is not stored. */
export function storedIdText(id: string): string {
  return `nullif(${id}, -1)` // the result of sparql_id for a term that is not stored
}

const termsBytes = 2 ** 16 // of the terms in an answer

/**
 * SQL for the terms of ids: null unless a parameter, a number of bytes, is set and the ids are few.
 *
 * @param schema  not quoted
 * @param ids     SQL
 * @param place   number of the parameter
 */
export function termsText(schema: string, ids: string, place: number): string {
  return `case when $${place}::int8 is not null then ${quoteIdentifier(schema)}.terms_of_answer(${ids}, $${place}) end`
}

/** The number of the parameter of `termsText`. Those of constants follow. PostgreSQL refuses a $1 without a use. */
export function termsPlace(parameters: ShortStatement['parameters']): number {
  return parameters.length === 0 ? 1 : 2
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
  {text, parameters, constants, isWalked, isMemoized, hasTerms}: ShortStatement,
  options: Pick<QueryOptions, 'signal' | 'after' | 'limitBytes'>,
): Promise<ShortAnswer | undefined> {
  const before = [[snapshotText, []] as const, checkOf(schema, {isWalked, isMemoized}, facts, conditions)]
  const values = [
    ...(parameters.length === 0 ? [] : [parameters]),
    hasTerms ? termsBytes : null,
    ...constants.flatMap(({id, key}) => [id ?? null, id === undefined ? key : null]),
  ]
  try {
    const [row] = await database.query<ShortAnswer>(text, values, {share: 'query', before, ...options})
    const held = heldOf(facts)
    if (held !== undefined && typeof row?.state === 'string') rememberState(held, row.state)
    return row
  } catch (error) {
    if (databaseCodeOf(error) === outdated) return undefined
    throw error
  }
}
