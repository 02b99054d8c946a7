/**
 * Finds comparisons of a variable with constants in the condition of a filter.
 *
 * Pure. Source: SPARQL 1.1 §17.3, §17.4.1.9 (IN).
 */
import type {Expression} from '../../algebra.ts'
import type {Constant} from '../block.ts'

export type Comparison = '=' | '<' | '>' | '<=' | '>='

/** The operator that is equivalent if the sides are exchanged. */
export const exchanged: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
}

/** A comparison of a variable, or of its YEAR, with a constant. */
export type Compared = {
  readonly name: string
  readonly isYear: boolean
  readonly comparison: Comparison
  readonly constant: Constant
}

/** A comparison with a constant, rewritten to have the variable first; undefined for other conditions. */
export function comparisonOf(condition: Expression): Compared | undefined {
  if (condition.type !== 'call' || !isComparison(condition.name)) return undefined
  const [left, right] = condition.arguments
  if (right?.type === 'term') return comparedWith(left, condition.name, right.term)
  if (left?.type === 'term') return comparedWith(right, exchanged[condition.name], left.term)
  return undefined
}

const comparedMost = 50 // more take too long to estimate

const comparedBy = new WeakMap<Expression, readonly Compared[]>()

/**
 * The comparisons of one variable with constants that a test consists of. The test is true if one of them is: it is a
 * single comparison, comparisons after `||`, or IN with a list. Empty for other tests.
 */
export function comparisonsOf(test: Expression): readonly Compared[] {
  const found = comparedBy.get(test) ?? findComparisons(test)
  comparedBy.set(test, found)
  return found
}

function findComparisons(test: Expression): readonly Compared[] {
  const parts = partsOf(test)
  if (parts.length > comparedMost) return []
  const found = parts.map(comparisonOf)
  const isOfOne = found.every(one => one !== undefined && one.name === found[0]?.name)
  return isOfOne ? found.flatMap(one => one ?? []) : []
}

/** The tests after `||`, and one for each item after IN. */
function partsOf(test: Expression): readonly Expression[] {
  if (test.type !== 'call') return [test]
  if (test.name === '||') return test.arguments.flatMap(partsOf)
  const [tested, ...items] = test.arguments
  if (test.name !== 'in' || tested === undefined) return [test]
  return items.map((item): Expression => ({type: 'call', name: '=', arguments: [tested, item]}))
}

function comparedWith(side: Expression | undefined, comparison: Comparison, constant: Constant): Compared | undefined {
  const isYear = side?.type === 'call' && side.name === 'year'
  const compared = isYear ? side.arguments[0] : side
  return compared?.type === 'variable' ? {name: compared.name, isYear, comparison, constant} : undefined
}

function isComparison(name: string): name is Comparison {
  return Object.hasOwn(exchanged, name)
}
