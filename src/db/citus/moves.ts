/**
 * Moves datasets between the nodes of a Citus cluster, and checks where they are.
 *
 * A move copies the tables while they are read and written, and blocks writers only for its end. For that, Citus
 * replicates changes, which needs the old values of a changed row: the table `quad` has no key, so all of its columns
 * are its replica identity (prepare.ts). Source: Citus documentation, "Cluster management functions".
 */
import {setTimeout as delay} from 'node:timers/promises'
import {Refusal} from '../../base/refusal.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database, Queryable} from '../connection/pool.ts'
import {sequences} from './node-schema.ts'
import {type CitusCluster, type CitusNode, nodeName, readPlace, tablesSchema} from './place.ts'
import type {Connect} from './prepare.ts'

export type MoveMode = 'auto' | 'block_writes'

const patient = {once: true, isPatient: true} as const

/** Finds a node by its name. @throws Refusal: there is none */
export function findNode({nodes}: CitusCluster, name: string): CitusNode {
  const found = nodes.find(node => nodeName(node) === name)
  if (found !== undefined) return found
  throw new Refusal(`The cluster has no node ${name}; it has ${nodes.map(nodeName).join(', ')}.`)
}

/**
 * Moves the tables of a dataset to a node. Resolves when the node has them.
 *
 * @param coordinator  without a time limit for statements
 */
export async function moveTables(
  coordinator: Queryable,
  schema: string,
  {to, mode}: {readonly to: CitusNode; readonly mode: MoveMode},
): Promise<void> {
  const text = 'select citus_schema_move($1::regnamespace, $2, $3, $4::citus.shard_transfer_mode)'
  await coordinator.query(text, [quoteIdentifier(tablesSchema(schema)), to.host, to.port, mode], patient)
}

/** Removes what moves have left on their old nodes. Citus does it too, after some time. */
export async function cleanUp(coordinator: Database): Promise<void> {
  await coordinator.query('call citus_cleanup_orphaned_resources()', [], patient)
}

const pollMs = 1000

/**
 * Lets Citus distribute all schemas by their size. Resolves when it has ended.
 *
 * @param onState  called about once a second with the state of the job
 * @throws         Refusal: the job failed
 */
export async function rebalance(coordinator: Queryable, onState: (state: string) => void): Promise<void> {
  const started = await coordinator.query<{job: string | null}>(
    `select citus_rebalance_start('by_disk_size', shard_transfer_mode := 'auto')::text as job`,
    [],
    patient,
  )
  const job = started[0]?.job ?? null
  if (job === null) return // nothing to move
  for (;;) {
    const [row] = await coordinator.query<{state: string}>(
      'select state::text from pg_dist_background_job where job_id = $1',
      [job],
    )
    const state = row?.state ?? 'unknown'
    onState(state)
    if (state === 'finished') return
    if (['cancelled', 'failed', 'unknown'].includes(state)) {
      throw new Refusal(`The rebalance ${job} is ${state}; citus_rebalance_status() of the coordinator says why.`)
    }
    await delay(pollMs)
  }
}

export type ClusterFault = {readonly rule: string; readonly detail: string}

/** Checks where the parts of a distributed dataset are, and that its numbers cannot be used twice. */
export async function checkCluster(
  cluster: CitusCluster,
  node: Queryable,
  {schema, connect}: {readonly schema: string; readonly connect: Connect},
): Promise<readonly ClusterFault[]> {
  const place = await readPlace(node, schema)
  if (place === undefined) return [{rule: 'cluster-distributed', detail: `${tablesSchema(schema)} is not distributed`}]
  const faults = [...(await checkPlacement(node, schema)), ...(await checkNumbers(node, schema))]
  for (const other of cluster.nodes.filter(({group}) => group !== place.group)) {
    const database = connect(other)
    try {
      const [found] = await database.query<{exists: boolean}>('select to_regnamespace($1) is not null as "exists"', [
        quoteIdentifier(schema),
      ])
      const detail = `${nodeName(other)} has the schema ${schema}, and ${nodeName(place)} has its tables`
      if (found?.exists === true) faults.push({rule: 'cluster-schema', detail})
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      faults.push({rule: 'cluster-node', detail: `${nodeName(other)} does not answer: ${reason}`})
    } finally {
      await database.end(1000)
    }
  }
  return faults
}

/** Tables of the dataset on several nodes, and nodes whose metadata are out of date. */
async function checkPlacement(node: Queryable, schema: string): Promise<ClusterFault[]> {
  const rows = await node.query<{nodes: number}>(
    `select count(distinct p.groupid)::int as nodes
       from pg_dist_schema as d
       join pg_dist_partition as r on r.colocationid = d.colocationid
       join pg_dist_shard as s on s.logicalrelid = r.logicalrelid
       join pg_dist_placement as p on p.shardid = s.shardid
      where d.schemaid = to_regnamespace($1)`,
    [quoteIdentifier(tablesSchema(schema))],
  )
  const stale = await node.query<{name: string}>(
    `select nodename || ':' || nodeport as name from pg_dist_node where hasmetadata and not metadatasynced`,
  )
  const nodes = rows[0]?.nodes ?? 0
  return [
    ...(nodes === 1 ? [] : [{rule: 'cluster-place', detail: `the tables are on ${nodes} nodes`}]),
    ...stale.map(({name}) => ({rule: 'cluster-metadata', detail: `the metadata of ${name} are not synchronized`})),
  ]
}

/** Sequences beyond the block of numbers that the node has taken. */
async function checkNumbers(node: Queryable, schema: string): Promise<ClusterFault[]> {
  const own = quoteIdentifier(schema)
  const faults: ClusterFault[] = []
  for (const {name} of sequences) {
    const [row] = await node.query<{isAhead: boolean}>(
      `select s.last_value >= m.value as "isAhead" from ${own}.${quoteIdentifier(name)} as s, ${own}.node_mark as m
        where m.name = $1`,
      [name],
    )
    if (row?.isAhead !== false) faults.push({rule: 'cluster-numbers', detail: `${name} is beyond the node's numbers`})
  }
  return faults
}
