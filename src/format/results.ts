/** The formats for the solutions of SELECT and the answer of ASK, in order of preference. */
import {formatsNamespace} from './formats.ts'
import {createCsvResultsWriter, writeCsvBoolean} from './results-csv.ts'
import {createJsonResultsWriter, writeJsonBoolean} from './results-json.ts'
import {createTsvResultsWriter, writeTsvBoolean} from './results-tsv.ts'
import type {ResultsFormat} from './results-types.ts'
import {createXmlResultsWriter, writeXmlBoolean} from './results-xml.ts'

export const resultsFormats: readonly ResultsFormat[] = [
  {
    id: 'results-json',
    name: 'JSON',
    iri: `${formatsNamespace}SPARQL_Results_JSON`,
    mediaTypes: ['application/sparql-results+json', 'application/json'],
    charset: false,
    createWriter: createJsonResultsWriter,
    writeBoolean: writeJsonBoolean,
  },
  {
    id: 'results-xml',
    name: 'XML',
    iri: `${formatsNamespace}SPARQL_Results_XML`,
    mediaTypes: ['application/sparql-results+xml', 'application/xml', 'text/xml'],
    charset: false, // the XML declaration has the encoding
    createWriter: createXmlResultsWriter,
    writeBoolean: writeXmlBoolean,
  },
  {
    id: 'results-csv',
    name: 'CSV',
    iri: `${formatsNamespace}SPARQL_Results_CSV`,
    mediaTypes: ['text/csv'],
    charset: true,
    createWriter: createCsvResultsWriter,
    writeBoolean: writeCsvBoolean,
  },
  {
    id: 'results-tsv',
    name: 'TSV',
    iri: `${formatsNamespace}SPARQL_Results_TSV`,
    mediaTypes: ['text/tab-separated-values'],
    charset: true,
    createWriter: createTsvResultsWriter,
    writeBoolean: writeTsvBoolean,
  },
]
