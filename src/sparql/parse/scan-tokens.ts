/**
 * Splits the text of a query into the tokens that scan.ts needs.
 *
 * Pure. Runs in linear time for every text: no regular expression repeats a group, so none backtracks or needs a stack.
 * Source: SPARQL 1.1 §19.8 (terminals).
 */
import {Problem} from '../../base/problem.ts'
import {syntaxProblem} from './syntax-problem.ts'

export type TokenKind =
  | 'blank' // white space, or one comment
  | 'string'
  | 'iri'
  | 'languageTag'
  | 'blankNode' // `_:`, not its label
  | 'variable'
  | 'double'
  | 'number'
  | 'name' // a keyword or a prefixed name

/** The kind is undefined for any other single character, mostly punctuation. */
export type ScanToken = readonly [kind: TokenKind | undefined, token: string]

export const codePointEscape = String.raw`\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}`
const nameCharacter =
  '\\w\\-\\u00B7\\u00C0-\\u1FFF\\u200C\\u200D\\u203F\\u2040\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uFFFD'
const localEscape = String.raw`\\[_~.\-!$&'()*+,;=/?#@%]`

const blanks = /[ \t\r\n]+/y
const comment = /#[^\r\n]*/y
const language = /@[a-zA-Z]+/y
const subtag = /-[a-zA-Z0-9]+/y
const digits = /[0-9]+/y
const fraction = /\.[0-9]+/y
const exponent = /[eE][+-]?[0-9]+/y
const pointAndExponent = /\.[eE][+-]?[0-9]+/y
const iriCharacters = /[^<>"{}|^`\\\x00-\x20]*/y
const iriEscape = new RegExp(codePointEscape, 'y')
const variableCharacters = new RegExp(`[${nameCharacter}]*`, 'y')
const nameCharacters = new RegExp(`[${nameCharacter}.:%]*`, 'y')
const nameEscape = new RegExp(`${localEscape}|${codePointEscape}`, 'y')
const stringEnds: Readonly<Record<string, RegExp>> = {
  '"': /["\\\r\n]/g,
  "'": /['\\\r\n]/g,
  '"""': /"""|\\/g,
  "'''": /'''|\\/g,
}

/**
 * Reads the token at an offset.
 *
 * @throws  Problem 400 `query-syntax`: an unterminated string, or a backslash that does not begin an escape
 */
export function scanToken(text: string, at: number): ScanToken {
  const [kind, end] = tokenAt(text, at)
  return [kind, text.slice(at, end)]
}

function tokenAt(text: string, at: number): readonly [kind: TokenKind | undefined, end: number] {
  const found = (kind: TokenKind, end: number | undefined) =>
    end === undefined || end === at ? ([undefined, at + 1] as const) : ([kind, end] as const)
  switch (text[at]) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
      return found('blank', after(blanks, text, at))
    case '#':
      return found('blank', after(comment, text, at))
    case '"':
    case "'":
      return found('string', stringEnd(text, at) ?? refuse('The string has no end', text, at))
    case '<':
      return found('iri', iriEnd(text, at))
    case '@':
      return found('languageTag', tagEnd(text, at))
    case '?':
    case '$': {
      const end = runEnd(text, at + 1, variableCharacters, iriEscape)
      return found('variable', end === at + 1 ? at : end)
    }
    case '_':
      return text[at + 1] === ':' ? ['blankNode', at + 2] : found('name', nameEnd(text, at))
    case '-':
    case '.':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      return numberAt(text, at)
    case '\\': {
      const end = nameEnd(text, at)
      return end === at ? refuse('Unexpected "\\"', text, at) : ['name', end]
    }
    default:
      return found('name', nameEnd(text, at))
  }
}

function after(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** The end of a run of characters and escapes. One regular expression that repeats both would need a stack. */
function runEnd(text: string, at: number, characters: RegExp, escaped: RegExp): number {
  for (let end = at; ; ) {
    end = after(characters, text, end) ?? end
    const next = text[end] === '\\' ? after(escaped, text, end) : undefined
    if (next === undefined) return end
    end = next
  }
}

function nameEnd(text: string, at: number): number {
  return runEnd(text, at, nameCharacters, nameEscape)
}

function iriEnd(text: string, at: number): number | undefined {
  const end = runEnd(text, at + 1, iriCharacters, iriEscape)
  return text[end] === '>' ? end + 1 : undefined
}

function tagEnd(text: string, at: number): number | undefined {
  let end = after(language, text, at)
  for (let next = end; next !== undefined; next = after(subtag, text, next)) end = next
  return end
}

/** The kind and end of a double, integer or decimal; of one character if a point or a sign begins no number. */
export function numberAt(text: string, at: number): readonly [kind: TokenKind | undefined, end: number] {
  const whole = after(digits, text, at)
  const decimal = after(fraction, text, whole ?? at)
  const end = decimal ?? whole
  if (end === undefined) return [undefined, at + 1]
  const double = after(exponent, text, end) ?? (decimal === undefined ? after(pointAndExponent, text, end) : undefined)
  return double === undefined ? ['number', end] : ['double', double]
}

/** The end of the string whose opening quote is here; undefined if it is unterminated. */
export function stringEnd(text: string, at: number): number | undefined {
  const quote = text.charAt(at)
  const long = quote.repeat(3)
  const end = text.startsWith(long, at) ? quotedEnd(text, at, long) : undefined
  return end ?? quotedEnd(text, at, quote)
}

function quotedEnd(text: string, at: number, quotes: string): number | undefined {
  const ends = stringEnds[quotes]
  if (ends === undefined) return undefined
  ends.lastIndex = at + quotes.length
  for (let found = ends.exec(text)?.[0]; found !== undefined; found = ends.exec(text)?.[0]) {
    if (found === quotes) return ends.lastIndex
    if (found !== '\\') return undefined // the end of the line
    if (/[\r\n]/.test(text.charAt(ends.lastIndex)) && quotes.length === 1) return undefined
    ends.lastIndex += 1
  }
  return undefined
}

function refuse(sentence: string, text: string, at: number): never {
  const {message, options} = syntaxProblem(sentence, text, at)
  throw new Problem(400, 'query-syntax', message, options)
}
