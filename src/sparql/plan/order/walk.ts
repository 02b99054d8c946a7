/**
 * Loose index scans (skip scans): the distinct values of an index column, without reading the rows between them.
 *
 * They use the index on (predicate, object, subject) over primary rows. Each query returns one column, n.
 */

import type {Planner} from '../block.ts'
import {
  column,
  equal,
  type From,
  isNull,
  number,
  operator,
  type Scalar,
  type SelectQuery,
  type SqlQuery,
} from '../relation.ts'

/** The predicates of stored triples. */
export function storedPredicates(planner: Planner): SqlQuery {
  return walk(planner, 'p', () => [])
}

/** The objects of a predicate's stored triples. */
export function storedObjects(planner: Planner, predicate: string): SqlQuery {
  return walk(planner, 'o', p => [equal(p, number(predicate))])
}

/** @param conditions  on the row's predicate */
function walk(planner: Planner, place: 'p' | 'o', conditions: (predicate: Scalar) => readonly Scalar[]): SqlQuery {
  const [name, before, step] = [planner.fresh(), planner.fresh(), planner.fresh()]
  const next = (after: readonly Scalar[], q: string): SelectQuery => ({
    kind: 'select',
    columns: [{name: 'n', scalar: column(q, place)}],
    from: {kind: 'table', name: 'quad', alias: q},
    where: [
      isNull(column(q, 'copy')),
      ...conditions(column(q, 'p')),
      ...after.map(least => operator('>', column(q, place), least)),
    ],
    orderBy: [{scalar: column(q, place), isDescending: false, isText: false, isBound: true}],
    limit: 1,
  })
  const from: From = {
    kind: 'join',
    type: 'cross',
    left: {kind: 'common', name, alias: before},
    right: {kind: 'query', query: next([column(before, 'n')], planner.fresh()), alias: step, isLateral: true},
    on: [],
  }
  const query: SelectQuery = {kind: 'select', columns: [{name: 'n', scalar: column(step, 'n')}], from, where: []}
  return {kind: 'recursive', name, columns: ['n'], seed: next([], planner.fresh()), step: query}
}
