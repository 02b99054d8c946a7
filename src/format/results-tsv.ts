/**
 * Solutions to tab-separated values: every term as in Turtle, so nothing is lost.
 *
 * Numbers are written without quotes if Turtle reads them back as the same term. The format defines nothing for ASK;
 * the answer is one word, as in other implementations.
 * Sources: SPARQL 1.1 Query Results CSV and TSV Formats §4; Turtle §2.5.
 */

import type {Term} from '../rdf/term.ts'
import {xsd} from '../rdf/vocabulary.ts'
import {termText} from './ntriples-write.ts'
import {once} from './once.ts'
import type {SolutionWriter} from './results-types.ts'

const bareNumbers: Readonly<Record<string, RegExp>> = {
  [xsd.integer]: /^[+-]?[0-9]+$/,
  [xsd.decimal]: /^[+-]?[0-9]*\.[0-9]+$/,
  [xsd.double]: /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+$/,
}

export function createTsvResultsWriter(variables: readonly string[]): SolutionWriter {
  const head = once(`${variables.map(name => `?${name}`).join('\t')}\n`)
  return {
    write: texts => `${head()}${variables.map((_, index) => texts[index] ?? '').join('\t')}\n`,
    end: head,
  }
}

export function writeTsvBoolean(value: boolean): string {
  return `${value}\n`
}

export function termTsv(term: Term): string {
  const isBare = term.termType === 'Literal' && bareNumbers[term.datatype.value]?.test(term.value)
  return isBare ? term.value : termText(term)
}
