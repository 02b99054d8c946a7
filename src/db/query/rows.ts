/**
 * Runs a compiled query: looks up the ids of its constants, reads its rows, and finds the terms of their ids.
 *
 * Reads only. All runs in the transaction of the query, so that rows and terms are of the same state.
 */

import {Problem} from '../../base/problem.ts'
import {kindOfId} from '../../rdf/id-layout.ts'
import {fromStoredText} from '../../rdf/stored-text.ts'
import {langLiteral, literal, namedNode, type Term} from '../../rdf/term.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Queryable, Transaction} from '../connection/pool.ts'
import type {SqlValue} from '../connection/value.ts'
import {factValues, type KnownFacts, namesColumn} from './facts.ts'

/** The values of a row by position: ids and term keys as text, unbound as null. */
export type IdRow = readonly (string | null)[]

export type SqlStatement = {
  readonly text: string
  readonly parameters: readonly string[] // items of the array that is the statement's only parameter
  readonly columnCount: number
  readonly hasKeys?: boolean // columns contain term keys, so rows may be long
  readonly isWalked: boolean // plan without a sort where an index has the order
  readonly isMemoized: boolean // the plan may keep results of probes
  readonly isPast?: boolean // reads the store of `openPast`
}

/** Looks up the ids of terms in the dictionary, by key. */
export async function findIds(
  queryable: Queryable,
  schema: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  return keys.length === 0 ? new Map() : (await findNamedIds(queryable, schema, keys)).ids
}

/** The same, outside a snapshot. @returns `names`: see namesColumn */
export async function findNamedIds(
  queryable: Queryable,
  schema: string,
  keys: readonly string[],
): Promise<{readonly ids: Map<string, string>; readonly names: string}> {
  // In FROM, PostgreSQL would call the function once more to estimate the number of rows.
  const text = `select ${quoteIdentifier(schema)}.term_ids($1::text[])::text[] as ids, ${namesColumn(schema)}`
  const [row] = await queryable.query<{ids: readonly (string | null)[]; names: string}>(text, [keys])
  const found = keys.flatMap((key, index): [string, string][] => {
    const id = row?.ids[index] ?? null
    return id === null ? [] : [[key, id]]
  })
  return {ids: new Map(found), names: row?.names ?? ''}
}

/** Terms of the dictionary: arrays of ids, texts and types in the same order. */
export type FoundTerms = {
  readonly ids: readonly string[]
  readonly texts: readonly string[] // IRIs, or lexical forms as stored
  readonly types: readonly (string | null)[] // of literals: a datatype, or '@' and a language; null: xsd:string
  readonly names: string // see namesColumn
}

/**
 * Finds the terms of ids in the dictionary. Ids below 1000 (the vocabulary) are left out.
 *
 * @param limitBytes  if the terms are longer in total, some of them, but not all, are left out
 */
export async function findTerms(
  queryable: Queryable,
  schema: string,
  ids: readonly string[],
  limitBytes: number,
): Promise<FoundTerms> {
  if (ids.length === 0) return noTerms
  const terms = `${quoteIdentifier(schema)}.terms_up_to($1::int8[], $2::int8)`
  const text = `select t.*, ${namesColumn(schema)} from ${terms} as t`
  const [row] = await queryable.query<TermsRow>(text, [idArray(ids), limitBytes])
  return {ids: row?.term_ids ?? [], texts: row?.term_texts ?? [], types: row?.term_types ?? [], names: row?.names ?? ''}
}

type TermsRow = {
  readonly names: string
  readonly term_ids: readonly string[] | null
  readonly term_texts: readonly string[] | null
  readonly term_types: readonly (string | null)[] | null
}

export const noTerms: FoundTerms = {ids: [], texts: [], types: [], names: ''}

/** The term at an index of the terms found. */
export function foundTerm({ids, texts, types}: Omit<FoundTerms, 'names'>, at: number): Term {
  const [id = '', text = '', type = null] = [ids[at], texts[at], types[at]]
  if (kindOfId(id) !== 'literal') return namedNode(text)
  const lexicalForm = fromStoredText(text)
  if (type === null) return literal(lexicalForm)
  return type.startsWith('@') ? langLiteral(lexicalForm, type.slice(1)) : literal(lexicalForm, type)
}

/** The text of an array of ids, which need no quotes. */
function idArray(ids: readonly string[]): string {
  return `{${ids.join(',')}}`
}

