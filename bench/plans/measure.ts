/**
 * Measures one query with the chosen plan and with alternatives. Each is stopped when it takes longer than the best so
 * far.
 *
 * Times are PostgreSQL's execution times, without sending the rows, so they depend on the plan only.
 */
import {Problem} from '../../src/base/problem.ts'
import type {Database, Transaction} from '../../src/db/connection/pool.ts'
import type {StoredFrequencies} from '../../src/db/query/frequencies.ts'
import {plannedText, settle} from '../../src/db/query/rows.ts'
import {findFacts, optionsFor} from '../../src/query/plans.ts'
import {type CompiledQuery, compileQuery, type PreparedQuery, prepareQuery} from '../../src/sparql/compile.ts'
import {base} from '../../test/plans/kinds.ts'
import {testSchema as schema} from '../../test/support/postgres.ts'
import {type Alternative, alternatives, chosen} from './alternatives.ts'
import {type SharedStatement, sharedStatement} from './shared.ts'

export type PlanNode = {
  readonly 'Node Type': string
  readonly 'Plan Rows': number
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly PlanNode[]
}

export type Run = {readonly ms: number; readonly rows: number; readonly plan: PlanNode}

export type Measured = {
  readonly ours: number // ms; the limit if it was reached
  readonly best: number // ms
  readonly regret: number
  readonly winner: string
  readonly rows: number | undefined // undefined: the limit was reached
  readonly sql: string
  readonly isShared: boolean // whether ours is a plan that queries of one shape share
}

export type MeasureOptions = {
  readonly database: Database
  readonly frequencies: StoredFrequencies
  readonly limitMs: number // for each run
  readonly isSecond?: boolean // other queries of its shape ran before it, so it runs with the plan that these share
}

const floorMs = 1 // added to both sides of a ratio, because shorter times are noise
const slackMs = 100 // for planning, and for load on the machine
const repeats = 3

/** @returns  undefined if no plan answers within the limit */
export async function measure(text: string, options: MeasureOptions): Promise<Measured | undefined> {
  const {compile, shared} = await compiler(text, options)
  const compiled = compile(chosen)
  const isShared = options.isSecond === true && shared !== undefined
  const runOurs = () =>
    isShared
      ? runRepeatedly(() => explainShared(shared, options))
      : runAlternative(compiled, chosen, options, options.limitMs)
  const first = await runOurs()
  let [best, winner] = [first?.ms ?? options.limitMs, 'ours']
  const tried = new Set(isShared ? [] : [keyOf(compiled, chosen)])
  for (const alternative of isShared ? [chosen, ...alternatives] : alternatives) {
    const other = compile(alternative)
    const key = keyOf(other, alternative)
    if (tried.has(key)) continue
    tried.add(key)
    const found = await runAlternative(other, alternative, options, Math.ceil(best) + slackMs)
    if (found !== undefined && found.ms < best)
      [best, winner] = [found.ms, alternative === chosen ? 'not shared' : alternative.name]
  }
  if (winner === 'ours' && first === undefined) return undefined
  // Measured again, because the caches are warm for all plans now.
  const again = first && (await runOurs())
  const ours = Math.min(first?.ms ?? options.limitMs, again?.ms ?? options.limitMs)
  best = Math.min(best, ours)
  const regret = (ours + floorMs) / (best + floorMs)
  return {ours, best, regret, winner: best === ours ? 'ours' : winner, rows: first?.rows, sql: compiled.text, isShared}
}

function keyOf({text}: CompiledQuery, {settings, isFree}: Alternative): string {
  return JSON.stringify([text, isFree && text.includes(fence) ? 'free' : '', settings])
}

type Compiler = {
  readonly compile: (alternative: Alternative) => CompiledQuery
  readonly shared: SharedStatement | undefined
}

async function compiler(text: string, {database, frequencies}: MeasureOptions): Promise<Compiler> {
  const prepared: PreparedQuery = prepareQuery(text, base)
  const facts = await findFacts(database, schema, {keys: [...prepared.constants.keys()], valued: prepared.valued})
  const options = optionsFor(schema, {facts, frequencies})
  return {
    compile: ({forced}) => compileQuery(prepared, {...options, now: new Date(0).toISOString(), forced}),
    shared: sharedStatement(prepared, {facts, frequencies}),
  }
}

function runAlternative(compiled: CompiledQuery, alternative: Alternative, options: MeasureOptions, limitMs: number) {
  return runRepeatedly(() => explain(compiled, alternative, options, {isMeasured: true, limitMs}))
}

/** The minimum of several runs, fewer for a slow query; undefined if the first exceeds the limit. */
async function runRepeatedly(explainOnce: () => Promise<Run>): Promise<Run | undefined> {
  let best: Run | undefined
  for (let count = 0; count < repeats; count += 1) {
    try {
      const run = await explainOnce()
      if (best === undefined || run.ms < best.ms) best = run
      if (run.ms > 500) break
    } catch (error) {
      if (!(error instanceof Problem) || error.rule !== 'query-timeout') throw error
      return best
    }
  }
  return best
}

const fence = ' offset 0)'

function explain(
  {text, parameters, isWalked}: CompiledQuery,
  {settings, isFree}: Alternative,
  {database}: MeasureOptions,
  {isMeasured, limitMs}: {readonly isMeasured: boolean; readonly limitMs: number},
): Promise<Run> {
  return database.begin('repeatable read read only', async transaction => {
    await settle(transaction, schema, {timeoutMs: 0, requestId: undefined})
    await transaction.query(`select ${plannedText('$1')}`, [isWalked])
    // The limit is set last, so that it does not include the statements before the query.
    await set(transaction, {...settings, statement_timeout: String(limitMs)})
    const sql = isFree ? text.replaceAll(fence, ')') : text
    return explained(transaction, `${isMeasured ? measuring : 'explain (format json)'} ${sql}`, parameters)
  })
}

const measuring = 'explain (format json, analyze, timing off)'

/** Runs a shared plan with the constants of the query, by PostgreSQL's plan for any constants. */
function explainShared(
  {text, types, values, isWalked}: SharedStatement,
  {database, limitMs}: MeasureOptions,
): Promise<Run> {
  return database.begin('repeatable read read only', async transaction => {
    await settle(transaction, schema, {timeoutMs: 0, requestId: undefined})
    await transaction.query(`select ${plannedText('$1')}`, [isWalked])
    await transaction.script(`prepare shared (${types}) as ${text}`)
    try {
      await set(transaction, {plan_cache_mode: 'force_generic_plan', statement_timeout: String(limitMs)})
      return await explained(transaction, `${measuring} execute shared (${values})`)
    } finally {
      await transaction.script('deallocate shared').catch(() => undefined) // after an error the rollback is enough
    }
  })
}

async function explained(transaction: Transaction, text: string, parameters: readonly string[] = []): Promise<Run> {
  const values = parameters.length === 0 ? [] : [parameters]
  const [row] = await transaction.query<{'QUERY PLAN': readonly [Explained]}>(text, values, {once: true})
  const [{Plan: plan, 'Execution Time': ms = 0}] = row?.['QUERY PLAN'] ?? [missing()]
  return {ms, rows: plan['Actual Rows'], plan}
}

type Explained = {readonly Plan: PlanNode; readonly 'Execution Time'?: number}

function missing(): never {
  throw new Error('PostgreSQL explained nothing')
}

async function set(transaction: Transaction, settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await transaction.query('select set_config($1, $2, true)', [name, value])
}
