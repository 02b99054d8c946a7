/**
 * How many rows a triple pattern has, and what part of them a test leaves: from what the store counted.
 *
 * Floor 2. Pure. Wrong numbers make slow plans, never wrong answers; predicates that nobody counted go by rules of
 * thumb.
 */
import type {Expression, PatternTerm, TriplePattern} from '../algebra.ts'
import {canBeDerived} from './derived.ts'
import type {PredicateFrequency} from './frequencies.ts'
import {comparisonOf, rangeOf} from './range.ts'
import {column, never, number, type Scalar} from './relation.ts'
import type {ActiveGraph, Planner} from './scope.ts'
import {textShare} from './text-share.ts'

export type Names = ReadonlySet<string>
export type Estimate = {readonly rows: number; readonly cost: number}

export const probeCost = 15 // bench:plans: 5 and 50 give twice the worst regret of 12 to 25

const uncounted: PredicateFrequency = {triples: 1000, subjects: 500, objects: 100, quantiles: []}
const triplesOfDocument = 15
const childrenOfDocument = 5 // of one that has any
const containers = 4 // large ones: whoever names one mostly means such
const loopShare = 0.5 // of a predicate's triples lead back to their subjects, where somebody asks for that

/** @returns  rows for each solution that binds `bound`; with none of the pattern's variables bound, all */
export function tripleRows(planner: Planner, pattern: TriplePattern, bound: Names, graph: ActiveGraph): number {
  const {subject, object} = pattern
  const {triples, subjects, objects} = frequencyOf(planner, pattern)
  const hasObject = isBound(object, bound)
  const ofObject = object.termType === 'Variable' ? triples / objects : valueRows(planner, pattern, triples / objects)
  const isLoop = subject.termType === 'Variable' && object.termType === 'Variable' && subject.value === object.value
  if (isLoop) return (isBound(subject, bound) ? triples / subjects : triples) * loopShare
  const rows = !isBound(subject, bound)
    ? hasObject
      ? ofObject
      : triples
    : hasObject
      ? Math.min(1, Math.max(0.02, ofObject / subjects))
      : triples / subjects
  const isInOne = graph.kind === 'named' || (graph.kind === 'each' && bound.has(graph.variable))
  return isInOne ? Math.min(rows, triplesOfGraph(planner, graph)) : rows
}

/** Triples of one graph: of one that nobody knows yet, as many as the graph of a triple has on average. */
function triplesOfGraph({facts: {frequencies}}: Planner, graph: ActiveGraph): number {
  const {triples, graphs = new Map<string, number>()} = frequencies
  if (graph.kind === 'named' && graph.scalar.kind === 'number')
    return graphs.get(graph.scalar.value) ?? triplesOfDocument
  const squares = [...graphs.values()].reduce((sum, quads) => sum + quads * quads, 0)
  return Math.max(triplesOfDocument, squares / Math.max(triples, 1))
}

/** How many different values of a variable the solutions of a pattern have; undefined: it is not one of its ends. */
export function differentValues(planner: Planner, pattern: TriplePattern, name: string): number | undefined {
  const {subjects, objects} = frequencyOf(planner, pattern)
  if (pattern.subject.termType === 'Variable' && pattern.subject.value === name) return subjects
  return pattern.object.termType === 'Variable' && pattern.object.value === name ? objects : undefined
}

function frequencyOf(planner: Planner, {subject, predicate}: TriplePattern): PredicateFrequency {
  const {triples, predicates} = planner.facts.frequencies
  const all = Math.max(triples, uncounted.triples)
  const documents = all / triplesOfDocument
  if (predicate.termType === 'Variable') return {triples: all, subjects: documents, objects: all / 3, quantiles: []}
  const id = planner.patternIdsOf(predicate)[0]
  const counted = predicates.get(id)
  if (counted !== undefined) return counted
  if (canBeDerived(planner, id)) {
    const parents = subject.termType === 'Variable' ? documents / childrenOfDocument : containers
    return {triples: documents, subjects: parents, objects: documents, quantiles: []}
  }
  return triples > 10_000 ? {triples: 100, subjects: 50, objects: 20, quantiles: []} : uncounted
}

/** Rows with a constant object: counted when it is common, else as many as others have. */
function valueRows(planner: Planner, {predicate, object}: TriplePattern, others: number): number {
  if (predicate.termType === 'Variable' || object.termType === 'Variable') return 20
  const key = `${planner.patternIdsOf(predicate)[0]} ${planner.patternIdsOf(object)[0]}`
  return planner.facts.frequencies.values.get(key) ?? others
}

export function isBound(term: PatternTerm, bound: Names): boolean {
  return term.termType !== 'Variable' || bound.has(term.value)
}

/** Whether a test compares a pattern's object with a constant, so that the index reads no other rows. */
export function isRange({object}: TriplePattern, test: Expression): boolean {
  return object.termType === 'Variable' && comparisonOf(test)?.name === object.value
}

const unknownShare = 0.3

/** The part of a pattern's rows for which a test of its object is true, by the quantiles of the predicate's objects. */
export function shareOf(planner: Planner, pattern: TriplePattern, test: Expression): number {
  const {object} = pattern
  const compared = comparisonOf(test)
  if (object.termType !== 'Variable') return unknownShare
  if (compared === undefined || compared.name !== object.value)
    return textShare(planner, test, object.value) ?? unknownShare
  const {quantiles, objects} = frequencyOf(planner, pattern)
  const known = sharesOf(planner).get(test)
  if (known !== undefined) return known
  if (compared.comparison === '=') return 1 / objects
  const {constant, comparison} = compared
  const id = column('', 'o')
  const range = rangeOf(id, comparison, constant, number(0), never)
  if (range === undefined || quantiles.length === 0) return unknownShare
  const found = quantiles.filter(value => holds(range, value)).length
  const share = Math.max(found, 0.5) / quantiles.length
  sharesOf(planner).set(test, share)
  return share
}

const shares = new WeakMap<Planner, WeakMap<Expression, number>>()

/** What was found out while one query is planned; a test is asked of one pattern mostly. */
function sharesOf(planner: Planner): WeakMap<Expression, number> {
  const known = shares.get(planner) ?? new WeakMap<Expression, number>()
  shares.set(planner, known)
  return known
}

/** Whether a condition that range.ts made is true of an id; what it asks of functions is false. */
function holds(condition: Scalar, id: bigint): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.conditions.every(one => holds(one, id))
    case 'any':
      return condition.conditions.some(one => holds(one, id))
    case 'case':
      return condition.otherwise !== undefined && holds(condition.otherwise, id)
    case 'operator': {
      const bound = condition.right.kind === 'number' ? BigInt(condition.right.value) : 0n
      return condition.operator === '>=' ? id >= bound : condition.operator === '<=' ? id <= bound : id === bound
    }
    default:
      return false
  }
}