let cursorsMade = 0

export type RowOptions = {
  readonly batchRows: number // maximum of rows in a batch
  readonly limitBytes?: number | undefined // of a batch: Problem 422 `result-size`
  readonly signal?: AbortSignal | undefined
}

/** The target size of a batch in characters. Rows with keys start with small batches, which grow up to this size. */
const portionLength = 2 ** 20
const firstRows = 10
const growth = 8 // maximum factor from one batch to the next

/**
 * Runs a query and yields its rows in batches; the first takes one round trip. Uses a cursor declared in SQL instead of
 * the driver's, so that other statements of the transaction (the terms of a batch, a second query) can run between two
 * batches. The cursor ends with the transaction.
 */
export async function* readRows(
  transaction: Queryable,
  schema: string,
  statement: SqlStatement,
  options: RowOptions,
): AsyncGenerator<readonly IdRow[]> {
  const {text, parameters, isWalked, isMemoized, isPast = false} = statement
  const rows = createCursor(transaction, statement, options)
  const inSchema = `${quoteIdentifier(schema)}.`
  const [, first] = await Promise.all([
    isPast
      ? rows.ask(`select ${inSchema}past_read($1::text, $2::text[], $3::text)`, [text, parameters, rows.cursor])
      : rows.ask(`select ${memoizedText('$5')}, ${inSchema}sparql_open($1::text, $2::text[], $3::boolean, $4::text)`, [
          text,
          parameters,
          isWalked,
          rows.cursor,
          isMemoized,
        ]),
    rows.fetch(),
  ])
  yield* rows.from(first)
}

/**
 * The same, but returns undefined unless the facts that the query was planned for hold. The statement also sets the
 * conditions (`settle`), so that all of it and the first rows take one round trip.
 */
export async function readRowsIf(
  transaction: Queryable,
  {schema, facts, conditions}: {readonly schema: string; readonly facts: KnownFacts; readonly conditions: Conditions},
  statement: SqlStatement,
  options: RowOptions,
): Promise<AsyncGenerator<readonly IdRow[]> | undefined> {
  const {text, parameters, isWalked, isMemoized} = statement
  const open = `${settleText}, ${memoizedText('$18')}, ${quoteIdentifier(schema)}.sparql_open_if(
    $4::int8, $5::text[], $6::int8[], $7::boolean, $8::int8[], $9::text[], $10::int8[], $11::int8[], $12::int8[],
    $13::int8[], $14::text, $15::text[], $16::boolean, $17::text) as is_open`
  const rows = createCursor(transaction, statement, options)
  const query = [text, parameters, isWalked, rows.cursor, isMemoized]
  const values = [...timeoutValues(schema, conditions), ...factValues(facts), ...query]
  const [[opened], first] = await Promise.all([rows.ask<{is_open: boolean}>(open, values), rows.fetch()])
  return opened?.is_open === true ? rows.from(first) : undefined
}

/** Prepares a cursor without opening it. */
function createCursor(
  transaction: Queryable,
  {columnCount, hasKeys = false}: SqlStatement,
  {batchRows, limitBytes, signal}: RowOptions,
) {
  const portion = Math.min(portionLength, (limitBytes ?? Number.POSITIVE_INFINITY) / 8) // at most 4 bytes a character
  let count = hasKeys ? Math.min(firstRows, batchRows) : batchRows
  const names = Array.from({length: columnCount}, (_, index) => `c${index}`)
  const cursor = `solution_${cursorsMade++}`
  const ask = <Row extends object>(text: string, values: readonly SqlValue[], {once = false} = {}) => {
    if (signal?.aborted) throw new Problem(499, 'client-gone', 'The client went away before its query ended.')
    return transaction.query<Row>(text, values, {limitBytes, signal, once})
  }
  const fetch = () => ask<Record<string, string | null>>(`fetch ${count} from ${cursor}`, [], {once: true})
  return {
    cursor,
    ask,
    fetch,
    async *from(first: readonly Record<string, string | null>[]): AsyncGenerator<readonly IdRow[]> {
      for (let rows = first; ; rows = await fetch()) {
        const batch = rows.map(row => names.map(name => row[name] ?? null))
        if (batch.length > 0) yield batch
        if (batch.length < count) return
        if (hasKeys) count = Math.min(batchRows, growth * count, rowsOf(portion, batch))
      }
    },
  }
}

