/**
 * Opens the rows of a query: by one statement if a short answer is expected, otherwise by a cursor in a snapshot that
 * stays open until the rows are closed.
 *
 * It does not depend on the query form. answer.ts makes the answer from the rows.
 */
import {Problem} from '../base/problem.ts'
import type {Snapshot, Transaction} from '../db/connection/pool.ts'
import {databaseCodeOf} from '../db/connection/problem-of.ts'
import {type IdRow, lengthOf, readRows, readRowsIf, settle} from '../db/query/rows.ts'
import {hasService} from '../sparql/analyse/services.ts'
import {type CompiledQuery, withConstants} from '../sparql/compile.ts'
import {type Decoder, decoderOf} from './decode.ts'
import {answerServices} from './federate.ts'
import {heldLimitsOf} from './held-limits.ts'
import {peek} from './peek.ts'
import type {Plan} from './plan-cache.ts'
import {conditionsOf, lengthOfAnswer, planIn, rememberLength, rowLimitOf, statementOf, uncached} from './plans.ts'
import {hasUnknown} from './shared-plans.ts'
import {readShort} from './short-answer.ts'
import type {QueryRun} from './state.ts'

/** The rows of a query. Whoever opens them must close them. */
export type OpenRows = {
  readonly compiled: CompiledQuery
  readonly transaction: Transaction // for further reads in the same snapshot; ended if one statement read all rows
  readonly decoder: Decoder
  readonly batches: AsyncIterable<readonly IdRow[]>
  readonly whole?: readonly IdRow[] // all rows, if one statement read them; their terms are loaded
  readonly close: () => void
}

const batchRows = 1000
const lengthLimit = 2 ** 20 // characters of an answer that one statement returns as a whole

/**
 * Opens the rows of a query and waits for the first of them, so errors before these are thrown here.
 *
 * @param plan     undefined: the query is planned in the snapshot, after its SERVICE patterns were evaluated
 * @param isAlone  whether an answer needs nothing but its rows and their terms
 * @throws         Problem 403 `federation-disabled`, 499 `client-gone`, those of federate.ts
 */
export async function openRows(
  run: QueryRun,
  plan: Plan | undefined,
  isAlone: (compiled: CompiledQuery) => boolean,
): Promise<OpenRows> {
  if (plan === undefined) return openCursor(run, undefined)
  const isShort = lengthOfAnswer(plan) === 'short' && isAlone(plan.compiled)
  const answer = isShort ? await readShort(run, plan) : 'long'
  if (typeof answer === 'object') return {compiled: plan.compiled, close: () => undefined, ...answer}
  return openCursor(run, answer === 'long' && !hasUnknown(plan) ? plan : undefined)
}

/** Opens a snapshot and a cursor in it. A plan that is out of date is made again in the snapshot. */
async function openCursor(run: QueryRun, plan: Plan | undefined): Promise<OpenRows> {
  const {server, after, signal} = run.request
  const isKnownLong = plan !== undefined && lengthOfAnswer(plan) === 'long'
  const snapshot = await server.openSnapshot({after, share: isKnownLong ? 'long' : 'query'})
  try {
    if (signal?.aborted) throw new Problem(499, 'client-gone', 'The client went away before its query began.')
    const rows = (plan && (await readIfValid(run, plan, snapshot))) ?? (await planAndRead(run, snapshot, plan))
    const batches = await peek(measured(rows.plan, rows.batches))
    const {compiled} = rows.plan
    const decoder = decoderOf(run, rows.plan, snapshot)
    return {compiled, transaction: snapshot, decoder, batches, close: snapshot.close}
  } catch (error) {
    snapshot.close()
    throw error
  }
}

type PlannedRows = {readonly plan: Plan; readonly batches: AsyncIterable<readonly IdRow[]>}

/** @returns  undefined if the facts of the plan do not hold in the snapshot */
async function readIfValid(run: QueryRun, plan: Plan, snapshot: Snapshot): Promise<PlannedRows | undefined> {
  const batches = await readRowsIf(snapshot, conditionsOf(run, plan), statementOf(plan.compiled), reading(run))
  return batches && {plan, batches}
}

/** @param tried  a plan that is out of date, with which the conditions of the snapshot were settled */
async function planAndRead(run: QueryRun, snapshot: Snapshot, tried: Plan | undefined): Promise<PlannedRows> {
  const {process, request} = run
  const {schema, timeoutMs} = process
  const {requestId} = request
  const settled = tried === undefined ? settle(snapshot, schema, {timeoutMs, requestId}) : Promise.resolve()
  const settling = settled.then(() => request.watch.lap('connect'))
  const planning = withServices(run, snapshot).then(complete => planIn(complete, snapshot))
  const [, plan] = await Promise.all([settling, planning])
  return {plan, batches: readRows(snapshot, schema, statementOf(plan.compiled), reading(run))}
}

export function reading({process, request: {signal}}: QueryRun) {
  return {batchRows, limitBytes: heldLimitsOf(process).bytes, signal}
}

/** Passes batches on, counts their rows, and records whether they are few and short. */
async function* measured(plan: Plan, batches: AsyncIterable<readonly IdRow[]>) {
  const hasKeys = plan.compiled.columns.some(({rep}) => rep === 'key')
  let [count, length] = [0, 0]
  const most = rowLimitOf(plan.compiled)
  const isShort = () => count <= most && length <= lengthLimit
  for await (const rows of batches) {
    count += rows.length
    if (hasKeys) length += lengthOf(rows)
    if (!isShort()) rememberLength(plan, 'long')
    else if (rows.length < batchRows) rememberLength(plan, 'short') // now, because the consumer may stop here
    yield rows
  }
  if (isShort()) rememberLength(plan, 'short')
}

/** Replaces SERVICE patterns by their solutions (stage `services`). Returns a query without SERVICE unchanged. */
export async function withServices(run: QueryRun, snapshot: Transaction): Promise<QueryRun> {
  const {query, isLong} = run.query.prepared
  const {federation} = run.process
  if (federation === undefined || !hasService(query.pattern)) return run
  const complete = withConstants(await answerServices({run, federation, transaction: snapshot}), isLong)
  run.request.watch.lap('services')
  return {...run, query: uncached(complete)}
}

/**
 * The error of a statement that reached its time limit, with the limit of queries instead of the pool's. A second try
 * may take as long, so Retry-After is the time of one try: a client that obeys uses a connection half the time at most.
 */
export function asQueryTimeout(error: unknown, limitMs: number): unknown {
  if (!(error instanceof Problem) || databaseCodeOf(error) !== '57014') return error
  const message = `The query was given up: it reached the limit of ${limitMs} ms.`
  const headers = {'Retry-After': String(Math.max(1, Math.ceil(limitMs / 1000)))}
  return new Problem(503, 'query-timeout', message, {members: {limitMs}, headers, cause: error})
}
