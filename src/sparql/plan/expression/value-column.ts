/** The columns of variables that are bound to values, and the values of such columns. */
import type {Term} from '../../../rdf/term.ts'
import type {Column, Planner} from '../block.ts'
import {inlineExtent} from '../extent.ts'
import type {Scalar} from '../relation.ts'
import {formOfNumber, mostConstants, simpleKind, toKey, type Value} from './value.ts'

/** The column for a variable that is bound to a value. */
export function toColumn(planner: Planner, value: Value): Column {
  if (value.type === 'id') {
    const {scalar, constant, constants, extent} = value
    if (constant !== undefined) return {...listedColumn([[scalar, constant]]), scalar}
    const held: Column = {scalar, rep: 'id', isNullable: true, isNode: false, ...(constants && {constants})}
    return extent === undefined ? held : {...held, extent}
  }
  if (value.type === 'number' && value.otherwise === undefined) {
    const form = formOfNumber(value)
    if (form !== 'scaled') return {scalar: value.scalar, rep: form, isNullable: true, isNode: false}
  }
  if (value.type === 'duration') return {scalar: value.scalar, rep: 'duration', isNullable: true, isNode: false}
  const {float} = value
  if (float?.isWhole && float.isCanonical)
    return {scalar: float.scalar, rep: float.rep, isNullable: true, isNode: false}
  const held: Column = {scalar: toKey(planner, value), rep: 'key', isNullable: true, isNode: false}
  const number = value.type === 'number' ? 'exact' : value.number
  const hasNumber = value.type === 'number' || value.exact !== undefined || float !== undefined
  if (hasNumber || value.moment !== undefined) valuesOfKeys.set(held.scalar, value)
  if (value.type === 'text' || value.string?.kind === simpleKind) return {...held, isSimple: true}
  return number === undefined ? held : {...held, number}
}

/** By the key of a column. A block that selects the column has another scalar for it, which has no such value. */
const valuesOfKeys = new WeakMap<Scalar, Value>()

/** The value that the key of a column was made of, if it may be a number or a time: its key need not be read again. */
export function valueOfKey(key: Scalar): Value | undefined {
  return valuesOfKeys.get(key)
}

/** A column without a scalar that has only these terms, given with their ids. */
export function listedColumn(terms: readonly (readonly [id: Scalar, term: Term])[]): Omit<Column, 'scalar'> {
  const extent = inlineExtent(terms.map(([id]) => id))
  return {
    rep: 'id',
    isNullable: false,
    isNode: false,
    ...(extent === undefined ? {} : {extent}),
    ...(terms.length > mostConstants ? {} : {constants: terms.map(([, term]) => term)}),
  }
}
