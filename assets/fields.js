/**
 * The rows of a form: adds, removes and moves values, and checks what is written into them.
 */
import {inputOf, writeTerm} from './field-changes.js'
import {lexicalFault} from './lexical.js'
import {readName} from './terms.js'

/** @typedef {import('./names.js').Site} Site */

let newNodes = 0

/**
 * @param {HTMLFormElement} form
 * @param {{site: Site, changed: () => void}} context  changed: called after each change
 * @returns {() => void}  shows the fields that the choices need
 */
export function attachFields(form, {site, changed}) {
  form.addEventListener('click', event => {
    const button = /** @type {HTMLElement} */ (event.target).closest('button')
    if (button === null) return
    const {add, remove, move} = button.dataset
    if (add !== undefined) addField(/** @type {HTMLElement} */ (button.closest('fieldset')), add)
    if (remove !== undefined) removeField(fieldOf(button), button)
    if (move !== undefined) moveField(fieldOf(button), Number(move), button)
    showFields(form)
    changed()
  })
  form.addEventListener('input', event => {
    const value = /** @type {HTMLElement} */ (event.target).closest('.row, [data-node], [data-list]')
    if (value !== null) /** @type {HTMLElement} */ (value).dataset.touched = ''
    showFields(form)
    changed()
  })
  checkWhenLeft(form, site)
  return () => showFields(form)
}

/** The value that a button belongs to. */
function fieldOf(/** @type {HTMLElement} */ button) {
  return /** @type {HTMLElement} */ (button.closest('.row, [data-node], [data-list]'))
}

/**
 * @param {HTMLElement} fieldset
 * @param {string} kind  name of a template
 */
function addField(fieldset, kind) {
  const added = appendField(fieldset, kind)
  const first = /** @type {HTMLElement | null} */ (added.querySelector('input, select'))
  ;(inputOf(added, 'property') ?? inputOf(added, 'value') ?? first)?.focus()
}

/**
 * Appends empty fields to those of a subject, a node or a list.
 *
 * @param {HTMLElement} fieldset
 * @param {string} kind  name of a template
 */
export function appendField(fieldset, kind) {
  const template = /** @type {HTMLTemplateElement} */ (document.querySelector(`template[data-new="${kind}"]`))
  const rows = /** @type {HTMLElement} */ (fieldset.querySelector(':scope > [data-rows]'))
  rows.append(template.content.cloneNode(true))
  const added = /** @type {HTMLElement} */ (rows.lastElementChild)
  if (added.dataset.node !== undefined) added.dataset.subject = `_:new${++newNodes}`
  return added
}

/**
 * @param {HTMLElement} value
 * @param {HTMLElement} button
 */
function removeField(value, button) {
  if (value.dataset.triples === undefined) {
    value.remove()
    return
  }
  const isRemoved = value.dataset.removed !== undefined
  if (isRemoved) delete value.dataset.removed
  else value.dataset.removed = ''
  button.textContent = isRemoved ? 'Remove' : 'Keep'
}

/**
 * Moves an item of a list.
 *
 * @param {HTMLElement} value
 * @param {number} by  1: down; -1: up
 * @param {HTMLElement} button
 */
function moveField(value, by, button) {
  const other = by > 0 ? value.nextElementSibling : value.previousElementSibling
  if (other === null) return
  if (by > 0) other.after(value)
  else other.before(value)
  const list = /** @type {HTMLElement} */ (value.parentElement?.closest('[data-list]'))
  list.dataset.touched = ''
  button.focus()
}

/** Shows the fields that the choices need. */
function showFields(/** @type {HTMLFormElement} */ form) {
  const rows = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll('.row'))
  for (const row of rows) {
    const kind = inputOf(row, 'kind')?.value
    const detail = inputOf(row, 'detail')
    if (detail === null) continue
    detail.hidden = kind !== 'language' && kind !== 'typed'
    detail.placeholder = kind === 'language' ? 'en' : 'xsd:date'
  }
  const what = new FormData(form).get('what')
  const parts = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll('[data-only]'))
  for (const part of parts) part.hidden = part.dataset.only !== what
}

/**
 * Checks a row when its field is left. While a button is pressed rows wait: a message would move what the user is about
 * to click.
 *
 * @param {HTMLFormElement} form
 * @param {Site} site
 */
function checkWhenLeft(form, site) {
  /** @type {Set<HTMLElement>} */
  const unchecked = new Set()
  let isPressed = false
  const check = () => {
    for (const row of unchecked) checkRow(row, site)
    unchecked.clear()
  }
  form.addEventListener('change', event => {
    const row = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest('.row'))
    if (row !== null) unchecked.add(row)
    if (!isPressed) check()
  })
  addEventListener('pointerdown', () => {
    isPressed = true
  })
  for (const name of ['pointerup', 'pointercancel']) {
    addEventListener(name, () => {
      isPressed = false
      setTimeout(check) // after the click
    })
  }
}

/**
 * Checks the fields of a row, and shows what is wrong below them.
 *
 * @param {HTMLElement} row
 * @param {Site} site
 */
function checkRow(row, site) {
  const {prefixes, base} = site
  const [property, value, detail] = ['property', 'value', 'detail'].map(name => inputOf(row, name))
  const kind = inputOf(row, 'kind')?.value ?? ''
  const isEmpty = (property?.value.trim() ?? '') === '' && value?.value.trim() === ''
  const isRead = !isEmpty && row.dataset.removed === undefined && row.dataset.touched !== undefined
  const faults = [
    faultOf(property, isRead, text => void readName(text, prefixes, base)),
    faultOf(value, isRead, text => {
      if (kind === 'link' || kind === 'reference') writeTerm(kind, text, '', site)
      if (kind !== 'typed' || (detail?.value ?? '').trim() === '') return
      const fault = lexicalFault(text, readName(detail?.value ?? '', prefixes, base))
      if (fault !== undefined) throw new Error(fault)
    }),
    faultOf(detail, isRead && (kind === 'language' || kind === 'typed'), text => void writeTerm(kind, '', text, site)),
  ]
  row.querySelector('.fault')?.remove()
  const fault = faults.find(Boolean)
  if (fault === undefined) return
  const note = document.createElement('p')
  note.className = 'fault'
  note.textContent = fault
  row.append(note)
}

/**
 * Marks a field that does not pass a check.
 *
 * @param {HTMLInputElement | null | undefined} input
 * @param {boolean} isRead
 * @param {(text: string) => void} check
 * @returns {string | undefined}
 */
function faultOf(input, isRead, check) {
  input?.removeAttribute('aria-invalid')
  if (!input || !isRead || input.value.trim() === '') return undefined
  try {
    check(input.value.trim())
    return undefined
  } catch (error) {
    input.setAttribute('aria-invalid', 'true')
    return error instanceof Error ? error.message : String(error)
  }
}
