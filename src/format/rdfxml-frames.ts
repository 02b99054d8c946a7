/**
 * The open elements of an RDF/XML document, one frame each.
 *
 * Types only. Source: RDF/XML (RDF 1.1) §6.1.
 */
import type {Iri, NamedNode, Resource} from '../rdf/term.ts'
import type {XmlLiteral} from './xml-literal.ts'

/** An open element. Its kind says what its children mean. */
export type Frame = {readonly base: Iri; readonly language: string} & (
  | {readonly kind: 'document' | 'rdf'}
  | {readonly kind: 'node'; readonly subject: Resource; members: number}
  | PropertyFrame
  | {readonly kind: 'collection'; readonly statement: OpenStatement; last: Resource | undefined}
  | {readonly kind: 'literal'; readonly statement: OpenStatement; readonly literal: XmlLiteral}
)

export type PropertyFrame = {
  readonly base: Iri
  readonly language: string
  readonly kind: 'property'
  readonly statement: OpenStatement
  readonly datatype: Iri | undefined
  readonly content: 'any' | 'none' // none: attributes give the object
  text: string
  hasNode: boolean
}

/** A triple whose object is not known yet. */
export type OpenStatement = {
  readonly subject: Resource
  readonly predicate: NamedNode
  readonly reification: NamedNode | undefined
}
