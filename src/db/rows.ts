/**
 * What a compiled query needs of the database: ids of its constants, its rows, the terms of their ids.
 *
 * Floor 3. Reads only. Each runs in the transaction of its query, so that rows and terms are of one state.
 */
import {Problem} from '../base/problem.ts'
import type {StoredTerms} from './graph-codec.ts'
import {quoteIdentifier} from './identifier.ts'
import type {Queryable, Transaction} from './pool.ts'

/** A row's values by position: ids and term keys as text, unbound as null. */
export type IdRow = readonly (string | null)[]

export type Statement = {
  readonly text: string
  readonly parameters: readonly string[] // items of the array that is the text's only parameter
  readonly columnCount: number
  readonly isWalked: boolean // not sorted where an index has the order
}

/** Ids of the terms that are in the dictionary, by key. */
export async function findIds(
  queryable: Queryable,
  schema: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const ids = `${quoteIdentifier(schema)}.term_ids($1::text[])`
  const text = `select k.key, k.id::text as id from unnest($1::text[], ${ids}) as k (key, id)`
  const rows = await queryable.query<{key: string; id: string | null}>(text, [keys])
  return new Map(rows.flatMap(({key, id}): [string, string][] => (id === null ? [] : [[key, id]])))
}

/** Terms of dictionary ids; ids below 1000 are left out (the vocabulary). */
export async function findTerms(queryable: Queryable, schema: string, ids: readonly string[]): Promise<StoredTerms> {
  if (ids.length === 0) return {}
  const text = `select ${quoteIdentifier(schema)}.terms_of($1::int8[]) as terms`
  const [row] = await queryable.query<{terms: StoredTerms | null}>(text, [ids])
  return row?.terms ?? {}
}

let cursorsMade = 0

export type RowOptions = {readonly batchRows: number; readonly signal?: AbortSignal}

/**
 * Runs a query and yields its rows in batches; the first takes one round trip. A cursor of SQL's own rather than the
 * driver's, so that other statements of the transaction (the terms of a batch, a second such query) can run between two
 * batches. It ends with the transaction.
 */
export async function* readRows(
  transaction: Queryable,
  schema: string,
  {text, parameters, columnCount, isWalked}: Statement,
  {batchRows, signal}: RowOptions,
): AsyncGenerator<readonly IdRow[]> {
  const options = signal === undefined ? {} : {signal}
  const names = Array.from({length: columnCount}, (_, index) => `c${index}`)
  const check = () => {
    if (signal?.aborted) throw new Problem(499, 'client-gone', 'The client has gone before its query ended.')
  }
  const fetch = () => {
    check()
    return transaction.query<Record<string, string | null>>(`fetch ${batchRows} from ${cursor}`, [], {
      ...options,
      once: true,
    })
  }
  check()
  const cursor = `solution_${cursorsMade++}`
  const open = `select ${quoteIdentifier(schema)}.sparql_open($1::text, $2::text[], $3::boolean, $4::text)`
  let [, rows] = await Promise.all([transaction.query(open, [text, parameters, isWalked, cursor], options), fetch()])
  for (;;) {
    if (rows.length > 0) yield rows.map(row => names.map(name => row[name] ?? null))
    if (rows.length < batchRows) return
    rows = await fetch()
  }
}

export type PlanOptions = {
  readonly form: 'text' | 'json' // lines for people; PostgreSQL's own document for programs
  readonly isMeasured: boolean // runs it
  readonly signal?: AbortSignal
}

/** PostgreSQL's plan of a query: a string, of lines, or a document. */
export async function explainRows(
  transaction: Queryable,
  {text, parameters, isWalked}: Omit<Statement, 'columnCount'>,
  {form, isMeasured, signal}: PlanOptions,
): Promise<unknown> {
  if (isWalked) await transaction.query(`select set_config('enable_sort', 'off', true)`)
  const explain = `explain (format ${form}, settings, summary${isMeasured ? ', analyze, buffers' : ''})`
  const rows = await transaction.query<{'QUERY PLAN': unknown}>(
    `${explain} ${text}`,
    parameters.length === 0 ? [] : [parameters],
    {once: true, ...(signal === undefined ? {} : {signal})},
  )
  const values = rows.map(row => row['QUERY PLAN'])
  return form === 'text' ? values.join('\n') : values[0]
}

/**
 * What every query of SPARQL runs under: the order of joins is the compiler's, one statement has so long, and
 * functions that the planner merges into the query find each other.
 *
 * @param timeoutMs  0: none
 * @param requestId  follows the application's name while the transaction lasts, so that pg_stat_activity tells it
 */
