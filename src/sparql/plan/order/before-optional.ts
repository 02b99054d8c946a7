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
import {type Block, type Column, derive, type Environment, noColumns, type Planner} from '../block.ts'
import {estimateNode} from '../join/estimate.ts'
import {boundTo} from '../join/estimate-triple.ts'
import {only} from '../join/lateral.ts'
import {leftJoinBlocks} from '../join/left-join.ts'
import {withTies} from './order.ts'

type Slice = Extract<Algebra, {type: 'slice'}>
type LeftJoin = Extract<Algebra, {type: 'leftJoin'}>
type PlanFirst = (planner: Planner, node: Slice, environment: Environment) => Block

const mostRows = 1000 // of the slice
const leastFactor = 2 // solutions of the required part for each row of the slice

/**
 * @param planFirst  plans the solutions of a slice before LIMIT and OFFSET, in their order
 * @returns          the same; undefined if this is impossible or not worthwhile
 */
export function planBeforeOptional(
  planner: Planner,
  {input: project, limit, offset}: Slice,
  environment: Environment,
  planFirst: PlanFirst,
): Block | undefined {
  const {graph, outer} = environment
  if (project.type !== 'project' || project.input.type !== 'orderBy' || limit === undefined) return undefined
  const {keys, input} = project.input
  const count = offset + limit
  if (count > mostRows || graph.kind === 'each' || outer.size > 0) return undefined
  if (keys.some(({expression}) => isVolatile(expression))) return undefined
  const {required, optional} = partsOf(input, keys)
  const isWorthwhile = () =>
    estimateNode(required, {planner, graph, bound: boundTo([]), tests: []}).rows >= leastFactor * count
  if (optional.length === 0 || !isWorthwhile()) return undefined
  const variables = [...possibleVariables(required)]
  const ordered: Algebra = {type: 'orderBy', keys, input: required}
  const slice: Slice = {type: 'slice', offset: 0, limit: count, input: {type: 'project', variables, input: ordered}}
  const given = {...environment, given: noColumns}
  const {first, order} = firstOf(planner, planFirst(planner, slice, given), count)
  const all = optional.reduce(
    (block, {right, condition}) => leftJoinBlocks(planner, block, right, condition, given),
    first,
  )
  return {...all, columns: only(all.columns, project.variables), order}
}

/** The OPTIONALs that can be added after the first solutions are known, innermost first, and what is left without. */
function partsOf(input: Algebra, keys: readonly OrderKey[]) {
  const names = keys.flatMap(({expression}) => variablesIn(expression))
  const optional: LeftJoin[] = []
  let required = input
  while (required.type === 'leftJoin') {
    // A variable that A may leave unbound could get a value from B.
    const certain = certainVariables(required.left)
    const added = possibleVariables(required.right)
    const own = [...possibleVariables(required.left), ...names]
    if (own.some(name => added.has(name) && !certain.has(name))) break
    optional.unshift(required)
    required = required.left
  }
  return {required, optional}
}

/** The first solutions of a block, and their order over its columns. */
function firstOf(
  planner: Planner,
  block: Block,
  count: number,
): {readonly first: Block; readonly order: Block['order']} {
  const {keys = [], expressions = [], variables = new Set<string>()} = block.order ?? {}
  const made = keys.map(({scalar}, index): [string, Column] => {
    return [`.key${index}`, {scalar, rep: 'id', isNullable: true, isNode: false}]
  })
  const columns = new Map([...block.columns, ...made])
  const some = derive(planner, {...block, columns, order: withTies(block)}, {limit: count})
  const first = {...some, columns: only(some.columns, block.columns.keys())}
  const moved = keys.map((key, index) => ({...key, scalar: some.columns.get(`.key${index}`)?.scalar ?? key.scalar}))
  return {first, order: withTies({...first, order: {keys: moved, expressions, variables}})}
}
