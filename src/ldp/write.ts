/**
 * Creates and replaces documents: reads the body, checks it, and stores its graph in one call.
 *
 * Sources: docs/interface.md, Creating and Replacing; decision 0010.
 */
import {randomInt} from 'node:crypto'
import {Problem} from '../base/problem.ts'
import {checkPrecondition, hasDocument, requireFreeIri} from '../db/store/document-reads.ts'
import {createAccessPoint, createDocument, replaceDocument, type Written} from '../db/store/document-writes.ts'
import type {GraphToWrite} from '../db/store/graph-codec.ts'
import type {WriteConditions} from '../db/store/session.ts'
import {parentOf} from '../rdf/iri.ts'
import type {Iri} from '../rdf/term.ts'
import type {BodyTask} from './body-work.ts'
import type {Dataset} from './context.ts'
import {checkRequestedTypes} from './requested-types.ts'

export type WriteBody = Pick<BodyTask, 'bytes' | 'mediaType' | 'caller'> & {
  readonly isReturning: boolean // return the stored graph
  readonly model: Iri | undefined // the interaction model of the request
  readonly types?: readonly Iri[] // of LDP, which the request asks for in Link
}

export type Created = Written & {readonly iri: Iri}

const mintTries = 3
const randomLimit = 2 ** 48 - 1 // the largest range that randomInt accepts

/**
 * Creates a child of a document.
 *
 * @param slug  one valid path segment; undefined: a random one
 * @throws      Problem 404 `parent-exists`, also if the body is invalid · 409 `document-iri-free`, `reserved-free`,
 *              `containment-kept` · 422 `graph-own`, `membership-shape`, `access-point-relation`, `access-point-place`
 *              `interaction-model-available` · what `bodies.readNew` throws
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

/**
 * Creates a document with a given IRI, for which `requireFreeIri` found no obstacle.
 *
 * @throws  as `createChild`; Problem 412 `etag-mismatch` if another request has created the document since
 */
export async function createHere(dataset: Dataset, iri: Iri, body: WriteBody): Promise<Written> {
  const {session, base} = dataset
  try {
    return await createAt(dataset, parentOf(iri, base) ?? base, iri, body)
  } catch (error) {
    if (error instanceof Problem && error.rule === 'document-iri-free') await requireFreeIri(session, iri)
    throw error
  }
}

/** Creates a document with a given IRI. Throws as `createChild`. */
export async function createAt(dataset: Dataset, parent: Iri, iri: Iri, body: WriteBody): Promise<Written> {
  const {session, base, platform, bodies} = dataset
  const {isReturning, types = [], ...task} = body
  try {
    const context = {document: iri, base, platform}
    const {isAccessPoint, graph} = await bodies.readNew({context, parent, ...task})
    checkRequestedTypes(types, isAccessPoint)
    return isAccessPoint
      ? await createAccessPoint(session, iri, parent, {triples: graph, isReturning})
      : await createDocument(session, iri, parent, {triples: graph, isReturning})
  } catch (error) {
    if (isRefusedBody(error) && !(await hasDocument(session, parent))) throw missingParent(parent)
    throw error
  }
}

/** @returns  Problem 404 `parent-exists` */
export function missingParent(parent: Iri): Problem {
  return new Problem(404, 'parent-exists', `There is no document <${parent}> to create a child in.`)
}

/**
 * Replaces a document's graph.
 *
 * The transaction that writes compares the preconditions. If the body is invalid, they are compared as well, because
 * they come first in the order of checks (decision 0010).
 *
 * @param readGraph  reads and checks the graph
 * @throws  Problem 404 `document-exists` · 412 `etag-mismatch`, `reserved-kept` · 409 `containment-kept`,
 *          `reserved-free` · 422 `graph-own` · what `readGraph` throws
 */
export function replaceGraph(
  dataset: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  {readGraph, isReturning}: {readonly readGraph: () => Promise<GraphToWrite>; readonly isReturning: boolean},
): Promise<Written> {
  return readAfterPreconditions(dataset, iri, conditions, async () =>
    replaceDocument(dataset.session, iri, conditions, {triples: await readGraph(), isReturning}),
  )
}

/**
 * Runs work that reads a body. If the body is invalid, a missing document or a failed precondition takes precedence.
 *
 * @throws  Problem 404 `document-exists` · 412 `etag-mismatch` · what `work` throws
 */
export async function readAfterPreconditions<Result>(
  {session}: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (isRefusedBody(error)) await checkPrecondition(session, iri, conditions)
    throw error
  }
}

/** Whether a write failed because of its body, before the store was called. */
function isRefusedBody(error: unknown): error is Problem {
  return error instanceof Problem && error.cause === undefined && [400, 409, 422].includes(error.status)
}

/**
 * The IRI of a new document: a proposal. The store's constraint `document-iri-free` rejects one that is taken.
 *
 * @param slug  one valid path segment (http/slug.ts); undefined: a random number
 */
function mintChild(parent: Iri, slug: string | undefined): Iri {
  return `${parent}${slug ?? randomInt(randomLimit)}/`
}
