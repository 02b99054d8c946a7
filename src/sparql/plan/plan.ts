/**
 * Plans the SQL of a query from its algebra. Each operator has its own planning function.
 *
 * Constants are resolved before: their ids are part of the SQL text, so that PostgreSQL can use them in its estimates.
 * Source: SPARQL 1.1 §18.6 (evaluation semantics).
 */
import {Problem} from '../../base/problem.ts'
import type {Algebra, Query} from '../algebra.ts'
import {findBranches} from '../analyse/branches.ts'
import type {ModifyOperation} from '../operation.ts'
import {
  type Block,
  type Column,
  type Environment,
  noColumns,
  type Planner,
  rowsOf,
  selectColumns,
  type TermRep,
  termColumn,
  unitBlock,
} from './block.ts'
import {planDescribe} from './describe.ts'
import {planBranches} from './expression/additive.ts'
import {planDifferent} from './group/different.ts'
import {planGroup} from './group/group.ts'
import {planExtend, planFilter, planMinus, planValues} from './join/combine.ts'
import {inGraphs, planGraph} from './join/graph.ts'
import {planConjunction} from './join/join.ts'
import {planLeftJoin} from './join/left-join.ts'
import {neededFrom} from './join/needed.ts'
import {planSearch} from './join/search.ts'
import {planTable} from './join/table.ts'
import {planTriples} from './join/triples.ts'
import {planUnion} from './join/union.ts'
import {wantedFrom} from './order/first-rows.ts'
import {withTies} from './order/order.ts'
import {lookUpTogether} from './order/terms-together.ts'
import {planQuads} from './quads.ts'
import {number, type SqlQuery} from './relation.ts'
import {planDistinct, planOrder, planProject, planSlice} from './solution.ts'

/** What a planner is created for: the facts of the store, and the terms and the dataset of a query. */
export type PlannerContext = Omit<Planner, 'plan' | 'fresh'>

/** The SQL of a query. Its column c<n> holds the variable `columns[n]`. */
export type PlannedQuery = {
  readonly query: SqlQuery
  readonly columns: readonly {readonly name: string; readonly rep: TermRep}[]
  readonly rows: number // estimated
}

/**
 * Plans a whole query.
 *
 * @param variables  the variables that the result needs
 * @throws           Problem 403 `federation-disabled`
 */
export function planQuery(query: Query, variables: readonly string[], context: PlannerContext): PlannedQuery {
  const planner = createPlanner(context)
  const environment: Environment = {graph: {kind: 'default'}, outer: noColumns, given: noColumns}
  if (query.form === 'construct') return planConstruct(planner, query, variables, environment)
  const isAsk = query.form === 'ask'
  const wanted = isAsk ? wantedFrom(query.pattern, 1) : undefined
  const solutions = () => planner.plan(query.pattern, {...environment, wanted, isPartial: isAsk})
  if (query.form === 'describe') {
    const values = variables.length === 0 ? undefined : selectVariables(planner, solutions(), variables)
    return planDescribe(planner, query, values, environment)
  }
  const block = solutions()
  if (query.form === 'ask') {
    const inner: SqlQuery = {
      kind: 'select',
      columns: [{name: 'c0', scalar: number(1)}],
      from: block.from,
      where: block.where,
    }
    return {
      query: {
        kind: 'select',
        columns: [{name: 'c0', scalar: {kind: 'exists', query: inner}}],
        from: undefined,
        where: [],
      },
      columns: [],
      rows: 1,
    }
  }
  return selectVariables(planner, block, variables)
}

/**
 * Plans DELETE and INSERT of an update: the solutions of WHERE once, and from them all quads.
 *
 * @throws  Problem 403 `federation-disabled`
 */
export function planModify(operation: ModifyOperation, context: PlannerContext): PlannedQuery {
  const {where, deleted, inserted} = operation
  const planner = createPlanner(context)
  const environment: Environment = {graph: {kind: 'default'}, outer: noColumns, given: noColumns}
  const solutions = selectVariables(planner, planner.plan(where.pattern, environment), where.variables)
  const quads = planQuads(planner, {deleted, inserted}, solutions)
  return {...quads, rows: (deleted.length + inserted.length) * solutions.rows}
}

function planConstruct(
  planner: Planner,
  {template, pattern, rows}: Extract<Query, {form: 'construct'}>,
  variables: readonly string[],
  environment: Environment,
): PlannedQuery {
  const branches = findBranches(template, pattern)
  const planned = branches === undefined ? undefined : planBranches(planner, branches, environment)
  const selected = selectVariables(planner, planned?.block ?? planner.plan(pattern, environment), variables)
  const solutions = planned === undefined ? selected : {...selected, query: planned.around(selected.query)}
  if (rows === undefined) return solutions
  const columns = ['s', 'p', 'o'].map(name => ({name, rep: 'id'}) as const)
  return {query: planTriples(planner, template, solutions), columns, rows: template.length * solutions.rows}
}

function selectVariables(planner: Planner, solutions: Block, variables: readonly string[]): PlannedQuery {
  const block = lookUpTogether(planner, solutions)
  const columns = variables.flatMap((name): [string, Column][] => {
    const held = block.columns.get(name)
    return held === undefined ? [] : [[name, held]]
  })
  const terms = columns.map(([name, held]) => [name, termColumn(planner, held)] as const)
  return {
    query: {
      kind: 'select',
      columns: selectColumns({...block, columns: new Map(terms)}),
      from: block.from,
      where: block.where,
      orderBy: withTies({...block, columns: new Map(columns)})?.keys ?? [],
    },
    columns: terms.map(([name, {rep}]) => ({name, rep})),
    rows: rowsOf(block),
  }
}

function createPlanner(context: PlannerContext): Planner {
  let made = 0
  const planner: Planner = {
    ...context,
    plan: (node, environment) => planNode(planner, node, environment),
    fresh: () => `t${made++}`,
  }
  return planner
}

function planNode(planner: Planner, node: Algebra, environment: Environment): Block {
  switch (node.type) {
    case 'bgp':
      return node.patterns.length === 0
        ? inGraphs(planner, unitBlock, environment)
        : planConjunction(planner, node, environment)
    case 'path':
    case 'join':
      return planConjunction(planner, node, environment)
    case 'leftJoin':
      return planLeftJoin(planner, node, environment)
    case 'filter':
      return planFilter(planner, node, environment)
    case 'union':
      return planUnion(planner, node, environment)
    case 'graph':
      return planGraph(planner, node, environment)
    case 'minus':
      return planMinus(planner, node, environment)
    case 'extend':
      return planExtend(planner, node, environment)
    case 'values':
      return planValues(planner, node, environment)
    case 'group':
      return planGroup(planner, node, environment)
    case 'orderBy':
      return planOrder(planner, node, environment)
    case 'project':
      return planProject(planner, node, environment)
    case 'distinct':
      return (
        planDifferent(planner, node.input, environment) ??
        planDistinct(planner, planner.plan(node.input, {...environment, needed: neededFrom(node.input)}), environment)
      )
    case 'reduced':
      return planner.plan(node.input, environment)
    case 'slice':
      return planSlice(planner, node, environment)
    case 'search':
      return planSearch(planner, node, environment)
    case 'table':
      return planTable(planner, node, environment)
    case 'service':
      if (node.isSilent) return inGraphs(planner, unitBlock, environment)
      throw new Problem(403, 'federation-disabled', `SERVICE is not allowed here: ${serviceName(node)}.`)
  }
}

function serviceName({name}: Extract<Algebra, {type: 'service'}>): string {
  return name.termType === 'Variable' ? `?${name.value}` : `<${name.value}>`
}
