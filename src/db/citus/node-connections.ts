/**
 * The connections to the nodes of a Citus cluster, shared by the datasets that are on the same node.
 */
import type {Database} from '../connection/pool.ts'
import {type CitusNode, nodeName} from './place.ts'

/** The connections to a node. */
export type NodeConnections = {
  readonly database: Database
  readonly probe: Database
  /** Ends the use. Connections that nobody uses are closed. */
  readonly close: () => Promise<void>
}

export type SharedConnections = NodeConnections & {
  /** Keeps others from starting to use the connections: their prepared statements are out of date. */
  readonly retire: () => void
}

type Shared = {readonly connections: NodeConnections; users: number}

/** Returns a function that opens the connections to a node at the first use. */
export function shareNodes(open: (node: CitusNode) => NodeConnections): (node: CitusNode) => SharedConnections {
  const nodes = new Map<string, Shared>()
  return node => {
    const name = nodeName(node)
    const shared = nodes.get(name) ?? {connections: open(node), users: 0}
    nodes.set(name, shared)
    shared.users += 1
    let isUsed = true
    const retire = () => {
      if (nodes.get(name) === shared) nodes.delete(name)
    }
    return {
      ...shared.connections,
      retire,
      async close() {
        if (!isUsed) return
        isUsed = false
        shared.users -= 1
        if (shared.users > 0) return
        retire()
        await shared.connections.close()
      },
    }
  }
}
