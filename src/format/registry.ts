/**
 * The one list of formats; everything outside this folder reads and writes RDF through it.
 *
 * Floor 2. Adding a syntax is one row here and its files beside it.
 * Sources: interface, "Common rules" (which formats go in and out); decisions, "alias types in Accept".
 */
import {Problem} from '../base/problem.ts'
import type {Quad} from '../rdf/term.ts'
import {groupQuads, sharedLabelsOf} from './grouping.ts'
import {readJsonLd} from './jsonld-read.ts'
import {createJsonLdWriter} from './jsonld-write.ts'
import {readNQuads, readNTriples} from './ntriples-read.ts'
import {createNQuadsWriter, createNTriplesWriter} from './ntriples-write.ts'
import {readTrig, readTurtle} from './turtle-read.ts'
import {createTurtleWriter, printTurtle} from './turtle-write.ts'
import type {Format, QuadWriter, WriterOptions} from './types.ts'

const turtle = {
  createWriter: (options: WriterOptions) => createTurtleWriter('merged', options),
  print: (quads: Iterable<Quad>, options: WriterOptions) => printTurtle('merged', quads, options),
}

const trig = {
  createWriter: (options: WriterOptions) => createTurtleWriter('kept', options),
  print: (quads: Iterable<Quad>, options: WriterOptions) => printTurtle('kept', quads, options),
}

export const formats: readonly Format[] = [
  {
    id: 'turtle',
    mediaTypes: ['text/turtle', 'application/turtle'],
    hasGraphs: false,
    charset: true,
    parse: readTurtle,
    text: turtle,
  },
  {
    id: 'json-ld',
    mediaTypes: ['application/ld+json'],
    hasGraphs: true,
    charset: false,
    parse: readJsonLd,
    text: {createWriter: createJsonLdWriter},
  },
  {id: 'trig', mediaTypes: ['application/trig'], hasGraphs: true, charset: true, parse: readTrig, text: trig},
  {
    id: 'n-triples',
    mediaTypes: ['application/n-triples'],
    hasGraphs: false,
    charset: false,
    parse: readNTriples,
    text: {createWriter: createNTriplesWriter},
  },
  {
    id: 'n-quads',
    mediaTypes: ['application/n-quads', 'text/x-nquads', 'text/nquads'],
    hasGraphs: true,
    charset: false,
    parse: readNQuads,
    text: {createWriter: createNQuadsWriter},
  },
  {id: 'n3', mediaTypes: ['text/n3', 'text/rdf+n3'], hasGraphs: false, charset: true, text: turtle},
]

/** The format of a Content-Type or a single media type; parameters and case do not count. */
export function formatOfMediaType(type: string): Format | undefined {
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase()
  return formats.find(format => format.mediaTypes.includes(essence))
}

/**
 * A whole document at once, for what is in memory anyway. Quads may come in any order.
 *
 * @throws Problem 406 for a format without a writer or a document the format cannot carry
 */
export function serialise(format: Format, quads: Iterable<Quad>, options: WriterOptions = {}): string | Uint8Array {
  const grouped = groupQuads(quads, format.hasGraphs ? 'kept' : 'merged')
  const all = format.hasGraphs ? {...options, sharedLabels: sharedLabelsOf(grouped)} : options
  if (format.text?.print !== undefined) return format.text.print(grouped, all)
  if (format.text !== undefined) return drain(format.text.createWriter(all), grouped).join('')
  if (format.bytes !== undefined) return Buffer.concat(drain(format.bytes.createWriter(all), grouped))
  throw new Problem(406, 'format-writable', `Nothing is written as ${format.mediaTypes[0]}`)
}

function drain<Chunk extends string | Uint8Array>(writer: QuadWriter<Chunk>, quads: readonly Quad[]): Chunk[] {
  return [...quads.map(quad => writer.write(quad)), writer.end()]
}
