/**
 * A database that follows a dataset through a Citus cluster: it connects to the node that holds the dataset.
 *
 * After a move, the node refuses writes (`hold_place`), or has no functions any more. The first such error makes the
 * database look for the dataset, prepare the new node and connect to it. Other requests wait for that. A statement that
 * was refused changed nothing, so it is sent again; a transaction is refused with 503 `dataset-moving`.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from '../../base/observation.ts'
import {Problem} from '../../base/problem.ts'
import type {Database, Snapshot, Transaction} from '../connection/pool.ts'
import {databaseCodeOf} from '../connection/problem-of.ts'
import type {QueryOptions} from '../connection/statement.ts'
import {type ClusterFault, checkCluster} from './moves.ts'
import type {SharedConnections} from './node-connections.ts'
import {type CitusCluster, type CitusNode, type Place, readCluster, readPlace} from './place.ts'
import {dropTables, migrateTables, type PrepareOptions, prepareNode} from './prepare.ts'

export type DistributedOptions = PrepareOptions & {
  readonly open: (node: CitusNode) => SharedConnections
}

export type Distributed = {
  readonly cluster: CitusCluster // as it was found
  readonly database: Database
  readonly probe: Database
  /** Where the dataset is; undefined before it is created. */
  readonly place: () => Place | undefined
  /** Looks where the dataset is, and prepares that node. */
  readonly follow: () => Promise<void>
  /** Runs work on the coordinator, without a time limit for statements. */
  readonly onCoordinator: <Result>(work: (coordinator: Database) => Promise<Result>) => Promise<Result>
  /** Deletes the dataset. */
  readonly drop: () => Promise<void>
  /** The faults in the cluster that concern the dataset. */
  readonly check: () => Promise<readonly ClusterFault[]>
  readonly close: () => Promise<void>
}

type Current = SharedConnections & {readonly group: number; readonly since: number}

const followWaitMs = 10_000 // a request waits so long for the new node
const triesMs = [0, 50, 100, 200, 400, 800, 1000, 1000, 1000, 1000]
const reconnectMs = 5000 // the least time between two attempts with new connections to the same node
const oldConnectionsMs = 60_000 // statements on the old node have ended by then

/**
 * Opens a dataset of a cluster.
 *
 * @param cluster  what any node of the cluster says
 */
