/** String functions of SPARQL on terms; undefined is the error. Source: SPARQL 1.1 §17.4.3, §17.4.6. */
import {createHash} from 'node:crypto'
import {type Literal, langLiteral, literal, type Term} from '../../src/rdf/term.ts'
import {rdf, xsd} from '../../src/rdf/vocabulary.ts'
import {booleanTerm} from './values.ts'

export type Answer = Term | undefined

/** A literal that string functions accept: simple, or with a language. */
export function asString(term: Answer): Literal | undefined {
  if (term?.termType !== 'Literal') return undefined
  return [xsd.string, rdf.langString].includes(term.datatype.value) ? term : undefined
}

/** xsd:string only. */
export function asSimple(term: Answer): Literal | undefined {
  return term?.termType === 'Literal' && term.datatype.value === xsd.string ? term : undefined
}

/** A string literal of the same kind as another one, with its language. */
export function like(term: Literal, value: string): Literal {
  return term.language === '' ? literal(value) : langLiteral(value, term.language)
}

/** §17.4.3.1.2: argument compatibility. The second is simple, or has the language of the first. */
function areCompatible(left: Literal, right: Literal): boolean {
  return right.language === '' || left.language.toLowerCase() === right.language.toLowerCase()
}

export function test(first: Answer, second: Answer, how: (text: string, part: string) => boolean): Answer {
  const [left, right] = [asString(first), asString(second)]
  if (left === undefined || right === undefined || !areCompatible(left, right)) return undefined
  return booleanTerm(how(left.value, right.value))
}

export function before(first: Answer, second: Answer): Answer {
  return around(first, second, (text, part) => text.slice(0, text.indexOf(part)))
}

export function after(first: Answer, second: Answer): Answer {
  return around(first, second, (text, part) => text.slice(text.indexOf(part) + part.length))
}

function around(first: Answer, second: Answer, cut: (text: string, part: string) => string): Answer {
  const [left, right] = [asString(first), asString(second)]
  if (left === undefined || right === undefined || !areCompatible(left, right)) return undefined
  return left.value.includes(right.value) ? like(left, cut(left.value, right.value)) : literal('')
}

/** XPath fn:substring: positions from 1, rounded, by code point. */
export function substring(term: Answer, start: number, length: number | undefined): Answer {
  const source = asString(term)
  if (source === undefined) return undefined
  const first = Math.round(start)
  const end = length === undefined ? Infinity : first + Math.round(length)
  const kept = Array.from(source.value).filter((_, index) => index + 1 >= first && index + 1 < end)
  return like(source, kept.join(''))
}

export function concatenate(terms: readonly Answer[]): Answer {
  const strings = terms.map(asString)
  const text = strings.map(string => string?.value).join('')
  if (strings.includes(undefined)) return undefined
  const languages = new Set(strings.map(string => string?.language ?? ''))
  const [language = ''] = languages
  return languages.size === 1 && language !== '' ? langLiteral(text, language) : literal(text)
}

/** Basic filtering, RFC 4647 §3.3.1. */
export function languageMatches(tag: string, range: string): boolean {
  if (range === '*') return tag !== ''
  const [left, right] = [tag.toLowerCase(), range.toLowerCase()]
  return left === right || (left.startsWith(`${right}-`) && right !== '')
}

/** fn:encode-for-uri: encodes all but the unreserved characters. */
export function encodeForUri(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, unit => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`)
}

export function hash(algorithm: string, term: Answer): Answer {
  const source = asSimple(term)
  return source && literal(createHash(algorithm).update(source.value, 'utf8').digest('hex'))
}

/** Translates an XPath pattern to JavaScript, as far as tests use it; undefined if it is invalid. */
export function pattern(source: string, flags: string): RegExp | undefined {
  if (/[^smixq]/.test(flags)) return undefined
  const quoted = flags.includes('q') ? source.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : source
  const tight = flags.includes('x') && !flags.includes('q') ? quoted.replace(/[ \t\r\n]/g, '') : quoted
  try {
    return new RegExp(tight, `gu${flags.replace(/[xq]/g, '')}`)
  } catch {
    return undefined
  }
}

export function matches(term: Answer, source: Answer, flags: Answer): Answer {
  const [text, simple] = [asString(term), asSimple(source)]
  if (text === undefined || simple === undefined || asSimple(flags) === undefined) return undefined
  const expression = pattern(simple.value, flags?.value ?? '')
  return expression && booleanTerm(expression.test(text.value))
}

export function replace(term: Answer, source: Answer, replacement: Answer, flags: Answer): Answer {
  const text = asString(term)
  const [simple, by, how] = [asSimple(source), asSimple(replacement), asSimple(flags)]
  if (text === undefined || simple === undefined || by === undefined || how === undefined) return undefined
  const expression = pattern(simple.value, how.value)
  if (expression === undefined) return undefined
  return like(
    text,
    text.value.replace(expression, (...match) => fill(by.value, match.slice(0, -2))),
  )
}

function fill(template: string, groups: readonly (string | undefined)[]): string {
  return template.replace(/\\([\\$])|\$(\d)/g, (_, escaped, digit) => escaped ?? groups[Number(digit)] ?? '')
}