export async function settle(
  transaction: Transaction,
  schema: string,
  timeoutMs: number,
  requestId?: string,
): Promise<void> {
  await transaction.query(
    `select set_config('join_collapse_limit', '1', true), set_config('from_collapse_limit', '1', true),
            set_config('jit', 'off', true), set_config('cursor_tuple_fraction', '1', true),
            set_config('statement_timeout', $1, true), set_config('search_path', $2, true),
            set_config('application_name', concat_ws(' ', current_setting('application_name'), $3::text), true)`,
    [String(timeoutMs), `${quoteIdentifier(schema)}, pg_temp`, requestId ?? null],
  )
}

export type StoreFacts = {
  readonly hasDocuments: boolean
  readonly memberRelations: readonly string[]
  readonly ids: ReadonlyMap<string, string> // of those terms that are in the dictionary, by key
  readonly extents: ReadonlyMap<string, Extent> // of the objects of valued predicates that have some, by id
  readonly realms: readonly string[] | undefined // whose documents' graphs may be read; undefined: all graphs
}

/** The least and the greatest id. */
export type Extent = {readonly low: bigint; readonly high: bigint}

type FactsRow = {
  readonly has_documents: boolean
  readonly relations: readonly string[]
  readonly ids: readonly (string | null)[]
  readonly lows: readonly (string | null)[] | null
  readonly highs: readonly (string | null)[] | null
  readonly realms?: readonly string[] | null
}

/**
 * What plans depend on: whether triples are derived from documents, under which predicates beside ldp:contains, the
 * ids of constants, and what the objects of predicates are.
 *
 * @param valued    keys of predicates whose objects matter
 * @param grantees  of the caller; undefined: it may read everything
 */
export async function readFacts(
  queryable: Queryable,
  schema: string,
  keys: readonly string[],
  valued: readonly string[],
  grantees?: readonly string[],
): Promise<StoreFacts> {
  const places = valued.map(key => keys.indexOf(key) + 1)
  const inSchema = `${quoteIdentifier(schema)}.`
  const facts = `${inSchema}sparql_facts($1::text[], $2::int[])`
  const [row] = await (grantees === undefined
    ? queryable.query<FactsRow>(`select * from ${facts}`, [keys, places])
    : queryable.query<FactsRow>(`select f.*, ${inSchema}granted_realms($3, 'read') as realms from ${facts} as f`, [
        keys,
        places,
        grantees,
      ]))
  const ids = new Map<string, string>()
  for (const [index, key] of keys.entries()) {
    const id = row?.ids[index] ?? null
    if (id !== null) ids.set(key, id)
  }
  const extents = new Map<string, Extent>()
  for (const [index, key] of valued.entries()) {
    const [id, low, high] = [ids.get(key), row?.lows?.[index] ?? null, row?.highs?.[index] ?? null]
    if (id !== undefined && low !== null && high !== null) extents.set(id, {low: BigInt(low), high: BigInt(high)})
  }
  const realms = row?.realms ?? undefined
  return {hasDocuments: row?.has_documents ?? false, memberRelations: row?.relations ?? [], ids, extents, realms}
}

/** How often predicates and common values occur, roughly; what is not listed is rare. */
export type StoredFrequencies = {
  readonly triples: number
  readonly predicates: ReadonlyMap<string, PredicateFrequency>
  readonly values: ReadonlyMap<string, number> // rows of a predicate's common object, by "predicate object"
}

export type PredicateFrequency = {
  readonly triples: number
  readonly subjects: number // different ones
  readonly objects: number // different ones
  readonly quantiles: readonly bigint[] // of its objects' ids, from the least to the greatest
}

type StatisticsRow = {
  readonly p: string
  readonly triples: number
  readonly subjects: number
  readonly objects: number
  readonly quantiles: readonly string[]
  readonly frequent: readonly (readonly [object: string, rows: number])[] | null
}

export async function readFrequencies(queryable: Queryable, schema: string): Promise<StoredFrequencies> {
  const rows = await queryable.query<StatisticsRow>(`select * from ${quoteIdentifier(schema)}.sparql_statistics()`)
  const values = rows.flatMap(({p, frequent}) =>
    (frequent ?? []).map(([object, count]) => [`${p} ${object}`, count] as const),
  )
  return {
    triples: rows.reduce((sum, {triples}) => sum + triples, 0),
    predicates: new Map(rows.map(({p, quantiles, ...counts}) => [p, {...counts, quantiles: quantiles.map(BigInt)}])),
    values: new Map(values),
  }
}
