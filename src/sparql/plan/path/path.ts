/**
 * Plans property paths. Closures become recursive queries over nodes.
 *
 * A closure starts from a known end, if there is one. It is a set: the recursive query uses `union` and has no column
 * of depth or path, so it terminates on cycles. Under GRAPH ?g all steps are in one graph.
 * Sources: SPARQL 1.1 §9.3, §18.4 (ALP), §18.5 (zero-length paths).
 */
import type {Algebra, PatternTerm} from '../../algebra.ts'
import {isByTriples} from '../../analyse/by-triples.ts'
import {
  type ActiveGraph,
  type Block,
  type Column,
  derive,
  idColumn,
  idOfColumn,
  matchColumns,
  type Planner,
  rowsOf,
  selectColumns,
} from '../block.ts'
import {namedIn} from '../expression/moved-scalars.ts'
import {type Extent, hullOf} from '../extent.ts'
import {attach} from '../join/attach.ts'
import {areCountable} from '../join/counted.ts'
import {isScanWorthwhile, reachOf} from '../join/estimate-path.ts'
import {isNodeOf, isUnionOfAll, readGraphNames, type Source} from '../join/quads.ts'
import {any, column, equal, type From, number, type Scalar, type SqlQuery} from '../relation.ts'
import {extentAfter} from './extents.ts'
import {isClosure, pathRelation} from './relation.ts'
import {closureFrom, closureOfAll, invert, stepsFrom} from './steps.ts'

type PathNode = Extract<Algebra, {type: 'path'}>

export type PathUse = {
  readonly isOfAll: boolean // all solutions of the block are needed, once: not per row of something else
  readonly starts: number | undefined // different terms in the block that the path starts from; undefined: unknown
}

const usedOnce: PathUse = {isOfAll: false, starts: undefined}

export function planPath(planner: Planner, block: Block, node: PathNode, graph: ActiveGraph, use = usedOnce): Block {
  if (!isClosure(node.path)) return planSteps(planner, block, node, graph) ?? planRelation(planner, block, node, graph)
  const [placed, where] = placeGraph(planner, block, node, graph)
  const start = endOf(planner, placed, node.subject, where)
  const end = endOf(planner, placed, node.object, where)
  // A constant is preferred as the start: it matches itself in zero steps, even if it is not a node of the graph.
  const isFromStart = start !== undefined && (end === undefined || node.object.termType === 'Variable')
  if (isFromStart || (start !== undefined && node.subject.termType !== 'Variable'))
    return (
      closureTogether(planner, placed, node, where, use) ??
      testStep(planner, placed, node, [start, end], where) ??
      planClosure(planner, placed, node, start, where)
    )
  if (end === undefined) return planRelation(planner, placed, node, where)
  const turned = {...node, path: invert(node.path), subject: node.object, object: node.subject, turnedFrom: node}
  return closureTogether(planner, placed, turned, where, use) ?? planClosure(planner, placed, turned, end, where)
}

/**
 * Plans a zero-or-one path between two known ends as a test: they are the same, or one step leads to the other.
 *
 * @returns  undefined for other paths, and if a start that is no node would match itself
 */
function testStep(
  planner: Planner,
  block: Block,
  {path, subject}: PathNode,
  [start, end]: readonly [End, End | undefined],
  graph: ActiveGraph,
): Block | undefined {
  if (path.type !== 'zeroOrOne' || end === undefined || block.from === undefined) return undefined
  if (subject.termType === 'Variable' && !start.isNode) return undefined
  const alias = planner.fresh()
  const query: SqlQuery = {
    kind: 'select',
    columns: [{name: 'c0', scalar: number(1)}],
    from: {kind: 'query', query: pathRelation(planner, path.path, graph), alias, isLateral: false},
    where: [equal(column(alias, 's'), start.scalar), equal(column(alias, 'o'), end.scalar)],
    isFenced: true,
  }
  const test = any([equal(start.scalar, end.scalar), {kind: 'exists', query}])
  return {...block, where: [...block.where, test], order: undefined}
}

/** A path, or one that is walked from its object, and the path of the query. */
type Walked = PathNode & {readonly turnedFrom?: PathNode}

function tellCounted(planner: Planner, query: SqlQuery, node: Walked, graph: ActiveGraph): void {
  if (query.kind === 'recursive' && areCountable(planner, graph))
    planner.onCount?.onScan(query.name, node.turnedFrom ?? node)
}

