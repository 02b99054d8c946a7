/**
 * The SQL representations of expression values, and the conversions between them.
 *
 * An error is null in each representation.
 *
 *   boolean   SQL boolean           text     text of a simple literal
 *   id, key   any term (block.ts)   number   value of an xsd:integer or xsd:decimal (number.ts)
 *   duration  seconds of an xsd:dayTimeDuration in canonical form, as numeric (durations.ts)
 */

import {inlineKinds} from '../../../rdf/id-layout.ts'
import {toStoredText} from '../../../rdf/stored-text.ts'
import type {Literal, NamedNode, Term} from '../../../rdf/term.ts'
import {literalKeyStart, simpleKeyStart, termKey} from '../../../rdf/term-key.ts'
import {xsd} from '../../../rdf/vocabulary.ts'
import {keyOfNumber, type NumberRep, type Planner} from '../block.ts'
import {areStrings, type Extent, inlineKind} from '../extent.ts'
import {keyOfId, partOfId} from '../id-parts.ts'
import type {LikelyNumber, NumberForm} from '../likely-number.ts'
import {call, equal, number, operator, type Scalar, type StoredPart, text} from '../relation.ts'

export type Value = {
  readonly scalar: Scalar
  readonly type: 'boolean' | 'id' | 'key' | 'text' | 'number' | 'duration'
  readonly constant?: NamedNode | Literal // the term, if it is constant
  readonly extent?: Extent // the range of the ids
  readonly constants?: readonly Term[] // all terms that it can be, if the query names them
  readonly string?: StringParts // the parts of a key, if it is a string literal
  readonly isInteger?: boolean // whether a number is an xsd:integer, not an xsd:decimal
  readonly isScaled?: boolean // whether a number has the form "scaled" (likely-number.ts)
  readonly bits?: number // for a number that is an int8 in SQL: its absolute value is less than 2 ^ bits
  /** For a number: the integer and the positive constant whose quotient it is. */
  readonly quotient?: {readonly dividend: Scalar; readonly divisor: bigint; readonly bits: number}
  /** For a computed term: its value if it is an xsd:integer or xsd:decimal, otherwise null; and the form, if known. */
  readonly exact?: Scalar
  readonly exactForm?: ExactForm
  /** For a key: that of a computed number in canonical form, or an error; and what number it is likely to be. */
  readonly number?: LikelyNumber
  /** For a text: the inline number that it is a form of. */
  readonly numeral?: StoredNumber
  /** For a computed term that is, or may be, a float or a double. */
  readonly float?: Float
  /** For a computed number that has such values: its key by the functions of keys alone, a short expression. */
  readonly generic?: Scalar
  /** For a key: the moment of a computed time, or null for an error (durations.ts). */
  readonly moment?: Moment
  /** Whether a key is that of an IRI, or an error. */
  readonly isIri?: boolean
  /** Whether a key is a float or a double, or an error. */
  readonly isInexact?: boolean
  /**
   * For a number that may be a float or a double: the condition that it is neither, and its key if it is one. Then the
   * scalar is the number as it is written, unless `isPartial`: null.
   */
  readonly otherwise?: {readonly isExact: Scalar; readonly key: Scalar; readonly isPartial?: boolean}
}

export const mostConstants = 50 // that are listed as all terms of a value: comparing them takes time

/** The id of a literal that is an inline number. */
export type StoredNumber = {readonly id: Scalar; readonly extent: Extent}

export type FloatRep = Extract<NumberRep, 'float' | 'double'>
export type ExactForm = Exclude<NumberForm, FloatRep>

/** The value of an xsd:float or xsd:double as an SQL number. */
export type Float = {
  readonly scalar: Scalar // float8; null for other terms, NaN, infinities, negative zero and unusual forms
  readonly rep: FloatRep
  readonly size: number // the absolute value is zero, or from 10 ^ -size to 10 ^ size
  readonly isWhole: boolean // null means an error, never another term
  readonly isDouble?: Scalar // whether it is a double, if the term may also be an exact number
  readonly moderate?: Scalar // the same if it is of moderate size, otherwise null, where the size is unknown
  readonly isCanonical: boolean // the term is in canonical form
}

