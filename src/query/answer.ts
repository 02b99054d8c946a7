/**
 * Answers a SPARQL query as a stream. Its snapshot of the store lasts until the stream ends.
 *
 * The query form determines the kind of answer. The caller chooses the format and speaks HTTP.
 * Sources: docs/interface.md, Queries; SPARQL 1.1 §16.
 */
import {observe, type QueryObservation} from '../base/observation.ts'
import {Problem} from '../base/problem.ts'
import {timed} from '../base/stages.ts'
import {type Stopwatch, startStopwatch} from '../base/stopwatch.ts'
import type {Database} from '../db/connection/pool.ts'
import type {LogPosition, Reader} from '../db/replicas/reader.ts'
import type {SolutionRow, SolutionTexts, TermText} from '../format/results-types.ts'
import type {Iri, Quad} from '../rdf/term.ts'
import type {Query} from '../sparql/algebra.ts'
import type {CompiledQuery} from '../sparql/compile.ts'
import type {IdOrKeyTriple} from './construct.ts'
import {constructTriples, isRemembered} from './construct-triples.ts'
import {decodeRows, termColumnsOf, writeLoaded} from './decode.ts'
import {describe} from './describe.ts'
import {type ExplainRequest, explainQuery} from './explain.ts'
import type {Explanation} from './explanation.ts'
import {placeTriples} from './graph-answer.ts'
import {sampleIfSlow} from './join-samples.ts'
import {asQueryTimeout, type OpenRows, openRows} from './open-rows.ts'
import {openPastRows} from './past.ts'
import {readAhead} from './peek.ts'
import {createPlanCache} from './plan-cache.ts'
import {planAhead, rowLimitOf} from './plans.ts'
import {prepare, type QueryText} from './prepare.ts'
import type {AnsweringProcess, QueryRun} from './state.ts'
import {type UpdateRequest, type UpdateResult, update} from './update.ts'

export type QueryRequest = QueryText & {
  readonly preferences: Preferences
  /** Called before the query runs; may throw. Returns how a short answer to SELECT is written, or else it has terms. */
  readonly admit?: (form: Query['form']) => TermText | undefined
  readonly requestId?: string
  readonly reader?: Reader | undefined // the caller, if a replica may answer
  readonly isSent?: () => boolean // part of the answer is sent: no second attempt
  readonly grantees?: readonly string[] | undefined // the caller's names in grants; undefined: all
  readonly at?: Date | undefined // the store as of then; contexts and checksums are not available
}

type Preferences = {readonly contexts: boolean; readonly checksums: boolean}

export type QueryAnswer =
  | {readonly form: 'ask'; readonly value: boolean}
  | {
      readonly form: 'select'
      readonly variables: readonly string[]
      readonly rows: AsyncIterable<readonly SolutionRow[]> // in batches, in the order of variables
    }
  | {
      readonly form: 'written-select' // if `admit` returns how
      readonly variables: readonly string[]
      readonly rows: readonly SolutionTexts[] // all of them
    }
  | {
      readonly form: 'graph'
      readonly quads: AsyncIterable<readonly Quad[]> // in batches
      readonly applied: readonly Iri[] // preferences that were applied
    }

/** Writes an answer. It is called again if a replica fails before any part of the answer is sent. */
export type WriteAnswer<Result> = (answer: QueryAnswer, watch: Stopwatch) => Promise<Result>

