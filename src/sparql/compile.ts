/**
 * SPARQL to SQL, the table of contents.
 *
 * Pure, in two steps with one look at the database between them: the ids of the query's constants and the
 * facts of the store that a plan depends on. Both steps take and return data that structured clone can copy.
 */
import type {Realms} from '../base/realms.ts'
import {type Iri, type Term, termKey} from '../rdf/term.ts'
import type {Algebra, Dataset, Query} from './algebra.ts'
import {constantsOf, type ResolvedConstants, resolveConstants} from './analyse/constants.ts'
import {valuedPredicates} from './analyse/valued.ts'
import {type QueryLimits, tooDeep} from './parse/limits.ts'
import {parseQuery} from './parse/parse.ts'
import type {Facts} from './plan/block.ts'
import {shareProbes} from './plan/expression/probe.ts'
import type {Forced} from './plan/forced.ts'
import {type PlannedQuery, planQuery} from './plan/plan.ts'
import {type Parameter, printQuery} from './print/print.ts'
import {type Pass, rewriteAlgebra} from './rewrite/all.ts'
import {fillConstants} from './shape.ts'
import {translateQuery} from './translate/translate.ts'

export type {Facts} from './plan/block.ts'
export type {Frequencies} from './plan/frequencies.ts'
export type {Parameter}

/** A query before it has met a store; depends on nothing but its text, so it can be kept. */
export type PreparedQuery = {
  readonly query: Query
  readonly constants: ReadonlyMap<string, Term> // by key: to be looked up
  readonly valued: readonly string[] // keys of the predicates whose objects matter
  readonly isLong: boolean // so long a text that compiling it takes a thread of its own
}

/** The SQL of a query, and what it means: data alone, so that a thread can return it. */
export type CompiledText = {
  readonly text: string // SQL
  readonly parameters: readonly string[] // items of $1
  readonly isLasting: boolean // the same at another time
  readonly isWalked: boolean // nothing that an index can order must be sorted
  readonly isSearched: boolean // literals are found by the text index
  readonly columns: PlannedQuery['columns']
  readonly rows: number // estimated
  readonly localKeys: ReadonlyMap<string, string> // ids of this query's own → keys
  readonly realms: Realms | undefined // whose graphs were read; undefined: all graphs
}

export type CompiledQuery = CompiledText &
  Pick<PreparedQuery, 'query' | 'isLong'> & {
    readonly idOf: (term: Term) => string // of a constant of the query or its template
  }

export type CompileOptions = {
  readonly schema: string // quoted
  readonly facts: Facts
  readonly stored: ReadonlyMap<string, string> // key → id of the constants that are stored
  readonly now: string // NOW(), as xsd:dateTime
  readonly forced?: Forced // choices that are not the planner's
}

export type PrepareOptions = {
  readonly observe?: ((pass: Pass, tree: Algebra) => void) | undefined // is told of the tree after each pass
  readonly limits?: QueryLimits | undefined
}

/** UTF-16 units of a text that is compiled where it is; a longer one may take some ten milliseconds. */
export const longText = 5000

/**
 * Reads and rewrites a query.
 *
 * @param dataset  the protocol's, which stands before the query's own FROM (SPARQL 1.1 Protocol §2.1.4)
 * @throws         Problem 400: see parse.ts
 */
export function prepareQuery(
  text: string,
  base: Iri,
  dataset?: Dataset,
  {observe = () => undefined, limits}: PrepareOptions = {},
): PreparedQuery {
  return withinStack(() => {
    const translated = translateQuery(parseQuery(text, base, limits))
    const query = {
      ...translated,
      dataset: dataset ?? translated.dataset,
      pattern: rewriteAlgebra(translated.pattern, observe),
    }
    return withConstants(query, text.length > longText)
  })
}

/** Passes walk down the algebra, which is as deep as a query has steps in a row: thousands of BINDs are too many. */
function withinStack<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep()
    throw error
  }
}

/** The same for a query that is there as algebra. */
export function withConstants(query: Query, isLong: boolean): PreparedQuery {
  return {query, constants: constantsOf(query), valued: valuedPredicates(query).map(termKey), isLong}
}

/** A query as prepared, with other constants (shape.ts). */
export function refill({query, isLong}: PreparedQuery, constants: readonly string[]): PreparedQuery {
  return withConstants(fillConstants(query, constants), isLong)
}

/** @throws  Problem 403 `federation-disabled`, 400 `query-size` */
export function compileQuery(prepared: PreparedQuery, options: CompileOptions): CompiledQuery {
  return completed(prepared, options, compileText(prepared, options))
}

/** What compiling made elsewhere, with what is known here. */
export function completed(
  {query, constants, isLong}: PreparedQuery,
  {stored}: CompileOptions,
  made: CompiledText,
): CompiledQuery {
  let resolved: ResolvedConstants | undefined
  const idOf = (term: Term): string => {
    resolved ??= resolveConstants(constants, stored)
    return resolved.idOf(term)
  }
  return {...made, query, isLong, idOf}
}

export function compileText(
  {query, constants}: Pick<PreparedQuery, 'query' | 'constants'>,
  options: CompileOptions,
): CompiledText {
  const {idOf, patternIdsOf, local} = resolveConstants(constants, options.stored)
  const idsOf = (iris: readonly Iri[]) => [...new Set(iris.map(value => idOf({termType: 'NamedNode', value})))]
  let isLasting = true
  const context = {
    idOf,
    patternIdsOf,
    local,
    facts: options.facts,
    forced: options.forced,
    dataset: query.dataset && {default: idsOf(query.dataset.default), named: idsOf(query.dataset.named)},
    base: query.base,
    now: () => {
      isLasting = false
      return options.now
    },
  }
  const planned = withinStack(() => planQuery(query, variablesOf(query), context))
  const localKeys = new Map(local.ids.map((id, index) => [id, local.keys[index] ?? '']))
  const printed = withinStack(() => printQuery(shareProbes(planned.query), options.schema))
  const {realms} = options.facts
  const {columns, rows} = planned
  return {...printed, columns, rows, localKeys, isLasting, realms}
}

/** What the answer is made of. */
function variablesOf(query: Query): readonly string[] {
  const names = (terms: readonly {readonly termType: string; readonly value: string}[]) =>
    terms.flatMap(({termType, value}) => (termType === 'Variable' ? [value] : []))
  switch (query.form) {
    case 'select':
      return query.variables
    case 'ask':
      return []
    case 'construct':
      return [...new Set(query.template.flatMap(({subject, predicate, object}) => names([subject, predicate, object])))]
    case 'describe':
      return [...new Set(names(query.resources))]
  }
}
