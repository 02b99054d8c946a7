/**
 * The menus of the query page: examples from stored data, saved queries, and the history of this browser.
 */
import {readAnswer} from './answer.js'
import {button, make} from './dom.js'
import {examplesOf} from './examples.js'
import {close} from './menus.js'
import {queryTitle} from './query-kind.js'
import {savedQueries} from './saved.js'

/**
 * @typedef {object} MenuContext
 * @property {string} endpoint
 * @property {import('./names.js').Site} site
 * @property {Promise<import('./examples.js').UsedNames>} used
 * @property {{history: () => readonly import('./drafts.js').Past[], forget: () => void}} history
 * @property {(query: string) => void} openQuery
 */

/**
 * Fills each menu when it is opened.
 *
 * @param {HTMLElement} form
 * @param {MenuContext} context
 */
export function createQueryMenus(form, {endpoint, site, used, history, openQuery}) {
  const read = async (/** @type {string} */ query) => {
    const answer = await readAnswer(endpoint, {query, headers: {'Content-Type': 'application/sparql-query'}})
    return answer.form === 'rows' ? answer.rows : []
  }
  const fillers = {examples: fillExamples, saved: fillSaved, history: fillHistory}
  for (const [name, fill] of Object.entries(fillers)) {
    const menu = /** @type {HTMLElement} */ (form.querySelector(`[data-menu="${name}"]`))
    const place = /** @type {HTMLElement} */ (menu.querySelector('[data-items]'))
    menu.addEventListener('toggle', () => {
      if (menu.hasAttribute('open')) void Promise.resolve(fill(place, menu)).catch(() => say(place, 'Not available.'))
    })
  }

  /**
   * @param {HTMLElement} menu
   * @param {string} name
   * @param {() => string | Promise<string>} text
   * @param {string} [aside]
   */
  function item(menu, name, text, aside = '') {
    const open = async () => {
      close(menu)
      openQuery(await text())
    }
    const entry = button(name, () => void open())
    if (aside !== '') entry.append(make('span', {class: 'quiet'}, aside))
    return make('li', {}, entry)
  }

  /**
   * @param {HTMLElement} place
   * @param {HTMLElement} menu
   */
  async function fillExamples(place, menu) {
    const examples = examplesOf(await used, site, read)
    place.replaceChildren(make('ul', {}, ...examples.map(({name, text}) => item(menu, name, text))))
  }

  /**
   * @param {HTMLElement} place
   * @param {HTMLElement} menu
   */
  async function fillSaved(place, menu) {
    say(place, 'Asking …')
    const items = (await read(savedQueries)).flatMap(([document, title, text]) => {
      if (document === undefined || text === undefined) return []
      const path = document.value.replace(/^https?:\/\/[^/]*/i, '')
      return [item(menu, title?.value ?? queryTitle(text.value), () => text.value, path)]
    })
    if (items.length === 0) say(place, 'No query is saved yet.')
    else place.replaceChildren(make('ul', {}, ...items))
  }

  /**
   * @param {HTMLElement} place
   * @param {HTMLElement} menu
   */
  function fillHistory(place, menu) {
    const past = history.history()
    if (past.length === 0) return say(place, 'No query has been run in this browser yet.')
    const items = past.map(({text, time, outcome}) =>
      item(menu, queryTitle(text), () => text, `${new Date(time).toLocaleString()} · ${outcome}`),
    )
    const forget = () => {
      history.forget()
      fillHistory(place, menu)
    }
    place.replaceChildren(make('ul', {}, ...items), button('Forget all of them', forget))
  }
}

/**
 * @param {HTMLElement} place
 * @param {string} sentence
 */
function say(place, sentence) {
  place.replaceChildren(make('p', {class: 'quiet'}, sentence))
}
