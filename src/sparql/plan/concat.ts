/**
 * CONCAT: of texts by PostgreSQL's own operator, of all else by a function.
 *
 * Floor 2. Source: SPARQL 1.1 §17.4.3.12.
 */
import {call, operator, type Scalar} from './relation.ts'
import type {Planner} from './scope.ts'
import {keyValue, textValue, toKey, type Value} from './value.ts'

const inlineLimit = 8 // arguments

/** A text made of computed ones may double with each step, so it is bounded; two stored ones make no long text. */
export function concat(planner: Planner, ...values: readonly Value[]): Value {
  if (values.length > 0 && values.length <= inlineLimit && values.every(({type}) => type === 'text')) {
    const joined = values.map(({scalar}) => scalar).reduce((left, right) => operator('||', left, right))
    return textValue(values.every(({scalar}) => isStoredText(scalar)) ? joined : call('sparql_bounded', joined))
  }
  return keyValue(
    call('sparql_concat', {kind: 'array', type: 'text', items: values.map(value => toKey(planner, value))}),
  )
}

/** Whether a text comes from the store or the query, so that it is as long as what somebody wrote. */
function isStoredText(scalar: Scalar): boolean {
  switch (scalar.kind) {
    case 'stored':
    case 'parameter':
    case 'ownKey':
      return true
    case 'case':
      return [...scalar.branches.map(([, then]) => then), scalar.otherwise]
        .filter(one => one !== undefined)
        .every(isStoredText)
    case 'call':
      return (
        scalar.name.startsWith('sparql_inline') ||
        (scalar.name === 'sparql_lex' && scalar.arguments.every(isStoredText))
      )
    default:
      return scalar.kind === 'null'
  }
}
