/**
 * Answers a SPARQL query as a stream. Its snapshot of the store lasts until the stream ends.
 *
 * The query form determines the kind of answer. The caller chooses the format and speaks HTTP.
 * Sources: docs/interface.md, Queries; SPARQL 1.1 §16.
 */
import {createLru} from '../base/lru.ts'
import {observe, type QueryObservation} from '../base/observation.ts'
import {Problem} from '../base/problem.ts'
import {timed} from '../base/stages.ts'
import {type Stage, type Stopwatch, startStopwatch} from '../base/stopwatch.ts'
import type {Reader} from '../db/replicas/reader.ts'
import type {Iri, Quad, Term} from '../rdf/term.ts'
import type {PlatformVocabulary} from '../rdf/vocabulary.ts'
import type {Dataset, Query} from '../sparql/algebra.ts'
import {type CompiledQuery, longText} from '../sparql/compile.ts'
import type {Checksums} from './checksums.ts'
import type {TokenTriple} from './construct.ts'
import {constructTriples, isRemembered} from './construct-triples.ts'
import {decodeRows, placesOf} from './decode.ts'
import {describe} from './describe.ts'
import {type ExplainRequest, explainQuery} from './explain.ts'
import {answerServices} from './federate.ts'
import {type GraphOptions, placeTriples} from './graph-answer.ts'
import {peek, readAhead} from './peek.ts'
import type {QueryStore} from './plans.ts'
import {createPrepare} from './prepare.ts'
import type {Federation} from './remote-endpoint.ts'
import {runQuery} from './run.ts'
import {type Federate, heldLimits, type RunningQuery, type RunOptions} from './running.ts'
import {showInput} from './thread-work.ts'

export type QueryRequest = {
  readonly text: string
  readonly base: Iri // the request's URL
  readonly dataset?: Dataset // from the protocol's parameters
  readonly preferences: {readonly contexts: boolean; readonly checksums: boolean}
  readonly signal?: AbortSignal // aborts when the client disconnects
  readonly admit?: (form: Query['form']) => void // may throw, before the query runs
  readonly requestId?: string
  readonly reader?: Reader | undefined // the caller, if a replica may answer
  readonly isTold?: () => boolean // part of the answer is sent: no second attempt
  readonly grantees?: readonly string[] | undefined // the caller's names in grants; undefined: all
}

export type QueryAnswer =
  | {readonly form: 'ask'; readonly value: boolean}
  | {
      readonly form: 'select'
      readonly variables: readonly string[]
      readonly rows: AsyncIterable<readonly (readonly (Term | undefined)[])[]> // in batches, in the order of variables
    }
  | {
      readonly form: 'graph'
      readonly quads: AsyncIterable<readonly Quad[]> // in batches
      readonly applied: readonly Iri[] // preferences that were applied
    }

export type QueryService = {
  /**
   * Answers a query. Calls `deliver` when the first rows are there, so errors before that are thrown here. Calls it
   * again if a replica fails before any part of the answer is sent. The watch records the stages `parse`, `look-up`
   * (unless all facts are cached), `plan` and `sql` (up to the first rows). With a cached plan it records `parse` and
   * `sql` only. With SERVICE, or when the cached plan is out of date, it also records `connect` and `services`.
   *
   * @throws  Problem 400 `query-syntax` and others of parse.ts, 403 `federation-disabled`, 503 `query-timeout`, and
   *          those of federate.ts
   */
  readonly answer: <Result>(
    request: QueryRequest,
    deliver: (answer: QueryAnswer, watch: Stopwatch) => Promise<Result>,
  ) => Promise<Result>
  /** Explains how a query would be answered. Throws what `answer` throws. */
  readonly explain: (request: ExplainRequest) => Promise<ShownExplanation>
}

export type ShownExplanation = {readonly text: string; readonly stages: readonly Stage[]}

export type QueryServiceOptions = QueryStore & {
  readonly checksums: Checksums
  readonly platform: PlatformVocabulary
  readonly keptPlans?: number
  readonly rememberedTriples?: number // of a CONSTRUCT; with more, PostgreSQL removes duplicates
  readonly federation?: Federation | undefined // undefined: SERVICE is off
}

/** What is known of a query so far, for observations. */
type Told = {isPlanned: boolean; sql: string | undefined}

const keptTerms = 8000 // some 4 MB

