/**
 * The nodes of RDF that patches speak of without a name for them: `a` and the parts of lists.
 *
 * Floor 2. Source: RDF Schema §5.2.
 */
import {namedNode} from '../rdf/term.ts'
import {rdf} from '../rdf/vocabulary.ts'

export const type = namedNode(rdf.type)
export const first = namedNode(rdf.first)
export const rest = namedNode(rdf.rest)
export const nil = namedNode(rdf.nil)
