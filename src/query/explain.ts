/**
 * Explains a query: its algebra after each pass, the SQL, PostgreSQL's plan, and the time of each stage.
 *
 * The query is planned. It runs only if the request asks for measurements. The usual limits of queries apply.
 */
import {type Stopwatch, startStopwatch} from '../base/stopwatch.ts'
import type {Snapshot} from '../db/connection/pool.ts'
import {explainRows, settle} from '../db/query/rows.ts'
import type {Iri} from '../rdf/term.ts'
import type {Algebra, DatasetClause} from '../sparql/algebra.ts'
import {inlineConstantsOf} from '../sparql/analyse/constants.ts'
import {longText, type PrepareOptions, prepareQuery} from '../sparql/compile.ts'
import {checkLength, defaultLimits} from '../sparql/parse/limits.ts'
import {showAlgebra} from '../sparql/print/show.ts'
import {type Explanation, shownConstants, shownPart} from './explanation.ts'
import {asQueryTimeout, withServices} from './open-rows.ts'
import {planIn, uncached} from './plans.ts'
import type {ProcessState, QueryRun} from './state.ts'
import type {PreparedText} from './thread-work.ts'

export type ExplainRequest = {
  readonly text: string
  readonly base: Iri // the request's URL
  readonly dataset?: DatasetClause | undefined // from the protocol's parameters
  readonly isMeasured: boolean // run the query, and show times and row counts
  readonly planForm: 'text' | 'json'
  readonly signal?: AbortSignal // aborts when the client disconnects
  readonly requestId?: string // PostgreSQL shows it as part of application_name
}

/**
 * Explains a query. The plan depends on the answers of other endpoints, so SERVICE patterns are always evaluated.
 *
 * @throws  the Problems that answering the query would throw
 */
export async function explainQuery(process: ProcessState, request: ExplainRequest): Promise<Explanation> {
  const {isMeasured} = request
  const watch = startStopwatch()
  const {prepared, passes} = await prepareExplained(process, request, watch)
  const {signal, requestId} = request
  const run = {process, request: {server: process.database, watch, signal, requestId}, query: uncached(prepared)}
  const snapshot = await process.database.openSnapshot()
  try {
    const {services, ...found} = await explainIn(run, snapshot, request)
    const {form: queryForm, base} = prepared.query
    return {form: queryForm, base, isMeasured, stages: watch.stages, passes: [...passes, ...services], ...found}
  } catch (error) {
    throw asQueryTimeout(error, process.timeoutMs)
  } finally {
    snapshot.close()
  }
}

async function explainIn(run: QueryRun, snapshot: Snapshot, {isMeasured, planForm: form, signal}: ExplainRequest) {
  const {process, request} = run
  const {watch, requestId} = request
  await settle(snapshot, process.schema, {timeoutMs: process.timeoutMs, requestId})
  watch.lap('connect')
  const complete = await withServices(run, snapshot)
  const {prepared} = complete.query
  const services = complete === run ? [] : [{name: 'services', algebra: shownPart(showAlgebra(prepared.query.pattern))}]
  const {compiled, frequencies} = await planIn(complete, snapshot)
  const {text, parameters, columns, idOf, localKeys, isSearched} = compiled
  const textIndex = isSearched ? 'used' : frequencies.texts === undefined ? 'absent' : 'unused'
  const plan = await explainRows(snapshot, compiled, {form, isMeasured, signal})
  watch.lap('explain')
  const asked = [...prepared.constants.values()].slice(0, shownConstants).map(term => {
    const id = idOf(term)
    return {term, id, held: localKeys.has(id) ? ('absent' as const) : ('dictionary' as const)}
  })
  const inline = Array.from(inlineConstantsOf(compiled.query), ([id, term]) => ({term, id, held: 'inline' as const}))
  const constants = [...asked, ...inline].slice(0, shownConstants)
  return {
    services,
    sql: shownPart(text),
    parameters: parameters.map(shownPart),
    columns,
    textIndex,
    plan,
    constants,
  } as const
}

/** Prepares a query and prints its algebra after each pass. Long queries are prepared in a thread. */
async function prepareExplained(
  {limits, threads}: ProcessState,
  {text, base, dataset, signal}: ExplainRequest,
  watch: Stopwatch,
): Promise<PreparedText> {
  if (threads !== undefined && text.length > longText) {
    checkLength(text, limits ?? defaultLimits)
    const found = await threads.prepare({text, base, dataset, limits, isExplained: true}, signal)
    watch.lap('parse')
    return found
  }
  const trees: {name: string; tree: Algebra}[] = []
  const observe: PrepareOptions['observe'] = ({name}, tree) => {
    watch.lap(trees.length === 0 ? 'parse' : name)
    trees.push({name, tree})
  }
  const prepared = prepareQuery(text, base, dataset, {observe, limits})
  return {prepared, passes: trees.map(({name, tree}) => ({name, algebra: shownPart(showAlgebra(tree))}))}
}
