/**
 * A pool of connections to PostgreSQL, and the interface through which other modules use it.
 *
 * Only this folder knows the driver. Each statement is a transaction of its own and takes one round trip once it is
 * prepared. SQL text comes from our own code; client values are always parameters. `problem-of.ts` translates errors.
 *
 * Behind a pooler in transaction mode, prepared statements and session settings may be lost between two statements.
 * There, nothing is prepared and the time limit is enforced on this side.
 */
import {Readable} from 'node:stream'
import {buffer} from 'node:stream/consumers'
import {pipeline} from 'node:stream/promises'
import postgres from 'postgres'
import {observe} from '../../base/observation.ts'
import type {LogPosition, ReadChoice, Reader} from '../replicas/reader.ts'
import {readAfter, replayText} from '../replicas/replayed.ts'
import type {DatabaseAddress} from './address.ts'
import {applicationName, driverOptions, type PoolOptions} from './driver-options.ts'
import {createGate, enterFor, type Gate, type GateLoad, gateOf} from './gate.ts'
import {databaseCodeOf, isConnectionLost, problemOf} from './problem-of.ts'
import {openSnapshot, poolClosed} from './snapshot.ts'
import {
  type AskedStatement,
  driverHow,
  type QueryOptions,
  runStatement,
  type StatementLimits,
  sendStatement,
} from './statement.ts'
import {createSteps, runInSteps, type StepsMode} from './steps.ts'
import {createTotalTime, type Timed} from './total-time.ts'
import type {SqlValue} from './value.ts'

export type Row = Readonly<Record<string, unknown>>

/** What a pool and a transaction have in common. */
export type Queryable = {
  /** Runs one statement. The shape `Result` is not checked at run time; `value.ts` says how types are decoded. */
  readonly query: <Result extends object = Row>(
    text: string,
    values?: readonly SqlValue[],
    options?: QueryOptions,
  ) => Promise<readonly Result[]>
  /** Runs one statement and yields its rows in batches; leaving the loop early closes the cursor. */
  readonly cursor: <Result extends object = Row>(
    text: string,
    values: readonly SqlValue[],
    options: QueryOptions & {readonly batchRows: number},
  ) => AsyncIterable<readonly Result[]>
}

export type Transaction = Queryable & {
  /** Runs several statements without parameters, such as a file of SQL. */
  readonly script: (text: string) => Promise<void>
  /** Runs a COPY … FROM STDIN with these bytes; at most one at a time. */
  readonly copyIn: (text: string, chunks: Iterable<Uint8Array>) => Promise<void>
  /** Runs a COPY … TO STDOUT of few rows. @returns all its bytes */
  readonly copyOut: (text: string) => Promise<Uint8Array>
}

/** A read-only transaction that sees one state of the data until it is closed. */
export type Snapshot = Transaction & {
  /** Ends the transaction and frees its connection, after the statements that still run. May be called twice. */
  readonly close: () => void
}

export type SnapshotRequest = Pick<QueryOptions, 'after' | 'share' | 'turn'>

export type TransactionMode = 'read committed' | 'repeatable read' | 'repeatable read read only' | 'serializable'

export type Database = Queryable & {
  readonly name: string // application_name of its connections
  /**
   * Runs `work` in one transaction: commits when it resolves, rolls back when it throws. Its share is `write` by
   * default, `long` if it only reads.
   */
  readonly begin: <Result>(
    mode: TransactionMode,
    work: (transaction: Transaction) => Promise<Result>,
    options?: Pick<QueryOptions, 'after' | 'share' | 'turn'>,
  ) => Promise<Result>
  /** Runs `work` in one transaction whose statements and transactions each succeed or fail on their own (steps.ts). */
  readonly inSteps: <Result>(
    work: (inside: Database) => Promise<Result>,
    options?: {readonly mode?: StepsMode; readonly turn?: string | undefined},
  ) => Promise<Result>
  /** Opens a snapshot; the caller must close it. Its share is `long` by default. */
  readonly openSnapshot: (options?: SnapshotRequest) => Promise<Snapshot>
  /**
   * Runs work that only reads: on a replica if there is a reader and a suitable replica, else here; perhaps on both.
   *
   * @param work  must pass `after` to each statement or transaction of the server that it is given
   */
  readonly read: <Result>(
    reader: Reader | undefined,
    work: (server: Database, after: LogPosition | undefined) => Promise<Result>,
    choice?: ReadChoice<Result>,
  ) => Promise<Result>
  /** Brings a schema up to date if that takes more than statements here: it is distributed in a cluster (db/citus). */
  readonly migrateInCluster?: (schema: string) => Promise<readonly string[]> | undefined
  /** The number of connections, and of busy and waiting requests by share. */
  readonly load: () => GateLoad
  /** The same pool for one of several datasets, which take turns. The same name gives the same object. */
  readonly forDataset: (name: string) => Database
  /** Waits for running statements, at most `timeoutMs`, then closes every connection. */
  readonly end: (timeoutMs?: number) => Promise<void>
}

