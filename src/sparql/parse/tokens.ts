/**
 * Lexer: splits a text into the tokens of the grammar of sparqljs, in linear time.
 *
 * Pure. The lexer of sparqljs tries all of its 126 rules at each token. This one uses the same rules, but tries only
 * those that can match the next character, and finds keywords in a table. As in sparqljs, the longest match wins, and
 * of equally long matches that of the first rule. Keywords of updates with two words are missing, because scan.ts has
 * already rejected updates.
 * Source: SPARQL 1.1 §19.8; sparqljs 3.7 for the rules and their order.
 */
import {library} from './library.ts'
import {stringEnd} from './scan-tokens.ts'

export type Token = {
  readonly symbol: number // of the grammar
  readonly text: string
  readonly at: number // offset in UTF-16 units
}

type Rule = {
  readonly body: string // of its regular expression, without the anchor
  readonly pattern: RegExp // sticky
  readonly symbol: number
}

const {lexer, symbols_: symbols} = library
const noSymbol = -1
export const endSymbol = symbols.EOF ?? noSymbol
const invalid = symbols.INVALID ?? noSymbol

/** Without the last rule, which prints characters that no other rule matches. */
const rules = lexer.rules.slice(0, -1).map(({source}, index): Rule => {
  const given = lexer.performAction({}, {yytext: ''}, index)
  const symbol = typeof given === 'string' ? symbols[given] : given
  return {
    body: source.replace(/^\^\(\?:(.*)\)$/, '$1'),
    pattern: new RegExp(source.slice(1), 'iy'),
    symbol: symbol ?? noSymbol,
  }
})

/** Symbols of keywords, in lower case. */
const keywords = new Map<string, number>()
for (const {body, symbol} of rules) {
  const [, words] = /^\(?([A-Za-z_][\w|]*)\)?$/.exec(body) ?? []
  for (const word of words?.toLowerCase().split('|') ?? []) if (!keywords.has(word)) keywords.set(word, symbol)
}
const keywordLength = Math.max(...[...keywords.keys()].map(word => word.length))

/** Prefixed names and prefixes. */
const nameRules = rules.filter(({body}) => /^\(+\[A-Za-z/.test(body))

/** Other rules, by the first character of their matches. */
const rulesOf = new Map<string, Rule[]>()
for (const rule of rules) {
  for (const character of openingsOf(rule)) rulesOf.set(character, [...(rulesOf.get(character) ?? []), rule])
}
rulesOf.set(':', nameRules)

function openingsOf({body}: Rule): string {
  const start = body.replace(/^\(+/, '')
  if (start.startsWith('[0-9]')) return '0123456789.'
  if (start.startsWith('[\\?\\$]')) return '?$'
  const [, character = ''] = /^\\?([^\w.[$]|(?<=\\)[.[$])/.exec(start) ?? (start.startsWith('_:') ? ['', '_'] : [])
  return character
}

const blank = /\s*/y // scan.ts has replaced comments by white space
const word = /[A-Za-z][A-Za-z0-9_]*/y
const nameContinues = /[:.\-\u0080-\uffff]/

/**
 * @returns  a function that returns the next token, and `endSymbol` after the last. A character that no rule matches
 *           becomes a symbol that the grammar does not have
 */
export function readTokens(text: string): () => Token {
  let at = 0
  return () => {
    blank.lastIndex = at
    blank.exec(text)
    at = blank.lastIndex
    if (at >= text.length) return {symbol: endSymbol, text: '', at}
    const token = tokenAt(text, at)
    at += token.text.length
    return token
  }
}

const stringSymbols: Readonly<Record<string, number | undefined>> = {
  "'": symbols.STRING_LITERAL1,
  '"': symbols.STRING_LITERAL2,
  "'''": symbols.STRING_LITERAL_LONG1,
  '"""': symbols.STRING_LITERAL_LONG2,
}

/** Reads a string without the rules of the library, which need a stack that grows with the string. */
function stringAt(text: string, at: number): Token | undefined {
  const end = stringEnd(text, at)
  if (end === undefined) return undefined
  const string = text.slice(at, end)
  const quote = string.charAt(0)
  const isLong = string.length >= 6 && string.startsWith(quote.repeat(3))
  const symbol = stringSymbols[isLong ? quote.repeat(3) : quote] ?? noSymbol
  for (const [, known] of string.matchAll(stringEscape)) if (known === '') return undefined
  return {symbol, text: string, at}
}

const stringEscape = /\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[tbnrf\\"']|)/g

function tokenAt(text: string, at: number): Token {
  word.lastIndex = at
  const run = word.exec(text)?.[0]
  if (run !== undefined) return wordAt(text, at, run)
  const character = text.charAt(at)
  if (character === '"' || character === "'") return stringAt(text, at) ?? unknown(text, at)
  return longest(rulesOf.get(character) ?? (character > '\x7f' ? nameRules : []), text, at) ?? unknown(text, at)
}

function wordAt(text: string, at: number, run: string): Token {
  const keyword = keywordAt(run, at)
  const isName = nameContinues.test(text.charAt(at + run.length))
  const name = isName ? longest(nameRules, text, at) : undefined
  return name !== undefined && name.text.length > (keyword?.text.length ?? 0) ? name : (keyword ?? unknown(text, at))
}

/** The longest keyword at the start of a word. The white space between two keywords may be missing. */
function keywordAt(run: string, at: number): Token | undefined {
  const lower = run.slice(0, keywordLength).toLowerCase()
  for (let length = lower.length; length > 0; length -= 1) {
    const symbol = keywords.get(lower.slice(0, length))
    if (symbol !== undefined) return {symbol, text: run.slice(0, length), at}
  }
  return undefined
}

function longest(among: readonly Rule[], text: string, at: number): Token | undefined {
  let best: Token | undefined
  for (const {pattern, symbol} of among) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ''
    if (found.length > (best?.text.length ?? 0)) best = {symbol, text: found, at}
  }
  return best
}

function unknown(text: string, at: number): Token {
  return {symbol: invalid, text: text.charAt(at), at}
}
