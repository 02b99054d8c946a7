/**
 * Documents created and replaced from a body: its graph read against the document's IRI, checked, stored in one call.
 *
 * Floor 4. Sources: interface, endpoints 1 and 3; decisions, "order of checks".
 */
import {Problem} from '../base/problem.ts'
import type {WriteConditions, Written} from '../db/documents.ts'
import type {Iri, Quad} from '../rdf/term.ts'
import {triplesFor} from './body-graph.ts'
import type {Dataset} from './dataset.ts'
import {mintChild} from './mint.ts'
import {checkNewDocument, checkReplacement} from './reserved.ts'

export type WriteBody = {
  readonly parse: (base: Iri) => Promise<readonly Quad[]> // the body's quads, relative IRIs resolved against the base
  readonly isReturning: boolean // the answer wants the stored graph
}

export type Created = Written & {readonly iri: Iri}

const mintTries = 3

/**
 * Creates a child of a document.
 *
 * @param slug  one clean path segment; undefined mints a random one
 * @throws      Problem 404 `parent-exists` (also when the body is unusable) · 409 `document-iri-free`, `reserved-free`,
 *              `containment-kept` · 422 `graph-own`, `membership-shape` · what `parse` throws
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
      throw new Problem(409, error.rule, `There is a document <${iri}> already`, {
        members: {existing: iri},
        cause: error,
      })
    }
  }
}

async function createAt(dataset: Dataset, parent: Iri, iri: Iri, {parse, isReturning}: WriteBody): Promise<Written> {
  const {store, base, platform} = dataset
  try {
    const triples = triplesFor(iri, await parse(iri))
    checkNewDocument(triples, {document: iri, base, platform})
    return await store.createDocument(iri, parent, {triples, isReturning})
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
 * The preconditions are compared inside the write's transaction; when the body turns out unusable, they are checked then, so
 * that the failure reported is the one that comes first.
 *
 * @throws  Problem 404 `document-exists` · 412 `etag-mismatch`, `reserved-kept` · 409 `containment-kept`, `reserved-free`
 *          · 422 `graph-own` · what `parse` throws
 */
export async function replaceDocument(
  {store, base, platform}: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  {parse, isReturning}: WriteBody,
): Promise<Written> {
  try {
    const triples = triplesFor(iri, await parse(iri))
    checkReplacement(triples, {document: iri, base, platform})
    return await store.replaceDocument(iri, conditions, {triples, isReturning})
  } catch (error) {
    if (isRefusedBody(error)) await store.checkPrecondition(iri, conditions)
    throw error
  }
}

/** Whether a write failed by its body, before the store was asked. */
function isRefusedBody(error: unknown): error is Problem {
  return error instanceof Problem && error.cause === undefined && [400, 409, 422].includes(error.status)
}
