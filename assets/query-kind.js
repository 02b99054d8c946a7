/**
 * The form of a query, from its text, without a parser.
 *
 * Pure. The first keyword after the prologue decides. Comments, IRIs and strings are skipped, so that their words do not
 * count. Source: SPARQL 1.1 §19.8 (rules 2, 4 and 29).
 *
 * @typedef {'select' | 'ask' | 'construct' | 'describe' | 'update' | 'unknown'} QueryKind
 */

const skipped = /\s+|#[^\r\n]*|<[^<>"{}|^`\\\s]*>|"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'|[\w.-]*:/y
const word = /[A-Za-z]+/y
const updates = new Set('INSERT DELETE WITH LOAD CLEAR DROP CREATE ADD MOVE COPY'.split(' '))
const queries = new Set(['SELECT', 'ASK', 'CONSTRUCT', 'DESCRIBE'])

/**
 * @param {string} text
 * @returns {QueryKind}
 */
export function queryKind(text) {
  for (let at = 0; at < text.length; ) {
    word.lastIndex = skipped.lastIndex = at
    if (skipped.test(text)) {
      at = skipped.lastIndex
      continue
    }
    const keyword = (word.exec(text)?.[0] ?? '').toUpperCase()
    if (updates.has(keyword)) return 'update'
    if (queries.has(keyword)) return /** @type {QueryKind} */ (keyword.toLowerCase())
    if (keyword !== 'PREFIX' && keyword !== 'BASE') return 'unknown'
    at += keyword.length
  }
  return 'unknown'
}

/**
 * A short name for a query: its first comment, or else its first line that is no prologue.
 *
 * @param {string} text
 */
export function queryTitle(text) {
  const head = text.slice(0, 10_000)
  const comment = /^\s*#+[ \t]*([^\r\n]*\S)/.exec(head)?.[1]
  const body = head.replace(/^\s*(?:(?:PREFIX\s+[\w.-]*:\s*<[^>]*>|BASE\s*<[^>]*>|#[^\r\n]*)\s*)*/i, '')
  const line = body.split(/\r?\n/, 1)[0] ?? ''
  const title = (comment ?? line).trim().replace(/\s+/g, ' ')
  return title.length > 60 ? `${title.slice(0, 59)}…` : title
}
