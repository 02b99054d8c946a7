/**
 * Turns comparisons with constants into ranges of ids, which an index on (predicate, object) can serve.
 *
 * The conditions are for FILTER, which treats errors like false.
 *
 *   ?x < 5   ids of integers and of decimals below 5, or dictionary literals for which sparql_ordered is true
 *   ?x = s   one id, if s is an IRI, a simple literal or a literal of an unknown datatype
 *
 * The ids of inline literals are in the order of their values (src/rdf/id-layout.ts). A float near the constant is
 * compared as a float, because it denotes its binary value. Source: SPARQL 1.1 §17.3.
 */

import {
  firstLiteralId,
  firstOfKind,
  type InlineKind,
  inlineId,
  inlineKinds,
  inlineParts,
  limitOfKind,
} from '../../../rdf/id-layout.ts'
import {packLiteral} from '../../../rdf/inline.ts'
import type {Literal} from '../../../rdf/term.ts'
import {xsd, xsdNamespace} from '../../../rdf/vocabulary.ts'
import type {Expression} from '../../algebra.ts'
import type {Constant} from '../block.ts'
import {all, any, call, equal, number, operator, type Scalar} from '../relation.ts'

const {integer, decimal, dateTime, localDateTime} = inlineKinds

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

const last = (kind: bigint): bigint => firstOfKind(kind + 1n) - 1n

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
  const {kind, value: instant} = inline === undefined ? {} : inlineParts(inline)
  if (instant !== undefined && (kind === dateTime || kind === localDateTime)) {
    const other = kind === dateTime ? localDateTime : dateTime
    const [low, high] = bounds(comparison, inlineId(kind, instant), lastOfValue(kind, instant), kind)
    return any([between(id, low, high), all([between(id, firstOfKind(other), last(other)), generic]), stored])
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
      return [firstOfKind(kind), low - 1n]
    case '<=':
      return [firstOfKind(kind), high]
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
  if (unsigned >= limitOfKind(decimal) / 2n) return undefined
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

/** The greatest id of a value; `inlineId` gives the least. */
function lastOfValue(kind: InlineKind, value: bigint): bigint {
  return inlineId(kind, value + 1n) - 1n
}

function integerBounds(comparison: Comparison, millionths: bigint): readonly [bigint, bigint] | undefined {
  const remainder = ((millionths % 1_000_000n) + 1_000_000n) % 1_000_000n
  const floor = (millionths - remainder) / 1_000_000n
  const [low, high] = [inlineId(integer, floor), lastOfValue(integer, floor)]
  if (remainder === 0n) return bounds(comparison, low, high, integer)
  if (comparison === '=') return undefined
  return comparison === '<' || comparison === '<=' ? [firstOfKind(integer), high] : [high + 1n, last(integer)]
}

/** @param margin  millionths by which the constant is widened on both sides */
function decimalBounds(comparison: Comparison, millionths: bigint, margin: bigint): readonly [bigint, bigint] {
  const [low, high] = [inlineId(decimal, millionths - margin), lastOfValue(decimal, millionths + margin)]
  if (margin === 0n || comparison === '=') return bounds(comparison, low, high, decimal)
  return comparison === '<' || comparison === '<=' ? [firstOfKind(decimal), high] : [low, last(decimal)]
}
