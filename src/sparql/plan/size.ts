/**
 * How much text a scalar makes: one that is used twice is written twice, though it is one object here.
 *
 * Floor 2. Pure, and linear in the number of objects.
 */
import type {Scalar} from './relation.ts'

const sizes = new WeakMap<Scalar, number>()
const querySize = 200 // of EXISTS, whatever is in it: more than what may be written twice

/** Nodes of a scalar as they will be written. */
export function sizeOf(scalar: Scalar): number {
  const known = sizes.get(scalar)
  if (known !== undefined) return known
  const size = operandsOf(scalar).reduce(
    (sum, operand) => sum + sizeOf(operand),
    scalar.kind === 'exists' ? querySize : 1,
  )
  sizes.set(scalar, size)
  return size
}

function operandsOf(scalar: Scalar): readonly Scalar[] {
  switch (scalar.kind) {
    case 'call':
      return scalar.arguments
    case 'operator':
      return [scalar.left, scalar.right]
    case 'all':
    case 'any':
      return scalar.conditions
    case 'not':
      return [scalar.condition]
    case 'isNull':
    case 'isNotNull':
    case 'isTrue':
    case 'isOneOf':
    case 'isNoneOf':
    case 'isAmong':
      return [scalar.of]
    case 'case':
      return [scalar.of, scalar.otherwise, ...scalar.branches.flat()].filter(one => one !== undefined)
    case 'array':
    case 'row':
      return scalar.items
    case 'aggregate':
      return [...scalar.arguments, ...(scalar.filter === undefined ? [] : [scalar.filter])]
    case 'stored':
    case 'ownKey':
      return [scalar.id]
    case 'ownId':
      return [scalar.key]
    case 'rowNumber':
      return scalar.order.map(key => key.scalar)
    case 'column':
    case 'number':
    case 'parameter':
    case 'null':
    case 'boolean':
    case 'exists':
    case 'subquery':
      return []
  }
}
