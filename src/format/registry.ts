/**
 * The list of RDF formats. Code outside this folder reads and writes RDF through it.
 *
 * A new format is a row in formats.ts, a row of code here, and its own files.
 * Source: docs/interface.md, Formats (which formats are read and written, and the alias types).
 */
import {createSlices} from '../base/slices.ts'
import type {Quad} from '../rdf/term.ts'
import {createBinaryWriter} from './binary-write.ts'

export {isAnonymousLabel} from './body-terms.ts'
export {decodeBody} from './body-text.ts'

import {type FormatId, formatFacts, type ReadableId} from './formats.ts'
import {groupQuads, sharedLabelsOf} from './grouping.ts'
import {readJsonLd} from './jsonld-read.ts'
import {createJsonLdWriter} from './jsonld-write.ts'
import {readNQuads, readNTriples, readTrig, readTurtle} from './n3-read.ts'
import {createNQuadsWriter, createNTriplesWriter} from './ntriples-write.ts'
import {createRdfJsonWriter} from './rdfjson-write.ts'
import {readRdfXml} from './rdfxml-read.ts'
import {createRdfXmlPrinter, createRdfXmlWriter} from './rdfxml-write.ts'
import {createTrixWriter} from './trix-write.ts'
import {createTurtlePrinter, createTurtleWriter} from './turtle-write.ts'
import type {Format, Parse, WriterOptions} from './types.ts'

const turtle = {
  createWriter: (options: WriterOptions) => createTurtleWriter('merged', options),
  createPrinter: (_: readonly Quad[], options: WriterOptions) => createTurtlePrinter('merged', options),
}

const trig = {
  createWriter: (options: WriterOptions) => createTurtleWriter('kept', options),
  createPrinter: (_: readonly Quad[], options: WriterOptions) => createTurtlePrinter('kept', options),
}

/** The code of each format. Those that are readable need a reader. */
const codecs: {readonly [Id in FormatId]: Codec<Id>} = {
  turtle: {parse: readTurtle, ...turtle},
  'json-ld': {parse: readJsonLd, createWriter: createJsonLdWriter},
  trig: {parse: readTrig, ...trig},
  'rdf-xml': {parse: readRdfXml, createWriter: createRdfXmlWriter, createPrinter: createRdfXmlPrinter},
  'n-triples': {parse: readNTriples, createWriter: createNTriplesWriter},
  'n-quads': {parse: readNQuads, createWriter: createNQuadsWriter},
  binary: {createWriter: createBinaryWriter},
  trix: {createWriter: createTrixWriter},
  'rdf-json': {createWriter: createRdfJsonWriter},
  n3: turtle,
}

type Codec<Id extends FormatId> = Pick<Format, 'createWriter' | 'createPrinter'> &
  (Id extends ReadableId ? {readonly parse: Parse} : {readonly parse?: never})

export const formats: readonly Format[] = formatFacts.map(facts => ({...facts, ...codecs[facts.id]}))

export function parserOf(id: ReadableId): Parse {
  return codecs[id].parse
}

/** The format of a Content-Type or a media type, regardless of parameters and case. */
export function formatOfMediaType(type: string): Format | undefined {
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase()
  return formats.find(format => format.mediaTypes.includes(essence))
}

/**
 * Writes a document that is in memory.
 *
 * @param quads  in any order
 * @returns      bytes for a binary format, otherwise text
 * @throws       Problem 406 `rdfxml-predicate` | `xml-character`: the format cannot express the document
 */
export function serialise(format: Format, quads: Iterable<Quad>, options: WriterOptions = {}): string | Uint8Array {
  const {grouped, writer, join} = documentWriter(format, [...quads], options)
  return join([...grouped.map(quad => writer.write(quad)), writer.end()])
}

/** Does the same in slices of time, between which other work can run. Throws what `serialise` throws. */
export async function serialiseInSlices(
  format: Format,
  quads: readonly Quad[],
  options: WriterOptions = {},
): Promise<string | Uint8Array> {
  const slices = createSlices()
  const {grouped, writer, join} = documentWriter(format, quads, options)
  const chunks: (string | Uint8Array)[] = []
  for (const quad of grouped) {
    if (slices.isOver()) await slices.pause()
    chunks.push(writer.write(quad))
  }
  return join([...chunks, writer.end()])
}

function documentWriter(format: Format, quads: readonly Quad[], options: WriterOptions) {
  const grouped = groupQuads(quads, format.hasGraphs ? 'kept' : 'merged')
  const all = format.hasGraphs ? {...options, sharedLabels: sharedLabelsOf(grouped)} : options
  const printer = format.createPrinter?.(grouped, all)
  const join = (chunks: readonly (string | Uint8Array)[]) => printer?.whole(chunks.join('')) ?? joinChunks(chunks)
  return {grouped, writer: printer ?? format.createWriter(all), join}
}

function joinChunks(chunks: readonly (string | Uint8Array)[]): string | Uint8Array {
  const bytes = chunks.filter(chunk => typeof chunk !== 'string')
  return bytes.length > 0 ? Buffer.concat(bytes) : chunks.join('')
}

const everyLabel = {has: () => true}

/**
 * Writes batches of quads in any order, in memory for one batch.
 *
 * Quads of one subject in several batches become several nodes. Lists are explicit, because their cells may come in a
 * later batch. Not for a format that `isWhole`.
 */
export async function* serialiseBatches(
  format: Format,
  batches: AsyncIterable<readonly Quad[]>,
  options: WriterOptions = {},
): AsyncIterable<string | Uint8Array> {
  const writer = format.createWriter({...options, sharedLabels: everyLabel})
  for await (const quads of batches) {
    const chunks = groupQuads(quads, format.hasGraphs ? 'kept' : 'merged').map(quad => writer.write(quad))
    if (chunks.some(chunk => typeof chunk !== 'string')) yield* chunks
    else yield chunks.join('')
  }
  yield writer.end()
}
