/**
 * Plans DISTINCT of an index column as a loose index scan (order/walk.ts).
 *
 * Applies to the default graph:
 *
 *   distinct(project(?p, {?s ?p ?o}))     its predicates
 *   distinct(project(?o, {?s <p> ?o}))    a predicate's objects, if many triples share each
 *
 * An order by the variable is that of the few values. Triples that are derived from rows of documents add their
 * predicates (from `Facts`). Their objects are not walked.
 */
import type {Algebra} from '../../algebra.ts'
import {variablesIn} from '../../analyse/variables.ts'
import type {Block, Column, Environment, Planner} from '../block.ts'
import {iris} from '../extent.ts'
import {canBeDerived, containsId} from '../join/derived.ts'
import {planTriple} from '../join/pattern.ts'
import {isUnionOfAll} from '../join/quads.ts'
import {orderOf} from '../order/order.ts'
import {storedObjects, storedPredicates} from '../order/walk.ts'
import {column, type SqlQuery} from '../relation.ts'

const worthwhile = 20 // triples per distinct value: a step costs about as much as twenty rows of a scan

/** @returns  undefined if these are not the values of an index column, or if there are too many */
export function planDifferent(planner: Planner, node: Algebra, environment: Environment): Block | undefined {
  const {graph, outer} = environment
  if (!isUnionOfAll(planner, graph) || planner.facts.realms !== undefined || outer.size > 0 || planner.facts.past)
    return undefined
  if (node.type !== 'project' || node.variables.length !== 1) return undefined
  const [name = ''] = node.variables
  const ordered = node.input.type === 'orderBy' ? node.input : undefined
  const keys = ordered?.keys ?? []
  if (!keys.every(({expression}) => variablesIn(expression).every(one => one === name))) return undefined
  const block = differentValues(planner, ordered?.input ?? node.input, name, environment)
  if (block === undefined || ordered === undefined) return block
  return {...block, order: orderOf(planner, keys, {columns: block.columns, environment})}
}

/** The different values of a variable of one triple pattern, in no order. */
function differentValues(planner: Planner, node: Algebra, name: string, {graph}: Environment): Block | undefined {
  const [pattern, ...others] = node.type === 'bgp' ? node.patterns : []
  if (pattern === undefined || others.length > 0) return undefined
  const {subject, predicate, object} = pattern
  if (subject.termType !== 'Variable' || object.termType !== 'Variable' || subject.value === object.value)
    return undefined
  if (predicate.termType === 'Variable') {
    const isAny = predicate.value !== subject.value && predicate.value !== object.value
    return isAny && name === predicate.value ? predicates(planner, name) : undefined
  }
  const id = planner.idOf(predicate)
  const counted = planner.facts.frequencies.predicates.get(id)
  const areFew = counted !== undefined && counted.objects * worthwhile < counted.triples
  if (name !== object.value || !areFew || canBeDerived(planner, id)) return undefined
  const held = planTriple(planner, new Map(), pattern, graph).columns.get(name)
  return held && tableOf(planner, name, held, storedObjects(planner, id))
}

function predicates(planner: Planner, name: string): Block {
  const stored = storedPredicates(planner)
  const {memberRelations} = planner.facts
  const ids = canBeDerived(planner, undefined) ? [containsId, ...memberRelations] : []
  const held = {rep: 'id', isNullable: false, isNode: false, extent: iris} as const
  if (ids.length === 0) return tableOf(planner, name, held, stored)
  const derived: SqlQuery = {kind: 'values', names: ['n'], rows: ids.map(id => [id])}
  return tableOf(planner, name, held, {kind: 'union', queries: [stored, derived]})
}

function tableOf(planner: Planner, name: string, held: Omit<Column, 'scalar'>, query: SqlQuery): Block {
  const alias = planner.fresh()
  return {
    from: {kind: 'query', query, alias, isLateral: false},
    where: [],
    columns: new Map([[name, {...held, scalar: column(alias, 'n')}]]),
    order: undefined,
  }
}
