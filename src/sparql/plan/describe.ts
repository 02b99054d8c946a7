/**
 * Plans DESCRIBE: all triples whose subject is one of the resources, or a blank node that these triples lead to.
 *
 * The resources and the blank nodes are a recursive query. It is a set, so it ends on cycles, and so each triple is
 * found once. PostgreSQL returns its rows while it finds them. The columns c0, c1 and c2 are subject, predicate and
 * object. A resource without triples has one row of nulls, so whoever reads the rows can count resources.
 * Source: SPARQL 1.1 §16.4, which leaves the choice of triples to the service.
 */
import {firstAfterNodes, firstBlankNodeId} from '../../rdf/id-layout.ts'
import {type Query, variable} from '../algebra.ts'
import {type Environment, idOfColumn, type Planner} from './block.ts'
import {isWithin} from './extent.ts'
import {boundTo, tripleRows} from './join/estimate-triple.ts'
import {readTriples} from './join/quads.ts'
import type {PlannedRows} from './join/triples.ts'
import {column, equal, type From, never, number, type Scalar, type SelectQuery, type SqlQuery} from './relation.ts'

type Describe = Extract<Query, {form: 'describe'}>
type Counted = {readonly rows: number} // estimated

/** @param solutions  the values of the resources that are variables; undefined if none is */
export function planDescribe(
  planner: Planner,
  query: Describe,
  solutions: (PlannedRows & Counted) | undefined,
  environment: Environment,
): PlannedRows & Counted {
  const [described, found] = [planner.fresh(), planner.fresh()]
  const {seed, rows} = resourcesOf(planner, query, solutions)
  const nodes: From = {
    kind: 'query',
    query: withBlankNodes(planner, seed, environment),
    alias: described,
    isLateral: false,
  }
  const triples = triplesAbout(planner, column(described, 'n'), environment, () => [])
  const right: From = {kind: 'query', query: triples, alias: found, isLateral: true}
  return {
    query: {
      kind: 'select',
      columns: ['s', 'p', 'o'].map((name, index) => ({name: `c${index}`, scalar: column(found, name)})),
      from: {kind: 'join', type: 'left', left: nodes, right, on: []},
      where: [],
    },
    columns: ['s', 'p', 'o'].map(name => ({name, rep: 'id'})),
    rows: rows * triplesOfOne(planner, environment),
  }
}

/** The resources as the column n, with duplicates. */
function resourcesOf(
  planner: Planner,
  {resources}: Describe,
  solutions: (PlannedRows & Counted) | undefined,
): Counted & {readonly seed: SqlQuery} {
  const constants = resources.flatMap(term => (term.termType === 'NamedNode' ? [number(planner.idOf(term))] : []))
  const {columns = [], rows = 0} = solutions ?? {}
  const values = solutions === undefined || columns.length === 0 ? [] : [valuesOf(planner, solutions)]
  const [first = only(number(0), [never]), ...others] = [...constants.map(id => only(id)), ...values]
  const seed: SqlQuery = others.length === 0 ? first : {kind: 'unionAll', queries: [first, ...others]}
  return {seed, rows: constants.length + rows * columns.length}
}

function only(id: Scalar, where: readonly Scalar[] = []): SelectQuery {
  return {kind: 'select', columns: [{name: 'n', scalar: id}], from: undefined, where}
}

/** The nodes among all values of solutions. */
function valuesOf(planner: Planner, {query, columns}: PlannedRows): SelectQuery {
  const [solution, value] = [planner.fresh(), planner.fresh()]
  const ids = columns.map(({rep}, index) => {
    const held = {scalar: column(solution, `c${index}`), rep, isNullable: true, isNode: false}
    return only(idOfColumn(planner, held))
  })
  const n = column(value, 'n')
  return {
    kind: 'select',
    columns: [{name: 'n', scalar: n}],
    from: {
      kind: 'join',
      type: 'cross',
      left: {kind: 'query', query, alias: solution, isLateral: false},
      right: {kind: 'query', query: {kind: 'unionAll', queries: ids}, alias: value, isLateral: true},
      on: [],
    },
    where: [isWithin(n, 1n, firstAfterNodes)],
  }
}

/** Adds the blank nodes that triples about the resources lead to. */
function withBlankNodes(planner: Planner, seed: SqlQuery, environment: Environment): SqlQuery {
  const [name, reached, next] = [planner.fresh(), planner.fresh(), planner.fresh()]
  const isBlank = (o: Scalar) => [isWithin(o, firstBlankNodeId, firstAfterNodes)]
  // Derived triples lead to documents, which have IRIs.
  const stored: Planner = {...planner, facts: {...planner.facts, hasDocuments: false, memberRelations: []}}
  const right: From = {
    kind: 'query',
    query: triplesAbout(stored, column(reached, 'n'), environment, isBlank),
    alias: next,
    isLateral: true,
  }
  const step: SqlQuery = {
    kind: 'select',
    columns: [{name: 'n', scalar: column(next, 'o')}],
    from: {kind: 'join', type: 'cross', left: {kind: 'common', name, alias: reached}, right, on: []},
    where: [],
  }
  return {kind: 'recursive', name, columns: ['n'], seed, step}
}

/** The triples about a resource, by a lookup. @param test  conditions on the object */
function triplesAbout(
  planner: Planner,
  resource: Scalar,
  {graph}: Environment,
  test: (object: Scalar) => readonly Scalar[],
): SelectQuery {
  const {from, alias, conditions} = readTriples(planner, graph, undefined, true)
  return {
    kind: 'select',
    columns: ['s', 'p', 'o'].map(name => ({name, scalar: column(alias, name)})),
    from,
    where: [...conditions, equal(column(alias, 's'), resource), ...test(column(alias, 'o'))],
    isFenced: true,
  }
}

/** The average number of triples about a resource. */
function triplesOfOne(planner: Planner, {graph}: Environment): number {
  const pattern = {subject: variable('s'), predicate: variable('p'), object: variable('o')}
  return tripleRows(planner, pattern, boundTo(['s']), graph).rows
}
