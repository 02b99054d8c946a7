/**
 * Shortens IRIs to names for people, such as `dct:title` and `/books/emma/`, and reads such names.
 *
 * Pure. Links and forms use whole IRIs; `readName` also accepts short names in what a user types.
 * Sources: the namespace documents; prefixes of prefix.cc and of RDFa's initial context.
 */
import {PrefixTable} from '../../format/prefix-table.ts'
import {isAbsoluteIri, resolveIri} from '../../rdf/iri.ts'
import type {Iri} from '../../rdf/term.ts'
import {ldpNamespace, rdfNamespace, xsdNamespace} from '../../rdf/vocabulary.ts'

/** Widely used prefixes. */
const wellKnownPrefixes: Readonly<Record<string, Iri>> = {
  rdf: rdfNamespace,
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  xsd: xsdNamespace,
  ldp: ldpNamespace,
  skos: 'http://www.w3.org/2004/02/skos/core#',
  dct: 'http://purl.org/dc/terms/',
  dc: 'http://purl.org/dc/elements/1.1/',
  dcat: 'http://www.w3.org/ns/dcat#',
  dctype: 'http://purl.org/dc/dcmitype/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  schema: 'http://schema.org/',
  sdo: 'https://schema.org/',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  org: 'http://www.w3.org/ns/org#',
  prov: 'http://www.w3.org/ns/prov#',
  sosa: 'http://www.w3.org/ns/sosa/',
  ssn: 'http://www.w3.org/ns/ssn/',
  time: 'http://www.w3.org/2006/time#',
  geo: 'http://www.w3.org/2003/01/geo/wgs84_pos#',
  gsp: 'http://www.opengis.net/ont/geosparql#',
  qb: 'http://purl.org/linked-data/cube#',
  sh: 'http://www.w3.org/ns/shacl#',
  sd: 'http://www.w3.org/ns/sparql-service-description#',
  void: 'http://rdfs.org/ns/void#',
  as: 'https://www.w3.org/ns/activitystreams#',
  acl: 'http://www.w3.org/ns/auth/acl#',
  oa: 'http://www.w3.org/ns/oa#',
  odrl: 'http://www.w3.org/ns/odrl/2/',
  bibo: 'http://purl.org/ontology/bibo/',
  fabio: 'http://purl.org/spar/fabio/',
  cidoc: 'http://www.cidoc-crm.org/cidoc-crm/',
  dbo: 'http://dbpedia.org/ontology/',
  dbr: 'http://dbpedia.org/resource/',
  wd: 'http://www.wikidata.org/entity/',
  wdt: 'http://www.wikidata.org/prop/direct/',
  doap: 'http://usefulinc.com/ns/doap#',
  ex: 'http://example.org/ns#',
}

export type Names = {
  readonly prefixes: Readonly<Record<string, Iri>> // prefix → namespace
  /** A prefixed name, the path of an IRI under the base, or undefined. */
  readonly shorten: (iri: Iri) => string | undefined
  /** The shortened name or else the IRI, percent-decoded, cut after 200 characters. */
  readonly show: (iri: Iri) => string
}

/** @param own  the service's own prefixes, which take precedence over the well-known ones */
export function createNames(base: Iri, own: Readonly<Record<string, Iri>>): Names {
  const prefixes = {...own, ...wellKnownPrefixes, ...own}
  const table = new PrefixTable(prefixes)
  const path = new URL(base).pathname
  const shorten = (iri: Iri) => (iri.startsWith(base) ? path + iri.slice(base.length) : table.shorten(iri))
  return {prefixes, shorten, show: iri => decoded(shorten(iri) ?? iri)}
}

/**
 * Reads an IRI that a user typed: `dct:title`, a whole IRI, a path or `#fragment`.
 *
 * @returns  undefined if the text is empty or no IRI
 */
export function readName(written: string, {prefixes}: Names, base: Iri): Iri | undefined {
  const [, prefix = '', local = ''] = /^([\w-]*):(?!\/\/)(.*)$/s.exec(written) ?? []
  const namespace = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined
  const iri = namespace === undefined ? resolveIri(written, base) : namespace + local
  return written !== '' && isAbsoluteIri(iri) ? iri : undefined
}

const shownLength = 200 // characters

/** Percent-decodes a name that has characters beyond ASCII, and cuts a long one. */
function decoded(name: string): string {
  const text = /%[89A-F][0-9A-F]/i.test(name) ? decodeLetters(name) : name
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text
}

function decodeLetters(name: string): string {
  try {
    return decodeURI(name)
  } catch {
    return name
  }
}
