/**
 * Example queries about the data that is stored.
 *
 * @typedef {{properties?: readonly string[], classes?: readonly string[]}} UsedNames
 * @typedef {{name: string, text: () => string | Promise<string>}} Example
 * @typedef {(query: string) => Promise<readonly (readonly (import('./terms.js').Term | undefined)[])[]>} ReadRows
 */
import {shortName} from './names.js'

const shownClasses = 8
const shownProperties = 4
const shownColumns = 5

/** Namespaces whose terms describe the store and not its content. */
const technical = /\/(?:ldp|platform)#|22-rdf-syntax-ns#|rdf-schema#|owl#|shacl#|ns\/v1\//

/**
 * @param {UsedNames} used
 * @param {import('./names.js').Site} site
 * @param {ReadRows} read
 * @returns {readonly Example[]}
 */
export function examplesOf({properties = [], classes = []}, site, read) {
  const isOwn = (/** @type {string} */ iri) => !technical.test(iri)
  const {c = ''} = site.prefixes
  const document = written(`${c}Document`, site)
  const modified = written(`${c}modified`, site)
  return [
    fixed(
      'The newest documents',
      `SELECT ?document ?modified WHERE {\n  ?document a ${document} ; ${modified} ?modified .\n}\n` +
        'ORDER BY DESC(?modified)\nLIMIT 50',
      site,
    ),
    fixed(
      'How many there are of each class',
      'SELECT ?class (COUNT(?thing) AS ?things) WHERE {\n  ?thing a ?class .\n}\nGROUP BY ?class\nORDER BY DESC(?things)',
      site,
    ),
    ...classes
      .filter(isOwn)
      .slice(0, shownClasses)
      .map(iri => ({
        name: `${shortName(iri, site)} with its properties`,
        text: async () => classQuery(iri, await commonProperties(iri, read), site),
      })),
    ...properties
      .filter(isOwn)
      .slice(0, shownProperties)
      .map(iri =>
        fixed(
          `Frequent values of ${shortName(iri, site)}`,
          `SELECT ?value (COUNT(?thing) AS ?things) WHERE {\n  ?thing ${written(iri, site)} ?value .\n}\n` +
            'GROUP BY ?value\nORDER BY DESC(?things)\nLIMIT 20',
          site,
        ),
      ),
    ...classes
      .filter(isOwn)
      .slice(0, 1)
      .map(iri =>
        fixed(
          `${shortName(iri, site)} as a graph`,
          `CONSTRUCT {\n  ?thing ?property ?value .\n} WHERE {\n  ?thing a ${written(iri, site)} ; ?property ?value .\n}\nLIMIT 200`,
          site,
        ),
      ),
  ]
}

/**
 * The properties that things of a class most often have.
 *
 * @param {string} iri
 * @param {ReadRows} read
 */
async function commonProperties(iri, read) {
  const sample = `{ SELECT ?thing { ?thing a <${iri}> } LIMIT 50 }`
  const query = `SELECT ?property { ${sample} ?thing ?property ?value } GROUP BY ?property ORDER BY DESC(COUNT(*)) LIMIT 30`
  const rows = await read(query)
  return rows.flatMap(([property]) =>
    property === undefined || technical.test(property.value) ? [] : [property.value],
  )
}

/**
 * @param {string} iri
 * @param {readonly string[]} properties
 * @param {import('./names.js').Site} site
 */
function classQuery(iri, properties, site) {
  const names = new Set(['thing'])
  const columns = properties.slice(0, shownColumns).map(property => {
    const local = (/[\w-]*$/.exec(property)?.[0] ?? '').replace(/\W/g, '_').replace(/^(?=\d)/, '_') || 'value'
    let name = local
    for (let n = 2; names.has(name); n += 1) name = `${local}${n}`
    names.add(name)
    return {name, property}
  })
  const optional = columns.map(({name, property}) => `  OPTIONAL { ?thing ${written(property, site)} ?${name} }\n`)
  const variables = [...names].map(name => `?${name}`).join(' ')
  return withPrefixes(
    `SELECT ${variables} WHERE {\n  ?thing a ${written(iri, site)} .\n${optional.join('')}}\nLIMIT 100`,
    site,
  )
}

/**
 * @param {string} name
 * @param {string} text
 * @param {import('./names.js').Site} site
 */
function fixed(name, text, site) {
  return {name, text: () => withPrefixes(text, site)}
}

/**
 * An IRI as it is written in a query.
 *
 * @param {string} iri
 * @param {import('./names.js').Site} site
 */
function written(iri, site) {
  const name = shortName(iri, site)
  return /^[\w-]*:[\w-]+$/.test(name) ? name : `<${iri}>`
}

/**
 * Declares the prefixes that a query uses.
 *
 * @param {string} text
 * @param {import('./names.js').Site} site
 */
function withPrefixes(text, {prefixes}) {
  const used = Object.keys(prefixes).filter(prefix => new RegExp(`(?<![\\w<?-])${prefix}:`).test(text))
  return `${used.map(prefix => `PREFIX ${prefix}: <${prefixes[prefix]}>\n`).join('')}${used.length > 0 ? '\n' : ''}${text}`
}
