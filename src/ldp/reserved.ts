/**
 * What a body may say of the properties that belong to the service.
 *
 * Floor 4. Pure. Equal values and the service's own types pass in silence; what a PUT must keep is compared with the
 * store, in sql/functions/60_document.sql (require_reserved).
 * Sources: interface, "Document" (fields) and endpoint 3; decisions, rows "POST body sets c:created…" and
 * "ldp:contains".
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {isUnder} from '../rdf/iri.ts'
import type {Iri, Triple} from '../rdf/term.ts'
import {ldp, type PlatformVocabulary, rdf} from '../rdf/vocabulary.ts'

export type ReservedContext = {readonly document: Iri; readonly base: Iri; readonly platform: PlatformVocabulary}

/**
 * Checks the body of a new document.
 *
 * @throws Problem 409 `reserved-free`: a value only the service can give · 409 `containment-kept` · 422
 *         `membership-shape`
 */
export function checkNewDocument(triples: readonly Triple[], context: ReservedContext): void {
  checkNew(triples, context, context.document)
}

/** The same for a new document of any kind, whose members belong to `membershipResource`. */
export function checkNew(triples: readonly Triple[], context: ReservedContext, membershipResource: Iri): void {
  const {platform} = context
  const own = ownTriples(triples, context)
  for (const {predicate, object} of own) {
    const {value: property} = predicate
    if (property === platform.created || property === platform.modified || property === platform.accessPoint)
      throw reserved(property, `is set by the service; got ${excerpt(object.value)}`)
    if (property === ldp.membershipResource && object.value !== membershipResource)
      throw reserved(property, `must be <${membershipResource}> here; got <${excerpt(object.value)}>`)
    if (property === ldp.contains) throw containment(object.value)
  }
  checkMembership(own, ldp.hasMemberRelation)
  checkMembership(own, ldp.isMemberOfRelation)
  checkMembership(own, ldp.insertedContentRelation)
  checkAdded(triples, context)
}

/**
 * Checks of a PUT's body what can be told without the store.
 *
 * @throws as checkNewDocument
 */
export function checkReplacement(triples: readonly Triple[], context: ReservedContext): void {
  checkMembership(ownTriples(triples, context), ldp.isMemberOfRelation)
  checkAdded(triples, context)
}

function ownTriples(triples: readonly Triple[], {document}: ReservedContext): readonly Triple[] {
  return triples.filter(({subject}) => subject.value === document && subject.termType === 'NamedNode')
}

/**
 * What no body and no patch may say, of whatever subject.
 *
 * @throws Problem 409 `reserved-free`, `containment-kept` · 422 `membership-shape`
 */
export function checkAdded(triples: readonly Triple[], {document, base, platform}: ReservedContext): void {
  for (const {subject, predicate, object} of triples) {
    const {value: property} = predicate
    if (property === platform.checksum || property === platform.document)
      throw reserved(property, 'is generated for query results and cannot be stored')
    if (property === ldp.contains && subject.value !== document && isUnder(subject.value, base))
      throw containment(object.value)
    if ((property === ldp.hasMemberRelation || property === ldp.isMemberOfRelation) && subject.value === document)
      checkRelation(property, object.value, platform)
  }
}

/** Members are written and removed under a relation: it cannot be what the service says of documents. */
function checkRelation(
  property: Iri,
  relation: string,
  {created, modified, accessPoint, ...other}: PlatformVocabulary,
) {
  const {contains, membershipResource, hasMemberRelation, isMemberOfRelation, insertedContentRelation} = ldp
  const ofMembership = [membershipResource, hasMemberRelation, isMemberOfRelation, insertedContentRelation]
  const kept: readonly Iri[] = [created, modified, accessPoint, other.checksum, other.document, rdf.type, contains]
  if (!kept.includes(relation) && !ofMembership.some(each => each === relation)) return
  const message = `<${property}> cannot be <${relation}>, of which the service itself says the values`
  throw new Problem(422, 'membership-shape', message)
}

/** A document's membership relations are IRIs, one of each. */
function checkMembership(own: readonly Triple[], property: Iri): void {
  const values = own.filter(({predicate}) => predicate.value === property).map(({object}) => object)
  const [value] = values
  if (value === undefined) return
  if (values.some(({value: other}) => other !== value.value))
    throw new Problem(422, 'membership-shape', `<${property}> can have one value, got ${values.length}`)
  if (value.termType !== 'NamedNode')
    throw new Problem(422, 'membership-shape', `<${property}> must be an IRI, got "${excerpt(value.value)}"`)
}

function reserved(property: Iri, sentence: string): Problem {
  return new Problem(409, 'reserved-free', `<${property}> ${sentence}`, {members: {reservedProperties: [{property}]}})
}

function containment(child: string): Problem {
  return new Problem(
    409,
    'containment-kept',
    `ldp:contains is the service's to say: <${excerpt(child)}> becomes a child by being created in its parent`,
  )
}
