/**
 * Extents: the least and the greatest id of a column, and what follows from them about its terms.
 *
 * Pure. The ids of each kind of term are one range. Within most inline kinds, ids have the order of their values
 * (src/rdf/id-layout.ts).
 */
import {
  classSize,
  endOfKind,
  firstAfterNodes,
  firstAfterOwnLiterals,
  firstBlankNodeId,
  firstLiteralId,
  firstOfClass,
  firstOfKind,
  firstOwnIri,
  firstOwnLiteral,
  formBitsOfKind,
  inlineId,
  inlineKinds,
  kindOfInline,
  kindSize,
  lastId,
  limitOfKind,
  literalClasses,
} from '../../rdf/id-layout.ts'
import {all, any, number, operator, type Scalar} from './relation.ts'

/** A range of ids, both ends included. */
export type Extent = {
  readonly low: bigint
  readonly high: bigint
  readonly gap?: {readonly first: bigint; readonly end: bigint} // ids between inline literals and others that it lacks
  readonly stored?: number // estimated share of terms of the dictionary, if some literals are inline
  readonly isOfAny?: boolean // of the objects of a variable predicate: a union of tables has them
  readonly isTested?: boolean // a filter lets through only these: PostgreSQL may compute an expression of others before
}

/** Whether all ids of an extent are in another one. */
export function isInside(one: Extent, other: Extent): boolean {
  return partsOf(one).every(part => partsOf(other).some(({low, high}) => part.low >= low && part.high <= high))
}

/** Widens an extent to whole kinds. Triples that are stored later seldom leave it. */
export function kindExtent(extent: Extent): Extent {
  const parts = partsOf(extent).map(({low, high}) => ({low: wholeKind(low).first, high: wholeKind(high).end - 1n}))
  return hullOf(parts) ?? extent
}

/** An extent without its gap: one range of ids, or two. */
export function partsOf({low, high, gap}: Extent): readonly Extent[] {
  return gap === undefined
    ? [{low, high}]
    : [
        {low, high: gap.first - 1n},
        {low: gap.end, high},
      ]
}

/** Whether an id of an extent may be in a range. */
export function reaches(extent: Extent, first: bigint, end: bigint): boolean {
  return partsOf(extent).some(({low, high}) => low < end && high >= first)
}

/** Whether an id of an extent may be an inline literal of a kind. */
export function mayBeOfKind(extent: Extent | undefined, kind: bigint): boolean {
  return extent === undefined || reaches(extent, firstOfKind(kind), endOfKind(kind))
}

/** Whether an id of an extent may be a dictionary literal of a class. */
export function mayBeOfClass(extent: Extent | undefined, number: bigint): boolean {
  return extent === undefined || reaches(extent, firstOfClass(number), firstOfClass(number + 1n))
}

/** The ids of the kind or class of an id, or of its range of nodes. */
function wholeKind(id: bigint): {readonly first: bigint; readonly end: bigint} {
  if (id < 0n) return {first: firstOfKind(kindOfInline(id)), end: endOfKind(kindOfInline(id))}
  const length = id < firstLiteralId ? kindSize : classSize
  const first = (id / length) * length
  return {first, end: first + length}
}

/** The extent of ids of which each is in one of the extents; undefined if there is none, or one is unknown. */
export function hullOf(extents: readonly (Extent | undefined)[]): Extent | undefined {
  if (extents.length === 0) return undefined
  return extents.reduce((hull, extent) => {
    if (hull === undefined || extent === undefined) return undefined
    return {
      low: hull.low < extent.low ? hull.low : extent.low,
      high: hull.high > extent.high ? hull.high : extent.high,
      ...gapOf([...partsOf(hull), ...partsOf(extent)]),
      ...(hull.isTested === true || extent.isTested === true ? {isTested: true} : {}),
    }
  })
}

/** The ids between the inline literals and the other terms of some ranges. */
function gapOf(parts: readonly Extent[]): Pick<Extent, 'gap'> {
  const [inline, others] = [parts.filter(({high}) => high < 0n), parts.filter(({low}) => low >= 0n)]
  if (inline.length === 0 || others.length === 0 || inline.length + others.length < parts.length) return {}
  const first = inline.reduce((end, {high}) => (high >= end ? high + 1n : end), firstOfKind(0n))
  return {gap: {first, end: others.reduce((least, {low}) => (low < least ? low : least), lastId)}}
}

/** The extent of constant ids; undefined if one of them is not inline: it may be of a term that is not stored. */
export function inlineExtent(ids: readonly Scalar[]): Extent | undefined {
  const extents = ids.map(id => {
    const value = id.kind === 'number' ? BigInt(id.value) : 0n
    return value < 0n ? {low: value, high: value} : undefined
  })
  return hullOf(extents)
}

