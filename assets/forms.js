/**
 * The forms that change a document: edit, create, delete.
 *
 * Each sends the request that any client would send, with the entity tag of the state that its page shows. If the
 * document has changed meanwhile, the page shows the changes and asks. A field with an error says so below it.
 */
import {likeSiblings} from './child-form.js'
import {completeLinks, completeNames} from './completion.js'
import {fieldChanges, writeTerm} from './field-changes.js'
import {attachFields} from './fields.js'
import {readName, writeIri} from './terms.js'
import {acceptFiles} from './upload.js'

const form = /** @type {HTMLFormElement} */ (document.querySelector('form[data-form]'))
const outcome = /** @type {HTMLElement} */ (form.querySelector('[data-outcome]'))
const submit = /** @type {HTMLButtonElement} */ (form.querySelector('button[type=submit]'))
const {form: kind, path = '', iri = ''} = form.dataset
/** @type {Readonly<Record<string, string>>} */
const prefixes = JSON.parse(form.dataset.prefixes ?? '{}')
const base = new URL(path, iri === '' ? location.href : iri).href
const site = {base, prefixes}
let etag = form.dataset.etag ?? ''
/** The document is too large for one form. The form has a part of it, and a conflict shows the changes of that part. */
const isPart = form.dataset.part !== undefined

/** @type {Promise<string> | undefined} */
const before =
  kind === 'create' ? undefined : isPart ? Promise.resolve(textOf(form)) : readTriples().then(({text}) => text)
before?.catch(() => undefined)

let isSent = false

form.addEventListener('submit', event => {
  event.preventDefault()
  void send()
})
addEventListener('beforeunload', event => {
  if (!isSent && isChanged()) event.preventDefault() // the browser asks
})

/** Whether the form has something that would be lost. */
function isChanged() {
  if (kind === 'delete') return false
  const fields = /** @type {NodeListOf<HTMLTextAreaElement>} */ (form.querySelectorAll('textarea, input:not([type])'))
  if (Array.from(fields).some(({value, defaultValue}) => value !== defaultValue)) return true
  try {
    const {cuts, removed, added} = fieldChanges(form, site)
    return [...cuts, ...removed, ...added].length > 0
  } catch {
    return true
  }
}

async function send() {
  submit.disabled = true
  outcome.replaceChildren()
  try {
    const sent = request()
    const response = await fetch(path, sent).catch(() => {
      throw new Error('The service cannot be reached. Nothing is saved yet; what you entered stays on this page.')
    })
    isSent = response.ok
    if (response.ok) location.assign(nextPage(response))
    else if (response.status === 412) await showConflict()
    else await showProblem(response)
  } catch (error) {
    show('This cannot be sent', [paragraph(error instanceof Error ? error.message : String(error))])
    const invalid = /** @type {HTMLElement | null} */ (form.querySelector('[aria-invalid=true]'))
    invalid?.focus()
  } finally {
    submit.disabled = false
  }
}

/** @returns {RequestInit} */
function request() {
  const headers = {Accept: 'application/problem+json', ...(etag === '' ? {} : {'If-Match': `"${etag}"`})}
  if (kind === 'delete') return {method: 'DELETE', headers}
  if (kind === 'create') return creation(headers)
  const body = patchText()
  if (body === '') throw new Error('Nothing has been changed yet.')
  return {method: 'PATCH', headers: {...headers, 'Content-Type': 'text/ldpatch'}, body}
}

/** @param {Response} response */
function nextPage(response) {
  const location = response.headers.get('Location')
  if (kind === 'create' && location !== null) return new URL(location).pathname
  return kind === 'delete' ? (form.dataset.next ?? path) : path
}

/**
 * @param {Record<string, string>} headers
 * @returns {RequestInit}
 */
function creation(headers) {
  const slug = field(form, 'slug').value.trim()
  const what = new FormData(form).get('what')
  return {
    method: 'POST',
    headers: {...headers, 'Content-Type': 'text/turtle', ...(slug === '' ? {} : {Slug: encodeURIComponent(slug)})},
    body: field(form, 'turtle').value + childText() + (what === 'access-point' ? accessPointText() : ''),
  }
}

