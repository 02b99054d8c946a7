/**
 * Writes the c:ResponseMetadata of a write: which blank node labels of the body were stored under other labels.
 *
 * Pure. Sources: docs/interface.md, Prefer; decision 0007.
 */
import {setImmediate as macrotask} from 'node:timers/promises'
import {createSlices} from '../base/slices.ts'
import type {Written} from '../db/store/document-writes.ts'
import {isAnonymousLabel} from '../format/registry.ts'
import {type BlankNode, blankNode, type Iri, namedNode, type Quad, quad, type Term} from '../rdf/term.ts'
import {type PlatformVocabulary, rdf} from '../rdf/vocabulary.ts'

/** Up to this many labels, the metadata are written in one piece; beyond it, the response is streamed. */
export const metadataAtOnce = 10_000

/** The labels that the client wrote and the service changed, to the stored ones. */
export async function renamedLabels({labels}: Pick<Written, 'labels'>): Promise<ReadonlyMap<string, string>> {
  const slices = createSlices()
  const renamed = new Map<string, string>()
  for (const [sent, stored] of labels) {
    if (!isAnonymousLabel(sent) && sent !== stored) renamed.set(sent, stored)
    if (slices.isOver()) await slices.pause()
  }
  return renamed
}

/**
 * The metadata, as blank nodes in the default graph.
 *
 * @param labels  result of `renamedLabels`
 * @returns       no quads if there are no labels
 */
export function responseMetadata(
  document: Iri,
  labels: ReadonlyMap<string, string>,
  platform: PlatformVocabulary,
): readonly Quad[] {
  return labels.size === 0 ? [] : [...metadataQuads(document, labels, platform)]
}

/** The same quads in batches, in the same order, grouped by subject. Yields to the event loop between batches. */
export async function* metadataInBatches(
  ...[document, labels, platform]: Parameters<typeof responseMetadata>
): AsyncGenerator<readonly Quad[]> {
  let batch: Quad[] = []
  for (const quad of metadataQuads(document, labels, platform)) {
    batch.push(quad)
    if (batch.length < batchQuads) continue
    yield batch
    batch = []
    await macrotask()
  }
  yield batch
}

const batchQuads = 1_000

function* metadataQuads(...[document, labels, platform]: Parameters<typeof responseMetadata>): Generator<Quad> {
  const prefix = freePrefix(labels.keys())
  const [response, metadata, map] = [
    blankNode(`${prefix}-response`),
    blankNode(`${prefix}-document`),
    blankNode(`${prefix}-labels`),
  ]
  const entryAt = (index: number) => blankNode(`${prefix}-entry-${index + 1}`)
  const say = (subject: BlankNode, property: Iri, object: Term) => quad(subject, namedNode(property), object)
  yield say(response, rdf.type, namedNode(platform.VolatileResource))
  yield say(response, rdf.type, namedNode(platform.ResponseMetadata))
  yield say(response, platform.documentMetadata, metadata)
  yield say(metadata, rdf.type, namedNode(platform.VolatileResource))
  yield say(metadata, rdf.type, namedNode(platform.DocumentMetadata))
  yield say(metadata, platform.relatedDocument, namedNode(document))
  yield say(metadata, platform.bNodesMap, map)
  yield say(map, rdf.type, namedNode(platform.Map))
  for (let index = 0; index < labels.size; index += 1) yield say(map, platform.entry, entryAt(index))
  let index = 0
  for (const [sent, stored] of labels) {
    const entry = entryAt(index++)
    yield say(entry, platform.entryKey, blankNode(sent))
    yield say(entry, platform.entryValue, blankNode(stored))
  }
}

/** A prefix for the labels of the metadata that no label of the client has. */
function freePrefix(labels: Iterable<string>): string {
  const taken = new Set<string>()
  let isFree = true
  for (const label of labels) {
    if (!label.startsWith('metadata')) continue
    isFree = false
    const [, number] = /^metadata-(\d{1,9})-/.exec(label) ?? []
    if (number !== undefined) taken.add(number)
  }
  if (isFree) return 'metadata'
  let number = 1
  while (taken.has(String(number))) number += 1
  return `metadata-${number}`
}
