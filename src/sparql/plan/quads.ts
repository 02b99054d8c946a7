/**
 * Plans the quads that an update removes and adds: its templates, filled in with each solution of WHERE.
 *
 * The solutions are computed once. The columns of the result are
 *
 *   c0        0: remove, 1: add
 *   c1 … c4   ids of graph, subject, predicate and object; null for a term without an id
 *   c5 … c8   keys of those terms; if all are null, these columns are said to hold ids
 *
 * A template with an unbound variable gives no quad. Illegal quads, such as one with a literal as subject, are left to
 * SQL, which knows the terms (sql/functions/update/update.sql). Each solution has blank nodes of its own.
 * Source: SPARQL 1.1 Update §3.1.3 (DELETE/INSERT), §4.2.
 */
import type {ModifyOperation, TemplateQuad} from '../operation.ts'
import {type Column, idColumn, idOfColumn, type Planner} from './block.ts'
import type {PlannedRows} from './join/triples.ts'
import {call, column, isNotNull, number, type Scalar, type SelectQuery, type SqlQuery} from './relation.ts'

type Templates = Pick<ModifyOperation, 'deleted' | 'inserted'>

export function planQuads(planner: Planner, {deleted, inserted}: Templates, solutions: PlannedRows): PlannedRows {
  const name = planner.fresh()
  const labels = [...new Set(inserted.flatMap(({subject, object}) => [subject, object]).flatMap(blankLabel))]
  const columnOf = (term: TemplateQuad[keyof TemplateQuad], alias: string): Column | undefined => {
    if (term.termType === 'BlankNode') return idColumn(column(alias, `n${labels.indexOf(term.value)}`), true)
    if (term.termType !== 'Variable') return idColumn(number(planner.idOf(term)), false)
    const index = solutions.columns.findIndex(one => one.name === term.value)
    const rep = solutions.columns[index]?.rep
    return rep && {scalar: column(alias, `c${index}`), rep, isNullable: true, isNode: false}
  }
  const filled = (quads: readonly TemplateQuad[], kind: '0' | '1') =>
    quads.flatMap(({graph, subject, predicate, object}): SelectQuery[] => {
      const alias = planner.fresh()
      const terms = [graph, subject, predicate, object].flatMap(term => columnOf(term, alias) ?? [])
      if (terms.length < 4) return [] // a variable that no solution binds
      return [selectQuad(planner, {name, alias, kind, terms})]
    })
  const queries = [...filled(deleted, '0'), ...filled(inserted, '1')]
  const body: SqlQuery = {kind: 'unionAll', queries: queries.length === 0 ? [nothing] : queries}
  const hasKeys = queries.some(({columns}) => columns.slice(5).some(({scalar}) => scalar.kind !== 'null'))
  const columns = ['kind', ...places, ...places].map((place, index) => ({
    name: place,
    rep: index < 5 || !hasKeys ? ('id' as const) : ('key' as const),
  }))
  return {query: {kind: 'with', name, query: withBlankNodes(solutions.query, labels.length), body}, columns}
}

const places = ['graph', 'subject', 'predicate', 'object']

function blankLabel({termType, value}: TemplateQuad['object']): readonly string[] {
  return termType === 'BlankNode' ? [value] : []
}

/** Adds columns n0, n1, … with new blank nodes. */
function withBlankNodes(query: SqlQuery, count: number): SqlQuery {
  if (count === 0) return query
  if (query.kind !== 'select') throw new Error('solutions are a SELECT')
  const nodes = Array.from({length: count}, (_, index) => ({name: `n${index}`, scalar: call('sparql_new_blank_node')}))
  return {...query, columns: [...query.columns, ...nodes]}
}

type Filled = {
  readonly name: string // of the table of solutions
  readonly alias: string
  readonly kind: '0' | '1'
  readonly terms: readonly Column[]
}

function selectQuad(planner: Planner, {name, alias, kind, terms}: Filled): SelectQuery {
  const ids = terms.map(term => idOf(planner, term))
  const keys = terms.map((term, place): Scalar => {
    if (term.rep === 'id') return {kind: 'null', type: 'text'}
    return {kind: 'case', branches: [[{kind: 'isNull', of: ids[place] as Scalar}, term.scalar]]}
  })
  return {
    kind: 'select',
    columns: [number(kind), ...ids, ...keys].map((scalar, index) => ({name: `c${index}`, scalar})),
    from: {kind: 'common', name, alias},
    where: terms.filter(({isNullable}) => isNullable).map(({scalar}) => isNotNull(scalar)),
  }
}

/** Null if the term is computed and not stored. */
function idOf(planner: Planner, term: Column): Scalar {
  return term.rep === 'id' ? term.scalar : call('nullif', idOfColumn(planner, term), number('-1'))
}

const nothing: SelectQuery = {
  kind: 'select',
  columns: Array.from({length: 9}, (_, index) => ({
    name: `c${index}`,
    scalar: {kind: 'null', type: index < 5 ? 'int8' : 'text'},
  })),
  from: undefined,
  where: [{kind: 'boolean', value: false}],
}
