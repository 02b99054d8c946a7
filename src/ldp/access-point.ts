/**
 * What makes a new document an access point, and what it must then say.
 *
 * Floor 4. Pure. Sources: interface, "Access point" and endpoint 7; client-wire-facts §8 ("interaction model for
 * creating an access point") and §10, examples 15, 16 and 30: older clients name no type, only the model and the
 * relation.
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import type {Iri, Triple} from '../rdf/term.ts'
import {ldp, rdf} from '../rdf/vocabulary.ts'
import {checkNew, type ReservedContext} from './reserved.ts'

/**
 * Whether a body describes an access point: by its type c:AccessPoint; by its type ldp:DirectContainer, or by the
 * interaction model ldp:RDFSource, together with ldp:hasMemberRelation.
 *
 * @param model  the interaction model the request names
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
 * @throws Problem 422 `access-point-relation` · 409 `reserved-free`, `containment-kept` · 422 `membership-shape`
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
