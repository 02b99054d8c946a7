/**
 * Reads the body of a member action: whether it adds or removes, and which members.
 *
 * Pure. Source: docs/interface.md, Members.
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import type {Iri, Quad, Term} from '../rdf/term.ts'
import {type PlatformVocabulary, rdf} from '../rdf/vocabulary.ts'

export type MemberAction<M = readonly Iri[]> = {readonly kind: 'add' | 'remove'; readonly members: M}

/**
 * Finds the member action in a body, in any graph: an action is an instruction and is not stored.
 *
 * @returns  undefined if the body has none
 * @throws   Problem 422 `member-action-shape`
 */
export function readMemberAction(quads: readonly Quad[], platform: PlatformVocabulary): MemberAction | undefined {
  const kinds = new Map([
    [platform.AddMemberAction, 'add'],
    [platform.RemoveMemberAction, 'remove'],
  ] as const)
  const isType = ({predicate, object}: Pick<Quad, 'predicate' | 'object'>) =>
    predicate.value === rdf.type && kinds.has(object.value)
  if (!quads.some(isType)) return undefined

  const types = quads.filter(isType)
  const actions = new Set(types.map(({subject}) => subject.value))
  const asked = new Set(types.map(({object}) => kinds.get(object.value)))
  const [kind] = asked
  if (kind === undefined || asked.size > 1) throw shape('it both adds and removes')
  const targets = quads.filter(
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