/** Creates a pool. It connects when the first statement is run. */
export function createPool(address: DatabaseAddress, options: PoolOptions): Database {
  const {connectionMax, queueMax = 100 * connectionMax, queueWaitMs = 15_000, hasShares = false} = options
  const sql = postgres(driverOptions(address, options))
  const gate = createGate({places: connectionMax, queueMax, waitMs: queueWaitMs, hasShares})
  const views = new Map<string, Database>()
  let isEnding = false
  const reserve = () => (isEnding ? Promise.reject(poolClosed()) : sql.reserve())
  const common: Common = {
    name: address.parameters.application_name ?? applicationName,
    load: gate.load,
    forDataset(dataset) {
      const view = views.get(dataset) ?? databaseThrough({gate: gateOf(gate, dataset), reserve}, {sql, options, common})
      views.set(dataset, view)
      return view
    },
    end(timeoutMs) {
      isEnding = true
      return sql.end(timeoutMs === undefined ? {} : {timeout: timeoutMs / 1000})
    },
  }
  return databaseThrough({gate, reserve}, {sql, options, common})
}

/** What all datasets of a pool share. */
type Common = Pick<Database, 'name' | 'load' | 'forDataset' | 'end'>

type PoolParts = {readonly sql: postgres.Sql; readonly options: PoolOptions; readonly common: Common}

/** The database whose statements enter by this gate. */
function databaseThrough(entry: Entry, {sql, options, common}: PoolParts): Database {
  const {gate, reserve} = entry
  const reading = {...options, isReading: true}
  const database: Database = {
    ...common,
    ...queryable(sql, options, entry),
    async begin(mode, work, how = {}) {
      if (mode === 'repeatable read read only') {
        const snapshot = await database.openSnapshot(how)
        return work(snapshot).finally(snapshot.close)
      }
      const leave = await gate.enter(how.share ?? 'write', how.turn)
      const begun = sql.begin(`isolation level ${mode}`, inner => work(transaction(inner, options))).finally(leave)
      return (begun as Promise<Awaited<ReturnType<typeof work>>>).catch(translating(options))
    },
    async inSteps(work, {mode = 'read committed', turn} = {}) {
      const leave = await gate.enter(mode === 'read committed' ? 'write' : 'long', turn)
      const run = (connection: postgres.ReservedSql) => work(databaseInside(database, connection, options))
      const ended = runInSteps({mode, reserve}, run).finally(leave)
      return ended.catch(translating(options))
    },
    async openSnapshot({after, share = 'long', turn} = {}) {
      const leave = await gate.enter(share, turn)
      const {connection, begun, close} = await openSnapshot({reserve, leave, after}).catch(translating(reading))
      const time = createTotalTime(options.totalTimeoutMs)
      return {...heldBack(transaction(connection, reading), () => begun.catch(translating(reading)), time), close}
    },
    read: (_, work) => work(database, undefined),
  }
  return database
}

