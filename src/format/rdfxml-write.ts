/**
 * Quads to RDF/XML: typed node elements, one element for each property.
 *
 * Graph names are omitted. A stream declares the given prefixes at the top and any further namespace where it is used.
 * A document in memory declares all its namespaces at the top.
 * Sources: RDF/XML (RDF 1.1) §2 and §7; Namespaces in XML 1.0.
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {isNameCharacter, isNcName} from '../rdf/name-characters.ts'
import type {Iri, NamedNode, Quad, Resource} from '../rdf/term.ts'
import {rdf, rdfNamespace, xsd} from '../rdf/vocabulary.ts'
import {isNodeElementName, isPropertyElementName} from './rdfxml-names.ts'
import {createNodeWriter} from './subject-groups.ts'
import type {DocumentPrinter, QuadWriter, WriterOptions} from './types.ts'
import {writtenLabel} from './written-labels.ts'
import {xmlHeader, xmlText, xmlValue} from './xml-text.ts'

/** Writes a stream. `write` throws Problem 406 `rdfxml-predicate` | `xml-character` for a quad it cannot express. */
export function createRdfXmlWriter(options: WriterOptions): QuadWriter<string> {
  return writerWith(declared(options.prefixes ?? {}))
}

/** Writes a document in memory. `write` throws Problem 406 `rdfxml-predicate` | `xml-character`. */
export function createRdfXmlPrinter(quads: readonly Quad[], options: WriterOptions): DocumentPrinter {
  const given = declared(options.prefixes ?? {})
  const used: Namespaces = new Map([[rdfNamespace, 'rdf']])
  for (const {predicate, object} of quads) {
    const types = predicate.value === rdf.type && object.termType === 'NamedNode' ? [object.value] : []
    for (const iri of [predicate.value, ...types]) {
      const [namespace] = splitIri(iri) ?? []
      if (namespace !== undefined && !used.has(namespace)) used.set(namespace, given.get(namespace) ?? `ns${used.size}`)
    }
  }
  return {...writerWith(used), whole: body => body}
}

type Namespaces = Map<Iri, string> // namespace → prefix

const unbindable = new Set(['http://www.w3.org/XML/1998/namespace', 'http://www.w3.org/2000/xmlns/'])

/** The given prefixes that XML can declare. They never clash with generated ones ('ns1'). */
function declared(prefixes: Readonly<Record<string, Iri>>): Namespaces {
  const namespaces: Namespaces = new Map([[rdfNamespace, 'rdf']])
  for (const [prefix, namespace] of Object.entries(prefixes)) {
    const isUsable = isNcName(prefix) && !/^(?:xml|ns\d+$|rdf$)/i.test(prefix) && !unbindable.has(namespace)
    if (isUsable && !namespaces.has(namespace)) namespaces.set(namespace, prefix)
  }
  return namespaces
}

function writerWith(namespaces: Namespaces): QuadWriter<string> {
  const attributes = [...namespaces].map(([namespace, prefix]) => `\n  xmlns:${prefix}="${xmlValue(namespace)}"`)
  const header = `${xmlHeader}<rdf:RDF${attributes.join('')}>\n`
  let isOpen = false
  const opened = () => {
    if (isOpen) return ''
    isOpen = true
    return header
  }
  const printer = {
    openGraph: opened,
    node: (quads: readonly Quad[]) => nodeText(quads, namespaces),
    closeGraph: () => '',
    end: () => `${opened()}</rdf:RDF>\n`,
  }
  return createNodeWriter(printer, {graphs: 'merged', lists: 'explicit'})
}

function nodeText(quads: readonly Quad[], namespaces: Namespaces): string {
  const subject = quads[0]?.subject
  if (subject === undefined) return ''
  const typing = quads.find(quad => quad.predicate.value === rdf.type && isElementType(quad, namespaces))
  const [name, declaration] = (typing && elementName(typing.object.value, namespaces)) ?? ['rdf:Description', '']
  const rest = quads.filter(quad => quad !== typing).map(quad => `    ${propertyText(quad, namespaces)}\n`)
  const reference = subject.termType === 'NamedNode' ? 'rdf:about' : 'rdf:nodeID'
  const start = `  <${name}${declaration} ${reference}="${referenceText(subject)}"`
  return rest.length === 0 ? `${start}/>\n` : `${start}>\n${rest.join('')}  </${name}>\n`
}

function isElementType({object}: Quad, namespaces: Namespaces): boolean {
  const isName = object.termType === 'NamedNode' && elementName(object.value, namespaces) !== undefined
  return isName && isNodeElementName(object.value) && object.value !== `${rdfNamespace}Description`
}

function propertyText({predicate, object}: Quad, namespaces: Namespaces): string {
  const [name, declaration] = propertyName(predicate, namespaces)
  if (object.termType === 'NamedNode') return `<${name}${declaration} rdf:resource="${referenceText(object)}"/>`
  if (object.termType === 'BlankNode') return `<${name}${declaration} rdf:nodeID="${referenceText(object)}"/>`
  const datatype = object.datatype.value
  let attribute = ''
  if (object.language !== '') attribute = ` xml:lang="${xmlValue(object.language)}"`
  else if (datatype !== xsd.string) attribute = ` rdf:datatype="${xmlValue(datatype)}"`
  return `<${name}${declaration}${attribute}>${xmlText(object.value)}</${name}>`
}

function referenceText(resource: Resource): string {
  return resource.termType === 'NamedNode' ? xmlValue(resource.value) : writtenLabel(resource.value, isNcName)
}

function propertyName(predicate: NamedNode, namespaces: Namespaces): readonly [string, string] {
  const iri = predicate.value
  const isWritable = isPropertyElementName(iri) && iri !== `${rdfNamespace}li`
  const name = isWritable ? elementName(iri, namespaces) : undefined
  if (name !== undefined) return name
  const message = `RDF/XML cannot write the property <${excerpt(iri)}>: ask for another format`
  throw new Problem(406, 'rdfxml-predicate', message, {members: {predicate: iri}})
}

/** 'prefix:local' and the declaration that the element needs; undefined if no ending of the IRI is an NCName. */
function elementName(iri: Iri, namespaces: Namespaces): readonly [string, string] | undefined {
  const [namespace, local] = splitIri(iri) ?? []
  if (namespace === undefined || unbindable.has(namespace)) return undefined
  const prefix = namespaces.get(namespace)
  return prefix === undefined ? [`ns0:${local}`, ` xmlns:ns0="${xmlValue(namespace)}"`] : [`${prefix}:${local}`, '']
}

/** The IRI split before its longest ending that is an NCName; undefined if there is none. */
function splitIri(iri: Iri): readonly [string, string] | undefined {
  const characters = [...iri]
  let from = characters.length
  while (from > 0 && isInName(characters[from - 1] ?? '')) from--
  while (from < characters.length && !isNcName(characters[from] ?? '')) from++
  if (from === 0 || from === characters.length) return undefined
  return [characters.slice(0, from).join(''), characters.slice(from).join('')]
}

function isInName(character: string): boolean {
  return character === '.' || isNameCharacter(character)
}
