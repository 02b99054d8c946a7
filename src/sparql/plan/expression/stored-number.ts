/**
 * Values of stored numbers whose datatypes differ, or of which some are terms of the dictionary: those of more digits
 * than a double has, and some of the forms with an exponent (rdf/id-layout.ts). SQL reads each term once a row.
 * Numbers in unusual forms, NaN and the infinities are left to the functions of keys.
 */

import {
  datatypeBitsOf,
  endOfKind,
  firstOfClass,
  firstOfKind,
  inlineKinds,
  literalClasses,
} from '../../../rdf/id-layout.ts'
import {
  type Extent,
  everyTerm,
  inlineKind,
  isInside,
  isOfClass,
  isOfKind,
  mayBeInline,
  mayBeOfClass,
  mayBeOfKind,
  reaches,
} from '../extent.ts'
import {all, call, equal, isNotNull, number, type Scalar, text} from '../relation.ts'
import type {Float, Value} from './value.ts'

const {fine, integer: integers, decimal: decimals} = inlineKinds

/** Each is null for other terms and for ill-formed literals. */
export type StoredValues = {
  readonly exact: Scalar // scaled (likely-number.ts): of an integer or a decimal
  readonly float: Scalar // float8, of an xsd:float in a usual form of moderate size
  readonly double: Scalar // the same of an xsd:double
}

/** The greatest size of inline numbers (Float in value.ts). */
export const inlineSize = 17

/** The greatest size of such a double: 23 characters before an exponent of two digits. */
export const storedDoubleSize = 125

const noExact = call('sparql_numeric', {kind: 'null', type: 'text'})
const noFloat = call('float8', {kind: 'null', type: 'int8'})

/** Undefined unless some terms may be such numbers. */
export function storedValues({type, scalar: id, constant, extent}: Value): StoredValues | undefined {
  if (type !== 'id' || constant !== undefined || !mayBeNumbers(extent)) return undefined
  const part = (name: 'text' | 'localName'): Scalar => ({kind: 'stored', id, part: name})
  const lex = part('text')
  type Branches = readonly (readonly [when: Scalar, then: Scalar])[]
  const mayBe = (kind: bigint) => mayBeOfKind(extent, kind)
  /** The value that one of the branches or the dictionary has. @param none  if neither can have one */
  const once = (name: string, inline: Branches, stored: Scalar, none: Scalar): Scalar => {
    const inDictionary: Branches = mayBeStoredNumber(extent) ? [[isOfClass(id, literalClasses.number), stored]] : []
    const branches = [...inline, ...inDictionary]
    if (branches.length === 0) return none
    return {kind: 'once', id, name, of: mayBeInline(extent) ? {kind: 'case', branches} : stored}
  }
  const ofType = (name: 'float' | 'double', read: Scalar, short: Scalar, others: Branches = []): Scalar => {
    const stored: Scalar = {kind: 'case', branches: [[equal(part('localName'), text(name)), read]]}
    const ofDecimals: Branches = mayBe(decimals) ? [[call(`sparql_is_${name}`, id), short]] : []
    return once(name, [...ofDecimals, ...others], stored, noFloat)
  }
  const isInteger = [isOfKind(id, integers), call('sparql_integer_of', id)] as const
  const isDecimal = [call('sparql_is_decimal', id), call('sparql_decimal_of', id)] as const
  const inline = [
    ...(mayBe(integers) ? [isInteger] : []),
    ...(mayBe(decimals) ? [isDecimal] : []),
    ...(mayBe(fine) ? [fineDecimal(id)] : []),
  ]
  const written = call('float8', call('sparql_millionths', id))
  return {
    exact: once('exact', inline, call('sparql_exact_of', lex, part('localName')), noExact),
    float: ofType('float', call('sparql_float_of', lex), call('sparql_of_millionths', written)),
    double: ofType(
      'double',
      call('sparql_double_of', lex),
      call('sparql_as_double', id),
      mayBe(fine) ? [fineDouble(id)] : [],
    ),
  }
}

/** The value of a fine number if it is a decimal. */
export function fineDecimal(id: Scalar): readonly [test: Scalar, value: Scalar] {
  return [isFine(id, 0), call('sparql_fine_decimal', id)]
}

/** The value of a fine number if it is a double. */
export function fineDouble(id: Scalar): readonly [test: Scalar, value: Scalar] {
  return [isFine(id, 1), call('inline_fine', id)]
}

function isFine(id: Scalar, datatype: 0 | 1): Scalar {
  const bits = number(datatypeBitsOf(firstOfKind(fine)) ?? 0n)
  return all([isOfKind(id, fine), equal(call('int8and', id, bits), number(datatype))])
}

/** Whether all ids are of inline integers, or of decimals and others in millionths: they are read in number.ts. */
function isShort(extent: Extent | undefined): boolean {
  return [integers, decimals].some(kind => kind === inlineKind(extent))
}

/**
 * Whether the terms of an extent are probably such numbers: it begins and ends with inline numbers or with those of the
 * dictionary. Inline integers alone, and inline decimals and doubles alone, are read from their ids (number.ts).
 */
export function areNumbers(extent: Extent | undefined): boolean {
  if (extent === undefined || isShort(extent)) return false
  const {low, high} = extent
  const isInline = (id: bigint) => id >= firstOfKind(fine) && id < endOfKind(decimals)
  return (isInline(low) || isStoredNumber(low)) && (isInline(high) || isStoredNumber(high))
}

/** Whether some terms of an extent may be such numbers, whatever the others are. Nothing is known of all terms. */
function mayBeNumbers(extent: Extent | undefined): boolean {
  if (extent === undefined || isShort(extent) || isInside(everyTerm, extent)) return false
  return reaches(extent, firstOfKind(fine), endOfKind(decimals)) || mayBeStoredNumber(extent)
}

function isStoredNumber(id: bigint): boolean {
  return id >= firstOfClass(literalClasses.number) && id < firstOfClass(literalClasses.number + 1n)
}

/** Whether a term may be a number of the dictionary. */
export function mayBeStoredNumber(extent: Extent | undefined): boolean {
  return mayBeOfClass(extent, literalClasses.number)
}

/** The value of an inline number if it is a double. */
export function inlineDouble(id: Scalar): Float {
  const isDouble = call('sparql_is_double', id)
  const of: Scalar = {kind: 'case', branches: [[isDouble, call('sparql_as_double', id)]]}
  const scalar: Scalar = {kind: 'once', id, name: 'double inline', of}
  return {scalar, rep: 'double', size: inlineSize, isWhole: false, isDouble, isCanonical: false}
}

/** The value of a stored number as above if it is a double. */
export function storedFloat({double}: StoredValues): Float {
  const isDouble = isNotNull(double)
  return {scalar: double, rep: 'double', size: storedDoubleSize, isWhole: false, isDouble, isCanonical: false}
}
