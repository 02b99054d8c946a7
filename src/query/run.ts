/**
 * Runs a query: looks up constants, plans, and reads rows, in one snapshot that lasts until the last row is read.
 *
 * It does not depend on the query form. answer.ts makes the answer from the rows.
 */
import {Problem} from '../base/problem.ts'
import type {Transaction} from '../db/connection/pool.ts'
import {databaseCodeOf} from '../db/connection/problem-of.ts'
import {readOnly} from '../db/connection/transaction.ts'
import {type IdRow, lengthOf, readRows, readRowsIf, type Statement, settle} from '../db/query/rows.ts'
import {hasService} from '../sparql/analyse/services.ts'
import {type CompiledQuery, type PreparedQuery, withConstants} from '../sparql/compile.ts'
import {
  compileIn,
  lengthOf as lengthOfAnswer,
  noteLength,
  type Plan,
  planAhead,
  type QueryStore,
  rowLimit,
} from './plans.ts'
import {conditionsOf, heldLimits, type RunningQuery, type RunOptions, runningOf} from './running.ts'
import {readShort} from './short-answer.ts'

const batchRows = 1000
const lengthLimit = 2 ** 20 // characters of an answer that one statement returns as a whole

/**
 * Runs a query. If its last answer was short, or a short one is expected, one statement reads all rows and nothing else
 * can be read in its snapshot. Other queries use a cursor.
 *
 * @param use  consumes the rows; the transaction ends when it resolves
 * @throws     Problem 403 `federation-disabled`, 503 `query-timeout`
 */
export async function runQuery<Result>(
  store: QueryStore,
  prepared: PreparedQuery,
  options: RunOptions,
  use: (running: RunningQuery) => Promise<Result>,
): Promise<Result> {
  try {
    const {server = store.database, watch} = options
    const plan = await planAhead(store, server, prepared, watch)
    const answer = plan === undefined ? 'long' : await readShort(store, prepared, plan, options)
    if (typeof answer === 'object') return await use(answer)
    return await runByCursor(store, prepared, options, {plan: answer === 'long' ? plan : undefined, use})
  } catch (error) {
    throw limitTold(error, store.timeoutMs)
  }
}

function runByCursor<Result>(
  store: QueryStore,
  prepared: PreparedQuery,
  options: RunOptions,
  {plan, use}: {readonly plan: Plan | undefined; readonly use: (running: RunningQuery) => Promise<Result>},
): Promise<Result> {
  const {signal, watch, requestId, federate, server = store.database, after} = options
  const {schema, timeoutMs} = store
  const limitBytes = heldLimits(store).bytes
  const reading = {batchRows, limitBytes, ...(signal === undefined ? {} : {signal})}
  const answered = async (transaction: Transaction) => {
    if (signal?.aborted) throw new Problem(499, 'client-gone', 'The client went away before its query began.')
    const useRows = (compiled: CompiledQuery, batches: AsyncIterable<readonly IdRow[]>) =>
      use({...runningOf(store, compiled, transaction, signal), batches: measured(compiled, batches)})
    if (plan !== undefined) {
      const conditions = conditionsOf(store, prepared, plan, options)
      const batches = await readRowsIf(transaction, conditions, statementOf(plan.compiled), reading)
      if (batches !== undefined) return useRows(plan.compiled, batches)
    }
    const isSettled = plan !== undefined // the attempt above has settled the plan
    const settled = isSettled ? Promise.resolve() : settle(transaction, schema, {timeoutMs, requestId})
    const settling = settled.then(() => watch.lap('connect'))
    const compiling = withServices(transaction, prepared, {watch, federate}).then(complete =>
      compileIn(store, transaction, complete, watch),
    )
    const [, compiled] = await Promise.all([settling, compiling])
    return useRows(compiled, readRows(transaction, schema, statementOf(compiled), reading))
  }
  const isKnownLong = plan !== undefined && lengthOfAnswer(plan.compiled) === 'long'
  return readOnly(server, answered, {after, share: isKnownLong ? 'long' : 'query'})
}

/** Passes batches on, counts their rows, and records whether they are few and short. */
async function* measured(compiled: CompiledQuery, batches: AsyncIterable<readonly IdRow[]>) {
  const hasKeys = compiled.columns.some(({rep}) => rep === 'key')
  let [count, length] = [0, 0]
  const isShort = () => count <= rowLimit && length <= lengthLimit
  for await (const rows of batches) {
    count += rows.length
    if (hasKeys) length += lengthOf(rows)
    if (!isShort()) noteLength(compiled, 'long')
    else if (rows.length < batchRows) noteLength(compiled, 'short') // now, because the consumer may stop here
    yield rows
  }
  if (isShort()) noteLength(compiled, 'short')
}

export function statementOf({text, parameters, isWalked, columns}: CompiledQuery): Statement {
  const hasKeys = columns.some(({rep}) => rep === 'key')
  return {text, parameters, isWalked, columnCount: Math.max(1, columns.length), hasKeys}
}

/** Replaces SERVICE patterns by their solutions (stage `services`). Returns a query without SERVICE unchanged. */
export async function withServices(
  transaction: Transaction,
  prepared: PreparedQuery,
  {watch, federate}: Omit<RunOptions, 'signal'>,
): Promise<PreparedQuery> {
  if (federate === undefined || !hasService(prepared.query.pattern)) return prepared
  const complete = withConstants(await federate(prepared.query, transaction), prepared.isLong)
  watch.lap('services')
  return complete
}

/**
 * The error of a statement that reached its time limit, with the limit of queries instead of the pool's. A second try
 * may take as long, so Retry-After is the time of one try: a client that obeys uses a connection half the time at most.
 */
export function limitTold(error: unknown, limitMs: number): unknown {
  if (!(error instanceof Problem) || databaseCodeOf(error) !== '57014') return error
  const message = `The query was given up: it reached the limit of ${limitMs} ms.`
  const headers = {'Retry-After': String(Math.max(1, Math.ceil(limitMs / 1000)))}
  return new Problem(503, 'query-timeout', message, {members: {limitMs}, headers, cause: error})
}
