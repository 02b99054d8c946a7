/**
 * Numbers of SPARQL: four kinds, exact as long as possible, promoted as the operators require.
 *
 * Integers and decimals are a bigint and a power of ten. Source: SPARQL 1.1 §17.3 (promotion), XPath functions §6.
 */
import {type Literal, literal} from '../../src/rdf/term.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'

/** units / 10^scale */
export type Exact = {readonly kind: 'integer' | 'decimal'; readonly units: bigint; readonly scale: number}
export type Inexact = {readonly kind: 'float' | 'double'; readonly number: number}
export type Numeric = Exact | Inexact

/** Datatypes derived from xsd:integer, with lower and upper bound. */
const ranges: Readonly<Record<string, readonly [bigint | undefined, bigint | undefined]>> = {
  [xsd.integer]: [undefined, undefined],
  [xsd.nonNegativeInteger]: [0n, undefined],
  [xsd.positiveInteger]: [1n, undefined],
  [xsd.nonPositiveInteger]: [undefined, 0n],
  [xsd.negativeInteger]: [undefined, -1n],
  [xsd.long]: [-(2n ** 63n), 2n ** 63n - 1n],
  [xsd.int]: [-(2n ** 31n), 2n ** 31n - 1n],
  [xsd.short]: [-(2n ** 15n), 2n ** 15n - 1n],
  [xsd.byte]: [-128n, 127n],
  [xsd.unsignedLong]: [0n, 2n ** 64n - 1n],
  [xsd.unsignedInt]: [0n, 2n ** 32n - 1n],
  [xsd.unsignedShort]: [0n, 2n ** 16n - 1n],
  [xsd.unsignedByte]: [0n, 255n],
}

export const numericDatatypes: readonly string[] = [...Object.keys(ranges), xsd.decimal, xsd.float, xsd.double]

/** The value of a numeric literal; undefined for other and for ill-typed literals. */
export function readNumeric({value, datatype}: Literal): Numeric | undefined {
  const range = ranges[datatype.value]
  if (range !== undefined) return readInteger(value, range)
  if (datatype.value === xsd.decimal) return readDecimal(value)
  if (datatype.value === xsd.double) return readFloating(value, 'double')
  return datatype.value === xsd.float ? readFloating(value, 'float') : undefined
}

function readInteger(
  text: string,
  [least, most]: readonly [bigint | undefined, bigint | undefined],
): Exact | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined
  const units = BigInt(text.replace(/^\+/, ''))
  const isInside = (least === undefined || units >= least) && (most === undefined || units <= most)
  return isInside ? {kind: 'integer', units, scale: 0} : undefined
}

export function readDecimal(text: string): Exact | undefined {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text) ?? []
  if (sign === undefined || whole + fraction === '') return undefined
  const units = BigInt(whole + fraction)
  return {kind: 'decimal', units: sign === '-' ? -units : units, scale: fraction.length}
}

export function readFloating(text: string, kind: 'float' | 'double'): Inexact | undefined {
  const special: Readonly<Record<string, number>> = {INF: Infinity, '+INF': Infinity, '-INF': -Infinity, NaN}
  if (text in special) return {kind, number: special[text] ?? NaN}
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined
  return floating(kind, Number(text))
}

export function integer(units: bigint): Exact {
  return {kind: 'integer', units, scale: 0}
}

export function floating(kind: 'float' | 'double', number: number): Inexact {
  return {kind, number: kind === 'float' ? Math.fround(number) : number}
}

export function toNumber(value: Numeric): number {
  return 'number' in value ? value.number : Number(plain(value))
}

/** An exact number in decimal digits, without trailing zeros. */
export function plain({units, scale}: Exact): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** The literal in the canonical form of its datatype. A decimal has a digit after the point (XML Schema 1.0). */
export function writeNumeric(value: Numeric): Literal {
  if (value.kind === 'integer') return literal(value.units.toString(), xsd.integer)
  if ('units' in value) return literal(plain(value).replace(/^[^.]*$/, '$&.0'), xsd.decimal)
  return literal(writeFloating(value), xsd[value.kind])
}

