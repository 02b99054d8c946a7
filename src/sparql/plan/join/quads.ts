/**
 * Builds the tables from which triples of the active graph are read: stored quads, and triples derived from documents.
 *
 *   default graph, no dataset     rows whose `copy` is null: the union of all graphs, each triple once
 *   default graph, several FROM   rows of these graphs; of each triple the row with the lowest graph id
 *   GRAPH                         all rows of that graph
 *
 * The indexes on several columns cover either primary rows (`copy` is null) or copies. If both kinds of rows count and
 * such an index can be used, two separate queries read them. A predicate without copies needs the first of them only.
 *
 * `<parent> ldp:contains <child>` and `<parent> <member_by> <child>` are not stored but derived from `document`. They
 * are read only if the predicate can be one of them.
 * Source: sql/migrations/000001_store.sql.
 */

import {readRealms} from '../../../base/realms.ts'
import type {ActiveGraph, Planner} from '../block.ts'
import {
  column,
  equal,
  type From,
  isNotNull,
  isNull,
  never,
  not,
  number,
  type Scalar,
  type SelectQuery,
} from '../relation.ts'
import {canBeDerived, canBeMember, containsId, derived, stored} from './derived.ts'
import {isReadableDocument, isThere, readableGraph, readableUnion} from './readable.ts'

/** Triples of the active graph: a table with the columns g, s, p and o, and the conditions that select them. */
export type Source = {readonly from: From; readonly alias: string; readonly conditions: readonly Scalar[]}

/** Whether the active graph is the union of all graphs, each triple once: the primary rows. */
export function isUnionOfAll({dataset}: Planner, graph: ActiveGraph): boolean {
  return graph.kind === 'default' && dataset === undefined
}

/**
 * @param predicate  the id of a constant predicate; undefined for a variable
 * @param isProbed   whether subject, predicate or object is known, so that an index finds the rows
 */
export function readTriples(
  planner: Planner,
  graph: ActiveGraph,
  predicate: string | undefined,
  isProbed: boolean,
): Source {
  const alias = planner.fresh()
  const isUnion = isUnionOfAll(planner, graph)
  const hasCopies = mayHaveCopies(planner, predicate)
  if (isUnion && planner.facts.realms !== undefined && (hasCopies || canBeDerived(planner, predicate)))
    return {from: readableUnion(planner, alias, predicate), alias, conditions: []}
  const conditions = isUnion ? readableGraph(planner, column(alias, 'g')) : graphsOf(planner, graph, alias, predicate)
  const rows = isUnion || !hasCopies ? 'primary' : isProbed ? 'apart' : 'all'
  if (canBeDerived(planner, predicate)) return {from: withDerived(planner, alias, rows, predicate), alias, conditions}
  if (rows === 'primary')
    return {
      from: {kind: 'table', name: 'quad', alias},
      alias,
      conditions: [isNull(column(alias, 'copy')), ...conditions],
    }
  return {from: storedIn(planner, alias, rows), alias, conditions}
}

/** Whether a triple with this predicate may be stored in two graphs. @param predicate  undefined for a variable */
export function mayHaveCopies({facts}: Planner, predicate: string | undefined): boolean {
  return predicate === undefined || !facts.uncopied.has(predicate)
}

/** Which rows of `quad`: primary rows, all by one query, or all by a query for primary rows and one for copies. */
type Rows = 'primary' | 'all' | 'apart'

function storedRows(planner: Planner, rows: Rows): readonly SelectQuery[] {
  const select = (conditionsOn: (copy: Scalar) => readonly Scalar[]): SelectQuery => {
    const alias = planner.fresh()
    return stored(alias, conditionsOn(column(alias, 'copy')))
  }
  const primaries = () => select(copy => [isNull(copy)])
  switch (rows) {
    case 'primary':
      return [primaries()]
    case 'all':
      return [select(() => [])]
    case 'apart':
      return [primaries(), select(copy => [copy])]
  }
}

/** Rows of `quad` as one table. */
function storedIn(planner: Planner, alias: string, rows: Exclude<Rows, 'primary'>): From {
  if (rows === 'all') return {kind: 'table', name: 'quad', alias}
  return {kind: 'query', alias, isLateral: false, query: {kind: 'unionAll', queries: storedRows(planner, rows)}}
}

/** The conditions that a row belongs to the active graph, and that the default graph has each triple once. */
function graphsOf(
  planner: Planner,
  graph: ActiveGraph,
  alias: string,
  predicate: string | undefined,
): readonly Scalar[] {
  const g = column(alias, 'g')
  const {dataset} = planner
  const readable = readableGraph(planner, g)
  switch (graph.kind) {
    case 'named':
      return [
        equal(g, graph.scalar),
        ...readable,
        ...(dataset?.named === undefined ? [] : [{kind: 'isOneOf', of: graph.scalar, ids: dataset.named} as const]),
      ]
    case 'each':
      return dataset?.named === undefined ? readable : [{kind: 'isOneOf', of: g, ids: dataset.named}, ...readable]
    case 'default': {
      if (dataset === undefined) return []
      const [only] = dataset.default
      if (only === undefined) return [never]
      if (dataset.default.length === 1) return [equal(g, number(only)), ...readable]
      const isIn: Scalar = {kind: 'isOneOf', of: g, ids: dataset.default}
      if (!mayHaveCopies(planner, predicate) && !canBeDerived(planner, predicate)) return [isIn, ...readable]
      return [isIn, ...readable, not(earlierCopy(planner, dataset.default, alias))]
    }
  }
}

