/**
 * Counts the nested brackets, tokens and values of a text while it is read, so that a text that is too large does not
 * become a tree.
 *
 * Pure. Values are the terms of VALUES and of lists after IN; they have a limit of their own.
 * Source: SPARQL 1.1 §19.8 (DataBlock, ExpressionList).
 */
import {Problem} from '../../base/problem.ts'
import {type QueryLimits, queryDepthLimit, tooDeep} from './limits.ts'
import {placed} from './placed.ts'
import {symbolOf, type Token} from './tokens.ts'

/** What an open bracket holds, if it holds terms that are counted as values. */
type Values = 'rows' | 'list' | undefined

const [valuesSymbol, inSymbol, datatypeSymbol] = ['VALUES', 'IN', '^^'].map(symbolOf)
const [openBrackets, closeBrackets] = ['{ ( [', '} ) ]'].map(brackets => new Set(brackets.split(' ').map(symbolOf)))
const uncounted = new Set('( ) } , ^^ + - LANGTAG'.split(' ').map(symbolOf)) // among values

/**
 * Returns a function that counts the tokens of a text one by one.
 *
 * @throws  Problem 400 `query-depth`, `query-tokens`, `query-values`
 */
export function createCounter(text: string, limits: QueryLimits): (token: Token) => void {
  const open: Values[] = []
  let isVariables = false // of a VALUES, before its rows
  let last = 0 // symbol
  let [tokens, values] = [0, 0]

  const opened = (bracket: string): Values => {
    if (bracket === '{') return isVariables ? 'rows' : undefined
    if (bracket === '(' && last === inSymbol) return 'list'
    return bracket === '(' && open.at(-1) === 'rows' ? 'rows' : undefined
  }
  return ({symbol, text: word, at}) => {
    if (open.at(-1) === undefined) tokens += 1
    else if (!uncounted.has(symbol) && last !== datatypeSymbol) values += 1
    if (tokens > limits.tokens) {
      const sentence = `The query has more than ${limits.tokens} words and punctuation marks outside VALUES and IN`
      throw new Problem(400, 'query-tokens', ...placed(text, at, sentence, {limit: limits.tokens}))
    }
    if (values > limits.values) {
      const sentence = `The query has more than ${limits.values} values in VALUES and IN`
      throw new Problem(400, 'query-values', ...placed(text, at, sentence, {limit: limits.values}))
    }
    if (symbol === valuesSymbol) isVariables = true
    if (openBrackets?.has(symbol)) {
      open.push(opened(word))
      isVariables &&= word !== '{'
      if (open.length > queryDepthLimit) throw tooDeep(text, at)
    } else if (closeBrackets?.has(symbol)) open.pop()
    last = symbol
  }
}
