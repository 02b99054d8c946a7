/**
 * The page of a document: opens the drawing where there is room for it, arranges the children while the user types,
 * deletes, moves and copies those that are selected, and uploads files.
 */
import './menus.js'
import {askUser} from './dialogs.js'
import {button, make, showCount} from './dom.js'
import {acceptFiles} from './upload.js'

if (matchMedia('(min-width: 62rem)').matches)
  for (const drawing of document.querySelectorAll('details[data-open]')) drawing.setAttribute('open', '')

const uploads = /** @type {HTMLElement | null} */ (document.querySelector('[data-upload]'))
if (uploads !== null) acceptFiles(uploads)

const place = document.getElementById('page-children')
if (place !== null) {
  showSelection(place)
  place.addEventListener('input', event => {
    const field = /** @type {HTMLElement} */ (event.target)
    const form = field.closest('form')
    if (form?.dataset.arrange !== undefined) arrangeSoon(place, form)
    else drawSelection(place)
  })
}

const typingMs = 250
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer
/** @type {AbortController | undefined} */
let reading

/**
 * Reads the list that the form asks for, when the user pauses.
 *
 * @param {HTMLElement} section
 * @param {HTMLFormElement} form
 */
function arrangeSoon(section, form) {
  clearTimeout(timer)
  timer = setTimeout(() => void arrange(section, form).catch(() => undefined), typingMs)
}

/**
 * @param {HTMLElement} section
 * @param {HTMLFormElement} form
 */
async function arrange(section, form) {
  const isPage = document.activeElement?.getAttribute('name') === 'page'
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (isPage || name !== 'page') query.set(name, String(value))
  const url = `${form.getAttribute('action')}?${query}`
  reading?.abort()
  reading = new AbortController()
  const response = await fetch(url, {headers: {Accept: 'text/html'}, signal: reading.signal})
  if (!response.ok) return
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('page-children')
  if (fresh === null) return
  for (const part of Array.from(section.children)) if (part.tagName !== 'H2' && part !== form) part.remove()
  for (const part of Array.from(fresh.children)) if (!part.matches('h2, form')) section.append(part)
  history.replaceState(null, '', url)
  showSelection(section)
}

/** @param {HTMLElement} section */
function boxes(section) {
  return /** @type {NodeListOf<HTMLInputElement>} */ (section.querySelectorAll('[data-select]'))
}

/**
 * The methods that the reader may use on selected documents.
 *
 * @param {HTMLElement} section
 */
function methodsIn(section) {
  const bar = /** @type {HTMLElement | null} */ (section.querySelector('[data-selection]'))
  return (bar?.dataset.methods ?? '').split(' ').filter(Boolean)
}

/** @param {HTMLElement} section */
function showSelection(section) {
  if (methodsIn(section).length === 0) return
  for (const box of boxes(section)) box.hidden = false
  drawSelection(section)
}

/**
 * The buttons for the documents that are selected.
 *
 * @param {HTMLElement} section
 */
function drawSelection(section) {
  const bar = /** @type {HTMLElement | null} */ (section.querySelector('[data-selection]'))
  if (bar === null) return
  const all = Array.from(boxes(section))
  const paths = all.flatMap(box => (box.checked ? [box.dataset.select ?? ''] : []))
  const selectAll = () => {
    for (const box of all) box.checked = paths.length < all.length
    drawSelection(section)
  }
  bar.hidden = all.length === 0
  const label = paths.length < all.length ? 'Select all' : 'Select none'
  const act = (/** @type {string} */ method) => void change(bar, method, paths)
  const methods = methodsIn(section)
  const named = [
    button('Move …', () => act('MOVE'), {'data-method': 'MOVE'}),
    button('Copy …', () => act('COPY'), {'data-method': 'COPY'}),
    button('Delete …', () => act('DELETE'), {'data-method': 'DELETE', class: 'danger'}),
  ]
  const actions =
    paths.length === 0
      ? []
      : [
          make('span', {class: 'quiet', role: 'status'}, `${showCount(paths.length)} selected`),
          ...named.filter(({dataset: {method = ''}}) => methods.includes(method)),
        ]
  bar.replaceChildren(button(label, selectAll), ...actions)
}

/**
 * Deletes, moves or copies documents in one transaction.
 *
 * @param {HTMLElement} bar
 * @param {string} method
 * @param {readonly string[]} paths
 */
async function change(bar, method, paths) {
  const count = `${showCount(paths.length)} ${paths.length === 1 ? 'document' : 'documents'}`
  const target = make('input', {name: 'target', required: true, value: location.pathname, autocapitalize: 'off'})
  const isAgreed =
    method === 'DELETE'
      ? await askUser(
          {title: `Delete ${count}?`, action: 'Delete', isDanger: true},
          make('p', {}, 'Everything below them is deleted as well. This cannot be undone.'),
          listOf(paths),
        )
      : await askUser(
          {title: `${method === 'MOVE' ? 'Move' : 'Copy'} ${count}`, action: method === 'MOVE' ? 'Move' : 'Copy'},
          make('label', {}, 'To the container', target),
          listOf(paths),
        )
  if (!isAgreed) return
  const container = new URL(target.value.replace(/\/*$/, '/'), location.href).pathname
  const requests = paths.map((path, index) => ({
    id: String(index + 1),
    method,
    url: path,
    atomicityGroup: 'all',
    headers: method === 'DELETE' ? {} : {destination: destinationOf(path, container), overwrite: 'F'},
  }))
  const response = await fetch(bar.dataset.batch ?? '', {
    method: 'POST',
    headers: {'Content-Type': 'application/json', Accept: 'application/json'},
    body: JSON.stringify({requests}),
  })
  const {responses = [], detail = `The service answered ${response.status}.`} = await response.json().catch(() => ({}))
  const failed = responses.find(
    (/** @type {Answered} */ {status, body}) => status >= 400 && body?.title !== 'batch-group',
  )
  if (response.ok && failed === undefined) return location.reload()
  const reason = failed?.body?.detail ?? detail
  bar.append(make('p', {role: 'alert', class: 'problem'}, `Nothing was changed. ${reason}`))
}

/** @typedef {{status: number, body?: {title?: string, detail?: string}}} Answered */

/**
 * @param {string} path
 * @param {string} container
 */
function destinationOf(path, container) {
  return container + (/[^/]+\/$/.exec(path)?.[0] ?? '')
}

/** @param {readonly string[]} paths */
function listOf(paths) {
  const items = paths.slice(0, 10).map(path => make('li', {}, make('code', {}, path)))
  const rest = paths.length > items.length ? [make('li', {}, `and ${showCount(paths.length - items.length)} more`)] : []
  return make('ul', {}, ...items, ...rest)
}