/** Under GRAPH ?g, binds ?g before a closure starts in each graph. */
function placeGraph(planner: Planner, block: Block, node: PathNode, graph: ActiveGraph): [Block, ActiveGraph] {
  if (graph.kind !== 'each') return [block, graph]
  const known = block.columns.get(graph.variable)
  if (known !== undefined) return [block, {kind: 'named', scalar: known.scalar}]
  const {from, alias, conditions} = graphsOfFirstStep(planner, node, graph) ?? readGraphNames(planner)
  const name = idColumn(column(alias, 'g'), false)
  const columns = new Map([...block.columns, [graph.variable, name]])
  return [
    {...attach(block, from, [], conditions), columns, order: undefined},
    {kind: 'named', scalar: name.scalar},
  ]
}

/** The graphs in which the constant end of a one-or-more closure has its first step. */
function graphsOfFirstStep(
  planner: Planner,
  {path, subject, object}: PathNode,
  graph: ActiveGraph,
): Source | undefined {
  if (path.type !== 'oneOrMore') return undefined
  const [name, term] = subject.termType === 'Variable' ? ['o', object] : ['s', subject]
  if (term.termType === 'Variable') return undefined
  const [step, alias] = [planner.fresh(), planner.fresh()]
  const query: SqlQuery = {
    kind: 'select',
    columns: [{name: 'g', scalar: column(step, 'g')}],
    from: {kind: 'query', query: pathRelation(planner, path.path, graph), alias: step, isLateral: false},
    where: [equal(column(step, name), number(planner.idOf(term)))],
    isDistinct: true,
  }
  return {from: {kind: 'query', query, alias, isLateral: false}, alias, conditions: []}
}

type End = {readonly scalar: Scalar; readonly isNode: boolean}

/**
 * The column of an end that is a constant or a certainly bound variable. A node of the union may be none of one graph.
 * A variable that EXISTS substitutes is a constant (§18.6).
 */
function endOf(planner: Planner, block: Block, term: PatternTerm, graph: ActiveGraph): End | undefined {
  if (term.termType !== 'Variable') return {scalar: number(planner.idOf(term)), isNode: true}
  const held = block.columns.get(term.value)
  if (held === undefined || held.isNullable) return undefined
  return {
    scalar: idOfColumn(planner, held),
    isNode: held.isSubstituted === true || (held.isNode && isUnionOfAll(planner, graph)),
  }
}

/**
 * Plans a closure from a known end. A constant always matches itself in zero steps (§18.5), so the result may be a
 * term that is not a node of the graph. A variable matches itself only if its value is a node of the graph. This is
 * tested if the rest of the query may bind it to another term.
 */
function planClosure(planner: Planner, block: Block, node: Walked, start: End, graph: ActiveGraph): Block {
  if (!isClosure(node.path)) throw new Error('a closure was planned for another kind of path')
  const isTested = node.subject.termType === 'Variable' && !start.isNode && node.path.type !== 'oneOrMore'
  const test = isTested ? [isNodeOf(planner, graph, start.scalar)] : []
  const query = closureFrom(planner, node.path, start.scalar, graph, test)
  tellCounted(planner, query, node, graph)
  const alias = planner.fresh()
  const from: From = {kind: 'query', query, alias, isLateral: true}
  const isUnion = isUnionOfAll(planner, graph)
  const isNode = node.subject.termType === 'Variable' || node.path.type === 'oneOrMore'
  const held = {...idColumn(column(alias, 'n'), isUnion && isNode), ...reachedExtent(planner, block, node)}
  return bindEnds(planner, block, from, [[node.object, held]])
}

/** The extent of the terms that a closure reaches, among them its start after zero steps. */
function reachedExtent(planner: Planner, {columns}: Block, {path, subject}: Walked): {readonly extent?: Extent} {
  if (!isClosure(path)) return {}
  const {extent: reached} = extentAfter(planner, path.path)
  const start = subject.termType === 'Variable' ? columns.get(subject.value)?.extent : undefined
  const extent = path.type === 'oneOrMore' ? reached : hullOf([reached, start])
  return extent === undefined ? {} : {extent}
}

/**
 * Solutions before a closure for which one recursive query is worth it: PostgreSQL needs 5 µs to begin a query of its
 * own for each. All pairs of one query are in memory until it ends.
 */
const leastStarts = 30
const mostPairs = 1_000_000

/**
 * Plans a closure from the variable of many solutions as one recursive query over pairs of starts and reached terms.
 *
 * @returns  undefined if the starts are one term, few or very many, or if the steps depend on the graph of the solution
 */
