/**
 * Solution modifiers: projection, DISTINCT, ORDER BY, LIMIT and OFFSET.
 *
 * A block keeps its order until LIMIT, OFFSET or the result uses it. Other operators drop it.
 * Sources: SPARQL 1.1 §15, §18.5 (OrderBy, Project, Distinct, Slice).
 */
import type {Algebra} from '../algebra.ts'
import {
  type Block,
  type Column,
  derive,
  type Environment,
  isGraphVariable,
  noColumns,
  type Planner,
  substitution,
} from './block.ts'
import {planFirstDescribed} from './group/first-described.ts'
import {ofFirstGroups} from './group/first-groups.ts'
import {finishLate} from './group/late.ts'
import {only} from './join/lateral.ts'
import {planBeforeOptional} from './order/before-optional.ts'
import {planBeforeProperties} from './order/before-properties.ts'
import {takeFirst} from './order/first-keys.ts'
import {wantedFrom} from './order/first-rows.ts'
import {withoutIdleKeys} from './order/idle-keys.ts'
import {planMerged} from './order/merged.ts'
import {ordered, orderOf, withTies} from './order/order.ts'
import {planRanked} from './order/rank.ts'
import {lookUpTogether} from './order/terms-together.ts'
import {column, type Scalar, type SqlQuery} from './relation.ts'

type Node<Type extends Algebra['type']> = Extract<Algebra, {type: Type}>

export function planProject(planner: Planner, node: Node<'project'>, environment: Environment): Block {
  const shown = new Set(node.variables)
  const outer = new Map([...environment.outer].filter(([name]) => shown.has(name)))
  const given = only(environment.given, shown)
  const block = planner.plan(node.input, {...environment, outer, given})
  const graphs = [...block.columns].filter(([name]) => isGraphVariable(name))
  return {...block, columns: new Map([...only(block.columns, node.variables), ...graphs])}
}

export function planOrder(planner: Planner, node: Node<'orderBy'>, environment: Environment): Block {
  const block = planner.plan(node.input, {...environment, isPartial: false})
  return ordered(planner, block, node.keys, environment)
}

/** Removes duplicates before terms are decoded. Each solution keeps the position of its first occurrence (§18.5). */
export function planDistinct(planner: Planner, input: Block, environment: Environment): Block {
  const {order} = input
  const isOneAtMost = input.columns.size === 0 // solutions without variables are all equal
  if (order === undefined || isOneAtMost) return derive(planner, {...input, order: undefined}, {isDistinct: true})
  const isKept = [...order.variables].every(name => input.columns.has(name))
  if (!isKept) return firstOfEach(planner, lookUpTogether(planner, input))
  const block = derive(planner, input, {isDistinct: true})
  return {...block, order: orderOf(planner, order.expressions, {columns: block.columns, environment})}
}

/** SELECT DISTINCT ?a … ORDER BY ?b: numbers the solutions in order, then orders the groups by their least number. */
function firstOfEach(planner: Planner, input: Block): Block {
  const position: Column = {
    scalar: {kind: 'rowNumber', order: withTies(input)?.keys ?? []},
    rep: 'id',
    isNullable: false,
    isNode: false,
  }
  const numbered = derive(planner, {...input, columns: new Map([...input.columns, ['.position', position]])})
  const kept = [...numbered.columns].filter(([name]) => name !== '.position')
  const alias = planner.fresh()
  const place = numbered.columns.get('.position')?.scalar as Scalar
  const query: SqlQuery = {
    kind: 'select',
    columns: [
      ...kept.map(([, {scalar}], index) => ({name: `c${index}`, scalar})),
      {name: 'place', scalar: {kind: 'aggregate', name: 'min', isDistinct: false, arguments: [place]}},
    ],
    from: numbered.from,
    where: [],
    groupBy: kept.map(([, {scalar}]) => scalar),
  }
  return {
    from: {kind: 'query', query, alias, isLateral: false},
    where: [],
    columns: new Map(kept.map(([name, held], index) => [name, {...held, scalar: column(alias, `c${index}`)}])),
    order: {
      keys: [{scalar: column(alias, 'place'), isDescending: false, isText: false}],
      expressions: [],
      variables: new Set(['.position']),
    },
  }
}

/** Plans LIMIT and OFFSET. Ties are broken by the terms, so that pages neither overlap nor leave gaps. */
export function planSlice(planner: Planner, node: Node<'slice'>, environment: Environment): Block {
  const some = node.limit === undefined ? environment : {...environment, isPartial: true}
  const slice = {...node, input: withoutIdleKeys(planner, node.input)}
  const ofGroups = ofFirstGroups(planner, slice, environment)
  const block = ofGroups === undefined ? planFirst(planner, slice, some) : planSorted(planner, ofGroups, some)
  const {limit, offset} = ofGroups ?? slice
  return derive(planner, {...block, order: withTies(block)}, {limit, offset})
}

/** The solutions before LIMIT and OFFSET, in their order. */
function planFirst(planner: Planner, node: Node<'slice'>, environment: Environment): Block {
  const ranked =
    planRanked(planner, node, environment, planSorted) ??
    planBeforeOptional(planner, node, environment, planFirst) ??
    planMerged(planner, node, environment) ??
    planFirstDescribed(planner, node, environment, planSorted) ??
    planBeforeProperties(planner, node, environment, planSorted)
  return ranked ?? planSorted(planner, node, environment)
}

function planSorted(planner: Planner, node: Node<'slice'>, environment: Environment): Block {
  const wanted = node.limit === undefined ? undefined : wantedFrom(node.input, node.offset + node.limit)
  const whole = planner.plan(node.input, {...environment, given: noColumns, wanted})
  const all = {...whole, where: [...whole.where, ...substitution(planner, whole.columns, environment.outer)]}
  if (node.limit === undefined) return all
  const count = node.offset + node.limit
  const withTerms = (block: Block) => lookUpTogether(planner, takeFirst(planner, block, count), count)
  // The terms of the first key, then those of further keys for the first rows.
  return withTerms(withTerms(finishLate(all)))
}
