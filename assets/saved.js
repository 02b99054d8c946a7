/**
 * Queries saved as documents, in the vocabulary of SHACL, so that other tools read them too.
 *
 * Sources: SHACL §5.1 (sh:SPARQLExecutable); the SPARQL examples vocabulary of SIB for DESCRIBE, which SHACL lacks.
 *
 * @typedef {{path: string, title: string, text: string}} Saved
 */
import {readProblem} from './answer.js'
import {queryKind} from './query-kind.js'
import {writeIri, writeText} from './terms.js'

const sh = 'http://www.w3.org/ns/shacl#'
const spex = 'https://purl.expasy.org/sparql-examples/ontology#'
const dct = 'http://purl.org/dc/terms/'

/** Class and property of each form of query. */
const terms = {
  select: [`${sh}SPARQLSelectExecutable`, `${sh}select`],
  ask: [`${sh}SPARQLAskExecutable`, `${sh}ask`],
  construct: [`${sh}SPARQLConstructExecutable`, `${sh}construct`],
  update: [`${sh}SPARQLUpdateExecutable`, `${sh}update`],
  describe: [`${spex}SPARQLDescribeExecutable`, `${spex}describe`],
}

/** The query whose answer is the saved queries: path, title and text of each. */
export const savedQueries = `SELECT ?document ?title ?text {
  ?document a ${writeIri(`${sh}SPARQLExecutable`)} ; ?property ?text .
  VALUES ?property { ${Object.values(terms)
    .map(([, property = '']) => writeIri(property))
    .join(' ')} }
  OPTIONAL { ?document ${writeIri(`${dct}title`)} ?title }
  FILTER isIRI(?document)
} ORDER BY ?title LIMIT 500`

/**
 * Saves a query in a container, which is created if it does not exist.
 *
 * @param {{text: string, title: string, container: string}} query  container: its URL
 * @returns {Promise<{location: string} | {problem: import('./answer.js').Problem}>}
 */
export async function saveQuery({text, title, container}) {
  const kind = queryKind(text)
  const known = kind === 'unknown' ? undefined : terms[kind]
  const types = [`${sh}SPARQLExecutable`, ...(known === undefined ? [] : [known[0] ?? ''])].map(writeIri).join(', ')
  const property = writeIri(known?.[1] ?? `${sh}select`)
  const body = `<> a ${types} ; ${writeIri(`${dct}title`)} ${writeText(title)} ; ${property} ${writeText(text)} .`
  const slug = title
    .normalize('NFD')
    .replace(/[^\w]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 60)
  const turtle = {'Content-Type': 'text/turtle', Accept: 'application/problem+json'}
  const headers = {...turtle, ...(slug === '' ? {} : {Slug: slug})}
  let response = await fetch(container, {method: 'POST', headers, body})
  if (response.status === 404) {
    const created = await fetch(container, {
      method: 'PUT',
      headers: {...turtle, 'If-None-Match': '*'},
      body: `<> ${writeIri(`${dct}title`)} "Queries"@en .`,
    })
    if (!created.ok && created.status !== 412) return {problem: await readProblem(created)}
    response = await fetch(container, {method: 'POST', headers, body})
  }
  const location = response.headers.get('Location')
  return response.ok && location !== null ? {location} : {problem: await readProblem(response)}
}
