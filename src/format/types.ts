/**
 * The interface of an RDF format, which every syntax implements for `registry.ts`.
 *
 * Types only.
 */
import type {Iri, Quad} from '../rdf/term.ts'
import type {FormatFacts} from './formats.ts'

export type ParseOptions = {
  readonly base: Iri // the IRI of the document, to which '<>' and '"@id": ""' resolve
  readonly tripleLimit?: number | undefined // of the body; default: none
  readonly depthLimit?: number // nesting levels of brackets, braces or elements; default `defaultDepthLimit`
  readonly contexts?: ReadonlyMap<Iri, unknown> // JSON-LD: parsed context documents, in addition to the bundled ones
  readonly contextWork?: number | undefined // JSON-LD: terms that contexts may copy and define; default: a million
  readonly loss?: 'refused' | 'ignored' // JSON-LD: data that its algorithms drop; default: refused (jsonld-lossless)
}

/** Nesting levels. Real JSON-LD and Turtle nest far less. The limit keeps recursion from exhausting the stack. */
export const defaultDepthLimit = 100

/**
 * Parses a whole body. The quads have the order of the body (JSON-LD: of its names) and may include duplicates.
 *
 * @throws Problem 400 `body-syntax` | `body-encoding` | `body-depth` | `iri-valid` | `iri-size` | `text-storable` |
 *         `language-tag`; 422 `body-triples`; and those that the reader of the syntax documents
 */
export type Parse = (body: Uint8Array, options: ParseOptions) => Promise<readonly Quad[]>

/**
 * Turns quads into chunks, which together are the document.
 *
 * Quads must come grouped by graph and, within a graph, by subject; for formats without graphs, by subject only. A
 * blank node that occurs in several graphs must be in `sharedLabels`.
 */
export type QuadWriter<Chunk extends string | Uint8Array> = {write(quad: Quad): Chunk; end(): Chunk}

/** A writer whose header depends on the whole document: `whole` puts it before the text of all chunks. */
export type DocumentPrinter = QuadWriter<string> & {readonly whole: (body: string) => string}

export type WriterOptions = {
  readonly prefixes?: Readonly<Record<string, Iri>> // prefix → namespace, for syntaxes that have prefixes
  readonly sharedLabels?: Pick<ReadonlySet<string>, 'has'> // of blank nodes in several graphs; never folded into lists
}

export type Format = FormatFacts & {
  readonly parse?: Parse
  readonly createWriter: (options: WriterOptions) => QuadWriter<string | Uint8Array> // all chunks of one type
  /** The writer for documents in memory, if it differs from that for streams: it declares only the prefixes used. */
  readonly createPrinter?: (quads: readonly Quad[], options: WriterOptions) => DocumentPrinter
}
