/**
 * Sends a query and reads as much of its answer as a page shows.
 *
 * Rows are read as tab-separated values and graphs as N-Quads. Both have one item on a line, so reading can stop anywhere.
 *
 * @typedef {import('./terms.js').Term} Term
 * @typedef {{detail: string, title?: string, line?: number, column?: number, suggestion?: string}} Problem
 * @typedef {{form: 'boolean', value: boolean}} BooleanAnswer
 * @typedef {{form: 'rows' | 'graph', columns: readonly string[], rows: readonly (readonly (Term | undefined)[])[],
 *            isCut: boolean}} RowAnswer
 * @typedef {BooleanAnswer | RowAnswer} Answer
 * @typedef {{query: string, headers: Record<string, string>, signal?: AbortSignal}} Asked
 */
import {readCell, readLine} from './terms.js'

const shownRows = 2000
const accept = 'text/tab-separated-values, application/problem+json;q=0.9, application/n-quads;q=0.8'

/**
 * @param {string} endpoint
 * @param {Asked} asked
 * @returns {Promise<Answer | {form: 'problem', problem: Problem}>}
 */
export async function readAnswer(endpoint, {query, headers, signal}) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {...headers, Accept: accept},
    body: query,
    ...(signal === undefined ? {} : {signal}),
  })
  if (!response.ok) return {form: 'problem', problem: await readProblem(response)}
  const isGraph = (response.headers.get('Content-Type') ?? '').startsWith('application/n-quads')
  const {lines, isCut} = await readLines(response, isGraph ? shownRows : shownRows + 1)
  if (isGraph) return graphOf(lines, isCut)
  const [head = '', ...rows] = lines
  if (head === 'true' || head === 'false') return {form: 'boolean', value: head === 'true'}
  const columns = head === '' ? [] : head.split('\t').map(name => name.slice(1))
  return {form: 'rows', columns, rows: rows.map(line => line.split('\t').map(readCell)), isCut}
}

/**
 * @param {readonly string[]} lines
 * @param {boolean} isCut
 * @returns {RowAnswer}
 */
function graphOf(lines, isCut) {
  const rows = lines.map(readLine)
  const hasGraphs = rows.some(row => row.length > 3)
  const columns = ['subject', 'property', 'object', ...(hasGraphs ? ['document'] : [])]
  return {form: 'graph', columns, rows, isCut}
}

/**
 * @param {Response} response
 * @returns {Promise<Problem>}
 */
export async function readProblem(response) {
  const problem = await response.json().catch(() => ({}))
  return {detail: `The service answered ${response.status}.`, ...problem}
}

/**
 * The first lines of a body. If there are more, the connection is closed.
 *
 * @param {Response} response
 * @param {number} limit
 */
async function readLines(response, limit) {
  /** @type {string[]} */
  const lines = []
  let rest = ''
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let chunk = await reader?.read(); chunk !== undefined && !chunk.done; chunk = await reader?.read()) {
    const pieces = (rest + chunk.value).split('\n')
    rest = pieces.pop() ?? ''
    for (const piece of pieces) lines.push(piece)
    if (lines.length <= limit) continue
    await reader?.cancel()
    return {lines: lines.slice(0, limit), isCut: true}
  }
  return {lines: rest === '' ? lines : [...lines, rest], isCut: false}
}
