/**
 * Solutions to the SPARQL JSON results format.
 *
 * The type of literals is `literal`, never `typed-literal` as in older drafts. Strings have no datatype member.
 * Source: SPARQL 1.1 Query Results JSON Format.
 */
import type {Literal, Term} from '../rdf/term.ts'
import {xsd} from '../rdf/vocabulary.ts'
import {once} from './once.ts'
import type {SolutionTexts, SolutionWriter} from './results-types.ts'

export function createJsonResultsWriter(variables: readonly string[]): SolutionWriter {
  const keys = variables.map(name => `${JSON.stringify(name)}:`)
  const head = once(`{"head":{"vars":${JSON.stringify(variables)}},"results":{"bindings":[\n`)
  return {
    write: texts => `${head() || ',\n'}{${bindings(keys, texts)}}`,
    end: () => `${head()}\n]}}\n`,
  }
}

export function writeJsonBoolean(value: boolean): string {
  return `{"head":{},"boolean":${value}}`
}

function bindings(keys: readonly string[], texts: SolutionTexts): string {
  let bound = ''
  for (const [index, key] of keys.entries()) {
    const text = texts[index]
    if (text !== undefined) bound += `${bound === '' ? '' : ','}${key}${text}`
  }
  return bound
}

export function termJson(term: Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return `{"type":"uri","value":${quoted(term.value)}}`
    case 'BlankNode':
      return `{"type":"bnode","value":${quoted(term.value)}}`
    case 'Literal':
      return `{"type":"literal","value":${quoted(term.value)}${annotation(term)}}`
  }
}

function annotation(term: Literal): string {
  if (term.language !== '') return `,"xml:lang":${quoted(term.language)}`
  return term.datatype.value === xsd.string ? '' : `,"datatype":${quoted(term.datatype.value)}`
}

const mayNeedEscapes = /["\\\u0000-\u001f\ud800-\udfff]/

/** The text as a JSON string. Most texts need no escapes, and this test of them costs less than JSON.stringify. */
function quoted(text: string): string {
  return mayNeedEscapes.test(text) ? JSON.stringify(text) : `"${text}"`
}
