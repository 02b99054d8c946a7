/**
 * Turns comparisons with constants into ranges of ids, which an index on (predicate, object) can serve.
 *
 * The conditions are for FILTER, which treats errors like false.
 *
 *   ?x < 5   ids of integers and of decimals below 5, or dictionary literals for which sparql_ordered is true
 *   ?x = s   one id, if s is an IRI, a simple literal or a literal of an unknown datatype
 *
 * The ids of inline literals are in the order of their values (src/rdf/inline.ts). A float near the constant is
 * compared as a float, because it denotes its binary value. Source: SPARQL 1.1 §17.3.
 */

import {packLiteral} from '../../../rdf/inline.ts'
import type {Literal} from '../../../rdf/term.ts'
import {firstLiteralId} from '../../../rdf/term-id.ts'
import {xsd, xsdNamespace} from '../../../rdf/vocabulary.ts'
import type {Expression} from '../../algebra.ts'
import type {Constant} from '../block.ts'
import {all, any, call, equal, number, operator, type Scalar} from '../relation.ts'

export type Comparison = '=' | '<' | '>' | '<=' | '>='

/** The operator that is equivalent if the sides are exchanged. */
export const exchanged: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
}

/** A comparison of a variable with a constant, rewritten to have the variable first; undefined for others. */
export function comparisonOf(
  condition: Expression,
): {readonly name: string; readonly comparison: Comparison; readonly constant: Constant} | undefined {
  if (condition.type !== 'call' || !isComparison(condition.name)) return undefined
  const [left, right] = condition.arguments
  if (left?.type === 'variable' && right?.type === 'term')
    return {name: left.name, comparison: condition.name, constant: right.term}
  if (right?.type === 'variable' && left?.type === 'term')
    return {name: right.name, comparison: exchanged[condition.name], constant: left.term}
  return undefined
}

function isComparison(name: string): name is Comparison {
  return Object.hasOwn(exchanged, name)
}

const base = (kind: bigint): bigint => -(2n ** 63n) + kind * 2n ** 60n
const last = (kind: bigint): bigint => base(kind) + 2n ** 60n - 1n

/**
 * The condition that the comparison of a term with a constant is true.
 *
 * @param id          the term's id
 * @param constantId  the constant's id
 * @param generic     the comparison by function, for terms that no range decides
 * @returns           undefined if the constant has no ranges
 */
export function rangeOf(
  id: Scalar,
  comparison: Comparison,
  constant: Constant,
  constantId: Scalar,
  generic: Scalar,
): Scalar | undefined {
  if (constant.termType === 'NamedNode') return comparison === '=' ? equal(id, constantId) : undefined
  const stored = all([operator('>=', id, number(firstLiteralId)), generic])
  const inline = packLiteral(constant)
  const kind = inline === undefined ? undefined : (inline - base(0n)) >> 60n
  if (inline !== undefined && (kind === 3n || kind === 4n)) {
    const other = kind === 3n ? 4n : 3n
    const instant = ((inline - base(kind)) >> 9n) << 9n
    const [low, high] = bounds(comparison, base(kind) + instant, base(kind) + instant + 511n, kind)
    return any([between(id, low, high), all([between(id, base(other), last(other)), generic]), stored])
  }
  const numeric = numberRange(id, comparison, constant, generic)
  if (numeric !== undefined) return any([...numeric, stored])
  if (comparison !== '=' || constant.language !== '' || isCompared(constant)) return undefined
  return equal(id, constantId)
}

/** Whether different literals of the constant's datatype can have the same value. */
function isCompared({datatype: {value}}: Literal): boolean {
  return value.startsWith(xsdNamespace) && value !== xsd.string
}

/** The lowest and the highest id of a kind for which the comparison with the ids from `low` to `high` is true. */
function bounds(comparison: Comparison, low: bigint, high: bigint, kind: bigint): readonly [bigint, bigint] {
  switch (comparison) {
    case '=':
      return [low, high]
    case '<':
      return [base(kind), low - 1n]
    case '<=':
      return [base(kind), high]
    case '>':
      return [high + 1n, last(kind)]
    case '>=':
      return [low, last(kind)]
  }
}

function between(id: Scalar, low: bigint, high: bigint): Scalar {
  return all([operator('>=', id, number(low)), operator('<=', id, number(high))])
}

const numericTypes: readonly string[] = [xsd.integer, xsd.decimal, xsd.double, xsd.int, xsd.long, xsd.short, xsd.byte]
const plainNumber = /^([+-]?)(\d{1,15})(?:\.(\d{1,6}))?$/

/** Ranges of integers and decimals; undefined unless the constant is a plain number of moderate size. */
function numberRange(
  id: Scalar,
  comparison: Comparison,
  {value, datatype}: Literal,
  generic: Scalar,
): readonly Scalar[] | undefined {
  const [, sign, whole, fraction = ''] = (numericTypes.includes(datatype.value) && plainNumber.exec(value)) || []
  if (whole === undefined) return undefined
  const digits = (whole + fraction).replace(/^0+/, '').length
  if (digits > 15) return undefined
  const unsigned = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
  const millionths = sign === '-' ? -unsigned : unsigned
  if (unsigned >= 2n ** 52n) return undefined
  const ranges: Scalar[] = []
  const integer = integerBounds(comparison, millionths)
  if (integer !== undefined) ranges.push(between(id, ...integer))
  const [low, high] = decimalBounds(comparison, millionths, 0n)
  if (digits <= 6 && datatype.value !== xsd.double) return [...ranges, between(id, low, high)]
  // Floats preserve at least six digits. Beyond a relative distance of 1/100,000 from the constant they therefore
  // compare like the decimals that they are written as.
  const wide = decimalBounds(comparison, millionths, unsigned / 100_000n + 1n)
  const test: Scalar = {
    kind: 'case',
    branches: [[call('sparql_is_float', id), generic]],
    otherwise: between(id, low, high),
  }
  return [...ranges, all([between(id, ...wide), test])]
}

function integerId(value: bigint): bigint {
  return base(1n) + ((value + 2n ** 55n) << 4n)
}

function integerBounds(comparison: Comparison, millionths: bigint): readonly [bigint, bigint] | undefined {
  const remainder = ((millionths % 1_000_000n) + 1_000_000n) % 1_000_000n
  const floor = (millionths - remainder) / 1_000_000n
  if (remainder === 0n) return bounds(comparison, integerId(floor), integerId(floor) + 15n, 1n)
  if (comparison === '=') return undefined
  return comparison === '<' || comparison === '<='
    ? [base(1n), integerId(floor) + 15n]
    : [integerId(floor + 1n), last(1n)]
}

/** @param margin  millionths by which the constant is widened on both sides */
function decimalBounds(comparison: Comparison, millionths: bigint, margin: bigint): readonly [bigint, bigint] {
  const idOf = (value: bigint): bigint => base(2n) + ((value + 2n ** 53n) << 5n)
  const [low, high] = [idOf(millionths - margin), idOf(millionths + margin) + 31n]
  if (margin === 0n || comparison === '=') return bounds(comparison, low, high, 2n)
  return comparison === '<' || comparison === '<=' ? [base(2n), high] : [low, last(2n)]
}
