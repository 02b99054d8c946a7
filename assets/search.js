/**
 * Suggests documents in the search box of every page while somebody types. Choosing one opens it; Enter searches.
 */
import {suggestDocuments} from './suggestions.js'

for (const element of document.querySelectorAll('form[data-suggest]')) {
  const form = /** @type {HTMLFormElement} */ (element)
  const input = /** @type {HTMLInputElement} */ (form.elements.namedItem('q'))
  input.setAttribute('role', 'combobox')
  suggestDocuments(input, {endpoint: form.action, place: form, choose: ({path}) => location.assign(path)})
}
