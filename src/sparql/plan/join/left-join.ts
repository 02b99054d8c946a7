/**
 * Plans OPTIONAL, either for each solution on the left or once for all of them, whichever is cheaper.
 *
 * Source: SPARQL 1.1 §18.5 (LeftJoin), §18.6 (its evaluation).
 */
import type {Algebra, Expression} from '../../algebra.ts'
import {conjunction, conjuncts, filterBy} from '../../analyse/conjuncts.ts'
import {isPlainTest} from '../../analyse/plain-test.ts'
import {certainVariables, variablesIn} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import {
  type Block,
  type Column,
  derive,
  type Environment,
  isPlain,
  joinable,
  matchColumns,
  noColumns,
  type Planner,
  rowsOf,
  substitution,
} from '../block.ts'
import {planTests} from '../expression/test.ts'
import type {From} from '../relation.ts'
import {testedColumns} from '../tested.ts'
import {joinBlocks} from './attach.ts'
import {estimateNode} from './estimate.ts'
import {boundTo} from './estimate-triple.ts'
import {givable, lateral} from './lateral.ts'

type Node<Type extends Algebra['type']> = Extract<Algebra, {type: Type}>

type Condition = Node<'leftJoin'>['condition']

/** Plans a left join: variables of the right side are null if nothing matches. The condition sees both sides. */
export function planLeftJoin(planner: Planner, node: Node<'leftJoin'>, environment: Environment): Block {
  const {left, right, condition} = node
  return leftJoinBlocks(planner, planner.plan(left, environment), right, condition, environment)
}

export function leftJoinBlocks(
  planner: Planner,
  planned: Block,
  whole: Algebra,
  condition: Condition,
  environment: Environment,
): Block {
  const {optional, test} = withOwnTests(whole, condition)
  const left = planned.from === undefined ? derive(planner, planned) : joinable(planner, planned)
  const right = planOptional(planner, left, optional, environment)
  const joined = joinBlocks(planner, {...left, from: undefined, where: []}, {...right, from: undefined})
  const tests = test === undefined ? [] : planTests(planner, test, {columns: joined.columns, environment})
  const columns = new Map<string, Column>(left.columns)
  for (const [name, held] of testedColumns(right.columns, tests)) {
    const known = left.columns.get(name)
    const late = {...held, isNullable: true}
    if (known === undefined) columns.set(name, late)
    else if (known.isNullable) columns.set(name, matchColumns(planner, known, late).column)
  }
  const on = [...joined.where, ...tests, ...substitution(planner, right.columns, environment.outer)]
  if (left.from === undefined || right.from === undefined) throw new Error('a side of a left join has no table')
  const from: From = {kind: 'join', type: 'left', left: left.from, right: right.from, on}
  return {from, where: left.where, columns, order: undefined, rows: rowsOf(left)}
}

/**
 * The right side with the tests that see only its certain variables: they have the same value before the join. Then the
 * estimate counts them, and the terms of many rows are looked up together.
 */
function withOwnTests(right: Algebra, condition: Condition): {optional: Algebra; test: Condition} {
  const tests = condition === undefined ? [] : conjuncts(condition)
  const certain = certainVariables(right)
  const isOwn = (test: Expression) =>
    isPlainTest(test) && !isVolatile(test) && variablesIn(test).every(name => certain.has(name))
  const own = tests.filter(isOwn)
  if (own.length === 0) return {optional: right, test: condition}
  return {optional: filterBy(right, own), test: conjunction(tests.filter(one => !own.includes(one)))}
}

/** Plans the right side as a lateral sub-select or as a table that is read once, whichever is cheaper. */
function planOptional(planner: Planner, left: Block, optional: Algebra, environment: Environment): Block {
  const given = givable(left.columns)
  const context = {planner, graph: environment.graph, tests: []}
  const each = estimateNode(optional, {...context, bound: boundTo(given.keys())})
  const whole = estimateNode(optional, {...context, bound: boundTo([])})
  const cheaper = rowsOf(left) * each.cost <= whole.cost + rowsOf(left) ? 'each' : 'whole'
  if ((planner.forced?.optional ?? cheaper) === 'each') {
    const probes = {runs: rowsOf(left), values: undefined}
    return lateral(planner, planner.plan(optional, {...environment, given}), left.columns, probes)
  }
  const inner = planner.plan(optional, {...environment, given: noColumns})
  return isPlain(inner) ? inner : derive(planner, inner)
}
