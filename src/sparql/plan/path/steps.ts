/**
 * Paths from a known term: queries for the terms that a path reaches, as the column n.
 *
 * Each step is an index probe. PostgreSQL cannot estimate the size of a closure. Fences keep it from reading a whole
 * predicate for each step. Sequences and alternatives keep duplicates. Closures do not (SPARQL 1.1 §18.4).
 */
import {lastId} from '../../../rdf/id-layout.ts'
import type {PropertyPath} from '../../algebra.ts'
import {isByTriples} from '../../analyse/by-triples.ts'
import type {ActiveGraph, Planner} from '../block.ts'
import {isIndexedObject, isNodes} from '../extent.ts'
import {column, equal, type From, not, number, operator, type Scalar, type SqlQuery} from '../relation.ts'
import {type Closure, type Negated, negated, pathRelation} from './relation.ts'

/**
 * The terms that a closure reaches from one term.
 *
 * @param test  the conditions under which the start matches itself in zero steps
 */
export function closureFrom(
  planner: Planner,
  {type, path}: Closure,
  start: Scalar,
  graph: ActiveGraph,
  test: readonly Scalar[],
): SqlQuery {
  const itself: SqlQuery = {kind: 'select', columns: [{name: 'n', scalar: start}], from: undefined, where: test}
  const first = reachedFrom(planner, path, start, graph)
  if (type === 'zeroOrOne') return {kind: 'union', queries: [itself, first]}
  const [name, reached, next] = [planner.fresh(), planner.fresh(), planner.fresh()]
  const before: From = {kind: 'common', name, alias: reached}
  const from = followed(planner, before, path, {start: column(reached, 'n'), graph, alias: next})
  const columns = [{name: 'n', scalar: column(next, 'n')}]
  const step: SqlQuery = {kind: 'select', columns, from, where: fewRows(column(reached, 'n'))}
  return {kind: 'recursive', name, columns: ['n'], seed: type === 'oneOrMore' ? first : itself, step}
}

/**
 * The pairs of many starts and the terms that a closure reaches from them, as the columns s and n.
 *
 * @param starts     a query for the different starts, as its column s
 * @param isScanned  each round is joined with all pairs of the step, in one hash table, instead of probing an index
 */
export function closureOfAll(
  planner: Planner,
  {type, path}: Exclude<Closure, {type: 'zeroOrOne'}>,
  starts: SqlQuery,
  graph: ActiveGraph,
  isScanned: boolean,
): SqlQuery {
  const [name, first, reached, next] = [planner.fresh(), planner.fresh(), planner.fresh(), planner.fresh()]
  const all: From = {kind: 'query', query: starts, alias: first, isLateral: false}
  const pairs = (s: string, n: string, place: string) => [
    {name: 's', scalar: column(s, 's')},
    {name: 'n', scalar: column(n, place)},
  ]
  const after = (from: From, start: Scalar): From => {
    if (!isScanned) return followed(planner, from, path, {start, graph, alias: next})
    const right = allSteps(planner, path, graph, next)
    return {kind: 'join', type: 'inner', left: from, right, on: [equal(column(next, 's'), start)]}
  }
  const seed: SqlQuery =
    type === 'oneOrMore'
      ? {kind: 'select', columns: pairs(first, next, 'n'), from: after(all, column(first, 's')), where: []}
      : {kind: 'select', columns: pairs(first, first, 's'), from: all, where: []}
  const step: SqlQuery = {
    kind: 'select',
    columns: pairs(reached, next, 'n'),
    from: after({kind: 'common', name, alias: reached}, column(reached, 'n')),
    where: fewRows(column(reached, 'n')),
  }
  return {kind: 'recursive', name, columns: ['s', 'n'], seed, step}
}

/**
 * Conditions that are always true, and of which PostgreSQL expects that few rows fulfil them.
 *
 * It expects that each round of a recursion finds ten times the rows of the first. It creates a hash table for all that
 * it expects, up to work_mem, and clears the table for each start. Of a range of a column without statistics it expects
 * one row of 200. The table grows if there are more.
 */
function fewRows(id: Scalar): readonly Scalar[] {
  return [operator('>=', id, number(-lastId - 1n)), operator('<=', id, number(lastId))]
}

export type Steps = {readonly start: Scalar; readonly graph: ActiveGraph; readonly alias: string}

/** Each row of a table with each term that a path reaches from it. */
function followed(planner: Planner, left: From, path: PropertyPath, steps: Steps): From {
  return {kind: 'join', type: 'cross', left, right: stepsFrom(planner, path, steps), on: []}
}

/** The terms that a path reaches, probed per row of the start. Under GRAPH ?g, a path of one step also returns g. */
export function stepsFrom(planner: Planner, path: PropertyPath, {start, graph, alias}: Steps): From {
  const inner = planner.fresh()
  const query: SqlQuery = {
    kind: 'select',
    columns: reachedNames(graph).map(name => ({name, scalar: column(inner, name)})),
    from: {kind: 'query', query: reachedFrom(planner, path, start, graph), alias: inner, isLateral: true},
    where: [],
    isFenced: true,
  }
  return {kind: 'query', query, alias, isLateral: true}
}

