/**
 * Lists and maps the operands of a scalar, and tells whether it always reads the dictionary.
 *
 * Pure. Queries inside a scalar are not operands.
 */
import type {Scalar} from '../relation.ts'

export function scalarsIn(scalar: Scalar): readonly Scalar[] {
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
    case 'once':
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
    case 'part':
      return []
  }
}

/** A copy of a scalar with mapped operands. */
export function mapScalars(scalar: Scalar, map: (operand: Scalar) => Scalar): Scalar {
  switch (scalar.kind) {
    case 'call':
      return {...scalar, arguments: scalar.arguments.map(map)}
    case 'operator':
      return {...scalar, left: map(scalar.left), right: map(scalar.right)}
    case 'all':
    case 'any':
      return {...scalar, conditions: scalar.conditions.map(map)}
    case 'not':
      return {...scalar, condition: map(scalar.condition)}
    case 'isNull':
    case 'isNotNull':
    case 'isTrue':
    case 'isOneOf':
    case 'isNoneOf':
    case 'isAmong':
      return {...scalar, of: map(scalar.of)}
    case 'case':
      return {
        ...scalar,
        ...(scalar.of === undefined ? {} : {of: map(scalar.of)}),
        branches: scalar.branches.map(([when, then]) => [map(when), map(then)] as const),
        ...(scalar.otherwise === undefined ? {} : {otherwise: map(scalar.otherwise)}),
      }
    case 'array':
    case 'row':
      return {...scalar, items: scalar.items.map(map)}
    case 'aggregate':
      return {
        ...scalar,
        arguments: scalar.arguments.map(map),
        ...(scalar.filter === undefined ? {} : {filter: map(scalar.filter)}),
      }
    case 'stored':
    case 'ownKey':
      return {...scalar, id: map(scalar.id)}
    case 'once':
      return {...scalar, ...(scalar.id === undefined ? {} : {id: map(scalar.id)}), of: map(scalar.of)}
    case 'ownId':
      return {...scalar, key: map(scalar.key)}
    case 'rowNumber':
      return {...scalar, order: scalar.order.map(key => ({...key, scalar: map(key.scalar)}))}
    case 'column':
    case 'number':
    case 'parameter':
    case 'null':
    case 'boolean':
    case 'exists':
    case 'subquery':
    case 'part':
      return scalar
  }
}

/** The operands that are always evaluated. Of conditions and branches, those after the first may be skipped. */
export function alwaysEvaluated(scalar: Scalar): readonly Scalar[] {
  switch (scalar.kind) {
    case 'all':
    case 'any':
      return scalar.conditions.slice(0, 1)
    case 'case': {
      const when = scalar.of ?? scalar.branches[0]?.[0]
      return when === undefined ? [] : [when]
    }
    default:
      return scalarsIn(scalar)
  }
}

/** Whether a scalar always looks up a term. */
export function looksUp(scalar: Scalar): boolean {
  return scalar.kind === 'stored' || alwaysEvaluated(scalar).some(looksUp)
}

/** Whether a scalar may look up a term. */
export function needsLookup(scalar: Scalar): boolean {
  return scalar.kind === 'stored' || scalarsIn(scalar).some(needsLookup)
}

/** Whether a scalar reads the key of a computed number with a function that uses it several times. */
export function repeatsColumns(scalar: Scalar): boolean {
  const repeats = scalar.kind === 'call' && /^sparql_(?:canonical|moderate)_/.test(scalar.name)
  return repeats || scalarsIn(scalar).some(repeatsColumns)
}
