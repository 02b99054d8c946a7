/**
 * Prepares the form for a child: its type, and fields for the properties that its siblings have.
 */
import {readAnswer} from './answer.js'
import {labelProperties} from './labels.js'
import {shortName} from './names.js'
import {writeIri, xsd} from './terms.js'

const rdfType = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'
const technical = /\/(?:ldp|platform)#/
const shownProperties = 8

/**
 * @param {HTMLFormElement} form
 * @param {{endpoint: string, parent: string, site: import('./names.js').Site}} context
 */
export async function likeSiblings(form, {endpoint, parent, site}) {
  const siblings = `{ SELECT ?s { ${writeIri(parent)} <http://www.w3.org/ns/ldp#contains> ?s } LIMIT 20 }`
  const query = `SELECT ?p (SAMPLE(?o) AS ?value) (COUNT(*) AS ?times) { ${siblings} ?s ?p ?o }
    GROUP BY ?p ORDER BY DESC(?times) LIMIT 40`
  const types = `SELECT ?o (COUNT(*) AS ?times) { ${siblings} ?s ${writeIri(rdfType)} ?o } GROUP BY ?o ORDER BY DESC(?times)`
  const headers = {'Content-Type': 'application/sparql-query'}
  const [properties, classes] = await Promise.all([
    readAnswer(endpoint, {query, headers}),
    readAnswer(endpoint, {query: types, headers}),
  ])
  if (properties.form !== 'rows' || classes.form !== 'rows') return
  const type = classes.rows.find(([one]) => one !== undefined && !technical.test(one.value))?.[0]
  const input = /** @type {HTMLInputElement} */ (form.querySelector('[name=type]'))
  if (type !== undefined && input.value === '') input.value = shortName(type.value, site)

  const label = /** @type {HTMLInputElement} */ (form.querySelector('[name=label]'))
  const language = /** @type {HTMLInputElement} */ (form.querySelector('[name=language]'))
  const used = properties.rows.filter(([property]) => property !== undefined && !technical.test(property.value))
  const named = used.find(([property]) => labelProperties.includes(property?.value ?? ''))
  if (named?.[0] !== undefined) label.dataset.property = named[0].value
  if (named?.[1]?.kind === 'literal' && language.value === '') language.value = named[1].language

  const others = used.filter(([property]) => property?.value !== rdfType && property !== named?.[0])
  for (const [property, value] of others.slice(0, shownProperties)) addRow(form, property?.value ?? '', value, site)
}

/**
 * Adds an empty row for a property. It has the kind of value that a sibling has.
 *
 * @param {HTMLFormElement} form
 * @param {string} property
 * @param {import('./terms.js').Term | undefined} value
 * @param {import('./names.js').Site} site
 */
function addRow(form, property, value, site) {
  const template = /** @type {HTMLTemplateElement} */ (document.querySelector('template[data-new=property]'))
  const row = /** @type {DocumentFragment} */ (template.content.cloneNode(true))
  const set = (/** @type {string} */ name, /** @type {string} */ text) => {
    const input = /** @type {HTMLInputElement} */ (row.querySelector(`[name="${name}"]`))
    input.value = input.defaultValue = text
  }
  set('property', shortName(property, site))
  const kind = /** @type {HTMLSelectElement} */ (row.querySelector('[name=kind]'))
  kind.value = kindOf(value)
  if (value?.kind === 'literal')
    set('detail', value.language || (kind.value === 'typed' ? shortName(value.datatype, site) : ''))
  form.querySelector('[data-rows]')?.append(row)
}

/** @param {import('./terms.js').Term | undefined} value */
function kindOf(value) {
  if (value?.kind !== 'literal') return 'link'
  if (value.language !== '') return 'language'
  return value.datatype === `${xsd}string` ? 'text' : 'typed'
}