function closureTogether(
  planner: Planner,
  block: Block,
  node: Walked,
  graph: ActiveGraph,
  {isOfAll, starts: count}: PathUse,
): Block | undefined {
  const {path, subject} = node
  const rows = rowsOf(block)
  if (!isOfAll || block.from === undefined || rows < leastStarts) return
  if (subject.termType !== 'Variable') return
  if (!isClosure(path) || path.type === 'zeroOrOne' || rows * reachOf(planner, path, 'objects') > mostPairs) return
  if (graph.kind === 'named' && graph.scalar.kind !== 'number') return
  const before = derive(planner, block)
  const start = endOf(planner, before, subject, graph)
  if (start === undefined || before.from?.kind !== 'query') return
  const {query, alias} = before.from
  const [name, pairs, after] = [planner.fresh(), planner.fresh(), planner.fresh()]
  const solutions: From = {kind: 'common', name, alias}
  const isTested = !start.isNode && path.type === 'zeroOrMore'
  const starts: SqlQuery = {
    kind: 'select',
    columns: [{name: 's', scalar: start.scalar}],
    from: solutions,
    where: isTested ? [isNodeOf(planner, graph, start.scalar)] : [],
    isDistinct: true,
  }
  const isScanned = isUnionOfAll(planner, graph) && count !== undefined && isScanWorthwhile(planner, path, count)
  const reached = closureOfAll(planner, path, starts, graph, isScanned)
  tellCounted(planner, reached, node, graph)
  const body: SqlQuery = {
    kind: 'select',
    columns: [...selectColumns(before), {name: 'n', scalar: column(pairs, 'n')}],
    from: {
      kind: 'join',
      type: 'inner',
      left: solutions,
      right: {kind: 'query', query: reached, alias: pairs, isLateral: false},
      on: [equal(column(pairs, 's'), start.scalar)],
    },
    where: [],
  }
  const columns = namedIn(before.columns, after)
  const from: From = {kind: 'query', query: {kind: 'with', name, query, body}, alias: after, isLateral: false}
  const held = {...idColumn(column(after, 'n'), isUnionOfAll(planner, graph)), ...reachedExtent(planner, block, node)}
  return bindEnds(planner, {...before, from, columns}, undefined, [[node.object, held]])
}

/**
 * Plans a path that is no closure from a known end; undefined if no end is known. The path is one step
 * (translate/path.ts), so under GRAPH ?g the step binds ?g if nothing else does.
 */
function planSteps(planner: Planner, block: Block, node: PathNode, graph: ActiveGraph): Block | undefined {
  if (block.from === undefined || !isByTriples(node.path)) return undefined
  const place = graph.kind === 'each' ? block.columns.get(graph.variable)?.scalar : undefined
  const one: ActiveGraph = place === undefined ? graph : {kind: 'named', scalar: place}
  const start = endOf(planner, block, node.subject, one)
  const end = endOf(planner, block, node.object, one)
  if (start === undefined && end === undefined) return undefined
  const [path, from, to] =
    start === undefined ? [invert(node.path), end, node.subject] : [node.path, start, node.object]
  if (from === undefined) return undefined
  const alias = planner.fresh()
  const held = {...idColumn(column(alias, 'n'), isUnionOfAll(planner, graph)), ...extentAfter(planner, path)}
  const graphs = one.kind === 'each' ? [graphEnd(alias, one)] : []
  return bindEnds(planner, block, stepsFrom(planner, path, {start: from.scalar, graph: one, alias}), [
    [to, held],
    ...graphs,
  ])
}

type Bound = readonly [term: PatternTerm, held: Column]

/** The graph column of a table, bound to the graph variable like an end. */
function graphEnd(alias: string, {variable}: Extract<ActiveGraph, {kind: 'each'}>): Bound {
  return [{termType: 'Variable', value: variable}, idColumn(column(alias, 'g'), false)]
}

/** Plans a path as a table of all pairs of ends. */
function planRelation(planner: Planner, block: Block, node: PathNode, graph: ActiveGraph): Block {
  const alias = planner.fresh()
  const query: SqlQuery = pathRelation(planner, node.path, graph)
  const isUnion = isUnionOfAll(planner, graph)
  const ends: Bound[] = [
    [node.subject, {...idColumn(column(alias, 's'), isUnion), ...extentAfter(planner, invert(node.path))}],
    [node.object, {...idColumn(column(alias, 'o'), isUnion), ...extentAfter(planner, node.path)}],
  ]
  if (graph.kind === 'each') ends.push(graphEnd(alias, graph))
  const isLateral = graph.kind === 'named'
  return bindEnds(planner, block, {kind: 'query', query, alias, isLateral}, ends)
}

function bindEnds(planner: Planner, block: Block, from: From | undefined, ends: readonly Bound[]): Block {
  const columns = new Map<string, Column>(block.columns)
  const on: Scalar[] = []
  for (const [term, held] of ends) {
    if (term.termType !== 'Variable') {
      on.push(equal(held.scalar, number(planner.idOf(term))))
      continue
    }
    const known = columns.get(term.value)
    const match = known === undefined ? undefined : matchColumns(planner, known, held)
    if (match !== undefined) on.push(...match.conditions)
    columns.set(term.value, match?.column ?? held)
  }
  return {...attach(block, from, on), columns, order: undefined}
}
