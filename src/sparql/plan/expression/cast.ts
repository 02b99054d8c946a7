/**
 * Plans the constructor functions of XML Schema's types.
 *
 * SQL expressions cast numbers whose type the ids determine, and terms whose text is the result. All others go to a
 * function of keys. Source: SPARQL 1.1 §17.5.
 */
import {inlineKinds} from '../../../rdf/id-layout.ts'
import {keyOfNumber, type Planner} from '../block.ts'
import {areStrings, inlineKind, isText} from '../extent.ts'
import {lexOfId} from '../id-parts.ts'
import {areInstants} from '../instants.ts'
import {call, isNotNull, not, type Scalar, text} from '../relation.ts'
import {isSimpleExtent} from './compare-texts.ts'
import {castToFloat, floatOfNumeral, floatOfText, floatValue} from './float.ts'
import {bitsOf} from './integer.ts'
import {numberOf} from './number-of.ts'
import {type StoredValues, storedValues} from './stored-number.ts'
import {type FloatRep, formOf, keyValue, type StoredNumber, textValue, toKey, toSimple, type Value} from './value.ts'

const numberTypes = new Set([
  ...['integer', 'decimal', 'float', 'double', 'int', 'long', 'short', 'byte', 'nonNegativeInteger', 'positiveInteger'],
  ...['nonPositiveInteger', 'negativeInteger', 'unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte'],
])
const otherTypes = new Set([
  ...['string', 'boolean', 'dateTime', 'date', 'time', 'gYear', 'gYearMonth'],
  ...['duration', 'dayTimeDuration', 'yearMonthDuration'],
])

/** @returns  undefined if there is no such type */
export function cast(planner: Planner, localName: string, value: Value): Value | undefined {
  const isNumber = numberTypes.has(localName)
  if (!isNumber && !otherTypes.has(localName)) return undefined
  if (isNumber && isString(value)) return numberFromText(toSimple(planner, value), localName, value.numeral)
  const generic = call('sparql_cast', text(localName), toKey(planner, value))
  switch (localName) {
    case 'string':
      return castToString(planner, value, generic)
    case 'integer':
    case 'decimal':
      return castToExact(planner, localName, value, generic) ?? keyValue(generic)
    case 'boolean':
    case 'date':
    case 'dateTime':
      return isOfType(localName, value) ? value : keyValue(generic)
    case 'float':
    case 'double':
      return {...castToInexact(planner, localName, value, generic), isInexact: true}
    default:
      return keyValue(generic)
  }
}

/** Whether a value is a string, with or without a language, or an error. */
function isString(value: Value): boolean {
  const {type, string, constant, extent} = value
  if (type === 'text' || string !== undefined || isSimpleExtent(value)) return true
  return type === 'id' && constant === undefined && areStrings(extent)
}

/** Whether all terms of a value are inline literals of a type. */
function isOfType(localName: 'boolean' | 'date' | 'dateTime', {type, constant, extent}: Value): boolean {
  if (type !== 'id' || constant !== undefined) return false
  return localName === 'dateTime' ? areInstants(extent) : inlineKind(extent) === inlineKinds[localName]
}

/** The text of a decimal, a float or a double is not always its lexical form. */
function castToString(planner: Planner, value: Value, generic: Scalar): Value {
  const {type, scalar: id, constant, extent} = value
  if (type === 'text') return value
  if (type !== 'id' || constant !== undefined) return keyValue(generic)
  const kind = inlineKind(extent)
  const isNumber = kind === inlineKinds.decimal || kind === inlineKinds.fine
  const isWritten = isText(extent) || (kind !== undefined && !isNumber) || areInstants(extent)
  return formOf(value, isWritten ? textValue(lexOfId(planner, id, extent)) : keyValue(generic))
}

function castToExact(
  planner: Planner,
  localName: 'integer' | 'decimal',
  value: Value,
  generic: Scalar,
): Value | undefined {
  const isInteger = localName === 'integer'
  const stored = storedValues(value)
  if (stored !== undefined) return castStored(stored, isInteger, generic)
  const exact = numberOf(planner, value)
  if (exact === undefined) return castFromDouble(value, isInteger, generic)
  const isCut = isInteger && exact.isInteger !== true && exact.bits === undefined
  const scalar = isCut ? call('trunc', call('sparql_numeric', exact.scalar)) : exact.scalar
  // The value of a double is its decimal form, that of a float its binary value.
  const isExact = value.type === 'id' ? not(call('sparql_is_float', value.scalar)) : exact.otherwise?.isExact
  const rest = exact.otherwise && isExact ? {otherwise: {...exact.otherwise, isExact, key: generic}} : {}
  return {scalar, type: 'number', isInteger, ...bitsOf(exact), ...rest}
}

/** The value of an integer or a decimal, or the decimal form of a double. */
function castStored({exact, double}: StoredValues, isInteger: boolean, key: Scalar): Value {
  const value = call('coalesce', exact, call('sparql_decimal_form', double))
  const scalar = isInteger ? call('trunc', value) : value
  return {scalar, type: 'number', isInteger, otherwise: {isExact: isNotNull(value), key, isPartial: true}}
}

/** The decimal form of a computed double. */
function castFromDouble({float}: Value, isInteger: boolean, generic: Scalar): Value | undefined {
  if (float?.rep !== 'double') return undefined
  const decimal = call('sparql_decimal_form', float.scalar)
  const exact = isInteger ? call('trunc', decimal) : decimal
  if (float.isWhole) return {scalar: exact, type: 'number', isInteger}
  const key = keyOfNumber(exact, isInteger ? 'integer' : 'decimal')
  return {...keyValue(call('coalesce', key, generic)), exact, number: 'exact'}
}

/** The term keeps the lexical form of the string. */
function numberFromText(lex: Scalar, localName: string, numeral: StoredNumber | undefined): Value {
  const key = keyValue(call('sparql_number_from', lex, text(localName)))
  if (localName !== 'float' && localName !== 'double') return key
  return {
    ...key,
    isInexact: true,
    float: numeral === undefined ? floatOfText(localName, lex) : floatOfNumeral(localName, numeral),
  }
}

function castToInexact(planner: Planner, rep: FloatRep, value: Value, generic: Scalar): Value {
  if (value.numeral !== undefined) return {...keyValue(generic), float: floatOfNumeral(rep, value.numeral)}
  const float = castToFloat(rep, value)
  if (float === undefined) return keyValue(generic)
  const made = floatValue(float, generic)
  if (float.isCanonical) return made
  // A float or a double that is cast to its own type keeps its lexical form.
  if (value.float !== undefined) return {...value, float}
  const stored = rep === 'double' ? storedValues(value)?.double : undefined
  const isInline = call(rep === 'float' ? 'sparql_is_float' : 'sparql_is_double', value.scalar)
  const isOfType = stored === undefined ? isInline : isNotNull(stored)
  const branches = [[isOfType, toKey(planner, value)]] as const
  return {...made, scalar: {kind: 'case', branches, otherwise: made.scalar}}
}
