/**
 * Lexer: splits a text into the terminals of the SPARQL grammar.
 *
 * Pure. The longest terminal at a place counts. Each pattern can match a text in one way only, so it takes linear time.
 * Sources: SPARQL 1.1 §19.2 (code point escapes), §19.8 (terminals, with the numbers of their rules).
 */

import library from 'sparqljs/lib/SparqlParser.js'
import {excerpt} from '../../base/excerpt.ts'
import {nearestWord} from '../../base/nearest.ts'
import {Problem} from '../../base/problem.ts'
import {placed} from './placed.ts'

export type Token = {
  readonly symbol: number // of the tables of sparqljs
  readonly text: string // code point escapes outside strings are decoded
  readonly at: number // offset in UTF-16 units
}

export function symbolOf(name: string): number {
  const symbol = library.symbols_[name]
  if (symbol === undefined) throw new Error(`the grammar of sparqljs has no symbol ${name}`)
  return symbol
}

export const endSymbol = symbolOf('EOF')
const unknownSymbol = -1 // of what begins no terminal: the grammar allows it nowhere

const codePoint = String.raw`\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}`
const letter =
  String.raw`A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C\u200D` +
  String.raw`\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}` // 164
const inName = String.raw`${letter}_0-9\u00B7\u0300-\u036F\u203F\u2040` // 166, without the first character's exceptions
const inLabel = String.raw`${inName}\-` // 167
const blanks = String.raw`\s*(?:#[^\r\n]*(?![^\r\n])\s*)*` // 162, and comments

/** Any number of characters and of escapes, in a form that can match in one way only. */
function run(characters: string, escapes = codePoint): string {
  return `[${characters}]*(?:(?:${escapes})[${characters}]*)*`
}

/** A first character and others, between which there may be points. */
function dotted(first: string, others: string, escapes = codePoint): string {
  const rest = run(others, escapes)
  return String.raw`(?:[${first}]|${escapes})${rest}(?:\.+(?:[${others}]|${escapes})${rest})*`
}

const prefix = `(?:${dotted(letter, inLabel)})?:` // 140
const stringEscape = String.raw`\\[^\r\n]` // 160; actions.ts decodes it
const escaped = String.raw`%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=\/?#@%]` // 170
const local = dotted(`${letter}_:0-9`, `${inLabel}:`, `${escaped}|${codePoint}`) // 169

/** Terminals by the characters that they begin with. Of two, the longer one is first. */
const terminals: readonly (readonly [first: string, name: string, pattern: string])[] = [
  ['<', 'IRIREF', `<${run(String.raw`^<>"{}|^\x60\\\x00-\x20`)}>`], // 139
  ['_', 'BLANK_NODE_LABEL', `_:${dotted(`${letter}_0-9`, inLabel)}`], // 142
  ['?$', 'VAR', `[?$](?:[${letter}_0-9]|${codePoint})${run(inName)}`], // 143, 144
  ['@', 'LANGTAG', '@[a-zA-Z]+(?:-[a-zA-Z0-9]+)*'], // 145
  ...['', '+', '-'].flatMap(sign => {
    const [first, after] = [sign || '.0123456789', {'': '', '+': '_POSITIVE', '-': '_NEGATIVE'}[sign] ?? '']
    const exponent = '[eE][+\\-]?[0-9]+'
    const mark = sign && `[${sign}]`
    return [
      [first, `DOUBLE${after}`, String.raw`${mark}(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)${exponent}`], // 148, 151, 154
      [first, `DECIMAL${after}`, String.raw`${mark}[0-9]*\.[0-9]+`], // 147, 150, 153
      [first, `INTEGER${after}`, `${mark}[0-9]+`], // 146, 149, 152
    ] as const
  }),
  ["'", 'STRING_LITERAL_LONG1', `'''${run(String.raw`^'\\`, String.raw`\\[^]|''?(?!')`)}'''`], // 158
  ['"', 'STRING_LITERAL_LONG2', `"""${run(String.raw`^"\\`, String.raw`\\[^]|""?(?!")`)}"""`], // 159
  ["'", 'STRING_LITERAL1', `'${run(String.raw`^'\\\r\n`, stringEscape)}'`], // 156
  ['"', 'STRING_LITERAL2', `"${run(String.raw`^"\\\r\n`, stringEscape)}"`], // 157
  ['(', 'NIL', String.raw`\(${blanks}\)`], // 161
  ['[', 'ANON', String.raw`\[${blanks}\]`], // 163
  ['Ii', 'INSERTDATA', `${caseless('INSERT')}(?=[\\s#])${blanks}${caseless('DATA')}`],
  ['Dd', 'DELETEDATA', `${caseless('DELETE')}(?=[\\s#])${blanks}${caseless('DATA')}`],
  ['Dd', 'DELETEWHERE', `${caseless('DELETE')}(?=[\\s#])${blanks}${caseless('WHERE')}`],
]

