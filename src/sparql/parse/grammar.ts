/**
 * LR parser: runs the tables of sparqljs over the tokens of a text, with its actions or those that replace them.
 *
 * Pure. The loop of sparqljs copies its stacks at each step, so its time grows with length times depth. This loop
 * truncates them in place, and keeps the place of each value, so that an error in an action has a place.
 * Source: sparqljs 3.7 (an LR parser that Jison generated).
 */
import library from 'sparqljs/lib/SparqlParser.js'
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {type Action, actions, type Context, termFactory} from './actions.ts'
import {placed} from './placed.ts'
import {createLexer, endSymbol, nearestKeyword, symbolOf, type Token} from './tokens.ts'
import {updateActions} from './update-actions.ts'

const {table, symbols_: symbols, productions_: productions, terminals_: terminals, defaultActions} = library
const [shift, reduce] = [1, 2]
const [startProduction, errorSymbol] = [1, 2]
const iriSymbol = symbolOf('IRIREF')
const openIriPattern = /^<[^\u0000-\u0020<>"{}|^`\\]+(?=(.)?)/s
const expectedLimit = 8 // an error with more possible terminals does not list them

/** Our actions, by the number of their production. */
const ownActions: ReadonlyMap<number, Action> = new Map(
  Object.entries({...actions, ...updateActions}).flatMap(([names, action]) => {
    const numbers = names.split(' ').slice(0, -1).map(Number)
    const symbol = symbols[names.split(' ').at(-1) ?? '']
    const isKnown = numbers.every(number => productions[number]?.[0] === symbol)
    if (!isKnown || symbol === undefined) throw new Error(`sparqljs has no production ${names}`)
    return numbers.map(number => [number, action] as const)
  }),
)

/** Hears of a value of the grammar, and of the offset of its first character in the text. */
export type Note = (value: unknown, at: number) => void

/**
 * @param accept  called with each token that the grammar allows at its place
 * @returns       the tree, in the types of syntax.ts; undefined for an empty text or a prologue alone
 * @throws        Problem 400 `query-syntax`, and those of `accept`
 */
export function readTree(text: string, context: Context, accept: (token: Token) => void, note?: Note): unknown {
  Object.assign(library.Parser, {
    factory: termFactory(context),
    sparqlStar: false,
    pathOnly: false,
    skipValidation: true,
  })
  const next = createLexer(text)
  const states = [0]
  const values: unknown[] = [undefined]
  const places = [0] // of the first character of each value
  for (let token = next(); ; ) {
    const state = states.at(-1) ?? 0
    const [kind, target] = defaultActions[state] ?? actionFor(state, token, text)
    if (kind === shift) {
      accept(token)
      states.push(target)
      values.push(token.text)
      places.push(token.at)
      token = next()
      continue
    }
    if (kind !== reduce || target === startProduction) return values.at(-2)
    const [symbol, length] = productions[target] ?? [0, 0]
    const first = values.length - length
    const place = places[first] ?? token.at
    const value = reduced(target, {values, first, context}, sentence => syntaxProblem(text, place, sentence))
    states.length = values.length = places.length = first
    states.push(stateAfter(states.at(-1) ?? 0, symbol))
    values.push(value)
    places.push(place)
    note?.(value, place)
  }
}

type Reduction = {
  readonly values: unknown[] // those of the production's symbols are the last
  readonly first: number // index of the first of them
  readonly context: Context
}

/** The value of a production. Actions throw errors without a place. */
function reduced(
  production: number,
  {values, first, context}: Reduction,
  problem: (sentence: string) => Problem,
): unknown {
  try {
    const own = ownActions.get(production)
    if (own !== undefined) return own(context, ...(values.slice(first) as never[]))
    const made = {$: values[first]}
    library.performAction.call(made, '', 0, 0, {}, production, values, [])
    return made.$
  } catch (error) {
    if (error instanceof Problem || error instanceof RangeError) throw error
    throw problem(excerpt(error instanceof Error ? error.message : String(error)))
  }
}

function syntaxProblem(text: string, at: number, sentence: string, suggestion?: string): Problem {
  const [message, options] = placed(text, at, sentence, suggestion === undefined ? {} : {suggestion})
  const question = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  return new Problem(400, 'query-syntax', message + question, options)
}

function actionFor(state: number, token: Token, text: string): readonly [kind: number, target: number] {
  const row = table[state] ?? {}
  const action = row[token.symbol]
  if (typeof action === 'object') return action
  const iri = token.text === '<' && row[iriSymbol] !== undefined ? openIriPattern.exec(text.slice(token.at)) : null
  if (iri !== null) throw syntaxProblem(text, token.at, openIri(iri))
  const expected = Object.keys(row).flatMap(symbol => {
    const name = terminals[Number(symbol)]
    return name === undefined || Number(symbol) === errorSymbol ? [] : [shownTerminal(name)]
  })
  const names = [...new Set(expected)]
  const found = token.symbol === endSymbol ? 'end of the text' : `"${excerpt(token.text)}"`
  const hint = names.length > 0 && names.length <= expectedLimit ? `, expected ${names.join(' or ')}` : ''
  const suggestion = nearestKeyword(text, token.at, symbol => typeof row[symbol] === 'object')
  throw syntaxProblem(text, token.at, `Unexpected ${found}${hint}`, suggestion)
}

/** Words of the language and names of terminals as they are, punctuation in quotes. */
function shownTerminal(name: string): string {
  const meanings: Readonly<Record<string, string>> = {
    EOF: 'the end',
    INTEGER: 'an integer',
    IRIREF: 'an IRI',
    NIL: '"()"',
    PNAME_LN: 'a prefixed name',
    PNAME_NS: 'a prefixed name',
    VAR: 'a variable',
  }
  return meanings[name] ?? (/^\w+$/.test(name) ? name : `"${name}"`)
}

/** What is wrong with an IRI that has a beginning and no end. */
function openIri([iri, next]: RegExpExecArray): string {
  const before = next === undefined ? 'at the end of the text' : next <= ' ' ? 'before a blank' : `before ${next}`
  return `The IRI ${excerpt(iri)} has no ">" ${before}`
}

function stateAfter(state: number, symbol: number): number {
  const next = table[state]?.[symbol]
  return typeof next === 'number' ? next : 0
}