/** All pairs of a path, as the columns s and n. */
function allSteps(planner: Planner, path: PropertyPath, graph: ActiveGraph, alias: string): From {
  const inner = planner.fresh()
  const query: SqlQuery = {
    kind: 'select',
    columns: [
      {name: 's', scalar: column(inner, 's')},
      {name: 'n', scalar: column(inner, 'o')},
    ],
    from: {kind: 'query', query: pathRelation(planner, path, graph), alias: inner, isLateral: false},
    where: [],
    isFenced: true,
  }
  return {kind: 'query', query, alias, isLateral: false}
}

function reachedNames(graph: ActiveGraph): readonly ('n' | 'g')[] {
  return graph.kind === 'each' ? ['n', 'g'] : ['n']
}

/** The terms that a path reaches from one term. */
function reachedFrom(planner: Planner, path: PropertyPath, start: Scalar, graph: ActiveGraph): SqlQuery {
  if (!isByTriples(path)) return startingAt(planner, path, start, graph)
  switch (path.type) {
    case 'sequence': {
      const [a, b] = [planner.fresh(), planner.fresh()]
      const left = stepsFrom(planner, path.left, {start, graph, alias: a})
      const from = followed(planner, left, path.right, {start: column(a, 'n'), graph, alias: b})
      return {kind: 'select', columns: [{name: 'n', scalar: column(b, 'n')}], from, where: []}
    }
    case 'oneOrMore':
      return closureFrom(planner, path, start, graph, [])
    case 'inverse':
      if (path.path.type === 'link') return startingAt(planner, path, start, graph)
      return reachedFrom(planner, invert(path.path), start, graph)
    case 'alternative':
      if (path.paths.every(one => one.type === 'link')) return startingAt(planner, path, start, graph)
      return {kind: 'unionAll', queries: path.paths.map(one => reachedFrom(planner, one, start, graph))}
    default:
      return startingAt(planner, path, start, graph)
  }
}

/** The pairs of a path that begin with a term. PostgreSQL pushes the condition into the relation. */
function startingAt(planner: Planner, path: PropertyPath, start: Scalar, graph: ActiveGraph): SqlQuery {
  const isByObject = path.type === 'negated' && path.has !== 'forward' && planner.facts.realms === undefined
  if (isByObject) return startingAtObject(planner, path, start, graph)
  return startingIn(planner, pathRelation(planner, path, graph), start, graph)
}

/** The same for a negated property set that triples match by their objects. Only nodes have an index for these. */
function startingAtObject(planner: Planner, path: Negated, start: Scalar, graph: ActiveGraph): SqlQuery {
  const forward = path.has === 'both' ? [startingAt(planner, {...path, has: 'forward'}, start, graph)] : []
  const backward: Negated = {...path, has: 'backward'}
  const isNode = start.kind === 'number' ? isNodes({low: BigInt(start.value), high: BigInt(start.value)}) : undefined
  const backwardBy = (test: (id: Scalar) => Scalar, isListed: boolean): SqlQuery =>
    startingIn(planner, negated(planner, backward, graph, isListed), start, graph, test)
  const linked = isNode === false ? [] : [backwardBy(isIndexedObject, false)]
  const valued = isNode === true ? [] : [backwardBy(() => not(isIndexedObject(start)), true)]
  return {kind: 'unionAll', queries: [...forward, ...linked, ...valued]}
}

/** @param test  of the starts of the pairs */
function startingIn(
  planner: Planner,
  query: SqlQuery,
  start: Scalar,
  graph: ActiveGraph,
  test?: (id: Scalar) => Scalar,
): SqlQuery {
  const alias = planner.fresh()
  const id = column(alias, 's')
  return {
    kind: 'select',
    columns: reachedNames(graph).map(name => ({name, scalar: column(alias, name === 'n' ? 'o' : name)})),
    from: {kind: 'query', query, alias, isLateral: graph.kind === 'named'},
    where: [equal(id, start), ...(test === undefined ? [] : [test(id)])],
  }
}

/** The inverse of a path, with inverses at links only. */
export function invert(path: PropertyPath): PropertyPath {
  switch (path.type) {
    case 'link':
      return {type: 'inverse', path}
    case 'inverse':
      return path.path
    case 'sequence':
      return {type: 'sequence', left: invert(path.right), right: invert(path.left)}
    case 'alternative':
      return {type: 'alternative', paths: path.paths.map(invert)}
    case 'negated': {
      const has = path.has === 'both' ? 'both' : path.has === 'forward' ? 'backward' : 'forward'
      return {type: 'negated', forward: path.backward, backward: path.forward, has}
    }
    case 'zeroOrOne':
    case 'zeroOrMore':
    case 'oneOrMore':
      return {type: path.type, path: invert(path.path)}
  }
}
