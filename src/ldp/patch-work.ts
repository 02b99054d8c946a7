/**
 * A patch applied to a document's triples: the changes that the store is asked to make.
 *
 * Floor 4. Pure.
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

/** @throws  what `applyPatch` throws, and as `checkAdded` */
export function changesOf({patch, triples, context, stepLimit}: PatchInput): Changes {
  const {removed, added, missed} = applyPatch(triples, patch, stepLimit)
  checkAdded(added, context)
  return {removed: [...removed, ...missed.filter(isNamed)], added} // memberships of children are not in the graph
}

function isNamed({subject, object}: Triple): boolean {
  return subject.termType !== 'BlankNode' && object.termType !== 'BlankNode'
}