/** Whether a graph of the dataset with a lower id also contains the triple. */
function earlierCopy(planner: Planner, graphs: readonly string[], alias: string): Scalar {
  const other = planner.fresh()
  const from = canBeDerived(planner, undefined)
    ? withDerived(planner, other, 'apart', undefined)
    : storedIn(planner, other, 'apart')
  const where: Scalar[] = [
    ...['s', 'p', 'o'].map(name => equal(column(other, name), column(alias, name))),
    {kind: 'operator', operator: '<', left: column(other, 'g'), right: column(alias, 'g')},
    {kind: 'isOneOf', of: column(other, 'g'), ids: graphs},
    ...readableGraph(planner, column(other, 'g')),
  ]
  return {kind: 'exists', query: {kind: 'select', columns: [{name: 'c0', scalar: number(1)}], from, where}}
}

/** Stored triples, and the derived triples that can have the predicate, as one table. */
function withDerived(planner: Planner, alias: string, rows: Rows, predicate: string | undefined): From {
  const [contained, member] = [planner.fresh(), planner.fresh()]
  const memberBy = column(member, 'member_by')
  const memberWhere: Scalar[] = [isNotNull(memberBy), ...(rows === 'primary' ? [] : [not(alsoStored(planner, member))])]
  return {
    kind: 'query',
    alias,
    isLateral: false,
    query: {
      kind: 'unionAll',
      queries: [
        ...storedRows(planner, rows),
        ...(predicate === undefined || predicate === containsId ? [derived(contained, number(containsId), [])] : []),
        ...(canBeMember(planner, predicate) ? [derived(member, memberBy, memberWhere)] : []),
      ],
    },
  }
}

/**
 * Whether a derived membership triple is also stored in the parent's graph. That row is a copy, because the document's
 * row is the primary (sql/functions/document/graph.sql).
 */
function alsoStored(planner: Planner, document: string): Scalar {
  const q = planner.fresh()
  return isThere({kind: 'table', name: 'quad', alias: q}, [
    column(q, 'copy'),
    equal(column(q, 's'), column(document, 'parent')),
    equal(column(q, 'p'), column(document, 'member_by')),
    equal(column(q, 'o'), column(document, 'id')),
    equal(column(q, 'g'), column(document, 'parent')),
  ])
}

/**
 * The names of all graphs that GRAPH ?g ranges over, as a table with the column g: the documents, even empty ones, and
 * the raw graphs, which are not documents. With a dataset, its named graphs.
 */
export function readGraphNames(planner: Planner): Source {
  const alias = planner.fresh()
  const {dataset} = planner
  if (dataset?.named !== undefined) {
    const rows = [...new Set(dataset.named)].map(id => [id])
    const query: From = {
      kind: 'query',
      alias,
      isLateral: false,
      query: {kind: 'values', names: ['g'], rows: rows.length === 0 ? [[undefined]] : rows},
    }
    return {from: query, alias, conditions: [isNotNull(column(alias, 'g'))]}
  }
  const {realms} = planner.facts
  const namesOf = (name: 'document' | 'raw_graph'): SelectQuery => {
    const table = planner.fresh()
    return {
      kind: 'select',
      columns: [{name: 'g', scalar: column(table, 'id')}],
      from: {kind: 'table', name, alias: table},
      where: name === 'document' && realms !== undefined ? [isReadableDocument(table, realms)] : [],
    }
  }
  const hasRaw = realms === undefined || readRealms(realms).isExcept
  const query = {
    kind: 'unionAll',
    queries: hasRaw ? [namesOf('document'), namesOf('raw_graph')] : [namesOf('document')],
  } as const
  return {from: {kind: 'query', alias, isLateral: false, query}, alias, conditions: []}
}

/** The condition that a term is a subject or object in the active graph. */
export function isNodeOf(planner: Planner, graph: ActiveGraph, term: Scalar): Scalar {
  const asSubject = readTriples(planner, graph, undefined, true)
  const asObject = readTriples(planner, graph, undefined, true)
  const test = ({from, alias, conditions}: Source, name: string): Scalar => ({
    kind: 'exists',
    query: {
      kind: 'select',
      columns: [{name: 'c0', scalar: number(1)}],
      from,
      where: [...conditions, equal(column(alias, name), term)],
    },
  })
  return {kind: 'any', conditions: [test(asSubject, 's'), test(asObject, 'o')]}
}
