/**
 * Saves an answer as a file. The page stays as it is if the query is refused.
 */
import {readProblem} from './answer.js'
import {make} from './dom.js'

/**
 * @param {string} endpoint
 * @param {{query: string, headers: Record<string, string>, type: string, name: string}} asked
 * @returns {Promise<import('./answer.js').Problem | undefined>}  undefined: the file is saved
 */
export async function download(endpoint, {query, headers, type, name}) {
  const accept = `${type}, application/problem+json;q=0.9`
  const response = await fetch(endpoint, {method: 'POST', headers: {...headers, Accept: accept}, body: query})
  if (!response.ok) return readProblem(response)
  const url = URL.createObjectURL(await response.blob())
  make('a', {href: url, download: name}).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000) // the browser copies it meanwhile
  return undefined
}
