/**
 * Builds queries for stored triples and for derived triples, both with the columns g, s, p and o.
 *
 * Rows of `document` imply the derived triples `<parent> ldp:contains <child>` and `<parent> <member_by> <child>`. They
 * belong to the parent's graph. Source: sql/migrations/000001_store.sql.
 */

import type {Planner} from '../block.ts'
import {column, isNotNull, type Scalar, type SelectQuery} from '../relation.ts'

export const containsId = '10' // ldp:contains (sql/functions/term/vocabulary.sql)

/** Whether derived triples can have this predicate. @param predicate  its id; undefined for a variable */
export function canBeDerived({facts}: Planner, predicate: string | undefined): boolean {
  if (!facts.hasDocuments) return false
  return predicate === undefined || predicate === containsId || facts.memberRelations.includes(predicate)
}

/** Stored triples. @param quad  the alias of the table */
export function stored(quad: string, where: readonly Scalar[]): SelectQuery {
  return {
    kind: 'select',
    columns: ['g', 's', 'p', 'o'].map(name => ({name, scalar: column(quad, name)})),
    from: {kind: 'table', name: 'quad', alias: quad},
    where,
  }
}

/** Triples that rows of `document` imply. @param document  the alias of the table */
export function derived(document: string, predicate: Scalar, where: readonly Scalar[]): SelectQuery {
  return {
    kind: 'select',
    columns: [
      {name: 'g', scalar: column(document, 'parent')},
      {name: 's', scalar: column(document, 'parent')},
      {name: 'p', scalar: predicate},
      {name: 'o', scalar: column(document, 'id')},
    ],
    from: {kind: 'table', name: 'document', alias: document},
    where: [isNotNull(column(document, 'parent')), ...where],
  }
}

export function canBeMember({facts: {memberRelations}}: Planner, predicate: string | undefined): boolean {
  return predicate === undefined ? memberRelations.length > 0 : memberRelations.includes(predicate)
}
