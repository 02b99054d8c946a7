/**
 * Reads the server's settings and the statistics of a dataset's tables, which `quadstead check` judges.
 *
 * Values that the role may not see or the server does not have are left out. Sources: PostgreSQL manual, pg_settings,
 * pg_stat_all_tables, pg_class.
 */
import {quoteIdentifier} from './identifier.ts'
import type {Queryable} from './pool.ts'

/** Settings by name. Sizes are in bytes, times in milliseconds, booleans are 'on' and 'off'. */
export type ServerSettings = ReadonlyMap<string, string | number>

export type TableHealth = {
  readonly table: string
  readonly shard: string | null // in a Citus cluster: the quoted name of the table that holds the rows
  readonly rows: number // an estimate
  readonly deadRows: number // an estimate
  readonly changedRows: number // since the last ANALYZE
  readonly isAnalyzed: boolean // whether ANALYZE ever ran
}

export type ServerState = {
  readonly settings: ServerSettings
  readonly tables: readonly TableHealth[]
  readonly bytes: number // the dataset's tables and indexes
}

const units: Readonly<Record<string, number>> = {
  B: 1,
  kB: 2 ** 10,
  '8kB': 2 ** 13,
  MB: 2 ** 20,
  '16MB': 2 ** 24,
  ms: 1,
  s: 1000,
  min: 60_000,
}

/** @param names  the names of the settings to read */
export async function readServerState(
  queryable: Queryable,
  schema: string,
  names: readonly string[],
): Promise<ServerState> {
  const settings = await queryable.query<{name: string; setting: string; unit: string | null; vartype: string}>(
    'select name, setting, unit, vartype from pg_settings where name = any($1::text[]) and setting is not null',
    [names],
  )
  const tables = await queryable.query<
    {table: string; shard: string | null; bytes: string} & Record<'rows' | 'dead' | 'changed', string> & {
        isAnalyzed: boolean
      }
  >(
    `select r.relname as "table", case when c.oid <> r.oid then format('%I.%I', s.schemaname, c.relname) end as shard,
            greatest(c.reltuples, s.n_live_tup, 0)::int8::text as rows,
            s.n_dead_tup::text as dead, s.n_mod_since_analyze::text as changed,
            c.reltuples >= 0 and coalesce(s.last_analyze, s.last_autoanalyze) is not null as "isAnalyzed",
            pg_total_relation_size(c.oid)::text as bytes
       from pg_class as r
       join pg_class as c on c.oid = ${quoteIdentifier(schema)}.store_relation(r.relname, r.relname)
       join pg_stat_all_tables as s on s.relid = c.oid
      where r.relnamespace = to_regnamespace($1) and r.relkind in ('r', 'v')
      order by r.relname`,
    [quoteIdentifier(schema)],
  )
  return {
    settings: new Map(settings.map(({name, setting, unit, vartype}) => [name, readValue(setting, unit, vartype)])),
    tables: tables.map(({table, shard, rows, dead, changed, isAnalyzed}) => ({
      table,
      shard,
      rows: Number(rows),
      deadRows: Number(dead),
      changedRows: Number(changed),
      isAnalyzed,
    })),
    bytes: tables.reduce((sum, {bytes}) => sum + Number(bytes), 0),
  }
}

function readValue(setting: string, unit: string | null, type: string): string | number {
  if (type !== 'integer' && type !== 'real') return setting
  return Number(setting) * (units[unit ?? ''] ?? 1)
}