/** A time on the time line. */
export type Moment = {
  readonly scalar: Scalar // units since 1970, of a date until its beginning; int8 or numeric
  readonly perSecond: bigint // units: microseconds of a dateTime, seconds of a date
  readonly zone: Zone
}

/** Times are compared here if they are dateTimes, both with a time zone or both without, or dates of one time zone. */
type Zone =
  | {readonly kind: 'dateTime'; readonly isZoned: Scalar; readonly isLocal: Scalar}
  | {readonly kind: 'date'; readonly code: Scalar}

/** A string literal: its text, and the prefix of its key that precedes the text. Both are null for other terms. */
export type StringParts = {readonly text: Scalar; readonly kind: Scalar}

/** The prefix of the key of a simple literal. */
export const simpleKind: Scalar = text(simpleKeyStart)

/** A lexical form as the store has it. */
export function storedText(lexicalForm: string): Scalar {
  return text(toStoredText(lexicalForm))
}

/** @returns  undefined if the term is not a string literal */
export function stringConstant(term: NamedNode | Literal | undefined): StringParts | undefined {
  if (term?.termType !== 'Literal' || !/#(?:string|langString)$/.test(term.datatype.value)) return undefined
  return {text: storedText(term.value), kind: text(literalKeyStart(term.datatype.value, term.language))}
}

export function stringValue(parts: StringParts): Value {
  if (parts.kind === simpleKind) return textValue(parts.text)
  return {...keyValue(operator('||', parts.kind, parts.text)), string: parts}
}

/** The value of a key that is that of a simple literal. */
export function simpleValue(key: Scalar): Value {
  const own = call('substr', key, call('int4', number(simpleKeyStart.length + 1)))
  return {...keyValue(key), string: {text: own, kind: simpleKind}}
}

export function keyValue(scalar: Scalar): Value {
  return {scalar, type: 'key'}
}

/** An error in all solutions, as the value of a variable that nothing binds. */
export const errorValue: Value = keyValue({kind: 'null', type: 'text'})

/** Whether a value is an error in all solutions. */
export function isError({type, scalar}: Value): boolean {
  return type === 'key' && scalar.kind === 'null'
}

export function booleanValue(scalar: Scalar): Value {
  return {scalar, type: 'boolean'}
}

export function textValue(scalar: Scalar): Value {
  return {scalar, type: 'text'}
}

/** The text of a key that is made here of a text; undefined for other keys. */
export function textOfKey(key: Scalar): Scalar | undefined {
  return key.kind === 'call' && key.name === 'sparql_string' ? key.arguments[0] : undefined
}

/** A text that is a form of a term, whose datatype may show that it is a number. */
export function formOf({scalar: id, extent}: Value, form: Value): Value {
  const kind = inlineKind(extent)
  const isNumber = kind === inlineKinds.integer || kind === inlineKinds.decimal
  return extent !== undefined && isNumber ? {...form, numeral: {id, extent}} : form
}

/** @param bits  if the SQL type is int8 */
export function integerValue(scalar: Scalar, bits?: number): Value {
  return {scalar, type: 'number', isInteger: true, ...(bits === undefined ? {} : {bits})}
}

/** A constant xsd:integer or xsd:decimal of moderate size as an SQL number; undefined for others. */
export function constantNumber(constant: NonNullable<Value['constant']>): Value | undefined {
  if (constant.termType !== 'Literal') return undefined
  const {value, datatype} = constant
  if (datatype.value === xsd.integer && /^[+-]?\d{1,17}$/.test(value)) {
    const whole = BigInt(value)
    return integerValue(number(whole), whole.toString(2).length)
  }
  // As numbers of SQL, those of more digits could be taken for markers (lift.ts).
  if (datatype.value === xsd.integer && /^[+-]?\d{18,30}$/.test(value))
    return integerValue(call('sparql_numeric', text(value)))
  if (datatype.value === xsd.decimal && /^[+-]?\d{1,30}(?:\.\d{1,30})?$/.test(value))
    return {scalar: call('sparql_numeric', text(value)), type: 'number'}
  return undefined
}

/** The key of a term for a function of keys that is called only if no value on SQL's types is known. */
export function toGenericKey(planner: Planner, value: Value): Scalar {
  return value.generic ?? toKey(planner, value)
}

export function toKey(planner: Planner, value: Value): Scalar {
  const {scalar, type, constant, extent} = value
  if (constant !== undefined) return text(termKey(constant))
  switch (type) {
    case 'key':
      return scalar
    case 'id':
      return keyOfId(planner, scalar, extent)
    case 'boolean':
      return call('sparql_boolean', scalar)
    case 'text':
      return call('sparql_string', scalar)
    case 'number':
      return numberKey(value)
    case 'duration':
      return call('sparql_day_time', scalar)
  }
}

/** The form of a number in SQL. */
export function formOfNumber({isInteger, isScaled}: Pick<Value, 'isInteger' | 'isScaled'>): ExactForm {
  if (isScaled === true) return 'scaled'
  return isInteger === true ? 'integer' : 'decimal'
}

/** The value of a number if it is an integer or a decimal, otherwise null. */
export function exactPart({scalar, otherwise}: Value): Scalar {
  return otherwise === undefined || otherwise.isPartial
    ? scalar
    : {kind: 'case', branches: [[otherwise.isExact, scalar]]}
}

function numberKey(value: Value): Scalar {
  const {scalar, otherwise} = value
  const exact = keyOfNumber(scalar, formOfNumber(value))
  if (otherwise === undefined) return exact
  return {kind: 'case', branches: [[otherwise.isExact, exact]], otherwise: otherwise.key}
}

/** The effective boolean value (§17.2.2). */
export function toBoolean(planner: Planner, value: Value): Scalar {
  switch (value.type) {
    case 'boolean':
      return value.scalar
    case 'text':
      return operator('<>', value.scalar, text(''))
    case 'id':
      return booleanOfKind(planner, value) ?? call('sparql_ebv', toKey(planner, value))
    case 'number':
      if (value.otherwise === undefined) return operator('<>', value.scalar, number(0))
      return call('sparql_ebv', toKey(planner, value))
    case 'duration':
    case 'key':
      return call('sparql_ebv', toKey(planner, value))
  }
}

/** The effective boolean value by id, if all terms are strings, or inline booleans and numbers; otherwise undefined. */
function booleanOfKind(planner: Planner, value: Value): Scalar | undefined {
  const {scalar: id, constant, extent} = value
  if (constant !== undefined || extent === undefined) return undefined
  if (areStrings(extent)) return operator('<>', toText(planner, value), text(''))
  const {boolean, fine, integer, decimal} = inlineKinds
  return [boolean, fine, integer, decimal].some(kind => kind === inlineKind(extent))
    ? operator('<>', call('sparql_inline_value', id), number(0))
    : undefined
}

/** The text of a string literal, with or without a language; null for other terms. */
export function toText(planner: Planner, value: Value): Scalar {
  if (value.type === 'text') return value.scalar
  if (areListedSimple(value)) return listedText(planner, value)
  return value.string?.text ?? stringOf(planner, value, 'string', 'sparql_text')
}

/** The text of a simple literal; null for other terms. */
export function toSimple(planner: Planner, value: Value): Scalar {
  const {type, scalar, string} = value
  if (type === 'text') return scalar
  if (string?.kind === simpleKind) return string.text
  if (string !== undefined) return {kind: 'case', branches: [[equal(string.kind, simpleKind), string.text]]}
  return areListedSimple(value) ? listedText(planner, value) : stringOf(planner, value, 'simple', 'sparql_simple')
}

/** Whether the query names all terms that a value can be, and all are simple literals. */
export function areListedSimple({type, constant, constants = []}: Value): boolean {
  if (type !== 'id' || constant !== undefined || constants.length === 0) return false
  return constants.every(term => term.termType === 'Literal' && term.datatype.value === xsd.string)
}

/** The text of such a value, without a lookup. */
function listedText(planner: Planner, {scalar, constants = []}: Value): Scalar {
  const branches = constants.map(term => [number(planner.idOf(term)), storedText(term.value)] as const)
  return {kind: 'case', of: scalar, branches}
}

/** For an id, a dictionary lookup is enough, because no inline literal is a string. */
function stringOf(planner: Planner, value: Value, part: StoredPart, ofKey: string): Scalar {
  if (value.type !== 'id' || value.constant !== undefined) return call(ofKey, toKey(planner, value))
  return partOfId(planner, value, part, key => call(ofKey, key))
}
