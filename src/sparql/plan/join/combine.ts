/**
 * Plans FILTER, BIND, MINUS and VALUES.
 *
 * Source: SPARQL 1.1 §18.5 (definitions of the operators), §18.6 (their evaluation).
 */

import type {Term} from '../../../rdf/term.ts'
import type {Algebra, Expression} from '../../algebra.ts'
import {conjuncts} from '../../analyse/conjuncts.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import {
  areAllNeeded,
  type Block,
  type Column,
  type Columns,
  derive,
  type Environment,
  isGraphVariable,
  matchColumns,
  type Planner,
  rowsOf,
  substitution,
} from '../block.ts'
import {hasLabelledNode, planColumn, solutionVariable} from '../expression/expression.ts'
import {lookUpForRows} from '../expression/joined-terms.ts'
import {repeatsColumns} from '../expression/scalars.ts'
import {sizeOf} from '../expression/size.ts'
import {planTests} from '../expression/test.ts'
import {listedColumn} from '../expression/value-column.ts'
import {call, column, type From, isNotNull, isNull, number, type Scalar, type SqlQuery} from '../relation.ts'
import {withTests} from '../tested.ts'
import {inGraphs} from './graph.ts'
import {planConjunction} from './join.ts'
import {givable} from './lateral.ts'
import {isConjunction} from './operand.ts'

type Node<Type extends Algebra['type']> = Extract<Algebra, {type: Type}>

export function planFilter(planner: Planner, node: Node<'filter'>, environment: Environment): Block {
  if (isConjunction(node.input)) return planConjunction(planner, node.input, environment, conjuncts(node.condition))
  return filterBlock(planner, planner.plan(node.input, environment), node.condition, environment)
}

export function filterBlock(planner: Planner, block: Block, condition: Expression, environment: Environment): Block {
  const planned = (input: Block, tests: readonly Expression[]): Block => {
    const sight = {columns: input.columns, environment, rows: rowsOf(block)}
    return withTests(
      input,
      tests.flatMap(test => planTests(planner, test, sight)),
    )
  }
  const tests = conjuncts(condition)
  const repeats = (test: Expression) => areGroups(block) && planned(block, [test]).where.some(repeatsColumns)
  const [late, early] = [tests.filter(repeats), tests.filter(test => !repeats(test))]
  const first = planned(block, early)
  const all = late.length === 0 ? first : planned(derive(planner, first, {isFenced: true}), late)
  const filtered = {...all, rows: rowsOf(block) / 3}
  return areAllNeeded(environment) ? lookUpForRows(planner, filtered, rowsOf(block)) : filtered
}

/** Whether a block is one subquery of groups, whose results PostgreSQL would copy into each condition. */
function areGroups({from}: Block): boolean {
  return from?.kind === 'query' && from.query.kind === 'select' && from.query.groupBy !== undefined
}

/**
 * Plans BIND. A volatile expression must be computed once per solution, so a fence follows it. A fence also follows a
 * large expression, which would otherwise be repeated and computed at each use of its variable.
 */
export function planExtend(planner: Planner, node: Node<'extend'>, environment: Environment): Block {
  const input = planner.plan(node.input, {...environment, given: without(environment.given, node.variable)})
  return extendBlock(planner, input, node, environment)
}

export function extendBlock(planner: Planner, block: Block, node: Node<'extend'>, environment: Environment): Block {
  const needsSolution = hasLabelledNode(node.expression)
  let input = block
  if (needsSolution && !input.columns.has(solutionVariable)) {
    const solution: Column = {scalar: call('sparql_uuid'), rep: 'key', isNullable: false, isNode: false}
    input = derive(planner, withColumn(input, solutionVariable, solution), {isFenced: true})
  }
  const held = planColumn(planner, node.expression, {columns: input.columns, environment})
  const extended = withColumn(input, node.variable, held)
  if (isVolatile(node.expression)) return derive(planner, extended, {isFenced: true})
  if (sizeOf(held.scalar) <= inlineSize) return extended
  const computed = areAllNeeded(environment) ? lookUpForRows(planner, extended) : extended
  return derive(planner, computed, {isFenced: true})
}

