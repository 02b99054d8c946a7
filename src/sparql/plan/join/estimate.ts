/**
 * Chooses the order and the methods of the joins of a conjunction, and estimates rows and costs of patterns.
 *
 * Pure. The search is greedy: for several first operands, it always appends the operand that leaves the fewest rows.
 * It takes the cheapest of these orders. Join methods:
 *
 *   probe   looks up the operand for each solution so far, by the values that the solution binds, or for each of few
 *           different values of one variable
 *   scan    reads the whole operand once and joins it by hash
 *
 * The method is chosen for two numbers of solutions: the expected one, and the one if values occur together as often as
 * they can. The cheaper method has the lower product of both costs. So a method that is much worse for one of the
 * numbers is not chosen to save little for the other.
 *
 * The unit of cost is one row of a sequential read. An index lookup costs as much as several rows.
 * Source: Moerkotte, Building Query Compilers, §3.2 (greedy operator ordering).
 */
import type {Algebra, Expression, TriplePattern} from '../../algebra.ts'
import {conjuncts} from '../../analyse/conjuncts.ts'
import {certainVariables, groupedBy, mentionedVariables, variablesIn} from '../../analyse/variables.ts'
import type {ActiveGraph, Planner} from '../block.ts'
import {areMany} from '../expression/joined-terms.ts'
import {isMadeFirst} from '../order/first-rows.ts'
import {number, type Probes} from '../relation.ts'
import {countsOf} from './counted.ts'
import {estimatePath} from './estimate-path.ts'
import {
  isIndexed,
  isOwnTest,
  shareOf,
  shareOfEveryTriple,
  testCost,
  testsOf,
  togetherCost,
  unknownShare,
} from './estimate-test.ts'
import {
  anyDomain,
  type Bound,
  bindPattern,
  bindSolutions,
  bindTogether,
  boundTo,
  type Domain,
  type Estimate,
  lookupCost,
  probeCost,
  shareOfSubjects,
  tripleRows,
} from './estimate-triple.ts'
import {bindListed, listedRows} from './estimate-values.ts'
import {keptEstimate} from './known-estimates.ts'
import {keysOfLargest} from './largest-groups.ts'
import {only} from './lateral.ts'
import {chooseMethod, graphName, hashCost, sharesVariable} from './method.ts'
import {certainOf, isConjunction, namesOf, type Operand, operandsOf, possibleOf} from './operand.ts'
import {countOnce, differentRows, repeatedValues, usesOf, valuesTogether} from './repeats.ts'

export type Step = {
  readonly operand: Operand
  readonly method: 'probe' | 'scan'
  readonly rows: number
  readonly untested: number // rows if no EXISTS were tested
  readonly share: number // of the rows for which the tests that follow are true
  readonly cost: number // of the step, for all solutions before it
  readonly read: number // rows that a scan reads
  readonly isOnce?: boolean | undefined // one match of each solution is enough, and its values are not used (needed.ts)
  readonly different?: readonly string[] | undefined // then only the different values of these variables are kept
  readonly shared?: string | undefined // a probe for the different values of this variable (probe-different.ts)
  readonly probes?: Probes | undefined // of a probe for each solution
}
export type JoinOrder = Estimate & {readonly steps: readonly Step[]; readonly domains: Bound}

export const searchRows = 100 // that text:query is expected to find
const searchCost = 500 // of finding literals by their text
const unconnected = 1e6
const startLimit = 6
const firstRowsRisk = 4
const mostMatches = 1.2 // of a solution on average, for which a join is no worse than a test

/** The context in which a conjunction is planned. */
export type JoinContext = {
  readonly planner: Planner
  readonly graph: ActiveGraph
  readonly bound: Bound // variables that earlier operands bind
  readonly tests: readonly Expression[] // filters on the solutions
  readonly wanted?: number | undefined // number of solutions that are enough, in any order
  readonly needed?: ReadonlySet<string> | undefined // only the different values of these variables count
  readonly isProbed?: boolean // whether every step that can use a probe does
  readonly isConnected?: boolean // whether operands follow others with which they share a variable, if there are any
  readonly starts?: number // first operands that are tried at most
}

