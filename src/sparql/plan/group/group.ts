/**
 * Plans GROUP BY and aggregates.
 *
 * A subquery computes keys and arguments as columns, so that each is computed once and groups are formed by terms.
 * Source: SPARQL 1.1 §11, §18.5.1.
 */
import type {Aggregate, Algebra, PatternTerm} from '../../algebra.ts'
import {isNamed} from '../../algebra.ts'
import {groupedBy} from '../../analyse/variables.ts'
import {
  type Block,
  type Column,
  derive,
  type Environment,
  isGraphVariable,
  keyOf,
  type Planner,
  rowsOf,
  substitution,
  termColumn,
} from '../block.ts'
import {planColumn, planExpression} from '../expression/expression.ts'
import {numberOf} from '../expression/number.ts'
import {repOfNumber} from '../expression/value.ts'
import {integers} from '../extent.ts'
import {only} from '../join/lateral.ts'
import {column, number, operator, type Scalar, type SortKey, type SqlQuery} from '../relation.ts'
import {planDifferent} from './different.ts'
import {groupEarly} from './early.ts'
import {extremeColumn} from './extreme.ts'
import {concatenation, textToGather} from './group-concat.ts'
import {type Summands, totalOf} from './total.ts'

type Group = Extract<Algebra, {type: 'group'}>

const nothing: Scalar = {kind: 'null', type: 'text'}

export function planGroup(planner: Planner, node: Group, environment: Environment): Block {
  const early = groupEarly(planner, node, environment)
  return early === undefined ? planGroupOnce(planner, node, environment) : planner.plan(early, environment)
}

function planGroupOnce(planner: Planner, node: Group, environment: Environment): Block {
  const ungrouped =
    planDifferentMembers(planner, node, environment) ??
    planner.plan(node.input, {...environment, given: only(environment.given, groupedBy(node))})
  const substituted = substitution(planner, ungrouped.columns, environment.outer)
  const input = {...ungrouped, where: [...ungrouped.where, ...substituted]}
  const sight = {columns: input.columns, environment}
  const prepared = new Map<string, Column>(input.columns)
  const isWhole = new Set<number>() // indexes of arguments that are always exact numbers or errors
  for (const [index, {expression}] of node.keys.entries()) {
    prepared.set(`.key${index}`, planColumn(planner, expression, sight)) // equal numbers are equal terms
  }
  for (const [index, {aggregate}] of node.aggregates.entries()) {
    if (aggregate.argument === undefined) continue
    const planned = planExpression(planner, aggregate.argument, sight)
    const isAdded = planned.type === 'key' && (aggregate.name === 'sum' || aggregate.name === 'avg')
    const value = (isAdded ? numberOf(planner, planned) : undefined) ?? planned
    prepared.set(`.argument${index}`, termColumn(planner, planColumn(planner, aggregate.argument, sight)))
    if (value.type !== 'number') continue
    const {scalar, otherwise, isInteger} = value
    if (otherwise === undefined) isWhole.add(index)
    const summand: Scalar = otherwise === undefined ? scalar : {kind: 'case', branches: [[otherwise.isExact, scalar]]}
    const rep = repOfNumber(value)
    prepared.set(summandOf(index, isInteger), {scalar: summand, rep, isNullable: true, isNode: false})
  }
  const table = gathered(planner, node, derive(planner, {...input, columns: prepared}, {}))
  const graphs = [...table.columns].filter(([name]) => isGraphVariable(name))
  const keys = node.keys.map(({variable}, index): [string, Column] => [variable, heldBy(table, `.key${index}`)])
  const results = node.aggregates.map(({variable, aggregate}, index): [string, Column] => {
    const argument = aggregate.argument === undefined ? undefined : heldBy(table, `.argument${index}`)
    const [integer, decimal] = [true, false].map(isInteger => table.columns.get(summandOf(index, isInteger)))
    const summed = integer ?? decimal
    const summands = summed && {scalar: summed.scalar, rank: integer === undefined ? 2 : 1, isWhole: isWhole.has(index)}
    const gatheredText = table.columns.get(textOf(index))?.scalar
    const held = {argument, summands, gatheredText, isOfAll: graphs.length + keys.length === 0}
    return [variable, aggregateColumn(planner, aggregate, held, table)]
  })
  const most = differentKeys(planner, node)
  return grouped(planner, table, [...graphs, ...keys], {results, most})
}

/** MIN and MAX of all values of an index column need each different value once, and these are found by steps. */
function planDifferentMembers(planner: Planner, {input, keys, aggregates}: Group, environment: Environment) {
  const [name, ...others] = new Set(aggregates.map(({aggregate}) => extremeVariable(aggregate)))
  if (keys.length > 0 || name === undefined || others.length > 0) return undefined
  return planDifferent(planner, {type: 'project', variables: [name], input}, environment)
}

function extremeVariable({name, argument}: Aggregate): string | undefined {
  return (name === 'min' || name === 'max') && argument?.type === 'variable' ? argument.name : undefined
}

/**
 * Sorts the table by its groups if an aggregate may grow, so that PostgreSQL completes one group after the other. A
 * hash aggregate limits its memory only when it adds groups. Also adds the texts for GROUP_CONCAT, so that each is
 * looked up once.
 */
function gathered(planner: Planner, node: Group, table: Block): Block {
  if (!node.aggregates.some(({aggregate}, index) => mayGrow(aggregate, table, index))) return table
  const columns = new Map(table.columns)
  for (const [index, {aggregate}] of node.aggregates.entries()) {
    if (aggregate.name !== 'group_concat') continue
    const scalar = textToGather(planner, aggregate, heldBy(table, `.argument${index}`))
    columns.set(textOf(index), {scalar, rep: 'key', isNullable: true, isNode: false})
  }
  const names = [...[...columns.keys()].filter(isGraphVariable), ...node.keys.map((_, index) => `.key${index}`)]
  const keys = names.map((name): SortKey => {
    return {scalar: heldBy(table, name).scalar, isDescending: false, isText: false, isBound: true}
  })
  const order = {keys, expressions: [], variables: new Set<string>()}
  return derive(planner, {...table, columns, order}, {offset: 0, isFenced: true})
}

