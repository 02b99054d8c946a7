/**
 * Plans arithmetic and comparisons of floats and doubles on PostgreSQL's float8.
 *
 * PostgreSQL reports an overflow as an error of the query. So each operand has a known size, and results that could
 * overflow are left to the functions of keys. No operand and no result is NaN, an infinity or a negative zero.
 * Source: SPARQL 1.1 §17.3 (operators and type promotion).
 */
import {inlineKinds} from '../../../rdf/id-layout.ts'
import {xsd} from '../../../rdf/vocabulary.ts'
import {keyOfNumber} from '../block.ts'
import {inlineKind, isOfKind, mayBeInline} from '../extent.ts'
import type {LikelyNumber} from '../likely-number.ts'
import {
  all,
  any,
  call,
  callOnce,
  differentTests,
  isNotNull,
  number,
  type Operator,
  operator,
  type Scalar,
  text,
} from '../relation.ts'
import {type Arithmetic, inlineInteger} from './integer.ts'
import {inlineSize, storedDoubleSize, storedFloat, storedValues} from './stored-number.ts'
import {constantNumber, exactPart, type Float, type FloatRep, type StoredNumber, type Value} from './value.ts'

type Operand = {
  readonly scalar: Scalar // numeric if it is exact, otherwise float8; null for other terms
  readonly rep: 'exact' | FloatRep // exact: an integer or a decimal
  readonly size: number // as Float's
  readonly isWhole: boolean
  readonly moderate?: Scalar // as Float's
  readonly isDouble?: Scalar // whether it is a double, if it may also be a decimal
}

/** The sizes that float4 and float8 can hold. */
const greatestSizes: Readonly<Record<FloatRep, number>> = {float: 37, double: 300}
/** The sizes of which a trillion members can be added. */
const summandSizes: Readonly<Record<FloatRep, number>> = {float: 25, double: 280}
/** The sizes to which operands of unknown size are limited. */
const moderateSizes: Readonly<Record<FloatRep, number>> = {float: 15, double: 100}
const unknownSize = Number.POSITIVE_INFINITY
/** A difference may be smaller than its operands by as many digits as these have. */
const digits: Readonly<Record<FloatRep, number>> = {float: 8, double: 17}

/** An operand; undefined if it may be something other than a number, or of any size. */
function operandOf(value: Value): Operand | undefined {
  const {type, scalar, constant, extent, float, otherwise} = value
  if (constant !== undefined) return constantOperand(constant)
  const exact = type === 'number' ? exactPart(value) : value.exact
  if (float !== undefined) return (exact && !float.isWhole && besideExact(float, exact)) || float
  if (type === 'number') {
    if (otherwise !== undefined) return undefined
    const size = moderateSizes.float
    return {
      scalar: call('sparql_moderate', call('sparql_numeric', scalar), number(size)),
      rep: 'exact',
      size,
      isWhole: false,
    }
  }
  if (type !== 'id') return undefined
  switch (inlineKind(extent)) {
    case inlineKinds.integer:
      return {scalar: inlineInteger(scalar).scalar, rep: 'exact', size: inlineSize, isWhole: true}
    case inlineKinds.decimal: {
      const isDouble = call('sparql_is_double', scalar)
      return {scalar: call('sparql_as_double', scalar), rep: 'double', size: inlineSize, isWhole: false, isDouble}
    }
    default: {
      const stored = storedValues(value)
      return stored && besideExact(storedFloat(stored), stored.exact)
    }
  }
}

/** A double, or the double nearest to an exact number instead; undefined if the float is none, or of unknown size. */
function besideExact(float: Float, exact: Scalar): Operand | undefined {
  const double = float.rep === 'double' ? limited(float) : undefined
  if (double === undefined) return undefined
  const {scalar, isDouble = isNotNull(scalar)} = double
  const size = Math.max(storedDoubleSize, double.size)
  const promoted = call('sparql_moderate', exact, number(storedDoubleSize))
  return {scalar: call('coalesce', scalar, promoted), rep: 'double', size, isWhole: false, isDouble}
}

function constantOperand(constant: NonNullable<Value['constant']>): Operand | undefined {
  const exact = constantNumber(constant)
  if (exact !== undefined)
    return {scalar: call('sparql_numeric', exact.scalar), rep: 'exact', size: sizeOf(constant.value), isWhole: true}
  if (constant.termType !== 'Literal' || constant.datatype.value !== xsd.double) return undefined
  if (!/^[+-]?\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d)?$/.test(constant.value)) return undefined
  if (Object.is(Number(constant.value), -0)) return undefined
  const scalar = call('float8', call('sparql_numeric', text(constant.value)))
  return {scalar, rep: 'double', size: sizeOf(constant.value), isWhole: true}
}

