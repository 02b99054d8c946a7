/**
 * Reads the whole answer of a query with one statement, if a short answer is expected.
 *
 * One round trip checks that the plan is still valid and reads the rows. Terms that are not cached are looked up
 * afterwards, outside the snapshot, which is safe because the term of an id never changes.
 */
import {Problem} from '../base/problem.ts'
import {endedTransaction} from '../db/connection/transaction.ts'
import {type FoundTerms, findTerms, type IdRow, noTerms} from '../db/query/rows.ts'
import {readShortAnswer, type ShortAnswer} from '../db/query/short-answer.ts'
import {kindOfId} from '../rdf/id-layout.ts'
import {namedNode} from '../rdf/term.ts'
import {termKey} from '../rdf/term-key.ts'
import type {CompiledQuery, PreparedQuery} from '../sparql/compile.ts'
import {gatherText} from '../sparql/print/gather.ts'
import {rememberIds} from './fact-memory.ts'
import {lengthOf, noteLength, type Plan, type QueryStore, rowLimit} from './plans.ts'
import {conditionsOf, heldLimits, type RunningQuery, type RunOptions, runningOf} from './running.ts'

const bytesMax = 2 ** 20 // of the answer's terms

/** @returns  'stale' if the plan is no longer valid; 'long' if the answer is too long or needs more than its rows */
export async function readShort(
  store: QueryStore,
  prepared: PreparedQuery,
  plan: Plan,
  options: RunOptions,
): Promise<RunningQuery | 'stale' | 'long'> {
  const {signal, after, server = store.database, isAlone} = options
  const {compiled} = plan
  if (lengthOf(compiled) === 'long' || isAlone?.(compiled) !== true) return 'long'
  const reps = compiled.columns.map(({rep}) => rep)
  const {parameters, isWalked} = compiled
  const statement = {text: textOf(compiled, reps), parameters, isWalked}
  const how = {after, limitBytes: heldLimits(store).bytes, ...(signal === undefined ? {} : {signal})}
  const conditions = conditionsOf(store, prepared, plan, options)
  const answer = await readShortAnswer(server, conditions, statement, how).catch(longIfTooLong)
  if (answer === undefined) return 'stale'
  const running = runningOf(store, compiled, endedTransaction(), signal)
  const isShort = answer !== 'long' && answer.solutions <= rowLimit && (await loaded(running, answer, store, options))
  noteLength(compiled, isShort ? 'short' : 'long')
  return isShort ? {...running, batches: once(rowsOf(answer, reps))} : 'long'
}

/** Returns 'long' for an answer that does not fit into memory, because a cursor can read it in pieces. */
function longIfTooLong(error: unknown): 'long' {
  if (error instanceof Problem && error.rule === 'result-size') return 'long'
  throw error
}

/** Statements by compiled query. The driver identifies a prepared statement by its text, so each is made once. */
const texts = new WeakMap<CompiledQuery, string>()

function textOf(compiled: CompiledQuery, reps: readonly ('id' | 'key')[]): string {
  const known = texts.get(compiled)
  if (known !== undefined) return known
  const text = gatherText(compiled.text, reps, rowLimit)
  texts.set(compiled, text)
  return text
}

/** Loads the terms. Returns false if some are too long: the cursor reads or rejects that answer. */
async function loaded(
  {decoder}: Omit<RunningQuery, 'batches'>,
  {ids}: ShortAnswer,
  store: QueryStore,
  {server = store.database}: RunOptions,
): Promise<boolean> {
  const missing = decoder.take(ids ?? [], noTerms)
  if (missing.size === 0) return true
  const limitBytes = Math.min(bytesMax, heldLimits(store).bytes)
  const found = await findTerms(server, store.schema, [...missing], limitBytes)
  rememberIds(store, irisOf(found))
  return decoder.take(ids ?? [], found).size === 0
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

async function* once<Item>(item: Item) {
  yield item
}
