/**
 * Values of terms, as =, <, EBV and ORDER BY see them. undefined is the error of SPARQL.
 *
 * Sources: SPARQL 1.1 §15.1 (order), §17.2.2 (EBV), §17.3 (operators), §17.4.1.7 (RDFterm-equal).
 */
import {type Literal, literal, sameTerm, type Term} from '../../src/rdf/term.ts'
import {rdf, xsd} from '../../src/rdf/vocabulary.ts'
import {compareNumeric, type Numeric, numericDatatypes, readNumeric, toNumber} from './numbers.ts'
import {compareSpans, compareTimes, readSpan, readTime, type Span, type Time} from './times.ts'

export type Value =
  | {readonly type: 'number'; readonly number: Numeric}
  | {readonly type: 'string'; readonly text: string}
  | {readonly type: 'language'; readonly text: string; readonly language: string} // lower case
  | {readonly type: 'boolean'; readonly boolean: boolean}
  | {readonly type: 'dateTime' | 'date'; readonly time: Time}
  | {readonly type: Span['kind']; readonly span: Span}
  | {readonly type: 'unknown'} // an unknown datatype, or an invalid lexical form

export function valueOfLiteral(term: Literal): Value {
  if (term.datatype.value === xsd.string) return {type: 'string', text: term.value}
  if (term.datatype.value === rdf.langString) {
    return {type: 'language', text: term.value, language: term.language.toLowerCase()}
  }
  const number = readNumeric(term)
  if (number !== undefined) return {type: 'number', number}
  const boolean = readBoolean(term)
  if (boolean !== undefined) return {type: 'boolean', boolean}
  const time = readTime(term)
  if (time !== undefined) return {type: time.kind, time}
  const span = readSpan(term)
  return span === undefined ? {type: 'unknown'} : {type: span.kind, span}
}

export function readBoolean({value, datatype}: Literal): boolean | undefined {
  if (datatype.value !== xsd.boolean) return undefined
  return {true: true, '1': true, false: false, '0': false}[value]
}

export function booleanTerm(value: boolean): Literal {
  return literal(String(value), xsd.boolean)
}

/** §17.2.2. Ill-typed booleans and numbers are false; other values without an EBV are an error. */
export function effectiveBoolean(term: Term | undefined): boolean | undefined {
  if (term?.termType !== 'Literal') return undefined
  const value = valueOfLiteral(term)
  switch (value.type) {
    case 'boolean':
      return value.boolean
    case 'string':
    case 'language':
      return value.text !== ''
    case 'number': {
      const number = toNumber(value.number)
      return number !== 0 && !Number.isNaN(number)
    }
    case 'unknown':
      return [xsd.boolean, ...numericDatatypes].includes(term.datatype.value) ? false : undefined
    default:
      return undefined
  }
}

/** The operator =. It is an error for different literals of which one is not understood. */
export function equals(left: Term, right: Term): boolean | undefined {
  if (left.termType !== 'Literal' || right.termType !== 'Literal') return sameTerm(left, right)
  const [a, b] = [valueOfLiteral(left), valueOfLiteral(right)]
  if ((a.type === 'language') !== (b.type === 'language')) return false // only strings can have languages
  if (a.type === 'unknown' || b.type === 'unknown') return sameTerm(left, right) ? true : undefined
  if (a.type === 'language' && b.type === 'language') return a.text === b.text && a.language === b.language
  if (a.type !== b.type) return false
  const order = compareValues(a, b)
  return order === undefined ? undefined : order === 0
}

/** The operator <: negative, zero or positive; NaN for numbers without an order. */
export function compareTerms(left: Term, right: Term): number | undefined {
  if (left.termType !== 'Literal' || right.termType !== 'Literal') return undefined
  return compareValues(valueOfLiteral(left), valueOfLiteral(right))
}

function compareValues(a: Value, b: Value): number | undefined {
  if (a.type === 'number' && b.type === 'number') return compareNumeric(a.number, b.number)
  if (a.type === 'string' && b.type === 'string') return compareText(a.text, b.text)
  if (a.type === 'language' && b.type === 'language' && a.language === b.language) return compareText(a.text, b.text)
  if (a.type === 'boolean' && b.type === 'boolean') return Number(a.boolean) - Number(b.boolean)
  if (a.type === b.type && 'time' in a && 'time' in b) return compareTimes(a.time, b.time)
  if ('span' in a && 'span' in b) return compareSpans(a.span, b.span)
  return undefined
}

/** By code point, which is the order of UTF-8 bytes. */
export function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

/** §15.1: unbound, blank nodes, IRIs, literals; undefined if the specification leaves the order open. */
export function orderOf(left: Term | undefined, right: Term | undefined): number | undefined {
  const difference = rank(left) - rank(right)
  if (difference !== 0) return difference
  if (left === undefined || right === undefined || sameTerm(left, right)) return 0
  if (left.termType === 'NamedNode') return compareText(left.value, right.value)
  if (left.termType === 'Literal' && readSpan(left) !== undefined) return undefined
  const order = compareTerms(left, right)
  return order === undefined || Number.isNaN(order) ? undefined : order
}

function rank(term: Term | undefined): number {
  return term === undefined ? 0 : {BlankNode: 1, NamedNode: 2, Literal: 3}[term.termType]
}
