/**
 * Restricts the triples of a query to the graphs that its caller may read.
 *
 * The caller may read either the graphs of documents in the listed realms, or all graphs except those of documents in
 * the listed realms (base/realms.ts). Graphs without a document are readable only in the second case. Each test is one
 * lookup in `document`, or in a hash table of the listed documents that PostgreSQL builds once if it tests many rows.
 * The test must therefore stay a condition on rows. As a join it would get a place in the join order.
 *
 * In the default graph, a triple of several graphs counts once, in a graph that is readable: as its primary row, or
 * otherwise as its copy in the graph with the lowest id.
 */
import {type Realms, readRealms} from '../../../base/realms.ts'
import type {Planner} from '../block.ts'
import {
  any,
  column,
  equal,
  type From,
  isNotNull,
  isNull,
  never,
  not,
  number,
  operator,
  type Scalar,
  type SelectQuery,
} from '../relation.ts'
import {canBeDerived, canBeMember, containsId, derived, stored} from './derived.ts'

/** The condition that the caller may read a graph; empty if the caller may read all. */
export function readableGraph({facts: {realms}, fresh}: Planner, graph: Scalar): readonly Scalar[] {
  if (realms === undefined) return []
  if (realms.length === 0) return [never]
  const {isExcept, ids} = readRealms(realms)
  const document = fresh()
  const isListed = isThere({kind: 'table', name: 'document', alias: document}, [
    equal(column(document, 'id'), graph),
    {kind: 'isOneOf', of: column(document, 'realm'), ids},
  ])
  return [isExcept ? not(isListed) : isListed]
}

/** EXISTS as an operand of IS TRUE, because PostgreSQL turns a bare EXISTS into a join. */
export function isThere(from: From, where: readonly Scalar[]): Scalar {
  const columns = [{name: 'c0', scalar: number(1)}]
  return {kind: 'isTrue', of: {kind: 'exists', query: {kind: 'select', columns, from, where}}}
}

/** The default graph: the union of the readable graphs, each triple once. */
export function readableUnion(planner: Planner, alias: string, predicate: string | undefined): From {
  const [primary, copy] = [planner.fresh(), planner.fresh()]
  const readable = (quad: string, where: readonly Scalar[]) =>
    stored(quad, [...where, ...readableGraph(planner, column(quad, 'g'))])
  const queries = [
    readable(primary, [isNull(column(primary, 'copy'))]),
    readable(copy, [column(copy, 'copy'), not(any(countedElsewhere(planner, copy, predicate)))]),
    ...derivedQueries(planner, predicate),
  ]
  return {kind: 'query', alias, isLateral: false, query: {kind: 'unionAll', queries}}
}

function derivedQueries(planner: Planner, predicate: string | undefined): readonly SelectQuery[] {
  if (!canBeDerived(planner, predicate)) return []
  const [contained, member] = [planner.fresh(), planner.fresh()]
  const parentOf = (document: string) => readableGraph(planner, column(document, 'parent'))
  const memberBy = column(member, 'member_by')
  const isMember: Scalar = isNotNull(memberBy)
  const isContainment = predicate === undefined || predicate === containsId
  return [
    ...(isContainment ? [derived(contained, number(containsId), parentOf(contained))] : []),
    ...(canBeMember(planner, predicate) ? [derived(member, memberBy, [isMember, ...parentOf(member)])] : []),
  ]
}

/** Conditions for skipping a copy: its primary row, an earlier copy or the derived membership triple is readable. */
function countedElsewhere(planner: Planner, copy: string, predicate: string | undefined): readonly Scalar[] {
  const same = (name: string): readonly Scalar[] =>
    ['s', 'p', 'o'].map(place => equal(column(name, place), column(copy, place)))
  const held = (name: string, where: readonly Scalar[]): Scalar =>
    isThere({kind: 'table', name: 'quad', alias: name}, [
      ...same(name),
      ...where,
      ...readableGraph(planner, column(name, 'g')),
    ])
  const [primary, earlier, member] = [planner.fresh(), planner.fresh(), planner.fresh()]
  const implied = isThere({kind: 'table', name: 'document', alias: member}, [
    equal(column(member, 'id'), column(copy, 'o')),
    equal(column(member, 'parent'), column(copy, 's')),
    equal(column(member, 'member_by'), column(copy, 'p')),
    ...readableGraph(planner, column(member, 'parent')),
  ])
  return [
    held(primary, [isNull(column(primary, 'copy'))]),
    held(earlier, [column(earlier, 'copy'), operator('<', column(earlier, 'g'), column(copy, 'g'))]),
    ...(canBeMember(planner, predicate) ? [implied] : []),
  ]
}

/** The condition that the caller may read the graph of a row of `document`. */
export function isReadableDocument(document: string, realms: Realms): Scalar {
  const {isExcept, ids} = readRealms(realms)
  const realm = column(document, 'realm')
  return isExcept ? any([isNull(realm), {kind: 'isNoneOf', of: realm, ids}]) : {kind: 'isOneOf', of: realm, ids}
}
