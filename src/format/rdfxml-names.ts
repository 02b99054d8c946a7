/**
 * Which names of the RDF namespace RDF/XML allows as elements and as attributes.
 *
 * Sources: RDF/XML §7.2.2–7.2.7; RDF 1.2 XML syntax for the names refused because the store does not hold RDF 1.2.
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

/** Whether a name may be a property element. So may rdf:li, which stands for the next of rdf:_1, rdf:_2 … */
export function isPropertyElementName(iri: string): boolean {
  return !notProperties.has(iri)
}

export function isPropertyAttributeName(iri: string): boolean {
  return !notAttributes.has(iri)
}

export function isRdf12Attribute(iri: string): boolean {
  return rdf12Attributes.has(iri) || iri === 'http://www.w3.org/2005/11/its#dir'
}
