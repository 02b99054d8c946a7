/**
 * The layout of term ids: which range of int8 holds which kind of term, and what the bits of a literal's id mean.
 *
 * Pure. Nothing else in TypeScript knows these numbers; test/db/id-layout.test.ts compares them with SQL, where
 * migrations/000001_store.sql, term/vocabulary.sql, term/inline.sql and term/term.sql define them.
 *
 *   -2^63 … -1       literal in the id itself (inline): -2^63 + kind * 2^60 + payload
 *   1 … 2^60-1       IRI of the dictionary; below 1000 the service's vocabulary; with bit 59 an IRI of one query only
 *   2^60 … 2^61-1    blank node
 *   2^62 … 2^63-1    literal of the dictionary; bits 61 … 58 are its class; with bit 57 a literal of one query only
 *
 *   kind  inline literals                  payload, high to low bits
 *   0     boolean                          0 or 1
 *   8     decimal or double that does        1 bit for the sign, 6 bits of exponent and 52 bits of mantissa of the
 *         not fit into kind 2              nearest double (inline.ts), then 0 for a decimal or 1 for a double
 *   1     integer and its derived types    value + 2^55, then 4 bits of datatype
 *   2     decimal, float and double        value * 10^6 + 2^53, then 2 bits of datatype and
 *                                          3 bits for the number of fraction digits, or
 *         double with an exponent          2 bits that are 1, then 2 bits for the style and 1 bit that is 0 for E
 *                                          and 1 for e; no style has a zero at the end but the one of 5.0
 *                                          style 0: 5.21E1, 5.0E1   1: 5.21E+01, 5E+01   2: 52.1E0, 50.0E0
 *   3     dateTime with a time zone        milliseconds since 1970 in UTC + 2^46, then 7 bits of zone and
 *                                          2 bits for the number of fraction digits, of which there are at most 3
 *   4     the same with 6 fraction digits  microseconds since 1970 in UTC + 2^52, then 7 bits of zone
 *   5     dateTime without a time zone     the same as 3
 *   6     the same with 6 fraction digits  the same as 4
 *   7     date                             days since 1970 + 2^30, then 7 bits of zone
 *
 * Kind 8 has the place of kind 0, except for the two ids of booleans. The datatype is in the low bits, so a comparison
 * of numbers is one range of ids for all datatypes of a kind.
 */
import type {Literal} from './term.ts'
import {xsd, xsdNamespace} from './vocabulary.ts'

const firstInlineId = -(2n ** 63n)
export const firstBlankNodeId = 2n ** 60n
export const firstAfterNodes = 2n ** 61n // nodes: IRIs and blank nodes
export const firstLiteralId = 2n ** 62n // of dictionary literals; the range between blank nodes and these is unused
export const lastId = 2n ** 63n - 1n

/** The ids of the service's vocabulary are below; rows and answers leave these terms out. */
export const firstAfterVocabulary = 1000

/** Ids of constants that are not stored, valid in one query. They lie in the range of their kind of term. */
export const firstOwnIri = 2n ** 59n
export const firstOwnLiteral = firstLiteralId + 2n ** 57n
export const firstAfterOwnLiterals = firstLiteralId + 2n ** 58n
/** Markers of constants that a plan leaves open (sparql/lift.ts), in the same ranges. */
export const firstMarkers = {iri: firstOwnIri + 2n ** 58n, literal: firstOwnLiteral + 2n ** 56n}
export const ownBits = 24n // low bits of these ids: the index in the list of such constants

export type TermKind = 'iri' | 'blank' | 'literal'

const [firstBlank, firstLiteral] = [String(firstBlankNodeId), String(firstLiteralId)]

/** The kind of the term with an id, given as text. Text order is correct: all ids from 2^60 on have 19 digits. */
export function kindOfId(id: string): TermKind {
  if (id.startsWith('-')) return 'literal'
  if (id.length < firstBlank.length || id < firstBlank) return 'iri'
  return id < firstLiteral ? 'blank' : 'literal'
}

/** The label of a stored blank node is this and its number. It never changes (decision 0007). */
export const labelPrefix = 'qs'
const storedLabel = new RegExp(`^${labelPrefix}([1-9][0-9]{0,16})$`)

export function blankNodeLabel(id: string | bigint): string {
  return labelPrefix + String(BigInt(id) - firstBlankNodeId)
}

/** The id of the blank node with a label; undefined if no stored blank node has labels of this form. */
export function idOfBlankNodeLabel(label: string): bigint | undefined {
  const number = storedLabel.exec(label)?.[1]
  return number === undefined ? undefined : firstBlankNodeId + BigInt(number)
}

export const inlineKinds = {
  boolean: 0n,
  integer: 1n,
  decimal: 2n,
  dateTime: 3n,
  microDateTime: 4n,
  localDateTime: 5n,
  localMicroDateTime: 6n,
  date: 7n,
  fine: 8n,
} as const
export type InlineKind = (typeof inlineKinds)[keyof typeof inlineKinds]

/** Ids of each inline kind but booleans and fine numbers, which have these together, and of each range of nodes. */
export const kindSize = 2n ** 60n

const firstFine = firstInlineId + 2n // after the booleans

