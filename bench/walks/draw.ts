/**
 * Generates queries by random walks over a graph. Each query has an answer, because its patterns are triples of one
 * walk.
 *
 * Pure. A walk goes from node to node along triples in either direction, or stays and takes another triple of its node.
 * Nodes become variables. The start or one end of the walk stays a constant, so most answers are short.
 */
import {pick, type Random} from '../../test/support/random.ts'

export type Graph = {
  readonly triples: readonly GraphTriple[]
  readonly from: ReadonlyMap<string, readonly GraphTriple[]> // by subject
  readonly to: ReadonlyMap<string, readonly GraphTriple[]> // by object, nodes only
}

/** Terms in the syntax of N-Triples. */
export type GraphTriple = {readonly s: string; readonly p: string; readonly o: string}

export type DrawnQuery = {
  readonly kind: Kind
  readonly shape: string // the text with marks instead of its constants
  readonly text: string
  readonly sibling: string // the same shape with other constants
}

const kinds = ['rows', 'count', 'distinct', 'group', 'first'] as const
export type Kind = (typeof kinds)[number]

/** Indexes N-Quads, without their graphs. Omits triples of blank nodes, because a query cannot name them. */
export function graphOf(lines: Iterable<string>): Graph {
  const triples: GraphTriple[] = []
  const from = new Map<string, GraphTriple[]>()
  const to = new Map<string, GraphTriple[]>()
  for (const line of lines) {
    const [, s, p, o] = /^(<[^>]*>) (<[^>]*>) (<[^>]*>|".*"\S*) <[^>]*> \.$/.exec(line) ?? []
    if (s === undefined || p === undefined || o === undefined) continue
    const triple = {s, p, o}
    triples.push(triple)
    place(from, s, triple)
    if (o.startsWith('<')) place(to, o, triple)
  }
  return {triples, from, to}
}

function place(index: Map<string, GraphTriple[]>, key: string, triple: GraphTriple): void {
  const list = index.get(key)
  if (list === undefined) index.set(key, [triple])
  else list.push(triple)
}

/** Generates queries with distinct shapes. */
export function drawQueries(random: Random, graph: Graph, count: number): readonly DrawnQuery[] {
  const drawn = new Map<string, DrawnQuery>()
  for (let triesLeft = 100 * count; drawn.size < count && triesLeft > 0; triesLeft -= 1) {
    const query = drawQuery(random, graph)
    if (query !== undefined && !drawn.has(query.shape)) drawn.set(query.shape, query)
  }
  return [...drawn.values()]
}

type Step = {readonly triple: GraphTriple; readonly at: 'subject' | 'object'} // where the walk came from

function drawQuery(random: Random, graph: Graph): DrawnQuery | undefined {
  const start = pick(random, graph.triples).s
  const steps = walk(random, graph, start, random.between(2, 5))
  if (steps.length < 2) return undefined
  const kind = pick(random, kinds)
  const constant = random.chance(0.7) ? start : endOf(steps)
  const text = textOf(kind, steps, constant)
  const shape = textOf(kind, steps, constant, '<urn:x-constant>')
  const sibling = siblingOf(random, graph, steps, start, constant)
  return text === undefined || shape === undefined || sibling === undefined
    ? undefined
    : {kind, shape, text, sibling: textOf(kind, steps, constant, sibling) ?? text}
}

function walk(random: Random, {from, to}: Graph, start: string, length: number): Step[] {
  const steps: Step[] = []
  let node = start
  while (steps.length < length) {
    const isBack = random.chance(0.25)
    const triple = choose(random, isBack ? to.get(node) : from.get(node), steps)
    if (triple === undefined) break
    steps.push({triple, at: isBack ? 'object' : 'subject'})
    const next = isBack ? triple.s : triple.o
    if (next.startsWith('<') && random.chance(0.6)) node = next
  }
  return steps
}

/** A triple of a list whose predicate is new to the walk, because repeated patterns multiply rows. */
function choose(random: Random, triples: readonly GraphTriple[] | undefined, steps: readonly Step[]) {
  const others = (triples ?? []).slice(0, 1000).filter(({p}) => steps.every(({triple}) => triple.p !== p))
  return others.length === 0 ? undefined : pick(random, others)
}

function endOf(steps: readonly Step[]): string {
  const {triple, at} = steps.at(-1) as Step
  return at === 'subject' ? triple.o : triple.s
}

/** Another constant in the same place, which has the adjacent triple too. */
function siblingOf(random: Random, {triples}: Graph, steps: readonly Step[], start: string, constant: string) {
  const near = steps.find(({triple: {s, o}}) => s === constant || o === constant) ?? steps[0]
  if (near === undefined) return undefined
  const side = near.triple.s === constant ? 's' : 'o'
  const alike = ({p}: GraphTriple) => p === near.triple.p
  const first = random.below(triples.length)
  for (let at = 0; at < triples.length; at += 1) {
    const triple = triples[(first + at) % triples.length]
    if (triple !== undefined && alike(triple) && triple[side] !== constant && triple[side] !== start)
      return triple[side]
  }
  return undefined
}

/**
 * Turns the walk into a query of a kind.
 *
 * @param constant  the one term of the walk, besides predicates, that stays a constant
 * @param written   the term to write instead; by default the constant itself
 * @returns         undefined if the walk lacks what the kind needs
 */
function textOf(kind: Kind, steps: readonly Step[], constant: string, written = constant): string | undefined {
  const names = new Map<string, string>()
  const nameOf = (term: string) => {
    if (term === constant) return written
    const name = names.get(term) ?? `?v${names.size}`
    names.set(term, name)
    return name
  }
  const patterns = steps.map(({triple: {s, p, o}}) => `${nameOf(s)} ${p} ${nameOf(o)} .`).join(' ')
  const last = [...names.values()].at(-1)
  const [first] = names.values()
  const value = [...names].find(([term]) => term.startsWith('"'))?.[1]
  if (last === undefined || first === undefined) return undefined
  switch (kind) {
    case 'rows':
      return `SELECT * WHERE { ${patterns} }`
    case 'count':
      return `SELECT (COUNT(*) AS ?count) WHERE { ${patterns} }`
    case 'distinct':
      return `SELECT DISTINCT ${last} WHERE { ${patterns} }`
    case 'group':
      return `SELECT ${first} (COUNT(*) AS ?count) WHERE { ${patterns} } GROUP BY ${first}`
    case 'first':
      return value && `SELECT * WHERE { ${patterns} } ORDER BY ${value} LIMIT 10`
  }
}
