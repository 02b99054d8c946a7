/**
 * Opens a past state of the store for a query, and reads in it what a query needs besides its rows.
 *
 * The transaction must be a snapshot that rolls back, because open_past (sql/functions/change/past.sql) creates
 * temporary tables and views in it. Terms have the names of the time.
 */
import {type Realms, readRealms} from '../../base/realms.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Queryable} from '../connection/pool.ts'
import type {AskedStatements, IdTriple} from './answers.ts'
import {type FoundTerms, findIds, noTerms, readRows} from './rows.ts'

/**
 * Opens the store as of a time.
 *
 * @param realms  those that the caller may read; undefined: all
 * @returns       the relations of derived memberships at that time, among others
 * @throws        Problem 404 `changes-logged` · 410 `past-kept` · 422 `past-graphs`
 */
export async function openPast(
  transaction: Queryable,
  schema: string,
  at: Date,
  realms: Realms | undefined,
): Promise<readonly string[]> {
  const {isExcept, ids} = realms === undefined || realms.length === 0 ? {isExcept: false, ids: []} : readRealms(realms)
  const closed = isExcept ? (ids[0] ?? '0') : '0' // a realm that the caller may not read
  await transaction.query(`select ${quoteIdentifier(schema)}.open_past($1, $2)`, [at, closed])
  const rows = await transaction.query<{id: string}>(
    'select distinct p.member_by::text as id from pg_temp.past_document as p where p.member_by is not null',
  )
  return rows.map(({id}) => id)
}

/** As `findIds`, by the names of the time. */
export async function findPastIds(
  transaction: Queryable,
  schema: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const ids = await findIds(transaction, schema, keys)
  const text = `
    select k.key, n.id::text as id
      from unnest($1::text[]) as k (key) join pg_temp.past_name as n on 'I' || n.name = k.key
     union all
    select f.key, null from unnest($2::text[], $3::int8[]) as f (key, id) join pg_temp.past_name as n on n.id = f.id
     where 'I' || n.name <> f.key`
  const values = [keys, [...ids.keys()], [...ids.values()]]
  const renamed = await transaction.query<{key: string; id: string | null}>(text, values)
  for (const {key, id} of renamed) if (id === null) ids.delete(key)
  for (const {key, id} of renamed) if (id !== null) ids.set(key, id)
  return ids
}

/** As `findTerms`, with the names of the time. */
export async function findPastTerms(
  transaction: Queryable,
  _: string,
  ids: readonly string[],
  limitBytes: number,
): Promise<FoundTerms> {
  if (ids.length === 0) return noTerms
  const text = `
    select array_agg(t.id) as ids, json_agg(t.lex) as texts, json_agg(coalesce('@' || t.lang, t.datatype)) as types
      from (select t.*, sum(octet_length(t.lex)) over (rows between unbounded preceding and 1 preceding) as bytes
              from pg_temp.term as t
             where t.id = any ($1::int8[]) and t.id >= 1000) as t
     where coalesce(t.bytes, 0) < $2::int8`
  const [row] = await transaction.query<{[Name in 'ids' | 'texts' | 'types']: string[] | null}>(text, [
    `{${ids.join(',')}}`,
    limitBytes,
  ])
  return {ids: row?.ids ?? [], texts: row?.texts ?? [], types: row?.types ?? [], names: ''}
}

/** As `findStatements`, at the time. */
export async function* findPastStatements(
  transaction: Queryable,
  schema: string,
  {subjects, graphs, realms}: AskedStatements,
): AsyncGenerator<readonly IdTriple[]> {
  const list = (ids: readonly string[]) => `'{${ids.filter(id => /^-?\d+$/.test(id)).join(',')}}'::int8[]`
  const conditions = graphs === undefined ? ['true'] : [`h.g = any (${list(graphs)})`]
  if (realms !== undefined && realms.length === 0) conditions.push('false')
  else if (realms !== undefined) {
    const {isExcept, ids} = readRealms(realms)
    const listed = `exists (select from pg_temp.document as d where d.id = h.g and d.realm = any (${list(ids)}))`
    conditions.push(isExcept ? `not ${listed}` : listed)
  }
  const asked = list(subjects)
  const text = `
    select distinct h.s::text as c0, h.p::text as c1, h.o::text as c2
      from (select q.g, q.s, q.p, q.o from pg_temp.quad as q where q.s = any (${asked})
             union all
            select d.parent, d.parent, 10, d.id from pg_temp.document as d where d.parent = any (${asked})
             union all
            select d.parent, d.parent, d.member_by, d.id from pg_temp.document as d
             where d.parent = any (${asked}) and d.member_by is not null) as h
     where ${conditions.join(' and ')}`
  const statement = {text, parameters: [], columnCount: 3, isWalked: false}
  for await (const rows of readRows(transaction, schema, statement, {batchRows: 1000}))
    yield rows.map(([s, p, o]) => ({s: s ?? '', p: p ?? '', o: o ?? ''}))
}
