/**
 * A database that follows a dataset through a Citus cluster: it connects to the node that holds the dataset.
 *
 * After a move, the node refuses writes (`hold_place`), or has no functions any more. The first such error makes the
 * database look for the dataset, prepare the new node and connect to it (home.ts). Other requests wait for that. A
 * statement that was refused changed nothing, so it is sent again. A transaction is refused with 503 `dataset-moving`.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from '../../base/observation.ts'
import {Problem} from '../../base/problem.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database, Transaction} from '../connection/pool.ts'
import {databaseCodeOf} from '../connection/problem-of.ts'
import {type Home, type HomeOptions, moving, openHome} from './home.ts'
import {type ClusterFault, checkCluster} from './moves.ts'
import type {SharedConnections} from './node-connections.ts'
import {blockNumbers} from './node-schema.ts'
import type {CitusCluster, Place} from './place.ts'
import {dropTables, migrateTables} from './prepare.ts'

export type Distributed = {
  readonly cluster: CitusCluster // as it was found
  readonly database: Database
  readonly probe: Database
  /** SQL for a number that increases whenever a node is prepared for the dataset. */
  readonly stayText: string
  /** Where the dataset is; undefined before it is created. */
  readonly place: () => Place | undefined
  /** Looks where the dataset is, and prepares that node. */
  readonly follow: () => Promise<void>
  /** Resolves when the node has statistics and the text index after a move. Never rejects. */
  readonly completed: () => Promise<void>
  /** Runs work on the coordinator, without a time limit for statements. */
  readonly onCoordinator: <Result>(work: (coordinator: Database) => Promise<Result>) => Promise<Result>
  /** Deletes the dataset. */
  readonly drop: () => Promise<void>
  /** The faults in the cluster that concern the dataset. */
  readonly check: () => Promise<readonly ClusterFault[]>
  readonly close: () => Promise<void>
}

const followWaitMs = 10_000 // a request waits so long for the new node

/**
 * Opens a dataset of a cluster.
 *
 * @param cluster  what any node of the cluster says
 */
export function openDistributed(cluster: CitusCluster, options: HomeOptions): Distributed {
  const {schema, connect} = options
  const home = openHome(cluster, options)
  const {place, follow, completed, look, close} = home

  async function onCoordinator<Result>(work: (coordinator: Database) => Promise<Result>): Promise<Result> {
    const coordinator = connect(cluster.coordinator)
    try {
      return await work(coordinator)
    } finally {
      await coordinator.end(1000)
    }
  }
  /** Creates the dataset or applies migrations to its tables, and prepares its node. Returns the applied files. */
  async function migrateInCluster(): Promise<readonly string[]> {
    const tables = await onCoordinator(coordinator => migrateTables(coordinator, options))
    return [...tables, ...(await home.prepare())]
  }
  const migrates = (asked: string) => (asked === schema ? migrateInCluster() : undefined)
  return {
    cluster,
    database: followerOf(home, ({database}) => database, migrates),
    probe: followerOf(home, ({probe}) => probe, migrates),
    stayText: `select value / ${blockNumbers} from ${quoteIdentifier(schema)}.node_mark where name = 'revision_seq'`,
    place,
    follow,
    completed,
    onCoordinator,
    async drop() {
      const found = await look()
      const node = found === undefined ? undefined : connect(found)
      await onCoordinator(coordinator => dropTables(coordinator, {node, schema})).finally(() => node?.end(1000))
    },
    check: () => checkCluster(cluster, home.connections().probe, options),
    close,
  }
}

type Choose = (connections: SharedConnections) => Database

/** @param choose  which of the databases of a node */
function followerOf(home: Home, choose: Choose, migrateInCluster: Database['migrateInCluster']): Database {
  const used = () => choose(home.connections())
  const ofDatasets = new Map<string, Database>()
  const refuse = (error: unknown) => refuseAsMoving(home, error)
  const database: Database = {
    get name() {
      return used().name
    },
    query: (...asked) => runAgain(home, connections => choose(connections).query(...asked)),
    cursor: (...asked) => translatedCursor(() => used().cursor(...asked), refuse),
    begin: (mode, work, how) => runOnce(home, () => used().begin(mode, work, how)),
    inSteps: (work, how) => runOnce(home, () => used().inSteps(work, how)),
    async openSnapshot(how) {
      const snapshot = await runOnce(home, () => used().openSnapshot(how))
      return {...translated(snapshot, refuse), close: snapshot.close}
    },
    read: (_, work) => work(database, undefined),
    ...(migrateInCluster === undefined ? {} : {migrateInCluster}),
    load: () => used().load(),
    forDataset(name) {
      const own = ofDatasets.get(name) ?? followerOf(home, one => choose(one).forDataset(name), migrateInCluster)
      ofDatasets.set(name, own)
      return own
    },
    end: () => home.close(),
  }
  return database
}

/** Runs a statement, and runs it again on the new node if the node has refused it. */
async function runAgain<Result>(home: Home, run: (connections: SharedConnections) => Promise<Result>): Promise<Result> {
  const connections = home.connections()
  try {
    return await run(connections)
  } catch (error) {
    if (!isRefusedByPlace(error)) throw error
    if (connections === home.connections()) await followed(home, error)
    return run(home.connections()).catch(again => refuseAsMoving(home, again))
  }
}

/** Runs a transaction. If the node refuses it, the caller may try again on the new node. */
async function runOnce<Result>(home: Home, run: () => Promise<Result>): Promise<Result> {
  if (home.isFollowing()) await followed(home, undefined)
  return run().catch(error => refuseAsMoving(home, error))
}

/** Resolves when the database is connected to the node of the dataset. Throws 503 if that takes long. */
async function followed(home: Home, cause: unknown): Promise<void> {
  const work = followReporting(home)
  const late = delay(followWaitMs, undefined, {ref: false}).then(() => Promise.reject(moving(cause)))
  await Promise.race([work, late]).catch(() => Promise.reject(moving(cause)))
}

function refuseAsMoving(home: Home, error: unknown): never {
  if (!isRefusedByPlace(error)) throw error
  void followReporting(home)
  throw moving(error)
}

/** Follows the dataset. A failure is observed. That the database was closed meanwhile is none. */
function followReporting(home: Home): Promise<void> {
  const work = home.follow()
  work.catch(error => {
    if (error?.name !== 'AbortError') observe({kind: 'failure', error})
  })
  return work
}

/** The statements of a snapshot, whose errors are translated. */
function translated(inner: Transaction, translate: (error: unknown) => never): Transaction {
  return {
    ...inner,
    query: (...asked) => inner.query(...asked).catch(translate) as never,
    cursor: (...asked) => translatedCursor(() => inner.cursor(...asked), translate) as never,
  }
}

async function* translatedCursor<Rows>(
  open: () => AsyncIterable<Rows>,
  translate: (error: unknown) => never,
): AsyncIterable<Rows> {
  try {
    yield* open()
  } catch (error) {
    translate(error)
  }
}

/**
 * Whether a node refused a statement because it does not hold the dataset any more, or because its numbers are used up.
 *
 * Unknown schemas, tables and functions: the node's schema is gone. XX000: so are types of a prepared statement. 2200H:
 * a sequence has reached the end of its block.
 */
function isRefusedByPlace(error: unknown): boolean {
  if (error instanceof Problem && error.rule === 'dataset-moving') return true
  const code = databaseCodeOf(error) ?? ''
  if (code === 'XX000') return error instanceof Error && error.message.startsWith('cache lookup failed')
  return ['3F000', '42P01', '42883', '42704', '2200H'].includes(code)
}