export function chooseOrder(operands: readonly Operand[], context: JoinContext): JoinOrder {
  if (operands.length === 0) return {steps: [], rows: 1, cost: 0, domains: context.bound} // one empty solution
  const alone = new Map(operands.map(operand => [operand, estimateOperand(operand, {...context, bound: boundTo([])})]))
  const starts = startsOf(operands, context)
  let best: JoinOrder = {steps: [], rows: 0, cost: Number.POSITIVE_INFINITY, domains: context.bound}
  const keepCheaper = (order: JoinOrder) => {
    if (best.steps.length === 0 || order.cost < best.cost) best = order
  }
  for (const start of starts) keepCheaper(greedyOrder(start, operands, context, alone, best.cost))
  const {wanted, bound} = context
  if (bound.size > 0 && operands.length > 2)
    for (const start of starts)
      keepCheaper(greedyOrder(start, operands, {...context, isConnected: true}, alone, best.cost))
  if (wanted !== undefined) {
    for (const start of starts) {
      const order = greedyOrder(start, operands, {...context, isProbed: true}, alone)
      const share = Math.min(1, (firstRowsRisk * wanted) / order.rows) // the first triples may lead to no solution
      const before = isMadeFirst(start) ? (alone.get(start)?.cost ?? 0) : 0
      keepCheaper({...order, cost: before + (order.cost - before) * share})
    }
  }
  return best
}

/** The operands with which an order may begin: those with the fewest rows, or the one that `planner.forced` demands. */
function startsOf(operands: readonly Operand[], context: JoinContext): readonly Operand[] {
  const {start} = context.planner.forced ?? {}
  const forced = start === undefined ? undefined : operands[start % operands.length]
  if (forced !== undefined) return [forced]
  return operands
    .map(operand => ({operand, rows: estimateOperand(operand, context).rows}))
    .sort((left, right) => left.rows - right.rows)
    .slice(0, context.starts ?? startLimit)
    .map(({operand}) => operand)
}

/** @param limit  the search stops at an order that costs more */
function greedyOrder(
  start: Operand,
  operands: readonly Operand[],
  context: JoinContext,
  alone: ReadonlyMap<Operand, Estimate>,
  limit = Number.POSITIVE_INFINITY,
): JoinOrder {
  const waiting = operands.filter(operand => operand !== start).map((operand): Waiting => ({operand, score: 0}))
  const watchers = watchersOf(waiting, context)
  const steps: Step[] = []
  const bound = new Map(context.bound)
  const here = {...context, bound}
  const connecting = context.isConnected === true ? new Map<string, Domain>() : bound
  let [rows, most, untested, cost] = [1, 1, 1, 0]
  const uses = context.needed && usesOf(operands, context.needed, context.tests)
  const counts = countsOf(context)
  const estimate = (operand: Operand): Estimate & Pick<Step, 'isOnce'> => {
    const all = counts.better(operand, estimateOperand(operand, here), {rows, most})
    const isOnce = all.rows > mostMatches && uses?.bindsUnused(operand, bound) && isTested(operand, bound, context)
    return isOnce && operand.type === 'triple' ? {...untilFirst(context.planner, operand, all), isOnce} : all
  }
  const score = (operand: Operand): number => {
    const factor = connecting.size === 0 || sharesVariable(operand, connecting, context) ? 1 : unconnected
    const {shuffle} = context.planner.forced ?? {}
    if (shuffle !== undefined) return factor * (((operands.indexOf(operand) + 1) * 7919 * shuffle) % 101)
    return estimate(operand).rows * factor
  }
  const take = (operand: Operand): void => {
    const whole = estimateWhole(operand, bound, context, alone)
    const each = estimate(operand)
    const {joined, ...how} = chooseMethod(operand, {rows, most, each, whole}, here)
    rows = Math.max(rows * each.rows, 0.01)
    most = Math.max(most * (each.most ?? each.rows), rows)
    untested = Math.max(untested * (each.untested ?? each.rows), 0.01)
    const ownCost = (steps.length === 0 ? each.cost : joined) + rows
    cost += ownCost
    const added = [...possibleOf(operand), ...graphName(operand, context)].filter(name => !connecting.has(name))
    const isAnyMoved = steps.length === 0 || (bound.size === 0 && added.length > 0)
    if (operand.type === 'triple') bindPattern(context.planner, operand.pattern, bound)
    bindSolutions(whole, bound)
    for (const name of added) for (const names of [bound, connecting]) if (!names.has(name)) names.set(name, anyDomain)
    if (operand.type === 'other' && operand.node.type === 'values') bindListed(context.planner, operand.node, bound)
    uses?.take(operand)
    counts.take(operand)
    const different = uses && repeatedValues(context.planner, operand, {rows, bound, uses})
    if (different !== undefined) {
      cost += hashCost * rows
      rows = differentRows(different, {rows, bound})
      most = Math.min(most, valuesTogether(different, bound))
      countOnce(different, bound)
    }
    const {isOnce, share = unknownShare} = each
    steps.push({operand, ...how, rows, untested, share, cost: ownCost, read: whole.rows, isOnce, different})
    const moved = isAnyMoved ? waiting : new Set(added.flatMap(name => watchers.get(name) ?? []))
    for (const one of moved) one.score = score(one.operand)
  }
  const next = () => (cost > limit ? undefined : waiting.splice(leastOf(waiting), 1)[0]?.operand)
  for (let operand: Operand | undefined = start; operand !== undefined; operand = next()) take(operand)
  return {steps, rows, cost, domains: bound}
}