/** The non-negative inline xsd:integers. The id of n is `low + n * step`. */
export const integers: Extent & {readonly step: bigint} = {
  low: inlineId(inlineKinds.integer, 0n),
  high: inlineId(inlineKinds.integer, limitOfKind(inlineKinds.integer) - 1n),
  step: 2n ** BigInt(formBitsOfKind(inlineKinds.integer)),
}

/** The inline kind of all ids of an extent; undefined if they have no common one. */
export function inlineKind(extent: Extent | undefined): bigint | undefined {
  if (extent === undefined || extent.high >= 0n) return undefined
  const kind = kindOfInline(extent.low)
  return kind === kindOfInline(extent.high) ? kind : undefined
}

/**
 * How many low bits distinguish only forms of one value; undefined if the ids do not have the order of ORDER BY. Dates
 * do not: their ids are ordered by day before time zone.
 */
export function formBitsOf(extent: Extent | undefined): number | undefined {
  const kind = inlineKind(extent)
  return kind === undefined || kind === inlineKinds.date ? undefined : formBitsOfKind(kind)
}

/** Whether ORDER BY needs only the texts: all terms are IRIs, or all simple literals, or all have a language tag. */
export function isText(extent: Extent | undefined): boolean {
  if (extent === undefined) return false
  const {low, high} = extent
  if (low >= 0n && high < firstBlankNodeId) return true
  return [literalClasses.string, literalClasses.langString].some(
    number => low >= firstOfClass(number) && high < firstOfClass(number + 1n),
  )
}

/** Whether all terms are simple literals of the dictionary or have a language tag. */
export function areTexts(extent: Extent | undefined): boolean {
  return (
    extent !== undefined && extent.low >= firstLiteralId && extent.high < firstOfClass(literalClasses.langString + 1n)
  )
}

/** Whether all terms are strings of the dictionary: all are simple literals, or all have a language tag. */
export function areStrings(extent: Extent | undefined): boolean {
  return isText(extent) && (extent?.low ?? 0n) >= firstLiteralId
}

/** Whether all terms are literals without a value in ORDER BY, as years, whose texts give their order. */
export function isWithoutValue(extent: Extent | undefined): boolean {
  return extent !== undefined && extent.low >= firstOfClass(literalClasses.other)
}

/** Whether no two terms have the same text: all are nodes, or all are simple literals. */
export function hasOwnTexts(extent: Extent | undefined): boolean {
  return isNodes(extent) || (isText(extent) && (extent?.high ?? 0n) < firstOfClass(literalClasses.langString))
}

/** IRIs and blank nodes: the extent of subjects. */
export const nodes: Extent = {low: 0n, high: firstAfterNodes - 1n}

/** IRIs: the extent of predicates and graph names. */
export const iris: Extent = {low: 0n, high: firstBlankNodeId - 1n}

/** All ids of stored terms: the extent of objects of which no more is known. */
export const everyTerm: Extent = {low: firstOfKind(0n), high: lastId}

/** The extent of the objects of a variable predicate. */
export const objectsOfAny: Extent = {...everyTerm, isOfAny: true}

/** The condition that an id lies in a range. @param end  the first id after the range */
export function isWithin(id: Scalar, first: bigint, end: bigint): Scalar {
  return all([operator('>=', id, number(first)), operator('<', id, number(end))])
}

/** The condition of the index on objects: nodes. PostgreSQL uses the index only for queries that repeat it. */
export function isIndexedObject(id: Scalar): Scalar {
  return all([operator('>=', id, number(1)), operator('<=', id, number(nodes.high))])
}

/** The condition that an id is an inline literal of a kind. */
export function isOfKind(id: Scalar, kind: bigint): Scalar {
  return isWithin(id, firstOfKind(kind), endOfKind(kind))
}

/** The condition that an id is a dictionary literal of a class. */
export function isOfClass(id: Scalar, number: bigint): Scalar {
  return isWithin(id, firstOfClass(number), firstOfClass(number + 1n))
}

/** The condition that an id belongs to a constant of the query that is not stored. */
export function isOwn(id: Scalar): Scalar {
  return any([isWithin(id, firstOwnIri, firstBlankNodeId), isWithin(id, firstOwnLiteral, firstAfterOwnLiterals)])
}

/** Whether all ids are of IRIs or blank nodes. */
export function isNodes(extent: Extent | undefined): boolean {
  return extent !== undefined && extent.low >= nodes.low && extent.high <= nodes.high
}

/** Whether the dictionary holds all terms of an extent: all are IRIs, or all are dictionary literals. */
export function isStored(extent: Extent | undefined): boolean {
  if (extent === undefined) return false
  return (extent.low >= 0n && extent.high < firstBlankNodeId) || extent.low >= firstLiteralId
}

/** Whether an id may be an inline literal. */
export function mayBeInline(extent: Extent | undefined): boolean {
  return extent === undefined || extent.low < 0n
}
