/**
 * Solutions to tab-separated values: every term as in Turtle, so nothing is lost.
 *
 * Numbers are written without quotes if Turtle reads them back as the same term. The format defines nothing for ASK;
 * the answer is one word, as in other implementations.
 * Sources: SPARQL 1.1 Query Results CSV and TSV Formats §4; Turtle §2.5.
 */
import type {Literal, Term} from '../rdf/term.ts'
import {xsd} from '../rdf/vocabulary.ts'
import {blankText, iriText, quotedText} from './ntriples-write.ts'
import {once} from './once.ts'
import type {SolutionWriter} from './results-types.ts'

const bareNumbers: Readonly<Record<string, RegExp>> = {
  [xsd.integer]: /^[+-]?[0-9]+$/,
  [xsd.decimal]: /^[+-]?[0-9]*\.[0-9]+$/,
  [xsd.double]: /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+$/,
}

export function createTsvResultsWriter(variables: readonly string[]): SolutionWriter {
  const head = once(`${variables.map(name => `?${name}`).join('\t')}\n`)
  const cell = (term: Term | undefined) => (term === undefined ? '' : termText(term))
  return {
    write: row => `${head()}${variables.map((_, index) => cell(row[index])).join('\t')}\n`,
    end: head,
  }
}

export function writeTsvBoolean(value: boolean): string {
  return `${value}\n`
}

function termText(term: Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return iriText(term.value)
    case 'BlankNode':
      return blankText(term.value)
    case 'Literal':
      return literalText(term)
  }
}

function literalText(term: Literal): string {
  if (term.language !== '') return `${quotedText(term.value)}@${term.language}`
  if (term.datatype.value === xsd.string) return quotedText(term.value)
  if (bareNumbers[term.datatype.value]?.test(term.value)) return term.value
  return `${quotedText(term.value)}^^${iriText(term.datatype.value)}`
}
