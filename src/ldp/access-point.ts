/**
 * Recognizes the body of a new access point and checks it.
 *
 * Pure. Older clients send no type, only the interaction model and the relation.
 * Sources: docs/interface.md, Access points; decision 0013.
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import type {Iri, Triple} from '../rdf/term.ts'
import {ldp, rdf} from '../rdf/vocabulary.ts'
import {checkNew, type ReservedContext} from './reserved.ts'

/**
 * Whether a body describes an access point.
 *
 * It does if it has the type c:AccessPoint. It also does if it has ldp:hasMemberRelation, and either the type
 * ldp:DirectContainer or the interaction model ldp:RDFSource.
 *
 * @param model  the interaction model of the request
 */
export function isAccessPoint(triples: readonly Triple[], context: ReservedContext, model: Iri | undefined): boolean {
  const own = ownTriples(triples, context)
  const hasType = (type: Iri) =>
    own.some(({predicate, object}) => predicate.value === rdf.type && object.value === type)
  if (hasType(context.platform.AccessPoint)) return true
  const hasRelation = own.some(({predicate}) => predicate.value === ldp.hasMemberRelation)
  return hasRelation && (hasType(ldp.DirectContainer) || model === ldp.RDFSource)
}

/**
 * Checks the body of a new access point.
 *
 * @param container  the document that the access point belongs to; it has the members
 * @throws           Problem 422 `access-point-relation`, `membership-shape` · 409 `reserved-free`, `containment-kept`
 */
export function checkNewAccessPoint(triples: readonly Triple[], context: ReservedContext, container: Iri): void {
  const relations = ownTriples(triples, context).filter(({predicate}) => predicate.value === ldp.hasMemberRelation)
  if (relations.length === 0) {
    const message = `An access point needs <${ldp.hasMemberRelation}>, under which its members are recorded`
    throw new Problem(422, 'access-point-relation', message)
  }
  const literal = relations.find(({object}) => object.termType !== 'NamedNode')
  if (literal !== undefined) {
    const message = `<${ldp.hasMemberRelation}> must be an IRI, got "${excerpt(literal.object.value)}"`
    throw new Problem(422, 'access-point-relation', message)
  }
  checkNew(triples, context, container)
}

function ownTriples(triples: readonly Triple[], {document}: ReservedContext): readonly Triple[] {
  return triples.filter(({subject}) => subject.termType === 'NamedNode' && subject.value === document)
}
