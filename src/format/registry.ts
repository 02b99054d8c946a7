/**
 * The one list of formats; everything outside this folder reads and writes RDF through it.
 *
 * Floor 2. Adding a syntax is one row here and its files beside it.
 * Sources: interface, "Common rules" (which formats go in and out); decisions, "alias types in Accept".
 */
import {readNQuads, readNTriples} from './ntriples-read.ts'
import {readTrig, readTurtle} from './turtle-read.ts'
import type {Format} from './types.ts'

export const formats: readonly Format[] = [
  {
    id: 'turtle',
    mediaTypes: ['text/turtle', 'application/turtle'],
    hasGraphs: false,
    charset: true,
    parse: readTurtle,
  },
  {id: 'trig', mediaTypes: ['application/trig'], hasGraphs: true, charset: true, parse: readTrig},
  {id: 'n-triples', mediaTypes: ['application/n-triples'], hasGraphs: false, charset: false, parse: readNTriples},
  {
    id: 'n-quads',
    mediaTypes: ['application/n-quads', 'text/x-nquads', 'text/nquads'],
    hasGraphs: true,
    charset: false,
    parse: readNQuads,
  },
]

/** The format of a Content-Type or a single media type; parameters and case do not count. */
export function formatOfMediaType(type: string): Format | undefined {
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase()
  return formats.find(format => format.mediaTypes.includes(essence))
}
