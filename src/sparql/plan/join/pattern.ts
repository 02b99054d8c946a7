/**
 * A triple pattern as a table.
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
import {iris, isNodes, nodes} from '../extent.ts'
import {storedPredicates} from '../order/walk.ts'
import {all, column, equal, not, number, operator, type Scalar, type SqlQuery} from '../relation.ts'
import {canBeDerived} from './derived.ts'
import {isUnionOfAll, readTriples, type Source} from './quads.ts'

/** @param known  variables that have a value already: only triples that fit are looked for */
export function planTriple(planner: Planner, known: Columns, pattern: TriplePattern, graph: ActiveGraph): Block {
  const {subject, predicate, object} = pattern
  const predicateId = predicate.termType === 'Variable' ? undefined : planner.idOf(predicate)
  const isProbed = [subject, predicate, object].some(term => term.termType !== 'Variable' || known.has(term.value))
  const only = objectAlone(planner, pattern, known)
  const {from, alias, conditions} =
    only === undefined ? readTriples(planner, graph, predicateId, isProbed) : readByObject(planner, graph, only)
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
    const extent = {s: nodes, p: iris, o: extentOf(planner, predicateId)}[position]
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
 * Whether nothing is known but that the object is a certain literal. No index begins with those: so the predicates are
 * found first, and each has its objects in one.
 */
function isValueAlone(planner: Planner, {subject, predicate, object}: TriplePattern, known: Columns): boolean {
  if (object.termType !== 'Literal' || planner.facts.realms !== undefined) return false
  return [subject, predicate].every(term => term.termType === 'Variable' && !known.has(term.value))
}

/** The object, where it is a variable with a value and nothing else is known. */
function objectAlone(
  planner: Planner,
  {subject, predicate, object}: TriplePattern,
  known: Columns,
): Column | undefined {
  const isOpen = [subject, predicate].every(term => term.termType === 'Variable' && !known.has(term.value))
  const held = isOpen && object.termType === 'Variable' ? known.get(object.value) : undefined
  return held?.rep === 'id' && !held.isNullable && planner.facts.realms === undefined ? held : undefined
}

/**
 * Triples with a given object. The index of objects has nodes only, and is used where the text says so; literals are
 * found under each predicate.
 */
function readByObject(planner: Planner, graph: ActiveGraph, {scalar, extent}: Column): Source {
  const arm = (conditionsOn: (predicate: Scalar, object: Scalar) => readonly Scalar[]): SqlQuery => {
    const {from, alias, conditions} = readTriples(planner, graph, undefined, true)
    const [p, o] = [column(alias, 'p'), column(alias, 'o')]
    const columns = ['g', 's', 'p', 'o'].map(name => ({name, scalar: column(alias, name)}))
    return {kind: 'select', columns, from, where: [...conditions, equal(o, scalar), ...conditionsOn(p, o)]}
  }
  const isNode = (id: Scalar) => [
    operator('>=', id, number(1)),
    operator('<=', id, number(nodes.high)), // as the index says it
  ]
  const linked = arm((_, o) => isNode(o))
  const valued = () => arm(p => [not(all(isNode(scalar))), {kind: 'isAmong', of: p, query: storedPredicates(planner)}])
  const alias = planner.fresh()
  const queries = isNodes(extent) ? [linked] : [linked, valued()]
  return {from: {kind: 'query', query: {kind: 'unionAll', queries}, alias, isLateral: true}, alias, conditions: []}
}

/** What the objects of stored triples with this predicate are; nobody knows it of derived ones. */
function extentOf(planner: Planner, predicateId: string | undefined) {
  if (predicateId === undefined || canBeDerived(planner, predicateId)) return undefined
  return planner.facts.extents.get(predicateId)
}
