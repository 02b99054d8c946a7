/**
 * Suggests documents by their labels for what somebody types in a field (docs/search.md).
 *
 * Arrow keys choose a suggestion, Enter takes it, Escape closes the list.
 * Source: W3C, ARIA Authoring Practices Guide, Combobox with list autocomplete.
 *
 * @typedef {{document: string, label: string, path: string}} Suggestion  path: of the document on this host
 */
import {make} from './dom.js'

const shortest = 2 // characters
const restMs = 150 // after a key, before suggestions are read
let made = 0

/**
 * @param {HTMLInputElement | HTMLTextAreaElement} input
 * @param {object} how
 * @param {string} how.endpoint  URL of the search
 * @param {HTMLElement} how.place  gets the list
 * @param {(suggestion: Suggestion) => void} how.choose
 * @param {() => boolean} [how.isWanted]
 */
export function suggestDocuments(input, {endpoint, place, choose, isWanted = () => true}) {
  made += 1
  const id = `page-suggestions-${made}`
  const list = make('ul', {class: 'suggestions', id, role: 'listbox', 'aria-label': 'Documents'})
  list.hidden = true
  place.append(list)
  input.setAttribute('aria-autocomplete', 'list')
  input.setAttribute('aria-controls', id)
  let [chosen, timer, asking] = [-1, 0, new AbortController()]
  /** @type {readonly Suggestion[]} */
  let shown = []
  mark(-1)

  /** @param {number} index  -1: none */
  function mark(index) {
    chosen = index
    for (const [at, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(at === index))
    if (input.getAttribute('role') === 'combobox') input.setAttribute('aria-expanded', String(!list.hidden))
    if (index === -1) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `${id}-${index}`)
    list.children[index]?.scrollIntoView({block: 'nearest'})
  }

  /** @param {readonly Suggestion[]} suggestions */
  function show(suggestions) {
    shown = suggestions
    list.replaceChildren(
      ...suggestions.map((suggestion, index) => {
        const option = make('li', {role: 'option', id: `${id}-${index}`, title: suggestion.document})
        option.append(make('bdi', {}, suggestion.label), make('span', {class: 'quiet'}, suggestion.path))
        option.addEventListener('mousedown', event => event.preventDefault()) // the field keeps the focus
        option.addEventListener('click', () => take(suggestion))
        return option
      }),
    )
    list.hidden = suggestions.length === 0
    mark(-1)
  }

  /** @param {Suggestion} suggestion */
  function take(suggestion) {
    show([])
    choose(suggestion)
  }

  async function read() {
    asking.abort()
    asking = new AbortController()
    const {signal} = asking
    const found = isWanted() ? await readSuggestions(endpoint, input.value, signal).catch(() => []) : []
    if (!signal.aborted) show(found)
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void read(), restMs)
  })
  input.addEventListener('blur', () => {
    clearTimeout(timer)
    asking.abort()
    show([])
  })
  input.addEventListener('keydown', event => {
    const key = /** @type {KeyboardEvent} */ (event).key
    const {length} = shown
    const suggestion = shown[chosen]
    if (key === 'Escape' && length > 0) show([])
    else if (key === 'ArrowDown' && length > 0) mark(chosen === length - 1 ? -1 : chosen + 1)
    else if (key === 'ArrowUp' && length > 0) mark(chosen === -1 ? length - 1 : chosen - 1)
    else if (key === 'Enter' && suggestion !== undefined) take(suggestion)
    else return
    event.preventDefault()
  })
}

/**
 * @param {string} endpoint
 * @param {string} typed
 * @param {AbortSignal} signal
 * @returns {Promise<readonly Suggestion[]>}
 */
async function readSuggestions(endpoint, typed, signal) {
  const suggest = typed.trim()
  if (suggest.length < shortest || suggest.length > 500) return []
  const response = await fetch(`${endpoint}?${new URLSearchParams({suggest})}`, {
    headers: {Accept: 'application/json'},
    signal,
  })
  if (!response.ok) return []
  /** @type {{suggestions: readonly {document: string, label: string}[]}} */
  const {suggestions} = await response.json()
  return suggestions.map(({document, label}) => ({
    document,
    label,
    path: document.replace(/^https?:\/\/[^/]*(?=\/(?!\/))/i, ''),
  }))
}