export function createQueryService(options: QueryServiceOptions): QueryService {
  const {keptPlans = 500, limits, threads} = options
  const prepare = createPrepare({keptPlans, limits, threads})
  const store = {...options, terms: createLru<string, Term>(keptTerms)}
  return {
    async answer(request, deliver) {
      const watch = startStopwatch()
      const told: Told = {isPlanned: false, sql: undefined}
      const own = {...options, grantees: request.grantees}
      try {
        const {prepared: query, isKept} = await timed('parse', () => prepare(request))
        told.isPlanned = isKept
        request.admit?.(query.query.form)
        watch.lap('parse')
        const isAlone = aloneTest(query.query, request.preferences, own)
        const run = {...runOptions(request, watch, own), isAlone}
        const use = async (running: RunningQuery) => {
          told.sql = running.compiled.text
          const batches = await peek(running.batches)
          watch.lap('sql')
          return deliver(await answerOf({...running, batches}, query.query, request, own), watch)
        }
        const {reader, isTold = () => true} = request
        const result = await options.database.read(
          reader,
          (server, after) => runQuery({...store, ...own}, query, {...run, server, after}, use),
          {isTold},
        )
        watch.lap('deliver')
        observeQuery(request, watch, {...told, outcome: 'answered'})
        return result
      } catch (error) {
        watch.lap('unfinished')
        observeQuery(request, watch, {...told, outcome: outcomeOf(error, request)})
        throw error
      }
    },
    async explain(request) {
      const explanation = await explainQuery(options, request, federateAs(options, request.signal))
      const input = {explanation, isJson: request.planForm === 'json'}
      const isLong = request.text.length > longText && threads !== undefined
      return {text: isLong ? await threads.show(input, request.signal) : showInput(input), stages: explanation.stages}
    },
  }
}

function runOptions({signal, requestId}: QueryRequest, watch: Stopwatch, options: QueryServiceOptions): RunOptions {
  const own = signal === undefined ? {} : {signal}
  return {watch, ...own, ...(requestId === undefined ? {} : {requestId}), federate: federateAs(options, signal)}
}

/** The function that answers the SERVICE patterns of a query; undefined if it has none. */
function federateAs(
  {federation, ...store}: QueryServiceOptions,
  signal: AbortSignal | undefined,
): Federate | undefined {
  const own = signal === undefined ? {} : {signal}
  return federation && ((query, transaction) => answerServices(query, {federation, store, transaction, ...own}))
}

function observeQuery(
  {text, requestId}: QueryRequest,
  {stages}: Stopwatch,
  end: Told & Pick<QueryObservation, 'outcome'>,
): void {
  const ms = stages.reduce((sum, stage) => sum + stage.ms, 0)
  observe({kind: 'query', requestId, text, stages, ms, ...end})
}

function outcomeOf(error: unknown, {signal}: QueryRequest): QueryObservation['outcome'] {
  if (signal?.aborted) return 'cancelled'
  if (!(error instanceof Problem)) return 'failed'
  if (error.rule === 'query-timeout') return 'timeout'
  return error.rule === 'client-gone' ? 'cancelled' : 'refused'
}

async function answerOf(
  running: RunningQuery,
  query: Query,
  {preferences}: QueryRequest,
  options: QueryServiceOptions,
): Promise<QueryAnswer> {
  switch (query.form) {
    case 'ask': {
      for await (const [row] of running.batches) return {form: 'ask', value: String(row?.[0]) === 'true'}
      return {form: 'ask', value: false}
    }
    case 'select':
      return {form: 'select', variables: query.variables, rows: readAhead(rowsOf(running, query.variables))}
    case 'construct':
      return placed(
        running,
        constructTriples(running, withTables(query, running), options),
        query,
        preferences,
        options,
      )
    case 'describe':
      return placed(running, describe(running, query, options.schema, heldLimits(options)), query, preferences, options)
  }
}

/** A test whether an answer needs only its rows and their terms. */
function aloneTest(
  query: Query,
  {contexts, checksums}: QueryRequest['preferences'],
  options: QueryServiceOptions,
): (compiled: CompiledQuery) => boolean {
  switch (query.form) {
    case 'ask':
    case 'select':
      return () => true
    case 'construct':
      return ({columns}) =>
        !contexts && !checksums && columns.every(({rep}) => rep === 'id') && isRemembered(query, options)
    case 'describe':
      return () => false
  }
}

/** The query with the solutions of its SERVICE patterns in place of them. */
function withTables<Any extends Query>(query: Any, {compiled}: RunningQuery): Any {
  return {...query, pattern: compiled.query.pattern}
}

function rowsOf({compiled, batches, decoder}: RunningQuery, variables: readonly string[]) {
  return decodeRows(batches, placesOf(variables, compiled.columns), decoder)
}

function placed(
  running: RunningQuery,
  triples: AsyncIterable<readonly TokenTriple[]>,
  query: Query,
  {contexts, checksums}: QueryRequest['preferences'],
  options: QueryServiceOptions,
): QueryAnswer {
  const {platform, schema} = options
  const hasDocument =
    query.form === 'construct' &&
    query.template.some(({predicate}) => predicate.termType === 'NamedNode' && predicate.value === platform.document)
  const checksumMode: GraphOptions['checksumMode'] = !checksums
    ? 'none'
    : contexts
      ? 'documents'
      : hasDocument
        ? 'subjects'
        : 'none'
  const graphOptions = {
    schema,
    hasContexts: contexts,
    checksumMode,
    checksums: options.checksums,
    platform,
    limits: heldLimits(options),
  }
  return {
    form: 'graph',
    quads: placeTriples(running, triples, graphOptions),
    applied: [
      ...(contexts ? [platform.PreferResultsContexts] : []),
      ...(checksumMode === 'none' ? [] : [platform.PreferDocumentChecksums]),
    ],
  }
}
