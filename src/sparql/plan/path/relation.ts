/**
 * Queries for all pairs of ends of a path: columns s and o, and g under GRAPH ?g.
 *
 * Sequences and alternatives keep duplicates. Closures do not (SPARQL 1.1 §18.4).
 */
import type {PropertyPath} from '../../algebra.ts'
import type {ActiveGraph, Planner} from '../block.ts'
import {canBeDerived} from '../join/derived.ts'
import {mayHaveCopies, readTriples} from '../join/quads.ts'
import {storedPredicates} from '../order/walk.ts'
import {column, equal, type From, number, type Scalar, type SelectQuery, type SqlQuery} from '../relation.ts'

export type Closure = Extract<PropertyPath, {type: 'zeroOrOne' | 'zeroOrMore' | 'oneOrMore'}>

export function isClosure(path: PropertyPath): path is Closure {
  return path.type === 'zeroOrOne' || path.type === 'zeroOrMore' || path.type === 'oneOrMore'
}

export function pathRelation(planner: Planner, path: PropertyPath, graph: ActiveGraph): SqlQuery {
  switch (path.type) {
    case 'link':
      return step(planner, graph, planner.idOf({termType: 'NamedNode', value: path.iri}), () => [])
    case 'inverse':
      return turn(planner, pathRelation(planner, path.path, graph), graph)
    case 'alternative':
      return alternative(planner, path, graph)
    case 'sequence':
      return sequence(planner, pathRelation(planner, path.left, graph), pathRelation(planner, path.right, graph), graph)
    case 'negated':
      return negated(planner, path, graph)
    case 'zeroOrOne':
      return {kind: 'union', queries: [zero(planner, graph), pathRelation(planner, path.path, graph)]}
    case 'zeroOrMore':
    case 'oneOrMore':
      return closure(planner, path, graph)
  }
}

const ends = ['s', 'o'] as const

function names(graph: ActiveGraph): readonly string[] {
  return graph.kind === 'each' ? [...ends, 'g'] : ends
}

function step(
  planner: Planner,
  graph: ActiveGraph,
  predicate: string | undefined,
  test: (predicate: Scalar) => readonly Scalar[],
): SelectQuery {
  const {from, alias, conditions} = readTriples(planner, graph, predicate, true)
  const p = column(alias, 'p')
  return {
    kind: 'select',
    columns: names(graph).map(name => ({name, scalar: column(alias, name)})),
    from,
    where: [...conditions, ...(predicate === undefined ? [] : [equal(p, number(predicate))]), ...test(p)],
  }
}

function turn(planner: Planner, query: SqlQuery, graph: ActiveGraph): SqlQuery {
  if (query.kind === 'select' && query.isDistinct !== true) {
    const swapped: Readonly<Record<string, string>> = {s: 'o', o: 's'}
    const columns = query.columns.map(({name, scalar}) => ({name: swapped[name] ?? name, scalar}))
    return {...query, columns: names(graph).flatMap(name => columns.filter(held => held.name === name))}
  }
  const alias = planner.fresh()
  const other = {s: 'o', o: 's', g: 'g'} as Readonly<Record<string, string>>
  return {
    kind: 'select',
    columns: names(graph).map(name => ({name, scalar: column(alias, other[name] ?? name)})),
    from: {kind: 'query', query, alias, isLateral: graph.kind === 'named'},
    where: [],
  }
}

/** Alternatives of plain links are one scan. A triple matches only one of them, so no duplicate is lost. */
function alternative(
  planner: Planner,
  path: Extract<PropertyPath, {type: 'alternative'}>,
  graph: ActiveGraph,
): SqlQuery {
  const links = path.paths.flatMap(one => (one.type === 'link' ? [one.iri] : []))
  const isSimple = links.length === path.paths.length && new Set(links).size === links.length
  if (!isSimple) return {kind: 'unionAll', queries: path.paths.map(one => pathRelation(planner, one, graph))}
  const ids = links.map(value => planner.idOf({termType: 'NamedNode', value}))
  const widest = ids.some(id => canBeDerived(planner, id))
    ? undefined
    : (ids.find(id => mayHaveCopies(planner, id)) ?? ids[0])
  const {from, alias, conditions} = readTriples(planner, graph, widest, true)
  return {
    kind: 'select',
    columns: names(graph).map(name => ({name, scalar: column(alias, name)})),
    from,
    where: [...conditions, {kind: 'isOneOf', of: column(alias, 'p'), ids}],
  }
}

