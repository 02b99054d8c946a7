/**
 * The list of RDF formats. Code outside this folder reads and writes RDF through it.
 *
 * A new format is one row here and its own files.
 * Source: docs/interface.md, Formats (which formats are read and written, and the alias types).
 */
import {createSlices} from '../base/slices.ts'
import type {Quad} from '../rdf/term.ts'
import {createBinaryWriter} from './binary-write.ts'

export {isAnonymousLabel} from './body-terms.ts'
export {decodeBody} from './body-text.ts'

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
import type {Format, WriterOptions} from './types.ts'

const turtle = {
  createWriter: (options: WriterOptions) => createTurtleWriter('merged', options),
  createPrinter: (_: readonly Quad[], options: WriterOptions) => createTurtlePrinter('merged', options),
}

const trig = {
  createWriter: (options: WriterOptions) => createTurtleWriter('kept', options),
  createPrinter: (_: readonly Quad[], options: WriterOptions) => createTurtlePrinter('kept', options),
}

export const formats: readonly Format[] = [
  {
    id: 'turtle',
    mediaTypes: ['text/turtle', 'application/turtle'],
    hasGraphs: false,
    charset: true,
    parse: readTurtle,
    ...turtle,
  },
  {
    id: 'json-ld',
    mediaTypes: ['application/ld+json'],
    hasGraphs: true,
    charset: false,
    parse: readJsonLd,
    createWriter: createJsonLdWriter,
  },
  {id: 'trig', mediaTypes: ['application/trig'], hasGraphs: true, charset: true, parse: readTrig, ...trig},
  {
    id: 'rdf-xml',
    mediaTypes: ['application/rdf+xml'],
    hasGraphs: false,
    charset: true,
    parse: readRdfXml,
    createWriter: createRdfXmlWriter,
    createPrinter: createRdfXmlPrinter,
  },
  {
    id: 'n-triples',
    mediaTypes: ['application/n-triples'],
    hasGraphs: false,
    charset: false,
    parse: readNTriples,
    createWriter: createNTriplesWriter,
  },
  {
    id: 'n-quads',
    mediaTypes: ['application/n-quads', 'text/x-nquads', 'text/nquads'],
    hasGraphs: true,
    charset: false,
    parse: readNQuads,
    createWriter: createNQuadsWriter,
  },
  {
    id: 'binary',
    mediaTypes: ['application/x-binary-rdf'],
    hasGraphs: true,
    charset: false,
    createWriter: createBinaryWriter,
  },
  {
    id: 'trix',
    mediaTypes: ['application/trix'],
    hasGraphs: true,
    charset: true,
    createWriter: createTrixWriter,
  },
  {
    id: 'rdf-json',
    mediaTypes: ['application/rdf+json'],
    hasGraphs: false,
    charset: false,
    createWriter: createRdfJsonWriter,
  },
  {id: 'n3', mediaTypes: ['text/n3', 'text/rdf+n3'], hasGraphs: false, charset: true, ...turtle},
]

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
 * later batch. Not for RDF/JSON, where each subject must occur once.
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
