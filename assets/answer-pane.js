/**
 * The answer to the query of one tab: its status, its error, and the table, drawing, chart and explanation.
 *
 * At most 2,000 rows are read for the page, whatever the size of the answer. A download has all of them.
 *
 * @typedef {{query: string, headers: Record<string, string>}} Asked
 * @typedef {object} PaneContext
 * @property {string} endpoint
 * @property {string} errors  URL of the list of errors
 * @property {import('./names.js').Site} site
 * @property {import('./labels.js').Labels} labels
 * @property {(problem: import('./answer.js').Problem) => void} markProblem  marks its place in the editor
 * @property {(problem: import('./answer.js').Problem) => void} correct  replaces the word there by the suggestion
 * @property {() => void} changed  called when a request begins or ends
 */
import {readAnswer, readProblem} from './answer.js'
import {columnsOf} from './columns.js'
import {button, make, showCount} from './dom.js'
import {explain} from './explanation.js'
import {showTerm} from './names.js'
import {createPanelTabs} from './panel-tabs.js'
import {showTable} from './table.js'

/** @param {PaneContext} context */
export function createPane({endpoint, errors, site, labels, markProblem, correct, changed}) {
  const status = make('p', {role: 'status', class: 'status', 'data-status': true})
  const content = make('div', {})
  const element = make('section', {'aria-label': 'Answer', class: 'answer', hidden: true}, status, content)
  /** @type {AbortController | undefined} */
  let running

  /** @param {string} message */
  function tell(message) {
    element.hidden = false
    status.textContent = message
  }

  /** @param {...Node} nodes */
  function show(...nodes) {
    element.hidden = false
    content.replaceChildren(...nodes)
  }

  /**
   * Sends a request, and shows that it runs. A second request ends the first one.
   *
   * @param {string} message
   * @param {(signal: AbortSignal) => Promise<string>} send  returns the outcome
   * @returns {Promise<string | undefined>}  undefined if another request has taken its place
   */
  async function run(message, send) {
    running?.abort()
    const control = new AbortController()
    running = control
    changed()
    tell(message)
    show()
    try {
      const outcome = await send(control.signal)
      if (running === control) tell(outcome)
      return outcome
    } catch (error) {
      if (running !== control) return undefined
      const reason = error instanceof Error ? error.message : String(error)
      const isStopped = control.signal.aborted
      if (!isStopped) showProblem({detail: `The service did not answer: ${reason}`})
      const outcome = isStopped ? 'Stopped.' : 'No answer.'
      tell(outcome)
      return outcome
    } finally {
      if (running === control) {
        running = undefined
        changed()
      }
    }
  }

  /** @param {Asked} asked */
  function ask(asked) {
    return run('Asking …', async signal => {
      const begin = performance.now()
      const read = await readAnswer(endpoint, {...asked, signal})
      const ms = Math.round(performance.now() - begin)
      if (read.form === 'problem') return showProblem(read.problem, asked)
      const views = [...viewsOf(read), explanationView(asked)]
      show(...createPanelTabs(views, {isOpen: views.length > 1}))
      return `${summary(read)} in ${showCount(ms)} ms.`
    })
  }

  /**
   * Runs an update, which the user has confirmed.
   *
   * @param {string} text
   */
  function update(text) {
    return run('Updating …', async signal => {
      const headers = {'Content-Type': 'application/sparql-update', Accept: 'application/json'}
      const response = await fetch(endpoint, {method: 'POST', headers, body: text, signal})
      if (!response.ok) return showProblem(await readProblem(response))
      const {triples, ...documents} = await response.json()
      show(...['created', 'changed', 'deleted'].flatMap(name => documentsOf(name, documents[name] ?? [])))
      return `Done: ${showCount(triples.inserted)} triples added, ${showCount(triples.removed)} removed.`
    })
  }

  /**
   * @param {string} what
   * @param {readonly (string | {iri: string})[]} documents
   */
  function documentsOf(what, documents) {
    if (documents.length === 0) return []
    const iris = documents.map(one => (typeof one === 'string' ? one : one.iri))
    const items = iris.slice(0, 200).map(iri => make('li', {}, showTerm({kind: 'iri', value: iri}, site)))
    const heading = `${showCount(iris.length)} ${iris.length === 1 ? 'document' : 'documents'} ${what}`
    return [make('h2', {}, heading), make('ul', {class: 'entries'}, ...items)]
  }

  /**
   * @param {import('./answer.js').Problem} problem
   * @param {Asked} [asked]  of a query: its plan may explain the problem
   */
  function showProblem(problem, asked) {
    const {detail, title, line, suggestion} = problem
    const heading = line === undefined ? 'This did not work' : 'The query has an error'
    const box = make('div', {role: 'alert', class: 'problem'}, make('h2', {}, heading), make('p', {}, detail))
    const buttons = make('p', {class: 'buttons'})
    if (suggestion !== undefined) buttons.append(button(`Replace by ${suggestion}`, () => correct(problem)))
    if (line !== undefined) buttons.append(button('Go to the place', () => markProblem(problem)))
    const rule = make('a', {href: `${errors}#${title ?? ''}`}, title ?? '')
    if (title !== undefined) box.append(make('p', {class: 'quiet'}, 'Rule: ', rule))
    if (buttons.childElementCount > 0) box.append(buttons)
    if (line !== undefined) markProblem(problem)
    const isExplained = line === undefined && asked !== undefined
    show(box, ...(isExplained ? createPanelTabs([explanationView(asked)], {isOpen: false}) : []))
    return 'Refused.'
  }

  /**
   * @param {import('./answer.js').Answer} read
   * @returns {readonly import('./panel-tabs.js').PanelView[]}
   */
  function viewsOf(read) {
    if (read.form === 'boolean') return []
    const table = {name: 'Table', fill: (/** @type {HTMLElement} */ panel) => showTable(panel, read, {site, labels})}
    const columns = columnsOf(read.columns, read.rows)
    const hasChart = read.form === 'rows' && columns.some(({isNumeric, type = ''}) => isNumeric || /wkt/i.test(type))
    const chart = {
      name: 'Chart',
      fill: async (/** @type {HTMLElement} */ panel) => {
        const {showChart} = await import('./charts.js')
        await showChart(panel, read, {site, labels})
      },
    }
    const graph = {
      name: 'Graph',
      fill: async (/** @type {HTMLElement} */ panel) => {
        const {drawGraph} = await import('./graph.js')
        await drawGraph(panel, read, {site, labels})
      },
    }
    const hasGraph = read.form === 'graph' && read.rows.length > 0
    return [table, ...(hasChart ? [chart] : []), ...(hasGraph ? [graph] : [])]
  }

  /** @param {Asked} asked */
  function explanationView(asked) {
    return {
      name: 'Explanation',
      fill: (/** @type {HTMLElement} */ panel) => explain(panel, endpoint, asked),
    }
  }

  return {
    element,
    ask,
    update,
    tell,
    showProblem: (/** @type {import('./answer.js').Problem} */ problem) => tell(showProblem(problem)),
    isRunning: () => running !== undefined,
    stop: () => running?.abort(),
  }
}

/** @param {import('./answer.js').Answer} read */
function summary(read) {
  if (read.form === 'boolean') return read.value ? 'Yes' : 'No'
  const noun = read.form === 'graph' ? 'triple' : 'row'
  const count = `${showCount(read.rows.length)} ${noun}${read.rows.length === 1 ? '' : 's'}`
  return read.isCut ? `The first ${count} of more (a download has all of them)` : count
}

/** @typedef {ReturnType<typeof createPane>} Pane */
