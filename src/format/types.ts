/**
 * What a format is: the face every RDF syntax shows to `registry.ts`, and through it to the rest of the house.
 *
 * Floor 2. Types only.
 */
import type {Iri, Quad} from '../rdf/term.ts'

export type ParseOptions = {
  readonly base: Iri // the IRI of the document: what '<>' and '"@id": ""' mean
  readonly tripleLimit?: number | undefined // of the body; default none
  readonly depthLimit?: number // nesting levels of brackets, braces or elements; default `defaultDepthLimit`
  readonly contexts?: ReadonlyMap<Iri, unknown> // JSON-LD: parsed context documents known besides the bundled ones
  readonly contextWork?: number | undefined // JSON-LD: terms that contexts may copy and define; default a million
  readonly loss?: 'refused' | 'ignored' // JSON-LD: what its algorithms would drop; default refused (jsonld-lossless)
}

/** JSON-LD and Turtle nest far less; the limit keeps recursion far away from the end of the stack. */
export const defaultDepthLimit = 100

/**
 * A whole body to quads, in the order of the body (JSON-LD: of its names), each as often as it is written.
 *
 * @throws Problem 400 `body-syntax` | `body-encoding` | `body-depth` | `iri-valid` | `iri-size` | `text-storable` |
 *         `language-tag`, 422 `body-triples`,
 *         and those named in the readers of the single syntaxes
 */
export type Parse = (body: Uint8Array, options: ParseOptions) => Promise<readonly Quad[]>

/**
 * Turns quads into chunks; the concatenation of all chunks is the document.
 *
 * Quads arrive grouped by graph and, within a graph, by subject. Formats without graphs take them grouped by subject
 * alone. No blank node stands in two graphs unless `sharedLabels` names it.
 */
export type QuadWriter<Chunk extends string | Uint8Array> = {write(quad: Quad): Chunk; end(): Chunk}

/** A writer that knows only at the end what stands at the beginning. */
export type DocumentPrinter = QuadWriter<string> & {readonly whole: (body: string) => string}

export type WriterOptions = {
  readonly prefixes?: Readonly<Record<string, Iri>> // prefix → namespace; for the syntaxes that have prefixes
  readonly sharedLabels?: Pick<ReadonlySet<string>, 'has'> // blank nodes in several graphs: explicit lists
}

export type Format = {
  readonly id: string
  readonly mediaTypes: readonly [string, ...string[]] // the first is canonical, the others are answered as asked
  readonly hasGraphs: boolean
  readonly charset: boolean // whether the Content-Type of an answer carries "; charset=utf-8"
  readonly parse?: Parse
  readonly createWriter: (options: WriterOptions) => QuadWriter<string | Uint8Array> // always one kind of chunk
  /** The writer of a whole document in memory, where that looks better than the stream: only the prefixes used. */
  readonly createPrinter?: (quads: readonly Quad[], options: WriterOptions) => DocumentPrinter
}
