/**
 * Measures how long a scalar is as SQL. An operand that occurs twice is counted twice, even if it is a single object.
 *
 * Pure. The time is linear in the number of objects.
 */
import type {Scalar} from '../relation.ts'
import {scalarsIn} from './scalars.ts'

const sizes = new WeakMap<Scalar, number>()
const querySize = 200 // of any EXISTS: above `inlineSize` of join/combine.ts, so that no EXISTS is repeated

/** The number of nodes of a scalar when it is written as SQL. */
export function sizeOf(scalar: Scalar): number {
  const known = sizes.get(scalar)
  if (known !== undefined) return known
  const size = scalarsIn(scalar).reduce(
    (sum, operand) => sum + sizeOf(operand),
    scalar.kind === 'exists' ? querySize : 1,
  )
  sizes.set(scalar, size)
  return size
}