export function openDistributed(cluster: CitusCluster, options: DistributedOptions): Distributed {
  const {schema, open, connect} = options
  let nodes = cluster.nodes
  let place = cluster.place
  let current = connectTo(place ?? cluster.coordinator)
  let following: Promise<void> | undefined
  const closing = new AbortController()

  function connectTo(node: CitusNode): Current {
    return {...open(node), group: node.group, since: performance.now()}
  }

  /** Asks the current node, or another one if it does not answer. */
  async function look(): Promise<Place | undefined> {
    const others = nodes.filter(({group}) => group !== current.group)
    try {
      return await readPlace(current.probe, schema)
    } catch (error) {
      for (const node of others) {
        const database = connect(node)
        try {
          return await readPlace(database, schema)
        } catch {
          // The next node may answer.
        } finally {
          await database.end(1000)
        }
      }
      throw error
    }
  }

  async function prepare({isFollowing}: {readonly isFollowing: boolean}): Promise<readonly string[]> {
    for (const pauseMs of triesMs) {
      await delay(pauseMs, undefined, {signal: closing.signal})
      const found = await look()
      if (found === undefined) return []
      const database = connect(found)
      const applied = await prepareNode(database, found, options).finally(() => database.end(1000))
      if (applied === undefined) continue // it has moved on
      switchTo(found, isFollowing)
      return applied
    }
    throw moving(undefined)
  }

  /**
   * Connects to the node that has the dataset. After an error also if it is the same node: its schema may have been
   * created anew, which statements that are prepared on the old connections do not survive.
   */
  function switchTo(found: Place, isFollowing: boolean): void {
    const isOther = found.group !== current.group
    place = found
    const isRecent = performance.now() - current.since < reconnectMs
    if (!isOther && (!isFollowing || isRecent)) return
    const old = current
    old.retire()
    current = connectTo(found)
    if (isOther) observe({kind: 'dataset-moved', schema, node: `${found.host}:${found.port}`})
    setTimeout(() => void old.close(), oldConnectionsMs).unref()
    void readCluster(current.probe, schema).then(
      known => {
        nodes = known?.nodes ?? nodes
      },
      () => undefined,
    )
  }

  function follow(): Promise<void> {
    following ??= prepare({isFollowing: true})
      .then(() => undefined)
      .finally(() => {
        following = undefined
      })
    return following
  }

  /** Resolves when the database is connected to the node of the dataset. Throws 503 if that takes long. */
  async function followed(cause: unknown): Promise<void> {
    const work = follow()
    work.catch(error => observe({kind: 'failure', error}))
    const late = delay(followWaitMs, undefined, {ref: false}).then(() => Promise.reject(moving(cause)))
    await Promise.race([work, late]).catch(() => Promise.reject(moving(cause)))
  }

  /** Runs a statement, and runs it again on the new node if the node has refused it. */
  async function again<Result>(run: (connections: Current) => Promise<Result>): Promise<Result> {
    const used = current
    try {
      return await run(used)
    } catch (error) {
      if (!isRefusedByPlace(error)) throw error
      if (used === current) await followed(error)
      return run(current).catch(refuseAsMoving)
    }
  }

  /** Runs a transaction. If the node refuses it, the caller may try again on the new node. */
  async function once<Result>(run: (connections: Current) => Promise<Result>): Promise<Result> {
    if (following !== undefined) await followed(undefined)
    return run(current).catch(refuseAsMoving)
  }

  function refuseAsMoving(error: unknown): never {
    if (!isRefusedByPlace(error)) throw error
    follow().catch(cause => observe({kind: 'failure', error: cause}))
    throw moving(error)
  }

  function follower(choose: (connections: Current) => Database): Database {
    const ofDatasets = new Map<string, Database>()
    const database: Database = {
      get name() {
        return choose(current).name
      },
      query: (...asked) => again(used => choose(used).query(...asked)),
      async *cursor<Result extends object>(
        text: string,
        values: Parameters<Database['cursor']>[1],
        how: QueryOptions & {readonly batchRows: number},
      ) {
        try {
          yield* choose(current).cursor<Result>(text, values, how)
        } catch (error) {
          refuseAsMoving(error)
        }
      },
      begin: (mode, work, how) => once(used => choose(used).begin(mode, work, how)),
      inSteps: (work, how) => once(used => choose(used).inSteps(work, how)),
      async openSnapshot(how) {
        const snapshot = await once(used => choose(used).openSnapshot(how))
        return {...translated(snapshot, refuseAsMoving), close: snapshot.close}
      },
      read: (_, work) => work(database, undefined),
      migrateInCluster: asked => (asked === schema ? migrateHere() : undefined),
      load: () => choose(current).load(),
      forDataset(name) {
        const own = ofDatasets.get(name) ?? follower(used => choose(used).forDataset(name))
        ofDatasets.set(name, own)
        return own
      },
      async end() {
        await closeAll()
      },
    }
    return database
  }

  /** Creates the dataset or applies migrations to its tables, and prepares its node. Returns the applied files. */
  async function migrateHere(): Promise<readonly string[]> {
    const tables = await onCoordinator(coordinator => migrateTables(coordinator, options))
    return [...tables, ...(await prepare({isFollowing: false}))]
  }

  async function onCoordinator<Result>(work: (coordinator: Database) => Promise<Result>): Promise<Result> {
    const coordinator = connect(cluster.coordinator)
    try {
      return await work(coordinator)
    } finally {
      await coordinator.end(1000)
    }
  }

  async function closeAll(): Promise<void> {
    closing.abort()
    await following?.catch(() => undefined)
    await current.close()
  }

  return {
    database: follower(({database}) => database),
    probe: follower(({probe}) => probe),
    place: () => place,
    cluster,
    follow,
    onCoordinator,
    async drop() {
      const found = await look()
      const node = found === undefined ? undefined : connect(found)
      await onCoordinator(coordinator => dropTables(coordinator, {node, schema})).finally(() => node?.end(1000))
    },
    check: () => checkCluster(cluster, current.probe, options),
    close: closeAll,
  }
}

/** The statements of a snapshot, whose errors are translated. */
function translated<Inner extends Transaction | Snapshot>(inner: Inner, translate: (error: unknown) => never): Inner {
  return {
    ...inner,
    query: <Result extends object>(...asked: Parameters<Transaction['query']>) =>
      inner.query<Result>(...asked).catch(translate),
    async *cursor<Result extends object>(...asked: Parameters<Transaction['cursor']>) {
      try {
        yield* inner.cursor<Result>(...asked)
      } catch (error) {
        translate(error)
      }
    },
  }
}

/**
 * Whether a node refused a statement because it does not hold the dataset any more, or because its numbers are used up.
 *
 * Unknown schemas, tables and functions: the node's schema is gone. XX000: so are types of a prepared statement. 2200H: a sequence has reached the end of its block.
 */
function isRefusedByPlace(error: unknown): boolean {
  if (error instanceof Problem && error.rule === 'dataset-moving') return true
  const code = databaseCodeOf(error) ?? ''
  if (code === 'XX000') return error instanceof Error && error.message.startsWith('cache lookup failed')
  return ['3F000', '42P01', '42883', '42704', '2200H'].includes(code)
}

/** 503 `dataset-moving`: the write was not done. */
function moving(cause: unknown): Problem {
  return new Problem(503, 'dataset-moving', 'The dataset is moving to another server; try again in a moment.', {
    headers: {'Retry-After': '1'},
    cause,
  })
}
