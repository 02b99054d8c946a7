/**
 * Follows the tokens of a query, to tell data (triples and rows of VALUES) from expressions, and counts them.
 *
 * Pure. Parentheses mark expressions, and a collection is treated as an expression. Counting rejects a text that is
 * too large before the parser builds a tree.
 * Source: SPARQL 1.1 §19.8 (DataBlock, NumericLiteralPositive, ExpressionList).
 */
import {type QueryLimits, tooManyTokens, tooManyValues} from './limits.ts'
import {numberAt, type TokenKind} from './scan-tokens.ts'

export type DataWatch = {
  /**
   * Notes the next token. The kind of a single character is undefined.
   *
   * @throws  Problem 400 `query-tokens`, `query-values`
   */
  readonly see: (kind: TokenKind | undefined, token: string, at: number) => void
  /** Whether data may follow the tokens so far. */
  readonly isData: () => boolean
  /** If the block of a VALUES begins here: the number of its variables, and whether its rows have parentheses. */
  readonly opening: () => {readonly count: number; readonly hasRows: boolean} | undefined
}

type Place =
  | 'group'
  | 'values' // the block of a VALUES
  | 'row' // of a VALUES block
  | 'list' // after IN
  | 'brackets'
  | 'parentheses'

export function watchData(text: string, limits: QueryLimits): DataWatch {
  const open: Place[] = []
  let pending: {count: number; hasRows: boolean} | undefined // VALUES and its variables
  let last = ''
  let [tokens, values, valuesBeforeRow] = [0, 0, 0]

  const count = (kind: TokenKind | undefined, token: string, at: number): void => {
    const place = open.at(-1)
    if (place !== 'values' && place !== 'row' && place !== 'list') tokens += 1
    else if (valueKinds.has(kind))
      values += last === '^' ? 0 : 1 // the datatype belongs to its literal
    else if (token === ')' && place === 'row' && values === valuesBeforeRow)
      values += 1 // an empty row
    else if (kind !== 'languageTag' && !valuePunctuation.has(token)) tokens += 1
    if (tokens > limits.tokens) throw tooManyTokens(limits, text, at)
    if (values > limits.values) throw tooManyValues(limits, text, at)
  }
  const openAs = (place: Place): void => {
    open.push(place)
    valuesBeforeRow = values
  }

  const seeCharacter = (character: string): void => {
    if (character === '{') {
      openAs(pending === undefined ? 'group' : 'values')
      pending = undefined
    } else if (pending !== undefined) pending.hasRows = true
    else if (character === '[') openAs('brackets')
    else if (character === '(') openAs(open.at(-1) === 'values' ? 'row' : isWord(last, 'in') ? 'list' : 'parentheses')
    else if (character === '}' || character === ')' || character === ']') open.pop()
  }

  return {
    see(kind, token, at) {
      if (kind === 'blank') return
      count(kind, token, at)
      if (kind === 'name' && isWord(token, 'values')) pending = {count: 0, hasRows: false}
      else if (kind === 'variable' && pending !== undefined) pending.count += 1
      else if (kind === undefined) seeCharacter(token)
      last = token
    },
    isData() {
      const place = open.at(-1)
      return place !== undefined && place !== 'parentheses' && place !== 'list'
    },
    opening: () => pending,
  }
}

const valueKinds: ReadonlySet<TokenKind | undefined> = new Set([
  'iri',
  'string',
  'double',
  'number',
  'name',
  'variable',
])
const valuePunctuation = new Set(['(', ')', ',', '^', '+', '-'])

/** Whether a token is a keyword. Keywords are case-insensitive. */
export function isWord(token: string, word: string): boolean {
  return token.length === word.length && token.toLowerCase() === word
}

/** The number with a plus sign that begins here, and its form with quotes. The parser would drop the sign. */
export function signedNumber(text: string, at: number): {readonly token: string; readonly written: string} | undefined {
  const [kind, end] = numberAt(text, at + 1)
  if (kind === undefined) return undefined
  const token = text.slice(at, end)
  const type = kind === 'double' ? 'double' : token.includes('.') ? 'decimal' : 'integer'
  return {token, written: `"${token}"^^<http://www.w3.org/2001/XMLSchema#${type}>`}
}
