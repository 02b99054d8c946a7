/**
 * The order in which the operands of a conjunction are joined, and how each joins: what the whole costs, roughly.
 *
 * Floor 2. Pure. From each operand as the first one, always the next that leaves the fewest rows; the cheapest of
 * these orders is taken.
 *
 *   probe   for each solution so far, by the values that it binds
 *   scan    all of it once, then joined by hash
 *
 * Costs are in rows read in order; a look through an index costs as much as several. Sources: Moerkotte, Building
 * Query Compilers, §3.2 (greedy operator ordering).
 */
import type {Algebra, Expression, PatternTerm} from '../algebra.ts'
import {certainVariables, mentionedVariables, variablesIn} from '../analyse/variables.ts'
import {isBound, type Names, shareOf, tripleRows} from './estimate-triple.ts'
import {type Operand, operandsOf} from './operand.ts'
import type {ActiveGraph, Planner} from './scope.ts'

export type Estimate = {readonly rows: number; readonly cost: number}

export type Step = {readonly operand: Operand; readonly method: 'probe' | 'scan'; readonly rows: number}
export type Order = Estimate & {readonly steps: readonly Step[]}

const probeCost = 5
const hashCost = 0.6 // a row put into the table, or looked up there
const unconnected = 1e6
const startLimit = 6

/** What a conjunction is planned for. */
export type Setting = {
  readonly planner: Planner
  readonly graph: ActiveGraph
  readonly bound: Names // by what stands before it
  readonly tests: readonly Expression[] // that its solutions have to pass
}

export function chooseOrder(operands: readonly Operand[], setting: Setting): Order {
  const alone = new Map(operands.map(operand => [operand, estimateOperand(operand, {...setting, bound: new Set()})]))
  const starts = operands
    .map(operand => ({operand, rows: estimateOperand(operand, setting).rows}))
    .sort((left, right) => left.rows - right.rows)
    .slice(0, startLimit)
    .map(({operand}) => operand)
  const orders = starts.map(start => greedyOrder(start, operands, setting, alone))
  return orders.reduce((best, order) => (order.cost < best.cost ? order : best))
}

function greedyOrder(
  start: Operand,
  operands: readonly Operand[],
  setting: Setting,
  alone: ReadonlyMap<Operand, Estimate>,
): Order {
  const waiting = operands.filter(operand => operand !== start).map((operand): Waiting => ({operand, score: 0}))
  const watchers = watchersOf(waiting, setting)
  const steps: Step[] = []
  const bound = new Set(setting.bound)
  let [rows, cost] = [1, 0]
  const score = (operand: Operand): number => {
    const factor = bound.size === 0 || sharesVariable(operand, bound, setting) ? 1 : unconnected
    return estimateOperand(operand, {...setting, bound}).rows * factor
  }
  const take = (operand: Operand): void => {
    const whole = alone.get(operand) ?? estimateOperand(operand, {...setting, bound: new Set()})
    const each = estimateOperand(operand, {...setting, bound})
    const probed = rows * each.cost
    const scanned = whole.cost + hashCost * (rows + whole.rows)
    const isProbed = operand.type === 'path' || (sharesVariable(operand, bound, setting) && probed <= scanned)
    rows = Math.max(rows * each.rows, 0.01)
    cost += (steps.length === 0 ? each.cost : Math.min(probed, scanned)) + rows
    steps.push({operand, method: isProbed ? 'probe' : 'scan', rows})
    const added = [...certainOf(operand), ...graphName(setting)].filter(name => !bound.has(name))
    const isAnyMoved = steps.length === 1 || (bound.size === 0 && added.length > 0)
    for (const name of added) bound.add(name)
    const moved = isAnyMoved ? waiting : new Set(added.flatMap(name => watchers.get(name) ?? []))
    for (const one of moved) one.score = score(one.operand)
  }
  take(start)
  while (waiting.length > 0) {
    const [next] = waiting.splice(leastOf(waiting), 1)
    if (next !== undefined) take(next.operand)
  }
  return {steps, rows, cost}
}

