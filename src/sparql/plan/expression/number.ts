/**
 * Plans arithmetic and comparisons of numbers and times on SQL's own types, if the range of the ids or a constant
 * determines the kind of value. That is faster than the general functions, which take the keys of terms.
 *
 * SQL's `numeric` represents integers and decimals exactly (SPARQL 1.1 §17.3 promotes between them without loss). An
 * inline id of the kind "decimal" may also be a float or a double, which round. For these the query falls back to the
 * function of keys.
 */
import {
  datatypeBits,
  formBitsOfKind,
  inlineKinds,
  inlineParts,
  kindOfInline,
  literalClasses,
  zoneBitsOfDate,
} from '../../../rdf/id-layout.ts'
import {packLiteral} from '../../../rdf/inline.ts'
import type {FunctionName} from '../../algebra.ts'
import {keyOfNumber, type Planner} from '../block.ts'
import {inlineKind, isNodes, isOfClass, isOfKind, mayBeInline} from '../extent.ts'
import {all, call, equal, not, number, type Operator, operator, type Scalar, text} from '../relation.ts'
import {compareSpans} from './compare-spans.ts'
import {calculateFloat, compareFloats, floatValue, roundFloat} from './float.ts'
import {type Arithmetic, bitsOf, calculateShort, inlineInteger, integerPart, quotientOf, roundShort} from './integer.ts'
import {storedValues} from './stored-number.ts'
import {booleanValue, constantNumber, keyValue, repOfNumber, toKey, type Value} from './value.ts'

const xsd = 'http://www.w3.org/2001/XMLSchema#'
const {integer: integers, decimal: decimals, dateTime: zoned, localDateTime: unzoned, date: days} = inlineKinds

