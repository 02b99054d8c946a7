/** Measures disk space, and the log that a write produces. */
import type {Cluster, Place} from './cluster.ts'
import {schema} from './documents.ts'
import {pgbench} from './pgbench.ts'

export type Storage = {
  readonly quads: number
  readonly bytesAQuad: number // all tables and indexes
  readonly relations: Readonly<Record<string, number>> // bytes per quad, by table and index
}

export async function readStorage({database}: Place): Promise<Storage> {
  const [count] = await database.query<{quads: string}>(`select count(*) as quads from ${schema}.quad`)
  const quads = Number(count?.quads)
  const relations = await database.query<{name: string; bytes: string}>(
    `select c.relname as name, pg_relation_size(c.oid) as bytes
       from pg_class as c
      where c.relnamespace = '${schema}'::regnamespace and c.relkind in ('r', 'i') and c.relpages > 100
      order by 2 desc`,
  )
  const [total] = await database.query<{bytes: string}>(
    `select sum(pg_total_relation_size(c.oid)) as bytes
       from pg_class as c where c.relnamespace = '${schema}'::regnamespace and c.relkind = 'r'`,
  )
  return {
    quads,
    bytesAQuad: Number(total?.bytes) / quads,
    relations: Object.fromEntries(relations.map(({name, bytes}) => [name, Number(bytes) / quads])),
  }
}

/**
 * Log of one create after all pages that it changes have been written since the last checkpoint.
 *
 * @param script  pgbench script with one document in a transaction
 */
export async function walBytesADocument(cluster: Cluster, place: Place, script: string): Promise<number> {
  const create = () => pgbench(cluster, place, script, {connections: 4, durationMs: 3000})
  await create() // writes full pages after a checkpoint
  const before = await position(place)
  const made = await create()
  return ((await position(place)) - before) / (made?.count ?? Number.NaN)
}

async function position({database}: Place): Promise<number> {
  const [row] = await database.query<{at: string}>(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as at`)
  return Number(row?.at)
}
