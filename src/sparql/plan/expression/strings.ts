/**
 * Plans the string functions. A string is split into its text and its kind (simple, or with a language), so that SQL's
 * own functions compute the text.
 *
 * Both come from one row of the dictionary (probe.ts). Strings that exist as keys only, and arguments that must be
 * constant but are not, go to functions of keys. Source: SPARQL 1.1 §17.4.3.
 */

import {xsd} from '../../../rdf/vocabulary.ts'
import type {Planner} from '../block.ts'
import {partOfId} from '../id-parts.ts'
import {all, any, call, equal, isNotNull, number, operator, type Scalar, text} from '../relation.ts'
import {translatePattern, translateReplacement} from './regex.ts'
import {
  areListedSimple,
  booleanValue,
  integerValue,
  keyValue,
  type StringParts,
  simpleKind,
  storedText,
  stringConstant,
  stringValue,
  textValue,
  toKey,
  toText,
  type Value,
} from './value.ts'

type Make = (planner: Planner, ...values: readonly Value[]) => Value

const nullText: Scalar = {kind: 'null', type: 'text'}
const nothing: Value = keyValue(nullText)

/** The text of a constant simple literal; undefined for other values. */
export function simpleConstant({constant}: Value): string | undefined {
  if (constant?.termType !== 'Literal' || constant.language !== '') return undefined
  return constant.datatype.value === xsd.string ? constant.value : undefined
}

/** Text and kind of a string; both null for other terms. Undefined if the query would compute the value twice. */
export function stringParts(planner: Planner, value: Value): StringParts | undefined {
  if (value.type === 'text') return {text: value.scalar, kind: simpleKind}
  if (value.string !== undefined || value.constant !== undefined) return value.string ?? stringConstant(value.constant)
  if (value.type !== 'id') return undefined
  if (areListedSimple(value)) return {text: toText(planner, value), kind: simpleKind}
  return {text: toText(planner, value), kind: partOfId(planner, value, 'kind', key => call('sparql_kind', key))}
}

const keyed =
  (name: string, ...words: readonly string[]): Make =>
  (planner, ...values) =>
    keyValue(call(name, ...words.map(text), ...values.map(value => toKey(planner, value))))

/**
 * Plans CONTAINS, STRSTARTS and STRENDS. The arguments are compatible if the second is a simple literal or both are of
 * the same kind (§17.4.3.1.2); otherwise the result is an error.
 */
export const holds =
  (word: HoldsWord): Make =>
  (planner, value = nothing, part = nothing) => {
    const known = simpleConstant(part)
    if (known !== undefined && !hasEscapes(known))
      return booleanValue(plainTests[word](lowerCaseFor(known, toText(planner, value)), text(known)))
    const [whole, other] = [stringParts(planner, value), stringParts(planner, part)]
    if (whole === undefined || other === undefined)
      return booleanValue(call('sparql_holds', text(word), toKey(planner, value), toKey(planner, part)))
    if (other.kind === simpleKind) return booleanValue(tests[word](whole.text, other.text))
    const lower = (kind: Scalar) => call('lower', kind)
    const areCompatible = any([equal(other.kind, simpleKind), equal(lower(whole.kind), lower(other.kind))])
    return booleanValue({kind: 'case', branches: [[areCompatible, tests[word](whole.text, other.text)]]})
  }

/** Whether a text has a character of the escapes of stored-text.ts. Others are found in a stored text as they are. */
function hasEscapes(lexicalForm: string): boolean {
  return /[\u0000-\u0002]/.test(lexicalForm)
}

/**
 * LCASE of a text as far as an ASCII text can be part of it, in less than half of the time. Of the characters beyond
 * ASCII, only the Kelvin sign and the capital I with a dot have a lower case with an ASCII letter.
 */
function lowerCaseFor(part: string, whole: Scalar): Scalar {
  if (whole.kind !== 'call' || whole.name !== 'sparql_lower' || !/^[\x20-\x7e]*$/.test(part)) return whole
  const [of = nullText] = whole.arguments
  const others = Object.entries({k: '\u212a', 'i\u0307': '\u0130'}).filter(([lower]) => part.includes(lower.charAt(0)))
  return call(
    'sparql_lower_ascii',
    others.reduce((made, [lower, upper]) => call('replace', made, text(upper), text(lower)), of),
  )
}

type HoldsWord = 'contains' | 'strstarts' | 'strends'

type Tests = Readonly<Record<HoldsWord, (whole: Scalar, part: Scalar) => Scalar>>

const plainTests: Tests = {
  contains: (whole, part) => operator('>', call('strpos', whole, part), number(0)),
  strstarts: (whole, part) => call('starts_with', whole, part),
  strends: (whole, part) => call('sparql_ends', whole, part),
}

/** For parts that may have escapes. Escapes are a prefix code, so STRSTARTS is the same. */
const tests: Tests = {
  ...plainTests,
  contains: (whole, part) => call('sparql_contains', whole, part),
  strends: (whole, part) => call('sparql_ends_with', whole, part),
}

/** Wraps a function of constants into a sub-select, so that PostgreSQL computes it once per query. */
function once(scalar: Scalar): Scalar {
  return {kind: 'subquery', query: {kind: 'select', columns: [{name: 'c0', scalar}], from: undefined, where: []}}
}

export const regex: Make = (planner, value = nothing, pattern = nothing, flags) => {
  const subject = call('sparql_single', toText(planner, value))
  const constant = constantPattern(pattern, flags)
  if (constant === undefined) return booleanValue(call('sparql_matches', subject, patternOf(planner, pattern, flags)))
  return booleanValue(operator('~', subject, once(call('sparql_regex', constant))))
}

