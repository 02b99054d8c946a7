/**
 * Turns a filter DATATYPE(?x) = <iri> into ranges of ids, which an index on (predicate, object) can serve.
 *
 * The ids of each kind of inline literal form one range, whose low bits contain the datatype (rdf/id-layout.ts). So do
 * the ids of each class of dictionary literals (sql/functions/term/term.sql), but their datatype is in the dictionary.
 * A filter treats errors like false, so the SQL need not distinguish the two.
 */

import {
  datatypeBitsOf,
  endOfKind,
  firstAfterOwnLiterals,
  firstLiteralId,
  firstOfClass,
  firstOfKind,
  firstOwnLiteral,
  kindOfInline,
  literalClass,
  literalClasses,
} from '../../../rdf/id-layout.ts'
import {packLiteral} from '../../../rdf/inline.ts'
import {literal} from '../../../rdf/term.ts'
import {iriKey} from '../../../rdf/term-key.ts'
import {rdf, xsd} from '../../../rdf/vocabulary.ts'
import {all, any, call, equal, number, operator, type Scalar, text} from '../relation.ts'

/**
 * Lexical forms of which at least one can be packed for each inline kind of a datatype: for dateTimes, those of the
 * first and the last of their kinds, which are adjacent.
 */
const forms = [['true', '1', '-1', '2000-01-01', '2000-01-01T00:00:00Z', '2000-01-01T00:00:00.000000'], ['0.1234567']]

/** @param generic  the test by key, if the query has literals of its own, whose ids do not contain the datatype */
export function datatypeTest(id: Scalar, iri: string, generic: Scalar | undefined): Scalar {
  const inline = forms.flatMap(some => inlineTest(id, iri, some) ?? [])
  const own = generic === undefined ? [] : [all([between(id, firstOwnLiteral, firstAfterOwnLiterals - 1n), generic])]
  return any([...inline, stored(id, iri), ...own])
}

/** The condition that a term is an inline literal of a datatype, of the kinds of some forms; undefined for no form. */
function inlineTest(id: Scalar, iri: string, some: readonly string[]): Scalar | undefined {
  const ids = some.flatMap(form => packLiteral(literal(form, iri)) ?? [])
  const [first, last] = [ids[0], ids.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const range = between(id, firstOfKind(kindOfInline(first)), endOfKind(kindOfInline(last)) - 1n)
  const mask = datatypeBitsOf(first)
  return mask === undefined ? range : all([range, equal(call('int8and', id, number(mask)), number(first & mask))])
}

const {langString} = literalClasses

function stored(id: Scalar, iri: string): Scalar {
  if (iri === xsd.string) return between(id, firstLiteralId, firstOwnLiteral - 1n)
  if (iri === rdf.langString) return between(id, firstOfClass(langString), firstOfClass(langString + 1n) - 1n)
  const number = literalClass(literal('', iri))
  const datatype: Scalar = {kind: 'stored', id, part: 'datatype'}
  return all([between(id, firstOfClass(number), firstOfClass(number + 1n) - 1n), equal(datatype, text(iriKey(iri)))])
}

function between(id: Scalar, low: bigint, high: bigint): Scalar {
  return all([operator('>=', id, number(low)), operator('<=', id, number(high))])
}