/** The type, the label and the properties of the form as triples. They follow the Turtle, so that its lines count. */
function childText() {
  const [type, label, language] = ['type', 'label', 'language'].map(name => field(form, name).value.trim())
  const triples = [
    ...(type ? [`<> a ${writeIri(readName(type, prefixes, base))} .`] : []),
    ...(label
      ? [`<> ${writeIri(labelProperty())} ${writeTerm(language ? 'language' : 'text', label, language ?? '', site)} .`]
      : []),
    ...fieldChanges(form, site).added,
  ]
  return triples.length === 0 ? '' : `\n${triples.join('\n')}\n`
}

/** The property by which the siblings have labels; dct:title if they have none. */
function labelProperty() {
  return field(form, 'label').dataset.property ?? `${prefixes.dct}title`
}

function accessPointText() {
  const ldp = 'http://www.w3.org/ns/ldp#'
  const inverse = field(form, 'inverse').value.trim()
  const triples = [
    `<> a ${writeIri(`${prefixes.c}AccessPoint`)} .`,
    `<> <${ldp}hasMemberRelation> ${writeIri(readName(field(form, 'relation').value, prefixes, base))} .`,
    inverse === '' ? '' : `<> <${ldp}isMemberOfRelation> ${writeIri(readName(inverse, prefixes, base))} .`,
  ]
  return `\n${triples.join('\n')}\n`
}

/** What the form changes, and what was written below it, as LD Patch; '' when nothing. */
function patchText() {
  const {cuts, removed, added} = fieldChanges(form, site)
  const written = kind === 'edit' ? field(form, 'patch').value.trim() : ''
  return [
    written === '' ? '' : prefixLines(written),
    written,
    ...cuts.map(label => `Cut ${label} .`),
    removed.length === 0 ? '' : `Delete {\n  ${removed.join('\n  ')}\n} .`,
    added.length === 0 ? '' : `Add {\n  ${added.join('\n  ')}\n} .`,
  ]
    .filter(Boolean)
    .join('\n')
}

/** Prefixes that the written patch uses without saying what they are. */
function prefixLines(/** @type {string} */ written) {
  return Object.entries(prefixes)
    .filter(([prefix]) => new RegExp(`(?<![\\w.-])${prefix}:`).test(written))
    .filter(([prefix]) => !new RegExp(`@prefix\\s*${prefix}:`, 'i').test(written))
    .map(([prefix, namespace]) => `@prefix ${prefix}: ${writeIri(namespace)} .`)
    .join('\n')
}

/**
 * @param {ParentNode} parent
 * @param {string} name
 */
function field(parent, name) {
  return /** @type {HTMLInputElement} */ (parent.querySelector(`[name="${name}"]`))
}