type Waiting = {readonly operand: Operand; score: number}

/** The place of the first one that has the least score. */
function leastOf(waiting: readonly Waiting[]): number {
  let [place, least] = [0, Number.POSITIVE_INFINITY]
  for (const [index, {score}] of waiting.entries()) if (score < least) [place, least] = [index, score]
  return place
}

/** By variable, whose score its value may change: operands that name it, or of which a test does. */
function watchersOf(waiting: readonly Waiting[], setting: Setting): ReadonlyMap<string, readonly Waiting[]> {
  const watchers = new Map<string, Waiting[]>()
  for (const one of waiting) {
    const related = testsOf(one.operand, setting.tests).flatMap(variablesIn)
    for (const name of new Set([...namesOf(one.operand), ...related, ...graphName(setting)])) {
      const known = watchers.get(name)
      if (known === undefined) watchers.set(name, [one])
      else known.push(one)
    }
  }
  return watchers
}

/** A name for the graph that each pattern under GRAPH ?g tells. */
function graphName({graph}: Setting): readonly string[] {
  return graph.kind === 'each' ? [graph.variable] : []
}

const mentioned = new WeakMap<Operand, Names>()
const certain = new WeakMap<Operand, Names>()

/** Variables that an operand mentions. */
export function namesOf(operand: Operand): Names {
  return kept(mentioned, operand, () =>
    operand.type === 'other' ? mentionedVariables(operand.node) : certainOf(operand),
  )
}

/** Variables that each of its solutions binds. */
export function certainOf(operand: Operand): Names {
  return kept(certain, operand, () => certainNames(operand))
}

function kept(facts: WeakMap<Operand, Names>, operand: Operand, find: () => Names): Names {
  const known = facts.get(operand)
  if (known !== undefined) return known
  const found = find()
  facts.set(operand, found)
  return found
}

function certainNames(operand: Operand): Names {
  switch (operand.type) {
    case 'triple': {
      const {subject, predicate, object} = operand.pattern
      return new Set([subject, predicate, object].flatMap(nameOf))
    }
    case 'path':
    case 'other':
      return certainVariables(operand.node)
  }
}

function nameOf(term: PatternTerm): readonly string[] {
  return term.termType === 'Variable' ? [term.value] : []
}

function sharesVariable(operand: Operand, bound: Names, setting: Setting): boolean {
  return [...namesOf(operand), ...graphName(setting)].some(name => bound.has(name))
}

function estimateOperand(operand: Operand, setting: Setting): Estimate {
  const {planner, bound, graph, tests} = setting
  switch (operand.type) {
    case 'triple': {
      const {pattern} = operand
      const rows = tripleRows(planner, pattern, bound, graph)
      const own = testsOf(operand, tests).filter(test => isOwnTest(test, operand, bound))
      const left = own.reduce((share, test) => share * shareOf(planner, pattern, test), rows)
      return {rows: left, cost: probeCost + rows}
    }
    case 'path': {
      const {subject, object} = operand.node
      const ends = [subject, object].filter(end => isBound(end, bound)).length
      const rows = ends === 2 ? 0.5 : ends === 1 ? 100 : 1e6
      return {rows, cost: ends === 0 ? 1e7 : 100 * probeCost}
    }
    case 'other':
      return isWorthwhile(planner) ? estimateNode(operand.node, {...setting, tests: []}) : unknown
  }
}

const testsByName = new WeakMap<readonly Expression[], ReadonlyMap<string, readonly Expression[]>>()

/** The tests that name a variable which the operand binds. */
function testsOf(operand: Operand, tests: readonly Expression[]): readonly Expression[] {
  if (tests.length === 0) return tests
  const byName = testsByName.get(tests) ?? groupedByName(tests)
  testsByName.set(tests, byName)
  return [...new Set([...certainOf(operand)].flatMap(name => byName.get(name) ?? []))]
}

