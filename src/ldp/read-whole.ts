/**
 * A document's triples, however many, with the entity tag of the same state.
 *
 * Floor 4. Those of a large document are packed as they come: they are looked at by another thread only.
 */
import {type PackedTriples, packPiece} from '../rdf/packed-triples.ts'
import type {Iri, Triple} from '../rdf/term.ts'
import type {Dataset} from './dataset.ts'

export type WholeDocument = {readonly etag: string; readonly triples: readonly Triple[] | PackedTriples}

/**
 * Reads it for a write, which needs all of it: a large one takes a place of writes, not one of long answers.
 *
 * @returns  undefined when there is no such document
 */
export async function readWhole({store}: Pick<Dataset, 'store'>, iri: Iri): Promise<WholeDocument | undefined> {
  const state = await store.readDocument(iri)
  if (state === undefined || state.triples !== undefined)
    return state?.triples === undefined ? undefined : {etag: state.etag, triples: state.triples}
  return store.streamDocument(iri, {share: 'write'}, async (current, batches) => {
    if (current === undefined) return undefined
    const triples: PackedTriples[number][] = []
    for await (const batch of batches) triples.push(packPiece(batch))
    return {etag: current.etag, triples}
  })
}
