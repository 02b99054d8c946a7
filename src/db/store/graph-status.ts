/**
 * What the named graphs of the Graph Store Protocol are.
 *
 * The SQL functions are in sql/functions/document/graph_store.sql.
 */
import type {Iri} from '../../rdf/term.ts'
import {ask, askReader, callAsCaller} from './call.ts'
import type {Session} from './session.ts'

/** A document; a raw graph, which can only be read; or the IRI of a document that can be created. */
export type GraphStatus = 'document' | 'raw' | 'free'

/**
 * What the graph is that a request writes to.
 *
 * @throws  Problem 422 `graph-known`, 404 `parent-exists`, `document-exists`, 400 `segment-usable`, 409
 *          `document-iri-free`; 403 `access-granted`, 401 `authentication-required`
 */
export async function graphToWrite(session: Session, iri: Iri): Promise<GraphStatus> {
  const call = callAsCaller(session, 'graph_to_write', [iri])
  const text = `select g.status from ${call.from} as g (status)`
  const [row] = await ask<{readonly status: GraphStatus}>(session, 'read', {text, ...call})
  if (row === undefined) throw new Error('graph_to_write gave no row')
  return row.status
}

/** Whether there is a raw graph with this IRI that the caller may read. */
export async function hasRawGraph(session: Session, iri: Iri): Promise<boolean> {
  const call = callAsCaller(session, 'has_raw_graph', [iri])
  const text = `select g.found from ${call.from} as g (found)`
  const isFound = (row?: {readonly found: boolean}) => row?.found === true
  return isFound(await askReader<{readonly found: boolean}>(session, {text, ...call}, isFound))
}