export type QueryService = {
  /**
   * Answers a query. Calls `write` when the first rows are there, so errors before that are thrown here. The watch
   * records the stages `parse`, `look-up` (unless all facts are cached), `plan` and `sql` (up to the first rows). With
   * a cached plan it records `parse` and `sql` only. With SERVICE, or when the cached plan is out of date, it also
   * records `connect` and `services`.
   *
   * @throws  Problem 400 `query-syntax` and others of parse.ts, 403 `federation-disabled`, 503 `query-timeout`, and
   *          those of federate.ts
   */
  readonly answer: <Result>(request: QueryRequest, write: WriteAnswer<Result>) => Promise<Result>
  /** Explains how a query would be answered. Throws what `answer` throws. */
  readonly explain: (request: ExplainRequest) => Promise<Explanation>
  /** Does what the first query would wait for: reads statistics, opens a connection, and has the code compiled. */
  readonly prepareForFirst: (base: Iri) => Promise<void>
  /** Runs an update: see update.ts. */
  readonly update: (request: UpdateRequest) => Promise<UpdateResult>
}

export type QueryServiceOptions = Omit<AnsweringProcess, 'cache'> & {readonly keptQueries?: number}

/** Creates the service of one dataset, with everything that it keeps from query to query. */
export function createQueryService({keptQueries, ...options}: QueryServiceOptions): QueryService {
  const process: AnsweringProcess = {...options, cache: createPlanCache(keptQueries)}
  return {
    answer: (request, write) => answerObserved(process, request, write),
    update: request => update(process, request),
    explain: request => explainQuery(process, request),
    prepareForFirst: base => prepareForFirst(process, base),
  }
}

/**
 * Answers a query that is cheap in every store. No observation tells of it. A failure is not reported: a query of a
 * caller would fail for the same reason, and say so.
 */
async function prepareForFirst(process: AnsweringProcess, base: Iri): Promise<void> {
  const request = {text: 'SELECT ?s ?c { ?s a ?c } LIMIT 5', base, preferences: noPreferences}
  const observed = {isPlanned: false, sql: undefined}
  const write: WriteAnswer<void> = async found => {
    if (found.form === 'select') for await (const _ of found.rows);
  }
  await answer({process, request, watch: startStopwatch(), observed, write}).catch(() => undefined)
}

/** What an observation says of a query. */
type Observed = {isPlanned: boolean; sql: string | undefined}

async function answerObserved<Result>(
  process: AnsweringProcess,
  request: QueryRequest,
  write: WriteAnswer<Result>,
): Promise<Result> {
  const watch = startStopwatch()
  const observed: Observed = {isPlanned: false, sql: undefined}
  const end = (outcome: QueryObservation['outcome']) => {
    const {text, requestId} = request
    const {stages} = watch
    const ms = stages.reduce((sum, stage) => sum + stage.ms, 0)
    observe({kind: 'query', requestId, dataset: process.name, text, stages, ms, ...observed, outcome})
  }
  try {
    const result = await answer({process, request, watch, observed, write})
    watch.lap('deliver')
    end('answered')
    return result
  } catch (error) {
    watch.lap('unfinished')
    end(outcomeOf(error, request))
    throw error
  }
}

type Answering<Result> = {
  readonly process: AnsweringProcess
  readonly request: QueryRequest
  readonly watch: Stopwatch
  readonly observed: Observed
  readonly write: WriteAnswer<Result>
}

/** The stages of a query: prepare, then on the primary or on a replica plan, rows, terms and contexts, write. */
async function answer<Result>({process, request, watch, observed, write}: Answering<Result>): Promise<Result> {
  const {query, isKept} = await timed('parse', () => prepare(process, request))
  observed.isPlanned = isKept
  const termText = request.admit?.(query.prepared.query.form)
  watch.lap('parse')
  const {reader, signal, requestId, grantees, at, isSent = () => true} = request
  const preferences = at === undefined ? request.preferences : noPreferences
  async function answerFrom(server: Database, after: LogPosition | undefined): Promise<Result> {
    const run = {process, request: {server, after, watch, signal, requestId, grantees, termText}, query}
    const rows = await (at === undefined ? openPresent(run, preferences) : openPastRows(run, at))
    try {
      observed.sql = rows.compiled.text
      watch.lap('sql')
      return await write(await answerOf(run, rows, preferences), watch)
    } finally {
      rows.close()
      sampleIfSlow(run, rows.compiled, watch.stages.find(({name}) => name === 'sql')?.ms ?? 0)
    }
  }
  try {
    return await process.database.read(reader, answerFrom, {isSent})
  } catch (error) {
    throw asQueryTimeout(error, process.timeoutMs)
  }
}

