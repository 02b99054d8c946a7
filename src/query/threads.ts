/**
 * Compiles long queries in threads, so that they do not block the event loop.
 *
 * A query is sent to a thread twice: its text to be prepared, then the prepared query with the facts of the store to be
 * planned and printed as SQL. Copying the messages takes this thread about a fifth of the time of the work itself.
 */
import {Problem} from '../base/problem.ts'
import {fileBeside} from '../base/thread.ts'
import type {Job, Loss, WorkerPool} from '../base/worker-pool.ts'
import type {EncodedQuads} from '../db/store/updates.ts'
import type {CompiledText, CompileOptions, PreparedModify, PreparedQuery} from '../sparql/compile.ts'
import {containsId} from '../sparql/plan/join/derived.ts'
import type {
  CompileInput,
  LoadInput,
  ModifyInput,
  PreparedOperation,
  PreparedText,
  PrepareInput,
  UpdateInput,
} from './thread-work.ts'

export type QueryThreads = {
  /** @throws  Problem 400: see sparql/parse/parse.ts; 422 `query-complex`, 503 `query-timeout` */
  readonly prepare: (input: PrepareInput, signal?: AbortSignal) => Promise<PreparedText>
  /** @throws  Problem 400 `query-size`, 403 `federation-disabled`, 422 `query-complex`, 503 `query-timeout` */
  readonly compile: (prepared: PreparedQuery, options: CompileOptions, signal?: AbortSignal) => Promise<CompiledText>
  /** @throws  those of `prepareUpdate`; 422 `query-complex`, 503 `query-timeout` */
  readonly prepareUpdate: (input: UpdateInput, signal?: AbortSignal) => Promise<readonly PreparedOperation[]>
  /** @throws  those of `loadDocument`; 422 `query-complex`, 503 `query-timeout` */
  readonly load: (input: LoadInput, signal?: AbortSignal) => Promise<EncodedQuads>
  /** Throws what `compile` throws. */
  readonly compileModify: (
    prepared: PreparedModify,
    options: CompileOptions,
    signal?: AbortSignal,
  ) => Promise<CompiledText>
}

const limitMs = 10_000 // per step; the worst query within the default limits takes about one second

const module = fileBeside(import.meta.url, 'thread-work')
const preparing: Job<PrepareInput, PreparedText> = {module, function: 'prepareText', limitMs, problem}
const compiling: Job<CompileInput, CompiledText> = {module, function: 'compileInput', limitMs, problem}
const preparingUpdate: Job<UpdateInput, readonly PreparedOperation[]> = {
  module,
  function: 'prepareUpdateText',
  limitMs,
  problem,
}
const loading: Job<LoadInput, EncodedQuads> = {module, function: 'loadDocument', limitMs, problem}
const compilingModify: Job<ModifyInput, CompiledText> = {module, function: 'compileModifyInput', limitMs, problem}

export function createQueryThreads(pool: WorkerPool): QueryThreads {
  const withSignal = (signal: AbortSignal | undefined) => (signal === undefined ? {} : {signal})
  return {
    prepare: (input, signal) => pool.run(preparing, input, withSignal(signal)),
    compile: ({query, constants}, options, signal) =>
      pool.run(compiling, {query, constants, options: withOwnFrequencies(options)}, withSignal(signal)),
    prepareUpdate: (input, signal) => pool.run(preparingUpdate, input, withSignal(signal)),
    load: (input, signal) => pool.run(loading, input, withSignal(signal)),
    compileModify: (prepared, options, signal) =>
      pool.run(compilingModify, {prepared, options: withOwnFrequencies(options)}, withSignal(signal)),
  }
}

/**
 * Leaves out the frequencies of predicates that the query does not have, because copying all takes long. Those of
 * containment are kept, as they are also those of memberships.
 */
function withOwnFrequencies(options: CompileOptions): CompileOptions {
  const {triples, predicates, values, children, graphs, texts, hasSearch} = options.facts.frequencies
  const ids = new Set([...options.stored.values(), containsId])
  const own = new Map([...predicates].filter(([id]) => ids.has(id)))
  const ownValues = new Map([...values].filter(([key]) => own.has(key.slice(0, key.indexOf(' ')))))
  const frequencies = {triples, predicates: own, values: ownValues, children, graphs, texts, hasSearch}
  return {...options, facts: {...options.facts, frequencies}}
}

function problem(reason: Loss): Problem {
  if (reason === 'memory') {
    return new Problem(422, 'query-complex', 'The query needs more memory to be compiled than there is.')
  }
  const headers = {'Retry-After': '10'}
  if (reason !== 'time') return new Problem(503, 'busy', 'Too many long queries wait to be compiled.', {headers})
  const message = `The query was given up: compiling it reached the limit of ${limitMs} ms.`
  return new Problem(503, 'query-timeout', message, {members: {limitMs}, headers})
}
