/**
 * Solutions to comma-separated values: plain texts for spreadsheets, the kind of a term is lost.
 *
 * Floor 2. An empty string is written with quotes, so that it differs from no value at all.
 * Sources: SPARQL 1.1 Query Results CSV and TSV Formats §3; RFC 4180. ASK has no form there: one word, as others write.
 */
import {createEscape} from '../base/escape.ts'
import type {Term} from '../rdf/term.ts'
import {once} from './once.ts'
import type {SolutionWriter} from './results-types.ts'

const escapeQuotes = createEscape({'"': '""'})
const lineEnd = '\r\n' // RFC 4180 §2

export function createCsvResultsWriter(variables: readonly string[]): SolutionWriter {
  const head = once(`${variables.map(field).join(',')}${lineEnd}`)
  const cell = (term: Term | undefined) => (term === undefined ? '' : field(termText(term)))
  return {
    write: row => `${head()}${variables.map((_, index) => cell(row[index])).join(',')}${lineEnd}`,
    end: head,
  }
}

export function writeCsvBoolean(value: boolean): string {
  return `${value}${lineEnd}`
}

function termText(term: Term): string {
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value
}

function field(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${escapeQuotes(text)}"` : text
}