/** The estimate of an operand that is read whole. Tests of variables that earlier operands bind are not part of it. */
function estimateWhole(
  operand: Operand,
  bound: Bound,
  context: JoinContext,
  alone: ReadonlyMap<Operand, Estimate>,
): Estimate {
  const isElsewhere = (test: Expression) => variablesIn(test).some(name => bound.has(name))
  const known = testsOf(operand, context.tests).some(isElsewhere) ? undefined : alone.get(operand)
  const tests = context.tests.filter(test => !isElsewhere(test))
  return known ?? estimateOperand(operand, {...context, bound: boundTo([]), tests})
}

/** Whether a triple pattern shares variables with the solutions so far, so that it can be a test of each. */
function isTested(operand: Operand, bound: Bound, context: JoinContext): boolean {
  const isInGraph = graphName(operand, context).every(name => bound.has(name))
  return operand.type === 'triple' && isInGraph && sharesVariable(operand, bound, context)
}

/** The estimate of a pattern of which the first match is enough: the others are neither read nor tested. */
function untilFirst(planner: Planner, {pattern}: Extract<Operand, {type: 'triple'}>, all: Estimate): Estimate {
  const {rows, most = rows, cost} = all
  const lookup = lookupCost(planner, pattern)
  return {rows: Math.min(1, rows), most: Math.min(1, most), cost: lookup + (cost - lookup) / Math.max(1, rows)}
}

type Waiting = {readonly operand: Operand; score: number}

/** The index of the lowest score; the first of several. */
function leastOf(waiting: readonly Waiting[]): number {
  let [place, least] = [0, Number.POSITIVE_INFINITY]
  for (const [index, {score}] of waiting.entries()) if (score < least) [place, least] = [index, score]
  return place
}

/** For each variable, the operands whose score changes when it is bound: they or one of their tests mention it. */
function watchersOf(waiting: readonly Waiting[], context: JoinContext): ReadonlyMap<string, readonly Waiting[]> {
  const watchers = new Map<string, Waiting[]>()
  for (const one of waiting) {
    const related = testsOf(one.operand, context.tests).flatMap(variablesIn)
    for (const name of new Set([...namesOf(one.operand), ...related, ...graphName(one.operand, context)])) {
      const known = watchers.get(name)
      if (known === undefined) watchers.set(name, [one])
      else known.push(one)
    }
  }
  return watchers
}

function estimateOperand(operand: Operand, context: JoinContext): Estimate {
  const {planner, bound, graph, tests} = context
  switch (operand.type) {
    case 'triple': {
      const {pattern} = operand
      const {rows, most} = tripleRows(planner, pattern, bound, graph)
      const own = testsOf(operand, tests).filter(test => test.type !== 'exists' && isOwnTest(test, operand, bound))
      const ofAll = (test: Expression) =>
        isOpen(pattern, bound) ? shareOfEveryTriple(planner, pattern, test) : undefined
      const ranges = own.filter(test => isIndexed(planner, pattern, test))
      const others = own.filter(test => !isIndexed(planner, pattern, test) && ofAll(test) === undefined)
      const read = own.reduce((left, test) => left * (ofAll(test) ?? 1), rows * shareOf(planner, pattern, ranges))
      const cost = lookupCost(planner, pattern) + read * (1 + (areMany(read) ? togetherCost : testCost) * others.length)
      const untested = read * shareOf(planner, pattern, others)
      const share = shareOfExists(operand, context)
      const left = (untested * share) / Math.max(rows, Number.MIN_VALUE)
      const found = {rows: untested * share, most: most * left}
      return share === 1 ? {...found, cost} : {...found, cost: cost + 2 * untested, untested}
    }
    case 'path':
      return estimatePath(planner, operand.node, bound, graph)
    case 'texts':
      return bound.has(operand.variable) ? {rows: 1, cost: probeCost} : {rows: operand.rows, cost: searchCost}
    case 'other':
      return keptEstimate(context, operand.node, namesOf(operand), () =>
        isWorthwhile(planner) ? estimateNode(operand.node, {planner, graph, bound, tests: []}) : unknown,
      )
  }
}