function sizeOf(lexicalForm: string): number {
  const value = Math.abs(Number(lexicalForm))
  return value === 0 ? 0 : Math.ceil(Math.abs(Math.log10(value)))
}

/** A number of known size: a column is limited to moderate numbers. Undefined for other scalars of unknown size. */
function limited<Number extends Operand>(operand: Number): Number | undefined {
  const {scalar, rep, size, moderate} = operand
  if (rep === 'exact' || size !== unknownSize) return operand
  const limit = moderateSizes[rep]
  if (moderate !== undefined) return {...operand, scalar: moderate, size: limit}
  if (scalar.kind !== 'column') return undefined
  return {...operand, scalar: call('sparql_moderate', scalar, number(limit)), size: limit, isWhole: false}
}

/** The same number if it is of moderate size, otherwise null. */
function moderated(operand: Operand): Operand {
  const {scalar, rep, size} = operand
  const limit = moderateSizes[rep === 'float' ? 'float' : 'double']
  if (size <= limit) return operand
  return {...operand, scalar: call('sparql_moderate', scalar, number(limit)), size: limit, isWhole: false}
}

/** The value of a float or a double as a member of a sum; undefined if the sum could be too large. */
export function summandOfFloat(float: Float): Float | undefined {
  const summand = limited(float)
  return summand && summand.size <= summandSizes[float.rep] ? summand : undefined
}

/** A column of computed floats or doubles. */
export function floatOfColumn(scalar: Scalar, rep: FloatRep): Value {
  const float: Float = {scalar, rep, size: unknownSize, isWhole: true, isCanonical: true}
  return {scalar: keyOfNumber(scalar, rep), type: 'key', float}
}

/** A column of keys of computed numbers. */
export function canonicalKey(scalar: Scalar, likely: LikelyNumber): Value {
  const rep = likely === 'exact' ? 'double' : likely
  const float: Float = {
    scalar: callOnce(rep === 'float' ? 'sparql_canonical_float' : 'sparql_canonical_double', scalar),
    moderate: callOnce(rep === 'float' ? 'sparql_moderate_float' : 'sparql_moderate_double', scalar),
    rep,
    size: unknownSize,
    isWhole: false,
    isCanonical: true,
  }
  const value: Value = {scalar, type: 'key', number: likely, float}
  return likely === 'exact' ? {...value, exact: callOnce('sparql_canonical_exact', scalar), exactForm: 'scaled'} : value
}

/** A float or a double, and how to make its key if it is something else. */
export function floatValue(float: Float, generic: Scalar): Value {
  const key = keyOfNumber(float.scalar, float.rep)
  return {scalar: float.isWhole ? key : call('coalesce', key, generic), type: 'key', float}
}

/** The nearest float to a number, as float8. */
export function toFloat4(scalar: Scalar): Scalar {
  return call('float8', call('float4', scalar))
}

function promoted({scalar, rep}: Pick<Operand, 'scalar' | 'rep'>, to: FloatRep): Scalar {
  if (rep !== 'exact') return scalar
  return to === 'float' ? toFloat4(scalar) : call('float8', scalar)
}

type Operands = {
  readonly scalars: readonly [Scalar, Scalar]
  readonly rep: FloatRep
  readonly conditions: readonly Scalar[] // that the scalars have this rep
  readonly isWhole: boolean
}

/** Two operands of the same rep; undefined if neither can be a float or a double. */
function promotedPair(a: Operand, b: Operand): Operands | undefined {
  const tests = [a, b].flatMap(({isDouble}) => isDouble ?? [])
  const isMixed = (one: Operand) => one.isDouble !== undefined
  const isFloat = a.rep === 'float' || b.rep === 'float'
  const isDouble = [a, b].some(one => one.rep === 'double' && !isMixed(one))
  if (!isFloat && !isDouble && tests.length === 0) return undefined
  if (isFloat && tests.length > 0) return undefined // a decimal is promoted to float, a double is not
  const rep = isFloat && !isDouble ? 'float' : 'double'
  const conditions = isFloat || isDouble ? [] : [any(differentTests('any', tests))]
  return {scalars: [promoted(a, rep), promoted(b, rep)], rep, conditions, isWhole: a.isWhole && b.isWhole}
}

