/**
 * Values of expressions: how SQL holds them, and the conversions between.
 *
 * Floor 2. An error is null in each form.
 *
 *   boolean   SQL boolean           text     text of a simple literal
 *   id, key   any term (scope.ts)   integer  numeric value of an xsd:integer
 */
import {type Literal, type NamedNode, termKey} from '../../rdf/term.ts'
import type {Extent} from './extent.ts'
import {call, type Scalar, text} from './relation.ts'
import {type Column, keyOfId, type Planner} from './scope.ts'

export type Value = {
  readonly scalar: Scalar
  readonly type: 'boolean' | 'id' | 'key' | 'text' | 'integer'
  readonly constant?: NamedNode | Literal // when it is known now
  readonly extent?: Extent // of an id
}

export function keyValue(scalar: Scalar): Value {
  return {scalar, type: 'key'}
}

export function booleanValue(scalar: Scalar): Value {
  return {scalar, type: 'boolean'}
}

export function textValue(scalar: Scalar): Value {
  return {scalar, type: 'text'}
}

export function integerValue(scalar: Scalar): Value {
  return {scalar, type: 'integer'}
}

export function toKey(planner: Planner, {scalar, type, constant, extent}: Value): Scalar {
  if (constant !== undefined) return text(termKey(constant))
  switch (type) {
    case 'key':
      return scalar
    case 'id':
      return keyOfId(planner, scalar, extent)
    case 'boolean':
      return call('sparql_boolean', scalar)
    case 'text':
      return call('sparql_string', scalar)
    case 'integer':
      return call('sparql_integer', scalar)
  }
}

/** The effective boolean value (§17.2.2). */
export function toBoolean(planner: Planner, value: Value): Scalar {
  switch (value.type) {
    case 'boolean':
      return value.scalar
    case 'text':
      return {kind: 'operator', operator: '<>', left: value.scalar, right: text('')}
    default:
      return call('sparql_ebv', toKey(planner, value))
  }
}

/** The text of a string literal, with a language or without. */
export function toText(planner: Planner, value: Value): Scalar {
  return value.type === 'text' ? value.scalar : call('sparql_text', toKey(planner, value))
}

/** The text of a simple literal. */
export function toSimple(planner: Planner, value: Value): Scalar {
  return value.type === 'text' ? value.scalar : call('sparql_simple', toKey(planner, value))
}

/** The column that holds a value which a variable is bound to. */
export function toColumn(planner: Planner, value: Value): Column {
  if (value.type === 'id') {
    const {scalar, constant, extent} = value
    const held: Column = {scalar, rep: 'id', isNullable: constant === undefined, isNode: false}
    return extent === undefined ? held : {...held, extent}
  }
  return {scalar: toKey(planner, value), rep: 'key', isNullable: true, isNode: false}
}