/** Whether the state of an aggregate may grow with each member. */
function mayGrow({name, isDistinct}: Aggregate, table: Block, index: number): boolean {
  if (name === 'group_concat') return true
  const argument = table.columns.get(`.argument${index}`)
  if (argument?.rep !== 'key' || isDistinct || name === 'count') return false // DISTINCT sorts the members anyway
  return ![true, false].some(isInteger => table.columns.has(summandOf(index, isInteger)))
}

/** The name of the column for the value of an argument, if it is an exact number. */
function summandOf(index: number, isInteger = false): string {
  return `.${isInteger ? 'integer' : 'decimal'}${index}`
}

/** The name of the column of values that GROUP_CONCAT concatenates. */
function textOf(index: number): string {
  return `.text${index}`
}

function heldBy(table: Block, name: string): Column {
  const held = table.columns.get(name)
  if (held === undefined) throw new Error(`no column for ${name}`)
  return held
}

function grouped(
  planner: Planner,
  table: Block,
  keys: readonly (readonly [string, Column])[],
  {results, most}: {readonly results: readonly (readonly [string, Column])[]; readonly most: number},
): Block {
  const alias = planner.fresh()
  const shown = [...keys, ...results]
  const query: SqlQuery = {
    kind: 'select',
    columns:
      shown.length === 0
        ? [{name: 'c0', scalar: {kind: 'aggregate', name: 'count', isDistinct: false, arguments: []}}]
        : shown.map(([, {scalar}], index) => ({name: `c${index}`, scalar})),
    from: table.from,
    where: table.where,
    groupBy: keys.map(([, {scalar}]) => scalar),
  }
  const columns = new Map(shown.map(([name, held], index) => [name, {...held, scalar: column(alias, `c${index}`)}]))
  const rows = keys.length === 0 ? 1 : Math.min(rowsOf(table), most)
  return {from: {kind: 'query', query, alias, isLateral: false}, where: [], columns, order: undefined, rows}
}

/** The greatest number of groups that statistics allow, if all keys are variables of one basic graph pattern. */
function differentKeys({facts: {frequencies}, idOf}: Planner, {input, keys}: Group): number {
  if (input.type !== 'bgp') return Number.POSITIVE_INFINITY
  const different = (name: string): number => {
    const numbers = input.patterns.map(({subject, predicate, object}) => {
      const counted = predicate.termType === 'Variable' ? undefined : frequencies.predicates.get(idOf(predicate))
      const is = (term: PatternTerm) => term.termType === 'Variable' && term.value === name
      const [ofSubject, ofObject] = [
        is(subject) ? counted?.subjects : undefined,
        is(object) ? counted?.objects : undefined,
      ]
      return Math.min(ofSubject ?? Number.POSITIVE_INFINITY, ofObject ?? Number.POSITIVE_INFINITY)
    })
    return Math.max(1, Math.min(...numbers))
  }
  return keys
    .map(({expression}) => (expression.type === 'variable' ? different(expression.name) : Number.POSITIVE_INFINITY))
    .reduce((product, number) => product * number, 1)
}

type Argument = {
  readonly argument: Column | undefined // undefined: of COUNT(*)
  readonly summands: Summands | undefined
  readonly gatheredText: Scalar | undefined // of GROUP_CONCAT
  readonly isOfAll: boolean // a single group (no keys, no GRAPH ?g), which may have no members
}

function aggregateColumn(planner: Planner, aggregate: Aggregate, held: Argument, table: Block): Column {
  const {argument, summands, gatheredText = nothing, isOfAll} = held
  const key = (scalar: Scalar, isNullable: boolean): Column => ({scalar, rep: 'key', isNullable, isNode: false})
  const {isDistinct} = aggregate
  const apply = (name: string, ...args: readonly Scalar[]): Scalar => ({
    kind: 'aggregate',
    name,
    isDistinct: isDistinct && args.length > 0,
    arguments: args,
  })
  if (argument === undefined) return countColumn(countSolutions(isDistinct, table))
  const term = keyOf(planner, argument)
  switch (aggregate.name) {
    case 'count':
      return countColumn(apply('count', argument.scalar))
    case 'sum':
    case 'avg':
      return totalOf(aggregate.name, {argument, summands, isDistinct, term, isOfAll})
    case 'min':
    case 'max':
      return extremeColumn(aggregate.name, {argument, summands, term, isOfAll})
    case 'sample':
      return {...argument, scalar: apply('min', argument.scalar), isNullable: true}
    case 'group_concat':
      return key(concatenation(aggregate, gatheredText), true)
  }
}

/** A row count as the id of an inline integer, so that it is sorted and compared by id. */
function countColumn(count: Scalar): Column {
  const {low, step} = integers
  const scalar = operator('+', operator('*', count, number(step)), number(low))
  return {scalar, rep: 'id', isNullable: false, isNode: false, extent: integers}
}

/** COUNT(*) or COUNT(DISTINCT *). A solution without bindings counts too. */
function countSolutions(isDistinct: boolean, table: Block): Scalar {
  if (!isDistinct) return {kind: 'aggregate', name: 'count', isDistinct: false, arguments: []}
  const items = [...table.columns].filter(([name]) => isNamed(name)).map(([, {scalar}]) => scalar)
  return {kind: 'aggregate', name: 'count', isDistinct: true, arguments: [{kind: 'row', items}]}
}