const noPreferences: Preferences = {contexts: false, checksums: false}

async function openPresent(run: AnsweringRun, preferences: Preferences): Promise<OpenRows> {
  const plan = await planAhead(run)
  const begin = performance.now()
  try {
    return await openRows(run, plan, compiled => needsRowsOnly(run, preferences, compiled))
  } catch (error) {
    const {compiled} = plan ?? run.query.plans[0] ?? {}
    if (compiled !== undefined) sampleIfSlow(run, compiled, performance.now() - begin) // it may have reached the limit
    throw error
  }
}

function outcomeOf(error: unknown, {signal}: QueryRequest): QueryObservation['outcome'] {
  if (signal?.aborted) return 'cancelled'
  if (!(error instanceof Problem)) return 'failed'
  if (error.rule === 'query-timeout') return 'timeout'
  return error.rule === 'client-gone' ? 'cancelled' : 'refused'
}

type AnsweringRun = QueryRun & {readonly process: AnsweringProcess}

async function answerOf(run: AnsweringRun, rows: OpenRows, preferences: Preferences): Promise<QueryAnswer> {
  const {query} = run.query.prepared
  switch (query.form) {
    case 'ask': {
      for await (const [row] of rows.batches) return {form: 'ask', value: String(row?.[0]) === 'true'}
      return {form: 'ask', value: false}
    }
    case 'select': {
      const places = termColumnsOf(query.variables, rows.compiled.columns)
      const {variables} = query
      const {termText} = run.request
      if (rows.whole === undefined || termText === undefined)
        return {form: 'select', variables, rows: readAhead(decodeRows(rows.batches, places, rows.decoder))}
      return {form: 'written-select', variables, rows: writeLoaded(rows.whole, places, rows.decoder, termText)}
    }
    case 'construct': {
      const answered = {...query, pattern: rows.compiled.query.pattern} // tables in place of SERVICE
      return placed(run, rows, constructTriples(run, rows, answered), preferences)
    }
    case 'describe':
      return placed(run, rows, describe(run.process, rows), preferences)
  }
}

/** Whether an answer needs only its rows and their terms. */
function needsRowsOnly(
  {process, query: {prepared}}: QueryRun,
  {contexts, checksums}: Preferences,
  compiled: CompiledQuery,
): boolean {
  const {query} = prepared
  switch (query.form) {
    case 'ask':
    case 'select':
      return true
    case 'construct':
      return !contexts && !checksums && isOfIds(compiled) && isRemembered(query, process, rowLimitOf(compiled))
    case 'describe':
      return !contexts && !checksums
  }
}

function isOfIds({columns}: CompiledQuery): boolean {
  return columns.every(({rep}) => rep === 'id')
}

function placed(
  {process, query: {prepared}}: AnsweringRun,
  rows: OpenRows,
  triples: AsyncIterable<readonly IdOrKeyTriple[]>,
  {contexts, checksums}: Preferences,
): QueryAnswer {
  const {platform} = process
  const {query} = prepared
  const hasDocument =
    query.form === 'construct' &&
    query.template.some(({predicate}) => predicate.termType === 'NamedNode' && predicate.value === platform.document)
  const withoutContexts = hasDocument ? 'subjects' : 'none'
  const checksumMode = !checksums ? 'none' : contexts ? 'documents' : withoutContexts
  return {
    form: 'graph',
    quads: placeTriples(rows, triples, {process, hasContexts: contexts, checksumMode}),
    applied: [
      ...(contexts ? [platform.PreferResultsContexts] : []),
      ...(checksumMode === 'none' ? [] : [platform.PreferDocumentChecksums]),
    ],
  }
}
