/**
 * Compares times of day, years, months of years and durations. SPARQL 1.1 has no operators for them (§17.3.1 allows
 * such extensions), but other stores have, and data have years and times. Those of usual form without a time zone are
 * compared by the values of their texts, all others by their keys.
 *
 * ORDER BY, MIN and MAX order them by their texts, as all literals that §15.1 does not order.
 */
import {durationTypes} from '../../../rdf/duration.ts'
import {firstOfClass, literalClass, literalClasses} from '../../../rdf/id-layout.ts'
import type {Literal} from '../../../rdf/term.ts'
import {iriKey} from '../../../rdf/term-key.ts'
import {xsd} from '../../../rdf/vocabulary.ts'
import {type Extent, isInside, isOfClass} from '../extent.ts'
import {all, call, type Operator, operator, type Scalar, text} from '../relation.ts'
import {booleanValue, storedText, type Value} from './value.ts'

const spans: ReadonlySet<string> = new Set([xsd.time, xsd.gYear, xsd.gYearMonth, ...durationTypes])

/** Whether a literal is of one of these datatypes. */
export function isSpan({datatype}: Literal): boolean {
  return spans.has(datatype.value)
}

/** Whether no other literal is equal to a literal: it is a year or a month without a time zone. */
export function isOnlyForm({datatype, value}: Literal): boolean {
  return (
    (datatype.value === xsd.gYear && /^-?\d{4}$/.test(value)) ||
    (datatype.value === xsd.gYearMonth && /^-?\d{4}-\d\d$/.test(value))
  )
}

/** @returns  undefined unless one is a constant of these datatypes, or both are of a class of literals that has them */
export function compareSpans(
  comparison: Operator,
  [left, right]: readonly [Value, Value],
  generic: () => Scalar,
): Value | undefined {
  const [one, other] = [sideOf(left), sideOf(right)]
  if (one === undefined || other === undefined) return undefined
  const constant = [one, other].find(({id}) => id === undefined)
  const known = constant?.class ?? (one.class === other.class ? one.class : undefined)
  if (known === undefined) return undefined
  // PostgreSQL computes the value of a constant when it plans the query.
  const sizeOf = (side: Side, as: Side) =>
    call('sparql_usual_span', side.lex, side.datatype, side.id === undefined ? side.datatype : as.datatype)
  const inOrder = operator(comparison, sizeOf(one, other), sizeOf(other, one))
  // Without a condition on ids the comparison depends on terms only, and is made once for each (once-per-term.ts).
  const areOfClass = [one, other].flatMap(({id, class: of}) =>
    id === undefined || of === known ? [] : isOfClass(id, known),
  )
  const usual: Scalar = areOfClass.length === 0 ? inOrder : {kind: 'case', branches: [[all(areOfClass), inOrder]]}
  return booleanValue(call('coalesce', usual, generic()))
}

type Side = {
  readonly id: Scalar | undefined // undefined: a constant
  readonly class: bigint | undefined
  readonly lex: Scalar
  readonly datatype: Scalar // its key
}

function sideOf({type, scalar: id, constant, extent}: Value): Side | undefined {
  if (constant?.termType === 'Literal' && isSpan(constant)) {
    const {value, datatype} = constant
    const [lex, key] = [storedText(value), text(iriKey(datatype.value))]
    return {id: undefined, class: literalClass(constant), lex, datatype: key}
  }
  if (type !== 'id' || constant !== undefined) return undefined
  const part = (name: 'text' | 'datatype'): Scalar => ({kind: 'stored', id, part: name})
  return {id, class: classOf(extent), lex: part('text'), datatype: part('datatype')}
}

/** The class of literals that an extent is within, if it has such datatypes. */
function classOf(extent: Extent | undefined): bigint | undefined {
  if (extent === undefined) return undefined
  const {time, other} = literalClasses
  return [time, other].find(one => isInside(extent, {low: firstOfClass(one), high: firstOfClass(one + 1n) - 1n}))
}