function writeFloating({kind, number}: Inexact): string {
  if (Number.isNaN(number)) return 'NaN'
  if (!Number.isFinite(number)) return number < 0 ? '-INF' : 'INF'
  if (number === 0) return Object.is(number, -0) ? '-0.0E0' : '0.0E0'
  const [mantissa = '', exponent = ''] = (kind === 'float' ? shortest(number) : number.toExponential()).split('e')
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${Number(exponent)}`
}

function shortest(number: number): string {
  const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(count => number.toExponential(count))
  return digits.find(text => Math.fround(Number(text)) === number) ?? number.toExponential()
}

/** Negative, zero or positive; NaN if one of them is NaN. */
export function compareNumeric(left: Numeric, right: Numeric): number {
  if ('units' in left && 'units' in right) {
    const scale = Math.max(left.scale, right.scale)
    const difference = rescale(left, scale) - rescale(right, scale)
    return difference < 0n ? -1 : difference > 0n ? 1 : 0
  }
  const [a, b] = promote(left, right).map(toNumber) as [number, number]
  return a === b ? 0 : a < b ? -1 : a > b ? 1 : NaN
}

export type Operator = '+' | '-' | '*' | '/'

/** Undefined is an error: division of exact numbers by zero. */
export function calculate(operator: Operator, left: Numeric, right: Numeric): Numeric | undefined {
  if ('units' in left && 'units' in right) return calculateExact(operator, left, right)
  const [a, b] = promote(left, right).map(toNumber) as [number, number]
  const kind = left.kind === 'double' || right.kind === 'double' ? 'double' : 'float'
  return floating(kind, {'+': a + b, '-': a - b, '*': a * b, '/': a / b}[operator])
}

function calculateExact(operator: Operator, left: Exact, right: Exact): Exact | undefined {
  const kind = left.kind === 'integer' && right.kind === 'integer' ? 'integer' : 'decimal'
  if (operator === '*') return {kind, units: left.units * right.units, scale: left.scale + right.scale}
  const scale = Math.max(left.scale, right.scale)
  const [a, b] = [rescale(left, scale), rescale(right, scale)]
  if (operator === '+') return {kind, units: a + b, scale}
  if (operator === '-') return {kind, units: a - b, scale}
  return b === 0n ? undefined : {kind: 'decimal', units: divideRounded(a * 10n ** 24n, b), scale: 24}
}

/** Rounds halves away from zero. */
export function divideRounded(left: bigint, right: bigint): bigint {
  const isNegative = left < 0n !== right < 0n
  const [a, b] = [left < 0n ? -left : left, right < 0n ? -right : right]
  const size = (a * 2n + b) / (b * 2n)
  return isNegative ? -size : size
}

function promote(left: Numeric, right: Numeric): readonly [Numeric, Numeric] {
  const isFloat = left.kind !== 'double' && right.kind !== 'double'
  return isFloat ? [floating('float', toNumber(left)), floating('float', toNumber(right))] : [left, right]
}

function rescale({units, scale}: Exact, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale)
}

export type Rounding = 'abs' | 'ceil' | 'floor' | 'round'

/** XPath §6.4: keeps the kind, and rounds halves towards positive infinity. */
export function round(how: Rounding, value: Numeric): Numeric {
  if ('number' in value) return floating(value.kind, Math[how](value.number))
  if (how === 'abs') return value.units < 0n ? {...value, units: -value.units} : value
  const one = 10n ** BigInt(value.scale)
  const up = {ceil: one - 1n, floor: 0n, round: one / 2n}[how]
  return {kind: value.kind, units: floorDivide(value.units + up, one), scale: 0}
}

function floorDivide(left: bigint, right: bigint): bigint {
  return left < 0n && left % right !== 0n ? left / right - 1n : left / right
}
