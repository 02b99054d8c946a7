/**
 * Text to the tokens of the parser library's grammar, in time that grows with the text's length alone.
 *
 * Pure. The library's own reader tries each of its 126 rules at each token. This one has the same rules, and
 * tries only those that can match where a character begins; keywords are found in a table. As with the library, the
 * longest match counts, and of equally long ones the first rule. Keywords of updates that have two words are left out:
 * scan.ts refuses updates before.
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
  readonly body: string // of its regular expression, without what anchors it
  readonly pattern: RegExp // sticky
  readonly symbol: number
}

const {lexer, symbols_: symbols} = library
const noSymbol = -1
export const endSymbol = symbols.EOF ?? noSymbol
const invalid = symbols.INVALID ?? noSymbol

/** The last rule prints what no other matches. */
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

/** What else begins with a character. */
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

const blank = /\s*/y // scan.ts has made blanks of comments
const word = /[A-Za-z][A-Za-z0-9_]*/y
const nameContinues = /[:.\-\u0080-\uffff]/

/** The tokens of a text, then one of `endSymbol` for ever; what no rule matches is a symbol that no grammar has. */
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

/** A string by a rule of ours: those of the library need a stack that grows with the string. */
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

/** The longest keyword that a word begins with; blanks between words may be missing. */
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