/** The pattern in PostgreSQL's syntax; SQL null if it is an error in XPath; undefined if it is not constant. */
function constantPattern(pattern: Value, flags: Value | undefined): Scalar | undefined {
  const constant = simpleConstant(pattern)
  const constantFlags = flags === undefined ? '' : simpleConstant(flags)
  if (constant === undefined || constantFlags === undefined) return undefined
  const translated = translatePattern(constant, constantFlags)
  return translated === undefined ? nullText : text(translated)
}

function patternOf(planner: Planner, pattern: Value, flags: Value | undefined): Scalar {
  const known = constantPattern(pattern, flags)
  const flagsKey = flags === undefined ? call('sparql_string', text('')) : toKey(planner, flags)
  return known ?? call('sparql_pattern', toKey(planner, pattern), flagsKey)
}

export const replace: Make = (planner, value = nothing, pattern = nothing, replacement = nothing, flags) => {
  const constant = simpleConstant(replacement)
  const translated = constant === undefined ? undefined : translateReplacement(constant)
  const written = translated === undefined ? nullText : storedText(translated)
  const [known, parts] = [constantPattern(pattern, flags), stringParts(planner, value)]
  if (constant !== undefined && known !== undefined && parts !== undefined) {
    const made = call('sparql_replaced', parts.text, once(call('sparql_regex', known)), written)
    return stringValue({...parts, text: made})
  }
  const given = constant === undefined ? call('sparql_replacement', toKey(planner, replacement)) : written
  return keyValue(call('sparql_replace', toKey(planner, value), patternOf(planner, pattern, flags), given))
}

/** A text of PostgreSQL has less than 2 ^ 30 bytes. */
export const strlen: Make = (planner, value = nothing) =>
  integerValue(call('int8', call('sparql_length', toText(planner, value))), 30)

export const substring: Make = (planner, value = nothing, first = nothing, length) => {
  const parts = stringParts(planner, value)
  const given = [first, ...(length === undefined ? [] : [length])]
  const numbers = given.flatMap((one, index) => position(one, index === 1) ?? [])
  if (parts !== undefined && numbers.length === given.length) {
    const part = call(isForm(parts.text) ? 'substr' : 'sparql_substr', parts.text, ...numbers)
    const computed = numbers.filter((_, index) => given[index]?.constant === undefined)
    if (parts.kind === simpleKind || computed.length === 0) return stringValue({...parts, text: part})
    const branches = [[all(computed.map(isNotNull)), parts.kind]] as const // a position may be an error
    return stringValue({text: part, kind: {kind: 'case', branches}})
  }
  const lengthKey = length === undefined ? nullText : toKey(planner, length)
  const hasLength: Scalar = {kind: 'boolean', value: length !== undefined}
  return keyValue(call('sparql_substring', toKey(planner, value), toKey(planner, first), lengthKey, hasLength))
}

/** Whether a text is the lexical form of an inline literal, so that it has no escapes of stored-text.ts. */
function isForm(scalar: Scalar): boolean {
  return scalar.kind === 'call' && scalar.name === 'sparql_inline_lex'
}

const bitsOfPosition = 31 // of an int4

/** An integer that says where a part of a text begins, or how long it is; undefined if it may be no int4. */
function position(value: Value, isLength: boolean): Scalar | undefined {
  const constant = smallInteger(value)
  if (constant !== undefined) return isLength && constant < 0 ? undefined : call('int4', number(constant))
  const {type, isInteger, bits, otherwise, scalar} = value
  if (type !== 'number' || isInteger !== true || otherwise !== undefined || (bits ?? 64) > bitsOfPosition)
    return undefined
  const short = call('int4', scalar)
  if (!isLength) return short
  const branches = [[operator('<', scalar, number(0)), call('int4', number(0))]] as const
  return {kind: 'case', branches, otherwise: short}
}

function smallInteger({constant}: Value): number | undefined {
  if (constant?.termType !== 'Literal' || !constant.datatype.value.endsWith('XMLSchema#integer')) return undefined
  return /^-?\d{1,8}$/.test(constant.value) ? Number(constant.value) : undefined
}

export const changeCase =
  (word: 'ucase' | 'lcase', ofText: string): Make =>
  (planner, value = nothing) => {
    if (value.type === 'text') return textValue(call(ofText, value.scalar))
    const parts = stringParts(planner, value)
    if (parts !== undefined) return stringValue({...parts, text: call(ofText, parts.text)})
    return keyed('sparql_case', word)(planner, value)
  }

/** Plans STRBEFORE and STRAFTER. */
export const beside =
  (word: 'strbefore' | 'strafter'): Make =>
  (planner, value = nothing, part = nothing) => {
    const [parts, known] = [stringParts(planner, value), simpleConstant(part)]
    if (parts === undefined || known === undefined || hasEscapes(known))
      return keyed('sparql_beside', word)(planner, value, part)
    const called = word === 'strbefore' ? 'sparql_strbefore' : 'sparql_strafter'
    const found = call(called, parts.text, text(known))
    // If the text does not occur, the result is a simple literal.
    if (parts.kind === simpleKind) return textValue(found)
    const occurs = operator('>', call('strpos', parts.text, text(known)), number(0))
    const branches = [[occurs, parts.kind] as const, [isNotNull(parts.text), simpleKind] as const]
    const string = {text: found, kind: {kind: 'case', branches} as const}
    return {...keyValue(call(called, parts.kind, parts.text, text(known))), string}
  }
