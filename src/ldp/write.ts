/**
 * Documents created and replaced from a body: its graph read against the document's IRI, checked, stored in one call.
 *
 * Floor 4. Sources: interface, endpoints 1 and 3; decisions, "order of checks".
 */
import {Problem} from '../base/problem.ts'
import type {Written} from '../db/document-writes.ts'
import type {GraphToWrite} from '../db/graph-codec.ts'
import type {WriteConditions} from '../db/session.ts'
import type {Iri} from '../rdf/term.ts'
import type {BodyTask} from './body-work.ts'
import type {Dataset} from './dataset.ts'
import {mintChild} from './mint.ts'

export type WriteBody = Pick<BodyTask, 'bytes' | 'mediaType' | 'caller'> & {
  readonly isReturning: boolean // the answer wants the stored graph
  readonly model: Iri | undefined // the interaction model that the request names
}

export type Created = Written & {readonly iri: Iri}

const mintTries = 3

/**
 * Creates a child of a document.
 *
 * @param slug  one clean path segment; undefined mints a random one
 * @throws      Problem 404 `parent-exists` (also when the body is unusable) · 409 `document-iri-free`, `reserved-free`,
 *              `containment-kept` · 422 `graph-own`, `membership-shape`, `access-point-relation`, `access-point-place`
 *              · what the reader of the body throws
 */
export async function createChild(
  dataset: Dataset,
  parent: Iri,
  slug: string | undefined,
  body: WriteBody,
): Promise<Created> {
  for (let attempt = 1; ; attempt += 1) {
    const iri = mintChild(parent, slug)
    try {
      return {iri, ...(await createAt(dataset, parent, iri, body))}
    } catch (error) {
      if (!(error instanceof Problem) || error.rule !== 'document-iri-free') throw error
      if (slug === undefined && attempt < mintTries) continue
      throw new Problem(409, 'document-iri-free', `There is a document <${iri}> already`, {
        members: {existing: iri},
        cause: error,
      })
    }
  }
}

async function createAt(dataset: Dataset, parent: Iri, iri: Iri, body: WriteBody): Promise<Written> {
  const {store, base, platform, bodies} = dataset
  const {isReturning, ...task} = body
  try {
    const context = {document: iri, base, platform}
    const {isAccessPoint, graph} = await bodies.readNew({...task, context, parent})
    return isAccessPoint
      ? await store.createAccessPoint(iri, parent, {triples: graph, isReturning})
      : await store.createDocument(iri, parent, {triples: graph, isReturning})
  } catch (error) {
    if (isRefusedBody(error) && !(await store.hasDocument(parent))) throw missingParent(parent)
    throw error
  }
}

/** 404 for a POST to nothing. */
export function missingParent(parent: Iri): Problem {
  return new Problem(404, 'parent-exists', `There is no document <${parent}> to create a child in.`)
}

/**
 * Replaces a document's graph.
 *
 * The preconditions are compared inside the write's transaction; when the body turns out unusable, they are checked
 * then, so that the failure reported is the one that comes first.
 *
 * @param readGraph  the graph, checked
 * @throws  Problem 404 `document-exists` · 412 `etag-mismatch`, `reserved-kept` · 409 `containment-kept`,
 *          `reserved-free` · 422 `graph-own` · what `readGraph` throws
 */
export function replaceDocument(
  dataset: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  {readGraph, isReturning}: {readonly readGraph: () => Promise<GraphToWrite>; readonly isReturning: boolean},
): Promise<Written> {
  return readAfterPreconditions(dataset, iri, conditions, async () =>
    dataset.store.replaceDocument(iri, conditions, {triples: await readGraph(), isReturning}),
  )
}

/**
 * Makes sense of a body; when that fails, the document's existence and the preconditions have the first word.
 *
 * @throws  what `work` throws, unless the document is missing (404) or its state is not the expected one (412)
 */
export async function readAfterPreconditions<Result>(
  {store}: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (isRefusedBody(error)) await store.checkPrecondition(iri, conditions)
    throw error
  }
}

/** Whether a write failed by its body, before the store was asked. */
function isRefusedBody(error: unknown): error is Problem {
  return error instanceof Problem && error.cause === undefined && [400, 409, 422].includes(error.status)
}
