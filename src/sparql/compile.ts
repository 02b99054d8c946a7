/**
 * Compiles SPARQL queries to SQL.
 *
 * Pure. `prepareQuery` parses and rewrites, `compileQuery` plans and prints. Between the two steps, the caller reads
 * from the database the ids of the query's constants and the facts that a plan depends on. `compileText` takes and
 * returns plain data, which structured clone can copy to and from a worker thread.
 */
import type {Realms} from '../base/realms.ts'
import type {Iri, Term} from '../rdf/term.ts'
import {termKey} from '../rdf/term-key.ts'
import type {Algebra, DatasetClause, Query} from './algebra.ts'
import {constantsOf, constantsOfQuads, type ResolvedConstants, resolveConstants} from './analyse/constants.ts'
import {constantPredicates, type Predicates} from './analyse/predicates.ts'
import {valuedPredicates} from './analyse/valued.ts'
import type {ModifyOperation, UpdateOperation} from './operation.ts'
import {defaultLimits, type QueryLimits, tooDeep, updateLimits} from './parse/limits.ts'
import {parseQuery, parseUpdate} from './parse/parse.ts'
import type {Facts, JoinObserver} from './plan/block.ts'
import {shareProbes} from './plan/expression/probe.ts'
import type {Forced} from './plan/forced.ts'
import type {CountObserver} from './plan/frequencies.ts'
import {type PlannedQuery, type PlannerContext, planModify, planQuery} from './plan/plan.ts'
import {shareGroups} from './plan/shared-groups.ts'
import {printQuery} from './print/print.ts'
import {type Pass, rewriteAlgebra} from './rewrite/all.ts'
import {foldNow} from './rewrite/fold-now.ts'
import {fillConstants} from './shape.ts'
import {translateQuery} from './translate/translate.ts'
import {translateUpdate, type UpdateScope} from './translate/update.ts'

export type {Facts} from './plan/block.ts'
export type {Frequencies} from './plan/frequencies.ts'

/** What the planner asks of the store. */
export type PlanNeeds = {
  readonly constants: ReadonlyMap<string, Term> // by key: constants to look up in the dictionary
  readonly valued: readonly string[] // keys of predicates whose objects' extents the planner uses
  readonly predicates: Predicates // their keys
}

/** A parsed and rewritten query. It depends on the request alone, not on the store, so it can be cached. */
export type PreparedQuery = PlanNeeds & {
  readonly query: Query
  readonly isLong: boolean // long texts are compiled in a worker thread
}

/** The SQL of a query and how to read its rows. Plain data, so that a worker thread can return it. */
export type CompiledText = {
  readonly text: string // SQL
  readonly parameters: readonly string[] // items of $1
  readonly isLasting: boolean // does not contain NOW()
  readonly isWalked: boolean // relies on the order of an index: PostgreSQL must not sort instead
  readonly isSearched: boolean // uses the text index
  readonly isMemoized: boolean // results of probes are worth keeping (print.ts)
  readonly columns: PlannedQuery['columns']
  readonly rows: number // estimated
  readonly localKeys: ReadonlyMap<string, string> // id → key of the constants that are not stored
  readonly realms: Realms | undefined // the realms whose graphs the SQL reads; undefined: all graphs
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
  readonly forced?: Forced // overrides choices of the planner
  readonly onJoin?: JoinObserver // called for each join that samples could tell of
  readonly onCount?: CountObserver // is told what the tables of the SQL are
}

export type PrepareOptions = {
  readonly observe?: ((pass: Pass, tree: Algebra) => void) | undefined // called with the tree after each pass
  readonly limits?: QueryLimits | undefined
}

/** In UTF-16 units. Compiling a longer text may take about ten milliseconds, so it is done in a worker thread. */
export const longText = 5000

/**
 * Parses, translates and rewrites a query.
 *
 * @param dataset  of the protocol's parameters; it replaces FROM and FROM NAMED (SPARQL 1.1 Protocol §2.1.4)
 * @throws         Problem 400: see parse.ts
 */
