/**
 * ORDER BY … LIMIT over OPTIONAL, by keys of the required part: takes the first solutions of that part, and looks for
 * optional ones for these only.
 *
 *   slice(k, orderBy(n, leftJoin(A, B)))  =>  slice(k, orderBy(n, leftJoin(slice(k, orderBy(n, A)), B)))
 *
 * Each solution of A has at least one solution in the left join, so the first k solutions of A lead to the first k of
 * all. Ties are broken by the values of A before those of B, so that pages neither overlap nor leave gaps.
 *
 * Source: SPARQL 1.1 §18.5 (LeftJoin, OrderBy, Slice).
 */
import type {Algebra, OrderKey} from '../../algebra.ts'
import {certainVariables, possibleVariables, variablesIn} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import {type Block, type Environment, noColumns, type Planner} from '../block.ts'
import {estimateNode} from '../join/estimate.ts'
import {boundTo} from '../join/estimate-triple.ts'
import {only} from '../join/lateral.ts'
import type {SortKey} from '../relation.ts'
import {orderOf} from './order.ts'

type Slice = Extract<Algebra, {type: 'slice'}>

const mostRows = 1000 // of the slice
const leastFactor = 2 // solutions of the required part for each row of the slice

/** @returns  the solutions before LIMIT and OFFSET; undefined if this is impossible or not worthwhile */
export function planBeforeOptional(planner: Planner, node: Slice, environment: Environment): Block | undefined {
  const {input: project, limit, offset} = node
  const {graph, outer} = environment
  if (project.type !== 'project' || project.input.type !== 'orderBy' || limit === undefined) return undefined
  const {keys, input} = project.input
  const count = offset + limit
  if (count > mostRows || graph.kind === 'each' || outer.size > 0) return undefined
  if (keys.some(({expression}) => isVolatile(expression))) return undefined
  const required = requiredPart(input, keys)
  if (required === undefined) return undefined
  const {rows} = estimateNode(required, {planner, graph, bound: boundTo([]), tests: []})
  if (rows < leastFactor * count) return undefined
  const variables = [...possibleVariables(required)]
  const ordered: Algebra = {type: 'orderBy', keys, input: required}
  const first: Slice = {type: 'slice', offset: 0, limit: count, input: {type: 'project', variables, input: ordered}}
  const block = planner.plan(replaced(input, required, first), {...environment, given: noColumns})
  const order = orderOf(planner, keys, {columns: block.columns, environment})
  const ties = [...only(block.columns, variables).values()].map(
    ({scalar, rep}): SortKey => ({scalar, isDescending: false, isText: rep === 'key'}),
  )
  return {...block, columns: only(block.columns, project.variables), order: {...order, keys: [...order.keys, ...ties]}}
}

/** The left side of the innermost OPTIONAL that can be added after the first solutions are known. */
function requiredPart(input: Algebra, keys: readonly OrderKey[]): Algebra | undefined {
  const names = keys.flatMap(({expression}) => variablesIn(expression))
  let node = input
  while (node.type === 'leftJoin') {
    // A variable that A may leave unbound could get a value from B.
    const certain = certainVariables(node.left)
    const own = possibleVariables(node.left)
    const added = possibleVariables(node.right)
    if ([...own, ...names].some(name => added.has(name) && !certain.has(name))) break
    node = node.left
  }
  return node === input ? undefined : node
}

/** The algebra with another node in place of the left side of one of its OPTIONALs. */
function replaced(node: Algebra, part: Algebra, other: Algebra): Algebra {
  if (node === part) return other
  return node.type === 'leftJoin' ? {...node, left: replaced(node.left, part, other)} : node
}
