/**
 * RDF terms, triples and quads as plain data, in the shape of RDF/JS.
 *
 * No classes and no methods: `sameTerm` compares terms, term-key.ts makes keys of them.
 * Sources: RDF 1.1 Concepts §3; RDF/JS data model (the shape, without `equals`).
 */
import {detached} from '../base/detached.ts'
import {rdf, xsd} from './vocabulary.ts'

export type Iri = string

export type NamedNode = {readonly termType: 'NamedNode'; readonly value: Iri}
export type BlankNode = {readonly termType: 'BlankNode'; readonly value: string} // the label, without "_:"
export type Literal = {
  readonly termType: 'Literal'
  readonly value: string // the lexical form, exactly as written
  readonly datatype: NamedNode // rdf:langString if there is a language tag
  readonly language: string // the tag exactly as written; '' for none
}
export type DefaultGraph = {readonly termType: 'DefaultGraph'; readonly value: ''}

export type Resource = NamedNode | BlankNode
export type Term = NamedNode | BlankNode | Literal
export type Graph = NamedNode | BlankNode | DefaultGraph

export type Triple = {readonly subject: Resource; readonly predicate: NamedNode; readonly object: Term}
export type Quad = Triple & {readonly graph: Graph}

export const defaultGraph: DefaultGraph = {termType: 'DefaultGraph', value: ''}

const xsdString = namedNode(xsd.string)
const rdfLangString = namedNode(rdf.langString)

export function namedNode(value: Iri): NamedNode {
  return {termType: 'NamedNode', value}
}

export function blankNode(value: string): BlankNode {
  return {termType: 'BlankNode', value}
}

/** A literal with a datatype, by default xsd:string (RDF 1.1 Concepts §3.3). */
export function literal(value: string, datatype?: Iri): Literal {
  return {
    termType: 'Literal',
    value,
    datatype: datatype === undefined || datatype === xsd.string ? xsdString : namedNode(datatype),
    language: '',
  }
}

export function langLiteral(value: string, language: string): Literal {
  return {termType: 'Literal', value, datatype: rdfLangString, language}
}

export function triple(subject: Resource, predicate: NamedNode, object: Term): Triple {
  return {subject, predicate, object}
}

export function quad(subject: Resource, predicate: NamedNode, object: Term, graph: Graph = defaultGraph): Quad {
  return {subject, predicate, object, graph}
}

/** The same term in memory of its own, for a cache (base/detached.ts). */
export function detachedTerm(term: Term): Term {
  const value = detached(term.value)
  if (term.termType !== 'Literal') return {...term, value}
  const {datatype, language} = term
  return language === '' ? literal(value, detached(datatype.value)) : langLiteral(value, detached(language))
}

/** Term equality by exact form: lexical form, datatype and language tag (with its case) all count. */
export function sameTerm(left: Term | Graph, right: Term | Graph): boolean {
  if (left.termType !== right.termType || left.value !== right.value) return false
  if (left.termType !== 'Literal' || right.termType !== 'Literal') return true
  return left.language === right.language && left.datatype.value === right.datatype.value
}
