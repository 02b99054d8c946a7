/**
 * The query page: queries in tabs, an editor, and the answer of each query below it.
 *
 * The texts of all tabs and the last hundred executed queries are kept in the browser. A link to the page opens its query
 * in a tab of its own.
 */
import './menus.js'
import {createPane} from './answer-pane.js'
import {askUser} from './dialogs.js'
import {make} from './dom.js'
import {download} from './download.js'
import {openDrafts} from './drafts.js'
import {createEditor} from './editor.js'
import {createLabels} from './labels.js'
import {queryKind, queryTitle} from './query-kind.js'
import {createQueryMenus} from './query-menus.js'
import {createQueryTabs} from './query-tabs.js'
import {saveQuery} from './saved.js'

/** @typedef {import('./answer-pane.js').Pane} Pane */

const form = /** @type {HTMLFormElement} */ (document.querySelector('form[data-query]'))
const text = /** @type {HTMLTextAreaElement} */ (form.querySelector('textarea'))
const runButton = /** @type {HTMLButtonElement} */ (form.querySelector('[data-run]'))
const formats = /** @type {HTMLSelectElement} */ (form.querySelector('[name=format]'))
const downloads = /** @type {HTMLElement} */ (form.querySelector('.download'))
const answers = /** @type {HTMLElement} */ (document.querySelector('[data-answers]'))
const notice = /** @type {HTMLElement} */ (document.querySelector('[data-notice]'))
/** @type {Readonly<Record<string, string>>} */
const prefixes = JSON.parse(form.dataset.prefixes ?? '{}')
const site = {base: form.dataset.base ?? location.origin, prefixes}
const endpoint = form.action
const labels = createLabels(endpoint)
const groups = Array.from(formats.querySelectorAll('optgroup'))

/** @type {Promise<import('./examples.js').UsedNames>} */
const used = fetch(form.dataset.names ?? '', {headers: {Accept: 'application/json'}})
  .then(response => (response.ok ? response.json() : {}))
  .catch(() => ({}))

const drafts = openDrafts(site.base)
/** @type {Map<string, Pane>} by the id of the draft */
const panes = new Map()
const first = {text: text.value, contexts: false, checksums: false}
let chosen = chosenDraft()
const drawTabs = createQueryTabs(/** @type {HTMLElement} */ (document.querySelector('[data-query-tabs]')), {
  choose: open,
  close,
  begin: () => openQuery(''),
})
text.value = chosen.text
const editor = createEditor(text, {used, prefixes, run: () => void run(), changed: keep})
createQueryMenus(form, {endpoint, site, used, history: drafts, openQuery})
show(chosen)
for (const part of document.querySelectorAll('[data-scripted]')) part.removeAttribute('hidden')
if (isRequested()) void run()

/** The draft of the link, the one of this window, the last one, or a new one. */
function chosenDraft() {
  const linked = linkedQuery()
  const list = drafts.list()
  if (linked !== undefined) return list.find(one => one.text === linked.text) ?? drafts.add(linked)
  return list.find(({id}) => id === drafts.chosen()) ?? list.at(-1) ?? drafts.add(first)
}

/** The query of the URL, in its fragment or as a parameter of the protocol; undefined if it has none. */
function linkedQuery() {
  const parameters = new URLSearchParams(location.hash.slice(1) || location.search)
  const query = parameters.get('query')
  if (query === null) return undefined
  return {
    text: query,
    contexts: parameters.get('contexts') === '1',
    checksums: parameters.get('checksums') === '1',
  }
}

