/**
 * Explains a query: its algebra after each pass, the SQL, PostgreSQL's plan, and the time of each stage.
 *
 * The query is planned. It runs only if the request asks for measurements. The usual limits of queries apply.
 */
import {type Stopwatch, startStopwatch} from '../base/stopwatch.ts'
import {explainRows, settle} from '../db/query/rows.ts'
import type {Iri} from '../rdf/term.ts'
import type {Algebra, Dataset} from '../sparql/algebra.ts'
import {inlineConstantsOf} from '../sparql/analyse/constants.ts'
import {longText, type PrepareOptions, prepareQuery} from '../sparql/compile.ts'
import {checkLength, defaultLimits} from '../sparql/parse/limits.ts'
import {showAlgebra} from '../sparql/print/show.ts'
import type {Explanation} from './explanation.ts'
import {frequenciesOf} from './frequencies.ts'
import {compileIn, type QueryStore} from './plans.ts'
import {limitTold, withServices} from './run.ts'
import type {Federate} from './running.ts'
import type {PreparedText} from './thread-work.ts'

export type ExplainRequest = {
  readonly text: string
  readonly base: Iri // the request's URL
  readonly dataset?: Dataset // from the protocol's parameters
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
export async function explainQuery(
  store: QueryStore,
  request: ExplainRequest,
  federate?: Federate,
): Promise<Explanation> {
  const {database, schema, timeoutMs} = store
  const {isMeasured, planForm: form, signal, requestId} = request
  const watch = startStopwatch()
  const {prepared, passes} = await prepareExplained(store, request, watch)
  const work = database.begin('repeatable read read only', async transaction => {
    await settle(transaction, schema, {timeoutMs, requestId})
    watch.lap('connect')
    const complete = await withServices(transaction, prepared, {watch, federate})
    const answered = complete === prepared ? [] : [{name: 'services', algebra: showAlgebra(complete.query.pattern)}]
    const compiled = await compileIn(store, transaction, complete, watch)
    const {text: sql, parameters, columns, idOf, localKeys, isWalked} = compiled
    const {texts} = await frequenciesOf(store, transaction)
    const textIndex = compiled.isSearched ? 'used' : texts === undefined ? 'absent' : 'unused'
    const options = {form, isMeasured, ...(signal === undefined ? {} : {signal})}
    const plan = await explainRows(transaction, {text: sql, parameters, isWalked}, options)
    watch.lap('explain')
    const asked = [...complete.constants.values()].map(term => {
      const id = idOf(term)
      return {term, id, held: localKeys.has(id) ? ('absent' as const) : ('dictionary' as const)}
    })
    const inline = Array.from(inlineConstantsOf(compiled.query), ([id, term]) => ({term, id, held: 'inline' as const}))
    const shown = {constants: [...asked, ...inline], passes: [...passes, ...answered]}
    return {sql, parameters, columns, textIndex, plan, ...shown} as const
  })
  const found = await work.catch((error: unknown) => {
    throw limitTold(error, timeoutMs)
  })
  return {form: prepared.query.form, base: prepared.query.base, isMeasured, stages: watch.stages, ...found}
}

/** Prepares a query and prints its algebra after each pass. Long queries are prepared in a thread. */
async function prepareExplained(
  {limits, threads}: QueryStore,
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
  return {prepared, passes: trees.map(({name, tree}) => ({name, algebra: showAlgebra(tree)}))}
}
