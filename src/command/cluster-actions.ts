/**
 * The actions of `quadstead datasets` for a Citus cluster: they show where datasets are, and move them.
 */
import {Refusal} from '../base/refusal.ts'
import {cleanUp, findNode, type MoveMode, moveTables, rebalance} from '../db/citus/moves.ts'
import {nodeName} from '../db/citus/place.ts'
import {hasRegistry, openRegistry} from '../db/registry/registry.ts'
import type {Config} from '../settings/config.ts'
import {openStorage, type Storage} from '../storage.ts'
import {type Arguments, complain, isOptionGiven, print, textOption} from './command.ts'

type Action = (storage: Storage, config: Config, parameters: Arguments) => Promise<void>

const actions: Readonly<Record<string, Action>> = {nodes: showNodes, move, rebalance: rebalanceAll}

export function isClusterAction(name: string): boolean {
  return Object.hasOwn(actions, name)
}

export async function runClusterAction(given: Config, parameters: Arguments): Promise<number> {
  const [action = '', name, ...others] = parameters.operands
  if (
    others.length > 0 ||
    (action === 'rebalance' && name !== undefined) ||
    (action === 'move' && name === undefined)
  ) {
    const form = 'nodes [NAME], move NAME --to HOST:PORT [--block-writes], rebalance'
    throw new Refusal(`Expected ${form}, got "${parameters.operands.join(' ')}".`, {exitCode: 2})
  }
  const registry = await openStorage(given, 'registry')
  try {
    const schema = name === undefined ? given.database.schema : await schemaOf(registry, given, name)
    const config = {...given, database: {...given.database, schema}}
    const storage = await registry.inCluster?.(schema)
    try {
      await actions[action]?.(storage ?? registry, config, parameters)
      return 0
    } finally {
      await storage?.close()
    }
  } finally {
    await registry.close()
  }
}

/** The schema of a dataset: of the registry, or without one a schema by its name. */
async function schemaOf({database}: Storage, {datasets}: Config, name: string): Promise<string> {
  if (!(await hasRegistry(database, datasets.schema))) return name
  const entry = await openRegistry(database, datasets.schema).find(name)
  return entry?.schema ?? name
}

function inCluster({distributed}: Storage, {database: {schema}}: Config) {
  if (distributed !== undefined) return distributed
  throw new Refusal(`The dataset of schema ${schema} is not distributed in a Citus cluster.`)
}

async function showNodes(storage: Storage, config: Config): Promise<void> {
  const {cluster, place} = inCluster(storage, config)
  for (const node of cluster.nodes) {
    const role = node.group === 0 ? ' (coordinator)' : ''
    print(`${node.group === place()?.group ? '*' : ' '} ${nodeName(node)}${role}`)
  }
}

async function move(storage: Storage, config: Config, parameters: Arguments): Promise<void> {
  const {schema} = config.database
  const distributed = inCluster(storage, config)
  const name = textOption(parameters, 'to')
  if (name === undefined) throw new Refusal('Say where the dataset is to go: --to HOST:PORT.', {exitCode: 2})
  const to = findNode(distributed.cluster, name)
  const from = distributed.place()
  if (from?.group === to.group) return print(`The dataset of schema ${schema} is on ${name} already.`)
  const mode: MoveMode = isOptionGiven(parameters, 'block-writes') ? 'block_writes' : 'auto'
  await distributed.onCoordinator(async coordinator => {
    await moveTables(coordinator, schema, {to, mode})
    await distributed.follow()
    await distributed.completed()
    await cleanUp(coordinator)
  })
  print(`The dataset of schema ${schema} is on ${name} now.`)
}

async function rebalanceAll(storage: Storage, config: Config): Promise<void> {
  const distributed = inCluster(storage, config)
  let last = ''
  await distributed.onCoordinator(async coordinator => {
    await rebalance(coordinator, state => {
      if (state !== last) complain(state)
      last = state
    })
    await distributed.follow()
    await distributed.completed()
    await cleanUp(coordinator)
  })
  const place = distributed.place()
  print(`The cluster is balanced. The dataset of schema ${config.database.schema} is on ${place && nodeName(place)}.`)
}
