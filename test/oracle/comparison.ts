/**
 * Decides whether the specification allows an answer, given the oracle's.
 *
 * Solutions are bags. A slice may contain any solutions that the order allows, and REDUCED may drop duplicates.
 * Computed numbers have no prescribed form, so numbers of one datatype are compared by value. `?m` has aggregates; MIN
 * and MAX may choose between terms without an order, so only the kind of term is compared.
 */
import type {Quad, Term} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'
import type {Query} from '../../src/sparql/algebra.ts'
import {type Answer, answer} from './answer.ts'
import type {Store} from './evaluator.ts'
import {readNumeric, toNumber} from './numbers.ts'
import {compareKeys} from './order.ts'
import type {Solution} from './solution.ts'

/** Undefined if the answer is right, otherwise a line with the difference. */
export function differenceOf(actual: Answer, query: Query, store: Store): string | undefined {
  const {pattern} = query
  if (query.form === 'select' && pattern.type === 'slice') {
    const all = answer({...query, pattern: pattern.input}, store)
    return solutionsOf(actual) === undefined ? 'not solutions' : sliceDifference(actual, all, query, pattern)
  }
  const expected = answer(query, store)
  if (actual.type !== expected.type) return `${actual.type} instead of ${expected.type}`
  if (actual.type === 'boolean' && expected.type === 'boolean') {
    return actual.boolean === expected.boolean ? undefined : `${actual.boolean} instead of ${expected.boolean}`
  }
  if (actual.type === 'graph' && expected.type === 'graph') {
    return bagDifference(actual.quads.map(quadText), expected.quads.map(quadText))
  }
  const [ours, theirs] = [solutionsOf(actual) ?? [], solutionsOf(expected) ?? []]
  return solutionsDifference(ours, theirs) ?? orderDifference(ours, query)
}

/** The same for quads, including their graphs. */
export function quadsDifference(actual: readonly Quad[], expected: readonly Quad[]): string | undefined {
  const text = (given: Quad) => `${quadText(given)} ${termKey(given.graph)}`
  return bagDifference(actual.map(text), expected.map(text))
}

function solutionsOf(given: Answer): readonly Solution[] | undefined {
  return given.type === 'solutions' ? given.solutions : undefined
}

function solutionsDifference(actual: readonly Solution[], expected: readonly Solution[]): string | undefined {
  const exact = bagDifference(actual.map(exactText), expected.map(exactText))
  return exact === undefined ? undefined : bagDifference(actual.map(looseText), expected.map(looseText))
}

/** The first member that occurs more often in one bag than in the other. */
function bagDifference(actual: readonly string[], expected: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const text of expected) counts.set(text, (counts.get(text) ?? 0) + 1)
  for (const text of actual) counts.set(text, (counts.get(text) ?? 0) - 1)
  const off = [...counts].filter(([, count]) => count !== 0)
  if (off.length === 0) return undefined
  const size = `${actual.length} rows instead of ${expected.length}`
  const parts = off
    .slice(0, 6)
    .map(([text, count]) => `${count > 0 ? 'missing' : 'surplus'} ${Math.abs(count)} × ${text}`)
  return [size, ...parts].join('; ')
}

function sliceDifference(
  actual: Answer,
  all: Answer,
  query: Query,
  {offset, limit}: {readonly offset: number; readonly limit: number | undefined},
): string | undefined {
  const [ours, theirs] = [solutionsOf(actual) ?? [], solutionsOf(all) ?? []]
  const wanted = Math.min(Math.max(theirs.length - offset, 0), limit ?? Number.POSITIVE_INFINITY)
  if (ours.length !== wanted) return `${ours.length} rows instead of ${wanted} of ${theirs.length}`
  const left = theirs.map(looseText)
  for (const text of ours.map(looseText)) {
    const index = left.indexOf(text)
    if (index < 0) return `surplus ${text}`
    left.splice(index, 1)
  }
  return orderDifference(ours, query) ?? (offset === 0 ? prefixDifference(ours, theirs, query) : undefined)
}

/** The keys of ORDER BY that are plain variables. */
function orderKeys(query: Query): {readonly names: readonly string[]; readonly areDescending: readonly boolean[]} {
  let node = query.pattern
  while (node.type === 'slice' || node.type === 'distinct' || node.type === 'reduced' || node.type === 'project') {
    node = node.input
  }
  if (node.type !== 'orderBy') return {names: [], areDescending: []}
  const names = node.keys.map(({expression}) => (expression.type === 'variable' ? expression.name : ''))
  return {names, areDescending: node.keys.map(({isDescending}) => isDescending)}
}

function orderDifference(solutions: readonly Solution[], query: Query): string | undefined {
  const {names, areDescending} = orderKeys(query)
  const keys = solutions.map(solution => names.map(name => solution.get(name)))
  for (const [index, key] of keys.entries()) {
    const earlier = keys.slice(0, index).find(other => (compareKeys(other, key, areDescending) ?? 0) > 0)
    if (earlier !== undefined) return `out of order: ${earlier.map(loose)} before ${key.map(loose)}`
  }
  return undefined
}

/** A solution that a slice left out must not sort before one that it kept. */
function prefixDifference(kept: readonly Solution[], all: readonly Solution[], query: Query): string | undefined {
  const {names, areDescending} = orderKeys(query)
  const key = (solution: Solution) => names.map(name => solution.get(name))
  const keptTexts = kept.map(looseText)
  const omitted = all.filter(solution => !keptTexts.includes(looseText(solution)))
  const wrong = omitted.find(out => kept.some(one => (compareKeys(key(out), key(one), areDescending) ?? 0) < 0))
  return wrong === undefined ? undefined : `left out ${looseText(wrong)}, which comes first`
}

function exactText(solution: Solution): string {
  return rowText(solution, (_, term) => termKey(term))
}

function looseText(solution: Solution): string {
  return rowText(solution, (name, term) => (name === 'm' ? kindOf(term) : loose(term)))
}

function rowText(solution: Solution, show: (name: string, term: Term) => string): string {
  const cells = [...solution]
    .filter(([name]) => !/^[._]/.test(name))
    .map(([name, term]) => `?${name}=${show(name, term)}`)
  return cells.sort().join(' ')
}

function quadText({subject, predicate, object}: Quad): string {
  return [subject, predicate, object].map(loose).join(' ')
}

/** A number as datatype and value with twelve digits; other terms unchanged. */
export function loose(term: Term | undefined): string {
  if (term === undefined) return '-'
  const number = term.termType === 'Literal' ? readNumeric(term) : undefined
  if (term.termType !== 'Literal' || number === undefined) return termKey(term)
  const sign = Object.is(toNumber(number), -0) ? '-' : ''
  return `${sign}${toNumber(number).toPrecision(12)}^^${term.datatype.value.replace(/^.*#/, '')}`
}

function kindOf(term: Term): string {
  return term.termType === 'NamedNode' ? loose(term) : term.termType
}
