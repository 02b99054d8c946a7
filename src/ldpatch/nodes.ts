/**
 * The RDF nodes that a patch uses implicitly: rdf:type for `a`, and the vocabulary of lists.
 *
 * Source: RDF Schema §5.2.
 */
import {namedNode} from '../rdf/term.ts'
import {rdf} from '../rdf/vocabulary.ts'

export const type = namedNode(rdf.type)
export const first = namedNode(rdf.first)
export const rest = namedNode(rdf.rest)
export const nil = namedNode(rdf.nil)
