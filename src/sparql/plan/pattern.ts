/**
 * A triple pattern, joined to what is planned already.
 *
 * Floor 2. Source: SPARQL 1.1 §18.3.1 (basic graph pattern matching).
 */
import type {PatternTerm, TriplePattern} from '../algebra.ts'
import {attach} from './attach.ts'
import {readTriples} from './quads.ts'
import {column, equal, number, type Scalar} from './relation.ts'
import {type ActiveGraph, type Block, type Column, idColumn, matchColumns, type Planner} from './scope.ts'

export function addTriple(planner: Planner, block: Block, pattern: TriplePattern, graph: ActiveGraph): Block {
  const {subject, predicate, object} = pattern
  const predicateId = predicate.termType === 'Variable' ? undefined : planner.idOf(predicate)
  const {from, alias, conditions} = readTriples(planner, graph, predicateId)
  const isUnion = graph.kind === 'default' && planner.dataset === undefined
  const on: Scalar[] = [...conditions]
  const columns = new Map<string, Column>(block.columns)

  const bind = (name: string, held: Column): void => {
    const known = columns.get(name)
    const match = known === undefined ? undefined : matchColumns(planner, known, held)
    if (match !== undefined) on.push(...match.conditions)
    columns.set(name, match?.column ?? held)
  }
  const place = (term: PatternTerm, position: 's' | 'p' | 'o'): void => {
    const scalar = column(alias, position)
    if (term.termType === 'Variable') bind(term.value, idColumn(scalar, isUnion && position !== 'p'))
    else on.push(equal(scalar, number(planner.patternIdOf(term))))
  }
  place(subject, 's')
  place(predicate, 'p')
  place(object, 'o')
  if (graph.kind === 'each') bind(graph.variable, idColumn(column(alias, 'g'), false))
  return {...attach(block, from, on), columns, order: undefined}
}