function without(columns: Columns, name: string): Columns {
  return new Map([...columns].filter(([held]) => held !== name))
}

const inlineSize = 150 // nodes of a scalar: about five functions of stored terms

function withColumn(block: Block, name: string, held: Column): Block {
  return {...block, columns: new Map([...block.columns, [name, held]])}
}

/**
 * Plans MINUS: keeps solutions that have no compatible solution on the right with a shared bound variable. The name of
 * the graph must match, but does not count as a shared variable. Neither does a variable that EXISTS has substituted.
 */
export function planMinus(planner: Planner, node: Node<'minus'>, environment: Environment): Block {
  const left = planner.plan(node.left, environment)
  const right = planner.plan(node.right, {...environment, given: givable(left.columns)})
  const shared = [...right.columns.keys()].filter(name => left.columns.has(name))
  const variables = shared.filter(name => !isGraphVariable(name))
  if (variables.length === 0) return left
  const conditions: Scalar[] = []
  const together: Scalar[] = []
  for (const name of shared) {
    const [l, r] = [left.columns.get(name) as Column, right.columns.get(name) as Column]
    conditions.push(...matchColumns(planner, l, r).conditions)
    const substituted = environment.outer.get(name)
    if (isGraphVariable(name) || substituted?.isNullable === false) continue
    const bound: Scalar[] = [l, r].filter(held => held.isNullable).map(({scalar}) => isNotNull(scalar))
    together.push({kind: 'all', conditions: substituted === undefined ? bound : [...bound, isNull(substituted.scalar)]})
  }
  if (together.length === 0) return left
  const isCertain = together.some(both => both.kind === 'all' && both.conditions.length === 0)
  const where = [
    ...right.where,
    ...conditions,
    ...substitution(planner, right.columns, environment.outer),
    ...(isCertain ? [] : [{kind: 'any', conditions: together} as const]),
  ]
  const query: SqlQuery = {kind: 'select', columns: [{name: 'c0', scalar: number(1)}], from: right.from, where}
  return {...left, where: [...left.where, {kind: 'not', condition: {kind: 'exists', query}}]}
}

export function planValues(planner: Planner, node: Node<'values'>, environment: Environment): Block {
  const alias = planner.fresh()
  const {variables, rows} = node
  const columns = new Map<string, Column>(
    variables.map((name, index) => {
      const terms = rows.flatMap(row => (row[index] === undefined ? [] : [row[index]]))
      const listed = listedColumn(terms.map(term => [number(planner.idOf(term)), term]))
      return [name, {...listed, scalar: column(alias, `c${index}`), isNullable: terms.length < rows.length}]
    }),
  )
  const idsOf = (row: readonly (Term | undefined)[]) =>
    variables.map((_, index) => (row[index] === undefined ? undefined : planner.idOf(row[index])))
  const isEmpty = rows.length === 0
  const query: SqlQuery = {
    kind: 'values',
    names: variables.length === 0 ? ['c0'] : variables.map((_, index) => `c${index}`),
    rows: isEmpty
      ? [variables.length === 0 ? [undefined] : variables.map(() => undefined)]
      : rows.map(row => (variables.length === 0 ? [undefined] : idsOf(row))),
  }
  const where: Scalar[] = isEmpty ? [{kind: 'boolean', value: false}] : []
  for (const [name, held] of columns) {
    const given = environment.given.get(name)
    if (given !== undefined) where.push(...matchColumns(planner, held, given).conditions)
  }
  const from: From = {kind: 'query', query, alias, isLateral: false}
  const block: Block = {from, where, columns, order: undefined, rows: rows.length}
  return inGraphs(planner, block, environment)
}
