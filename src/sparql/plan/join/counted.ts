/**
 * What runs of queries tell of conjunctions: how many solutions some of their patterns and closures have together.
 *
 * Pure. Frequencies and samples say how many triples a value leads to on average, and nothing of values that several
 * joins have selected. A slow query is therefore run once more, in the background, while PostgreSQL counts the rows of
 * each join (query/join-counts.ts). The next plan uses these numbers for the same patterns in any order
 * (Stillger et al., "LEO – DB2's LEarning Optimizer", VLDB 2001).
 */
import {termKey} from '../../../rdf/term-key.ts'
import type {Expression, PatternTerm} from '../../algebra.ts'
import {isPlainTest} from '../../analyse/plain-test.ts'
import {variablesIn} from '../../analyse/variables.ts'
import type {ActiveGraph, Planner} from '../block.ts'
import type {Counted, JoinSamples, SolutionCount} from '../frequencies.ts'
import {type Bound, type Estimate, lookupCost} from './estimate-triple.ts'
import type {Operand} from './operand.ts'

/** The pattern of an operand whose solutions can be counted. */
export function countedOf(operand: Operand): Counted | undefined {
  return operand.type === 'triple' ? operand.pattern : operand.type === 'path' ? operand.node : undefined
}

/**
 * Whether the solutions of patterns are the same for all queries: the graph is the union of all, in its present state,
 * and the caller may read it.
 */
export function areCountable({dataset, facts}: Planner, graph: ActiveGraph): boolean {
  const {realms, past} = facts
  return graph.kind === 'default' && dataset === undefined && realms === undefined && past === undefined
}

/** Keeps numbers of solutions. @returns  those before, if there were any */
export function keepCount(
  {counts, counted}: JoinSamples,
  patterns: readonly Counted[],
  tests: readonly Expression[],
  count: SolutionCount,
): SolutionCount | undefined {
  const key = countKey(patterns, tests)
  const before = counts.get(key)
  counts.set(key, count)
  for (const pattern of patterns) counted.add(textOf(pattern))
  return before
}

/** The key of some patterns of a conjunction, in any order, with the tests that concern them. */
function countKey(patterns: readonly Counted[], tests: readonly Expression[]): string {
  const names = new Set(patterns.flatMap(namesIn))
  const isOwn = (test: Expression) =>
    isPlainTest(test)
      ? variablesIn(test).every(name => names.has(name))
      : variablesIn(test).some(name => names.has(name))
  return [...patterns.map(textOf).sort(), ...tests.filter(isOwn).map(textOf).sort()].join('\n')
}

const texts = new WeakMap<Counted | Expression, string>()

function textOf(part: Counted | Expression): string {
  const known = texts.get(part) ?? writeText(part)
  texts.set(part, known)
  return known
}

function writeText(part: Counted | Expression): string {
  if (!('subject' in part)) return JSON.stringify(part)
  const step = 'path' in part ? JSON.stringify(part.path) : termText(part.predicate)
  return `${termText(part.subject)} ${step} ${termText(part.object)}`
}

function termText(term: PatternTerm): string {
  return term.termType === 'Variable' ? `?${term.value}` : JSON.stringify(termKey(term))
}

function namesIn(pattern: Counted): readonly string[] {
  const terms = [pattern.subject, pattern.object, ...('path' in pattern ? [] : [pattern.predicate])]
  return terms.flatMap(term => (term.termType === 'Variable' ? [term.value] : []))
}

/** The numbers of solutions, of which some are known, as a search for an order goes on. */
type Counts = {
  /** The estimate of an operand for `rows` solutions, at most `most`; a better one if a run has told their number. */
  readonly better: (operand: Operand, estimate: Estimate, before: {rows: number; most: number}) => Estimate
  readonly take: (operand: Operand) => void // joins an operand
}

type Conjunction = {
  readonly planner: Planner
  readonly graph: ActiveGraph
  readonly bound: Bound
  readonly tests: readonly Expression[]
}

/** What runs have told of the patterns that a search joins. */
export function countsOf({planner, graph, bound, tests}: Conjunction): Counts {
  const {counts, counted} = planner.facts.frequencies.joins ?? {}
  if (!counts?.size || bound.size > 0 || !areCountable(planner, graph)) return nothingKnown
  let patterns: readonly Counted[] | undefined = []
  const patternsWith = (operand: Operand) => {
    const another = countedOf(operand)
    return patterns && another && counted?.has(textOf(another)) ? [...patterns, another] : undefined
  }
  return {
    better: (operand, estimate, {rows, most}) => {
      const all = patternsWith(operand)
      const count = all && counts.get(countKey(all, tests))
      if (count === undefined) return estimate
      const found = count.rows / rows
      const share = count.rows < count.tested ? {share: (count.rows + 1) / (count.tested + 1)} : {}
      return {rows: found, most: count.rows / most, ...share, cost: costOf(planner, operand, estimate, found)}
    },
    take: operand => {
      patterns = patternsWith(operand)
    },
  }
}

const nothingKnown: Counts = {better: (_, estimate) => estimate, take: () => undefined}

/** The cost of an operand with another number of rows than expected. A closure costs what it reads on its way. */
function costOf(planner: Planner, operand: Operand, {cost, rows}: Estimate, found: number): number {
  if (operand.type !== 'triple') return cost
  const lookup = lookupCost(planner, operand.pattern)
  return lookup + (Math.max(0, cost - lookup) * found) / Math.max(rows, Number.MIN_VALUE)
}
