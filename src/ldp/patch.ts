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
import {applyPatch} from '../ldpatch/apply.ts'
import {groundChanges} from '../ldpatch/ground.ts'
import type {Patch} from '../ldpatch/patch.ts'
import {parsePatch} from '../ldpatch/syntax.ts'
import type {Iri, Term, Triple} from '../rdf/term.ts'
import type {Dataset} from './dataset.ts'
import {readWhole} from './read-whole.ts'
import {checkAdded} from './reserved.ts'

export type PatchBody = {
  readonly text: string
  readonly isReturning: boolean // the answer wants the stored graph
}

const tries = 2 // before nobody else may write

/**
 * Patches a document.
 *
 * @throws  Problem 404 `document-exists` · 412 `etag-mismatch` · 409 `reserved-free`, `containment-kept` · 422
 *          `membership-shape` · what `parsePatch` and `applyPatch` throw
 */
export async function patchDocument(
  dataset: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  {text, isReturning}: PatchBody,
): Promise<Written> {
  const {store} = dataset
  const {patch, ground} = await first(dataset, iri, conditions, () => readPatch(dataset, iri, text))
  if (ground !== undefined)
    return withNewLabels(await store.patchDocument(iri, conditions, {...ground, isReturning}), ground.added)
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
  {patch, isReturning}: {readonly patch: Patch; readonly isReturning: boolean},
): Promise<Written> {
  const {etag, changes} = await workOut(dataset, iri, conditions, patch)
  const only = {...conditions, ifMatch: [etag]}
  return withNewLabels(await dataset.store.patchDocument(iri, only, {...changes, isReturning}), changes.added)
}

function readPatch({base, platform}: Dataset, iri: Iri, text: string) {
  const patch = parsePatch(text, {base: iri})
  const ground = groundChanges(patch)
  if (ground !== undefined) checkAdded(ground.added, {document: iri, base, platform})
  return {patch, ground}
}

/** Only labels that were put in stand for nodes; one that was only to be taken out names nothing. */
function withNewLabels(written: Written, added: readonly Triple[]): Written {
  const put = new Set(added.flatMap(({subject, object}) => [subject, object].filter(isBlank).map(({value}) => value)))
  return {...written, labels: new Map([...written.labels].filter(([sent]) => put.has(sent)))}
}

function isBlank({termType}: Term): boolean {
  return termType === 'BlankNode'
}

function isNamed({subject, object}: Triple): boolean {
  return !isBlank(subject) && !isBlank(object)
}

/** What the patch comes to on the document as it is now. */
async function workOut(dataset: Dataset, iri: Iri, conditions: WriteConditions, patch: Patch) {
  const whole = await readWhole(dataset, iri)
  if (whole === undefined) throw new Problem(404, 'document-exists', `There is no document <${iri}>.`)
  const {etag, triples} = whole
  if (isPinned(conditions) && conditions.ifMatch?.includes(etag) !== true)
    await dataset.store.checkPrecondition(iri, conditions)
  const changes = await first(dataset, iri, conditions, () => {
    const {removed, added, missed} = applyPatch(triples, patch)
    checkAdded(added, {document: iri, base: dataset.base, platform: dataset.platform})
    return {removed: [...removed, ...missed.filter(isNamed)], added} // memberships of children are not in the graph
  })
  return {etag, changes}
}

/** Does what may fail by the patch; when it fails by the document's state as well, that is the failure to report. */
async function first<Result>(
  {store}: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  work: () => Result,
): Promise<Result> {
  try {
    return work()
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
