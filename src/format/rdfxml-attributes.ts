/**
 * The attributes of an RDF/XML element, sorted by their meaning.
 *
 * Sources: RDF/XML §6.1.4, §7.2.2–7.2.7; XML Base §3; RDF 1.2 XML syntax for the attributes that are refused.
 */
import type {SaxesTagNS} from 'saxes'
import {excerpt} from '../base/excerpt.ts'
import {resolveIri} from '../rdf/iri.ts'
import type {Iri} from '../rdf/term.ts'
import {rdf, rdfNamespace} from '../rdf/vocabulary.ts'
import {isPropertyAttributeName, isRdf12Attribute} from './rdfxml-names.ts'

export type Attributes = {
  readonly base: Iri
  readonly language: string // '' for none
  readonly rdf: Map<string, string> // about, ID, nodeID, resource, datatype, parseType
  readonly properties: readonly {readonly iri: Iri; readonly value: string}[]
}

const syntaxNames = new Set('about ID nodeID resource datatype parseType'.split(' '))
const unqualifiedNames = new Set('about ID resource parseType type'.split(' ')) // may lack the prefix (RDF/XML §6.1.4)

/**
 * Reads the attributes of an element.
 *
 * @param parent  base and language of the element around it
 * @param fail    throws the Problem 400 `body-syntax` with the position
 */
export function readAttributes(
  tag: SaxesTagNS,
  parent: {readonly base: Iri; readonly language: string},
  fail: (message: string) => never,
): Attributes {
  let {base, language} = parent
  const names = new Map<string, string>()
  const properties: {iri: Iri; value: string}[] = []
  for (const {name, prefix, local, uri, value} of Object.values(tag.attributes)) {
    if (prefix === 'xmlns' || name === 'xmlns') continue
    if (name === 'xml:lang') language = value
    else if (name === 'xml:base') base = resolveIri(value, base)
    if (/^xml/i.test(name)) continue
    const iri = uri === '' && unqualifiedNames.has(local) ? rdfNamespace + local : uri + local
    if (uri === '' && !unqualifiedNames.has(local)) fail(`The attribute ${excerpt(name)} has no namespace`)
    if (isRdf12Attribute(iri)) fail(`${excerpt(name)} (RDF 1.2) is not supported`)
    if (iri.startsWith(rdfNamespace) && syntaxNames.has(local)) names.set(local, value)
    else if (iri === rdf.type || isPropertyAttributeName(iri)) properties.push({iri, value})
    else fail(`${excerpt(name)} cannot be an attribute`)
  }
  return {base, language, rdf: names, properties}
}
