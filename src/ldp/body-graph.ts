/**
 * Turns the quads of a request body into triples of the document.
 *
 * Pure. A document is the graph that its IRI names. A body may put triples into this graph or the default graph only.
 * Sources: decision 0002; docs/interface.md, Creating.
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import type {Iri, Quad, Triple} from '../rdf/term.ts'

/** @throws Problem 422 `graph-own`: a quad in another graph */
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
