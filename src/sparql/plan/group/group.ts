/**
 * Plans GROUP BY and aggregates.
 *
 * A subquery computes keys and arguments as columns, so that each is computed once and groups are formed by terms.
 * Source: SPARQL 1.1 §11, §18.5.1.
 */
import type {Aggregate, Algebra, PatternTerm} from '../../algebra.ts'
import {isNamed} from '../../algebra.ts'
import {groupedBy} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import {
  type Block,
  type Column,
  type Columns,
  derive,
  type Environment,
  isGraphVariable,
  keyOf,
  type Planner,
  rowsOf,
  substitution,
  termColumn,
} from '../block.ts'
import {planColumn, planExpression, type Sight} from '../expression/expression.ts'
import {summandOfFloat} from '../expression/float.ts'
import {inlineInteger} from '../expression/integer.ts'
import {lookUpForRows} from '../expression/joined-terms.ts'
import {canonicalCast, numberOf} from '../expression/number-of.ts'
import {areNumbers, mayBeStoredNumber, storedValues} from '../expression/stored-number.ts'
import {exactPart, formOfNumber, type Value} from '../expression/value.ts'
import {integers} from '../extent.ts'
import {only} from '../join/lateral.ts'
import {neededByGroups} from '../join/needed.ts'
import type {NumberForm} from '../likely-number.ts'
import {call, column, not, number, operator, type Scalar, type SortKey, type SqlQuery} from '../relation.ts'
import {groupBeforeKeys} from './before-keys.ts'
import {describeGroups} from './described.ts'
import {planDifferent} from './different.ts'
import {groupEarly} from './early.ts'
import {extremeColumn, orderedOf, storedPartOf} from './extreme.ts'
import {concatenation, textToGather} from './group-concat.ts'
import {
  isUsedTwice,
  nameOfForm,
  nameOfOrdered,
  nameOfRest,
  nameOfSortKey,
  nameOfSummand,
  storedOf,
  textOf,
} from './member-columns.ts'
import {hasNone, type Summands, totalOf} from './total.ts'

const floatReps = ['float', 'double'] as const

type Group = Extract<Algebra, {type: 'group'}>

const nothing: Scalar = {kind: 'null', type: 'text'}

export function planGroup(planner: Planner, node: Group, environment: Environment): Block {
  const early =
    describeGroups(planner, node, environment) ??
    groupEarly(planner, node, environment) ??
    groupBeforeKeys(planner, node, environment)
  return early === undefined ? planGroupOnce(planner, node, environment) : planner.plan(early, environment)
}

function planGroupOnce(planner: Planner, node: Group, environment: Environment): Block {
  const given = only(environment.given, groupedBy(node))
  const inside: Environment = {...environment, given, isPartial: false, needed: neededByGroups(node)}
  const ungrouped = planDifferentMembers(planner, node, environment) ?? planner.plan(node.input, inside)
  const substituted = substitution(planner, ungrouped.columns, environment.outer)
  const input = {...ungrouped, where: [...ungrouped.where, ...substituted], order: undefined}
  const sight = {columns: input.columns, environment}
  const keyColumns = node.keys.map(({expression}, index): [string, Column] => {
    return [`.key${index}`, planColumn(planner, expression, sight)] // equal numbers are equal terms
  })
  const {columns: members, places} = planArguments(planner, node, sight)
  const sortKeys = isConcatenated(node) ? (ungrouped.order?.keys ?? []) : []
  const sorted = sortKeys.map(({scalar}, index) => [nameOfSortKey(index), textColumn(scalar)] as const)
  const columns = new Map([...input.columns, ...keyColumns, ...members, ...sorted])
  const prepared = lookUpForRows(planner, {...input, columns})
  // An aggregate may use its argument several times.
  const isFenced = [...members.keys()].some(name => {
    const kind = prepared.columns.get(name)?.scalar.kind
    return kind !== 'column' && kind !== 'stored' && isUsedTwice(name)
  })
  const table = gathered(planner, node, derive(planner, prepared, {isFenced}), {places, sortKeys})
  const graphs = [...table.columns].filter(([name]) => isGraphVariable(name))
  const keys = node.keys.map(({variable}, index): [string, Column] => [variable, heldBy(table, `.key${index}`)])
  const results = node.aggregates.map(({variable, aggregate}, index): [string, Column] => {
    const place = places[index] ?? index
    const argument = aggregate.argument === undefined ? undefined : heldBy(table, `.argument${place}`)
    const summands = summandsOf(planner, table, place)
    const names = [textOf(index), storedOf(place), nameOfOrdered(place)]
    const [gatheredText, stored, ordered] = names.map(name => table.columns.get(name)?.scalar)
    const held = {argument, summands, gatheredText, stored, ordered, isOfAll: graphs.length + keys.length === 0}
    return [variable, aggregateColumn(planner, aggregate, held, table)]
  })
  const most = differentKeys(planner, node)
  return grouped(planner, table, [...graphs, ...keys], {results, most})
}

