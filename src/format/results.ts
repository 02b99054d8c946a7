/** The formats for the solutions of SELECT and the answer of ASK, in order of preference. */
import {formatsNamespace} from './formats.ts'
import {createCsvResultsWriter, termCsv, writeCsvBoolean} from './results-csv.ts'
import {createJsonResultsWriter, termJson, writeJsonBoolean} from './results-json.ts'
import {createTsvResultsWriter, termTsv, writeTsvBoolean} from './results-tsv.ts'
import type {ResultsFormat, SolutionRow, SolutionTexts} from './results-types.ts'
import {createXmlResultsWriter, termXml, writeXmlBoolean} from './results-xml.ts'

export const resultsFormats: readonly ResultsFormat[] = [
  {
    id: 'results-json',
    name: 'JSON',
    iri: `${formatsNamespace}SPARQL_Results_JSON`,
    mediaTypes: ['application/sparql-results+json', 'application/json'],
    charset: false,
    termText: termJson,
    createWriter: createJsonResultsWriter,
    writeBoolean: writeJsonBoolean,
  },
  {
    id: 'results-xml',
    name: 'XML',
    iri: `${formatsNamespace}SPARQL_Results_XML`,
    mediaTypes: ['application/sparql-results+xml', 'application/xml', 'text/xml'],
    charset: false, // the XML declaration has the encoding
    termText: termXml,
    createWriter: createXmlResultsWriter,
    writeBoolean: writeXmlBoolean,
  },
  {
    id: 'results-csv',
    name: 'CSV',
    iri: `${formatsNamespace}SPARQL_Results_CSV`,
    mediaTypes: ['text/csv'],
    charset: true,
    termText: termCsv,
    createWriter: createCsvResultsWriter,
    writeBoolean: writeCsvBoolean,
  },
  {
    id: 'results-tsv',
    name: 'TSV',
    iri: `${formatsNamespace}SPARQL_Results_TSV`,
    mediaTypes: ['text/tab-separated-values'],
    charset: true,
    termText: termTsv,
    createWriter: createTsvResultsWriter,
    writeBoolean: writeTsvBoolean,
  },
]

/** A solution whose terms are written in a format. */
export function solutionTexts(row: SolutionRow, {termText}: Pick<ResultsFormat, 'termText'>): SolutionTexts {
  return row.map(term => (term === undefined ? undefined : termText(term)))
}
