/** Statements of N-Quads in memory, indexed by their ends, for random walks. */
export type Statement = {readonly s: string; readonly p: string; readonly o: string; readonly g: string} // as written

/** The average number of statements that share an end, over the statements of a predicate: the fan-out of a step. */
export type Fan = {readonly count: number; readonly ofSubject: number; readonly ofObject: number}

export type Statements = {
  readonly all: readonly Statement[]
  readonly bySubject: ReadonlyMap<string, readonly Statement[]>
  readonly byObject: ReadonlyMap<string, readonly Statement[]>
  readonly byPredicate: ReadonlyMap<string, readonly Statement[]>
  readonly fanOf: (predicate: string) => Fan
}

const contains = '<http://www.w3.org/ns/ldp#contains>'

/** @param base  graphs below it are documents, which their parents contain; undefined: there are no documents */
export function readStatements(lines: Iterable<string>, base: string | undefined): Statements {
  const all: Statement[] = []
  const seen = new Set<string>()
  for (const text of lines)
    for (const line of text.split('\n')) {
      const [, s = '', p = '', o = '', g = ''] = /^(\S+) (\S+) (.*) (\S+) \.$/.exec(line) ?? []
      if (s === '' || seen.has(line)) continue
      seen.add(line)
      all.push({s, p, o, g})
    }
  if (base !== undefined)
    for (const g of new Set(all.map(statement => statement.g))) {
      const [, parent] = /^(<.*\/)[^/]+\/>$/.exec(g) ?? []
      if (parent !== undefined && parent.length > base.length)
        all.push({s: `${parent}>`, p: contains, o: g, g: `${parent}>`})
    }
  const by = (end: 's' | 'p' | 'o') => {
    const groups = new Map<string, Statement[]>()
    for (const statement of all) {
      const known = groups.get(statement[end])
      if (known === undefined) groups.set(statement[end], [statement])
      else known.push(statement)
    }
    return groups
  }
  const byPredicate = by('p')
  const fans = new Map(Array.from(byPredicate, ([p, held]) => [p, fanOf(held)]))
  return {
    all,
    bySubject: by('s'),
    byObject: by('o'),
    byPredicate,
    fanOf: predicate => fans.get(predicate) ?? {count: 0, ofSubject: 0, ofObject: 0},
  }
}

function fanOf(statements: readonly Statement[]): Fan {
  const degree = (end: 's' | 'o') => {
    const counts = new Map<string, number>()
    for (const statement of statements) counts.set(statement[end], (counts.get(statement[end]) ?? 0) + 1)
    return [...counts.values()].reduce((sum, count) => sum + count * count, 0) / statements.length
  }
  return {count: statements.length, ofSubject: degree('s'), ofObject: degree('o')}
}

export function isNode(term: string): boolean {
  return !term.startsWith('"')
}

/** A literal that FILTER can compare with others of its predicate. */
export function isOrdered(term: string): boolean {
  return /\^\^<http:\/\/www\.w3\.org\/2001\/XMLSchema#(?:integer|decimal|dateTime|date|int)>$/.test(term)
}