type Members = {
  readonly columns: Columns // of the arguments of aggregates, and of what these are computed from
  readonly places: readonly number[] // for each aggregate, the first with the same argument, whose columns it uses
}

function planArguments(planner: Planner, {aggregates}: Group, sight: Sight): Members {
  const columns = new Map<string, Column>()
  const known = new Map<string, number>()
  const places = aggregates.map(({aggregate}, index) => {
    const {name, argument} = aggregate
    if (argument === undefined) return index
    const planned = planExpression(planner, argument, sight)
    const isAdded = (planned.type === 'key' || planned.type === 'duration') && (name === 'sum' || name === 'avg')
    const signature = isVolatile(argument) ? `${index}` : JSON.stringify([isAdded, argument])
    const place = known.get(signature) ?? index
    known.set(signature, place)
    const column = columns.get(`.argument${place}`) ?? planColumn(planner, argument, sight)
    const held = column.rep === 'duration' && !isAdded ? column : termColumn(planner, column)
    columns.set(`.argument${place}`, held)
    const part = name === 'min' || name === 'max' ? storedPartOf(held) : undefined
    if (part !== undefined) columns.set(storedOf(place), textColumn({kind: 'stored', id: held.scalar, part}))
    const isText = planned.type === 'text' && (name === 'min' || name === 'max')
    if (isText) columns.set(storedOf(place), textColumn(planned.scalar))
    if (name === 'group_concat') columns.set(textOf(index), textColumn(textToGather(planner, aggregate, held)))
    const stored = isOfNumbers(name, planned) && mayBeStoredNumber(planned.extent) ? storedValues(planned) : undefined
    if (stored !== undefined) {
      const floats = floatReps.map((form): Summand => ({scalar: stored[form], form}))
      setSummands(place, [{scalar: stored.exact, form: 'scaled'}, ...floats])
    }
    const cast = name === 'min' || name === 'max' ? canonicalCast(planned) : undefined
    if (cast !== undefined) setSummands(place, [{scalar: cast.scalar, form: formOfNumber(cast)}], keyOf(planner, held))
    if (place !== index || cast !== undefined) return place
    const ordered = name === 'min' || name === 'max' ? orderedOf(planned, held) : undefined
    if (ordered !== undefined) columns.set(nameOfOrdered(place), textColumn(ordered))
    const value = (isAdded ? numberOf(planner, planned) : undefined) ?? planned
    const summand = summandOf(value, isAdded)
    if (summand === undefined) return place
    const rest = value.otherwise?.isPartial ? value.otherwise.key : keyOf(planner, held)
    setSummands(place, [summand, ...floatBeside(value)], summand.isWhole ? undefined : rest)
    return place
  })
  return {columns, places}

  /** @param key  of members that have none of the values; undefined if only errors have none, or if it is no column */
  function setSummands(place: number, values: readonly Summand[], key?: Scalar): void {
    values.forEach(({scalar, form}, index) => {
      const name = index === 0 && form !== 'scaled' ? nameOfSummand(place) : nameOfForm(place, form)
      const rep = form === 'scaled' ? 'decimal' : form
      columns.set(name, {scalar, rep, isNullable: true, isNode: false})
    })
    if (key === undefined) return
    columns.set(nameOfRest(place), textColumn({kind: 'case', branches: [[hasNone(values), key]]}))
  }
}

type Summand = {readonly scalar: Scalar; readonly form: NumberForm}

/** Whether an aggregate uses the values of numbers. The extremes of numbers and other terms are in extreme.ts. */
function isOfNumbers(name: Aggregate['name'], {extent}: Value): boolean {
  return name === 'sum' || name === 'avg' || ((name === 'min' || name === 'max') && areNumbers(extent))
}

/** The value of an argument as a number, if its datatype is known; null for other terms. */
function summandOf(value: Value, isAdded: boolean): (Summand & {readonly isWhole: boolean}) | undefined {
  const {type, otherwise, float, exact, exactForm} = value
  if (type === 'number') {
    return {scalar: exactPart(value), form: formOfNumber(value), isWhole: otherwise === undefined}
  }
  if (isAdded && exact !== undefined && exactForm !== undefined) return {scalar: exact, form: exactForm, isWhole: false}
  const summand = isAdded ? float && summandOfFloat(float) : float
  if (summand === undefined || !(isAdded || (summand.isWhole && summand.isCanonical))) return undefined
  return {scalar: summand.scalar, form: summand.rep, isWhole: summand.isWhole}
}

