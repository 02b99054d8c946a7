/** Data sets of other shapes than those for which queries are drawn, with questions that those who know them ask. */
import {catalogue} from './catalogue.ts'
import {cataloguePrefixes, catalogueQueries} from './catalogue-queries.ts'
import {statements} from './statements.ts'
import {statementPrefixes, statementQueries} from './statements-queries.ts'
import {timetable} from './timetable.ts'
import {timetablePrefixes, timetableQueries} from './timetable-queries.ts'

export type Domain = {
  readonly name: string
  readonly write: (quads: number) => readonly string[] // lines of N-Quads, approximately this many, in raw graphs
  readonly queries: readonly string[]
}

/** The queries for solutions. Graphs are not compared: engines describe resources differently. */
function selects(prefixes: string, queries: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(queries).flatMap(text => (/^\s*SELECT/.test(text) ? [prefixes + text] : []))
}

export const domains: readonly Domain[] = [
  {name: 'catalogue', write: catalogue, queries: selects(cataloguePrefixes, catalogueQueries)},
  {name: 'statements', write: statements, queries: selects(statementPrefixes, statementQueries)},
  {name: 'timetable', write: timetable, queries: selects(timetablePrefixes, timetableQueries)},
]
