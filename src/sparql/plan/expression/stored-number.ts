/**
 * Values of stored numbers of which some are terms of the dictionary: decimals of more than six fraction digits, and
 * doubles with an exponent or many digits (rdf/id-layout.ts). SQL reads their lexical forms once a row. Numbers in
 * unusual forms, NaN and the infinities are left to the functions of keys.
 */

import {firstOfClass, firstOfKind, inlineKinds, literalClasses} from '../../../rdf/id-layout.ts'
import {type Extent, isOfClass, mayBeInline} from '../extent.ts'
import {all, any, call, equal, type Scalar, text} from '../relation.ts'
import type {Value} from './value.ts'

export type StoredValues = {
  readonly isDecimal: Scalar // null or false for other terms
  readonly decimal: Scalar // numeric; null for other terms and for ill-formed literals
  readonly float: Scalar // float8; null unless the term is an xsd:float in a usual form of moderate size
  readonly double: Scalar // the same for an xsd:double
}

/** The greatest size of such a double: 23 characters before an exponent of two digits. */
export const storedDoubleSize = 125

/** Undefined unless the terms are probably such numbers. They may have inline ids beside, but not those of integers. */
export function storedValues({type, scalar: id, constant, extent}: Value): StoredValues | undefined {
  if (type !== 'id' || constant !== undefined || !areNumbers(extent)) return undefined
  const part = (name: 'text' | 'localName'): Scalar => ({kind: 'stored', id, part: name})
  const ofType = (name: 'decimal' | 'float' | 'double', read: Scalar, inline: Scalar): Scalar => {
    const stored: Scalar = {kind: 'case', branches: [[equal(part('localName'), text(name)), read]]}
    if (!mayBeInline(extent)) return stored
    const isInline = call(`sparql_is_${name}`, id)
    const isStored = isOfClass(id, literalClasses.number)
    return {kind: 'case', branches: [[isInline, inline] as const, [isStored, stored] as const]}
  }
  const lex = part('text')
  const millionths = call('float8', call('sparql_millionths', id))
  const isStored = equal(part('localName'), text('decimal'))
  return {
    isDecimal: mayBeInline(extent)
      ? any([call('sparql_is_decimal', id), all([isOfClass(id, literalClasses.number), isStored])])
      : isStored,
    decimal: ofType('decimal', call('sparql_number_of', lex, text('decimal')), call('sparql_decimal_of', id)),
    float: ofType('float', call('sparql_float_of', lex), call('sparql_of_millionths', millionths)),
    double: ofType('double', call('sparql_double_of', lex), call('sparql_as_double', id)),
  }
}

/** Whether an extent ends with numbers of the dictionary and begins with those, or with inline decimals and doubles. */
function areNumbers(extent: Extent | undefined): boolean {
  if (extent === undefined) return false
  const isWithin = (id: bigint, first: bigint, end: bigint) => id >= first && id < end
  const {decimal, dateTime} = inlineKinds
  const [first, end] = [firstOfClass(literalClasses.number), firstOfClass(literalClasses.number + 1n)]
  const isInline = isWithin(extent.low, firstOfKind(decimal), firstOfKind(dateTime))
  return isWithin(extent.high, first, end) && (isInline || isWithin(extent.low, first, end))
}
