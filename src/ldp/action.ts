/**
 * Checks the preferences of a write, and decides what a DELETE deletes.
 *
 * Pure. A proxy may drop Prefer headers, which could turn a small deletion into a large one. A DELETE of children or
 * members must therefore come with all preferences that the interface asks for; otherwise nothing is deleted.
 * Sources: docs/interface.md, Prefer, Members and Deleting; decision 0012.
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import type {Preferences} from '../http/prefer.ts'
import {ldp, type PlatformVocabulary} from '../rdf/vocabulary.ts'

export type DeleteAction = 'document' | 'children' | 'selected-members' | 'all-members'

/**
 * Checks the preferences of a write.
 *
 * @throws Problem 400 `interaction-model-known`, and `preference-known` under handling=strict
 */
export function checkWritePreferences({model, handling, unknown}: Preferences): void {
  if (model !== undefined && model !== ldp.Container && model !== ldp.RDFSource) {
    const message = `The interaction model <${excerpt(model)}> is neither <${ldp.RDFSource}> nor <${ldp.Container}>`
    throw new Problem(400, 'interaction-model-known', message)
  }
  checkStrictness({handling, unknown})
}

/** @throws Problem 400 `preference-known`: handling=strict and a preference that is unknown or malformed */
export function checkStrictness({handling, unknown}: Pick<Preferences, 'handling' | 'unknown'>): void {
  const [first] = unknown
  if (handling !== 'strict' || first === undefined) return
  throw new Problem(
    400,
    'preference-known',
    `The preference "${excerpt(first)}" is not understood, and handling is strict`,
  )
}

/**
 * Decides what a DELETE deletes.
 *
 * @param hasBody  whether the request announces a body; only the deletion of selected members has one
 * @throws         Problem 400 `delete-scope`: the preferences do not match exactly one kind of deletion, or there is a
 *                 body where none belongs
 */
export function deleteAction(preferences: Preferences, platform: PlatformVocabulary, hasBody: boolean): DeleteAction {
  const {model, include, omit} = preferences
  const scopes = [
    ['children', platform.PreferContainmentResources, [platform.PreferContainer, platform.PreferMembershipTriples]],
    ['selected-members', platform.PreferSelectedMembershipTriples, [platform.PreferMembershipTriples]],
    ['all-members', platform.PreferMembershipTriples, []],
  ] as const
  const asked = scopes.filter(([, preference]) => include.has(preference))
  const isScoped =
    asked.length > 0 || scopes.some(([, preference, needed]) => [preference, ...needed].some(p => omit.has(p)))

  if (model !== ldp.Container && !isScoped) {
    if (hasBody) throw scope('a DELETE of a document has no body; did the Prefer headers of a member action get lost?')
    return 'document'
  }
  const [only, ...others] = asked
  if (model !== ldp.Container) throw scope('the include and omit preferences need the interaction model ldp:Container')
  if (only === undefined || others.length > 0)
    throw scope(`one of ${names(scopes)} must be included, got ${asked.length}`)
  const [action, , needed] = only
  const missing = needed.filter(preference => !omit.has(preference))
  if (missing.length > 0) throw scope(`${missing.map(iri => `<${iri}>`).join(', ')} must be omitted along with it`)
  if (action !== 'selected-members' && hasBody) throw scope('only the removal of selected members has a body')
  return action
}

function names(scopes: readonly (readonly [string, string, readonly string[]])[]): string {
  return scopes.map(([, preference]) => `<${preference}>`).join(', ')
}

function scope(reason: string): Problem {
  return new Problem(400, 'delete-scope', `It is not clear what to delete, so nothing was deleted: ${reason}`)
}

/**
 * Reads the Depth header of a DELETE.
 *
 * @returns  whether to delete children too; true unless the value is `0`
 * @throws   Problem 400 `depth-known`
 */
export function isDeep(depth: string | undefined): boolean {
  const value = depth?.trim().toLowerCase()
  if (value === undefined || value === 'infinity') return true
  if (value === '0') return false
  throw new Problem(400, 'depth-known', `Depth must be 0 or infinity, got "${excerpt(depth ?? '')}"`)
}
