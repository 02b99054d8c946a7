/**
 * A filter DATATYPE(?x) = <iri> as ranges of ids, which an index on (predicate, object) can serve.
 *
 * Inline literals of a kind lie together, and low bits tell the datatypes of a kind apart (rdf/inline.ts);
 * the dictionary's literals lie together by class (functions/30_term.sql). Only whether the filter is true counts here.
 */
import {packLiteral} from '../../../rdf/inline.ts'
import {literal} from '../../../rdf/term.ts'
import {firstLiteralId} from '../../../rdf/term-id.ts'
import {rdf, xsd, xsdNamespace} from '../../../rdf/vocabulary.ts'
import {firstAfterOwnLiterals, firstOwnLiteral} from '../../analyse/constants.ts'
import {firstOfClass, firstOfKind} from '../extent.ts'
import {all, any, call, equal, number, operator, type Scalar, text} from '../relation.ts'

/** Forms of which each inline kind packs one, for every datatype that it has. */
const forms = ['true', '1', '-1', '2000-01-01', '2000-01-01T00:00:00', '2000-01-01T00:00:00Z']

/** Bits that tell the datatypes of an inline kind apart. */
const masks: ReadonlyMap<bigint, bigint> = new Map([
  [1n, 15n],
  [2n, 24n],
])

/** @param generic  the test of the datatype's key, if there are literals of the query's own, whose ids say nothing */
export function datatypeTest(id: Scalar, iri: string, generic: Scalar | undefined): Scalar {
  const inline = typicalIds(iri).map(typical => {
    const kind = (typical - firstOfKind(0n)) >> 60n
    const range = between(id, firstOfKind(kind), firstOfKind(kind + 1n) - 1n)
    const mask = masks.get(kind)
    if (mask === undefined) return range
    return all([range, equal(call('int8and', id, number(mask)), number(BigInt.asUintN(60, typical) & mask))])
  })
  const own = generic === undefined ? [] : [all([between(id, firstOwnLiteral, firstAfterOwnLiterals - 1n), generic])]
  return any([...inline, stored(id, iri), ...own])
}

/** An id of each inline kind that has the datatype. */
function typicalIds(iri: string): readonly bigint[] {
  const ids = forms.flatMap(form => packLiteral(literal(form, iri)) ?? [])
  return [...new Map(ids.map(id => [id >> 60n, id])).values()]
}

function stored(id: Scalar, iri: string): Scalar {
  if (iri === xsd.string) return between(id, firstLiteralId, firstOwnLiteral - 1n)
  if (iri === rdf.langString) return between(id, firstOfClass(1n), firstOfClass(2n) - 1n)
  const [low, high] = iri.startsWith(xsdNamespace) ? [2n, 7n] : [6n, 7n]
  const datatype: Scalar = {kind: 'stored', id, part: 'datatype'}
  return all([between(id, firstOfClass(low), firstOfClass(high) - 1n), equal(datatype, text(`I${iri}`))])
}

function between(id: Scalar, low: bigint, high: bigint): Scalar {
  return all([operator('>=', id, number(low)), operator('<=', id, number(high))])
}
