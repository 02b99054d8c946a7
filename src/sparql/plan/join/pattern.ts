/**
 * Plans a triple pattern: a table of triples, conditions for its constants and columns for its variables.
 *
 * Source: SPARQL 1.1 §18.3.1 (basic graph pattern matching).
 */
import type {PatternTerm, TriplePattern} from '../../algebra.ts'
import {
  type ActiveGraph,
  type Block,
  type Column,
  type Columns,
  idColumn,
  matchColumns,
  type Planner,
} from '../block.ts'
import {type Extent, everyTerm, iris, isIndexedObject, isNodes, nodes, objectsOfAny} from '../extent.ts'
import {storedPredicates} from '../order/walk.ts'
import {column, equal, not, number, type Scalar, type SqlQuery} from '../relation.ts'
import {areCountable} from './counted.ts'
import {canBeDerived} from './derived.ts'
import {isUnionOfAll, readTriples, type Source} from './quads.ts'

/**
 * @param known     columns of variables that have a value already; the result has compatible triples only
 * @param isListed  whether a test lists the values of the predicate, so that an index finds them
 */
export function planTriple(
  planner: Planner,
  known: Columns,
  pattern: TriplePattern,
  graph: ActiveGraph,
  isListed = false,
): Block {
  const {subject, predicate, object} = pattern
  const predicateId = predicate.termType === 'Variable' ? undefined : planner.idOf(predicate)
  const isKnown = (term: PatternTerm) => term.termType !== 'Variable' || known.has(term.value)
  const isProbed = isListed || [subject, predicate, object].some(isKnown)
  const only = objectAlone(planner, pattern, known)
  const {from, alias, conditions} =
    only === undefined ? readTriples(planner, graph, predicateId, isProbed) : readByObject(planner, graph, only)
  if (from.kind === 'table' && areCountable(planner, graph)) planner.onCount?.onScan(alias, pattern)
  const isUnion = isUnionOfAll(planner, graph)
  const where: Scalar[] = [...conditions]
  const columns = new Map<string, Column>(known)

  const bind = (name: string, held: Column): void => {
    const other = columns.get(name)
    const match = other === undefined ? undefined : matchColumns(planner, other, held)
    if (match !== undefined) where.push(...match.conditions)
    columns.set(name, match?.column ?? held)
  }
  const place = (term: PatternTerm, position: 's' | 'p' | 'o'): void => {
    const scalar = column(alias, position)
    if (term.termType !== 'Variable') {
      const [id, ...others] = planner.patternIdsOf(term)
      const isSame = others.length === 0
      where.push(isSame ? equal(scalar, number(id)) : {kind: 'isOneOf', of: scalar, ids: [id, ...others]})
      return
    }
    const held = idColumn(scalar, isUnion && position !== 'p')
    const extent = {s: nodes, p: iris, o: objectExtent(planner, predicateId)}[position]
    bind(term.value, extent === undefined ? held : {...held, extent})
  }
  place(subject, 's')
  place(predicate, 'p')
  place(object, 'o')
  if (isUnion && isValueAlone(planner, pattern, known))
    where.push({kind: 'isAmong', of: column(alias, 'p'), query: storedPredicates(planner)})
  if (graph.kind === 'each') bind(graph.variable, {...idColumn(column(alias, 'g'), false), extent: iris})
  return {from, where, columns, order: undefined}
}

/**
 * Whether the only known term is a literal as object. No index has literals as its first column, so the query reads
 * the list of predicates and looks up the literal under each, in the index on (predicate, object).
 */
function isValueAlone(planner: Planner, {subject, predicate, object}: TriplePattern, known: Columns): boolean {
  if (object.termType !== 'Literal' || planner.facts.realms !== undefined) return false
  return [subject, predicate].every(term => term.termType === 'Variable' && !known.has(term.value))
}

/** The column of the object if it is a variable with a value and no other term is known; otherwise undefined. */
function objectAlone(
  planner: Planner,
  {subject, predicate, object}: TriplePattern,
  known: Columns,
): Column | undefined {
  const isOpen = [subject, predicate].every(term => term.termType === 'Variable' && !known.has(term.value))
  const held = isOpen && object.termType === 'Variable' ? known.get(object.value) : undefined
  return held?.rep === 'id' && !held.isNullable && planner.facts.realms === undefined ? held : undefined
}

/** Triples with a given object. Nodes have an index. Literals are looked up under each predicate. */
function readByObject(planner: Planner, graph: ActiveGraph, {scalar, extent}: Column): Source {
  const arm = (conditionsOn: (predicate: Scalar, object: Scalar) => readonly Scalar[]): SqlQuery => {
    const {from, alias, conditions} = readTriples(planner, graph, undefined, true)
    const [p, o] = [column(alias, 'p'), column(alias, 'o')]
    const columns = ['g', 's', 'p', 'o'].map(name => ({name, scalar: column(alias, name)}))
    return {kind: 'select', columns, from, where: [...conditions, equal(o, scalar), ...conditionsOn(p, o)]}
  }
  const linked = arm((_, o) => [isIndexedObject(o)])
  const valued = () =>
    arm(p => [not(isIndexedObject(scalar)), {kind: 'isAmong', of: p, query: storedPredicates(planner)}])
  const alias = planner.fresh()
  const queries = isNodes(extent) ? [linked] : [linked, valued()]
  return {from: {kind: 'query', query: {kind: 'unionAll', queries}, alias, isLateral: true}, alias, conditions: []}
}

/** The extent of the ids that a pattern gives to one of its variables; undefined if unknown. */
export function extentIn(planner: Planner, pattern: TriplePattern, name: string): Extent | undefined {
  const {subject, predicate, object} = pattern
  const isAt = (term: PatternTerm) => term.termType === 'Variable' && term.value === name
  if (isAt(subject)) return nodes
  if (isAt(predicate)) return iris
  return isAt(object) && predicate.termType !== 'Variable' ? extentOf(planner, planner.idOf(predicate)) : undefined
}

/** The extent of objects of triples with this predicate, or with any; undefined in a past state. */
export function objectExtent(planner: Planner, predicateId: string | undefined): Extent | undefined {
  if (planner.facts.past !== undefined) return extentOf(planner, predicateId)
  return predicateId === undefined ? objectsOfAny : (extentOf(planner, predicateId) ?? everyTerm)
}

/** The range of object ids of stored triples with this predicate; undefined if unknown or if it can be derived. */
function extentOf(planner: Planner, predicateId: string | undefined): Extent | undefined {
  if (predicateId === undefined || canBeDerived(planner, predicateId)) return undefined
  const {extents, frequencies} = planner.facts
  const extent = extents.get(predicateId)
  if (extent === undefined || extent.low >= 0n || extent.high < 0n) return extent
  const {quantiles = []} = frequencies.predicates.get(predicateId) ?? {}
  if (quantiles.length === 0) return extent
  return {...extent, stored: quantiles.filter(id => id >= 0n).length / quantiles.length}
}
