/**
 * Reads suggestions of documents for what somebody types (docs/search.md).
 *
 * @typedef {{document: string, label: string, path: string}} Suggestion  path: of the document on this host
 */

const shortest = 2 // characters

/**
 * @param {string} endpoint  URL of the search
 * @param {string} typed
 * @param {AbortSignal} signal
 * @returns {Promise<readonly Suggestion[]>}
 */
export async function readSuggestions(endpoint, typed, signal) {
  const suggest = typed.trim()
  if (suggest.length < shortest) return []
  const response = await fetch(`${endpoint}?${new URLSearchParams({suggest})}`, {
    headers: {Accept: 'application/json'},
    signal,
  })
  if (!response.ok) return []
  /** @type {{suggestions: readonly {document: string, label: string}[]}} */
  const {suggestions} = await response.json()
  return suggestions.map(({document, label}) => ({
    document,
    label,
    path: document.replace(/^https?:\/\/[^/]*(?=\/(?!\/))/i, ''),
  }))
}
