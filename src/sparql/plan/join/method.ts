/**
 * Chooses the method of a join: a probe for each solution, a probe for each different value, or a scan (estimate.ts).
 *
 * Pure.
 */
import type {ActiveGraph, Planner} from '../block.ts'
import {isClosure} from '../path/relation.ts'
import type {Probes} from '../relation.ts'
import {areSubjects, type Bound, type Estimate} from './estimate-triple.ts'
import {certainOf, isGraphless, namesOf, type Operand, possibleOf} from './operand.ts'
import {differentRows, valuesTogether} from './repeats.ts'

export const hashCost = 0.6 // of inserting a row into the hash table, of a lookup, and of a match

type Joined = {
  readonly rows: number // solutions so far
  readonly most: number // if values occur together as often as they can
  readonly each: Estimate & {readonly isOnce?: boolean | undefined} // the operand, for each of them
  readonly whole: Estimate // the operand alone
}

type Context = {
  readonly planner: Planner
  readonly graph: ActiveGraph
  readonly bound: Bound
  readonly wanted?: number | undefined
  readonly isProbed?: boolean
}

export type Method = {
  readonly method: 'probe' | 'scan'
  readonly joined: number // cost
  readonly shared?: string | undefined // the variable whose different values are probed
  readonly probes?: Probes | undefined // if there is a probe for each solution
}

/** The method by which an operand is joined with `rows` solutions, at most `most`, and its cost. */
export function chooseMethod(operand: Operand, {rows, most, each, whole}: Joined, context: Context): Method {
  const {bound} = context
  const probed = rows * each.cost
  const scannedFor = (before: number, after: number): number => {
    const matches = isHashed(operand, context) ? after : before * whole.rows
    return whole.cost + hashCost * (before + whole.rows + matches)
  }
  const scanned = scannedFor(rows, rows * each.rows)
  const isProbeCheaper = probed * most * each.cost <= scanned * scannedFor(most, most * (each.most ?? each.rows))
  const cheaper = context.isProbed === true || isProbeCheaper ? 'probe' : 'scan'
  const {forced} = context.planner
  const isProbed =
    (operand.type === 'path' && isClosure(operand.node.path)) ||
    (sharesVariable(operand, bound, context) && (forced?.method ?? cheaper) === 'probe')
  const joined = isProbed ? probed : scanned
  const together = forced === undefined ? probedTogether(operand, {rows, each}, context) : undefined
  if (together !== undefined && together.cost * leastSaved < joined)
    return {method: 'probe', joined: together.cost, shared: together.name}
  return isProbed ? {method: 'probe', joined, probes: probesFor(operand, rows, context)} : {method: 'scan', joined}
}

/**
 * The number of probes for some solutions, and of the different values that they look up. Subjects of the first pattern
 * of a variable differ as long as they can. Objects are expected to be any of those that there are.
 */
function probesFor(operand: Operand, rows: number, context: Context): Probes {
  const {bound} = context
  const names = [...namesOf(operand), ...graphName(operand, context)].filter(name => bound.has(name))
  const most = valuesTogether(names, bound)
  if (!Number.isFinite(most)) return {runs: rows, values: undefined}
  const areDifferent = names.some(name => areSubjects(bound.get(name)))
  return {runs: rows, values: areDifferent ? Math.min(rows, most) : differentRows(names, {rows, bound})}
}

const [leastShared, sharedBy, leastSaved] = [500, 5, 2]

/**
 * The cost of a probe for the different values of a variable, and of the join of all solutions with what is found.
 *
 * @returns  undefined unless many solutions share the values of the only variable that they share with the operand
 */
function probedTogether(
  operand: Operand,
  {rows, each}: Pick<Joined, 'rows' | 'each'>,
  {bound, wanted, graph}: Context,
): {readonly name: string; readonly cost: number} | undefined {
  if (operand.type !== 'triple' || graph.kind !== 'default' || wanted !== undefined || each.isOnce) return undefined
  const [name, ...others] = [...namesOf(operand)].filter(one => bound.has(one))
  const values = name === undefined ? 0 : (bound.get(name)?.values ?? 0)
  if (name === undefined || others.length > 0 || values === 0 || rows < leastShared || values * sharedBy > rows)
    return undefined
  const cost = rows + values * each.cost + hashCost * (2 * rows + values * each.rows + rows * each.rows)
  return {name, cost}
}

/** The graph variable that an operand under GRAPH ?g binds; empty elsewhere. */
export function graphName(operand: Operand, {graph}: Pick<Context, 'graph'>): readonly string[] {
  return graph.kind === 'each' && !isGraphless(operand) ? [graph.variable] : []
}

export function sharesVariable(operand: Operand, bound: Bound, context: Pick<Context, 'graph'>): boolean {
  return [...namesOf(operand), ...graphName(operand, context)].some(name => bound.has(name))
}

/**
 * Whether the solutions so far and those of an operand can be joined by a hash. A variable that the operand may leave
 * unbound has no value to hash, unless all solutions are needed (open-join.ts).
 */
function isHashed(operand: Operand, {bound, wanted}: Context): boolean {
  if (operand.type === 'other' && wanted === undefined) return true
  const shared = [...possibleOf(operand)].filter(name => bound.has(name))
  return shared.length === 0 || shared.some(name => certainOf(operand).has(name))
}