/** How many rows of this average length have `length` characters in total; at least one. */
function rowsOf(length: number, rows: readonly IdRow[]): number {
  return Math.max(1, Math.floor((length * rows.length) / Math.max(1, lengthOf(rows))))
}

/** The total number of characters of rows. */
export function lengthOf(rows: readonly IdRow[]): number {
  return rows.reduce((sum, row) => row.reduce((all, value) => all + (value?.length ?? 0), sum), 0)
}

export type ExplainOptions = {
  readonly form: 'text' | 'json' // 'text' for people, 'json' for programs
  readonly isMeasured: boolean // EXPLAIN ANALYZE: runs the query
  readonly isTimed?: boolean // false: counts the rows of each node, without its time
  readonly signal?: AbortSignal | undefined
}

/** PostgreSQL's plan of a query: a string of lines, or a JSON document. */
export async function explainRows(
  transaction: Queryable,
  {text, parameters, isWalked, isMemoized}: Omit<SqlStatement, 'columnCount'>,
  {form, isMeasured, isTimed = true, signal}: ExplainOptions,
): Promise<unknown> {
  await transaction.query(`select ${plannedText('$1', '$2')}`, [isWalked, isMemoized])
  const measures = isTimed ? ', analyze, buffers' : ', analyze, buffers off, timing off'
  const explain = `explain (format ${form}, settings, summary${isMeasured ? measures : ''})`
  const rows = await transaction.query<{'QUERY PLAN': unknown}>(
    `${explain} ${text}`,
    parameters.length === 0 ? [] : [parameters],
    {once: true, signal},
  )
  const values = rows.map(row => row['QUERY PLAN'])
  return form === 'text' ? values.join('\n') : values[0]
}

/**
 * SQL that sets the planner settings of a query, as `sparql_open` does; the reasons are given there. Cursors never use
 * parallel workers. Other statements use none before PostgreSQL 18, because there a disabled nested loop costs so much
 * that the cost of workers seems negligible.
 *
 * @param walked    the parameter that is true for a plan without a sort where an index has the order
 * @param memoized  the parameter of `memoizedText`
 */
export function plannedText(walked: string, memoized: string): string {
  return `case when current_setting('server_version_num')::int >= 180000 or not ${walked}::boolean
         then set_config('enable_nestloop', 'off', true) end,
    case when current_setting('server_version_num')::int < 180000
         then set_config('max_parallel_workers_per_gather', '0', true) end,
    set_config('enable_mergejoin', 'off', true),
    case when ${walked}::boolean then set_config('enable_sort', 'off', true) end,
    ${memoizedText(memoized)}`
}

/** SQL that forbids Memoize nodes unless a parameter is true. sparql/print/print.ts has the reason. */
function memoizedText(place: string): string {
  return `case when not ${place}::boolean then set_config('enable_memoize', 'off', true) end`
}

/** Settings under which every SPARQL query runs. */
export type Conditions = {
  readonly timeoutMs: number // for one statement; 0: no limit
  readonly requestId: string | undefined // appended to application_name, so that pg_stat_activity shows it
}

/**
 * The beginning of a statement that sets the conditions of a query; `conditionValues` are its first parameters. The
 * compiler decides the order of joins. Parallel workers are used only for queries that take longer than the start of
 * workers (about 5 ms). The search path lets functions that the planner inlines find each other.
 */
export const settleText = `
  select set_config('join_collapse_limit', '1', true), set_config('from_collapse_limit', '1', true),
         set_config('jit', 'off', true), set_config('cursor_tuple_fraction', '1', true),
         set_config('parallel_setup_cost', '20000', true),
         set_config('statement_timeout', $1, true), set_config('search_path', $2, true),
         ${nameText('$3')}`

/**
 * SQL that appends a request's id to application_name until the transaction ends.
 *
 * @param place  the parameter with the id, or null
 */
export function nameText(place: string): string {
  return `set_config('application_name', concat_ws(' ', current_setting('application_name'), ${place}::text), true)`
}

export function timeoutValues(schema: string, {timeoutMs, requestId}: Conditions): SqlValue[] {
  return [String(timeoutMs), `${quoteIdentifier(schema)}, pg_temp`, requestId ?? null]
}

/** Sets the conditions of a transaction's queries until it ends. */
export async function settle(transaction: Transaction, schema: string, conditions: Conditions): Promise<void> {
  await transaction.query(settleText, timeoutValues(schema, conditions))
}
