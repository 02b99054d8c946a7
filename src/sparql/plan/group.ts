/**
 * GROUP BY and aggregates.
 *
 * Floor 2. Keys and arguments are columns of a table first, so that groups are made of terms and each is computed once.
 * Source: SPARQL 1.1 §11, §18.5.1.
 */
import type {Aggregate, Algebra} from '../algebra.ts'
import {isNamed} from '../algebra.ts'
import {groupedBy} from '../analyse/variables.ts'
import {planColumn, planExpression} from './expression.ts'
import {formBitsOf, integers} from './extent.ts'
import {concatenation, textToGather} from './group-concat.ts'
import {only} from './lateral.ts'
import {
  call,
  column,
  equal,
  isNull,
  number,
  operator,
  type Scalar,
  type SortKey,
  type SqlQuery,
  text,
} from './relation.ts'
import {
  type Block,
  type Column,
  derive,
  type Environment,
  isGraphVariable,
  keyOf,
  type Planner,
  substitution,
  termColumn,
} from './scope.ts'
import {type Summands, totalOf} from './total.ts'
import {repOfNumber} from './value.ts'

type Group = Extract<Algebra, {type: 'group'}>

const nothing: Scalar = {kind: 'null', type: 'text'}

export function planGroup(planner: Planner, node: Group, environment: Environment): Block {
  const ungrouped = planner.plan(node.input, {...environment, given: only(environment.given, groupedBy(node))})
  const substituted = substitution(planner, ungrouped.columns, environment.outer)
  const input = {...ungrouped, where: [...ungrouped.where, ...substituted]}
  const sight = {columns: input.columns, environment}
  const prepared = new Map<string, Column>(input.columns)
  for (const [index, {expression}] of node.keys.entries()) {
    prepared.set(`.key${index}`, termColumn(planner, planColumn(planner, expression, sight)))
  }
  for (const [index, {aggregate}] of node.aggregates.entries()) {
    if (aggregate.argument === undefined) continue
    const value = planExpression(planner, aggregate.argument, sight)
    prepared.set(`.argument${index}`, termColumn(planner, planColumn(planner, aggregate.argument, sight)))
    if (value.type !== 'number') continue
    const {scalar, otherwise, isInteger} = value
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
    const summands =
      integer !== undefined ? {scalar: integer.scalar, rank: 1} : decimal && {scalar: decimal.scalar, rank: 2}
    const gatheredText = table.columns.get(textOf(index))?.scalar
    const held = {argument, summands, gatheredText, isOfAll: graphs.length + keys.length === 0}
    return [variable, aggregateColumn(planner, aggregate, held, table)]
  })
  return grouped(planner, table, [...graphs, ...keys], results)
}

/**
 * The table in the order of its groups, so that one is made after the other, when an aggregate needs that; with the
 * texts of GROUP_CONCAT, which are looked up once. What PostgreSQL holds of many groups at once it bounds only while
 * groups are added.
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

/** Whether what an aggregate holds may become long from one member to the next. */
function mayGrow({name, isDistinct}: Aggregate, table: Block, index: number): boolean {
  if (name === 'group_concat') return true
  const argument = table.columns.get(`.argument${index}`)
  if (argument?.rep !== 'key' || isDistinct || name === 'count') return false // different members are sorted anyway
  return ![true, false].some(isInteger => table.columns.has(summandOf(index, isInteger)))
}

/** The column of an argument's value where it is an exact number. */
function summandOf(index: number, isInteger = false): string {
  return `.${isInteger ? 'integer' : 'decimal'}${index}`
}

/** The column of what GROUP_CONCAT puts together. */
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
  results: readonly (readonly [string, Column])[],
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
  return {from: {kind: 'query', query, alias, isLateral: false}, where: [], columns, order: undefined}
}

type Argument = {
  readonly argument: Column | undefined // undefined: of COUNT(*)
  readonly summands: Summands | undefined
  readonly gatheredText: Scalar | undefined // of GROUP_CONCAT
  readonly isOfAll: boolean // in one group, which may have no members
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
      if (formBitsOf(argument.extent) !== undefined) return extremeId(aggregate.name, argument, isOfAll)
      return key(extremeOf(aggregate.name, argument, term), true)
    case 'sample':
      return {...argument, scalar: apply('min', argument.scalar), isNullable: true}
    case 'group_concat':
      return key(concatenation(aggregate, gatheredText), true)
  }
}

/**
 * MIN and MAX, which duplicates do not change. Ids of inline literals lie in the order of their values, kind by kind
 * (rdf/inline.ts; not dates, whose zones stand last); all other members are compared as keys.
 */
function extremeOf(name: 'min' | 'max', {scalar: id, rep}: Column, term: Scalar): Scalar {
  const over = (aggregate: string, argument: Scalar, filter?: Scalar): Scalar => ({
    kind: 'aggregate',
    name: aggregate,
    isDistinct: false,
    arguments: [argument],
    ...(filter === undefined ? {} : {filter}),
  })
  const overKeys = name === 'min' ? 'sparql_min' : 'sparql_max'
  if (rep === 'key') return call('nullif', over(overKeys, term), text(''))
  const firstOf = (kind: number) => number(-(2n ** 63n) + BigInt(kind) * 2n ** 60n)
  const inline = [0, 1, 2, 3, 4].map(kind =>
    over(name, id, {
      kind: 'all',
      conditions: [operator('>=', id, firstOf(kind)), operator('<', id, firstOf(kind + 1))],
    }),
  )
  const others: Scalar = {kind: 'any', conditions: [isNull(id), operator('>=', id, firstOf(5))]}
  const items: Scalar = {kind: 'array', type: 'int8', items: inline}
  return call('sparql_extreme', text(name), items, over(overKeys, term, others))
}

/**
 * The least or greatest of ids that are in the order of their values; an error when a member is unbound.
 *
 * @param isOfAll  in one group, which may have no members
 */
function extremeId(name: 'min' | 'max', argument: Column, isOfAll: boolean): Column {
  const over = (word: string, ...args: readonly Scalar[]): Scalar => {
    return {kind: 'aggregate', name: word, isDistinct: false, arguments: args}
  }
  const extreme = over(name, argument.scalar)
  if (!argument.isNullable) return {...argument, scalar: extreme, isNullable: isOfAll}
  const isComplete = equal(over('count'), over('count', argument.scalar))
  return {...argument, scalar: {kind: 'case', branches: [[isComplete, extreme]]}, isNullable: true}
}

/** A number of rows as the inline integer that it is, so that it is sorted and compared as such. */
function countColumn(count: Scalar): Column {
  const {low, step} = integers
  const scalar = operator('+', operator('*', count, number(step)), number(low))
  return {scalar, rep: 'id', isNullable: false, isNode: false, extent: integers}
}

/** COUNT(*): solutions, or different ones; a solution that binds nothing is one too. */
function countSolutions(isDistinct: boolean, table: Block): Scalar {
  if (!isDistinct) return {kind: 'aggregate', name: 'count', isDistinct: false, arguments: []}
  const items = [...table.columns].filter(([name]) => isNamed(name)).map(([, {scalar}]) => scalar)
  return {kind: 'aggregate', name: 'count', isDistinct: true, arguments: [{kind: 'row', items}]}
}
