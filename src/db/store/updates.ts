/**
 * Runs the operations of an update in one transaction.
 *
 * The SQL functions are in sql/functions/update. An update keeps the documents that it
 * has changed as texts of arrays, because there may be very many.
 */
import {observe} from '../../base/observation.ts'
import {Problem} from '../../base/problem.ts'
import {startStopwatch} from '../../base/stopwatch.ts'
import type {Iri} from '../../rdf/term.ts'
import type {GraphPlace, GraphRange} from '../../sparql/operation.ts'
import type {Transaction} from '../connection/pool.ts'
import {databaseCodeOf} from '../connection/problem-of.ts'
import type {SqlValue} from '../connection/value.ts'
import {factValues, type KnownFacts} from '../query/facts.ts'
import {nameText} from '../query/rows.ts'
import {ask, callAsCaller} from './call.ts'
import {callerValue} from './caller.ts'
import {readWritten, type Written} from './document-writes.ts'
import {inTransaction, preconditionValues, type Session, type WriteConditions} from './session.ts'

/** The quads of INSERT DATA or DELETE DATA, as texts of arrays: keys, and references to them (graph-codec.ts). */
export type EncodedQuads = {readonly keys: string; readonly references: readonly string[]}

/** A compiled DELETE and INSERT, and the facts for which it was planned. */
export type PlannedModify = {
  readonly text: string
  readonly parameters: readonly string[]
  readonly isWalked: boolean
  readonly hasKeys: boolean
  readonly own: ReadonlyMap<string, string> // id → key of the constants that were not stored
  readonly facts: KnownFacts
}

export type ChangedDocument = {readonly iri: Iri; readonly etag: string} // the tag with its quotes

export type UpdateResult = {
  readonly inserted: number // triples
  readonly removed: number
  readonly created: readonly ChangedDocument[]
  readonly changed: readonly ChangedDocument[]
  readonly deleted: readonly Iri[]
  readonly written: Written | undefined // of a patch
}

/** An update that runs. Each method is an operation, which sees the ones before. */
export type RunningUpdate = {
  readonly transaction: Transaction
  /** @returns  false: the plan is out of date, and nothing was done. Problem 422 `update-size` and those of all. */
  readonly modify: (planned: PlannedModify) => Promise<boolean>
  readonly data: (type: 'insertData' | 'deleteData', quads: EncodedQuads) => Promise<void>
  readonly create: (graph: Iri, isSilent: boolean) => Promise<void>
  readonly clear: (range: GraphRange, isSilent: boolean) => Promise<void>
  readonly drop: (range: GraphRange, isSilent: boolean) => Promise<void>
  readonly copy: (type: 'add' | 'copy' | 'move', from: GraphPlace, to: GraphPlace, isSilent: boolean) => Promise<void>
}

export type UpdateOptions = {
  readonly document: Iri | undefined // of the request; undefined: the request addresses no document
  /** The update is a patch of the document, which gets a new tag in any case. */
  readonly patch?: {readonly isReturning: boolean} | undefined
  readonly conditions: WriteConditions
  readonly timeoutMs: number // of all statements together; 0: no limit
  readonly signal: AbortSignal | undefined
}

/**
 * Runs an update in one transaction, and again after a collision with other writers.
 *
 * @param work  the operations; it is run again from its beginning
 * @throws      Problem 404 `document-exists`, 412 `etag-mismatch`; 422 `graph-known`; 409 `reserved-free`,
 *              `containment-kept`, `document-empty`; 403 `access-granted`; 499 `client-gone`, 503 `query-timeout`
 */
export async function runUpdate(
  session: Session,
  options: UpdateOptions,
  work: (update: RunningUpdate) => Promise<void>,
): Promise<UpdateResult> {
  const {database, retry, turn} = session
  const attempt = () =>
    database.begin('read committed', transaction => runOnce(session, transaction, options, work), {turn})
  return retry('write', () => repeatOvertaken(attempt))
}

/**
 * Repeats an update if another request has created or deleted a document of it while it waited. The next attempt sees
 * that from its beginning: SILENT counts, and the error is that of a document that is not there. A document that does
 * not exist in the first place is also looked for several times.
 */
async function repeatOvertaken<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let left = 2; ; left -= 1) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0 || !isOvertaken(error)) throw error
    }
  }
}

function isOvertaken(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  if (error.rule === 'document-iri-free') return databaseCodeOf(error) === '23505'
  return error.rule === 'document-exists' || error.rule === 'parent-exists'
}

/** Refuses a LOAD into a graph that the caller cannot write: Problem 401, 403; 422 `graph-known` if it is hidden. */
export async function requireLoadable(session: Session, graph: Iri): Promise<void> {
  if (session.caller?.grantees === undefined) return
  const call = callAsCaller(session, 'require_loadable', [graph])
  await ask(session, 'read', {text: `select from ${call.from}`, ...call})
}

type Row = Readonly<Record<string, unknown>>

/** Calls a function of the store. `columns` are of the alias u. */
type Call = (name: string, columns: readonly string[], values: readonly SqlValue[]) => Promise<Row>