/** The document's triples now, or those of this page of it, and their entity tag. */
async function readTriples() {
  if (isPart) return readPart()
  const response = await fetch(path, {headers: {Accept: 'application/n-triples'}, cache: 'no-store'})
  if (!response.ok) throw new Error(`The document cannot be read: ${response.status}.`)
  return {text: await response.text(), etag: (response.headers.get('ETag') ?? '').replace(/^W\/|"/g, '')}
}

/** The same page as it is now. */
async function readPart() {
  const response = await fetch(location.href, {headers: {Accept: 'text/html'}, cache: 'no-store'})
  if (!response.ok) throw new Error(`The document cannot be read: ${response.status}.`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const fresh = /** @type {HTMLFormElement | null} */ (page.querySelector('form[data-form]'))
  if (fresh === null) throw new Error('The document has no such form any more.')
  return {text: textOf(fresh), etag: fresh.dataset.etag ?? ''}
}

/** The triples that a form was made of, a line each. */
function textOf(/** @type {HTMLFormElement} */ made) {
  const values = /** @type {NodeListOf<HTMLElement>} */ (made.querySelectorAll('[data-triples]'))
  return Array.from(values, value => value.dataset.triples).join('\n')
}

/** Tells what somebody else has changed, and lets the reader decide. */
async function showConflict() {
  const gone = 'The document is not there any more: somebody has deleted it.'
  const now = await readTriples().catch(() => undefined)
  if (now === undefined) return show('The document has changed', [paragraph(gone)])
  const list = before === undefined ? undefined : changes(await before.catch(() => now.text), now.text)
  const again = Object.assign(document.createElement('button'), {
    type: 'button',
    textContent: kind === 'delete' ? 'Delete it nevertheless' : 'Save my changes on top of it',
  })
  again.addEventListener('click', () => {
    etag = now.etag
    void send()
  })
  const look = Object.assign(document.createElement('a'), {href: path, textContent: 'Look at it', target: '_blank'})
  look.className = 'button'
  const buttons = document.createElement('p')
  buttons.className = 'buttons'
  buttons.append(again, look)
  const elsewhere = isPart && list?.childElementCount === 0 ? ' No field of this page is concerned.' : ''
  const text = `Somebody changed this document after you opened this page. Nothing of yours is saved yet.${elsewhere}`
  show('The document has changed', [paragraph(text), ...(list === undefined ? [] : [list]), buttons])
}

/**
 * Lines that went and lines that came.
 *
 * @param {string} earlier
 * @param {string} now
 */
function changes(earlier, now) {
  const time = `> ${writeIri(`${prefixes.c}modified`)} ` // of every change, and of no interest here
  const [old, fresh] = [earlier, now].map(
    text => new Set(text.split('\n').filter(line => line !== '' && !line.includes(time))),
  )
  const list = document.createElement('ul')
  list.className = 'entries code'
  const tell = (/** @type {string} */ line, /** @type {string} */ name) => {
    const item = document.createElement('li')
    item.className = `change-${name}`
    item.textContent = line
    list.append(item)
  }
  for (const line of [...(old ?? [])].filter(text => !fresh?.has(text)).slice(0, 100)) tell(line, 'removed')
  for (const line of [...(fresh ?? [])].filter(text => !old?.has(text)).slice(0, 100)) tell(line, 'added')
  return list
}

/** @param {Response} response */
async function showProblem(response) {
  /** @type {{detail?: string, title?: string, line?: number, column?: number}} */
  const problem = await response.json().catch(() => ({}))
  const {detail = `The service answered ${response.status}.`, title, line, column} = problem
  const place = line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `, column ${column}`})`
  const rule = paragraph(title === undefined ? '' : `Rule: ${title}`)
  rule.className = 'quiet'
  show('This was refused', [paragraph(detail + place), ...(response.status === 401 ? [signInHint()] : []), rule])
}

/** How to go on when the session has ended meanwhile: what was entered stays on this page. */
function signInHint() {
  const root = document.querySelector('a.brand')?.getAttribute('href') ?? '/'
  const to = new URLSearchParams({to: root})
  const link = Object.assign(document.createElement('a'), {
    href: `${root}.system/sign-in?${to}`,
    textContent: 'Sign in',
    target: '_blank',
  })
  const hint = document.createElement('p')
  hint.append(link, ' in another tab, then send this again.')
  return hint
}

/**
 * @param {string} title
 * @param {readonly Node[]} content
 */
function show(title, content) {
  const heading = document.createElement('h2')
  heading.textContent = title
  outcome.replaceChildren(heading, ...content)
  outcome.focus()
}

/** @param {string} text */
function paragraph(text) {
  const element = document.createElement('p')
  element.textContent = text
  return element
}

/** Shows what would be sent. */
function preview() {
  const place = form.querySelector('[data-preview]')
  if (place === null) return
  try {
    place.textContent = patchText() || 'Nothing has been changed yet.'
  } catch (error) {
    place.textContent = error instanceof Error ? error.message : String(error)
  }
}

const showFields = attachFields(form, {site, changed: preview})
showFields()
preview()
if (kind === 'create')
  void likeSiblings(form, {endpoint: form.dataset.endpoint ?? '', parent: base, site})
    .then(showFields)
    .catch(() => undefined)
const uploads = /** @type {HTMLElement | null} */ (document.querySelector('[data-upload]'))
if (uploads !== null) acceptFiles(uploads)
completeNames(form, {names: form.dataset.names ?? '', endpoint: form.dataset.endpoint ?? '', site})
if (form.dataset.search !== undefined) completeLinks(form, form.dataset.search)
