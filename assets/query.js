/**
 * The query page: an editor instead of the text field, and the answer as a table, a graph and an explanation.
 *
 * At most so many rows are read for the page, whatever the size of the answer; a download has them all.
 */

import {readAnswer} from './answer.js'
import {createEditor} from './editor.js'
import {explain} from './explanation.js'
import {showTable} from './table.js'

const form = /** @type {HTMLFormElement} */ (document.querySelector('form[data-query]'))
const text = /** @type {HTMLTextAreaElement} */ (form.querySelector('textarea'))
const share = /** @type {HTMLAnchorElement} */ (form.querySelector('[data-share]'))
const run = /** @type {HTMLButtonElement} */ (form.querySelector('[data-run]'))
const answer = /** @type {HTMLElement} */ (document.querySelector('[data-answer]'))
const tabs = /** @type {HTMLElement} */ (answer.querySelector('[role=tablist]'))
const panels = /** @type {HTMLElement} */ (answer.querySelector('[data-panels]'))
const status = /** @type {HTMLElement} */ (answer.querySelector('[data-status]'))
/** @type {Readonly<Record<string, string>>} */
const prefixes = JSON.parse(form.dataset.prefixes ?? '{}')
const site = {base: form.dataset.base ?? location.origin, prefixes}
const platform = prefixes.c ?? ''

/** @type {AbortController | undefined} */
let running

readLink()
const editor = createEditor(text, {names: form.dataset.names ?? '', prefixes, run: () => void ask()})
share.hidden = false

form.addEventListener('submit', event => {
  text.value = editor.getValue()
  if (/** @type {HTMLElement | null} */ (event.submitter)?.dataset.download !== undefined) return // the browser sends it
  event.preventDefault()
  if (running === undefined) void ask()
  else running.abort()
})
share.addEventListener('click', event => {
  event.preventDefault()
  writeLink()
  void navigator.clipboard?.writeText(location.href).then(
    () => tell('The link is in the clipboard, and in the address above.'),
    () => tell('The link is in the address above.'),
  )
})
window.addEventListener('hashchange', () => {
  if (readLink()) editor.setValue(text.value)
})

/** What the link asks for; whether it asks for a query. */
function readLink() {
  const parameters = new URLSearchParams(location.hash.slice(1))
  const query = parameters.get('query')
  if (query === null) return false
  text.value = query
  for (const name of ['contexts', 'checksums']) box(name).checked = parameters.get(name) === '1'
  return true
}

function writeLink() {
  const parameters = new URLSearchParams({query: editor.getValue()})
  for (const name of ['contexts', 'checksums']) if (box(name).checked) parameters.set(name, '1')
  history.replaceState(null, '', `${location.pathname}#${parameters}`)
}

/** @param {string} name */
function box(name) {
  return /** @type {HTMLInputElement} */ (form.querySelector(`input[name="${name}"]`))
}

/** @param {string} message */
function tell(message) {
  answer.hidden = false
  status.textContent = message
}

/** Headers of a query, with the preferences that are ticked. */
function headers() {
  const include = [
    ...(box('contexts').checked ? [`${platform}PreferResultsContexts`] : []),
    ...(box('checksums').checked ? [`${platform}PreferDocumentChecksums`] : []),
  ]
  return {
    'Content-Type': 'application/sparql-query',
    ...(include.length === 0 ? {} : {Prefer: `include="${include.join(' ')}"`}),
  }
}

async function ask() {
  running?.abort()
  const control = new AbortController()
  running = control
  run.textContent = 'Stop'
  writeLink()
  tell('Asking …')
  panels.replaceChildren()
  tabs.replaceChildren()
  const query = editor.getValue()
  const begin = performance.now()
  try {
    const read = await readAnswer(form.action, {query, headers: headers(), signal: control.signal})
    const ms = Math.round(performance.now() - begin)
    if (read.form === 'problem') return showProblem(read.problem, query)
    tell(`${summary(read)} in ${ms} ms.`)
    showAnswer(read, query)
  } catch (error) {
    if (running === control)
      tell(control.signal.aborted ? 'Stopped.' : error instanceof Error ? error.message : String(error))
  } finally {
    if (running === control) {
      running = undefined
      run.textContent = 'Run'
    }
  }
}

