/**
 * Simplifies conditions on ids by what their extents tell.
 *
 * Pure.
 */
import type {Extent} from './extent.ts'
import {all, any, isSameScalar, type Scalar} from './relation.ts'

/** Simplifies a condition on an id: drops comparisons that an extent decides. @param extent  undefined: of any term */
export function withinExtent(condition: Scalar, id: Scalar, extent: Extent | undefined): Scalar {
  if (extent === undefined) return condition
  const inside = (one: Scalar) => withinExtent(one, id, extent)
  switch (condition.kind) {
    case 'all': {
      const left = condition.conditions.map(inside).filter(one => !isBoolean(one, true))
      return left.some(one => isBoolean(one, false)) ? {kind: 'boolean', value: false} : all(left)
    }
    case 'any': {
      const left = condition.conditions.map(inside).filter(one => !isBoolean(one, false))
      return left.some(one => isBoolean(one, true)) ? {kind: 'boolean', value: true} : any(left)
    }
    case 'operator': {
      const {left, right} = condition
      if (right.kind !== 'number' || !isSameScalar(left, id)) return condition
      return compared(condition.operator, BigInt(right.value), extent) ?? condition
    }
    default:
      return condition
  }
}

function compared(operator: string, bound: bigint, {low, high}: Extent): Scalar | undefined {
  switch (operator) {
    case '>=':
      return decided(low >= bound, high < bound)
    case '<=':
      return decided(high <= bound, low > bound)
    case '<':
      return decided(high < bound, low >= bound)
    case '=':
      return decided(false, bound < low || bound > high)
    default:
      return undefined
  }
}

function decided(isTrue: boolean, isFalse: boolean): Scalar | undefined {
  return isTrue || isFalse ? {kind: 'boolean', value: isTrue} : undefined
}

/** Whether a condition has a value whatever the solution. */
export function isBoolean(scalar: Scalar, value: boolean): boolean {
  if (scalar.kind === 'all' && scalar.conditions.length === 0) return value
  if (scalar.kind === 'any' && scalar.conditions.length === 0) return !value
  return scalar.kind === 'boolean' && scalar.value === value
}
