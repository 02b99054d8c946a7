/**
 * ORDER BY … LIMIT over a UNION: takes the first solutions of each branch, and sorts these.
 *
 *   slice(k, orderBy(n, union(A, B)))  =>  slice(k, orderBy(n, union(first(A), first(B))))
 *   with first(A) = slice(k, orderBy(n, A))
 *
 * This is worthwhile if a branch can be read in order (rank.ts). Otherwise one sort of all solutions costs as much.
 */
import type {Algebra, OrderKey} from '../../algebra.ts'
import {variablesIn} from '../../analyse/variables.ts'
import type {Block, Environment, Planner} from '../block.ts'
import {formBitsOf} from '../extent.ts'
import {only} from '../join/lateral.ts'
import {unionBlocks} from '../join/union.ts'
import {orderOf} from './order.ts'
import {inOrderOf, toPage} from './page.ts'
import {findRoute} from './rank.ts'

type Slice = Extract<Algebra, {type: 'slice'}>

/** @returns  the solutions before LIMIT and OFFSET; undefined if this is impossible or not worthwhile */
export function planMerged(planner: Planner, node: Slice, environment: Environment): Block | undefined {
  const page = toPage(node)
  if (page?.input.type !== 'union') return undefined
  const {shown, keys, input: union, count} = page
  const variables = [...new Set([...shown, ...keys.flatMap(({expression}) => variablesIn(expression))])]
  const branches = union.inputs.map(input => inOrderOf(keys, input, {limit: count, shown: variables}))
  if (branches.every(branch => findRoute(planner, branch, environment) === undefined)) return undefined
  const blocks = branches.map(branch => planner.plan(branch, environment))
  const merged = unionBlocks(planner, blocks)
  if (!hasOneOrder(keys, [...blocks, merged])) return undefined
  const order = orderOf(planner, keys, {columns: merged.columns, environment})
  return {...merged, columns: only(merged.columns, shown), order}
}

/**
 * Whether the branches break ties as their union does, so that pages neither overlap nor leave gaps. A single variable
 * is ordered by ids, and thereby by forms of equal values, if all ids are of one kind (order.ts).
 */
function hasOneOrder([key, ...others]: readonly OrderKey[], blocks: readonly Block[]): boolean {
  if (key?.expression.type !== 'variable' || others.length > 0) return true
  const {name} = key.expression
  const ordered = blocks.flatMap(({columns}) => columns.get(name) ?? [])
  return new Set(ordered.map(({extent}) => formBitsOf(extent) !== undefined)).size < 2
}