/** @param {import('./answer.js').Answer} read */
function summary(read) {
  if (read.form === 'boolean') return read.value ? 'Yes' : 'No'
  const noun = read.form === 'graph' ? 'triple' : 'row'
  const count = `${read.rows.length.toLocaleString('en')} ${noun}${read.rows.length === 1 ? '' : 's'}`
  return read.isCut ? `The first ${count}, and there are more: a download has all of them;` : count
}

/**
 * @param {import('./answer.js').Problem} problem
 * @param {string} query
 */
function showProblem({detail, title, line, column}, query) {
  const place = line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `, column ${column}`})`
  tell(`${detail}${place}${title === undefined ? '' : ` · ${title}`}`)
  if (line !== undefined) editor.mark(line, column ?? 1)
  if (line === undefined) showTabs([explanationTab(query)])
}

/**
 * @param {import('./answer.js').Answer} read
 * @param {string} query
 */
function showAnswer(read, query) {
  const table = {name: 'Table', fill: (/** @type {HTMLElement} */ panel) => showTable(panel, read, site)}
  const graph = {
    name: 'Graph',
    fill: async (/** @type {HTMLElement} */ panel) => {
      const {drawGraph} = await import('./graph.js')
      drawGraph(panel, read, site)
    },
  }
  const isGraph = read.form === 'graph' && read.rows.length > 0
  showTabs([...(read.form === 'boolean' ? [] : [table]), ...(isGraph ? [graph] : []), explanationTab(query)])
}

/** @param {string} query */
function explanationTab(query) {
  return {
    name: 'Explanation',
    fill: (/** @type {HTMLElement} */ panel) => explain(panel, form.action, {query, headers: headers()}),
  }
}

/**
 * Tabs with their panels; a panel is filled when it is first looked at. Arrow keys go from tab to tab.
 *
 * @param {readonly {name: string, fill: (panel: HTMLElement) => void | Promise<void>}[]} views
 */
function showTabs(views) {
  const made = views.map(({name, fill}, index) => {
    const id = `page-tab-${index}`
    const tab = Object.assign(document.createElement('button'), {type: 'button', role: 'tab', id, textContent: name})
    const panel = Object.assign(document.createElement('div'), {role: 'tabpanel', id: `${id}-panel`, tabIndex: 0})
    panel.setAttribute('aria-labelledby', id)
    tab.setAttribute('aria-controls', panel.id)
    return {tab, panel, fill, isFilled: false}
  })
  const choose = (/** @type {number} */ chosen) => {
    for (const [index, one] of made.entries()) {
      const isChosen = index === chosen
      one.tab.setAttribute('aria-selected', String(isChosen))
      one.tab.tabIndex = isChosen ? 0 : -1
      one.panel.hidden = !isChosen
      if (!isChosen || one.isFilled) continue
      one.isFilled = true
      Promise.resolve(one.fill(one.panel)).catch(error => {
        one.panel.textContent = error instanceof Error ? error.message : String(error)
      })
    }
  }
  for (const [index, {tab}] of made.entries()) {
    tab.addEventListener('click', () => choose(index))
    tab.addEventListener('keydown', ({key}) => {
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
      if (step === 0) return
      const next = (index + step + made.length) % made.length
      choose(next)
      made[next]?.tab.focus()
    })
  }
  tabs.replaceChildren(...made.map(({tab}) => tab))
  panels.replaceChildren(...made.map(({panel}) => panel))
  answer.hidden = false
  // A yes or no has no table: its explanation waits until somebody asks for it.
  if (views[0]?.name === 'Explanation') for (const {panel, tab} of made) [panel.hidden, tab.tabIndex] = [true, 0]
  else choose(0)
}
