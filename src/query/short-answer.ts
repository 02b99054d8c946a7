/**
 * Reads the whole answer of a query with one statement, if a short answer is expected.
 *
 * One round trip checks that the plan is still valid and reads the rows. If the text is new, it also reads the terms of
 * the rows, unless they are many. Later answers usually have cached terms. Terms that are still missing are looked up
 * afterwards, outside the snapshot. If terms have been renamed meanwhile, the query is read again.
 */
import {Problem} from '../base/problem.ts'
import type {Transaction} from '../db/connection/pool.ts'
import {endedTransaction} from '../db/connection/transaction.ts'
import {areCommon, stateText} from '../db/query/facts.ts'
import {type FoundTerms, findTerms, type IdRow} from '../db/query/rows.ts'
import {
  constantText,
  readShortAnswer,
  type ShortAnswer,
  type ShortStatement,
  storedIdText,
  termsOf,
  termsPlace,
  termsText,
} from '../db/query/short-answer.ts'
import {kindOfId} from '../rdf/id-layout.ts'
import {namedNode} from '../rdf/term.ts'
import {termKey} from '../rdf/term-key.ts'
import {mostSolutions} from '../sparql/analyse/most-solutions.ts'
import {markerOf, withParameters} from '../sparql/lift.ts'
import {gatherText} from '../sparql/print/gather.ts'
import {type Decoder, decoderOf} from './decode.ts'
import {rememberIds} from './facts.ts'
import {heldLimitsOf} from './held-limits.ts'
import {oneBatch} from './peek.ts'
import {namesAt, type Plan} from './plan-cache.ts'
import {conditionsOf, forgetPlan, rememberLength, rowLimitOf} from './plans.ts'
import {hasUnknown} from './shared-plans.ts'
import type {QueryRun} from './state.ts'

const bytesMax = 2 ** 20 // of the answer's terms

/** All rows of an answer, with their terms loaded. */
export type ShortRows = {
  readonly transaction: Transaction // ended
  readonly decoder: Decoder
  readonly whole: readonly IdRow[]
  readonly batches: AsyncIterable<readonly IdRow[]> // the same
}

/** @returns  'stale' if the plan is no longer valid; 'long' if the answer is too long */
export async function readShort(run: QueryRun, plan: Plan): Promise<ShortRows | 'stale' | 'long'> {
  const {server, after, signal} = run.request
  const {compiled} = plan
  const reps = compiled.columns.map(({rep}) => rep)
  const {parameters, isWalked, isMemoized} = compiled
  const hasTerms = plan.length === undefined
  const conditions = conditionsOf(run, plan)
  const state = areCommon(conditions.facts) ? undefined : stateText
  const statement = {
    parameters,
    isWalked,
    isMemoized,
    hasTerms,
    ...gathered(plan, reps, {schema: run.process.schema, state}),
  }
  const how = {after, signal, limitBytes: heldLimitsOf(run.process).bytes}
  const answer = await readShortAnswer(server, conditions, statement, how).catch(longIfTooLong)
  if (answer === undefined) return 'stale'
  const transaction = endedTransaction()
  const decoder = decoderOf(run, plan, transaction, run.request.termText)
  if (answer !== 'long' && hasUnknown(plan)) learnConstants(run, plan, answer)
  const isFew = answer !== 'long' && answer.solutions <= rowLimitOf(compiled)
  const loaded = isFew ? await load(run, plan, {decoder, answer}) : 'long'
  if (loaded === 'stale') return 'stale'
  rememberLength(plan, loaded === 'loaded' ? 'short' : 'long')
  if (answer === 'long' || loaded === 'long') return 'long'
  const whole = rowsOf(answer, reps)
  return {transaction, decoder, whole, batches: oneBatch(whole)}
}

