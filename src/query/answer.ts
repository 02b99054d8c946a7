/**
 * A query to its answer, as a stream that lasts as long as its snapshot.
 *
 * The form decides what the answer is; formats and HTTP are the caller's.
 * Sources: interface, endpoint 12; SPARQL 1.1 §16.
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
  readonly dataset?: Dataset // of the protocol
  readonly preferences: {readonly contexts: boolean; readonly checksums: boolean}
  readonly signal?: AbortSignal // the client has gone
  readonly admit?: (form: Query['form']) => void // may refuse, before anything is run
  readonly requestId?: string
  readonly reader?: Reader | undefined // who may be answered by a replica
  readonly isTold?: () => boolean // the client has got some of the answer: it cannot begin again elsewhere
  readonly grantees?: readonly string[] | undefined // whom grants can name that the caller is; undefined: reads all
}

export type QueryAnswer =
  | {readonly form: 'ask'; readonly value: boolean}
  | {
      readonly form: 'select'
      readonly variables: readonly string[]
      readonly rows: AsyncIterable<readonly (readonly (Term | undefined)[])[]> // in batches, in the variables' order
    }
  | {
      readonly form: 'graph'
      readonly quads: AsyncIterable<readonly Quad[]> // in batches
      readonly applied: readonly Iri[] // preferences that were honoured
    }

export type QueryService = {
  /**
   * Answers a query. The first rows were found before `deliver` is called, so what goes wrong until then is thrown
   * here; it is called again when a replica fails before anything was told. The watch has seen the stages `parse`,
   * `look-up` (if anything is not known from before), `plan` and `sql` (until the first rows came); of a query whose
   * plan is kept only `parse` and `sql`; of one that asks other endpoints, or whose plan has become wrong, `connect`
   * and `services`, too.
   *
   * @throws  Problem 400 `query-syntax` and others of parse.ts, 403 `federation-disabled`, 503 `query-timeout`, and
   *          those of federate.ts
   */
  readonly answer: <Result>(
    request: QueryRequest,
    deliver: (answer: QueryAnswer, watch: Stopwatch) => Promise<Result>,
  ) => Promise<Result>
  /** Explains how it would be answered. Throws what `answer` does. */
  readonly explain: (request: ExplainRequest) => Promise<ShownExplanation>
}

export type ShownExplanation = {readonly text: string; readonly stages: readonly Stage[]}

export type QueryServiceOptions = QueryStore & {
  readonly checksums: Checksums
  readonly platform: PlatformVocabulary
  readonly keptPlans?: number
  readonly rememberedTriples?: number // of a CONSTRUCT, before PostgreSQL is to make a set of them
  readonly federation?: Federation | undefined // undefined: SERVICE is off
}

/** What is found on the way, for whoever watches. */
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

/** What answers the SERVICEs of a query; undefined when nobody is asked. */
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

/** Tells whether an answer needs its rows and their terms only. */
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

/** The query with what SERVICE gave. */
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
