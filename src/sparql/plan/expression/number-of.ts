/**
 * The values of terms as SQL numbers, if the range of the ids, a constant or the computation tells that they may be
 * numbers: as integers and decimals, on numeric or int8, and as floats and doubles, on float8.
 *
 * A term is read once for each row (probe.ts), however often an expression needs its values.
 */
import {inlineKinds} from '../../../rdf/id-layout.ts'
import type {Planner} from '../block.ts'
import {inlineKind, isOfKind, mayBeInline} from '../extent.ts'
import {call, callOnce, isNotNull, operator, type Scalar, text} from '../relation.ts'
import {inlineInteger} from './integer.ts'
import {fineDecimal, fineDouble, inlineDouble, storedFloat, storedValues} from './stored-number.ts'
import {constantNumber, type ExactForm, exactPart, formOfNumber, toKey, type Value} from './value.ts'

const {integer: integers, decimal: decimals} = inlineKinds

/** A value as an SQL number; undefined if it may be something other than a number. */
export function numberOf(planner: Planner, value: Value): Value | undefined {
  if (value.type === 'number') return value
  if (value.type === 'key') return numberOfCast(value.scalar)
  if (value.type !== 'id') return undefined
  const {scalar, constant, extent} = value
  if (constant !== undefined) return constantNumber(constant)
  switch (inlineKind(extent)) {
    case integers:
      return inlineInteger(scalar, extent?.isTested)
    case decimals: {
      const isExact = call('sparql_is_decimal', scalar)
      const decimal = call('sparql_decimal_of', scalar)
      return {
        scalar: decimal,
        type: 'number',
        otherwise: {isExact, key: toKey(planner, value)},
        float: inlineDouble(scalar),
      }
    }
    default:
      return numberStored(planner, value)
  }
}

/** The number with an id that does not determine its datatype, or may be in the dictionary. */
function numberStored(planner: Planner, value: Value): Value | undefined {
  const stored = storedValues(value)
  if (stored === undefined) return undefined
  const otherwise = {isExact: isNotNull(stored.exact), key: toKey(planner, value), isPartial: true}
  return {scalar: stored.exact, type: 'number', isScaled: true, otherwise, float: storedFloat(stored)}
}

/**
 * The number of a string that is cast to xsd:integer or xsd:decimal. The term is a key, because it keeps the lexical
 * form of the string. Arithmetic needs only the number.
 */
function numberOfCast(key: Scalar, read = 'sparql_number_of'): Value | undefined {
  if (key.kind !== 'call' || key.name !== 'sparql_number_from') return undefined
  const [, type] = key.arguments
  if (type?.kind !== 'parameter' || (type.value !== 'integer' && type.value !== 'decimal')) return undefined
  const scalar = call(read, ...key.arguments)
  return {scalar, type: 'number', isInteger: type.value === 'integer'}
}

/** The number of such a string in canonical form, and null for others; undefined if a value is something else. */
export function canonicalCast({type, scalar}: Value): Value | undefined {
  return type === 'key' ? numberOfCast(scalar, 'sparql_canonical_of') : undefined
}

/** The value of a number, or of a computed term if it is an xsd:integer or xsd:decimal; null for others. */
export function exactOf(planner: Planner, value: Value): Scalar | undefined {
  const known = numberOf(planner, value)
  if (known !== undefined) return exactPart(known)
  if (value.type !== 'key' || value.string !== undefined || value.float?.isWhole || value.isInexact) return undefined
  return value.exact ?? callOnce(value.number === undefined ? 'sparql_exact' : 'sparql_canonical_exact', value.scalar)
}

/** The form of such a value, if it is known. */
export function exactFormOf(planner: Planner, value: Value): ExactForm | undefined {
  const known = numberOf(planner, value)
  if (known !== undefined) return formOfNumber(known)
  return value.exact === undefined ? 'scaled' : value.exactForm
}

/** A number of a form as a scaled number: a decimal has a fraction digit, an integer has none. */
export function toScaled(exact: Scalar, form: ExactForm): Scalar {
  return form === 'decimal' ? operator('+', exact, call('sparql_numeric', text('0.0'))) : exact
}

/** The value of a term if it is an xsd:float or xsd:double; null for others. */
export function inexactOf(value: Value): Scalar | undefined {
  if (value.float !== undefined) return value.float.scalar
  if (value.type !== 'key') return storedDouble(value)
  if (value.string !== undefined) return undefined
  return callOnce(value.number === undefined ? 'sparql_inexact' : 'sparql_canonical_inexact', value.scalar)
}

/** The value of a term if it is an xsd:double; null for others, undefined if that is not known. */
export function doubleOf(value: Value): Scalar | undefined {
  if (value.float !== undefined) return value.float.rep === 'double' ? value.float.scalar : undefined
  if (value.type !== 'key') return storedDouble(value)
  if (value.string !== undefined) return undefined
  return callOnce(value.number === undefined ? 'sparql_double_by_key' : 'sparql_canonical_double', value.scalar)
}

function storedDouble(value: Value): Scalar | undefined {
  const {type, scalar, constant, extent} = value
  if (type !== 'id' || constant !== undefined) return undefined
  return inlineKind(extent) === decimals ? inlineDouble(scalar).scalar : storedValues(value)?.double
}

/** The value of an inline integer or decimal, and that of an inline double; null for other stored terms. */
export function valuesOfStored({scalar: id, extent}: Value): readonly [exact: Scalar, inexact: Scalar] | undefined {
  if (!mayBeInline(extent)) return undefined
  const of: Scalar = {
    kind: 'case',
    branches: [
      [isOfKind(id, integers), call('sparql_integer_of', id)],
      [call('sparql_is_decimal', id), call('sparql_decimal_of', id)],
      fineDecimal(id),
    ],
  }
  const isDouble = [call('sparql_is_double', id), call('sparql_as_double', id)] as const
  const double: Scalar = {kind: 'case', branches: [isDouble, fineDouble(id)]}
  return [
    {kind: 'once', id, name: 'exact inline', of},
    {kind: 'once', id, name: 'double of inline', of: double},
  ]
}
