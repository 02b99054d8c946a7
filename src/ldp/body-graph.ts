/**
 * A request body's quads to the triples of the document it is for.
 *
 * Floor 4. Pure. A document is the graph named by its IRI: a body speaks of it in that graph or in the default graph.
 * Sources: decisions, 2 ("a document is the graph named by its IRI") and the row "well-formed but unusable".
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import type {Iri, Quad, Triple} from '../rdf/term.ts'

/** @throws Problem 422 `graph-own`: a triple in another graph */
export function triplesFor(document: Iri, quads: readonly Quad[]): Triple[] {
  return quads.map(({subject, predicate, object, graph}) => {
    if (graph.termType !== 'DefaultGraph' && graph.value !== document) {
      const name = graph.termType === 'BlankNode' ? `_:${graph.value}` : `<${excerpt(graph.value)}>`
      throw new Problem(
        422,
        'graph-own',
        `The body has triples in the graph ${name}; only <${document}> can be written here`,
      )
    }
    return {subject, predicate, object}
  })
}
