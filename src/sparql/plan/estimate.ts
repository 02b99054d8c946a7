/**
 * How many rows an operand of a conjunction adds, roughly: enough to choose the next one.
 *
 * Floor 2. From the frequencies of predicates where they are known, from rules of thumb where not.
 */
import type {NamedNode} from '../../rdf/term.ts'
import type {Algebra, PatternTerm} from '../algebra.ts'
import type {Operand} from './operand.ts'
import type {Columns, Planner} from './scope.ts'

const unlistedPredicate = 1000 // rows
const unlistedObject = 20
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
  const {frequencies} = planner.facts
  const isConstant = (term: PatternTerm) => term.termType !== 'Variable'
  const triples = isConstant(predicate)
    ? (frequencies.predicates.get(planner.patternIdOf(predicate as NamedNode)) ?? unlistedPredicate)
    : Math.max(frequencies.triples, unlistedPredicate)
  const hasSubject = isBound(subject, bound)
  const hasObject = isBound(object, bound)
  if (hasSubject && hasObject) return 0.5
  if (hasSubject) return isBound(predicate, bound) ? 2 : 20
  if (!hasObject) return triples
  if (object.termType === 'Variable') return Math.max(3, triples / 10_000)
  return Math.min(triples, frequencies.objects.get(planner.patternIdOf(object)) ?? unlistedObject)
}

function otherRows(node: Algebra, isFirst: boolean): number {
  switch (node.type) {
    case 'values':
      return isFirst ? node.rows.length : node.rows.length / 2
    case 'table':
      return isFirst ? node.rowCount : node.rowCount / 2
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
    case 'table':
      return node.columns.some(({variable}) => bound.has(variable))
    default:
      return true
  }
}
