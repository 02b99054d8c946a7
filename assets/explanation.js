/**
 * Explains how a query is answered: PostgreSQL's plan as a tree, the SQL, the algebra after each pass, and times.
 *
 * @typedef {Readonly<Record<string, unknown>>} PlanNode  as EXPLAIN (FORMAT JSON) has it
 */
import {readProblem} from './answer.js'

const explainType = 'application/vnd.quadstead.explain+json'

/**
 * @param {HTMLElement} panel
 * @param {string} endpoint
 * @param {import('./answer.js').Asked} asked
 * @param {boolean} [isMeasured]  whether the query is run for it, too
 */
export async function explain(panel, endpoint, asked, isMeasured = false) {
  panel.textContent = 'Asking …'
  const accept = `${explainType}${isMeasured ? '; measured=true' : ''}, application/problem+json;q=0.9`
  const headers = {...asked.headers, Accept: accept}
  const response = await fetch(endpoint, {method: 'POST', headers, body: asked.query})
  const isExplained = (response.headers.get('Content-Type') ?? '').startsWith(explainType)
  if (!response.ok || !isExplained) {
    const told = response.ok ? undefined : (await readProblem(response)).detail
    panel.textContent = told === undefined || response.status === 406 ? 'This service does not explain queries.' : told
    return
  }
  panel.replaceChildren(...partsOf(await response.json()))
  if (isMeasured) return
  const measure = element('button', 'Run it and measure')
  measure.setAttribute('type', 'button')
  measure.addEventListener('click', () => void explain(panel, endpoint, asked, true))
  panel.prepend(measure)
}

/**
 * @param {any} explanation
 * @returns {readonly HTMLElement[]}
 */
function partsOf({passes, constants, sql, parameters, plan, stages}) {
  return [
    part("PostgreSQL's plan", planOf(plan), true),
    part('SQL', code(sql), true),
    part('Algebra', code(passesText(passes))),
    part('Constants and parameters', code(JSON.stringify({constants, parameters}, null, 2))),
    part('Times', timesOf(stages), true),
  ]
}

/** @param {readonly {name: string, algebra: string}[]} passes */
function passesText(passes) {
  return passes
    .map(({name, algebra}, index) => {
      const isSame = algebra === passes[index - 1]?.algebra
      return `${index === 0 ? '' : 'after '}${name}${isSame ? ': the same' : `\n${algebra}`}`
    })
    .join('\n\n')
}

/** @param {any} plan */
function planOf(plan) {
  const list = element('ul')
  list.className = 'plan'
  list.append(nodeOf(plan?.Plan ?? {}))
  return list
}

/**
 * @param {any} node
 * @returns {HTMLElement}
 */
function nodeOf(node) {
  const item = element('li')
  const on = node['Relation Name'] === undefined ? '' : ` on ${node['Relation Name']}`
  const by = node['Index Name'] === undefined ? '' : ` by ${node['Index Name']}`
  item.append(element('strong', node['Node Type'] ?? ''), `${on}${by} `)
  const rows = `${count(node['Plan Rows'])} rows expected`
  const loops = node['Actual Loops']
  const actual =
    loops === undefined
      ? ''
      : `, ${count(node['Actual Rows'] * loops)} found in ${(node['Actual Total Time'] * loops).toFixed(2)} ms`
  const facts = element('span', rows + actual)
  facts.className = 'quiet'
  item.append(facts)
  const inner = (node.Plans ?? []).map(nodeOf)
  if (inner.length === 0) return item
  const list = element('ul')
  list.append(...inner)
  item.append(list)
  return item
}

/** @param {number} number */
function count(number) {
  return Number.isFinite(number) ? Math.round(number).toLocaleString('en') : '?'
}

/** @param {readonly {name: string, ms: number}[]} stages */
function timesOf(stages) {
  const list = element('dl')
  list.className = 'facts'
  for (const {name, ms} of stages) {
    const row = element('div')
    row.append(element('dt', name), element('dd', `${ms.toFixed(2)} ms`))
    list.append(row)
  }
  return list
}

/** @param {string} text */
function code(text) {
  const block = element('pre', text)
  block.className = 'code'
  block.tabIndex = 0
  return block
}

/**
 * @param {string} title
 * @param {HTMLElement} content
 * @param {boolean} [isOpen]
 */
function part(title, content, isOpen = false) {
  const details = document.createElement('details')
  details.open = isOpen
  details.className = 'advanced'
  details.append(element('summary', title), content)
  return details
}

/**
 * @param {string} name
 * @param {string} [text]
 */
function element(name, text = '') {
  return Object.assign(document.createElement(name), {textContent: text})
}
