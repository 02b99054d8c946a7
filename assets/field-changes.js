/**
 * What the fields of a form say, as triples, and what they change.
 *
 * Fields contain the triples that are stored (`data-triples`), and nothing if they are new. `data-proposed` marks those that
 * the form offers. Blank nodes have their labels, by which a patch names them.
 *
 * @typedef {import('./names.js').Site} Site
 * @typedef {{cuts: string[], removed: string[], added: string[]}} Changes
 *   cuts: labels of nodes that go with everything below them; removed, added: triples in N-Triples, lists in Turtle
 */
import {lexicalFault} from './lexical.js'
import {readName, writeIri, writeText} from './terms.js'

/**
 * @param {HTMLFormElement} form
 * @param {Site} site
 * @returns {Changes}
 * @throws {Error} a field cannot be read
 */
export function fieldChanges(form, site) {
  /** @type {Changes} */
  const changes = {cuts: [], removed: [], added: []}
  const subjects = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(':scope > [data-subject]'))
  for (const subject of subjects) collect(subject, changes, site)
  const {cuts, removed, added} = changes
  return {
    cuts,
    removed: removed.filter(triple => !added.includes(triple)),
    added: added.filter(triple => !removed.includes(triple)),
  }
}

/**
 * The changes among the values of a subject.
 *
 * @param {HTMLElement} fields
 * @param {Changes} changes
 * @param {Site} site
 */
function collect(fields, changes, site) {
  const subject = fields.dataset.subject ?? ''
  for (const value of valuesIn(fields)) {
    if (isRemoved(value)) {
      collectRemoved(value, changes)
    } else if (isEmpty(value)) {
      continue
    } else if (isChanged(value)) {
      changes.removed.push(...triplesOf(value))
      changes.added.push(`${subject} ${propertyOf(value, site)} ${objectOf(value, site)} .`)
    }
    if (!isRemoved(value)) collectBelow(value, changes, site)
  }
}

/**
 * The changes of nodes in a value: of the value itself, or of the items of a list.
 *
 * @param {HTMLElement} value
 * @param {Changes} changes
 * @param {Site} site
 */
function collectBelow(value, changes, site) {
  if (isNode(value)) collect(value, changes, site)
  if (!isList(value)) return
  for (const item of valuesIn(value)) {
    if (isRemoved(item)) collectRemoved(item, changes)
    else {
      if (isList(item) && isChanged(value)) changes.removed.push(...triplesOf(item)) // its cells are made again
      collectBelow(item, changes, site)
    }
  }
}

/**
 * @param {HTMLElement} value
 * @param {Changes} changes
 */
function collectRemoved(value, changes) {
  if (isNode(value)) changes.cuts.push(value.dataset.subject ?? '')
  else changes.removed.push(...triplesOf(value))
  if (isList(value)) for (const item of valuesIn(value)) if (isStored(item)) collectRemoved(item, changes)
}

/**
 * Whether a value that stays differs from what is stored. The values inside of a node are its own.
 *
 * @param {HTMLElement} value
 * @returns {boolean}
 */
function isChanged(value) {
  if (!isStored(value) || value.dataset.touched !== undefined) return true
  return isList(value) && valuesIn(value).some(item => isRemoved(item) || (!isEmpty(item) && isChanged(item)))
}

/**
 * Whether nothing was written into a new value. The property of proposed fields does not count.
 *
 * @param {HTMLElement} value
 * @returns {boolean}
 */
function isEmpty(value) {
  if (isStored(value)) return false
  const property = /** @type {HTMLInputElement | null} */ (value.querySelector(':scope > .head [name=property]'))
  if (isNode(value) || isList(value)) {
    const isUnnamed = value.dataset.proposed !== undefined || (property?.value.trim() ?? '') === ''
    return isUnnamed && valuesIn(value).every(isEmpty)
  }
  if (value.dataset.touched === undefined) return true
  const [name, text] = [inputOf(value, 'property'), inputOf(value, 'value')]
  return name?.value.trim() === '' && text?.value.trim() === ''
}

/**
 * @param {HTMLElement} value
 * @param {Site} site
 */
function propertyOf(value, {prefixes, base}) {
  return writeIri(readName(inputOf(value, 'property')?.value ?? '', prefixes, base))
}

/**
 * The object that a value stands for.
 *
 * @param {HTMLElement} value
 * @param {Site} site
 * @returns {string}
 */
function objectOf(value, site) {
  if (isNode(value)) return value.dataset.subject ?? ''
  if (isList(value)) {
    const items = valuesIn(value).filter(item => !isRemoved(item) && !isEmpty(item))
    return `(${items.map(item => ` ${objectOf(item, site)}`).join('')} )`
  }
  if (value.dataset.term !== undefined && value.dataset.touched === undefined) return value.dataset.term
  const [kind = '', text = '', detail = ''] = ['kind', 'value', 'detail'].map(name => inputOf(value, name)?.value ?? '')
  return writeTerm(kind, text, detail.trim(), site)
}

/**
 * A term in N-Triples.
 *
 * @param {string} kind
 * @param {string} value
 * @param {string} detail  language or datatype
 * @param {Site} site
 */
export function writeTerm(kind, value, detail, {prefixes, base}) {
  switch (kind) {
    case 'link':
      return writeIri(readName(value, prefixes, base))
    case 'reference':
      if (!/^_:[\p{L}\p{N}_]([\p{L}\p{N}_.·-]*[\p{L}\p{N}_·-])?$/u.test(value.trim()))
        throw new Error(`"${value}" is no name of a node: write _:name.`)
      return value.trim()
    case 'language':
      if (!/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(detail)) throw new Error(`"${detail}" is no language tag.`)
      return `${writeText(value)}@${detail}`
    case 'typed':
      return typedLiteral(value, readName(detail, prefixes, base))
    default:
      return writeText(value)
  }
}

/**
 * @param {string} value
 * @param {string} datatype
 */
function typedLiteral(value, datatype) {
  const fault = value === '' ? undefined : lexicalFault(value, datatype)
  if (fault !== undefined) throw new Error(fault)
  return `${writeText(value)}^^${writeIri(datatype)}`
}

/** The values directly below a subject or a list. */
function valuesIn(/** @type {HTMLElement} */ fields) {
  return /** @type {HTMLElement[]} */ (Array.from(fields.querySelector(':scope > [data-rows]')?.children ?? []))
}

function triplesOf(/** @type {HTMLElement} */ value) {
  return (value.dataset.triples ?? '').split('\n').filter(Boolean)
}

function isStored(/** @type {HTMLElement} */ value) {
  return value.dataset.triples !== undefined
}

function isRemoved(/** @type {HTMLElement} */ value) {
  return value.dataset.removed !== undefined
}

function isNode(/** @type {HTMLElement} */ value) {
  return value.dataset.node !== undefined
}

function isList(/** @type {HTMLElement} */ value) {
  return value.dataset.list !== undefined
}

/**
 * A field of a value itself, not of those inside.
 *
 * @param {HTMLElement} value
 * @param {string} name
 */
export function inputOf(value, name) {
  const place = value.matches('.row') ? value : value.querySelector(':scope > .head')
  return /** @type {HTMLInputElement | null} */ (place?.querySelector(`[name="${name}"]`) ?? null)
}
