/**
 * Checks what a body says about properties that only the service may set.
 *
 * Pure. A new document may repeat the types and the ldp:membershipResource that the service gives it. The function
 * `require_reserved` (sql/functions/document/document.sql) checks that a PUT keeps the stored values.
 * Sources: docs/interface.md, Documents, Creating and Replacing.
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
 * @throws Problem 409 `reserved-free`: a value that only the service may set · 409 `containment-kept` · 422
 *         `membership-shape`
 */
export function checkNewDocument(triples: readonly Triple[], context: ReservedContext): void {
  checkNew(triples, context, context.document)
}

/**
 * Checks the body of a new document or access point.
 *
 * @param membershipResource  the document that has the members: the new one, or the container of an access point
 * @throws                    as `checkNewDocument`
 */
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
 * Checks the body of a PUT as far as that is possible without the stored document.
 *
 * @throws as `checkNewDocument`
 */
export function checkReplacement(triples: readonly Triple[], context: ReservedContext): void {
  checkMembership(ownTriples(triples, context), ldp.isMemberOfRelation)
  checkAdded(triples, context)
}

function ownTriples(triples: readonly Triple[], {document}: ReservedContext): readonly Triple[] {
  return triples.filter(({subject}) => subject.value === document && subject.termType === 'NamedNode')
}

/**
 * Checks the triples that any body or patch adds, whatever their subjects.
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

/** Refuses a membership relation that is a property of the service: members are added and removed under it. */
function checkRelation(
  property: Iri,
  relation: string,
  {created, modified, accessPoint, ...other}: PlatformVocabulary,
) {
  const {contains, membershipResource, hasMemberRelation, isMemberOfRelation, insertedContentRelation} = ldp
  const ofMembership = [membershipResource, hasMemberRelation, isMemberOfRelation, insertedContentRelation]
  const kept: readonly Iri[] = [created, modified, accessPoint, other.checksum, other.document, rdf.type, contains]
  if (!kept.includes(relation) && !ofMembership.some(each => each === relation)) return
  const message = `<${property}> cannot be <${relation}>, whose values the service sets itself`
  throw new Problem(422, 'membership-shape', message)
}

/** Checks that a property of membership has at most one value, an IRI. */
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
    `ldp:contains is set by the service: create <${excerpt(child)}> by a POST to its parent`,
  )
}