type Payload = {
  readonly limit: bigint // values are at least -limit and below limit; 0 for booleans
  readonly formBits: bigint // low bits that distinguish the literals of one value: datatype, zone, fraction digits
  readonly idOfZero: bigint // with form 0
}

const payloads: readonly Payload[] = (
  [
    [inlineKinds.boolean, 0n, 0n],
    [inlineKinds.integer, 2n ** 55n, 4n],
    [inlineKinds.decimal, 2n ** 53n, 5n],
    [inlineKinds.dateTime, 2n ** 46n, 9n],
    [inlineKinds.microDateTime, 2n ** 52n, 7n],
    [inlineKinds.localDateTime, 2n ** 46n, 9n],
    [inlineKinds.localMicroDateTime, 2n ** 52n, 7n],
    [inlineKinds.date, 2n ** 30n, 7n],
    [inlineKinds.fine, 2n ** 58n - 2n ** 53n, 1n], // two of the 64 exponents are not used
  ] as const
).map(([kind, limit, formBits]) => ({limit, formBits, idOfZero: zeroOf(kind, limit << formBits)}))

function zeroOf(kind: bigint, below: bigint): bigint {
  return kind === inlineKinds.fine ? firstInlineId + kindSize / 2n : placeOf(kind) + below
}

function payloadOf(kind: bigint): Payload {
  const payload = payloads[Number(kind)]
  if (payload === undefined) throw new Error(`there is no inline kind ${kind}`)
  return payload
}

/** Values of a kind are at least -limit and below limit. */
export function limitOfKind(kind: InlineKind): bigint {
  return payloadOf(kind).limit
}

/** How many low bits of the ids of a kind contain the form: datatype, time zone and fraction digits. */
export function formBitsOfKind(kind: bigint): number {
  return Number(payloadOf(kind).formBits)
}

/** In the form of a decimal, the bits of the datatype. The ids of doubles have one of them in common. */
const [decimalBits, doubleBit] = [0b11000n, 0b10000n]

/** The bits that all ids with the kind and datatype of an inline id have in common; undefined if the kind decides. */
export function datatypeBitsOf(id: bigint): bigint | undefined {
  const kind = kindOfInline(id)
  if (kind === inlineKinds.integer) return 0b1111n
  if (kind === inlineKinds.fine) return 0b1n
  if (kind !== inlineKinds.decimal) return undefined
  return (id & doubleBit) === 0n ? decimalBits : doubleBit
}

/** In the form of a date, the bits of the time zone. */
export const zoneBitsOfDate = 0b111_1111n

function placeOf(kind: bigint): bigint {
  return kind === inlineKinds.fine ? firstInlineId : firstInlineId + kind * kindSize
}

/** The least id of an inline kind. */
export function firstOfKind(kind: bigint): bigint {
  return kind === inlineKinds.fine ? firstFine : placeOf(kind)
}

/** The first id after those of an inline kind. */
export function endOfKind(kind: bigint): bigint {
  return kind === inlineKinds.boolean ? firstFine : placeOf(kind) + kindSize
}

/** The kind of an inline id. */
export function kindOfInline(id: bigint): bigint {
  const kind = (id - firstInlineId) >> 60n
  return kind === inlineKinds.boolean && id >= firstFine ? inlineKinds.fine : kind
}

/** @param value  in units of the kind: 1, millionths, milliseconds, microseconds or days; bits of fine numbers */
export function inlineId(kind: InlineKind, value: bigint, form = 0): bigint {
  const {idOfZero, formBits} = payloadOf(kind)
  return idOfZero + (value << formBits) + BigInt(form)
}

/** The value and the form of an inline id. */
export function inlineParts(id: bigint): {readonly kind: bigint; readonly value: bigint; readonly form: number} {
  const kind = kindOfInline(id)
  const {idOfZero, formBits} = payloadOf(kind)
  const payload = id - idOfZero
  const value = payload >> formBits
  return {kind, value, form: Number(payload - (value << formBits))}
}

/** Classes of dictionary literals, equal to term_class in sql/functions/term/term.sql. */
export const literalClasses = {string: 0n, langString: 1n, number: 3n, time: 4n, boolean: 5n, other: 6n} as const

/** Ids of one class. */
export const classSize = 2n ** 58n

/** The least id of a class of dictionary literals. */
export function firstOfClass(number: bigint): bigint {
  return firstLiteralId + number * classSize
}

const numberNames = 'integer int long short byte decimal float double nonNegativeInteger positiveInteger'
  .concat(' nonPositiveInteger negativeInteger unsignedLong unsignedInt unsignedShort unsignedByte')
  .split(' ')
const classes: ReadonlyMap<string, bigint> = new Map<string, bigint>([
  ...numberNames.map(name => [xsdNamespace + name, literalClasses.number] as const),
  ...['dateTime', 'dateTimeStamp', 'date', 'time'].map(name => [xsdNamespace + name, literalClasses.time] as const),
  [xsd.boolean, literalClasses.boolean],
  [xsd.string, literalClasses.string],
])

/** The class of a literal in the dictionary. */
export function literalClass({datatype: {value: datatype}, language}: Literal): bigint {
  return language === '' ? (classes.get(datatype) ?? literalClasses.other) : literalClasses.langString
}