function groupedByName(tests: readonly Expression[]): ReadonlyMap<string, readonly Expression[]> {
  const byName = new Map<string, Expression[]>()
  for (const test of tests) {
    for (const name of new Set(variablesIn(test))) {
      const known = byName.get(name)
      if (known === undefined) byName.set(name, [test])
      else known.push(test)
    }
  }
  return byName
}

/** What is taken for a group when so many were looked into that the rest would cost more than a poor order. */
const unknown: Estimate = {rows: 1000, cost: 10_000}

const workLimit = 5000 // groups looked into for one query; each level of nesting looks into those below it anew
const work = new WeakMap<Planner, number>()

function isWorthwhile(planner: Planner): boolean {
  const done = work.get(planner) ?? 0
  work.set(planner, done + 1)
  return done < workLimit
}

/** Whether a test can be made once the operand is there, and not before. */
function isOwnTest(test: Expression, operand: Operand, bound: Names): boolean {
  const names = variablesIn(test)
  const own = certainOf(operand)
  return names.some(name => own.has(name) && !bound.has(name)) && names.every(name => own.has(name) || bound.has(name))
}

/** Solutions of a pattern, for each solution that binds `bound`, and their cost. */
export function estimateNode(node: Algebra, setting: Setting): Estimate {
  switch (node.type) {
    case 'bgp':
    case 'path':
    case 'join': {
      return isConjunction(node) ? chooseOrder(operandsOf(node), setting) : {rows: 1, cost: 1}
    }
    case 'filter': {
      const input = estimateNode(node.input, {...setting, tests: [...setting.tests, node.condition]})
      return isConjunction(node.input) ? input : {...input, rows: input.rows / 3}
    }
    case 'leftJoin':
    case 'minus': {
      const left = estimateNode(node.left, {...setting, tests: []})
      const bound = new Set([...setting.bound, ...certainVariables(node.left)])
      const right = estimateNode(node.right, {...setting, bound, tests: []})
      const isLeftJoin = node.type === 'leftJoin'
      return {
        rows: isLeftJoin ? left.rows * Math.max(1, right.rows) : left.rows,
        cost: left.cost + left.rows * right.cost,
      }
    }
    case 'union': {
      const inputs = node.inputs.map(input => estimateNode(input, setting))
      return {rows: sum(inputs.map(({rows}) => rows)), cost: sum(inputs.map(({cost}) => cost))}
    }
    case 'table':
      return {rows: node.columns.some(({variable}) => setting.bound.has(variable)) ? 0.5 : node.rowCount, cost: 1}
    case 'values':
      return {rows: node.variables.some(name => setting.bound.has(name)) ? 0.5 : node.rows.length, cost: 1}
    case 'slice': {
      const {rows, cost} = estimateNode(node.input, {...setting, bound: new Set()})
      return {rows: Math.min(rows, node.limit ?? rows), cost}
    }
    case 'group': {
      const {rows, cost} = estimateNode(node.input, {...setting, bound: new Set()})
      return {rows: node.keys.length === 0 ? 1 : rows / 5, cost: cost + rows}
    }
    case 'project': {
      const shown = node.variables.filter(name => setting.bound.has(name))
      return estimateNode(node.input, {...setting, bound: new Set(shown)})
    }
    case 'extend':
    case 'graph':
    case 'orderBy':
    case 'distinct':
    case 'reduced':
      return estimateNode(node.input, setting)
    case 'service':
      return {rows: 1000, cost: 1e5}
  }
}

/** The cheapest order that begins with one operand. */
export function orderFrom(start: Operand, operands: readonly Operand[], setting: Setting): Order {
  return greedyOrder(start, operands, setting, new Map())
}

/** Whether it has operands: the pattern without triples has none. */
export function isConjunction(node: Algebra): node is Extract<Algebra, {type: 'bgp' | 'path' | 'join'}> {
  return (node.type === 'bgp' && node.patterns.length > 0) || node.type === 'path' || node.type === 'join'
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
