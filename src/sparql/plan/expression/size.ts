/**
 * How much text a scalar makes: one that is used twice is written twice, though it is one object here.
 *
 * Pure, and linear in the number of objects.
 */
import type {Scalar} from '../relation.ts'
import {scalarsIn} from './scalars.ts'

const sizes = new WeakMap<Scalar, number>()
const querySize = 200 // of EXISTS, whatever is in it: more than what may be written twice

/** Nodes of a scalar as they will be written. */
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
