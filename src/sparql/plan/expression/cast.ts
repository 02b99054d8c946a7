/**
 * Plans the constructor functions of XML Schema's types.
 *
 * SQL expressions cast numbers whose type the ids determine, and terms whose text is the result. All others go to a
 * function of keys. Source: SPARQL 1.1 §17.5.
 */
import {inlineKinds} from '../../../rdf/id-layout.ts'
import {lexOfId, type Planner} from '../block.ts'
import {inlineKind, isText} from '../extent.ts'
import {call, not, type Scalar, text} from '../relation.ts'
import {isSimpleExtent} from './compare-texts.ts'
import {doubleOperand} from './double.ts'
import {numberOf} from './number.ts'
import {keyValue, textValue, toKey, toSimple, type Value} from './value.ts'

const numberTypes = new Set([
  ...['integer', 'decimal', 'float', 'double', 'int', 'long', 'short', 'byte', 'nonNegativeInteger', 'positiveInteger'],
  ...['nonPositiveInteger', 'negativeInteger', 'unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte'],
])
const otherTypes = new Set(['string', 'boolean', 'dateTime', 'date'])

/** @returns  undefined if there is no such type */
export function cast(planner: Planner, localName: string, value: Value): Value | undefined {
  const isNumber = numberTypes.has(localName)
  if (!isNumber && !otherTypes.has(localName)) return undefined
  if (isNumber && (value.type === 'text' || isSimpleExtent(value)))
    return keyValue(call('sparql_number_from', toSimple(planner, value), text(localName)))
  const generic = call('sparql_cast', text(localName), toKey(planner, value))
  switch (localName) {
    case 'string':
      return castToString(planner, value) ?? keyValue(generic)
    case 'integer':
    case 'decimal':
      return castToExact(planner, localName, value, generic) ?? keyValue(generic)
    case 'boolean':
    case 'date':
    case 'dateTime':
      return isOfType(localName, value) ? value : keyValue(generic)
    case 'double':
      return castToDouble(planner, value, generic) ?? keyValue(generic)
    default:
      return keyValue(generic)
  }
}

/** The inline kinds whose literals all have a type. */
const kindsOf = {
  boolean: [inlineKinds.boolean],
  dateTime: [inlineKinds.dateTime, inlineKinds.localDateTime],
  date: [inlineKinds.date],
} as const

function isOfType(localName: keyof typeof kindsOf, {type, constant, extent}: Value): boolean {
  const kind = type === 'id' && constant === undefined ? inlineKind(extent) : undefined
  return kindsOf[localName].some(one => one === kind)
}

function castToString(planner: Planner, value: Value): Value | undefined {
  const {type, scalar: id, constant, extent} = value
  if (type === 'text') return value
  if (type !== 'id' || constant !== undefined) return undefined
  const kind = inlineKind(extent)
  // The text of a decimal, a float or a double is not always its lexical form.
  const isWritten = isText(extent) || (kind !== undefined && kind !== inlineKinds.decimal)
  return isWritten ? textValue(lexOfId(planner, id, extent)) : undefined
}

function castToExact(
  planner: Planner,
  localName: 'integer' | 'decimal',
  value: Value,
  generic: Scalar,
): Value | undefined {
  const exact = numberOf(planner, value)
  if (exact === undefined) return undefined
  const isInteger = localName === 'integer'
  const scalar = isInteger && exact.isInteger !== true ? call('trunc', exact.scalar) : exact.scalar
  // The value of a double is its decimal form, that of a float its binary value.
  const isExact = value.type === 'id' ? not(call('sparql_is_float', value.scalar)) : exact.otherwise?.isExact
  const rest = exact.otherwise && isExact ? {otherwise: {isExact, key: generic}} : {}
  return {scalar, type: 'number', isInteger, ...rest}
}

/** A double keeps its lexical form. */
function castToDouble(planner: Planner, value: Value, generic: Scalar): Value | undefined {
  const operand = value.type === 'id' && value.constant === undefined ? doubleOperand(value) : undefined
  if (operand === undefined) return undefined
  const {scalar, isDouble, isNullable} = operand
  const made = call('sparql_double', scalar)
  if (!isNullable || typeof isDouble === 'boolean') return keyValue(made)
  const branches = [
    [isDouble, toKey(planner, value)] as const,
    [{kind: 'isNotNull', of: scalar}, made] as const,
  ] as const
  return keyValue({kind: 'case', branches, otherwise: generic})
}
