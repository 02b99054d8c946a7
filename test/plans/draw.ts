/**
 * Generates random queries from random walks: constants, optional parts, filters, paths, graphs, and solution
 * modifiers.
 */
import {pick, type Random} from '../support/random.ts'
import {isNode, isOrdered, type Statement, type Statements} from './statements.ts'
import {drawWalk, isSmall, type Walk} from './walk.ts'

/** A query under construction. */
type Draft = {
  readonly random: Random
  readonly data: Statements
  readonly transitive: readonly string[]
  readonly walk: Walk
  readonly constants: ReadonlySet<string>
  readonly names: Map<string, string> // variables by their terms in the walk
}

export type Drawn = {readonly text: string; readonly features: readonly string[]}

type Part = {readonly text: string; readonly feature?: string; readonly isOutside?: boolean}

/** @param transitive  IRIs of predicates whose closure from one end is small */
export function drawQuery(random: Random, data: Statements, transitive: readonly string[]): Drawn {
  for (;;) {
    const walk = drawWalk(random, data)
    const constants = drawConstants(random, walk)
    if (!isSmall(data, walk.statements, constants)) continue
    const marked = transitive.map(iri => `<${iri}>`)
    const draft = {random, data, transitive: marked, walk, constants, names: new Map<string, string>()}
    const parts = [...skeleton(draft), ...additions(draft)]
    const inside = parts.filter(({isOutside}) => isOutside !== true).map(({text}) => text)
    const outside = parts.filter(({isOutside}) => isOutside === true).map(({text}) => text)
    const features = [walk.shape, ...parts.flatMap(({feature}) => feature ?? [])]
    const graph = inGraph(draft, inside.join('\n  '))
    const where = `{\n  ${[graph.text, ...outside].join('\n  ')}\n}`
    const query = head(draft, where)
    return {text: query.text, features: [...features, graph.feature, query.feature].filter(one => one !== undefined)}
  }
}

/** Terms that stay constants, mostly ends of the walk, both rare and frequent. */
function drawConstants(random: Random, {statements}: Walk): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const {s, o} of statements) for (const term of [s, o]) counts.set(term, (counts.get(term) ?? 0) + 1)
  const ends = [...counts].filter(([term, count]) => count === 1 && !term.startsWith('_:')).map(([term]) => term)
  const wanted = random.chance(0.2) ? 0 : random.chance(0.7) ? 1 : 2
  const chosen = new Set<string>()
  while (chosen.size < Math.min(wanted, ends.length) && chosen.size < counts.size - 1) chosen.add(pick(random, ends))
  return chosen
}

function term(draft: Draft, of: string): string {
  if (draft.constants.has(of)) return of
  const known = draft.names.get(of)
  if (known !== undefined) return known
  const name = `?v${draft.names.size}`
  draft.names.set(of, name)
  return name
}

function triple(draft: Draft, {s, p, o}: Statement, verb = p): string {
  return `${term(draft, s)} ${verb} ${term(draft, o)} .`
}

/** The statements of the walk as patterns. Sometimes one becomes a path, a UNION, or has a variable predicate. */
function skeleton(draft: Draft): readonly Part[] {
  const {random, walk, data, constants} = draft
  const special = random.chance(0.3) ? random.below(walk.statements.length) : -1
  const shown = walk.statements.map((statement, index): Part => {
    if (index !== special) return {text: triple(draft, statement)}
    const {s, p, o} = statement
    const choice = random.below(4)
    if (choice === 0 && walk.statements.length > 1)
      return {text: `${term(draft, s)} ?p ${term(draft, o)} .`, feature: 'any predicate'}
    if (choice === 1 && isNode(o)) return pathOf(draft, statement)
    if (choice === 2) {
      const others = (data.bySubject.get(s) ?? []).filter(one => one.p !== p && isNode(one.o) === isNode(o))
      const other = others.length === 0 ? p : pick(random, others).p
      return {text: `{ ${triple(draft, statement)} } UNION { ${triple(draft, statement, other)} }`, feature: 'union'}
    }
    return {text: triple(draft, statement)}
  })
  const named = [...draft.names].filter(([of]) => !of.startsWith('_:'))
  const some = named.length > 0 && random.chance(0.08) ? pick(random, named) : undefined
  if (some !== undefined) return [...shown, valuesOf(draft, some)]
  if (random.chance(0.06) && constants.size > 0) return [...shown, ...emptied(draft)]
  return shown
}

