/**
 * Opens a past state of the store for a query, and reads in it what a query needs besides its rows.
 *
 * The transaction must be a snapshot, which keeps the rows that differ in a cursor (sql/functions/change/past.sql).
 * Nothing is written. Terms have the names of the time.
 */
import {type Realms, readRealms} from '../../base/realms.ts'
import type {PastNames} from '../../sparql/plan/block.ts'
import {pastTable} from '../../sparql/print/past-table.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Queryable} from '../connection/pool.ts'
import {parseLogPosition, ServerBehind} from '../replicas/reader.ts'
import {type FoundTerms, findIds, type findTerms, noTerms} from './rows.ts'

/** A past state of the store: `findIds` and the others, as of then. */
export type Past = {
  readonly names: PastNames
  readonly relations: readonly string[] // of derived memberships then, among others
  readonly findIds: typeof findIds
  readonly findTerms: typeof findTerms
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
      findPastTerms(queryable, termTable(given, names), termIds, limitBytes),
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

function termTable(schema: string, names: PastNames): string {
  return pastTable({name: 'term', schema: quoteIdentifier(schema), names, known: () => undefined})
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