/** The statement of a short answer. Its text is kept, because it identifies a prepared statement. */
function gathered(
  plan: Plan,
  reps: readonly ('id' | 'key')[],
  {schema, state}: {readonly schema: string; readonly state: string | undefined},
): Pick<ShortStatement, 'text' | 'constants'> {
  const {compiled, shared} = plan
  const {form, pattern} = compiled.query
  const rowLimit = rowLimitOf(compiled)
  const isBounded = form === 'ask' || (form === 'select' && mostSolutions(pattern) <= rowLimit)
  const place = termsPlace(compiled.parameters)
  const textFor = (text: string, constants: readonly string[] = []) =>
    gatherText(text, {reps, rowLimit, isBounded, termsOf: ids => termsText(schema, ids, place), constants, state})
  if (shared === undefined) {
    plan.gathered ??= textFor(compiled.text)
    return {text: plan.gathered, constants: []}
  }
  const constantIds = () => shared.keys.map((key, index) => storedIdText(`${markerOf(key, index)}::int8`))
  shared.plan.gathered ??= withParameters(textFor(shared.plan.compiled.text, constantIds()), index =>
    constantText(schema, place + 1 + 2 * index),
  )
  const {text, order} = shared.plan.gathered ?? {text: textFor(compiled.text), order: []}
  const constants = order.map(index => ({key: shared.keys[index] ?? '', id: shared.ids[index]}))
  return {text, constants}
}

/**
 * Remembers the ids of constants that the statement looked up. The plan is forgotten: the next one of this text has the
 * ids as parameters. A look-up costs as much as a short query.
 */
function learnConstants({process, query}: QueryRun, plan: Plan, {constants}: ShortAnswer): void {
  const {keys = [], ids = []} = plan.shared ?? {}
  const learnt = new Map(
    keys.flatMap((key, index): [string, string][] => {
      const id = ids[index] === undefined ? constants?.[index] : undefined
      return id == null ? [] : [[key, id]]
    }),
  )
  const names = namesAt(process.cache, plan.facts.names)
  rememberIds(names, learnt)
  if ([...learnt.keys()].some(key => names.ids.get(key) !== undefined)) forgetPlan(query, plan)
}

/** Returns 'long' for an answer that does not fit into memory, because a cursor can read it in pieces. */
function longIfTooLong(error: unknown): 'long' {
  if (error instanceof Problem && error.rule === 'result-size') return 'long'
  throw error
}

/**
 * Loads the terms.
 *
 * @returns  'long' if some are too long: the cursor reads or rejects that answer; 'stale' if terms were renamed
 */
async function load(
  {process, request}: QueryRun,
  {facts}: Plan,
  {decoder, answer}: {readonly decoder: Decoder; readonly answer: ShortAnswer},
): Promise<'loaded' | 'long' | 'stale'> {
  const {ids} = answer
  const read = termsOf(answer, facts.names)
  const missing = decoder.take(ids ?? [], read)
  rememberIds(namesAt(process.cache, facts.names), irisOf(read))
  if (missing.size === 0) return 'loaded'
  const limitBytes = Math.min(bytesMax, heldLimitsOf(process).bytes)
  const found = await findTerms(request.server, process.schema, [...missing], limitBytes)
  if (found.names !== facts.names) return 'stale'
  rememberIds(namesAt(process.cache, found.names), irisOf(found))
  return decoder.take(ids ?? [], found).size === 0 ? 'loaded' : 'long'
}

/** Ids of IRIs by key, to cache: the next query is often about an IRI of this answer. */
function irisOf({ids, texts}: FoundTerms): ReadonlyMap<string, string> {
  const iris = new Map<string, string>()
  for (const [at, id] of ids.entries()) if (kindOfId(id) === 'iri') iris.set(termKey(namedNode(texts[at] ?? '')), id)
  return iris
}

/** Turns columns into rows. */
function rowsOf({solutions: count, ids, keys}: ShortAnswer, reps: readonly ('id' | 'key')[]): readonly IdRow[] {
  const idColumns = reps.filter(rep => rep === 'id').map((_, at) => (ids ?? []).slice(at * count, (at + 1) * count))
  const remaining = {id: idColumns.values(), key: (keys ?? []).values()}
  const columns = reps.length === 0 ? (keys ?? []) : reps.map(rep => remaining[rep].next().value ?? [])
  return Array.from({length: count}, (_, row) => columns.map(column => column[row] ?? null))
}
