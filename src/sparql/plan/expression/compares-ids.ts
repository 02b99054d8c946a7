/**
 * Tells which conditions compare only columns and ids, so that they need no term of the dictionary.
 *
 * Pure.
 */
import {all, any, type Scalar} from '../relation.ts'

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
