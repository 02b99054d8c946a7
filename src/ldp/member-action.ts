/**
 * Reads the body of a member action: whether it adds or removes, and which members.
 *
 * Pure. Source: docs/interface.md, Members.
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import type {Iri, Quad, Term} from '../rdf/term.ts'
import {type PlatformVocabulary, rdf} from '../rdf/vocabulary.ts'
import {triplesFor} from './body-graph.ts'

export type MemberAction<M = readonly Iri[]> = {readonly kind: 'add' | 'remove'; readonly members: M}

/**
 * Finds the member action in a body.
 *
 * @param document  the target of the request, an access point or document; the action is in its graph or in the
 *                  default graph
 * @returns         undefined if the body has none
 * @throws          Problem 422 `member-action-shape`, `graph-own`
 */
export function readMemberAction(
  quads: readonly Quad[],
  document: Iri,
  platform: PlatformVocabulary,
): MemberAction | undefined {
  const kinds = new Map([
    [platform.AddMemberAction, 'add'],
    [platform.RemoveMemberAction, 'remove'],
  ] as const)
  const isType = ({predicate, object}: Pick<Quad, 'predicate' | 'object'>) =>
    predicate.value === rdf.type && kinds.has(object.value)
  if (!quads.some(isType)) return undefined

  const triples = triplesFor(document, quads)
  const actions = new Set(triples.filter(isType).map(({subject}) => subject.value))
  const asked = new Set(triples.filter(isType).map(({object}) => kinds.get(object.value)))
  const [kind] = asked
  if (kind === undefined || asked.size > 1) throw shape('it both adds and removes')
  const targets = triples.filter(
    ({subject, predicate}) => actions.has(subject.value) && predicate.value === platform.targetMember,
  )
  if (targets.length === 0) throw shape(`it has no <${platform.targetMember}>`)
  return {kind, members: [...new Set(targets.map(({object}) => memberOf(object)))]}
}

function memberOf(object: Term): Iri {
  if (object.termType === 'NamedNode') return object.value
  throw shape(`a member must be an IRI, got "${excerpt(object.value)}"`)
}

/** @returns  Problem 422 `member-action-shape` */
export function shape(reason: string): Problem {
  return new Problem(422, 'member-action-shape', `The member action is not valid: ${reason}`)
}
