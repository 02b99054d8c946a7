/**
 * Tells which conditions compare only columns and ids, so that they need no term of the dictionary.
 *
 * Pure.
 */
import {all, any, isSameScalar, type Scalar} from '../relation.ts'

/**
 * A disjunction that is equal to a condition, with its alternatives that compare only ids apart:
 * `a and (b or f(t))` is `(a and b) or (a and f(t))`.
 */
export function withoutLookups(condition: Scalar): readonly Scalar[] {
  const parts = condition.kind === 'all' ? condition.conditions : [condition]
  const [needy, ...others] = parts.filter(one => !comparesIds(one))
  if (needy?.kind !== 'any' || others.length > 0 || !needy.conditions.some(comparesIds)) return [condition]
  const withPart = (some: readonly Scalar[]) => all(parts.map(one => (one === needy ? any(some) : one)))
  const rest = needy.conditions.filter(one => !comparesIds(one))
  return [withPart(needy.conditions.filter(comparesIds)), withPart(rest)]
}

/**
 * Conditions, and before them what those that need terms say about ids, if others say nothing. PostgreSQL tests the
 * cheapest one first. The text of a time is cheaper than its range, which needs a term only for times near a constant.
 */
export function withIdTests(conditions: readonly Scalar[]): readonly Scalar[] {
  const needy = conditions.filter(one => !comparesIds(one))
  const tests = needy.flatMap(one => idTest(one) ?? [])
  if (tests.length === needy.length) return conditions
  const first = conditions.findIndex(one => !comparesIds(one))
  const added = tests.filter(one => !conditions.some(other => isSameScalar(one, other)))
  return [...conditions.slice(0, first), ...added, ...conditions.slice(first)]
}

/** A condition that compares only ids and is true wherever another one is; undefined if there is none. */
function idTest(condition: Scalar): Scalar | undefined {
  if (comparesIds(condition)) return condition
  switch (condition.kind) {
    case 'all': {
      const parts = condition.conditions.flatMap(one => idTest(one) ?? [])
      return parts.length === 0 ? undefined : all(parts)
    }
    case 'any': {
      const parts = condition.conditions.flatMap(one => idTest(one) ?? [])
      return parts.length < condition.conditions.length ? undefined : any(parts)
    }
    case 'case': {
      const {of, branches, otherwise} = condition
      const [[when, then] = [], ...others] = branches
      if (of !== undefined || otherwise !== undefined || others.length > 0 || when === undefined) return undefined
      const test = then?.kind === 'boolean' ? idTest(when) : undefined
      return test && then && {kind: 'case', branches: [[test, then]]}
    }
    default:
      return undefined
  }
}

/** Whether a condition compares only columns and ids. */
export function comparesIds(scalar: Scalar): boolean {
  return scalar.kind === 'all' || scalar.kind === 'any' ? scalar.conditions.every(comparesIds) : hasOnlyLeaves(scalar)
}

/** Whether a comparison, or a scalar, needs nothing but columns and constants. */
export function hasOnlyLeaves(scalar: Scalar): boolean {
  switch (scalar.kind) {
    case 'operator':
      return isLeaf(scalar.left) && isLeaf(scalar.right)
    case 'isNull':
    case 'isNotNull':
      return isLeaf(scalar.of)
    default:
      return isLeaf(scalar)
  }
}

function isLeaf({kind}: Scalar): boolean {
  return kind === 'column' || kind === 'number' || kind === 'parameter' || kind === 'null' || kind === 'boolean'
}
