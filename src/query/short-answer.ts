/**
 * The whole answer of a query by one statement, where it was short when it was asked for last.
 *
 * Floor 4. One round trip: whether the plan is right still, the rows, and their terms. Terms that were all kept the
 * last time are not asked for. When some are missing then, they are found a moment later, outside the snapshot; an id
 * never means another term.
 */
import {Problem} from '../base/problem.ts'
import {findTerms, type IdRow} from '../db/rows.ts'
import {readShortAnswer, type ShortAnswer, shortText} from '../db/short-answer.ts'
import {endedTransaction} from '../db/transaction.ts'
import type {CompiledQuery, PreparedQuery} from '../sparql/compile.ts'
import {gatherText} from '../sparql/gather.ts'
import {lengthOf, noteLength, type Plan, type QueryStore} from './plans.ts'
import {conditionsOf, heldLimits, type RunningQuery, type RunOptions, rowLimit, runningOf} from './running.ts'

const bytesMax = 2 ** 20 // of its terms

/** @returns  'stale' when the plan is not right any more; 'long' when the answer is not short, or not alone */
export async function readShort(
  store: QueryStore,
  prepared: PreparedQuery,
  plan: Plan,
  options: RunOptions,
): Promise<RunningQuery | 'stale' | 'long'> {
  const {signal, after, server = store.database, isAlone} = options
  const {compiled} = plan
  const expected = lengthOf(compiled)
  if (expected === 'long' || isAlone?.(compiled) !== true) return 'long'
  const reps = compiled.columns.map(({rep}) => rep)
  const {parameters, isWalked} = compiled
  const limitBytes = expected === 'kept' ? 0 : termBytes(store)
  const statement = {text: textOf(compiled, store.schema), parameters, isWalked, limitBytes}
  const how = {after, limitBytes: heldLimits(store).bytes, ...(signal === undefined ? {} : {signal})}
  const conditions = conditionsOf(store, prepared, plan, options)
  const answer = await readShortAnswer(server, conditions, statement, how).catch(longIfTooLong)
  if (answer === 'stale') return answer
  const running = runningOf(store, compiled, endedTransaction(), signal)
  if (answer !== 'long' && (await loaded(running, answer, store, options)))
    return {...running, batches: once(rowsOf(answer, reps))}
  noteLength(compiled, 'long')
  return 'long'
}

/** What is too long to be told at once may come in pieces. */
function longIfTooLong(error: unknown): 'long' {
  if (error instanceof Problem && error.rule === 'result-size') return 'long'
  throw error
}

/** Made once: the driver knows a statement that stays prepared by its text. */
const texts = new WeakMap<CompiledQuery, string>()

function textOf(compiled: CompiledQuery, schema: string): string {
  const known = texts.get(compiled)
  if (known !== undefined) return known
  const reps = compiled.columns.map(({rep}) => rep)
  const text = shortText(schema, gatherText(compiled.text, reps, rowLimit), rowLimit)
  texts.set(compiled, text)
  return text
}

/** How long the terms may be together; longer ones, too, are the cursor's to answer, or to refuse. */
function termBytes(store: QueryStore): number {
  return Math.min(bytesMax, heldLimits(store).bytes)
}

/** Makes the terms ready. Returns whether none is missing. */
async function loaded(
  {compiled, decoder}: Omit<RunningQuery, 'batches'>,
  {ids, terms}: ShortAnswer,
  store: QueryStore,
  {server = store.database}: RunOptions,
): Promise<boolean> {
  const {missing, wasKept} = decoder.take(ids, terms)
  noteLength(compiled, wasKept ? 'kept' : 'short')
  if (missing.size === 0) return true
  return decoder.take(ids, await findTerms(server, store.schema, [...missing], termBytes(store))).missing.size === 0
}

/** Columns to rows. */
function rowsOf({count, ids, keys}: ShortAnswer, reps: readonly ('id' | 'key')[]): readonly IdRow[] {
  const idColumns = reps.filter(rep => rep === 'id').map((_, at) => ids.slice(at * count, (at + 1) * count))
  const remaining = {id: idColumns.values(), key: keys.values()}
  const columns = reps.length === 0 ? keys : reps.map(rep => remaining[rep].next().value ?? [])
  return Array.from({length: count}, (_, row) => columns.map(column => column[row] ?? null))
}

async function* once<Item>(item: Item) {
  yield item
}
