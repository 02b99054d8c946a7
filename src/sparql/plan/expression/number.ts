/**
 * Plans arithmetic and comparisons of numbers on SQL's own types, if the range of the ids or a constant
 * determines the kind of value. That is faster than the general functions, which take the keys of terms.
 *
 * SQL's `numeric` represents integers and decimals exactly (SPARQL 1.1 §17.3 promotes between them without loss). An
 * inline id of the kind "decimal" may also be a float or a double, which round. For these the query falls back to the
 * function of keys.
 */
import {
  datatypeBitsOf,
  endOfKind,
  firstOfKind,
  formBitsOfKind,
  inlineKinds,
  kindOfInline,
  literalClasses,
} from '../../../rdf/id-layout.ts'
import {packLiteral} from '../../../rdf/inline.ts'
import type {Literal} from '../../../rdf/term.ts'
import type {FunctionName} from '../../algebra.ts'
import {keyOfNumber, type Planner} from '../block.ts'
import {type Extent, inlineKind, isNodes, isOfClass, isWithin, mayBeInline} from '../extent.ts'
import {mayBeOwn} from '../id-parts.ts'
import {
  all,
  any,
  call,
  differentTests,
  equal,
  isNotNull,
  not,
  number,
  type Operator,
  operator,
  type Scalar,
  text,
} from '../relation.ts'
import {isBoolean, withinExtent} from '../within-extent.ts'
import {compareInline, compareKinds} from './compare-inline.ts'
import {compareSpans} from './compare-spans.ts'
import {type Comparison, exchanged} from './comparisons.ts'
import {compareTimes} from './durations.ts'
import {calculateFloat, compareFloats, floatValue, roundFloat} from './float.ts'
import {type Arithmetic, bitsOf, calculateShort, integerPart, quotientOf, roundShort} from './integer.ts'
import {doubleOf, exactFormOf, exactOf, inexactOf, numberOf, toScaled, valuesOfStored} from './number-of.ts'
import {numberRange, significantDigits} from './range.ts'
import {mayBeStoredNumber, storedDoubleSize} from './stored-number.ts'
import {booleanValue, exactPart, type Float, keyValue, toGenericKey, toKey, type Value} from './value.ts'

const xsd = 'http://www.w3.org/2001/XMLSchema#'
const {decimal: decimals} = inlineKinds

const arithmetic: Readonly<Record<Arithmetic, (left: Scalar, right: Scalar) => Scalar>> = {
  '+': (left, right) => operator('+', left, right),
  '-': (left, right) => operator('-', left, right),
  '*': (left, right) => operator('*', left, right),
  '/': (left, right) => call('sparql_quotient', left, right),
}

/** Plans `+`, `-`, `*` and `/` of numbers. */
export function calculate(planner: Planner, name: Arithmetic, left: Value, right: Value): Value {
  const float = onceFloat(planner, calculateFloat(name, left, right))
  const generic = call('sparql_arithmetic', text(name), ...genericKeys(planner, float, left, right))
  const made = float === undefined ? keyValue(generic) : floatValue(float, generic)
  const byKey: Value = {...made, generic, number: float?.rep ?? 'exact'}
  const [a, b] = [numberOf(planner, left), numberOf(planner, right)]
  // Squares of squares soon have more digits than PostgreSQL allows, which would be an error of the query.
  const mayOverflow = name === '*' && [left, right].every(isComputed)
  // Two SQL constants would have an integer type, which overflows.
  const work = (one: Scalar, other: Scalar) =>
    mayOverflow ? call('sparql_product', one, other) : arithmetic[name](call('sparql_numeric', one), other)
  if (a === undefined || b === undefined) {
    const operands = float?.isWhole ? [] : [left, right].flatMap(value => scaledOf(planner, value) ?? [])
    const [one, other] = operands
    if (one === undefined || other === undefined) return byKey
    const exact = onceComputed(planner, work(one, other))
    const exactForm = name === '/' ? 'decimal' : 'scaled'
    return exactFirst({...byKey, exact, exactForm}, [left, right])
  }
  const short = calculateShort(name, a, b)
  const isPartial = [a, b].some(one => one.otherwise?.isPartial)
  const [one, other] = isPartial ? [exactPart(a), exactPart(b)] : [a.scalar, b.scalar]
  const worked = short?.scalar ?? work(one, other)
  const scalar = [a, b].some(one => one.otherwise !== undefined) ? onceComputed(planner, worked) : worked
  const mayBeInteger = name !== '/' && [a, b].every(one => one.isInteger === true || one.isScaled === true)
  const isInteger = mayBeInteger && a.isInteger === true && b.isInteger === true
  return {
    scalar,
    type: 'number',
    isInteger,
    isScaled: mayBeInteger && !isInteger,
    ...(short === undefined ? quotientOf(name, a, right) : bitsOf(short)),
    ...otherwise([a, b], byKey),
    ...(float === undefined ? {} : {float}),
  }
}

