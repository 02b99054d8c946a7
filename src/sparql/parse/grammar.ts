/**
 * Tokens to the parser library's tree, by the library's tables and actions.
 *
 * Pure. The library's own loop copies its stacks at each step, so that its time grows with length times depth;
 * this one cuts them.
 * Source: sparqljs 3.7 (an LR parser as Jison writes it).
 */
import {xsd} from '../../rdf/vocabulary.ts'
import {library} from './library.ts'
import {readTokens, type Token} from './tokens.ts'

/** A token that cannot stand where it does, and what could, where that is known. */
export class UnexpectedToken extends Error {
  readonly token: Token
  readonly expected: readonly string[] // names of the grammar

  constructor(token: Token, expected: readonly string[]) {
    super('unexpected token')
    this.token = token
    this.expected = expected
  }
}

const {table, productions_: productions, defaultActions, terminals_: terminals, performAction, Parser} = library
const [shift, reduce] = [1, 2]
const errorSymbol = 2

/** Terms as the library's actions make them: as they are written, for parse.ts to decode. */
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
 * @returns  the library's tree, for parse.ts to decode
 * @throws   UnexpectedToken; Error with a sentence about what an action refuses
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