export function prepareQuery(
  text: string,
  base: Iri,
  dataset?: DatasetClause,
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

/**
 * Passes are recursive, and the algebra is as deep as a query has steps in a row: thousands of BINDs exhaust the stack.
 *
 * @throws  Problem 400 `query-depth` in place of a RangeError
 */
function withinStack<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep()
    throw error
  }
}

/** Prepares a query whose algebra is already translated and rewritten. */
export function withConstants(query: Query, isLong: boolean): PreparedQuery {
  return {query, ...needsOf(query), isLong}
}

function needsOf(query: Query): PlanNeeds {
  return {
    constants: constantsOf(query),
    valued: valuedPredicates(query).map(termKey),
    predicates: constantPredicates(query),
  }
}

/** Replaces the markers in a prepared query by constants (shape.ts). */
export function refill({query, isLong}: PreparedQuery, constants: readonly string[]): PreparedQuery {
  return withConstants(fillConstants(query, constants), isLong)
}

/** DELETE and INSERT of an update, with what the planner asks of the store: as for a query. */
export type PreparedModify = PlanNeeds & {readonly operation: ModifyOperation}

/**
 * Parses and translates an update. Its WHERE clauses are rewritten as queries are.
 *
 * @throws  Problem 400: see parse.ts; 422 `update-graph`, `patch-graph`, 400 `update-dataset`
 */
export function prepareUpdate(
  text: string,
  base: Iri,
  scope: UpdateScope,
  limits: QueryLimits = defaultLimits,
): readonly UpdateOperation[] {
  return withinStack(() =>
    translateUpdate(parseUpdate(text, base, updateLimits(limits)), scope).map(operation => {
      if (operation.type !== 'modify') return operation
      const pattern = rewriteAlgebra(operation.where.pattern, () => undefined)
      return {...operation, where: {...operation.where, pattern}}
    }),
  )
}

export function prepareModify(operation: ModifyOperation): PreparedModify {
  const {where, deleted, inserted} = operation
  const needs = needsOf(where)
  const constants = new Map([...needs.constants, ...constantsOfQuads([...deleted, ...inserted])])
  return {...needs, operation, constants}
}

/** @throws  Problem 403 `federation-disabled`, 400 `query-size`, 400 `query-depth` */
export function compileQuery(prepared: PreparedQuery, options: CompileOptions): CompiledQuery {
  return completed(prepared, options, compileText(prepared, options))
}

/** Completes a compiled text, which a worker thread may have returned, with the data of the calling thread. */
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
  return compileWith({query, constants}, options, context =>
    planQuery(atNow(query, context), variablesOf(query), context),
  )
}

/**
 * Compiles DELETE and INSERT of an update to one statement that computes the quads to remove and to add.
 *
 * The columns are those of plan/quads.ts. @throws what `compileQuery` throws
 */
export function compileModify({operation, constants}: PreparedModify, options: CompileOptions): CompiledText {
  const {where} = operation
  return compileWith({query: where, constants}, options, context =>
    planModify({...operation, where: atNow(where, context)}, context),
  )
}

function atNow<One extends Query>(query: One, {now}: PlannerContext): One {
  const pattern = foldNow(query.pattern, now)
  return pattern === query.pattern ? query : {...query, pattern}
}

function compileWith(
  {query, constants}: Pick<PreparedQuery, 'query' | 'constants'>,
  options: CompileOptions,
  plan: (context: PlannerContext) => PlannedQuery,
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
    onJoin: options.onJoin,
    onCount: options.onCount,
    dataset: query.dataset && {
      default: idsOf(query.dataset.default),
      named: query.dataset.named === 'all' ? undefined : idsOf(query.dataset.named),
    },
    base: query.base,
    now: () => {
      isLasting = false
      return options.now
    },
  }
  const planned = withinStack(() => plan(context))
  const localKeys = new Map(local.ids.map((id, index) => [id, local.keys[index] ?? '']))
  const shared = withinStack(() => shareGroups(shareProbes(planned.query)))
  const printed = withinStack(() => printQuery(shared, options.schema, options.facts.past))
  const {realms} = options.facts
  const {columns, rows} = planned
  return {...printed, columns, rows, localKeys, isLasting, realms}
}

/** The variables that the result of a query needs. */
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
