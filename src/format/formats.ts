/**
 * The RDF formats: what is known of each without its reader and writer.
 *
 * Pure data, quick to load. A new format is a row here and a row of code in registry.ts, which does not compile without
 * it. Negotiation, import, pages, downloads and the descriptions of the service follow from the rows.
 * Sources: docs/interface.md, Formats; W3C, "Unique URIs for File Formats".
 */

export type FormatFacts = {
  readonly id: string // in URLs of pages; without hyphens, for the option --format
  readonly name: string // in pages and help
  readonly mediaTypes: readonly [string, ...string[]] // canonical type, then aliases, which are used if asked for
  readonly extensions: readonly [string, ...string[]] // of files, without the dot; the first is that of downloads
  readonly iri: string | undefined // in the namespace of formats; undefined: W3C has none
  readonly isReadable: boolean
  readonly hasGraphs: boolean
  readonly charset: boolean // whether Content-Type has "; charset=utf-8"
  readonly isLineBased?: boolean // a statement is a line, so a file of any length can be read
  readonly isWhole?: boolean // a subject must occur once, so a document cannot be written in batches
}

export const formatsNamespace = 'http://www.w3.org/ns/formats/'

export const formatFacts = [
  {
    id: 'turtle',
    name: 'Turtle',
    mediaTypes: ['text/turtle', 'application/turtle'],
    extensions: ['ttl', 'turtle'],
    iri: `${formatsNamespace}Turtle`,
    isReadable: true,
    hasGraphs: false,
    charset: true,
  },
  {
    id: 'json-ld',
    name: 'JSON-LD',
    mediaTypes: ['application/ld+json'],
    extensions: ['jsonld', 'json'],
    iri: `${formatsNamespace}JSON-LD`,
    isReadable: true,
    hasGraphs: true,
    charset: false,
  },
  {
    id: 'trig',
    name: 'TriG',
    mediaTypes: ['application/trig'],
    extensions: ['trig'],
    iri: `${formatsNamespace}TriG`,
    isReadable: true,
    hasGraphs: true,
    charset: true,
  },
  {
    id: 'rdf-xml',
    name: 'RDF/XML',
    mediaTypes: ['application/rdf+xml'],
    extensions: ['rdf', 'owl', 'xml'],
    iri: `${formatsNamespace}RDF_XML`,
    isReadable: true,
    hasGraphs: false,
    charset: true,
  },
  {
    id: 'n-triples',
    name: 'N-Triples',
    mediaTypes: ['application/n-triples'],
    extensions: ['nt', 'ntriples'],
    iri: `${formatsNamespace}N-Triples`,
    isReadable: true,
    hasGraphs: false,
    charset: false,
    isLineBased: true,
  },
  {
    id: 'n-quads',
    name: 'N-Quads',
    mediaTypes: ['application/n-quads', 'text/x-nquads', 'text/nquads'],
    extensions: ['nq', 'nquads'],
    iri: `${formatsNamespace}N-Quads`,
    isReadable: true,
    hasGraphs: true,
    charset: false,
    isLineBased: true,
  },
  {
    id: 'binary',
    name: 'Binary RDF',
    mediaTypes: ['application/x-binary-rdf'],
    extensions: ['brf'],
    iri: undefined,
    isReadable: false,
    hasGraphs: true,
    charset: false,
  },
  {
    id: 'trix',
    name: 'TriX',
    mediaTypes: ['application/trix'],
    extensions: ['trix'],
    iri: undefined,
    isReadable: false,
    hasGraphs: true,
    charset: true,
  },
  {
    id: 'rdf-json',
    name: 'RDF/JSON',
    mediaTypes: ['application/rdf+json'],
    extensions: ['rj'],
    iri: `${formatsNamespace}RDF_JSON`,
    isReadable: false,
    hasGraphs: false,
    charset: false,
    isWhole: true,
  },
  {
    id: 'n3',
    name: 'N3',
    mediaTypes: ['text/n3', 'text/rdf+n3'],
    extensions: ['n3'],
    iri: `${formatsNamespace}N3`,
    isReadable: false,
    hasGraphs: false,
    charset: true,
  },
] as const satisfies readonly FormatFacts[]

type Row = (typeof formatFacts)[number]

export type FormatId = Row['id']
export type ReadableId = Extract<Row, {readonly isReadable: true}>['id']

export type ReadableFormat = FormatFacts & {readonly id: ReadableId}

export const readableFormats: readonly ReadableFormat[] = formatFacts.filter(row => row.isReadable)

/** The value of the option --format for a format. */
export function optionName({id}: FormatFacts): string {
  return id.replaceAll('-', '')
}
