/**
 * Plans text:query: the literals that the search index finds, with their scores, as a table of a function of the store.
 */
import {Problem} from '../../../base/problem.ts'
import {readSearchWords} from '../../../base/search-words.ts'
import {firstLiteralId, firstOfClass, literalClasses} from '../../../rdf/id-layout.ts'
import type {Algebra} from '../../algebra.ts'
import {type Block, type Column, type Environment, idColumn, type Planner} from '../block.ts'
import {column, number, type Scalar, text} from '../relation.ts'
import {searchRows} from './estimate.ts'
import {inGraphs} from './graph.ts'

const literalLimit = 10_000 // literals that a call looks at

/** @throws  Problem 400 `search-words` · 403 `search-off` */
export function planSearch(
  planner: Planner,
  {literal, score, words, range}: Extract<Algebra, {type: 'search'}>,
  environment: Environment,
): Block {
  if (planner.facts.frequencies.hasSearch === false)
    throw new Problem(403, 'search-off', 'The search is turned off here, so text:query cannot be used.')
  const {parts, whole} = readSearchWords(words)
  const list = (value: readonly string[]): Scalar => ({kind: 'parameter', value, type: 'text[]'})
  const alias = planner.fresh()
  const args = [
    list(parts.map(({kind}) => kind)),
    list(parts.map(part => part.text)),
    text(whole),
    list(range === undefined ? [] : [range]),
    range === undefined ? ({kind: 'null', type: 'text'} as const) : text(range),
    number(literalLimit),
  ]
  const columns = new Map<string, Column>([
    [
      literal,
      {
        ...idColumn(column(alias, 'c0'), false),
        extent: {low: firstLiteralId, high: firstOfClass(literalClasses.langString + 1n) - 1n},
      },
    ],
    [score, {scalar: column(alias, 'c1'), rep: 'decimal', isNullable: false, isNode: false}],
  ])
  const from = {kind: 'function', name: 'sparql_search', arguments: args, alias, columns: ['c0', 'c1']} as const
  return inGraphs(planner, {from, where: [], columns, order: undefined, rows: searchRows}, environment)
}
