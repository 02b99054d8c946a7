/**
 * A triple pattern as a table.
 *
 * Floor 2. Source: SPARQL 1.1 §18.3.1 (basic graph pattern matching).
 */
import type {PatternTerm, TriplePattern} from '../algebra.ts'
import {canBeDerived} from './derived.ts'
import {iris, nodes} from './extent.ts'
import {isUnionOfAll, readTriples} from './quads.ts'
import {column, equal, number, type Scalar} from './relation.ts'
import {type ActiveGraph, type Block, type Column, type Columns, idColumn, matchColumns, type Planner} from './scope.ts'
import {storedPredicates} from './walk.ts'

/** @param known  variables that have a value already: only triples that fit are looked for */
export function planTriple(planner: Planner, known: Columns, pattern: TriplePattern, graph: ActiveGraph): Block {
  const {subject, predicate, object} = pattern
  const predicateId = predicate.termType === 'Variable' ? undefined : planner.idOf(predicate)
  const isProbed = [subject, predicate, object].some(term => term.termType !== 'Variable' || known.has(term.value))
  const {from, alias, conditions} = readTriples(planner, graph, predicateId, isProbed)
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

/** What the objects of stored triples with this predicate are; nobody knows it of derived ones. */
function extentOf(planner: Planner, predicateId: string | undefined) {
  if (predicateId === undefined || canBeDerived(planner, predicateId)) return undefined
  return planner.facts.extents.get(predicateId)
}
