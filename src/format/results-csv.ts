/**
 * Solutions to comma-separated values: plain text for spreadsheets, which does not show the kind of a term.
 *
 * An empty string is written as `""`, to differ from an unbound variable. The format defines nothing for ASK; the
 * answer is one word, as in other implementations.
 * Sources: SPARQL 1.1 Query Results CSV and TSV Formats §3; RFC 4180.
 */
import {createEscape} from '../base/escape.ts'
import type {Term} from '../rdf/term.ts'
import {once} from './once.ts'
import type {SolutionWriter} from './results-types.ts'

const escapeQuotes = createEscape({'"': '""'})
const lineEnd = '\r\n' // RFC 4180 §2

export function createCsvResultsWriter(variables: readonly string[]): SolutionWriter {
  const head = once(`${variables.map(field).join(',')}${lineEnd}`)
  return {
    write: texts => `${head()}${variables.map((_, index) => texts[index] ?? '').join(',')}${lineEnd}`,
    end: head,
  }
}

export function writeCsvBoolean(value: boolean): string {
  return `${value}${lineEnd}`
}

export function termCsv(term: Term): string {
  return field(term.termType === 'BlankNode' ? `_:${term.value}` : term.value)
}

function field(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${escapeQuotes(text)}"` : text
}
