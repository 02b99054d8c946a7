/**
 * An answer as a table: in pages, sorted by a column, filtered by a text, with labels instead of IRIs.
 *
 * @typedef {import('./columns.js').Row} Row
 * @typedef {import('./columns.js').Column} Column
 * @typedef {import('./terms.js').Term} Term
 * @typedef {{site: import('./names.js').Site, labels: import('./labels.js').Labels}} Shown
 */
import {columnsOf, compareTerms} from './columns.js'
import {button, choice, make, showCount} from './dom.js'
import {shortName, showTerm} from './names.js'

const pageSizes = [50, 100, 500]
const foldedLength = 400 // characters

/**
 * @param {HTMLElement} panel
 * @param {import('./answer.js').RowAnswer} answer
 * @param {Shown} shown
 */
export function showTable(panel, answer, shown) {
  const {site, labels} = shown
  const columns = columnsOf(answer.columns, answer.rows)
  const state = {page: 0, size: 50, order: -1, isDown: false, filter: '', isLabelled: true}
  const place = make('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Rows'})
  const count = make('p', {class: 'quiet', role: 'status'})
  const pager = make('div', {class: 'pager'})

  const textOf = (/** @type {Term} */ term) => {
    if (term.kind !== 'iri') return term.value
    return (state.isLabelled ? labels.of(term.value) : undefined) ?? shortName(term.value, site)
  }
  const matches = (/** @type {Row} */ row) => {
    const wanted = state.filter.toLowerCase()
    return row.some(term => term !== undefined && `${textOf(term)}\n${term.value}`.toLowerCase().includes(wanted))
  }

  function arranged() {
    const rows = state.filter === '' ? [...answer.rows] : answer.rows.filter(matches)
    if (state.order === -1) return rows
    const sign = state.isDown ? -1 : 1
    return rows.sort((left, right) => {
      const [a, b] = [left[state.order], right[state.order]]
      return compareTerms(a, b, textOf) * (a === undefined || b === undefined ? 1 : sign)
    })
  }

  function draw() {
    const rows = arranged()
    const pages = Math.max(1, Math.ceil(rows.length / state.size))
    state.page = Math.min(state.page, pages - 1)
    const first = state.page * state.size
    const visible = rows.slice(first, first + state.size)
    place.replaceChildren(tableOf(visible))
    count.textContent = countText(rows.length, first, visible.length)
    pager.replaceChildren(
      button('Previous page', () => turn(-1), {disabled: state.page === 0}),
      button('Next page', () => turn(1), {disabled: state.page === pages - 1}),
    )
    pager.hidden = pages === 1
    if (state.isLabelled) void label(visible)
  }

  /**
   * @param {number} found
   * @param {number} first
   * @param {number} visible
   */
  function countText(found, first, visible) {
    if (found === 0) return answer.rows.length === 0 ? 'No rows.' : 'No row contains this text.'
    const range = visible === found ? '' : `${showCount(first + 1)}–${showCount(first + visible)} of `
    const noun = found === 1 ? 'row' : 'rows'
    const of = state.filter === '' ? '' : ` of ${showCount(answer.rows.length)} contain this text`
    return `${range}${showCount(found)} ${of === '' ? noun : ''}${of}`.trim()
  }

  /** @param {number} step */
  function turn(step) {
    state.page += step
    draw()
    place.scrollTop = 0
  }

  /** @param {readonly Row[]} rows */
  async function label(rows) {
    const iris = rows.flatMap(row => row.flatMap(term => (term?.kind === 'iri' ? [term.value] : [])))
    const isFocused = place.contains(document.activeElement)
    if ((await labels.load(iris)) && state.isLabelled && !isFocused) draw()
  }

  /** @param {readonly Row[]} rows */
  function tableOf(rows) {
    const head = make('tr', {}, ...columns.map(headOf))
    const body = rows.map(row => make('tr', {}, ...columns.map(column => cellOf(column, row[column.index]))))
    return make('table', {class: 'rows'}, make('thead', {}, head), make('tbody', {}, ...body))
  }

  /** @param {Column} column */
  function headOf({name, index, type, language, isNumeric}) {
    const isOrder = state.order === index
    const sort = () => {
      if (isOrder && state.isDown) state.order = -1
      else [state.order, state.isDown] = [index, isOrder]
      draw()
      const heads = /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll('th button'))
      heads[index]?.focus()
    }
    const order = isOrder ? (state.isDown ? 'descending' : 'ascending') : undefined
    const mark = make('span', {class: 'order', 'aria-hidden': true}, isOrder ? (state.isDown ? '▼' : '▲') : '')
    const kind = type === undefined ? language : shortName(type, site)
    return make(
      'th',
      {scope: 'col', 'aria-sort': order, class: isNumeric ? 'number' : undefined},
      button(name, sort, {class: 'sort', title: 'Sort by this column'}),
      mark,
      ...(kind === undefined ? [] : [' ', make('span', {class: 'tag', title: type}, kind)]),
    )
  }

  /**
   * @param {Column} column
   * @param {Term | undefined} term
   */
  function cellOf({type, language, isNumeric}, term) {
    const cell = make('td', {class: isNumeric ? 'number' : undefined})
    if (term === undefined) return cell
    const isMarked = type === undefined && language === undefined
    const name = term.kind === 'iri' && state.isLabelled ? labels.of(term.value) : undefined
    cell.append(folded(term, showTerm(term, site, {isMarked, label: name})))
    return cell
  }

  const search = make('input', {type: 'search', 'aria-label': 'Filter rows', placeholder: 'Filter rows'})
  search.addEventListener('input', () => {
    ;[state.filter, state.page] = [search.value.trim(), 0]
    draw()
  })
  const box = make('input', {type: 'checkbox', checked: true})
  box.addEventListener('change', () => {
    state.isLabelled = box.checked
    draw()
  })
  const sizes = pageSizes.map(size => /** @type {const} */ ([String(size), `${size} a page`]))
  const size = choice('Rows on a page', sizes, String(state.size), value => {
    ;[state.size, state.page] = [Number(value), 0]
    draw()
  })
  const tools = make('div', {class: 'tools'}, search, make('label', {class: 'choice'}, box, 'Labels'), count)
  if (answer.rows.length > (pageSizes[0] ?? 0)) tools.append(size)
  panel.replaceChildren(...(answer.rows.length === 0 ? [count] : [tools, place, pager]))
  draw()
}

/**
 * A long text as its beginning, with the rest on request.
 *
 * @param {Term} term
 * @param {Node} whole
 */
function folded(term, whole) {
  if (term.kind !== 'literal' || term.value.length <= foldedLength) return whole
  return make('details', {class: 'long'}, make('summary', {}, `${term.value.slice(0, 200)}…`), whole)
}