async function runOnce(
  session: Session,
  transaction: Transaction,
  options: UpdateOptions,
  work: (update: RunningUpdate) => Promise<void>,
): Promise<UpdateResult> {
  const {document, conditions, patch} = options
  const call = caller(session, transaction, options)
  const kept: Kept = {created: '{}', nodes: '{}', changed: [], touched: [], dropped: [], inserted: 0, removed: 0}
  if (document !== undefined && (patch !== undefined || hasConditions(conditions))) {
    const values = [document, ...preconditionValues(conditions), patch === undefined ? 'read' : 'edit']
    const {id} = await call('begin_update', ['u as id'], values)
    if (patch !== undefined) kept.changed.push(`{${id}}`)
  }
  await work({transaction, ...operationsOf(call, kept)})
  const {changed, touched, created, dropped, inserted, removed} = kept
  const ids = [joined(changed), joined(touched), created, joined(dropped)]
  const row = await call('finish_update', ['u as listed'], [...ids, patch === undefined ? 'update' : 'patch'])
  const listed = row.listed as Pick<UpdateResult, 'created' | 'changed' | 'deleted'>
  const id = patch && changed[0]?.slice(1, -1)
  const written = patch && (await readWritten(inTransaction(session, transaction), id ?? '', patch))
  return {inserted, removed, ...listed, written}
}

/** Makes a function that calls functions of the store on behalf of the session's caller, their last argument. */
function caller(session: Session, transaction: Transaction, {timeoutMs, signal}: UpdateOptions): Call {
  const {inSchema, caller, requestId} = session
  const end = performance.now() + timeoutMs
  let newName = requestId ?? null
  return async (name, columns, asked) => {
    if (signal?.aborted) throw new Problem(499, 'client-gone', 'The client went away before its update ended.')
    const watch = startStopwatch()
    const leftMs = timeoutMs === 0 ? 0 : Math.max(1, Math.ceil(end - performance.now()))
    await transaction.query(`select set_config('statement_timeout', $1, true), ${nameText('$2')}`, [leftMs, newName])
    newName = null
    const values = [...asked, callerValue(caller, requestId)]
    const places = values.map((_, index) => `$${index + 1}`)
    const text = `select ${columns.join(', ')} from ${inSchema}${name}(${places.join(', ')}) as u`
    const [row] = await transaction.query<Row>(text, values, signal === undefined ? {watch} : {watch, signal})
    const requestIds = requestId === undefined ? [] : [requestId]
    observe({kind: 'statement', name, requestIds, ms: watch.ms(), stages: watch.stages, isAnswered: row !== undefined})
    if (row === undefined) throw new Error(`${name} gave no row`)
    return row
  }
}

/** What the operations of a request have done so far. Ids are texts of arrays. */
type Kept = {
  created: string
  nodes: string
  readonly changed: string[]
  readonly touched: string[]
  readonly dropped: string[]
  inserted: number
  removed: number
}

function keep(kept: Kept, {created, nodes, changed, touched, dropped, inserted, removed}: Row): void {
  kept.created = String(created ?? kept.created)
  kept.nodes = String(nodes ?? kept.nodes)
  if (changed) kept.changed.push(String(changed))
  if (touched) kept.touched.push(String(touched))
  if (dropped) kept.dropped.push(String(dropped))
  kept.inserted += Number(inserted ?? 0)
  kept.removed += Number(removed ?? 0)
}

const changing = ['created::text', 'nodes::text', 'changed::text', 'inserted', 'removed']

function operationsOf(call: Call, kept: Kept): Omit<RunningUpdate, 'transaction'> {
  async function clear(range: GraphRange, isSilent: boolean): Promise<void> {
    const besides = range.kind === 'named' ? range.besides : undefined
    const names = range.kind === 'one' ? [range.graph, null] : [null, besides ?? null]
    keep(kept, await call('update_clear', changing, [...names, isSilent, kept.created, kept.nodes]))
  }
  async function drop(range: GraphRange, isSilent: boolean): Promise<void> {
    if (range.kind === 'one' && range.isDefault) return clear(range, isSilent) // there is always a default graph
    const names = range.kind === 'one' ? [range.graph, null] : [null, range.besides ?? null]
    keep(kept, await call('update_drop', ['touched::text', 'dropped::text'], [...names, isSilent, kept.created]))
    if (range.kind !== 'one') await clear(range, true)
  }
  return {
    clear,
    drop,
    async modify({text, parameters, isWalked, hasKeys, own, facts}) {
      const query = [text, parameters, isWalked, hasKeys, ...factValues(facts), [...own.keys()], [...own.values()]]
      const row = await call('update_by_query', ['is_valid', ...changing], [...query, kept.created, kept.nodes])
      if (row.is_valid === true) keep(kept, row)
      return row.is_valid === true
    },
    async data(type, {keys, references}) {
      const values = [type === 'deleteData', keys, ...references, kept.created, kept.nodes]
      keep(kept, await call('update_data', changing, values))
    },
    async create(graph, isSilent) {
      keep(kept, await call('update_create', ['u::text as created'], [graph, isSilent, kept.created]))
    },
    async copy(type, from, to, isSilent) {
      const values = [from.graph, to.graph, type !== 'add', isSilent, kept.created, kept.nodes]
      const row = await call('update_copy', [...changing, 'is_found'], values)
      keep(kept, row)
      if (type === 'move' && row.is_found === true && from.graph !== to.graph)
        await drop({kind: 'one', ...from}, isSilent)
    },
  }
}

function hasConditions({ifMatch, ifNoneMatch, ifUnmodifiedSince}: WriteConditions): boolean {
  return ifMatch !== undefined || ifNoneMatch !== undefined || ifUnmodifiedSince !== undefined
}

/** Texts of arrays of ids as one. */
function joined(arrays: readonly string[]): string {
  return `{${arrays
    .map(text => text.slice(1, -1))
    .filter(text => text !== '')
    .join(',')}}`
}
