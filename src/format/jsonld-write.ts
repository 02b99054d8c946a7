/**
 * Quads to JSON-LD: expanded and flattened, with one object for each graph and values as strings.
 *
 *   [{"@id": graph, "@graph": [node, …]}, node of the default graph, …]
 *
 * Lists are written as `@list`. A node occurs once in its graph. Each node is on a line of its own, which suits streams
 * and `grep`.
 * Sources: decision 0013; JSON-LD 1.1 §9.
 */
import type {Graph, Iri, Literal, Quad, Resource, Term} from '../rdf/term.ts'
import {rdf, xsd} from '../rdf/vocabulary.ts'
import type {Lists} from './list-folding.ts'
import {blankText} from './ntriples-write.ts'
import {createNodeWriter, type NodePrinter} from './subject-groups.ts'
import type {QuadWriter, WriterOptions} from './types.ts'

export function createJsonLdWriter(options: WriterOptions): QuadWriter<string> {
  return createNodeWriter(createPrinter(), {graphs: 'kept', lists: 'folded', sharedLabels: options.sharedLabels})
}

function createPrinter(): NodePrinter {
  let before = '[' // the separator to write before the next node or graph
  return {
    openGraph(graph) {
      if (graph.termType === 'DefaultGraph') return ''
      const text = `${before}\n{"@id":${idText(graph)},"@graph":[`
      before = ''
      return text
    },
    node(quads, lists) {
      const text = `${before}\n${nodeText(quads, lists)}`
      before = ','
      return text
    },
    closeGraph(graph) {
      if (graph.termType === 'DefaultGraph') return ''
      before = ','
      return ']}'
    },
    end: () => (before === '[' ? '[]\n' : '\n]\n'),
  }
}

function nodeText(quads: readonly Quad[], lists: Lists): string {
  const subject = quads[0]?.subject
  if (subject === undefined) return ''
  const types: string[] = []
  const properties = new Map<Iri, string[]>()
  for (const {predicate, object} of quads) {
    if (predicate.value === rdf.type && isPlainType(object, lists)) types.push(idText(object))
    else {
      const values = properties.get(predicate.value)
      if (values === undefined) properties.set(predicate.value, [valueText(object, lists)])
      else values.push(valueText(object, lists))
    }
  }
  let text = `{"@id":${idText(subject)}`
  if (types.length > 0) text += `,"@type":[${types.join()}]`
  for (const [predicate, values] of properties) text += `,${JSON.stringify(predicate)}:[${values.join()}]`
  return `${text}}`
}

/** Whether a type can be written in `@type`, which takes IRIs and blank nodes but no literals and no lists. */
function isPlainType(object: Term, lists: Lists): object is Resource {
  return object.termType !== 'Literal' && !lists.items.has(object.value)
}

function valueText(object: Term, lists: Lists): string {
  if (object.termType === 'Literal') return literalText(object)
  const items = object.termType === 'BlankNode' ? lists.items.get(object.value) : undefined
  if (items !== undefined) return `{"@list":[${items.map(item => valueText(item, lists)).join()}]}`
  return object.value === rdf.nil ? '{"@list":[]}' : `{"@id":${idText(object)}}`
}

function literalText(term: Literal): string {
  const value = JSON.stringify(term.value)
  if (term.language !== '') return `{"@value":${value},"@language":${JSON.stringify(term.language)}}`
  const datatype = term.datatype.value
  return datatype === xsd.string ? `{"@value":${value}}` : `{"@value":${value},"@type":${JSON.stringify(datatype)}}`
}

function idText(term: Resource | Graph): string {
  return JSON.stringify(term.termType === 'BlankNode' ? blankText(term.value) : term.value)
}
