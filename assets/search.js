/**
 * Suggests documents in the search box of every page while somebody types.
 *
 * Follows the pattern "combobox with list autocomplete": arrow keys choose, Enter opens the document or searches.
 * Source: W3C, ARIA Authoring Practices Guide, Combobox.
 */
import {make} from './dom.js'
import {readSuggestions} from './suggestions.js'

const restMs = 150 // after a key, before suggestions are read

/** @param {HTMLFormElement} form */
function suggestIn(form) {
  const input = /** @type {HTMLInputElement | null} */ (form.elements.namedItem('q'))
  if (input === null) return
  const list = make('ul', {class: 'suggestions', id: 'page-suggestions', role: 'listbox', 'aria-label': 'Documents'})
  list.hidden = true
  form.append(list)
  const roles = {role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': list.id, 'aria-expanded': 'false'}
  for (const [name, value] of Object.entries(roles)) input.setAttribute(name, value)
  let chosen = -1
  let timer = 0
  let asking = new AbortController()

  const options = () => /** @type {HTMLElement[]} */ ([...list.children])

  /** @param {number} index  -1: none */
  function choose(index) {
    chosen = index
    for (const [place, option] of options().entries()) option.setAttribute('aria-selected', String(place === index))
    const option = options()[index]
    if (option === undefined) input?.removeAttribute('aria-activedescendant')
    else input?.setAttribute('aria-activedescendant', option.id)
    option?.scrollIntoView({block: 'nearest'})
  }

  /** @param {readonly import('./suggestions.js').Suggestion[]} suggestions */
  function show(suggestions) {
    list.replaceChildren(
      ...suggestions.map(({label, document, path}, index) => {
        const option = make('li', {role: 'option', id: `page-suggestion-${index}`, 'data-path': path, title: document})
        option.append(make('bdi', {}, label), make('span', {class: 'quiet'}, path))
        option.addEventListener('mousedown', event => event.preventDefault()) // the input keeps the focus
        option.addEventListener('click', () => location.assign(path))
        return option
      }),
    )
    list.hidden = suggestions.length === 0
    input?.setAttribute('aria-expanded', String(!list.hidden))
    choose(-1)
  }

  async function read() {
    asking.abort()
    asking = new AbortController()
    const {signal} = asking
    const found = await readSuggestions(form.action, input?.value ?? '', signal).catch(() => [])
    if (!signal.aborted) show(found)
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void read(), restMs)
  })
  input.addEventListener('blur', () => show([]))
  form.addEventListener('submit', () => clearTimeout(timer))
  input.addEventListener('keydown', event => {
    const {length} = list.children
    if (event.key === 'Escape' && !list.hidden) show([])
    else if (event.key === 'ArrowDown' && length > 0) choose(chosen === length - 1 ? -1 : chosen + 1)
    else if (event.key === 'ArrowUp' && length > 0) choose(chosen === -1 ? length - 1 : chosen - 1)
    else if (event.key === 'Enter' && chosen !== -1) location.assign(options()[chosen]?.dataset.path ?? '')
    else return
    event.preventDefault()
  })
}

for (const form of document.querySelectorAll('form[data-suggest]')) suggestIn(/** @type {HTMLFormElement} */ (form))