/** The value of a number that may be a float or a double, if it is one; none if that is not known. */
function floatBeside({otherwise, exactForm, float}: Value): readonly Summand[] {
  const isBeside = otherwise !== undefined || exactForm !== undefined
  const summand = isBeside && float ? summandOfFloat(float) : undefined
  if (summand === undefined) return []
  const {scalar, rep: form} = summand
  if (otherwise === undefined || otherwise.isPartial) return [{scalar, form}]
  return [{scalar: {kind: 'case', branches: [[not(otherwise.isExact), scalar]]}, form}]
}

function summandsOf(planner: Planner, {columns}: Block, place: number): Summands | undefined {
  const scaled = columns.get(nameOfForm(place, 'scaled'))
  const {scalar, rep} = scaled ?? columns.get(nameOfSummand(place)) ?? {}
  if (scalar === undefined || rep === undefined || rep === 'id' || rep === 'key' || rep === 'duration') return undefined
  const form = scaled === undefined ? rep : 'scaled'
  const floats = floatReps.flatMap(rep => {
    const float = columns.get(nameOfForm(place, rep))
    return float === undefined ? [] : [{scalar: float.scalar, rep}]
  })
  const argument = columns.get(`.argument${place}`)
  // The key of a stored term is looked up only for members that need it.
  const rest = argument?.rep === 'id' ? keyOf(planner, argument) : columns.get(nameOfRest(place))?.scalar
  return {scalar, form, floats, rest}
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

/** Whether the order of the members decides an aggregate. With DISTINCT, PostgreSQL sorts them by their texts. */
function isConcatenated({aggregates}: Group): boolean {
  return aggregates.some(({aggregate: {name, isDistinct}}) => name === 'group_concat' && !isDistinct)
}

/**
 * Sorts the table by its groups if an aggregate may grow, so that PostgreSQL completes one group after the other. A
 * hash aggregate limits its memory only when it adds groups. GROUP_CONCAT over a sub-select with ORDER BY keeps that
 * order, which SPARQL leaves open (§18.5.1.7) and users expect.
 */
function gathered(
  planner: Planner,
  node: Group,
  table: Block,
  {places, sortKeys}: Pick<Members, 'places'> & {readonly sortKeys: readonly SortKey[]},
): Block {
  if (!node.aggregates.some(({aggregate}, index) => mayGrow(aggregate, table, places[index] ?? index))) return table
  const names = [...[...table.columns.keys()].filter(isGraphVariable), ...node.keys.map((_, index) => `.key${index}`)]
  const keys = names.map((name): SortKey => {
    return {scalar: heldBy(table, name).scalar, isDescending: false, isText: false, isBound: true}
  })
  const within = sortKeys.map((key, index) => ({...key, scalar: heldBy(table, nameOfSortKey(index)).scalar}))
  const order = {keys: [...keys, ...within], expressions: [], variables: new Set<string>()}
  return derive(planner, {...table, order}, {offset: 0, isFenced: true})
}

/** Whether the state of an aggregate may grow with each member. */
function mayGrow({name, isDistinct}: Aggregate, table: Block, place: number): boolean {
  if (name === 'group_concat') return true
  const argument = table.columns.get(`.argument${place}`)
  if (argument?.rep !== 'key' || isDistinct || name === 'count') return false // DISTINCT sorts the members anyway
  const fixed = [nameOfSummand(place), nameOfForm(place, 'scaled'), nameOfOrdered(place), storedOf(place)]
  return !fixed.some(name => table.columns.has(name))
}

function textColumn(scalar: Scalar): Column {
  return {scalar, rep: 'key', isNullable: true, isNode: false}
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
  readonly ordered: Scalar | undefined // of floats and doubles that keep a lexical form
  readonly stored: Scalar | undefined // the only part of the terms, or the text, that MIN and MAX compare
  readonly isOfAll: boolean // a single group (no keys, no GRAPH ?g), which may have no members
}

function aggregateColumn(planner: Planner, aggregate: Aggregate, held: Argument, table: Block): Column {
  const {argument, summands, gatheredText = nothing, ordered, stored, isOfAll} = held
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
      if (aggregate.isOfCounts) return countColumn(call('int8', apply('sum', inlineInteger(argument.scalar).scalar)))
      return totalOf(aggregate.name, {argument, summands, isDistinct, term, isOfAll})
    case 'min':
    case 'max':
      return extremeColumn(aggregate.name, {argument, summands, term, isOfAll, ordered, stored})
    case 'sample':
      return {...argument, scalar: apply('min', argument.scalar), isNullable: true}
    case 'group_concat':
      return {...key(concatenation(aggregate, gatheredText), true), isSimple: true}
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
