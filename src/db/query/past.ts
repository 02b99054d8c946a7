/**
 * Opens a past state of the store for a query, and reads in it what a query needs besides its rows.
 *
 * The transaction must be a snapshot, which keeps the rows that differ in a cursor (sql/functions/change/past.sql).
 * Nothing is written. Terms have the names of the time.
 */
import {type Realms, readRealms} from '../../base/realms.ts'
import type {PastNames} from '../../sparql/plan/block.ts'
import {type PastTable, pastTable} from '../../sparql/print/past-table.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Queryable} from '../connection/pool.ts'
import {parseLogPosition, ServerBehind} from '../replicas/reader.ts'
import type {AskedSubjects, findTriplesOfSubjects, IdTriple} from './answers.ts'
import {type FoundTerms, findIds, type findTerms, noTerms, readRows} from './rows.ts'

/** A past state of the store: `findIds` and the others, as of then. */
export type Past = {
  readonly names: PastNames
  readonly relations: readonly string[] // of derived memberships then, among others
  readonly findIds: typeof findIds
  readonly findTerms: typeof findTerms
  readonly findTriplesOfSubjects: typeof findTriplesOfSubjects
}

/**
 * Opens the store as of a time.
 *
 * @param realms  those that the caller may read; undefined: all
 * @throws        Problem 404 `changes-logged` · 410 `past-kept` · 422 `past-graphs` · 422 `past-size`
 */
export async function openPast(
  transaction: Queryable,
  schema: string,
  at: Date,
  realms: Realms | undefined,
): Promise<Past> {
  const {isExcept, ids} = realms === undefined || realms.length === 0 ? {isExcept: false, ids: []} : readRealms(realms)
  const closed = isExcept ? (ids[0] ?? '0') : '0' // a realm that the caller may not read
  const opened = `${quoteIdentifier(schema)}.open_past($1, $2)`
  const text = `select p.first::text, p.is_renamed, p.relations::text[] from ${opened} as p`
  const [row] = await transaction.query<OpenedRow>(text, [at, closed])
  const names = {first: row?.is_renamed === true ? (row.first ?? undefined) : undefined}
  return {
    names,
    relations: row?.relations ?? [],
    findIds: (queryable, given, keys) => findPastIds(queryable, given, names, keys),
    findTerms: (queryable, given, termIds, limitBytes) =>
      findPastTerms(queryable, tableIn(given, names)('term'), termIds, limitBytes),
    findTriplesOfSubjects: (queryable, given, asked) => findPastTriples(queryable, given, tableIn(given, names), asked),
  }
}

type OpenedRow = {readonly first: string | null; readonly is_renamed: boolean; readonly relations: readonly string[]}

/**
 * Checks that a replica has replayed a transaction of this time or later. So it has all that were committed before.
 * Must be called before the snapshot is taken.
 *
 * @throws  ServerBehind
 */
export async function requireTime(server: Queryable, at: Date): Promise<void> {
  const text = `select pg_last_wal_replay_lsn()::text as position
    where pg_is_in_recovery() and pg_last_xact_replay_timestamp() >= $1::timestamptz is not true`
  const [row] = await server.query<{position: string}>(text, [at])
  if (row !== undefined) throw new ServerBehind(parseLogPosition(row.position) ?? 0n)
}

type TableOf = (name: PastTable['name'], known?: PastTable['known']) => string

function tableIn(schema: string, names: PastNames): TableOf {
  return (name, known = () => undefined) => pastTable({name, schema: quoteIdentifier(schema), names, known})
}

async function findPastIds(
  transaction: Queryable,
  schema: string,
  {first}: PastNames,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const ids = await findIds(transaction, schema, keys)
  if (first === undefined || keys.length === 0) return ids
  const text = `select n.key, n.id::text from ${quoteIdentifier(schema)}.past_ids($1::int8, $2::text[]) as n`
  for (const {key, id} of await transaction.query<{key: string; id: string | null}>(text, [first, keys]))
    if (id === null) ids.delete(key)
    else ids.set(key, id)
  return ids
}

async function findPastTerms(
  transaction: Queryable,
  table: string,
  ids: readonly string[],
  limitBytes: number,
): Promise<FoundTerms> {
  if (ids.length === 0) return noTerms
  const text = `
    select array_agg(t.id) as ids, json_agg(t.lex) as texts, json_agg(coalesce('@' || t.lang, t.datatype)) as types
      from (select t.*, sum(octet_length(t.lex)) over (rows between unbounded preceding and 1 preceding) as bytes
              from ${table} as t
             where t.id = any ($1::int8[]) and t.id >= 1000) as t
     where coalesce(t.bytes, 0) < $2::int8`
  const [row] = await transaction.query<{[Name in 'ids' | 'texts' | 'types']: string[] | null}>(text, [
    `{${ids.join(',')}}`,
    limitBytes,
  ])
  return {ids: row?.ids ?? [], texts: row?.texts ?? [], types: row?.types ?? [], names: ''}
}

async function* findPastTriples(
  transaction: Queryable,
  schema: string,
  tableOf: TableOf,
  {subjects, graphs, realms}: AskedSubjects,
): AsyncGenerator<readonly IdTriple[]> {
  const list = (ids: readonly string[]) => `'{${ids.filter(id => /^-?\d+$/.test(id)).join(',')}}'::int8[]`
  const conditions = graphs === undefined ? ['true'] : [`h.g = any (${list(graphs)})`]
  if (realms !== undefined && realms.length === 0) conditions.push('false')
  else if (realms !== undefined) {
    const {isExcept, ids} = readRealms(realms)
    const document = tableOf('document', column => (column === 'id' ? 'h.g' : undefined))
    const listed = `exists (select from ${document} as d where d.id = h.g and d.realm = any (${list(ids)})) is true`
    conditions.push(isExcept ? `not ${listed}` : listed)
  }
  const of = (place: string) => (column: string) => (column === place ? 'a.id' : undefined)
  const text = `
    select distinct h.s::text as c0, h.p::text as c1, h.o::text as c2
      from unnest(${list(subjects)}) as a (id)
     cross join lateral (
       select q.g, q.s, q.p, q.o from ${tableOf('quad', of('s'))} as q where q.s = a.id
        union all
       select d.parent, d.parent, r.p, d.id
         from ${tableOf('document', of('parent'))} as d
        cross join lateral (values (10), (d.member_by)) as r (p)
        where d.parent = a.id and r.p is not null) as h
     where ${conditions.join(' and ')}`
  const statement = {text, parameters: [], columnCount: 3, isWalked: false, isPast: true}
  for await (const rows of readRows(transaction, schema, statement, {batchRows: 1000}))
    yield rows.map(([s, p, o]) => ({s: s ?? '', p: p ?? '', o: o ?? ''}))
}
