/**
 * Finds the query that a document contains. The query page saves queries as such documents (assets/saved.js).
 *
 * Pure. Sources: SHACL §5 (sh:SPARQLExecutable); the SPARQL examples vocabulary of SIB for DESCRIBE, which SHACL lacks.
 */
import type {Properties} from './arrange.ts'

const sh = 'http://www.w3.org/ns/shacl#'
const queryProperties = [
  ...['select', 'ask', 'construct', 'update'].map(name => sh + name),
  'https://purl.expasy.org/sparql-examples/ontology#describe',
]

/** @param properties  of the document; @returns undefined if it contains no query */
export function savedQueryOf(properties: Properties): string | undefined {
  const [query] = queryProperties.flatMap(property => properties.get(property) ?? [])
  return query?.termType === 'Literal' ? query.value : undefined
}