/** A computed term that is made of its exact value, where there is one, unless the operands are likely floats. */
function exactFirst(made: Value, operands: readonly Value[]): Value {
  const {exact, exactForm, scalar} = made
  const isLikelyFloat = operands.some(({number}) => number === 'float' || number === 'double')
  if (exact === undefined || exactForm === undefined || isLikelyFloat) return made
  return {...made, scalar: call('coalesce', keyOfNumber(exact, exactForm), scalar), number: 'exact'}
}

/** A value on which the number and its key depend, and what is computed of it. */
function onceComputed(planner: Planner, of: Scalar): Scalar {
  return {kind: 'once', name: planner.fresh(), of}
}

function onceFloat(planner: Planner, float: Float | undefined): Float | undefined {
  if (float === undefined || float.isWhole) return float
  return {...float, scalar: onceComputed(planner, float.scalar)}
}

/** The scaled value of a number or a computed term; null for floats, doubles and other terms. */
function scaledOf(planner: Planner, value: Value): Scalar | undefined {
  const [exact, form] = [exactOf(planner, value), exactFormOf(planner, value)]
  return exact && form && toScaled(exact, form)
}

/** Whether a number is not in an id or a constant, so that it may have any number of digits. */
function isComputed({type, constant}: Value): boolean {
  return type !== 'id' && constant === undefined
}

/** @param byKey  the same number, planned by keys */
function otherwise(values: readonly Value[], {scalar: key, generic}: Value): Pick<Value, 'otherwise' | 'generic'> {
  const exact = differentTests(
    'all',
    values.flatMap(value => value.otherwise?.isExact ?? []),
  )
  const isPartial = values.some(value => value.otherwise?.isPartial)
  if (exact.length === 0) return {}
  return {otherwise: {isExact: all(exact), key, isPartial}, ...(generic === undefined ? {} : {generic})}
}

const rounding: Readonly<Partial<Record<FunctionName, (value: Scalar) => Scalar>>> = {
  abs: value => call('abs', value),
  ceil: value => call('ceil', value),
  floor: value => call('floor', value),
  round: value => call('floor', operator('+', value, call('sparql_numeric', text('0.5')))),
  unaryPlus: value => value,
  unaryMinus: value => operator('-', number(0), value),
}

/** The exact value of a computed term, rounded. */
function roundedExact(
  planner: Planner,
  {exact, exactForm}: Value,
  work: (value: Scalar) => Scalar,
): Pick<Value, 'exact' | 'exactForm'> {
  if (exact === undefined) return {}
  const rounded = work(call('sparql_numeric', exact))
  if (exactForm === undefined) return {exact: rounded}
  const scaled = exactForm === 'scaled' ? call('sparql_with_scale', rounded, exact) : rounded
  return {exact: onceComputed(planner, scaled), exactForm}
}

/**
 * The keys of operands for a function of keys. If floats are tried before, only numbers in unusual forms need it. So
 * PostgreSQL calls a function for such a key, and does not inline it into the statement.
 */
function genericKeys(planner: Planner, float: Float | undefined, ...operands: readonly Value[]): readonly Scalar[] {
  const isRare = ({type, constant, generic, extent}: Value) =>
    type === 'id' && (constant ?? generic) === undefined && mayBeInline(extent) && !mayBeOwn(planner, extent)
  return operands.map(value =>
    float !== undefined && isRare(value) ? call('sparql_key', value.scalar) : toGenericKey(planner, value),
  )
}