function caseless(word: string): string {
  return word.replace(/[A-Z]/g, letter => `[${letter}${letter.toLowerCase()}]`)
}

type Terminal = {readonly symbol: number; readonly pattern: RegExp}

const terminalsOf = new Map<string, Terminal[]>()
for (const [first, name, pattern] of terminals) {
  const terminal = {symbol: symbolOf(name), pattern: new RegExp(pattern, 'uy')}
  for (const character of first) terminalsOf.set(character, [...(terminalsOf.get(character) ?? []), terminal])
}

const marks = new Map('{ } ( ) [ ] ; , . * / + - ! ? | ^ ^^ || && = != < > <= >='.split(' ').map(withSymbol))

/** Keywords in upper case. The grammar of sparqljs has one symbol for functions with as many arguments. */
const keywords = new Map(
  (
    'ADD ALL AS ASC ASK BASE BIND BNODE BOUND BY CLEAR COALESCE CONCAT CONSTRUCT COPY COUNT CREATE DEFAULT DELETE ' +
    'DESC DESCRIBE DISTINCT DROP EXISTS FILTER FROM GRAPH GROUP GROUP_CONCAT HAVING IN INSERT INTO LIMIT LOAD MINUS ' +
    'MOVE NAMED NOT OFFSET OPTIONAL ORDER PREFIX REDUCED REGEX REPLACE SELECT SEPARATOR SERVICE SILENT SUBSTR TO ' +
    'UNDEF UNION USING VALUES WHERE WITH'
  )
    .split(' ')
    .map(withSymbol),
)
const groups: Readonly<Record<string, string>> = {
  BOOLEAN: 'TRUE FALSE',
  FUNC_ARITY0: 'NOW RAND STRUUID UUID',
  FUNC_ARITY1:
    'ABS CEIL DATATYPE DAY ENCODE_FOR_URI FLOOR HOURS IRI ISBLANK ISIRI ISLITERAL ISNUMERIC ISURI LANG LCASE MD5 ' +
    'MINUTES MONTH ROUND SECONDS SHA1 SHA256 SHA384 SHA512 STR STRLEN TIMEZONE TZ UCASE URI YEAR',
  FUNC_ARITY2: 'CONTAINS LANGMATCHES SAMETERM STRAFTER STRBEFORE STRDT STRENDS STRLANG STRSTARTS',
  FUNC_ARITY3: 'IF',
  FUNC_AGGREGATE: 'AVG MAX MIN SAMPLE SUM',
}
for (const [name, words] of Object.entries(groups)) {
  for (const word of words.split(' ')) keywords.set(word, symbolOf(name))
}
const keywordLength = Math.max(...[...keywords.keys()].map(({length}) => length))
const verbA = symbolOf('a')

function withSymbol(name: string): readonly [string, number] {
  return [name, symbolOf(name)]
}

const blank = new RegExp(blanks, 'uy')
const prefixedName = new RegExp(`${prefix}(?:${local})?`, 'uy')
const word = new RegExp(`(?:[A-Za-z0-9_]|${codePoint})+`, 'uy')
const prefixRun = new RegExp(run(`${inLabel}.`), 'uy')
const someCodePoint = new RegExp(codePoint, 'g')

