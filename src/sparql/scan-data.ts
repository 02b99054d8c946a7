/**
 * Where data stand in a query's text, told token by token: triples and rows of VALUES, as opposed to expressions.
 *
 * Floor 2. Pure. Expressions are always in parentheses; so is a collection, which counts as none.
 * Source: SPARQL 1.1 §19.8 (DataBlock, NumericLiteralPositive).
 */

export type DataWatch = {
  /** Takes notice of the next token; its kind is scan.ts's, undefined for a character. */
  readonly see: (kind: string | undefined, token: string) => void
  /** Whether the place after the tokens seen so far is one of data. */
  readonly isData: () => boolean
  /** How many variables a VALUES has whose block would begin now, and whether its rows have parentheses. */
  readonly opening: () => {readonly count: number; readonly hasRows: boolean} | undefined
}

export function watchData(): DataWatch {
  const open: ('group' | 'values' | 'brackets' | 'parentheses')[] = []
  let pending: {count: number; hasRows: boolean} | undefined // VALUES and its variables
  return {
    see(kind, token) {
      if (kind === 'name' && /^values$/i.test(token)) pending = {count: 0, hasRows: false}
      else if (kind === 'variable' && pending !== undefined) pending.count += 1
      else if (kind !== undefined) return
      else if (token === '{') {
        open.push(pending === undefined ? 'group' : 'values')
        pending = undefined
      } else if (pending !== undefined) pending.hasRows = true
      else if (token === '[') open.push('brackets')
      else if (token === '(') open.push('parentheses')
      else if ('})]'.includes(token)) open.pop()
    },
    isData() {
      const place = open.at(-1)
      return place === 'parentheses' ? open.at(-2) === 'values' : place !== undefined
    },
    opening: () => pending,
  }
}

const signed = /\+(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+|[0-9]*\.[0-9]+|[0-9]+)/y

/** The number with a plus that begins here, as it would be written with quotes; the parser takes the sign away. */
export function signedNumber(text: string, at: number): {readonly token: string; readonly written: string} | undefined {
  signed.lastIndex = at
  const token = signed.exec(text)?.[0]
  if (token === undefined) return undefined
  const type = /[eE]/.test(token) ? 'double' : token.includes('.') ? 'decimal' : 'integer'
  return {token, written: `"${token}"^^<http://www.w3.org/2001/XMLSchema#${type}>`}
}
