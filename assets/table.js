/**
 * An answer as a table.
 */
import {showTerm} from './names.js'

/**
 * @param {HTMLElement} panel
 * @param {import('./answer.js').Answer} answer
 * @param {import('./names.js').Site} site
 */
export function showTable(panel, answer, site) {
  if (answer.form === 'boolean') return
  const table = document.createElement('table')
  const head = table.createTHead().insertRow()
  for (const name of answer.columns) {
    const cell = document.createElement('th')
    cell.scope = 'col'
    cell.textContent = name
    head.append(cell)
  }
  const body = table.createTBody()
  for (const row of answer.rows) {
    const line = body.insertRow()
    for (const index of answer.columns.keys()) {
      const cell = line.insertCell()
      const term = row[index]
      if (term !== undefined) cell.append(showTerm(term, site))
    }
  }
  const scroll = document.createElement('div')
  scroll.className = 'scroll'
  scroll.append(table)
  panel.replaceChildren(scroll)
}
