/**
 * Turns the solutions of a CONSTRUCT into its distinct triples. PostgreSQL removes the duplicates, on disk if needed.
 *
 * The columns c0, c1 and c2 are subject, predicate and object as tokens: ids, or keys of terms that have no id.
 * Source: SPARQL 1.1 §16.2 (a set of triples).
 */
import type {TemplateTerm, TemplateTriple} from '../../algebra.ts'
import {type Column, idOfColumn, type Planner, type TermRep} from '../block.ts'
import {call, column, isNotNull, number, type Scalar, type SelectQuery, type SqlQuery} from '../relation.ts'

export type PlannedRows = {
  readonly query: SqlQuery
  readonly columns: readonly {readonly name: string; readonly rep: TermRep}[]
}

/** @param template  without blank nodes */
export function planTriples(planner: Planner, template: readonly TemplateTriple[], rows: PlannedRows): SqlQuery {
  const name = planner.fresh()
  const triples = template.map(({subject, predicate, object}) => [subject, predicate, object] as const)
  const held = (term: TemplateTerm, alias: string): Column | undefined => {
    if (term.termType === 'BlankNode') throw new Error('a blank node is another in each solution')
    if (term.termType !== 'Variable')
      return {scalar: number(planner.idOf(term)), rep: 'id', isNullable: false, isNode: false}
    const index = rows.columns.findIndex(one => one.name === term.value)
    const rep = rows.columns[index]?.rep
    return rep && {scalar: column(alias, `c${index}`), rep, isNullable: true, isNode: false}
  }
  const hasKeys = [0, 1, 2].map(place => triples.some(triple => held(triple[place] as TemplateTerm, '')?.rep === 'key'))
  const queries = triples.flatMap((triple): SelectQuery[] => {
    const alias = planner.fresh()
    const columns = triple.map(term => held(term, alias)).filter(one => one !== undefined)
    if (columns.length < triple.length) return [] // a variable that no solution binds
    return [
      {
        kind: 'select',
        columns: columns.map((one, place) => ({
          name: `c${place}`,
          scalar: token(planner, one, hasKeys[place] === true),
        })),
        from: {kind: 'common', name, alias},
        where: columns.filter(one => one.isNullable).map(({scalar}) => isNotNull(scalar)),
      },
    ]
  })
  const nothing: SelectQuery = {
    kind: 'select',
    columns: [0, 1, 2].map(place => ({name: `c${place}`, scalar: {kind: 'null', type: 'text'}})),
    from: undefined,
    where: [{kind: 'boolean', value: false}],
  }
  const [only, ...others] = queries
  const body: SqlQuery = others.length > 0 ? {kind: 'union', queries} : {...(only ?? nothing), isDistinct: true}
  return {kind: 'with', name, query: rows.query, body}
}

/** The token of a term. If any triple has a key in this column, ids are converted to text as well. */
function token(planner: Planner, held: Column, hasKeys: boolean): Scalar {
  const text = (id: Scalar) => (hasKeys ? call('text', id) : id)
  if (held.rep === 'id') return text(held.scalar)
  return call('coalesce', text(call('nullif', idOfColumn(planner, held), number(-1))), held.scalar)
}