/**
 * Returns a function that reads the next token, and `endSymbol` after the last.
 *
 * @throws  Problem 400 `query-syntax`: a string without an end, or a code point escape that is not allowed at its place
 */
export function createLexer(text: string): () => Token {
  const names = {end: 0, isPrefix: false}
  let at = 0
  return () => {
    at = end(blank, text, at) ?? at
    if (at >= text.length) return {symbol: endSymbol, text: '', at}
    const token = tokenAt(text, at, names)
    at += token.text.length
    return token.text.includes('\\') ? decoded(token, text) : token
  }
}

/** The last run of characters of prefixes. It is read once, though it may be many tokens: `true.true.true` is five. */
type NameRun = {end: number; isPrefix: boolean} // isPrefix: what begins in it with a letter is a prefixed name

function end(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function tokenAt(text: string, at: number, names: NameRun): Token {
  const first = text.charAt(at)
  const candidates = terminalsOf.get(first) ?? []
  for (const {symbol, pattern} of candidates) {
    const last = end(pattern, text, at)
    if (last !== undefined) return {symbol, text: text.slice(at, last), at}
  }
  if (first === '"' || first === "'")
    throw new Problem(400, 'query-syntax', ...placed(text, at, 'The string has no end'))
  const two = text.slice(at, at + 2)
  const mark = marks.has(two) ? two : first
  const symbol = marks.get(mark)
  return symbol === undefined ? nameAt(text, at, names) : {symbol, text: mark, at}
}

const [prefixSymbol, nameSymbol] = [symbolOf('PNAME_NS'), symbolOf('PNAME_LN')]

function nameAt(text: string, at: number, names: NameRun): Token {
  if (at >= names.end) {
    names.end = end(prefixRun, text, at) ?? at
    names.isPrefix = text[names.end] === ':' && (names.end === at || text[names.end - 1] !== '.')
  }
  const last = names.isPrefix ? end(prefixedName, text, at) : undefined
  if (last === undefined) return keywordAt(text, at)
  const isPrefix = text.indexOf(':', at) === last - 1
  return {symbol: isPrefix ? prefixSymbol : nameSymbol, text: text.slice(at, last), at}
}

/** The longest keyword at a place: a keyword and what follows it may lack a blank between them. */
function keywordAt(text: string, at: number): Token {
  const longest = text.slice(at, at + keywordLength)
  for (let length = longest.length; length > 0; length -= 1) {
    const known = longest.slice(0, length)
    const symbol = known === 'a' ? verbA : keywords.get(known.toUpperCase())
    if (symbol !== undefined && text[at + length] !== '\\') return {symbol, text: known, at}
  }
  return {symbol: unknownSymbol, text: text.slice(at, end(word, text, at) ?? at + lengthAt(text, at)), at}
}

/**
 * The keyword that the word at a place probably means: `FILTER` for `FILTR`.
 *
 * @param isAllowed  whether the grammar allows a symbol at the place
 */
export function nearestKeyword(text: string, at: number, isAllowed: (symbol: number) => boolean): string | undefined {
  const written = text.slice(at, end(word, text, at) ?? at)
  return nearestWord(
    written,
    [...keywords].flatMap(([name, symbol]) => (isAllowed(symbol) ? [name] : [])),
  )
}

/** A token never ends within a surrogate pair: a pattern that begins there would match from its first half. */
function lengthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}

/** Decodes the code point escapes of a token that is no string. It must be one token without them, too. */
function decoded(token: Token, text: string): Token {
  if (token.text.startsWith('"') || token.text.startsWith("'")) return token
  const plain = token.text.replace(someCodePoint, sequence => {
    const code = Number.parseInt(sequence.slice(2), 16)
    return code > 0x10ffff || code === 0x5c ? ' ' : String.fromCodePoint(code)
  })
  if (plain === token.text) return token
  const again = tokenAt(plain, 0, {end: 0, isPrefix: false})
  if (again.text === plain && !/\p{Surrogate}/u.test(plain)) return {...again, at: token.at}
  const sentence = `An escape in ${excerpt(token.text)} gives a character that cannot stand here`
  throw new Problem(400, 'query-syntax', ...placed(text, token.at, sentence))
}
