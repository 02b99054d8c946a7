/**
 * ORDER BY: what SQL sorts by.
 *
 * Floor 2. Source: SPARQL 1.1 §15.1.
 */
import {firstBlankNodeId} from '../../rdf/term-id.ts'
import type {Expression, OrderKey} from '../algebra.ts'
import {planExpression, type Sight} from './expression.ts'
import {formBitsOf, isNodes, isText} from './extent.ts'
import {call, number, operator, type Scalar, type SortKey} from './relation.ts'
import type {Order, Planner} from './scope.ts'
import {toKey, type Value} from './value.ts'

export function orderOf(planner: Planner, expressions: readonly OrderKey[], sight: Sight): Order {
  const values = expressions.map(({expression}) => planExpression(planner, expression, sight))
  const [first] = values
  const isDescending = expressions[0]?.isDescending === true
  // Equal values may come in any order. One that an index has (rank.ts) is the same for all pages.
  const isById = values.length === 1 && first?.type === 'id' && formBitsOf(first.extent) !== undefined
  const keys = isById
    ? [{scalar: first.scalar, isDescending, isText: false}]
    : values.flatMap((value, index) => sortKeys(planner, value, expressions[index]?.isDescending === true))
  return {keys, expressions, variables: new Set(expressions.flatMap(({expression}) => variablesOf(expression)))}
}

/** §15.1: unbound, blank nodes, IRIs, literals; literals by value where they have one. */
function sortKeys(planner: Planner, value: Value, isDescending: boolean): readonly SortKey[] {
  if (value.type === 'text') return [{scalar: value.scalar, isDescending, isText: true}]
  const isPlain = value.type === 'boolean' || (value.type === 'number' && value.otherwise === undefined)
  if (isPlain) return [{scalar: value.scalar, isDescending, isText: false}]
  const key = toKey(planner, value)
  if (value.type === 'id' && value.constant === undefined) return idSortKeys(value, key, isDescending)
  const names = ['sparql_order_rank', 'sparql_order_value', 'sparql_order_text']
  return names.map(name => ({scalar: call(name, key), isDescending, isText: name === 'sparql_order_text'}))
}

/** The same for a column of ids: inline literals need no text. */
function idSortKeys({scalar: id, extent}: Value, key: Scalar, isDescending: boolean): readonly SortKey[] {
  const bits = formBitsOf(extent)
  if (bits !== undefined) return [{scalar: operator('>>', id, number(bits)), isDescending, isText: false}]
  const stored: SortKey = {scalar: {kind: 'stored', id, part: 'text'}, isDescending, isText: true}
  if (isText(extent)) return [stored]
  // Blank nodes have no text and come first, beside what is unbound, which is before them.
  if (isNodes(extent))
    return [stored, {scalar: operator('<', id, number(firstBlankNodeId)), isDescending, isText: false}]
  const isInline = operator('<', id, number(0))
  const either = (inline: Scalar, other: Scalar): Scalar => ({
    kind: 'case',
    branches: [
      [isInline, inline],
      [{kind: 'isNotNull', of: id}, other],
    ],
  })
  return [
    {scalar: either(call('sparql_inline_rank', id), call('sparql_order_rank', key)), isDescending, isText: false},
    {scalar: either(call('sparql_inline_value', id), call('sparql_order_value', key)), isDescending, isText: false},
    {scalar: either({kind: 'null', type: 'text'}, call('sparql_order_text', key)), isDescending, isText: true},
  ]
}

function variablesOf(expression: Expression): readonly string[] {
  switch (expression.type) {
    case 'variable':
      return [expression.name]
    case 'call':
    case 'function':
      return expression.arguments.flatMap(variablesOf)
    case 'term':
      return []
    case 'exists':
      return ['.exists'] // what it needs is not known here: it cannot be evaluated again
  }
}
