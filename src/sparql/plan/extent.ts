/**
 * What is known of a column's ids when their least and greatest are.
 *
 * Pure. Ids of a kind lie together, and inline ids of a kind in the order of their values (src/rdf/inline.ts).
 */
import {packLiteral} from '../../rdf/inline.ts'
import {literal} from '../../rdf/term.ts'
import {firstBlankNodeId, firstLiteralId} from '../../rdf/term-id.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import {all, any, isSameScalar, number, operator, type Scalar} from './relation.ts'

/** The least and the greatest that ids can be. */
export type Extent = {readonly low: bigint; readonly high: bigint}

const kindSize = 2n ** 60n
const lowest = -(2n ** 63n)
const classSize = 2n ** 58n

/** The first id of an inline kind. */
export function firstOfKind(kind: bigint): bigint {
  return lowest + kind * kindSize
}

/** The first id of a class of the dictionary's literals. */
export function firstOfClass(number: bigint): bigint {
  return firstLiteralId + number * classSize
}

/** The whole of the kinds that an extent lies in: what is stored later seldom leaves it. */
export function kindExtent({low, high}: Extent): Extent {
  return {low: kindStart(low), high: kindStart(high) + kindLength(high) - 1n}
}

function kindStart(id: bigint): bigint {
  const length = kindLength(id)
  return lowest + ((id - lowest) / length) * length
}

function kindLength(id: bigint): bigint {
  return id < firstLiteralId ? kindSize : classSize
}

/** The inline xsd:integers that are not negative: the first is 0, and each further one a step on. */
export const integers = integersFrom('0', '1', String(2n ** 55n - 1n))

function integersFrom(...forms: readonly [least: string, second: string, greatest: string]): Extent & {step: bigint} {
  const [low = 0n, second = 0n, high = 0n] = forms.map(form => packLiteral(literal(form, xsd.integer)))
  return {low, high, step: second - low}
}

/**
 * Inline kinds whose ids are in the order of ORDER BY, with how many low bits say the form and not the value: booleans,
 * integers, decimals with floats and doubles, dateTimes with a zone, and without. Days are not: zones come after them.
 */
const formBits: readonly (number | undefined)[] = [0, 4, 5, 9, 9]

/** The one inline kind of all ids (functions/20_inline.sql); undefined when there are others. */
export function inlineKind(extent: Extent | undefined): number | undefined {
  if (extent === undefined || extent.high >= 0n) return undefined
  const [low, high] = [(extent.low - lowest) / kindSize, (extent.high - lowest) / kindSize]
  return low === high ? Number(low) : undefined
}

/** How many low bits of the ids tell apart only forms of one value; undefined: ids are not in the order of values. */
export function formBitsOf(extent: Extent | undefined): number | undefined {
  const kind = inlineKind(extent)
  return kind === undefined ? undefined : formBits[kind]
}

/** Whether all are IRIs, or all simple strings, or all strings with a language: sorted by their text alone. */
export function isText(extent: Extent | undefined): boolean {
  if (extent === undefined) return false
  const {low, high} = extent
  if (low >= 0n && high < kindSize) return true
  return [0n, 1n].some(
    number => low >= firstLiteralId + number * classSize && high < firstLiteralId + (number + 1n) * classSize,
  )
}

/** The ids of blank nodes end here. */
export const firstAfterNodes = 2n * kindSize

/** What subjects are: IRIs and blank nodes. */
export const nodes: Extent = {low: 0n, high: firstAfterNodes - 1n}

/** What predicates and the names of graphs are. */
export const iris: Extent = {low: 0n, high: firstBlankNodeId - 1n}

/** The condition that an id is one of some that lie together. @param end  the first that is not one of them */
export function isWithin(id: Scalar, first: bigint, end: bigint): Scalar {
  return all([operator('>=', id, number(first)), operator('<', id, number(end))])
}

/** Whether there are no literals. */
export function isNodes(extent: Extent | undefined): boolean {
  return extent !== undefined && extent.low >= nodes.low && extent.high <= nodes.high
}

/** Whether the dictionary has all of them. */
export function isStored(extent: Extent | undefined): boolean {
  if (extent === undefined) return false
  return (extent.low >= 0n && extent.high < kindSize) || extent.low >= firstLiteralId
}

/** A condition on ids without what is always, or never, true of those in an extent. */
export function withinExtent(condition: Scalar, id: Scalar, extent: Extent): Scalar {
  const inside = (one: Scalar) => withinExtent(one, id, extent)
  switch (condition.kind) {
    case 'all': {
      const left = condition.conditions.map(inside).filter(one => !isBoolean(one, true))
      return left.some(one => isBoolean(one, false)) ? {kind: 'boolean', value: false} : all(left)
    }
    case 'any': {
      const left = condition.conditions.map(inside).filter(one => !isBoolean(one, false))
      return left.some(one => isBoolean(one, true)) ? {kind: 'boolean', value: true} : any(left)
    }
    case 'operator': {
      const {left, right} = condition
      if (right.kind !== 'number' || !isSameScalar(left, id)) return condition
      return compared(condition.operator, BigInt(right.value), extent) ?? condition
    }
    default:
      return condition
  }
}

function compared(operator: string, bound: bigint, {low, high}: Extent): Scalar | undefined {
  switch (operator) {
    case '>=':
      return decided(low >= bound, high < bound)
    case '<=':
      return decided(high <= bound, low > bound)
    case '=':
      return decided(false, bound < low || bound > high)
    default:
      return undefined
  }
}

function decided(isTrue: boolean, isFalse: boolean): Scalar | undefined {
  return isTrue || isFalse ? {kind: 'boolean', value: isTrue} : undefined
}

function isBoolean(scalar: Scalar, value: boolean): boolean {
  if (scalar.kind === 'all' && scalar.conditions.length === 0) return value
  return scalar.kind === 'boolean' && scalar.value === value
}