/** The result of `+`, `-`, `*` or `/` if it is a float or a double; undefined if it cannot be, or may be too large. */
export function calculateFloat(name: Arithmetic, left: Value, right: Value): Float | undefined {
  const [one, other] = [operandOf(left), operandOf(right)]
  const [a, b] = [one && limited(one), other && limited(other)]
  if (a === undefined || b === undefined) return undefined
  const isProduct = name === '*' || name === '/'
  const sizeOf = (rep: FloatRep, {size}: Operand, other: Operand) =>
    isProduct ? size + other.size : Math.max(size, other.size) + digits[rep]
  const rep = promotedPair(a, b)?.rep
  if (rep === undefined) return undefined
  const mayBeHuge = sizeOf(rep, a, b) > greatestSizes[rep]
  const [first, second] = mayBeHuge ? [moderated(a), moderated(b)] : [a, b]
  const [pair, size] = [promotedPair(first, second), sizeOf(rep, first, second)]
  if (pair === undefined || size > greatestSizes[rep]) return undefined
  const {scalars, conditions, isWhole} = pair
  const signs = [left, right].map(signOf)
  const isNonzero = (index: number) => signs[index] === 1 || signs[index] === -1
  // A result of zero could be a negative zero, unless one operand is positive: the other one is no negative zero.
  const mayBeZero = (index: number) => !isNonzero(index) && (signs[1 - index] !== 1 || (name === '/' && index === 1))
  const isCertain = conditions.length === 0 && !(isProduct && [0, 1].some(mayBeZero))
  const factor = (index: 0 | 1) => (isProduct && mayBeZero(index) ? nonzero(scalars[index]) : scalars[index])
  const exact = operator(name, factor(0), factor(1))
  const result = rep === 'float' ? toFloat4(exact) : exact
  const scalar: Scalar = conditions.length === 0 ? result : {kind: 'case', branches: [[all(conditions), result]]}
  const [isDouble] = conditions
  const made = {scalar, rep, size, isWhole: isWhole && isCertain, isCanonical: true}
  return isDouble === undefined ? made : {...made, isDouble}
}

/** The sign of a constant number: 1, 0 or -1; undefined if it is not a usual one. */
function signOf({constant}: Value): number | undefined {
  const value = constant?.termType === 'Literal' ? Number(constant.value) : Number.NaN
  return Number.isFinite(value) ? Math.sign(value) : undefined
}

/**
 * Each uses its operand once, so that nested functions stay short. A zero that may be a negative one is null. ROUND
 * halves the floor of the double of a value: a half added to the greatest number below a half would be 1.
 */
const roundings: Readonly<Record<string, (value: Scalar) => Scalar>> = {
  abs: value => call('abs', value),
  ceil: value => nonzero(call('ceil', value)),
  floor: value => call('floor', value),
  round: value => nonzero(call('ceil', operator('*', call('floor', operator('*', value, two)), half))),
  '+': value => value,
  '-': value => operator('-', zero, nonzero(value)),
}

const zero = call('float8', number(0))
const two = call('float8', number(2))
const half = call('float8', call('sparql_numeric', text('0.5')))

function nonzero(value: Scalar): Scalar {
  return call('nullif', value, zero)
}

/**
 * ABS, CEIL, FLOOR, ROUND (half up) or a sign of a float or a double; undefined if the value cannot be one, or may be
 * too large.
 *
 * @param word  as sparql_rounding has it
 */
export function roundFloat(word: string, value: Value): Float | undefined {
  const [unlimited, work] = [operandOf(value), roundings[word]]
  const operand = unlimited && limited(unlimited)
  if (operand === undefined || operand.rep === 'exact' || work === undefined) return undefined
  const {scalar, rep, size, isDouble} = operand
  const result = work(scalar)
  const isWhole = operand.isWhole && !['ceil', 'round', '-'].includes(word)
  if (isDouble === undefined) return {scalar: result, rep, size, isWhole, isCanonical: true}
  return {scalar: {kind: 'case', branches: [[isDouble, result]]}, rep, size, isWhole, isCanonical: true, isDouble}
}

/**
 * Compares two numbers of which one is a float or a double; undefined if none can be. If they are not whole, the test
 * is null also for other terms. The conditions are those that there are floats or doubles.
 */