/** Whether no term of a pattern is known. */
function isOpen({subject, predicate, object}: TriplePattern, bound: Bound): boolean {
  return [subject, predicate, object].every(term => term.termType === 'Variable' && !bound.has(term.value))
}

/** The share of a pattern's rows for which EXISTS is true, of those that become possible with the pattern. */
function shareOfExists(operand: Extract<Operand, {type: 'triple'}>, context: JoinContext): number {
  const {planner, bound, graph, tests} = context
  let share = 1
  for (const test of testsOf(operand, tests)) {
    if (test.type !== 'exists' || !isOwnExists(test, operand, bound) || !isWorthwhile(planner)) continue
    const values = new Map(bound)
    bindPattern(planner, operand.pattern, values)
    const found = shareFound(test.pattern, {planner, graph, bound: values, tests: []})
    share *= test.isNegated ? 1 - found : found
  }
  return share
}

const [leastFound, mostFound] = [0.05, 0.95] // the values that a test removes may be those that a query asks for

/** The share of solutions for which a pattern has a solution. */
function shareFound(node: Algebra, context: EstimateContext): number {
  const [operand, ...others] = isConjunction(node) ? operandsOf(node) : []
  const one = operand?.type === 'triple' && others.length === 0 ? operand.pattern : undefined
  const share = one && shareOfSubjects(context.planner, one, context.bound)
  const rows = () => keptEstimate(context, node, mentionedVariables(node), () => estimateNode(node, context)).rows
  return Math.min(mostFound, Math.max(leastFound, share ?? rows()))
}

/** Whether an operand binds the last variable of EXISTS that is bound outside. */
function isOwnExists(test: Expression, operand: Operand, bound: Bound): boolean {
  return variablesIn(test).some(name => certainOf(operand).has(name) && !bound.has(name))
}

/** The estimate of a group beyond `workLimit`: further estimates would cost more than a poor order. */
const unknown: Estimate = {rows: 1000, cost: 10_000}

const leastHashed = 50 // solutions on the left of OPTIONAL or MINUS, for fewer of which the estimate is not worth it
const listedCost = 0.05 // of reading one row of VALUES
const workLimit = 5000 // estimates of groups per query; each level of nesting estimates the levels below it again
const work = new WeakMap<Planner, number>()

function isWorthwhile(planner: Planner): boolean {
  const done = work.get(planner) ?? 0
  work.set(planner, done + 1)
  return done < workLimit
}

/** The number of all solutions of a pattern, and their cost. */
export function estimateAlone(planner: Planner, node: Algebra, graph: ActiveGraph): Estimate {
  return estimateNode(node, {planner, graph, bound: boundTo([]), tests: []})
}

type EstimateContext = Pick<JoinContext, 'planner' | 'graph' | 'bound' | 'tests'>

/** The number of solutions of a pattern for each solution that binds `context.bound`, and their cost. */
export function estimateNode(node: Algebra, context: EstimateContext): Estimate {
  const {graph, bound, tests} = context
  const isAlone = graph.kind === 'default' && bound.size === 0 && tests.length === 0
  return isAlone ? keptEstimate(context, node, [], () => estimateAnew(node, context)) : estimateAnew(node, context)
}

