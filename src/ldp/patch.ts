/**
 * A document changed by a patch: one round trip when the patch names all it changes, a read and a write otherwise.
 *
 * Floor 4. The patch is a pure function between the two; the entity tag read is the one compared by the write, so no
 * lock is held while it is worked out, but for a document that others keep writing.
 * Sources: interface, endpoint 4; decisions, rows "LD Patch …".
 */
import {Problem} from '../base/problem.ts'
import type {Written} from '../db/document-writes.ts'
import type {WriteConditions} from '../db/session.ts'
import type {Iri} from '../rdf/term.ts'
import type {PatchToApply} from './bodies.ts'
import type {PatchTask} from './body-work.ts'
import type {Dataset} from './dataset.ts'
import {readWhole} from './read-whole.ts'

export type PatchBody = Pick<PatchTask, 'bytes' | 'caller'> & {
  readonly isReturning: boolean // the answer wants the stored graph
}

const tries = 2 // before nobody else may write

/**
 * Patches a document.
 *
 * @throws  Problem 404 `document-exists` · 412 `etag-mismatch` · 409 `reserved-free`, `containment-kept` · 422
 *          `membership-shape` · what `parsePatch` and `applyPatch` throw, `body-work`
 */
export async function patchDocument(
  dataset: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  {isReturning, ...body}: PatchBody,
): Promise<Written> {
  const {store, bodies, base, platform} = dataset
  const task = {...body, context: {document: iri, base, platform}}
  const patch = await first(dataset, iri, conditions, () => bodies.readPatch(task))
  if (patch.ground !== undefined) return store.patchDocument(iri, conditions, {changes: patch.ground, isReturning})
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    try {
      return await readAndWrite(dataset, iri, conditions, {patch, isReturning})
    } catch (error) {
      if (!isMismatch(error) || isPinned(conditions)) throw error
    }
  }
  return store.holdDocument(iri, held => readAndWrite({...dataset, store: held}, iri, conditions, {patch, isReturning}))
}

/** @throws Problem 412 `etag-mismatch` also when somebody writes between the read and the write */
async function readAndWrite(
  dataset: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  {patch, isReturning}: {readonly patch: PatchToApply; readonly isReturning: boolean},
): Promise<Written> {
  const {etag, changes} = await workOut(dataset, iri, conditions, patch)
  const only = {...conditions, ifMatch: [etag]}
  return dataset.store.patchDocument(iri, only, {changes, isReturning})
}

/** What the patch comes to on the document as it is now. */
async function workOut(dataset: Dataset, iri: Iri, conditions: WriteConditions, patch: PatchToApply) {
  const whole = await readWhole(dataset, iri)
  if (whole === undefined) throw new Problem(404, 'document-exists', `There is no document <${iri}>.`)
  const {etag, triples} = whole
  if (isPinned(conditions) && conditions.ifMatch?.includes(etag) !== true)
    await dataset.store.checkPrecondition(iri, conditions)
  const changes = await first(dataset, iri, conditions, () => patch.apply(triples))
  return {etag, changes}
}

/** Does what may fail by the patch; when it fails by the document's state as well, that is the failure to report. */
async function first<Result>(
  {store}: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) await store.checkPrecondition(iri, conditions)
    throw error
  }
}

/** Whether the client asks for one certain state, so that there is nothing to try again. */
function isPinned({ifMatch}: WriteConditions): boolean {
  return ifMatch !== undefined && !ifMatch.includes('*')
}

function isMismatch(error: unknown): boolean {
  return error instanceof Problem && error.rule === 'etag-mismatch'
}
