/**
 * How many rows an operand of a conjunction adds, roughly: enough to choose the next one.
 *
 * Floor 2. From the frequencies of predicates where they are known, from rules of thumb where not.
 */
import type {Algebra, PatternTerm} from '../algebra.ts'
import type {Operand} from './operand.ts'
import type {Columns, Planner} from './scope.ts'

const unknownPredicate = {triples: 100_000, subjects: 30_000, objects: 10_000}
const wholeStore = {triples: 10_000_000, subjects: 1_000_000, objects: 1_000_000}
const disconnected = 1e9 // a cross product comes last

export function estimate(planner: Planner, operand: Operand, bound: Columns, isFirst: boolean): number {
  switch (operand.type) {
    case 'triple': {
      const {subject, predicate, object} = operand.pattern
      const names = [subject, predicate, object].flatMap(nameOf)
      return tripleRows(planner, operand.pattern, bound) + penalty(names, bound, isFirst)
    }
    case 'path': {
      const {subject, object} = operand.node
      const isAnchored = isBound(subject, bound) || isBound(object, bound)
      return (isAnchored ? 200 : 1e7) + penalty([subject, object].flatMap(nameOf), bound, isFirst)
    }
    case 'other':
      return otherRows(operand.node, isFirst) + (isFirst || sharesVariable(operand.node, bound) ? 0 : 1e5)
  }
}

function nameOf(term: PatternTerm): readonly string[] {
  return term.termType === 'Variable' ? [term.value] : []
}

function isBound(term: PatternTerm, bound: Columns): boolean {
  return term.termType !== 'Variable' || bound.has(term.value)
}

function penalty(names: readonly string[], bound: Columns, isFirst: boolean): number {
  return isFirst || names.length === 0 || names.some(name => bound.has(name)) ? 0 : disconnected
}

function tripleRows(
  planner: Planner,
  {subject, predicate, object}: Extract<Operand, {type: 'triple'}>['pattern'],
  bound: Columns,
): number {
  const isPredicateKnown = predicate.termType !== 'Variable'
  const {triples, subjects, objects} = isPredicateKnown
    ? (planner.facts.frequencies.get(planner.idOf(predicate)) ?? unknownPredicate)
    : isBound(predicate, bound)
      ? unknownPredicate
      : wholeStore
  const hasSubject = isBound(subject, bound)
  const hasObject = isBound(object, bound)
  if (hasSubject && hasObject) return 0.5
  if (hasSubject) return Math.max(1, triples / Math.max(1, subjects))
  if (hasObject) return Math.max(1, triples / Math.max(1, objects)) * 2
  return triples
}

function otherRows(node: Algebra, isFirst: boolean): number {
  switch (node.type) {
    case 'values':
      return isFirst ? node.rows.length : node.rows.length / 2
    case 'slice':
      return node.limit ?? 10_000
    case 'project':
    case 'distinct':
    case 'reduced':
      return 10_000
    default:
      return 50_000
  }
}

function sharesVariable(node: Algebra, bound: Columns): boolean {
  switch (node.type) {
    case 'values':
      return node.variables.some(name => bound.has(name))
    case 'project':
      return node.variables.some(name => bound.has(name))
    default:
      return true
  }
}