/** A value as an SQL number; undefined if it may be something other than a number. */
export function numberOf(planner: Planner, value: Value): Value | undefined {
  if (value.type === 'number') return value
  if (value.type === 'key') return numberOfCast(value.scalar)
  if (value.type !== 'id') return undefined
  const {scalar, constant, extent} = value
  if (constant !== undefined) return constantNumber(constant)
  switch (inlineKind(extent)) {
    case integers:
      return inlineInteger(scalar)
    case decimals: {
      const isExact = call('sparql_is_decimal', scalar)
      const decimal = call('sparql_decimal_of', scalar)
      return {scalar: decimal, type: 'number', otherwise: {isExact, key: toKey(planner, value)}}
    }
    default: {
      const stored = storedValues(value)
      if (stored === undefined) return undefined
      const {decimal, isDecimal} = stored
      return {
        scalar: decimal,
        type: 'number',
        otherwise: {isExact: isDecimal, key: toKey(planner, value), isPartial: true},
      }
    }
  }
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

/** The form of a constant number that is also the canonical form of its value. */
const canonicalForms: ReadonlyMap<string, RegExp> = new Map([
  [`${xsd}integer`, /^(?:0|-?[1-9]\d{0,17})$/],
  [`${xsd}decimal`, /^(?:-?(?:[1-9]\d{0,17}\.(?:0|\d{0,17}[1-9])|0\.\d{0,17}[1-9])|0\.0)$/],
])

/** A value as an SQL number, if its term is always in canonical form: computed numbers and some constants. */
function canonicalNumber(planner: Planner, value: Value): Value | undefined {
  const {type, constant, otherwise} = value
  const isCanonical =
    constant?.termType === 'Literal'
      ? canonicalForms.get(constant.datatype.value)?.test(constant.value) === true
      : type === 'number' && otherwise === undefined
  return isCanonical ? numberOf(planner, value) : undefined
}

/** Plans a choice between numbers; undefined unless all are integers, or all decimals, in canonical form. */
export function choose(
  planner: Planner,
  values: readonly Value[],
  chosen: (numbers: readonly Scalar[]) => Scalar,
): Value | undefined {
  const numbers = values.flatMap(value => canonicalNumber(planner, value) ?? [])
  const [rep, ...others] = new Set(numbers.map(repOfNumber))
  if (rep === undefined || others.length > 0 || numbers.length < values.length) return undefined
  return {scalar: chosen(numbers.map(({scalar}) => scalar)), type: 'number', isInteger: rep === 'integer'}
}

const arithmetic: Readonly<Record<Arithmetic, (left: Scalar, right: Scalar) => Scalar>> = {
  '+': (left, right) => operator('+', left, right),
  '-': (left, right) => operator('-', left, right),
  '*': (left, right) => operator('*', left, right),
  '/': (left, right) => call('sparql_quotient', left, right),
}

/** Plans `+`, `-`, `*` and `/`. */
export function calculate(planner: Planner, name: Arithmetic, left: Value, right: Value): Value {
  const float = calculateFloat(name, left, right)
  const generic = call('sparql_arithmetic', text(name), toKey(planner, left), toKey(planner, right))
  const made = float === undefined ? keyValue(generic) : floatValue(float, generic)
  const byKey: Value = {...made, number: float?.rep ?? 'exact'}
  const [a, b] = [numberOf(planner, left), numberOf(planner, right)]
  // Squares of squares soon have more digits than PostgreSQL allows, which would be an error of the query.
  const mayOverflow = name === '*' && [left, right].every(isComputed)
  // Two SQL constants would have an integer type, which overflows.
  const work = (one: Scalar, other: Scalar) =>
    mayOverflow ? call('sparql_product', one, other) : arithmetic[name](call('sparql_numeric', one), other)
  if (a === undefined || b === undefined) {
    const [one, other] = [exactOf(planner, left), exactOf(planner, right)]
    const exact = one && other && float?.isWhole !== true ? work(one, other) : undefined
    if (exact === undefined) return byKey
    const key = float === undefined && name === '/' ? keyOfNumber(exact, 'decimal') : undefined
    return {...byKey, exact, ...(key === undefined ? {} : {scalar: call('coalesce', key, generic)})}
  }
  const short = calculateShort(name, a, b)
  const scalar = short?.scalar ?? work(a.scalar, b.scalar)
  const isInteger = a.isInteger === true && b.isInteger === true && name !== '/'
  return {
    scalar,
    type: 'number',
    isInteger,
    ...(short === undefined ? quotientOf(name, a, right) : bitsOf(short)),
    ...otherwise([a, b], byKey.scalar),
    ...(float === undefined ? {} : {float}),
  }
}

/** The value of a number, or of a computed term if it is an xsd:integer or xsd:decimal; null for others. */
function exactOf(planner: Planner, value: Value): Scalar | undefined {
  const known = numberOf(planner, value)
  if (known?.otherwise !== undefined) return {kind: 'case', branches: [[known.otherwise.isExact, known.scalar]]}
  if (known !== undefined) return known.scalar
  if (value.type !== 'key' || value.string !== undefined || value.float?.isWhole || value.isInexact) return undefined
  return value.exact ?? call(value.number === undefined ? 'sparql_exact' : 'sparql_canonical_exact', value.scalar)
}

/** The value of a computed term if it is an xsd:float or xsd:double; null for others. */
function inexactOf({type, scalar, float, string, number}: Value): Scalar | undefined {
  if (float !== undefined) return float.scalar
  if (type !== 'key' || string !== undefined) return undefined
  return call(number === undefined ? 'sparql_inexact' : 'sparql_canonical_inexact', scalar)
}

/** The value of an inline integer or decimal, and that of an inline double; null for other stored terms. */
function valuesOfStored({scalar: id, extent}: Value): readonly [exact: Scalar, inexact: Scalar] | undefined {
  if (!mayBeInline(extent)) return undefined
  const exact: Scalar = {
    kind: 'case',
    branches: [
      [isOfKind(id, integers), call('sparql_integer_of', id)],
      [call('sparql_is_decimal', id), call('sparql_decimal_of', id)],
    ],
  }
  const inexact: Scalar = {kind: 'case', branches: [[call('sparql_is_double', id), call('sparql_as_double', id)]]}
  return [exact, inexact]
}

/** Whether a number is not in an id or a constant, so that it may have any number of digits. */
function isComputed({type, constant}: Value): boolean {
  return type !== 'id' && constant === undefined
}

function otherwise(values: readonly Value[], key: Scalar): Pick<Value, 'otherwise'> {
  const exact = values.flatMap(value => value.otherwise?.isExact ?? [])
  const isPartial = values.some(value => value.otherwise?.isPartial)
  return exact.length === 0 ? {} : {otherwise: {isExact: all(exact), key, isPartial}}
}

const rounding: Readonly<Partial<Record<FunctionName, (value: Scalar) => Scalar>>> = {
  abs: value => call('abs', value),
  ceil: value => call('ceil', value),
  floor: value => call('floor', value),
  round: value => call('floor', operator('+', value, call('sparql_numeric', text('0.5')))),
  unaryPlus: value => value,
  unaryMinus: value => operator('-', number(0), value),
}

/** Plans ABS, CEIL, FLOOR, ROUND and the unary signs. @param word  the operation's name in sparql_rounding */
export function round(planner: Planner, name: FunctionName, word: string, value: Value): Value {
  const generic = call('sparql_rounding', text(word), toKey(planner, value))
  const float = roundFloat(word, value)
  const exact = numberOf(planner, value)
  const work = rounding[name]
  const ofExact = value.exact && work?.(call('sparql_numeric', value.exact))
  const byKey: Value = {
    ...(float === undefined ? keyValue(generic) : floatValue(float, generic)),
    ...(ofExact === undefined ? {} : {exact: ofExact}),
  }
  if (exact === undefined || work === undefined) return {...byKey, number: float?.rep ?? value.number ?? 'exact'}
  const short = roundShort(name, exact)
  return {
    scalar: short?.scalar ?? work(call('sparql_numeric', exact.scalar)),
    type: 'number',
    ...(short === undefined ? {} : bitsOf(short)),
    isInteger: exact.isInteger === true,
    ...otherwise([exact], byKey.scalar),
    ...(float === undefined ? {} : {float}),
  }
}

/** Compares two numbers, times or booleans; undefined for others. @param generic  the comparison by keys */
export function compare(
  planner: Planner,
  comparison: Operator,
  [left, right]: readonly [Value, Value],
  generic: () => Scalar,
): Value | undefined {
  const kind = left.constant === undefined ? inlineKind(left.extent) : undefined
  const isInstants = (kind === zoned || kind === unzoned) && right.constant === undefined
  if (isInstants && kind === inlineKind(right.extent))
    return booleanValue(operator(comparison, instantOf(left), instantOf(right)))
  if (kind === days && right.constant === undefined && inlineKind(right.extent) === days)
    return booleanValue(compareDays(comparison, left.scalar, right.scalar, generic))
  const inline = compareInline(comparison, [left, right], generic) ?? compareSpans(comparison, [left, right], generic)
  if (inline !== undefined) return inline
  const [known, other] = [shortNumber(left), shortNumber(right)]
  const ofAny =
    known === undefined
      ? other && compareAny(left, other, (value, constant) => operator(comparison, value, constant), generic)
      : compareAny(right, known, (value, constant) => operator(comparison, constant, value), generic)
  if (ofAny !== undefined) return ofAny
  const byKey =
    known === undefined
      ? other && compareKey(planner, left, other, value => operator(comparison, value, other.scalar), generic)
      : compareKey(planner, right, known, value => operator(comparison, known.scalar, value), generic)
  // The value in a computed key is a number of any datatype, and reading it uses the key once.
  if (byKey !== undefined && [left, right].some(isCanonicalKey)) return booleanValue(byKey())
  return (
    compareNumbers(planner, comparison, [left, right], byKey ?? generic) ??
    (byKey === undefined ? compareComputed(planner, comparison, [left, right], generic) : booleanValue(byKey()))
  )
}

function isCanonicalKey({type, number}: Value): boolean {
  return type === 'key' && number !== undefined
}

/**
 * Compares a number with a computed term: by their values if both are exact, or if both are floats or doubles. A float
 * is compared with a double by its binary value.
 */
function compareComputed(
  planner: Planner,
  comparison: Operator,
  [left, right]: readonly [Value, Value],
  generic: () => Scalar,
): Value | undefined {
  const hasComputed = [left, right].some(({number}) => number !== undefined)
  const isNumber = [left, right].some(
    value => value.exact !== undefined || value.float !== undefined || numberOf(planner, value) !== undefined,
  )
  if (!isNumber && !hasComputed) return undefined
  const [stored, others] = [left, right].map(value =>
    hasComputed && value.type === 'id' && value.constant === undefined ? valuesOfStored(value) : undefined,
  )
  const pairs = [
    [exactOf(planner, left) ?? stored?.[0], exactOf(planner, right) ?? others?.[0]],
    [inexactOf(left) ?? stored?.[1], inexactOf(right) ?? others?.[1]],
  ] as const
  const tests = pairs.flatMap(([a, b]) => (a && b ? [operator(comparison, a, b)] : []))
  return tests.length === 0 ? undefined : booleanValue(call('coalesce', ...tests, generic()))
}

/**
 * Compares a computed term with a constant number. The decimal form of a float is less than another number if and only
 * if the float is less than the nearest one to that number.
 *
 * @returns  undefined if the constant is a double: a float is compared with it by its binary value
 */
function compareKey(
  planner: Planner,
  value: Value,
  {isDouble}: ShortNumber,
  test: (number: Scalar) => Scalar,
  generic: () => Scalar,
): (() => Scalar) | undefined {
  const hasKey = value.constant === undefined && (value.type === 'key' || value.otherwise !== undefined)
  if (isDouble || !hasKey) return undefined
  const computed = value.otherwise?.key ?? toKey(planner, value)
  const comparable = isCanonicalKey(value)
    ? call('nullif', call('sparql_canonical', computed), call('sparql_numeric', text('NaN')))
    : call('sparql_comparable', computed)
  return () => call('coalesce', test(comparable), generic())
}

/** Compares two numbers on SQL's types; undefined if neither ids nor constants determine the types. */
function compareNumbers(
  planner: Planner,
  comparison: Operator,
  [left, right]: readonly [Value, Value],
  generic: () => Scalar,
): Value | undefined {
  const [one, other] = [integerPart(left), integerPart(right)]
  if (one !== undefined && other !== undefined) return booleanValue(operator(comparison, one, other))
  const [same, float] = [sameType(comparison, left, right), compareFloats(comparison, left, right)]
  const [a, b] = [numberOf(planner, left), numberOf(planner, right)]
  const test = a && b && operator(comparison, a.scalar, b.scalar)
  const exact = [a, b].flatMap(value => value?.otherwise?.isExact ?? [])
  if (test !== undefined && exact.length === 0) return booleanValue(test)
  const decimal = test && ([all(exact), test] as const)
  const first = same ?? decimal
  if (float !== undefined && float.conditions.length === 0) {
    const whole = float.isWhole ? float.test : call('coalesce', float.test, generic())
    if (first === undefined || float.isWhole) return booleanValue(whole)
    return booleanValue({kind: 'case', branches: [first], otherwise: whole})
  }
  const inexact = float && ([all(float.conditions), float.test] as const)
  const branches = [first, inexact].filter(branch => branch !== undefined)
  if (branches.length === 0) return undefined
  if (float === undefined || float.isWhole) return booleanValue({kind: 'case', branches, otherwise: generic()})
  return booleanValue(call('coalesce', {kind: 'case', branches}, generic()))
}

/**
 * A branch for two inline decimals, two floats or two doubles: their decimal forms compare like their values, because
 * an inline float has at most six digits and an inline double at most fifteen.
 */
function sameType(comparison: Operator, left: Value, right: Value): readonly [Scalar, Scalar] | undefined {
  const [a, b] = [decimalId(left), decimalId(right)]
  if (a === undefined || b === undefined) return undefined
  const [typeBits, formBits] = [number(datatypeBits.get(decimals) ?? 0n), number(formBitsOfKind(decimals))]
  const isSame = equal(call('int8and', a, typeBits), call('int8and', b, typeBits))
  return [isSame, operator(comparison, operator('>>', a, formBits), operator('>>', b, formBits))]
}

/** The id of an inline decimal, float or double. */
function decimalId({type, scalar, constant, extent}: Value): Scalar | undefined {
  const packed = constant?.termType === 'Literal' ? packLiteral(constant) : undefined
  if (packed !== undefined) return kindOfInline(packed) === decimals ? number(packed) : undefined
  return type === 'id' && constant === undefined && inlineKind(extent) === decimals ? scalar : undefined
}

/**
 * Compares a term, which may be any number, with a constant of at most six digits. Floats and doubles preserve six
 * digits, so the shortest decimal that denotes them compares in the same way. A float compares with a double by its
 * binary value, so this pair is left to `generic`.
 */
function compareAny(
  {type, scalar: id, constant, extent}: Value,
  {scalar: short, millionths, isDouble}: ShortNumber,
  compared: (number: Scalar, constant: Scalar) => Scalar,
  generic: () => Scalar,
): Value | undefined {
  const test = (value: Scalar): Scalar => compared(value, short)
  const isInteger = inlineKind(extent) === integers
  if (type !== 'id' || constant !== undefined || isNodes(extent) || isInteger) return undefined
  const part = (name: 'text' | 'localName'): Scalar => ({kind: 'stored', id, part: name})
  const value = call('sparql_comparable', part('text'), part('localName'))
  const isFloat = isDouble ? [call('sparql_is_float', id), equal(part('localName'), text('float'))] : []
  const [inlineTest, storedTest] = [isFloat.slice(0, 1), isFloat.slice(1)].map(tests => tests.map(not))
  // int8 compares ten times as fast as numeric.
  const inDecimals =
    millionths === undefined
      ? test(call('sparql_decimal_of', id))
      : compared(call('sparql_millionths', id), number(millionths))
  if (inlineKind(extent) === decimals) {
    if (!isDouble) return booleanValue(inDecimals)
    return booleanValue({kind: 'case', branches: [[all(inlineTest ?? []), inDecimals]], otherwise: generic()})
  }
  const isDoubleStored = equal(part('localName'), text('double'))
  const asDouble = compared(call('sparql_double_of', part('text')), call('float8', short))
  const stored: Scalar = {kind: 'case', branches: [[isDoubleStored, asDouble]], otherwise: test(value)}
  const branches: [Scalar, Scalar][] = [[all([isOfClass(id, literalClasses.number), ...(storedTest ?? [])]), stored]]
  if (extent === undefined || extent.low < 0n) {
    branches.unshift(
      [isOfKind(id, integers), test(call('sparql_integer_of', id))],
      [all([isOfKind(id, decimals), ...(inlineTest ?? [])]), inDecimals],
    )
  }
  const decided: Scalar = {kind: 'case', branches}
  return booleanValue(call('coalesce', decided, generic()))
}

type ShortNumber = {
  readonly scalar: Scalar
  readonly millionths: bigint | undefined // undefined for a double
  readonly isDouble: boolean
}

/** The number of a constant integer, decimal or double of at most six digits; undefined for others. */
function shortNumber({constant}: Value): ShortNumber | undefined {
  if (constant?.termType !== 'Literal') return undefined
  const {value, datatype} = constant
  const isDouble = datatype.value === `${xsd}double`
  if (!isDouble && datatype.value !== `${xsd}integer` && datatype.value !== `${xsd}decimal`) return undefined
  const [, whole, fraction = '', exponent] = /^[+-]?0*(\d*)(?:\.(\d{0,6}))?([eE][+-]?\d)?$/.exec(value) ?? []
  if (whole === undefined || whole.length + fraction.length > 6 || !/\d/.test(value)) return undefined
  if (exponent !== undefined && !isDouble) return undefined
  const millionths = BigInt(whole + fraction.padEnd(6, '0')) * (value.startsWith('-') ? -1n : 1n)
  return {scalar: call('sparql_numeric', text(value)), millionths: isDouble ? undefined : millionths, isDouble}
}

/**
 * Compares a term with a constant boolean, dateTime or date. Inline literals of the same kind are compared by their ids
 * (dates only in the same time zone), dateTimes of the dictionary by their seconds, and all others by their keys.
 */
function compareInline(
  comparison: Operator,
  [left, right]: readonly [Value, Value],
  generic: () => Scalar,
): Value | undefined {
  const [known, other] = left.constant === undefined ? [right.constant, left] : [left.constant, right]
  if (known?.termType !== 'Literal' || other.type !== 'id' || other.constant !== undefined) return undefined
  const packed = packLiteral(known)
  if (packed === undefined) return undefined
  const {kind, value: packedValue} = inlineParts(packed)
  if (kind === integers || kind === decimals) return undefined
  const bits = formBitsOfKind(kind)
  const id = other.scalar
  const part = (value: Scalar): Scalar => (bits === 0 ? value : operator('>>', value, number(bits)))
  const zoneOf = (value: Scalar): Scalar => call('int8and', value, number(zoneBitsOfDate))
  const isComparable = [isOfKind(id, kind), ...(kind === days ? [equal(zoneOf(id), zoneOf(number(packed)))] : [])]
  const [first, second] = other === left ? [id, number(packed)] : [number(packed), id]
  const test = operator(comparison, part(first), part(second))
  if (kind === days) return booleanValue({kind: 'case', branches: [[all(isComparable), test]], otherwise: generic()})
  const stored = storedInstant(id, kind === zoned)
  const branches: [Scalar, Scalar][] = [[all(isComparable), test]]
  if (kind !== inlineKinds.boolean) {
    const at = call('sparql_numeric', text(`${packedValue}e-3`)) // milliseconds to seconds
    const inOrder = other === left ? operator(comparison, stored, at) : operator(comparison, at, stored)
    branches.push([isOfClass(id, literalClasses.time), inOrder])
  }
  return booleanValue(call('coalesce', {kind: 'case', branches}, generic()))
}

/** Compares two inline dates: in the same time zone by their days. */
function compareDays(comparison: Operator, left: Scalar, right: Scalar, generic: () => Scalar): Scalar {
  const zoneOf = (id: Scalar): Scalar => call('int8and', id, number(zoneBitsOfDate))
  const dayOf = (id: Scalar): Scalar => operator('>>', id, number(formBitsOfKind(days)))
  const test = operator(comparison, dayOf(left), dayOf(right))
  return {kind: 'case', branches: [[equal(zoneOf(left), zoneOf(right)), test]], otherwise: generic()}
}

/** Seconds of a dateTime in the dictionary that has a time zone if and only if `isZoned`; null for others. */
function storedInstant(id: Scalar, isZoned: boolean): Scalar {
  const part = (name: 'text' | 'localName'): Scalar => ({kind: 'stored', id, part: name})
  return call('sparql_instant', part('text'), part('localName'), {kind: 'boolean', value: isZoned})
}

/** The part of an inline dateTime's id that contains the instant, without time zone and lexical form. */
function instantOf({scalar}: Value): Scalar {
  return operator('>>', scalar, number(formBitsOfKind(zoned)))
}
