/**
 * Quads to TriX.
 *
 * Source: TriX, RDF triples in XML (HPL-2004-56), namespace http://www.w3.org/2004/03/trix/trix-1/.
 */

import {isNcName} from '../rdf/name-characters.ts'
import type {Graph, Quad, Term} from '../rdf/term.ts'
import {xsd} from '../rdf/vocabulary.ts'
import type {QuadWriter} from './types.ts'
import {writtenLabel} from './written-labels.ts'
import {xmlHeader, xmlText, xmlValue} from './xml-text.ts'

/** `write` throws Problem 406 `xml-character` for a quad that XML cannot represent. */
export function createTrixWriter(): QuadWriter<string> {
  const header = `${xmlHeader}<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/">\n`
  let graph: Graph | undefined
  const begin = (quad: Quad) => {
    if (graph !== undefined && graph.value === quad.graph.value && graph.termType === quad.graph.termType) return ''
    const before = graph === undefined ? header : '  </graph>\n'
    graph = quad.graph
    return `${before}  <graph>\n${graph.termType === 'DefaultGraph' ? '' : `    ${termElement(graph)}\n`}`
  }
  return {
    write: quad => begin(quad) + tripleText(quad),
    end: () => `${graph === undefined ? header : '  </graph>\n'}</TriX>\n`,
  }
}

function tripleText({subject, predicate, object}: Quad): string {
  const terms = [subject, predicate, object].map(term => `      ${termElement(term)}\n`)
  return `    <triple>\n${terms.join('')}    </triple>\n`
}

function termElement(term: Term | Graph): string {
  switch (term.termType) {
    case 'NamedNode':
      return `<uri>${xmlText(term.value)}</uri>`
    case 'BlankNode':
      return `<id>${writtenLabel(term.value, isNcName)}</id>`
    case 'DefaultGraph':
      return ''
    case 'Literal': {
      const text = xmlText(term.value)
      if (term.language !== '') return `<plainLiteral xml:lang="${xmlValue(term.language)}">${text}</plainLiteral>`
      if (term.datatype.value === xsd.string) return `<plainLiteral>${text}</plainLiteral>`
      return `<typedLiteral datatype="${xmlValue(term.datatype.value)}">${text}</typedLiteral>`
    }
  }
}