export function compareFloats(
  comparison: Operator,
  left: Value,
  right: Value,
): {readonly test: Scalar; readonly conditions: readonly Scalar[]; readonly isWhole: boolean} | undefined {
  const [a, b] = [operandOf(left), operandOf(right)]
  const pair = a && b && promotedPair(a, b)
  if (pair === undefined) return undefined
  const {scalars, conditions, isWhole} = pair
  return {test: operator(comparison, ...scalars), conditions, isWhole}
}

/** A term cast to xsd:float or xsd:double; undefined if it is no number, or one of unknown size. */
export function castToFloat(rep: FloatRep, value: Value): Float | undefined {
  const {type, scalar: id, constant, extent, float, otherwise} = value
  const exact: Scalar | undefined = otherwise ? {kind: 'case', branches: [[otherwise.isExact, id]]} : value.exact
  if (exact !== undefined) return castMixed(rep, exact, float)
  if (float?.rep === rep) return float
  if (type === 'id' && constant === undefined && inlineKind(extent) !== inlineKinds.integer) return storedAs(rep, value)
  const unlimited = operandOf(value)
  const operand = unlimited && limited(unlimited)
  if (operand === undefined || operand.size > greatestSizes[rep]) return undefined
  const {size, isWhole} = operand
  const scalar = operand.rep === 'double' && rep === 'float' ? toFloat4(operand.scalar) : promoted(operand, rep)
  return {scalar, rep, size, isWhole, isCanonical: true}
}

/** A term that is an exact number, where that is not null, or may be the float. */
function castMixed(rep: FloatRep, exact: Scalar, float: Float | undefined): Float {
  const size = moderateSizes.float
  const moderate = call('sparql_moderate', exact, number(size))
  const made = rep === 'float' ? toFloat4(moderate) : moderate
  if (float?.rep !== rep || !float.isCanonical) return {scalar: made, rep, size, isWhole: false, isCanonical: true}
  const either = call('coalesce', made, float.scalar)
  return {scalar: either, rep, size: Math.max(size, float.size), isWhole: false, isCanonical: true}
}

/** A stored number cast to xsd:float or xsd:double. Those that have this datatype keep their lexical form. */
function storedAs(rep: FloatRep, value: Value): Float | undefined {
  const {scalar: id, extent} = value
  const {integer, decimal} = inlineKinds
  const ofDecimal = rep === 'float' ? toFloat4(numberWritten(id)) : call('sparql_as_double', id)
  const cast = {rep, size: inlineSize, isCanonical: false}
  const stored = rep === 'double' ? storedValues(value) : undefined
  if (stored !== undefined) {
    const exact = call('sparql_moderate', stored.exact, number(storedDoubleSize))
    return {...cast, scalar: call('coalesce', stored.double, exact), size: storedDoubleSize, isWhole: false}
  }
  if (inlineKind(extent) === decimal) return {...cast, scalar: ofDecimal, isWhole: rep === 'float'}
  if (inlineKind(extent) !== undefined || !mayBeInline(extent)) return undefined
  const branches = [[isOfKind(id, integer), integerAs(rep, id)] as const, [isOfKind(id, decimal), ofDecimal] as const]
  return {...cast, scalar: {kind: 'case', branches}, isWhole: false}
}

function integerAs(rep: FloatRep, id: Scalar): Scalar {
  return promoted({scalar: inlineInteger(id).scalar, rep: 'exact'}, rep)
}

/** The double nearest to the lexical form of an inline decimal, float or double. */
function numberWritten(id: Scalar): Scalar {
  return call('sparql_of_millionths', call('float8', call('sparql_millionths', id)))
}

/** A form of an inline number cast to xsd:float or xsd:double. */
export function floatOfNumeral(rep: FloatRep, {id, extent}: StoredNumber): Float {
  const decimal = rep === 'double' ? numberWritten(id) : toFloat4(numberWritten(id))
  const scalar = inlineKind(extent) === inlineKinds.integer ? integerAs(rep, id) : decimal
  return {scalar, rep, size: inlineSize, isWhole: true, isCanonical: false}
}

/** A string cast to xsd:float or xsd:double, if it is a usual form of a number of moderate size. */
export function floatOfText(rep: FloatRep, lex: Scalar): Float {
  const scalar = call(rep === 'float' ? 'sparql_float_of' : 'sparql_double_of', lex)
  const size = rep === 'float' ? 24 : storedDoubleSize
  return {scalar, rep, size, isWhole: false, isCanonical: false} // keeps its lexical form
}
