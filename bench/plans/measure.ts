/**
 * Measures one query with the chosen plan and with alternatives. Each is stopped when it takes longer than the best so
 * far.
 *
 * Times are PostgreSQL's execution times, without sending the rows, or the processor time of the backend if that is
 * less. So they depend on the plan only, also on a machine with other work.
 */
import {Problem} from '../../src/base/problem.ts'
import type {Database, Transaction} from '../../src/db/connection/pool.ts'
import type {StoredFrequencies} from '../../src/db/query/frequencies.ts'
import {plannedText, settle} from '../../src/db/query/rows.ts'
import {askedFor} from '../../src/query/facts.ts'
import {sampleJoins} from '../../src/query/join-samples.ts'
import {findFacts, optionsFor} from '../../src/query/plans.ts'
import {type CompiledQuery, compileQuery, type PreparedQuery, prepareQuery} from '../../src/sparql/compile.ts'
import {base} from '../../test/plans/kinds.ts'
import {testSchema as schema} from '../../test/support/postgres.ts'
import {processorMs} from '../support/processor.ts'
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
  readonly isSampled: boolean // the joins of the query have been sampled
  readonly isSecond?: boolean // other queries of its shape ran before it, so it runs with the plan that these share
}

const floorMs = 1 // added to both sides of a ratio, because shorter times are noise
const [limitFactor, slackMs] = [2, 100] // for load on the machine, and for planning
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
    const found = await runAlternative(other, alternative, options, Math.ceil(limitFactor * best) + slackMs)
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

async function compiler(text: string, {database, frequencies, isSampled}: MeasureOptions): Promise<Compiler> {
  const prepared: PreparedQuery = prepareQuery(text, base)
  const facts = await findFacts(database, schema, askedFor(prepared, undefined))
  const options = optionsFor(schema, {facts, frequencies})
  if (isSampled) await sampleJoins(database, schema, frequencies, {prepared, options})
  return {
    compile: ({forced}) => compileQuery(prepared, {...options, now: new Date(0).toISOString(), forced}),
    shared: sharedStatement(prepared, {facts, frequencies}),
  }
}

function runAlternative(compiled: CompiledQuery, alternative: Alternative, options: MeasureOptions, limitMs: number) {
  return runRepeatedly(() => explain(compiled, alternative, options, limitMs))
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
  {text, parameters, isWalked, isMemoized}: CompiledQuery,
  {settings, isFree}: Alternative,
  options: MeasureOptions,
  limitMs: number,
): Promise<Run> {
  const sql = isFree ? text.replaceAll(fence, ')') : text
  const keys = parameters.map(key => `'${key.replaceAll("'", "''")}'`)
  const [types, values] = keys.length === 0 ? ['', ''] : ['text[]', `array[${keys.join(', ')}]`]
  return explainPrepared({text: sql, types, values, isWalked, isMemoized}, {...options, limitMs}, settings)
}

/** Runs a shared plan with the constants of the query, by PostgreSQL's plan for any constants. */
function explainShared(statement: SharedStatement, options: MeasureOptions): Promise<Run> {
  return explainPrepared(statement, options, {})
}

/** Runs a statement that PostgreSQL has planned before, so that the processor time is that of its execution. */
function explainPrepared(
  {text, types, values, isWalked, isMemoized}: SharedStatement,
  {database, limitMs}: MeasureOptions,
  settings: Alternative['settings'],
): Promise<Run> {
  return database.begin('repeatable read read only', async transaction => {
    await settle(transaction, schema, {timeoutMs: 0, requestId: undefined})
    await transaction.query(`select ${plannedText('$1', '$2')}`, [isWalked, isMemoized])
    await transaction.script('deallocate all')
    await transaction.script(`prepare measured${types === '' ? '' : ` (${types})`} as ${text}`)
    await set(transaction, {plan_cache_mode: 'force_generic_plan', ...settings})
    const execute = `execute measured${values === '' ? '' : ` (${values})`}`
    await transaction.script(`explain ${execute}`) // plans the statement
    await set(transaction, {statement_timeout: `${limitMs}`}) // the limit does not include the statements before
    return explained(transaction, execute)
  })
}

async function set(transaction: Transaction, settings: Alternative['settings']): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await transaction.query('select set_config($1, $2, true)', [name, value])
}

type Explained = {readonly Plan: PlanNode; readonly 'Execution Time'?: number}

async function explained(transaction: Transaction, execute: string): Promise<Run> {
  const [backend] = await transaction.query<{pid: number}>('select pg_backend_pid() as pid')
  const before = processorMs(backend?.pid ?? 0)
  const text = `explain (format json, analyze, timing off) ${execute}`
  const [row] = await transaction.query<{'QUERY PLAN': readonly [Explained]}>(text, [], {once: true})
  const after = processorMs(backend?.pid ?? 0)
  const [{Plan: plan, 'Execution Time': ms = 0}] = row?.['QUERY PLAN'] ?? [missing()]
  const ran = before === undefined || after === undefined ? ms : after - before
  return {ms: Math.min(ms, ran), rows: plan['Actual Rows'], plan}
}

function missing(): never {
  throw new Error('PostgreSQL explained nothing')
}
