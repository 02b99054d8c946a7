/**
 * Which names of the RDF namespace may stand where in RDF/XML.
 *
 * Floor 2. Sources: RDF/XML §7.2.2–7.2.7; RDF 1.2 XML syntax for the names refused as not stored yet.
 */
import {rdfNamespace} from '../rdf/vocabulary.ts'

const core = ['RDF', 'ID', 'about', 'parseType', 'resource', 'nodeID', 'datatype']
const old = ['aboutEach', 'aboutEachPrefix', 'bagID']
const iris = (names: readonly string[]) => new Set(names.map(name => rdfNamespace + name))

const notElements = iris([...core, ...old, 'li'])
const notProperties = iris([...core, ...old, 'Description'])
const notAttributes = iris([...core, ...old, 'Description', 'li'])
const rdf12Attributes = iris(['version', 'annotation', 'annotationNodeID'])

export function isNodeElementName(iri: string): boolean {
  return !notElements.has(iri)
}

/** rdf:li included: it counts. */
export function isPropertyElementName(iri: string): boolean {
  return !notProperties.has(iri)
}

export function isPropertyAttributeName(iri: string): boolean {
  return !notAttributes.has(iri)
}

export function isRdf12Attribute(iri: string): boolean {
  return rdf12Attributes.has(iri) || iri === 'http://www.w3.org/2005/11/its#dir'
}