/** Plans ABS, CEIL, FLOOR, ROUND and the unary signs. @param word  the operation's name in sparql_rounding */
export function round(planner: Planner, name: FunctionName, word: string, value: Value): Value {
  const float = onceFloat(planner, roundFloat(word, value))
  const generic = call('sparql_rounding', text(word), ...genericKeys(planner, float, value))
  const exact = numberOf(planner, value)
  const work = rounding[name]
  const byKey: Value = {
    ...(float === undefined ? keyValue(generic) : floatValue(float, generic)),
    generic,
    ...(work === undefined ? {} : roundedExact(planner, value, work)),
  }
  if (exact === undefined || work === undefined)
    return exactFirst({...byKey, number: float?.rep ?? value.number ?? 'exact'}, [value])
  const short = roundShort(name, exact)
  const {isScaled = false} = exact
  const rounded = short?.scalar ?? work(call('sparql_numeric', exact.scalar))
  const scalar = isScaled ? call('sparql_with_scale', rounded, exact.scalar) : rounded
  return {
    scalar: exact.otherwise === undefined ? scalar : onceComputed(planner, scalar),
    type: 'number',
    ...(short === undefined ? {} : bitsOf(short)),
    isInteger: exact.isInteger === true,
    isScaled,
    ...otherwise([exact], byKey),
    ...(float === undefined ? {} : {float}),
  }
}

/** Compares two numbers, times or booleans; undefined for others. @param generic  the comparison by keys */
export function compare(
  planner: Planner,
  comparison: Comparison,
  [left, right]: readonly [Value, Value],
  generic: () => Scalar,
): Value | undefined {
  const sides = [left, right] as const
  const ofTimes =
    compareTimes(comparison, sides, generic) ??
    compareInline(comparison, sides, generic) ??
    compareSpans(comparison, sides, generic)
  if (ofTimes !== undefined) return ofTimes
  const [known, other] = [shortNumber(left), shortNumber(right)]
  const ofAny =
    known === undefined
      ? other && compareAny(left, comparison, other, generic)
      : compareAny(right, exchanged[comparison], known, generic)
  if (ofAny !== undefined) return ofAny
  const byKey =
    known === undefined
      ? other && compareKey(planner, left, other, value => operator(comparison, value, other.scalar), generic)
      : compareKey(planner, right, known, value => operator(comparison, known.scalar, value), generic)
  // The value in a computed key is a number of any datatype, and reading it uses the key once.
  if (byKey !== undefined && [left, right].some(isCanonicalKey)) return booleanValue(byKey())
  return (
    compareNumbers(planner, comparison, sides, byKey ?? generic) ??
    (byKey === undefined || sides.some(hasNumber)
      ? compareComputed(planner, comparison, sides, generic)
      : booleanValue(byKey())) ??
    compareKinds(comparison, sides, generic)
  )
}

/** Whether a computed term has its number beside. */
function hasNumber({type, exact, float}: Value): boolean {
  return type === 'key' && (exact !== undefined || float !== undefined)
}

function isCanonicalKey({type, number}: Value): boolean {
  return type === 'key' && number !== undefined
}

/**
 * Compares a number with a computed term: by their values if both are exact, or if both are floats or doubles, or if
 * one is a double to which the other one is promoted. A float is compared with a double by its binary value.
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
  const promoted = [left, right].map((value, index) => {
    const [exact, double] = [pairs[0][index], doubleOf(value) ?? [stored, others][index]?.[1]]
    if (value.constant !== undefined) return exact && call('float8', exact)
    return exact && double && call('coalesce', double, call('sparql_moderate', exact, number(storedDoubleSize)))
  })
  const tests = [...pairs, promoted].flatMap(([a, b]) => (a && b ? [operator(comparison, a, b)] : []))
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
  if (test === undefined && float !== undefined && float.conditions.length > 0) return undefined // both may be exact
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
  const [typeBits, formBits] = [number(datatypeBitsOf(firstOfKind(decimals)) ?? 0n), number(formBitsOfKind(decimals))]
  const isEqual = equal(call('int8and', a, typeBits), call('int8and', b, typeBits))
  const areDoubles = all([a, b].map(id => call('sparql_is_double', id)))
  return [
    {kind: 'any', conditions: [isEqual, areDoubles]},
    operator(comparison, operator('>>', a, formBits), operator('>>', b, formBits)),
  ]
}

/** The id of an inline decimal, float or double. */
function decimalId({type, scalar, constant, extent}: Value): Scalar | undefined {
  const packed = constant?.termType === 'Literal' ? packLiteral(constant) : undefined
  if (packed !== undefined) return kindOfInline(packed) === decimals ? number(packed) : undefined
  return type === 'id' && constant === undefined && inlineKind(extent) === decimals ? scalar : undefined
}

