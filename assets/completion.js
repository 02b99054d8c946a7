/**
 * Completes the names of properties and classes in the fields of a form, by name or by label; and links, by the labels
 * of documents.
 */
import {make} from './dom.js'
import {createLabels} from './labels.js'
import {shortName} from './names.js'
import {suggestDocuments} from './suggestions.js'

const labelled = 300 // names whose labels are read

/**
 * @param {HTMLFormElement} form
 * @param {{names: string, endpoint: string, site: import('./names.js').Site}} context
 *   names: URL of the names in use; endpoint: for their labels
 */
export function completeNames(form, {names, endpoint, site}) {
  const lists = {properties: make('datalist', {id: 'page-properties'}), classes: make('datalist', {id: 'page-classes'})}
  form.append(lists.properties, lists.classes)
  let isFilled = false

  async function fill() {
    const response = await fetch(names, {headers: {Accept: 'application/json'}})
    if (!response.ok) return
    /** @type {Record<'properties' | 'classes', readonly string[]>} */
    const used = await response.json()
    const labels = createLabels(endpoint)
    await labels.load([...used.properties, ...used.classes].slice(0, labelled))
    for (const kind of /** @type {const} */ (['properties', 'classes'])) {
      const options = used[kind].map(iri => make('option', {value: shortName(iri, site)}, labels.of(iri) ?? ''))
      lists[kind].replaceChildren(...options)
    }
  }

  form.addEventListener('focusin', ({target}) => {
    const input = /** @type {HTMLInputElement} */ (target)
    const list = listFor(input)
    if (list === undefined) return
    input.setAttribute('list', list)
    if (isFilled) return
    isFilled = true
    void fill().catch(() => undefined)
  })
}

/**
 * The list that completes a field: properties, or classes.
 *
 * @param {HTMLInputElement} input
 */
function listFor(input) {
  if (['property', 'relation', 'inverse'].includes(input.name)) return 'page-properties'
  return input.name === 'type' ? 'page-classes' : undefined
}

/**
 * Suggests documents in the fields of a form whose value is a link.
 *
 * @param {HTMLFormElement} form
 * @param {string} endpoint  URL of the search
 */
export function completeLinks(form, endpoint) {
  form.addEventListener('focusin', ({target}) => {
    if (!(target instanceof HTMLTextAreaElement) || target.name !== 'value') return
    const row = target.closest('.row')
    const kind = row?.querySelector('[name=kind]')
    if (!(row instanceof HTMLElement) || !(kind instanceof HTMLSelectElement) || row.dataset.suggests === 'on') return
    row.dataset.suggests = 'on'
    suggestDocuments(target, {
      endpoint,
      place: row,
      isWanted: () => kind.value === 'link' && !/^\/|:/.test(target.value), // no path, IRI or prefixed name
      choose({path}) {
        target.value = path
        target.dispatchEvent(new Event('input', {bubbles: true}))
      },
    })
  })
}