function pathOf(draft: Draft, statement: Statement): Part {
  const {random, data, transitive} = draft
  const {s, p, o} = statement
  if (transitive.includes(p))
    return {text: triple(draft, statement, `${p}${pick(random, ['+', '*', '?'])}`), feature: 'closure'}
  const next = (data.bySubject.get(o) ?? []).filter(one => data.fanOf(one.p).ofSubject < 20)
  if (next.length > 0 && random.chance(0.5)) {
    const step = pick(random, next)
    return {text: `${triple(draft, statement)} ${term(draft, s)} ${p}/${step.p} ?end .`, feature: 'sequence'}
  }
  const [other] = [...data.byPredicate.keys()].filter(one => one !== p && data.fanOf(one).ofSubject < 20)
  return {text: triple(draft, statement, `(${p}|${other ?? p})`), feature: 'alternative'}
}

function valuesOf({data, random, walk}: Draft, [of, name]: readonly [string, string]): Part {
  const {p, s} = walk.statements.find(one => one.s === of || one.o === of) ?? walk.statements[0] ?? {p: '', s: ''}
  const similar = data.byPredicate.get(p) ?? []
  const others = Array.from({length: random.between(1, 4)}, () => pick(random, similar)[s === of ? 's' : 'o'])
  const rows = [of, ...others.filter(one => !one.startsWith('_:'))]
  return {text: `VALUES ${name} { ${rows.join(' ')} }`, feature: 'values'}
}

/** A pattern that usually has no solution together with the others. */
function emptied({data, random, names, constants}: Draft): readonly Part[] {
  const [of, name] = pick(random, [...names])
  const own = (data.bySubject.get(of) ?? []).filter(({o}) => !o.startsWith('_:'))
  if (own.length === 0) return []
  const {p} = pick(random, own)
  const other = pick(random, data.byPredicate.get(p) ?? [])
  if (other.o.startsWith('_:') || constants.has(other.o)) return []
  return [{text: `${name} ${p} ${other.o} .`, feature: 'seldom'}]
}

/** FILTER, BIND and similar clauses, which reduce or extend the solutions. */
function additions(draft: Draft): readonly Part[] {
  const {random, data, names} = draft
  const parts: Part[] = []
  const node = () => pick(random, [...names])
  const around = (limit: number) => {
    const [of, name] = node()
    const near = (data.bySubject.get(of) ?? []).filter(one => data.fanOf(one.p).ofSubject <= limit)
    return near.length === 0 ? undefined : {name, ...pick(random, near)}
  }
  if (names.size === 0) return parts
  if (random.chance(0.18)) {
    const near = around(30)
    if (near !== undefined) parts.push({text: optionalOf(draft, near), feature: 'optional'})
  }
  if (random.chance(0.07)) {
    const near = around(1000)
    const value = near === undefined || near.o.startsWith('_:') || random.chance(0.4) ? '?m' : near.o
    if (near !== undefined) parts.push({text: `MINUS { ${near.name} ${near.p} ${value} }`, feature: 'minus'})
  }
  if (random.chance(0.1)) {
    const near = around(1000)
    const isNegated = random.chance(0.5)
    const value = near === undefined || near.o.startsWith('_:') || random.chance(0.4) ? '?e' : near.o
    if (near !== undefined)
      parts.push({
        text: `FILTER ${isNegated ? 'NOT ' : ''}EXISTS { ${near.name} ${near.p} ${value} }`,
        feature: isNegated ? 'not exists' : 'exists',
      })
  }
  if (random.chance(0.3)) parts.push(...comparison(draft))
  if (random.chance(0.08)) parts.push(...extreme(draft))
  return parts
}

