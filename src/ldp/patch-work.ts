/**
 * Applies a patch to a document's triples and returns the changes for the store to make.
 *
 * Pure.
 */
import {applyPatch} from '../ldpatch/apply.ts'
import type {Changes, Patch} from '../ldpatch/patch.ts'
import type {Triple} from '../rdf/term.ts'
import {checkAdded, type ReservedContext} from './reserved.ts'

export type PatchInput = {
  readonly patch: Patch
  readonly triples: readonly Triple[] // of the document
  readonly context: ReservedContext
  readonly stepLimit?: number
}

/** @throws  what `applyPatch` and `checkAdded` throw */
export function changesOf({patch, triples, context, stepLimit}: PatchInput): Changes {
  const {removed, added, missed} = applyPatch(triples, patch, stepLimit)
  checkAdded(added, context)
  // Memberships of children are derived, so they are missing from `triples`: the store removes them all the same.
  return {removed: [...removed, ...missed.filter(isNamed)], added}
}

function isNamed({subject, object}: Triple): boolean {
  return subject.termType !== 'BlankNode' && object.termType !== 'BlankNode'
}
