/**
 * What a write tells a client beside the document: which stored labels its blank nodes were given.
 *
 * Floor 4. Pure. Sources: decisions, 9; client-wire-facts, "JSON-LD the SDK reads: response metadata".
 */
import {setImmediate as macrotask} from 'node:timers/promises'
import {createSlices} from '../base/slices.ts'
import type {Written} from '../db/document-writes.ts'
import {isAnonymousLabel} from '../format/registry.ts'
import {type BlankNode, blankNode, type Iri, namedNode, type Quad, quad, type Term} from '../rdf/term.ts'
import {type PlatformVocabulary, rdf} from '../rdf/vocabulary.ts'

/** Labels whose metadata are made at once; the answer of a write with more of them is streamed. */
export const metadataAtOnce = 10_000

/** The labels that the client wrote and the service changed: as sent, as stored. */
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
 * The metadata as free nodes, outside every graph.
 *
 * @param labels  as `renamedLabels` gives them; none gives no quads
 */
export function responseMetadata(
  document: Iri,
  labels: ReadonlyMap<string, string>,
  platform: PlatformVocabulary,
): readonly Quad[] {
  return labels.size === 0 ? [] : [...metadataQuads(document, labels, platform)]
}

/** The same in batches that are grouped by subject; where it takes long, other work has its turn in between. */
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

/** What no label of the client begins with: its nodes stand beside those of the metadata. */
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
