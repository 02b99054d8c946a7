/**
 * Changes a document by a patch.
 *
 * If the changes do not depend on the document, this takes one round trip. Otherwise it reads the document, applies
 * the patch as a pure function, and writes the changes. It holds no lock in between: the write compares the entity tag
 * that was read. If other writers interfere twice, the third attempt holds the document locked.
 * Source: docs/interface.md, Patching.
 */
import {Problem} from '../base/problem.ts'
import {checkPrecondition} from '../db/store/document-reads.ts'
import {patchDocument, type Written} from '../db/store/document-writes.ts'
import {holdDocument} from '../db/store/hold-document.ts'
import type {WriteConditions} from '../db/store/session.ts'
import type {Iri} from '../rdf/term.ts'
import type {PatchToApply} from './bodies.ts'
import type {PatchTask} from './body-work.ts'
import type {Dataset} from './context.ts'
import {noDocument} from './no-document.ts'
import {readWhole} from './read-whole.ts'

export type PatchBody = Pick<PatchTask, 'bytes' | 'caller'> & {
  readonly isReturning: boolean // return the stored graph
}

const tries = 2 // attempts without a lock

/**
 * Patches a document.
 *
 * @throws  Problem 404 `document-exists` · 412 `etag-mismatch` · 409 `reserved-free`, `containment-kept` · 422
 *          `membership-shape` · what `parsePatch` and `applyPatch` throw, `body-work`
 */
export async function patchGraph(
  dataset: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  {isReturning, ...body}: PatchBody,
): Promise<Written> {
  const {session, bodies, base, platform} = dataset
  const task = {context: {document: iri, base, platform}, ...body}
  const patch = await first(dataset, iri, conditions, () => bodies.readPatch(task))
  if (patch.ground !== undefined) return patchDocument(session, iri, conditions, {changes: patch.ground, isReturning})
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    try {
      return await readAndWrite(dataset, iri, conditions, {patch, isReturning})
    } catch (error) {
      if (!isMismatch(error) || isPinned(conditions)) throw error
    }
  }
  return holdDocument(session, iri, held =>
    readAndWrite({...dataset, session: held}, iri, conditions, {patch, isReturning}),
  )
}

/** @throws Problem 412 `etag-mismatch`, also if somebody writes between the read and the write */
async function readAndWrite(
  dataset: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  {patch, isReturning}: {readonly patch: PatchToApply; readonly isReturning: boolean},
): Promise<Written> {
  const {etag, changes} = await workOut(dataset, iri, conditions, patch)
  const only = {...conditions, ifMatch: [etag]}
  return patchDocument(dataset.session, iri, only, {changes, isReturning})
}

/** Reads the document and computes the changes that the patch makes to it. */
async function workOut(dataset: Dataset, iri: Iri, conditions: WriteConditions, patch: PatchToApply) {
  const whole = await readWhole(dataset, iri)
  if (whole === undefined) throw noDocument(iri)
  const {etag, triples} = whole
  if (isPinned(conditions) && conditions.ifMatch?.includes(etag) !== true)
    await checkPrecondition(dataset.session, iri, conditions)
  const changes = await first(dataset, iri, conditions, () => patch.apply(triples))
  return {etag, changes}
}

/**
 * Runs work that may reject the patch. If it does, and the document is missing or a precondition fails as well, throws
 * that error instead: it comes first in the order of checks (decision 0010).
 */
async function first<Result>(
  {session}: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) await checkPrecondition(session, iri, conditions)
    throw error
  }
}

/** Whether If-Match names entity tags. Then there is no point in another attempt on a newer state. */
function isPinned({ifMatch}: WriteConditions): boolean {
  return ifMatch !== undefined && !ifMatch.includes('*')
}

function isMismatch(error: unknown): boolean {
  return error instanceof Problem && error.rule === 'etag-mismatch'
}