function sequence(planner: Planner, left: SqlQuery, right: SqlQuery, graph: ActiveGraph): SqlQuery {
  const [a, b] = [planner.fresh(), planner.fresh()]
  const isLateral = graph.kind === 'named'
  const on = [equal(column(b, 's'), column(a, 'o'))]
  if (graph.kind === 'each') on.push(equal(column(b, 'g'), column(a, 'g')))
  return {
    kind: 'select',
    columns: names(graph).map(name => ({name, scalar: column(name === 'o' ? b : a, name)})),
    from: {
      kind: 'join',
      type: 'inner',
      left: {kind: 'query', query: left, alias: a, isLateral},
      right: {kind: 'query', query: right, alias: b, isLateral},
      on,
    },
    where: [],
  }
}

export type Negated = Extract<PropertyPath, {type: 'negated'}>

/** @param isListed  whether triples are read predicate by predicate, as those with a known literal are */
export function negated(planner: Planner, path: Negated, graph: ActiveGraph, isListed = false): SqlQuery {
  const side = (iris: readonly string[]): SelectQuery =>
    step(planner, graph, undefined, of => {
      const ids = iris.map(value => planner.idOf({termType: 'NamedNode', value}))
      const none: Scalar = {kind: 'isNoneOf', of, ids}
      return isListed ? [none, {kind: 'isAmong', of, query: storedPredicates(planner)}] : [none]
    })
  const forward = path.has === 'backward' ? [] : [side(path.forward)]
  const backward = path.has === 'forward' ? [] : [turn(planner, side(path.backward), graph)]
  const [only, ...others] = [...forward, ...backward]
  if (only === undefined) throw new Error('a negated property set looks in no direction')
  return others.length === 0 ? only : {kind: 'unionAll', queries: [only, ...others]}
}

/** Zero steps: the pair of each node of the active graph with itself. */
function zero(planner: Planner, graph: ActiveGraph): SqlQuery {
  const side = (name: 's' | 'o'): SelectQuery => {
    const {from, alias, conditions} = readTriples(planner, graph, undefined, false)
    const columns = names(graph).map(held => ({name: held, scalar: column(alias, held === 'g' ? 'g' : name)}))
    return {kind: 'select', columns, from, where: conditions}
  }
  return {kind: 'union', queries: [side('s'), side('o')]}
}

/** The pairs of ends of a closure, as a recursive query. */
function closure(planner: Planner, {type, path}: Closure, graph: ActiveGraph): SqlQuery {
  const [name, reached, next] = [planner.fresh(), planner.fresh(), planner.fresh()]
  const relation = pathRelation(planner, path, graph) // used twice, in separate scopes
  const on = [equal(column(next, 's'), column(reached, 'o'))]
  if (graph.kind === 'each') on.push(equal(column(next, 'g'), column(reached, 'g')))
  const from: From = {
    kind: 'join',
    type: 'inner',
    left: {kind: 'common', name, alias: reached},
    right: {kind: 'query', query: relation, alias: next, isLateral: graph.kind === 'named'},
    on,
  }
  const columns = names(graph).map(held => ({name: held, scalar: column(held === 'o' ? next : reached, held)}))
  return {
    kind: 'recursive',
    name,
    columns: names(graph),
    seed: type === 'oneOrMore' ? relation : zero(planner, graph),
    step: {kind: 'select', columns, from, where: []},
  }
}
