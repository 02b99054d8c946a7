/**
 * Names of formats in pages, by their ids.
 *
 * Pure.
 */
const names: Readonly<Record<string, string>> = {
  turtle: 'Turtle',
  'json-ld': 'JSON-LD',
  trig: 'TriG',
  'rdf-xml': 'RDF/XML',
  'n-triples': 'N-Triples',
  'n-quads': 'N-Quads',
  binary: 'Binary RDF',
  trix: 'TriX',
  'rdf-json': 'RDF/JSON',
  n3: 'N3',
  'results-json': 'JSON',
  'results-xml': 'XML',
  'results-csv': 'CSV',
  'results-tsv': 'TSV',
}

export function nameOfFormat(id: string): string {
  return names[id] ?? id
}
