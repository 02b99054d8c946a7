/**
 * Quads to RDF/JSON: subject → predicate → objects.
 *
 * Graph names are omitted. Names in a JSON object are unique, so the writer holds one subject in memory until it is
 * complete.
 * Source: RDF 1.1 JSON Alternate Serialization (W3C Note, 2013).
 */
import type {Iri, Quad, Resource, Term} from '../rdf/term.ts'
import {xsd} from '../rdf/vocabulary.ts'
import {blankText} from './ntriples-write.ts'
import type {QuadWriter} from './types.ts'

export function createRdfJsonWriter(): QuadWriter<string> {
  let before = '{\n'
  let subject: Resource | undefined
  let predicates = new Map<Iri, string[]>()
  const finish = () => {
    if (subject === undefined) return ''
    const members = [...predicates].map(([predicate, objects]) => `${JSON.stringify(predicate)}:[${objects.join()}]`)
    const text = `${before}${JSON.stringify(resourceText(subject))}:{${members.join()}}`
    before = ',\n'
    predicates = new Map()
    return text
  }
  const write = (quad: Quad) => {
    const isSame = subject?.value === quad.subject.value && subject.termType === quad.subject.termType
    const text = isSame ? '' : finish()
    subject = quad.subject
    const objects = predicates.get(quad.predicate.value)
    if (objects === undefined) predicates.set(quad.predicate.value, [objectText(quad.object)])
    else objects.push(objectText(quad.object))
    return text
  }
  return {write, end: () => `${finish()}${subject === undefined ? '{' : '\n'}}\n`}
}

function resourceText(term: Resource): string {
  return term.termType === 'BlankNode' ? blankText(term.value) : term.value
}

function objectText(term: Term): string {
  if (term.termType !== 'Literal') {
    return JSON.stringify({value: resourceText(term), type: term.termType === 'NamedNode' ? 'uri' : 'bnode'})
  }
  const value = {value: term.value, type: 'literal'}
  if (term.language !== '') return JSON.stringify({...value, lang: term.language})
  return JSON.stringify(term.datatype.value === xsd.string ? value : {...value, datatype: term.datatype.value})
}
