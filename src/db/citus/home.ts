/**
 * The connections to the node that holds a dataset. They follow the dataset when it moves to another node.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from '../../base/observation.ts'
import {Problem} from '../../base/problem.ts'
import {completeNode} from './complete-node.ts'
import type {SharedConnections} from './node-connections.ts'
import {type CitusCluster, type CitusNode, nodeName, type Place, readPlace} from './place.ts'
import {type ClusterOptions, prepareNode} from './prepare.ts'

export type HomeOptions = ClusterOptions & {
  readonly open: (node: CitusNode) => SharedConnections
}

export type Home = {
  readonly connections: () => SharedConnections
  /** Where the dataset is; undefined before it is created. */
  readonly place: () => Place | undefined
  /** Looks where the dataset is. Asks the current node, or another one if it does not answer. */
  readonly look: () => Promise<Place | undefined>
  /** Prepares the node of the dataset and connects to it. Returns the names of the applied SQL files. */
  readonly prepare: () => Promise<readonly string[]>
  /** The same, after a node has refused a statement. Concurrent calls share the work. */
  readonly follow: () => Promise<void>
  readonly isFollowing: () => boolean
  /** Resolves when the prepared node has statistics and the text index. Never rejects. */
  readonly completed: () => Promise<void>
  readonly close: () => Promise<void>
}

type Current = SharedConnections & {readonly group: number; readonly since: number}

const triesMs = [0, 50, 100, 200, 400, 800, 1000, 1000, 1000, 1000]
const reconnectMs = 5000 // the least time between two attempts with new connections to the same node
const oldConnectionsMs = 60_000 // statements on the old node have ended by then

/**
 * Connects to the node of a dataset; to the coordinator if it does not exist yet.
 *
 * After an error it opens new connections also if the dataset is on the same node: its schema may have been created
 * anew, which statements that are prepared on the old connections do not survive.
 */
export function openHome({nodes, place: found, coordinator}: CitusCluster, options: HomeOptions): Home {
  const {schema, open, connect} = options
  const connectTo = (node: CitusNode): Current => ({...open(node), group: node.group, since: performance.now()})
  let place = found
  let current = connectTo(place ?? coordinator)
  let following: Promise<void> | undefined
  const closing = new AbortController()
  const completion = createCompletion(options, closing.signal)
  const retired = createRetired()

  function look(): Promise<Place | undefined> {
    const others = () => nodes.filter(({group}) => group !== current.group).map(connect)
    const orElsewhere = (error: unknown) => askOthers(others(), schema).catch(() => Promise.reject(error))
    return readPlace(current.probe, schema).catch(orElsewhere)
  }
  async function prepare(isFollowing = false): Promise<readonly string[]> {
    for (const pauseMs of triesMs) {
      await delay(pauseMs, undefined, {signal: closing.signal})
      const node = await look()
      if (node === undefined) return []
      const database = connect(node)
      const applied = await prepareNode(database, node, options).finally(() => database.end(1000))
      if (applied === undefined) continue // it has moved on
      switchTo(node, isFollowing)
      completion.begin(node)
      return applied
    }
    throw moving(undefined)
  }
  function switchTo(node: Place, isFollowing: boolean): void {
    const isOther = node.group !== current.group
    place = node
    if (!isOther && (!isFollowing || performance.now() - current.since < reconnectMs)) return
    retired.add(current)
    current = connectTo(node)
    if (isOther) observe({kind: 'dataset-moved', schema, node: nodeName(node)})
  }

  return {
    connections: () => current,
    place: () => place,
    look,
    prepare,
    follow() {
      following ??= prepare(true)
        .then(() => undefined)
        .finally(() => {
          following = undefined
        })
      return following
    },
    isFollowing: () => following !== undefined,
    completed: completion.ended,
    async close() {
      closing.abort()
      await following?.catch(() => undefined)
      await Promise.all([current.close(), retired.close(), completion.ended()])
    },
  }
}

/** Completes nodes in the background, one after the other, until the signal aborts. */
function createCompletion({connect, schema}: HomeOptions, closing: AbortSignal) {
  let last: Promise<void> = Promise.resolve()
  async function complete(node: Place): Promise<void> {
    if (closing.aborted) return
    const database = connect(node)
    const end = () => void database.end(0)
    closing.addEventListener('abort', end)
    try {
      await completeNode(database, schema)
    } catch (error) {
      if (!closing.aborted) observe({kind: 'failure', error})
    } finally {
      closing.removeEventListener('abort', end)
      await database.end(1000)
    }
  }
  return {
    begin(node: Place): void {
      last = last.then(() => complete(node))
    },
    ended: () => last,
  }
}

/** Connections that statements may still use, but no new ones. They are closed after a time. */
function createRetired() {
  const all = new Set<SharedConnections>()
  return {
    add(old: SharedConnections): void {
      old.retire()
      all.add(old)
      const end = () => old.close().finally(() => all.delete(old))
      setTimeout(() => void end(), oldConnectionsMs).unref()
    },
    async close(): Promise<void> {
      await Promise.all(Array.from(all, connections => connections.close()))
    },
  }
}

/** The answer of the first node that gives one. Ends the connections. */
async function askOthers(databases: readonly ReturnType<HomeOptions['connect']>[], schema: string) {
  try {
    return await Promise.any(databases.map(database => readPlace(database, schema)))
  } finally {
    await Promise.all(databases.map(database => database.end(1000)))
  }
}

/** 503 `dataset-moving`: the request had no effect. */
export function moving(cause: unknown): Problem {
  return new Problem(503, 'dataset-moving', 'The dataset is moving to another server; try again in a moment.', {
    headers: {'Retry-After': '1'},
    cause,
  })
}