/** Whether the URL is a request of the protocol, which has a query to answer. */
function isRequested() {
  const kind = queryKind(chosen.text)
  return !location.hash && new URLSearchParams(location.search).has('query') && kind !== 'update' && kind !== 'unknown'
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

/**
 * Shows a draft with its answer.
 *
 * @param {import('./drafts.js').Draft} draft
 */
function show(draft) {
  chosen = draft
  drafts.choose(draft.id)
  if (editor.getValue() !== draft.text) editor.open(draft.text)
  box('contexts').checked = draft.contexts
  box('checksums').checked = draft.checksums
  answers.replaceChildren(paneOf(draft.id).element)
  draw()
}

function draw() {
  drawTabs(drafts.list(), chosen.id)
  const kind = queryKind(chosen.text)
  const isUpdate = kind === 'update'
  runButton.textContent = paneOf(chosen.id).isRunning() ? 'Stop' : isUpdate ? 'Run the update …' : 'Run'
  downloads.hidden = isUpdate
  const isGraph = kind === 'construct' || kind === 'describe'
  const fitting = kind === 'unknown' ? groups : [groups[isGraph ? 1 : 0] ?? '']
  const format = formats.value
  formats.replaceChildren(...fitting)
  if (Array.from(formats.options, ({value}) => value).includes(format)) formats.value = format
  else formats.selectedIndex = 0
}

/** @param {string} id */
function paneOf(id) {
  const known = panes.get(id)
  if (known !== undefined) return known
  const pane = createPane({
    endpoint,
    errors: form.dataset.errors ?? '',
    site,
    labels,
    markProblem: ({line = 1, column = 1}) => id === chosen.id && editor.mark(line, column),
    correct: ({line = 1, column = 1, suggestion = ''}) => {
      editor.replace(line, column, suggestion)
      pane.tell('Corrected.')
      void run()
    },
    changed: draw,
  })
  panes.set(id, pane)
  return pane
}

/** Keeps what the editor and the boxes have. */
function keep() {
  const value = editor.getValue()
  chosen = {...chosen, text: value, contexts: box('contexts').checked, checksums: box('checksums').checked}
  const isKept = drafts.keep(chosen)
  notice.textContent = isKept ? '' : 'This browser does not store your queries. They are lost when you close the page.'
  draw()
}

/** @param {string} id */
function open(id) {
  const draft = drafts.list().find(one => one.id === id)
  if (draft !== undefined) show(draft)
}

/**
 * Opens a query in a new tab, or in the tab that has it.
 *
 * @param {string} query
 */
function openQuery(query) {
  const same = drafts.list().find(one => one.text === query)
  show(same ?? drafts.add({text: query, contexts: false, checksums: false}))
}

/**
 * Closes a tab. The history keeps its text.
 *
 * @param {string} id
 */
function close(id) {
  const list = drafts.list()
  const index = list.findIndex(one => one.id === id)
  drafts.remember(list[index]?.text ?? '', 'Closed')
  drafts.remove(id)
  panes.get(id)?.stop()
  panes.delete(id)
  const next = list[index + 1] ?? list[index - 1]
  if (id === chosen.id) show(next ?? drafts.add(first))
  else draw()
}

/** Headers of a query, with the preferences that are ticked. */
function headers() {
  const platform = prefixes.c ?? ''
  const include = [
    ...(box('contexts').checked ? [`${platform}PreferResultsContexts`] : []),
    ...(box('checksums').checked ? [`${platform}PreferDocumentChecksums`] : []),
  ]
  return {
    'Content-Type': 'application/sparql-query',
    ...(include.length === 0 ? {} : {Prefer: `include="${include.join(' ')}"`}),
  }
}

async function run() {
  const pane = paneOf(chosen.id)
  const query = editor.getValue()
  if (queryKind(query) === 'update' && !(await isConfirmed(query))) return
  writeLink()
  drafts.remember(query, '')
  const isUpdate = queryKind(query) === 'update'
  const outcome = await (isUpdate ? pane.update(query) : pane.ask({query, headers: headers()}))
  if (outcome !== undefined) drafts.remember(query, outcome)
}

/** @param {string} update */
function isConfirmed(update) {
  return askUser(
    {title: 'Run this update?', action: 'Run the update', isDanger: true},
    make('p', {}, 'It changes stored data at once. There is no undo.'),
    make('pre', {class: 'code excerpt', tabindex: 0}, update.length > 5000 ? `${update.slice(0, 5000)}…` : update),
  )
}

async function save() {
  const name = make('input', {name: 'title', required: true, value: queryTitle(editor.getValue()), maxlength: 200})
  const container = make('input', {name: 'container', required: true, value: `${new URL(site.base).pathname}queries/`})
  const fields = [make('label', {}, 'Title', name), make('label', {}, 'In the container', container)]
  const note = make('p', {class: 'quiet'}, 'The query becomes a document, which you can share, edit and delete.')
  if (!(await askUser({title: 'Save the query', action: 'Save'}, note, ...fields))) return
  const place = new URL(container.value.replace(/\/*$/, '/'), site.base).href
  const pane = paneOf(chosen.id)
  const saved = await saveQuery({text: editor.getValue(), title: name.value.trim(), container: place})
  if ('problem' in saved) return pane.showProblem(saved.problem)
  const path = new URL(saved.location).pathname
  notice.replaceChildren('Saved as ', make('a', {href: path}, path), '.')
}

/** Saves the answer as a file in the chosen format. */
async function saveAnswer() {
  const {dataset, value} = /** @type {HTMLOptionElement} */ (formats.selectedOptions[0])
  const pane = paneOf(chosen.id)
  const type = dataset.type ?? value
  const name = `${fileName(queryTitle(editor.getValue()))}.${dataset.extension ?? 'txt'}`
  notice.textContent = 'The file is being prepared …'
  try {
    const problem = await download(endpoint, {query: editor.getValue(), headers: headers(), type, name})
    notice.textContent = problem === undefined ? `Saved as ${name}.` : ''
    if (problem !== undefined) pane.showProblem(problem)
  } catch (error) {
    notice.textContent = `The download failed: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** @param {string} title */
function fileName(title) {
  const isTitle = /^[^{}<>?]+$/.test(title)
  return (isTitle ? title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') : '') || 'answer'
}

form.addEventListener('submit', event => {
  event.preventDefault()
  const submitter = /** @type {HTMLElement | null} */ (event.submitter)
  if (submitter?.dataset.download !== undefined) void saveAnswer()
  else if (paneOf(chosen.id).isRunning()) paneOf(chosen.id).stop()
  else void run()
})
for (const name of ['contexts', 'checksums']) box(name).addEventListener('change', keep)
form.querySelector('[data-save]')?.addEventListener('click', () => void save())
form.querySelector('[data-share]')?.addEventListener('click', event => {
  event.preventDefault()
  writeLink()
  void navigator.clipboard?.writeText(location.href).then(
    () => notice.replaceChildren('The link is in the clipboard, and in the address above.'),
    () => notice.replaceChildren('The link is in the address above.'),
  )
})
addEventListener('hashchange', () => {
  const linked = linkedQuery()
  if (linked !== undefined && linked.text !== chosen.text) openQuery(linked.text)
})
drafts.onOtherWindow(id => {
  const draft = drafts.list().find(one => one.id === id)
  if (id === chosen.id && draft !== undefined) show(draft)
  else draw()
})
