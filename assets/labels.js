/**
 * Labels of IRIs, read with a query and kept while the page is open.
 */
import {readAnswer} from './answer.js'
import {writeIri} from './terms.js'

/** In order of preference; the same as on the pages that the server renders. */
export const labelProperties = [
  'http://www.w3.org/2004/02/skos/core#prefLabel',
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://purl.org/dc/terms/title',
  'http://purl.org/dc/elements/1.1/title',
  'http://schema.org/name',
  'https://schema.org/name',
  'http://xmlns.com/foaf/0.1/name',
]
const askedAtOnce = 300

/** @typedef {{language: string, property: string, value: string}} Candidate */

/** @param {string} endpoint */
export function createLabels(endpoint) {
  /** @type {Map<string, string | undefined>} undefined: there is none */
  const known = new Map()

  /** @param {readonly string[]} iris */
  async function read(iris) {
    const query = `SELECT ?s ?p ?l {
      VALUES ?s { ${iris.map(writeIri).join(' ')} }
      VALUES ?p { ${labelProperties.map(writeIri).join(' ')} }
      ?s ?p ?l FILTER isLiteral(?l)
    } LIMIT 1500`
    const answer = await readAnswer(endpoint, {query, headers: {'Content-Type': 'application/sparql-query'}})
    for (const iri of iris) known.set(iri, undefined)
    if (answer.form !== 'rows') return
    /** @type {Map<string, Candidate[]>} */
    const found = new Map()
    for (const [subject, property, label] of answer.rows) {
      if (subject === undefined || property === undefined || label?.kind !== 'literal' || label.value === '') continue
      const candidates = found.get(subject.value) ?? []
      candidates.push({language: label.language.toLowerCase(), property: property.value, value: label.value})
      found.set(subject.value, candidates)
    }
    for (const [iri, candidates] of found) known.set(iri, best(candidates))
  }

  return {
    /** @param {string} iri */
    of: iri => known.get(iri),

    /**
     * Reads the labels that are not known yet. Without them the names of the IRIs are shown.
     *
     * @param {Iterable<string>} iris
     * @returns {Promise<boolean>}  whether there is a new label
     */
    async load(iris) {
      const missing = [...new Set(iris)].filter(iri => !known.has(iri)).slice(0, askedAtOnce)
      if (missing.length === 0) return false
      await read(missing).catch(() => undefined)
      return missing.some(iri => known.get(iri) !== undefined)
    },
  }
}

/**
 * The label in the most preferred language, and of these by the most preferred property.
 *
 * @param {readonly Candidate[]} candidates
 */
function best(candidates) {
  const languages = [...navigator.languages.map(tag => tag.toLowerCase().split('-')[0]), '', 'en']
  const rank = (/** @type {Candidate} */ {language, property}) => {
    const place = languages.indexOf(language.split('-')[0])
    return (place === -1 ? languages.length : place) * labelProperties.length + labelProperties.indexOf(property)
  }
  return [...candidates].sort((a, b) => rank(a) - rank(b))[0]?.value
}

/** @typedef {ReturnType<typeof createLabels>} Labels */
