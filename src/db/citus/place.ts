/**
 * Finds where a dataset is in a Citus cluster.
 *
 * A dataset in a cluster has two schemas. The tables are in a distributed schema, which Citus keeps on one node and
 * moves. The functions are in a schema of the dataset's name on that node only (node-schema.ts). Every node knows where
 * the shards are. Sources: Citus documentation, "Metadata tables", "Schema-based sharding".
 */
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Queryable} from '../connection/pool.ts'

export type CitusNode = {readonly group: number; readonly host: string; readonly port: number}

/** A table of the dataset. Its rows are in the table `<name>_<shard>` of the node. */
export type Shard = {readonly table: string; readonly id: string}

export type Place = CitusNode & {readonly shards: readonly Shard[]}

export type CitusCluster = {
  readonly coordinator: CitusNode
  readonly nodes: readonly CitusNode[] // with the coordinator
  readonly place: Place | undefined // undefined: the dataset is not distributed
  /** Whether a dataset that is created now is distributed: Citus distributes new schemas, and it does not exist yet. */
  readonly isNewDistributed: boolean
}

/** The name of a node, for messages and options. */
export function nodeName({host, port}: CitusNode): string {
  return `${host}:${port}`
}

/** The distributed schema with the tables of a dataset. */
export function tablesSchema(schema: string): string {
  return `${schema}_tables`
}

/** Whether the database has the extension. */
export async function isInCluster(queryable: Queryable): Promise<boolean> {
  const text = `select from pg_catalog.pg_extension where extname = 'citus'`
  return (await queryable.query(text)).length > 0
}

/** Whether the database is one of a cluster, and not of a single server that has the extension. */
export async function isOfCluster(queryable: Queryable): Promise<boolean> {
  if (!(await isInCluster(queryable))) return false
  return (await queryable.query('select from pg_catalog.pg_dist_node where groupid = 0')).length > 0
}

/** Reads the cluster; undefined if the database is not one of a Citus cluster. */
export async function readCluster(queryable: Queryable, schema: string): Promise<CitusCluster | undefined> {
  if (!(await isInCluster(queryable))) return undefined
  const nodes = await queryable.query<CitusNode>(
    `select groupid as "group", nodename as host, nodeport as port from pg_catalog.pg_dist_node
      where noderole = 'primary' and isactive order by groupid`,
  )
  const coordinator = nodes.find(({group}) => group === 0)
  if (coordinator === undefined) return undefined // a single server with the extension
  const [created] = await queryable.query<{isDistributed: boolean}>(
    `select current_setting('citus.enable_schema_based_sharding') = 'on' and to_regclass($1) is null
              as "isDistributed"`,
    [`${quoteIdentifier(schema)}.dataset`],
  )
  const place = await readPlace(queryable, schema)
  return {coordinator, nodes, place, isNewDistributed: created?.isDistributed ?? false}
}

/** The node of a dataset's tables; undefined if they are not in a distributed schema. */
export async function readPlace(queryable: Queryable, schema: string): Promise<Place | undefined> {
  const rows = await queryable.query<CitusNode & {table: string; shard: string}>(
    `select n.groupid as "group", n.nodename as host, n.nodeport as port, c.relname as "table",
            s.shardid::text as shard
       from pg_catalog.pg_dist_schema as d
       join pg_catalog.pg_dist_partition as r on r.colocationid = d.colocationid
       join pg_catalog.pg_class as c on c.oid = r.logicalrelid and c.relnamespace = d.schemaid
       join pg_catalog.pg_dist_shard as s on s.logicalrelid = r.logicalrelid
       join pg_catalog.pg_dist_placement as p on p.shardid = s.shardid
       join pg_catalog.pg_dist_node as n on n.groupid = p.groupid and n.noderole = 'primary'
      where d.schemaid = to_regnamespace($1)
      order by c.relname`,
    [quoteIdentifier(tablesSchema(schema))],
  )
  const [first] = rows
  if (first === undefined) return undefined
  const {group, host, port} = first
  return {group, host, port, shards: rows.map(({table, shard}) => ({table, id: shard}))}
}