function estimateAnew(node: Algebra, context: EstimateContext): Estimate {
  switch (node.type) {
    case 'bgp':
    case 'path':
    case 'join': {
      return isConjunction(node) ? chooseOrder(operandsOf(node), context) : {rows: 1, cost: 1}
    }
    case 'filter': {
      const input = estimateNode(node.input, {...context, tests: [...context.tests, ...conjuncts(node.condition)]})
      return isConjunction(node.input) ? input : {...input, rows: input.rows / 3}
    }
    case 'leftJoin':
    case 'minus': {
      const left = estimateNode(node.left, {...context, tests: []})
      const bound = new Map([...boundTo(certainVariables(node.left)), ...context.bound])
      const right = estimateNode(node.right, {...context, bound, tests: []})
      const isLeftJoin = node.type === 'leftJoin'
      return {
        rows: isLeftJoin ? left.rows * Math.max(1, right.rows) : left.rows,
        cost: left.cost + Math.min(left.rows * right.cost, costOfHash(left.rows, right, node.right, context)),
        domains: left.domains,
      }
    }
    case 'union': {
      const inputs = node.inputs.map(input => estimateNode(input, context))
      return {rows: sum(inputs.map(({rows}) => rows)), cost: sum(inputs.map(({cost}) => cost))}
    }
    case 'search': {
      const {rows, cost} = {rows: searchRows, cost: searchCost}
      return context.bound.has(node.literal) ? {rows: 0.5, cost} : {rows, cost}
    }
    case 'table':
      return {rows: node.columns.some(({variable}) => context.bound.has(variable)) ? 0.5 : node.rowCount, cost: 1}
    case 'values':
      return {rows: listedRows(context.planner, node, context.bound), cost: 1 + listedCost * node.rows.length}
    case 'slice': {
      const {rows, cost} = estimateNode(node.input, {...context, bound: boundTo([])})
      return {rows: Math.min(rows, node.limit ?? rows), cost, domains: keysOfLargest(context.planner, node)}
    }
    case 'group': {
      const bound = only(context.bound, groupedBy(node))
      return groupsOf(node, estimateNode(node.input, {...context, bound, tests: []}), bound)
    }
    case 'project': {
      const {domains, ...input} = estimateNode(node.input, {...context, bound: only(context.bound, node.variables)})
      return {...input, domains: domains && only(domains, node.variables)}
    }
    case 'graph':
      return estimateNode(node.input, {...context, graph: graphOf(context.planner, node.name)})
    case 'distinct':
      return differentOf(node, estimateNode(node.input, context), context.bound)
    case 'extend':
    case 'orderBy':
    case 'reduced':
      return estimateNode(node.input, context)
    case 'service':
      return {rows: 1000, cost: 1e5}
  }
}

/** The cost of reading the right side of OPTIONAL or MINUS once and of joining it by a hash. */
function costOfHash(rows: number, each: Estimate, right: Algebra, context: EstimateContext): number {
  if (rows < leastHashed || !isWorthwhile(context.planner)) return Number.POSITIVE_INFINITY
  const whole = estimateNode(right, {...context, bound: boundTo([]), tests: []})
  return whole.cost + hashCost * (rows + whole.rows + rows * each.rows)
}

function graphOf(planner: Planner, name: Extract<Algebra, {type: 'graph'}>['name']): ActiveGraph {
  if (name.termType === 'Variable') return {kind: 'each', variable: name.value}
  return {kind: 'named', scalar: number(planner.idOf(name))}
}

/** The different solutions of a projection, for each solution that binds `bound`. */
function differentOf({input}: Extract<Algebra, {type: 'distinct'}>, all: Estimate, bound: Bound): Estimate {
  const free = input.type === 'project' ? input.variables.filter(name => !bound.has(name)) : []
  if (all.domains === undefined || free.length === 0) return all
  const domains = new Map(all.domains)
  const rows = differentRows(free, {rows: all.rows, bound: domains})
  bindTogether(free, rows, domains)
  return {...all, rows, domains}
}

const membersOfGroup = 5 // if nothing is known about a key

/** The groups of some solutions, for each solution that binds `bound`. */
function groupsOf(node: Extract<Algebra, {type: 'group'}>, {rows, cost, domains}: Estimate, bound: Bound): Estimate {
  if (bound.size === node.keys.length) return {rows: Math.min(1, rows), cost: cost + rows}
  const names = groupedBy(node)
  const free = names.filter(name => !bound.has(name))
  const isKnown = names.length === node.keys.length && free.every(name => domains?.get(name)?.values)
  const groups = isKnown && domains ? differentRows(free, {rows, bound: domains}) : Math.max(1, rows / membersOfGroup)
  const keys = new Map(domains && only(domains, names))
  countOnce(names, keys)
  bindTogether(free, groups, keys)
  return {rows: Math.min(rows, groups), cost: cost + 2 * rows, domains: keys}
}

/** The order that the greedy search finds for a given first operand. */
export function orderFrom(start: Operand, operands: readonly Operand[], context: JoinContext): JoinOrder {
  return greedyOrder(start, operands, context, new Map())
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
