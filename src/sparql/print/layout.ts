/**
 * Formats the SQL of print.ts for people: one clause per line, subqueries indented.
 *
 * Pure. Changes only white space outside quotes. Breaks a clause that is longer than a line at its commas and before
 * AND, OR and the branches of CASE.
 */

/** A word, a quoted text or a comma; a list holds the content of brackets. */
type Item = string | readonly Item[]

const lineLength = 100 // characters, not counting subqueries

export function layoutSql(sql: string): string {
  const tokens = sql.match(/'[^']*'|"[^"]*"|[(),]|[^\s(),'"]+|\s+/g) ?? [] // a doubled quote starts a new token
  return layoutQuery(nest(tokens), '').join('\n')
}

/** Turns brackets into nested lists. Each run of white space becomes one space. */
function nest(tokens: readonly string[]): readonly Item[] {
  const open: Item[][] = [[]]
  for (const token of tokens) {
    if (token === '(') open.push([])
    else if (token === ')') {
      const inner = open.pop() ?? []
      open.at(-1)?.push(inner)
    } else open.at(-1)?.push(/^\s/.test(token) ? ' ' : token)
  }
  return open[0] ?? []
}

const clauseStarts = new Set('select from where group order limit fetch offset union with'.split(' '))
const queryStarts = new Set(['select', 'with', 'values'])
const joinStarts = new Set(['left', 'inner', 'cross'])

/** The lines of a query: each clause begins one. */
function layoutQuery(items: readonly Item[], indent: string): string[] {
  const clauses: Item[][] = []
  for (const [index, item] of items.entries()) {
    const isJoin = typeof item === 'string' && joinStarts.has(item) && items[index + 2] === 'join'
    const isWithTies = item === 'with' && items[index + 2] === 'ties'
    const starts = typeof item === 'string' && (clauseStarts.has(item) || isJoin) && !isWithTies
    if (starts || clauses.length === 0) clauses.push([])
    clauses.at(-1)?.push(item)
  }
  return clauses.flatMap(clause => layoutClause(trimmed(clause), indent))
}

function layoutClause(items: readonly Item[], indent: string): string[] {
  const lines = [indent]
  const append = (text: string) => lines.push((lines.pop() ?? '') + text)

  function write(inner: readonly Item[], margin: string): void {
    const isLong = widthOf(inner) > lineLength
    const words = inner.includes('case') ? caseWords : conditionWords
    const isBreak = (index: number) => inner[index - 1] === ',' || words.has(inner[index + 1])
    for (const [index, item] of inner.entries()) {
      if (typeof item === 'string') {
        if (isLong && item === ' ' && isBreak(index)) lines.push(`${margin}  `)
        else append(item)
        continue
      }
      append('(')
      const [here = ''] = /^ */.exec(lines.at(-1) ?? '') ?? []
      if (isQuery(item)) lines.push(...layoutQuery(item, `${here}  `), here)
      else write(item, isLong ? `${margin}  ` : margin)
      append(')')
    }
  }
  write(items, indent)
  return lines
}

const caseWords = new Set<Item | undefined>(['when', 'else', 'end'])
const conditionWords = new Set<Item | undefined>(['and', 'or'])

/** Whether brackets contain a query, or a union, whose first part is itself in brackets. */
function isQuery([first]: readonly Item[]): boolean {
  if (first === undefined) return false
  return typeof first === 'string' ? queryStarts.has(first) : isQuery(first)
}

/** The width of a clause on one line, without subqueries, which have their own lines. */
function widthOf(items: readonly Item[]): number {
  return items.reduce<number>((sum, item) => {
    if (typeof item === 'string') return sum + item.length
    return sum + 2 + (isQuery(item) ? 0 : widthOf(item))
  }, 0)
}

function trimmed(items: readonly Item[]): readonly Item[] {
  return items.at(-1) === ' ' ? items.slice(0, -1) : items
}
