/**
 * Reads all triples of a document, with the entity tag of the same state.
 *
 * The triples of a large document are packed as they arrive, because only worker threads use them.
 */
import {readDocument, streamDocument} from '../db/store/document-reads.ts'
import {type PackedTriples, packPiece} from '../rdf/packed-triples.ts'
import type {Iri, Triple} from '../rdf/term.ts'
import type {Dataset} from './context.ts'

export type WholeDocument = {readonly etag: string; readonly triples: readonly Triple[] | PackedTriples}

/**
 * Reads a document for a write. The connection comes from the share for writes, not from that for long answers.
 *
 * @returns  undefined if there is no such document
 */
export async function readWhole({session}: Pick<Dataset, 'session'>, iri: Iri): Promise<WholeDocument | undefined> {
  const state = await readDocument(session, iri)
  if (state === undefined || state.triples !== undefined)
    return state?.triples === undefined ? undefined : {etag: state.etag, triples: state.triples}
  return streamDocument(session, iri, {share: 'write'}, async (current, batches) => {
    if (current === undefined) return undefined
    const triples: PackedTriples[number][] = []
    for await (const batch of batches) triples.push(packPiece(batch))
    return {etag: current.etag, triples}
  })
}
