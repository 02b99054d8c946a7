/**
 * Writes a named graph: replaces or extends the graph of a document, or creates the document.
 *
 * No lock is held between the look-up of the graph's status and the write. If another request creates or deletes the
 * document in between, the write fails, and the status is looked up again.
 * Sources: SPARQL 1.1 Graph Store HTTP Protocol §5.3, §5.5; docs/interface.md, Graph store.
 */
import {Problem} from '../base/problem.ts'
import {addTriples, putGraph, type Written} from '../db/store/document-writes.ts'
import {type GraphStatus, graphToWrite} from '../db/store/graph-status.ts'
import type {WriteConditions} from '../db/store/session.ts'
import {parentOf} from '../rdf/iri.ts'
import type {Iri} from '../rdf/term.ts'
import type {Dataset} from './context.ts'
import {noDocument} from './no-document.ts'
import {createAt, readAfterPreconditions, type WriteBody} from './write.ts'

export type GraphWrite = {
  readonly body: WriteBody
  readonly isAddition: boolean // add the triples; if not, replace the graph
  readonly status: WritableStatus // of the graph, as looked up before
}

export type WritableStatus = Exclude<GraphStatus, 'raw'>

export type StoredGraph = Written & {readonly isCreated: boolean}

const tries = 3

/**
 * Writes a graph.
 *
 * @throws  Problem 404 `document-exists`, `parent-exists` · 412 `etag-mismatch` · 409 `reserved-free`,
 *          `containment-kept`, `document-iri-free` · 422 `graph-own`, `graph-known`, `membership-shape` · what the
 *          format's parser throws
 */
export async function storeGraph(
  dataset: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  {status: first, ...write}: GraphWrite,
): Promise<StoredGraph> {
  let status: GraphStatus = first
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (status !== 'free') return {isCreated: false, ...(await change(dataset, iri, conditions, write))}
      return {isCreated: true, ...(await create(dataset, iri, conditions, write))}
    } catch (error) {
      if (attempt === tries || !isOvertaken(error, status)) throw error
      status = await graphToWrite(dataset.session, iri)
    }
  }
}

type Write = Omit<GraphWrite, 'status'>

function change(
  dataset: Dataset,
  iri: Iri,
  conditions: WriteConditions,
  {body: {isReturning, ...body}, isAddition}: Write,
): Promise<Written> {
  const {session, base, platform, bodies} = dataset
  const task = {context: {document: iri, base, platform}, ...body}
  const write = isAddition ? addTriples : putGraph
  return readAfterPreconditions(dataset, iri, conditions, async () =>
    write(session, iri, conditions, {triples: await bodies.readReplacement(task), isReturning}),
  )
}

/** Throws Problem 404 `document-exists` if the request has If-Match, which needs an existing document. */
function create(dataset: Dataset, iri: Iri, {ifMatch}: WriteConditions, {body}: Write): Promise<Written> {
  if (ifMatch !== undefined) throw noDocument(iri)
  return createAt(dataset, parentOf(iri, dataset.base) ?? dataset.base, iri, body)
}

/** Whether the write failed because another request has created or deleted the document since the look-up. */
function isOvertaken(error: unknown, status: GraphStatus): boolean {
  return error instanceof Problem && error.rule === (status === 'free' ? 'document-iri-free' : 'document-exists')
}
