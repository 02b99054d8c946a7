/**
 * How a query is answered: what the compiler made of it, the SQL, PostgreSQL's plan.
 */
import {readProblem} from './answer.js'

const explainType = 'application/vnd.quadstead.explain+json'

/**
 * @param {HTMLElement} panel
 * @param {string} endpoint
 * @param {import('./answer.js').Asked} asked
 */
export async function explain(panel, endpoint, {query, headers}) {
  panel.textContent = 'Asking …'
  const accept = `${explainType}, application/problem+json;q=0.9`
  const response = await fetch(endpoint, {method: 'POST', headers: {...headers, Accept: accept}, body: query})
  const isExplained = (response.headers.get('Content-Type') ?? '').startsWith(explainType)
  if (!response.ok || !isExplained) {
    panel.textContent = response.ok ? 'This service does not explain queries.' : (await readProblem(response)).detail
    return
  }
  panel.replaceChildren(...partsOf(await response.json()))
}

/**
 * @param {Readonly<Record<string, unknown>>} explanation
 * @returns {readonly HTMLElement[]}
 */
function partsOf({passes, stages, sql, plan, ...others}) {
  const parts = [
    ...(Array.isArray(passes) ? passes.map(pass => part(`Algebra: ${pass.name}`, pass.text ?? pass.tree)) : []),
    part('SQL', sql, true),
    part("PostgreSQL's plan", plan, true),
    part('Times', stages),
    part('Everything else', others),
  ]
  return parts.filter(one => one !== undefined)
}

/**
 * @param {string} title
 * @param {unknown} content  text, lines, or anything else as JSON
 * @param {boolean} [isOpen]
 */
function part(title, content, isOpen = false) {
  if (content === undefined) return undefined
  const details = document.createElement('details')
  details.open = isOpen
  details.className = 'advanced'
  const text = document.createElement('pre')
  text.className = 'code'
  text.tabIndex = 0
  text.textContent = textOf(content)
  details.append(Object.assign(document.createElement('summary'), {textContent: title}), text)
  return details
}

/** @param {unknown} content */
function textOf(content) {
  if (typeof content === 'string') return content
  if (Array.isArray(content) && content.every(line => typeof line === 'string')) return content.join('\n')
  return JSON.stringify(content, null, 2)
}
