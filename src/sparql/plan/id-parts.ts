/**
 * Parts of terms by their ids: the key, the text and what the dictionary stores. The parts of inline literals follow
 * from the id, those of other stored terms from the dictionary, and those of constants that are not stored from their
 * keys.
 *
 * Pure.
 */
import {firstAfterNodes, firstBlankNodeId, labelPrefix} from '../../rdf/id-layout.ts'
import {blankNodeKey} from '../../rdf/term-key.ts'
import {type Extent, isOwn, isStored, isWithin, mayBeInline} from './extent.ts'
import {call, number, type OwnTerms, operator, type Scalar, type StoredPart, text} from './relation.ts'

type HasOwn = {readonly local: OwnTerms} // the constants of the query that are not stored

/** The key of the term with an id. */
export function keyOfId(planner: HasOwn, id: Scalar, extent?: Extent): Scalar {
  if (isStored(extent)) return {kind: 'stored', id, part: 'key'}
  if (extent !== undefined && extent.high < 0n) return call('sparql_inline_key', id)
  const blank = operator(
    '||',
    text(blankNodeKey(labelPrefix)),
    call('text', operator('-', id, number(firstBlankNodeId))),
  )
  const isBlank = isWithin(id, firstBlankNodeId, firstAfterNodes)
  return {
    kind: 'case',
    branches: [
      ...(mayBeInline(extent) ? [[operator('<', id, number(0)), call('sparql_inline_key', id)] as const] : []),
      [isBlank, blank],
      ...(mayBeOwn(planner, extent) ? [[isOwn(id), ownKey(id, planner.local)] as const] : []),
    ],
    otherwise: {kind: 'stored', id, part: 'key'},
  }
}

function ownKey(id: Scalar, own: OwnTerms): Scalar {
  return {kind: 'ownKey', own, id}
}

/** Whether an id may be of a constant that is not stored. An extent implies that all terms are stored. */
export function mayBeOwn({local}: HasOwn, extent: Extent | undefined): boolean {
  return local.keys.length > 0 && extent === undefined
}

/** An id and, if it is known, the extent of its column. */
type Identified = {readonly scalar: Scalar; readonly extent?: Extent | undefined}

/** A part of a dictionary term, by its id. For a constant that is not stored, `ofKey` computes it from the key. */
export function partOfId(
  planner: HasOwn,
  {scalar: id, extent}: Identified,
  part: StoredPart,
  ofKey: (key: Scalar) => Scalar,
): Scalar {
  const stored: Scalar = {kind: 'stored', id, part}
  if (!mayBeOwn(planner, extent)) return stored
  return {kind: 'case', branches: [[isOwn(id), ofKey(ownKey(id, planner.local))]], otherwise: stored}
}

/** STR of the term with an id; null for blank nodes. */
export function lexOfId(planner: HasOwn, id: Scalar, extent?: Extent): Scalar {
  const inline = call('sparql_inline_lex', id)
  if (extent !== undefined && extent.high < 0n) return inline
  const held = {scalar: id, extent}
  const stored = partOfId(planner, held, 'text', key => call('sparql_lex', key))
  return ofInline(held, inline, stored)
}

/** `inline` for the ids of inline literals, otherwise `stored`. */
export function ofInline({scalar: id, extent}: Identified, inline: Scalar, stored: Scalar): Scalar {
  if (!mayBeInline(extent)) return stored
  return {kind: 'case', branches: [[operator('<', id, number(0)), inline]], otherwise: stored}
}

/** What a choice of `ofInline` is for ids that are not inline; undefined for other choices. */
export function storedIn({branches, otherwise}: Extract<Scalar, {kind: 'case'}>): Scalar | undefined {
  const [[test] = [], ...others] = branches
  const [operation, bound] = test?.kind === 'operator' ? [test.operator, test.right] : []
  const isInline = operation === '<' && bound?.kind === 'number' && bound.value === '0'
  return isInline && others.length === 0 ? otherwise : undefined
}
