/**
 * Prepares the form for a child: its type, and fields for the properties that its siblings have.
 */
import {readAnswer} from './answer.js'
import {appendField} from './fields.js'
import {labelProperties} from './labels.js'
import {shortName} from './names.js'
import {writeIri, xsd} from './terms.js'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const rdfType = `${rdf}type`
const technical = /\/(?:ldp|platform)#/
const shownProperties = 8

/**
 * @param {HTMLFormElement} form
 * @param {{endpoint: string, parent: string, site: import('./names.js').Site}} context
 */
export async function likeSiblings(form, {endpoint, parent, site}) {
  const siblings = `{ SELECT ?s { ${writeIri(parent)} <http://www.w3.org/ns/ldp#contains> ?s } LIMIT 20 }`
  const query = `SELECT ?p (SAMPLE(?o) AS ?value) (COUNT(?cell) AS ?lists)
    { ${siblings} ?s ?p ?o OPTIONAL { ?o ${writeIri(`${rdf}first`)} ?item BIND (?o AS ?cell) } }
    GROUP BY ?p ORDER BY DESC(COUNT(*)) LIMIT 40`
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
  for (const [property, value, lists] of others.slice(0, shownProperties))
    addValue(
      form,
      {property: shortName(property?.value ?? '', site), kind: kindOf(value, lists?.value !== '0'), value},
      site,
    )
}

/**
 * Adds empty fields for a property. They have the kind of value that a sibling has.
 *
 * @param {HTMLFormElement} form
 * @param {{property: string, kind: string, value: import('./terms.js').Term | undefined}} like
 * @param {import('./names.js').Site} site
 */
function addValue(form, {property, kind, value}, site) {
  const fieldset = /** @type {HTMLElement} */ (form.querySelector(':scope > [data-subject]'))
  const isNested = kind === 'list' || kind === 'node'
  const added = appendField(fieldset, isNested ? kind : 'property')
  const set = (/** @type {string} */ name, /** @type {string} */ text) => {
    const input = /** @type {HTMLInputElement} */ (added.querySelector(`[name="${name}"]`))
    input.value = input.defaultValue = text
  }
  set('property', property)
  added.dataset.proposed = ''
  if (isNested) return
  const select = /** @type {HTMLSelectElement} */ (added.querySelector('[name=kind]'))
  select.value = kind
  if (value?.kind === 'literal')
    set('detail', value.language || (kind === 'typed' ? shortName(value.datatype, site) : ''))
}

/**
 * The kind of fields for values such as one that a sibling has.
 *
 * @param {import('./terms.js').Term | undefined} value
 * @param {boolean} hasLists  whether lists are among the values
 */
function kindOf(value, hasLists) {
  if (value?.kind === 'blank') return hasLists ? 'list' : 'node'
  if (value?.kind !== 'literal') return value?.value === `${rdf}nil` ? 'list' : 'link'
  if (value.language !== '') return 'language'
  return value.datatype === `${xsd}string` ? 'text' : 'typed'
}