/** The database as the work of a transaction of steps sees it. It opens no snapshots and changes no settings. */
function databaseInside(outside: Database, connection: postgres.ReservedSql, options: StatementLimits): Database {
  const step = createSteps(connection)
  const own = transaction(connection, options)
  const refuse = () => Promise.reject(new Error('a transaction of steps opens no snapshot and changes no settings'))
  const inside: Database = {
    ...outside,
    query: (text, values, how) => (how?.before === undefined ? step(() => own.query(text, values, how)) : refuse()),
    cursor: own.cursor,
    begin: (_, work) => step(() => work(own)),
    inSteps: work => step(() => work(databaseInside(outside, connection, options))),
    read: (_, work) => work(inside, undefined),
    openSnapshot: refuse,
  }
  return inside
}

/**
 * The statements of a snapshot. Their results are withheld until `begun` resolves. If it rejects, so do they, because
 * an error of theirs may be a consequence of it.
 */
function heldBack(inner: Transaction, begun: () => Promise<unknown>, time: Timed): Transaction {
  return {
    ...inner,
    async query<Result extends object>(...asked: Parameters<Transaction['query']>) {
      const rows = time(() => inner.query<Result>(...asked))
      await Promise.allSettled([begun(), rows])
      return begun().then(() => rows)
    },
    async *cursor<Result extends object>(...asked: Parameters<Transaction['cursor']>) {
      await begun()
      yield* inner.cursor<Result>(...asked)
    },
  }
}

function transaction(sql: postgres.ISql, options: StatementLimits): Transaction {
  return {
    ...queryable(sql, options),
    async script(text) {
      await sql.unsafe(text, [], {patient: true} as object)
    },
    copyIn(text, chunks) {
      const writable = sql.unsafe(text).writable()
      const copied = writable.then(to => pipeline(Readable.from(chunks, {objectMode: false}), to))
      return copied.catch(translating(options))
    },
    copyOut: text => sql.unsafe(text).readable().then(buffer).catch(translating(options)),
  }
}

/** How a statement of a pool gets a connection. A statement of a transaction has one already. */
type Entry = {readonly gate: Gate; readonly reserve: () => Promise<postgres.ReservedSql>}

/** Sends the replay question and the statement together, on one connection. The question is answered first. */
async function runReplayed({reserve}: Entry, options: StatementLimits, after: LogPosition, ...asked: AskedStatement) {
  const own = await reserve()
  try {
    // Sends it before the statement.
    const question = own
      .unsafe(replayText, [], driverHow(options, replayText, {...asked[2], before: undefined}))
      .execute()
    return await readAfter(question, runStatement(own, options, ...asked), after)
  } finally {
    own.release()
  }
}

function queryable(sql: postgres.ISql, options: StatementLimits, entry?: Entry): Queryable {
  const gate = entry?.gate
  return {
    async query<Result extends object>(
      text: string,
      values: readonly SqlValue[] = [],
      queryOptions: QueryOptions = {},
    ) {
      const {after, watch} = queryOptions
      const leave = await enterFor(gate, queryOptions)
      watch?.lap('connect')
      try {
        const rows =
          after === undefined || entry === undefined
            ? runStatement(sql, options, text, values, queryOptions)
            : runReplayed(entry, options, after, text, values, queryOptions)
        return (await rows) as readonly Result[]
      } catch (error) {
        throw translated(error, options)
      } finally {
        watch?.lap('sql')
        leave()
      }
    },
    async *cursor<Result extends object>(
      text: string,
      values: readonly SqlValue[],
      cursorOptions: QueryOptions & {batchRows: number},
    ) {
      const leave = await enterFor(gate, cursorOptions)
      const {pending, settle} = sendStatement(sql, options, text, values, cursorOptions)
      try {
        const batches = pending.cursor(cursorOptions.batchRows) as unknown as AsyncIterable<readonly Result[]>
        for await (const rows of batches) yield Array.from(rows)
      } catch (error) {
        throw translated(error, options)
      } finally {
        await settle()
        leave()
      }
    },
  }
}

function translating(options: StatementLimits): (error: unknown) => Promise<never> {
  return error => Promise.reject(translated(error, options))
}

function translated(error: unknown, {statementTimeoutMs, isReading = false}: StatementLimits): unknown {
  const code = databaseCodeOf(error)
  if (isReading && code === '25006') return error
  if (code !== undefined && isConnectionLost(code)) observe({kind: 'database-unavailable', reason: String(error)})
  return problemOf(error, statementTimeoutMs)
}
