/**
 * Plans CONCAT: by PostgreSQL's operator for a few arguments with separate text and kind, otherwise by a function of
 * keys.
 *
 * Nested calls could double a text at each step, so the length of the result is limited. A few stored texts need no
 * limit. With many arguments the limit also applies to intermediate results, so that none is much longer than it.
 * Source: SPARQL 1.1 §17.4.3.12.
 */

import type {Planner} from '../block.ts'
import {all, call, equal, operator, type Scalar, text} from '../relation.ts'
import {stringParts} from './strings.ts'
import {keyValue, type StringParts, simpleKind, stringValue, textValue, toKey, type Value} from './value.ts'

const inlineLimit = 8 // arguments
const unboundedLimit = 3 // texts that are concatenated without a check of intermediate lengths

export function concat(planner: Planner, ...values: readonly Value[]): Value {
  if (values.length === 0) return textValue(text(''))
  const parts = values.flatMap(value => stringParts(planner, value) ?? [])
  if (values.length <= inlineLimit && parts.length === values.length) return concatParts(parts)
  const keys = values.map(value => toKey(planner, value))
  return keyValue(keys.length === 1 ? call('sparql_concat', ...keys) : paired(keys))
}

/** The result has the kind of the arguments if all have the same kind; otherwise it is a simple literal. */
function concatParts(parts: readonly StringParts[]): Value {
  const joinedText = joined(parts.map(part => part.text))
  const [first, ...others] = parts.map(({kind}) => kind)
  if (first === undefined || parts.some(({kind}) => kind === simpleKind)) return textValue(joinedText)
  const kind: Scalar = {
    kind: 'case',
    branches: [[all(others.map(other => equal(other, first))), first]],
    otherwise: simpleKind,
  }
  return stringValue({text: joinedText, kind: others.length === 0 ? first : kind})
}

/** Concatenates texts, with a limit on the length where it is needed. */
function joined(scalars: readonly Scalar[]): Scalar {
  const [first, ...others] = scalars
  if (first === undefined || others.length === 0) return first ?? text('')
  const unknown = scalars.filter(({kind}) => kind !== 'parameter').length
  if (unknown <= unboundedLimit) {
    const all = others.reduce((left, right) => operator('||', left, right), first)
    return scalars.every(isStoredText) ? all : call('sparql_bounded', all)
  }
  const last = scalars.slice(-2)
  return call(
    'sparql_bounded',
    last.reduce((left, right) => operator('||', left, right), joined(scalars.slice(0, -2))),
  )
}

/** Concatenates keys as a balanced tree of pairs. Concatenation is associative. */
function paired(keys: readonly Scalar[]): Scalar {
  const [only] = keys
  if (only !== undefined && keys.length === 1) return only
  const middle = keys.length >> 1
  return call('sparql_concat', paired(keys.slice(0, middle)), paired(keys.slice(middle)))
}

/** Whether a text comes from the store or the query as it is, so that it is no longer than what a client sent. */
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
        scalar.name.startsWith('sparql_inline_') ||
        (['sparql_lex', 'sparql_text'].includes(scalar.name) && scalar.arguments.every(isStoredText))
      )
    default:
      return scalar.kind === 'null'
  }
}