/**
 * Compares a term, which may be any number, with a constant of at most six significant digits. The ids of inline
 * numbers are compared. Floats and doubles preserve six digits, so the shortest decimal that denotes them compares in
 * the same way. A float compares with a double by its binary value, so this pair is left to `generic`.
 *
 * @param comparison  with the term on the left
 */
function compareAny(
  {type, scalar: id, constant, extent}: Value,
  comparison: Comparison,
  short: ShortNumber,
  generic: () => Scalar,
): Value | undefined {
  if (type !== 'id' || constant !== undefined || isNodes(extent)) return undefined
  const ranges = numberRange(id, comparison, short.literal, generic)
  if (ranges === undefined) return undefined
  const isInline = withinExtent(isWithin(id, firstOfKind(inlineKinds.fine), endOfKind(decimals)), id, extent)
  const inRange = withinExtent(any(ranges), id, extent)
  const otherwise = storedComparison({id, extent}, comparison, short, generic)
  if (isBoolean(isInline, false)) return booleanValue(otherwise)
  if (!isBoolean(isInline, true)) return booleanValue({kind: 'case', branches: [[isInline, inRange]], otherwise})
  const isKnown = isBoolean(inRange, true) || isBoolean(inRange, false)
  return booleanValue(isKnown ? {kind: 'case', branches: [[isNotNull(id), inRange]]} : inRange)
}

/** Compares a term that is no inline number. */
function storedComparison(
  {id, extent}: {readonly id: Scalar; readonly extent: Extent | undefined},
  comparison: Comparison,
  {scalar: short, isDouble}: ShortNumber,
  generic: () => Scalar,
): Scalar {
  if (!mayBeStoredNumber(extent)) return generic()
  const part = (name: 'text' | 'localName'): Scalar => ({kind: 'stored', id, part: name})
  const isOf = (datatype: string) => equal(part('localName'), text(datatype))
  const asDouble = operator(comparison, call('sparql_double_of', part('text')), call('float8', short))
  const asDecimal = operator(comparison, call('sparql_comparable', part('text'), part('localName')), short)
  const compared: Scalar = {kind: 'case', branches: [[isOf('double'), asDouble]], otherwise: asDecimal}
  const isNumber = withinExtent(isOfClass(id, literalClasses.number), id, extent)
  const tests = isBoolean(isNumber, true) ? [] : [isNumber]
  if (isDouble) tests.push(not(isOf('float')))
  const number: Scalar = tests.length === 0 ? compared : {kind: 'case', branches: [[all(tests), compared]]}
  return call('coalesce', number, generic())
}

type ShortNumber = {
  readonly scalar: Scalar
  readonly literal: Literal
  readonly isDouble: boolean
}

/** The number of a constant integer, decimal or double of at most six significant digits; undefined for others. */
function shortNumber({constant}: Value): ShortNumber | undefined {
  if (constant?.termType !== 'Literal') return undefined
  const {value, datatype} = constant
  const isDouble = datatype.value === `${xsd}double`
  if (!isDouble && datatype.value !== `${xsd}integer` && datatype.value !== `${xsd}decimal`) return undefined
  const [, whole, fraction = '', exponent] = /^[+-]?0*(\d*)(?:\.(\d{0,6}))?([eE][+-]?\d)?$/.exec(value) ?? []
  if (whole === undefined || !/\d/.test(value)) return undefined
  if (significantDigits(whole + fraction) > 6) return undefined
  if (exponent !== undefined && !isDouble) return undefined
  if (value.includes('.') && datatype.value === `${xsd}integer`) return undefined // ill-formed
  return {scalar: call('sparql_numeric', text(value)), literal: constant, isDouble}
}