function optionalOf({random, data}: Draft, {name, p, o}: Statement & {readonly name: string}): string {
  const next = (data.bySubject.get(o) ?? []).filter(one => data.fanOf(one.p).ofSubject <= 5)
  if (next.length === 0 || random.chance(0.5)) return `OPTIONAL { ${name} ${p} ?o }`
  return `OPTIONAL { ${name} ${p} ?o . ?o ${pick(random, next).p} ?r }`
}

function comparison({random, data, walk, names}: Draft): readonly Part[] {
  const compared = walk.statements.filter(({o}) => isOrdered(o) && names.has(o))
  if (compared.length === 0) return []
  const {p, o} = pick(random, compared)
  const name = names.get(o) ?? ''
  const [one, two] = [pick(random, data.byPredicate.get(p) ?? []).o, o]
  if (!isOrdered(one)) return []
  const text = random.chance(0.3) ? `${name} = ${two}` : `${name} ${pick(random, ['<', '>', '<=', '>='])} ${one}`
  return [{text: `FILTER(${text})`, feature: 'comparison'}]
}

/** A sub-select with the extreme value or the count of a group, joined with the rest. */
function extreme({random, data, walk, names}: Draft): readonly Part[] {
  const grouped = walk.statements.filter(({s, o}) => names.has(s) && (isOrdered(o) || isNode(o)))
  if (grouped.length === 0) return []
  const {s, p, o} = pick(random, grouped)
  if (data.fanOf(p).count > 100_000) return []
  const made = isOrdered(o) ? `(${pick(random, ['MAX', 'MIN'])}(?x) AS ?w)` : '(COUNT(?x) AS ?w)'
  const key = names.get(s)
  return [
    {text: `{ SELECT ${key} ${made} { ${key} ${p} ?x } GROUP BY ${key} }`, feature: 'sub-select', isOutside: true},
  ]
}

function inGraph({random, walk}: Draft, text: string): {readonly text: string; readonly feature?: string} {
  if (!walk.isLocal) return {text}
  const graph = random.chance(0.4) ? (walk.statements[0]?.g ?? '?g') : '?g'
  return {text: `GRAPH ${graph} { ${text} }`, feature: graph === '?g' ? 'each graph' : 'one graph'}
}

/** The query form and its projection. */
function head(draft: Draft, where: string): {readonly text: string; readonly feature?: string} {
  const {random, names, walk} = draft
  const variables = [...names.values()]
  const ordered = walk.statements.flatMap(({o}) => (isOrdered(o) ? (names.get(o) ?? []) : []))
  const choice = random.below(10)
  if (variables.length === 0) return {text: `ASK ${where}`, feature: 'ask'}
  const one = pick(random, variables)
  if (choice === 0) return {text: `SELECT DISTINCT ${one} ${where}`, feature: 'distinct'}
  if (choice === 1) {
    const made = ordered.length > 0 ? `(AVG(${pick(random, ordered)}) AS ?a)` : '(COUNT(*) AS ?a)'
    const having = random.chance(0.4) ? ' HAVING(COUNT(*) > 2)' : ''
    return {text: `SELECT ${one} ${made} ${where} GROUP BY ${one}${having}`, feature: 'group'}
  }
  if (choice === 2) return {text: `SELECT (COUNT(*) AS ?n) ${where}`, feature: 'count'}
  if (choice <= 5 || (ordered.length > 0 && choice <= 6)) {
    const key = ordered.length > 0 && random.chance(0.8) ? pick(random, ordered) : one
    const keys = [random.chance(0.5) ? `DESC(${key})` : key, ...(random.chance(0.4) ? [pick(random, variables)] : [])]
    const offset = random.chance(0.2) ? ' OFFSET 20' : ''
    const shown = random.chance(0.2) ? `DISTINCT ${[...new Set([key, one])].join(' ')}` : '*'
    return {text: `SELECT ${shown} ${where} ORDER BY ${keys.join(' ')} LIMIT 10${offset}`, feature: 'first of an order'}
  }
  if (choice === 7) return {text: `SELECT * ${where} LIMIT 20`, feature: 'limit'}
  return {text: `SELECT * ${where}`}
}
