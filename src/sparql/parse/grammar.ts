/**
 * LR parser loop: parses tokens to the tree of sparqljs, with the tables and actions of sparqljs.
 *
 * Pure. The loop of sparqljs copies its stacks at each step, so its time grows with length times depth. This loop
 * truncates them in place.
 * Source: sparqljs 3.7 (an LR parser that Jison generated).
 */
import {xsd} from '../../rdf/vocabulary.ts'
import {library} from './library.ts'
import {readTokens, type Token} from './tokens.ts'

/** A token that the grammar does not allow at its place, and the symbols that it allows there, if known. */
export class UnexpectedToken extends Error {
  readonly token: Token
  readonly expected: readonly string[] // names of grammar symbols

  constructor(token: Token, expected: readonly string[]) {
    super('unexpected token')
    this.token = token
    this.expected = expected
  }
}

const {table, productions_: productions, defaultActions, terminals_: terminals, performAction, Parser} = library
const [shift, reduce] = [1, 2]
const errorSymbol = 2

/** Term factory for the actions of the library. Keeps terms as written; parse.ts decodes them. */
const factory = {
  namedNode: (value: string) => ({termType: 'NamedNode', value}),
  blankNode: (value: string) => ({termType: 'BlankNode', value}),
  variable: (value: string) => ({termType: 'Variable', value}),
  literal: (value: string, tagOrType?: string | object) =>
    typeof tagOrType === 'string'
      ? {termType: 'Literal', value, language: tagOrType}
      : {termType: 'Literal', value, datatype: tagOrType ?? factory.namedNode(xsd.string)},
}

/**
 * @returns  the tree of the library, which parse.ts decodes
 * @throws   UnexpectedToken; Error with a sentence if an action of the library rejects the input
 */
export function readTree(text: string, base: string): unknown {
  Object.assign(Parser, {base, prefixes: {}, factory, sparqlStar: false, pathOnly: false, skipValidation: true})
  const next = readTokens(text)
  const states = [0]
  const values: unknown[] = [null]
  let [token, last]: [Token | undefined, string] = [undefined, '']
  for (;;) {
    const state = states.at(-1) ?? 0
    let action = defaultActions[state]
    if (action === undefined) {
      token ??= next()
      action = actionFor(state, token)
    }
    const [kind, target] = action
    if (kind === shift) {
      states.push(target)
      values.push(token?.text)
      last = token?.text ?? ''
      token = undefined
    } else if (kind === reduce) {
      const [symbol, length] = productions[target] ?? [0, 0]
      const made = {$: values[values.length - length]}
      const tree = performAction.call(made, last, last.length, 0, {}, target, values, [])
      if (tree !== undefined) return tree
      states.length -= length
      values.length -= length
      states.push(stateAfter(states.at(-1) ?? 0, symbol))
      values.push(made.$)
    } else return values.at(-1)
  }
}

function actionFor(state: number, token: Token): readonly [action: number, target: number] {
  const row = table[state] ?? {}
  const action = row[token.symbol]
  if (typeof action === 'object') return action
  const expected = Object.keys(row).flatMap(symbol =>
    Number(symbol) > errorSymbol && terminals[Number(symbol)] !== undefined ? [terminals[Number(symbol)] ?? ''] : [],
  )
  throw new UnexpectedToken(token, expected)
}

function stateAfter(state: number, symbol: number): number {
  const next = table[state]?.[symbol]
  return typeof next === 'number' ? next : 0
}
