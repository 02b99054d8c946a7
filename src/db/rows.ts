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
  readonly parameters: readonly (string | readonly (string | null)[])[]
  readonly columnCount: number
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

export type RowOptions = {readonly batchRows: number; readonly signal?: AbortSignal}

/**
 * Runs a query and yields its rows in batches. A cursor of SQL's own rather than the driver's, so that other
 * statements of
 * the transaction (the terms of a batch) can run between two batches. One at a time.
 */
export async function* readRows(
  transaction: Queryable,
  {text, parameters, columnCount}: Statement,
  {batchRows, signal}: RowOptions,
): AsyncGenerator<readonly IdRow[]> {
  const options = {once: true, ...(signal === undefined ? {} : {signal})}
  const names = Array.from({length: columnCount}, (_, index) => `c${index}`)
  const check = () => {
    if (signal?.aborted) throw new Problem(499, 'client-gone', 'The client has gone before its query ended.')
  }
  check()
  await transaction.query(`declare solution no scroll cursor for ${text}`, [...parameters], options)
  for (let isMore = true; isMore; ) {
    check()
    const rows = await transaction.query<Record<string, string | null>>(`fetch ${batchRows} from solution`, [], options)
    isMore = rows.length === batchRows
    if (rows.length > 0) yield rows.map(row => names.map(name => row[name] ?? null))
  }
  await transaction.query('close solution', [], options)
}

export type PlanOptions = {
  readonly form: 'text' | 'json' // lines for people; PostgreSQL's own document for programs
  readonly isMeasured: boolean // runs it
  readonly signal?: AbortSignal
}

/** PostgreSQL's plan of a query: a string, of lines, or a document. */
export async function explainRows(
  transaction: Queryable,
  {text, parameters}: Omit<Statement, 'columnCount'>,
  {form, isMeasured, signal}: PlanOptions,
): Promise<unknown> {
  const explain = `explain (format ${form}, settings, summary${isMeasured ? ', analyze, buffers' : ''})`
  const rows = await transaction.query<{'QUERY PLAN': unknown}>(`${explain} ${text}`, [...parameters], {
    once: true,
    ...(signal === undefined ? {} : {signal}),
  })
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
}

/** What plans depend on: whether triples are derived from documents, and under which predicates beside ldp:contains. */
export async function readFacts(queryable: Queryable, schema: string): Promise<StoreFacts> {
  const document = `${quoteIdentifier(schema)}.document`
  const [row] = await queryable.query<{hasDocuments: boolean; relations: readonly string[] | null}>(
    `with recursive relation (id) as (
       select min(member_by) from ${document}
       union all
       select (select min(d.member_by) from ${document} as d where d.member_by > r.id)
         from relation as r
        where r.id is not null)
     select exists (select from ${document} where parent is not null) as "hasDocuments",
            (select array_agg(id) from relation where id is not null) as relations`,
  )
  return {hasDocuments: row?.hasDocuments ?? false, memberRelations: row?.relations ?? []}
}

export type StoredFrequencies = {
  readonly triples: number
  readonly predicates: ReadonlyMap<string, number>
  readonly objects: ReadonlyMap<string, number>
}

/**
 * How often the most common predicates and objects occur, as PostgreSQL last counted; empty before its first ANALYZE.
 */
export async function readFrequencies(queryable: Queryable, schema: string): Promise<StoredFrequencies> {
  const rows = await queryable.query<{name: string; ids: readonly string[]; counts: readonly number[]}>(
    `select s.attname as name, s.most_common_vals::text::int8[] as ids,
            (select array_agg(f * c.reltuples order by n) from unnest(s.most_common_freqs) with ordinality as m (f, n))
              ::float8[] as counts
       from pg_stats as s
       join pg_class as c on c.oid = to_regclass($1)
      where s.schemaname = $2 and s.tablename = 'quad' and s.attname in ('p', 'o') and s.most_common_vals is not null`,
    [`${quoteIdentifier(schema)}.quad`, schema],
  )
  const countsOf = (name: string) => {
    const row = rows.find(one => one.name === name)
    return new Map((row?.ids ?? []).map((id, index) => [id, row?.counts[index] ?? 0]))
  }
  const predicates = countsOf('p')
  return {
    triples: [...predicates.values()].reduce((sum, count) => sum + count, 0),
    predicates,
    objects: countsOf('o'),
  }
}
