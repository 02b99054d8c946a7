/**
 * The way to PostgreSQL: a pool of connections behind a small face.
 *
 * Floor 3, and with connect.ts the only file that knows the driver. Each statement is a transaction of its own, in
 * one round trip once it is prepared; text comes from our own code, client values are always parameters. Errors
 * leave as `problem-of.ts` says.
 *
 * Behind a pooler in transaction mode a prepared statement and a session setting may be lost between two statements, so
 * there nothing is prepared and the time limit is kept by this side.
 */
import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import postgres from 'postgres'
import {observe} from '../base/observation.ts'
import {Problem} from '../base/problem.ts'
import {timed} from '../base/stages.ts'
import type {DatabaseAddress} from './address.ts'
import {cancelWhen} from './cancel.ts'
import {createGate, type Gate, type GateLoad} from './gate.ts'
import {databaseCodeOf, isConnectionLost, problemOf} from './problem-of.ts'
import {driverTypes, encodeValue, type Value} from './value.ts'

export type Row = Readonly<Record<string, unknown>>

export type QueryOptions = {
  readonly once?: boolean // the text is seldom seen again: do not keep it prepared on the connection
  /** Cancels the statement in the server: Problem 503 `query-timeout`; 499 `client-gone` when it was not sent yet. */
  readonly signal?: AbortSignal
}

/** What can be asked of a pool and of a transaction alike. */
export type Queryable = {
  /** Runs one statement. `Result` is the caller's word for the shape of a row; `value.ts` says how types arrive. */
  readonly query: <Result extends object = Row>(
    text: string,
    values?: readonly Value[],
    options?: QueryOptions,
  ) => Promise<readonly Result[]>
  /** Runs one statement and yields its rows in batches; leaving the loop early closes the cursor. */
  readonly cursor: <Result extends object = Row>(
    text: string,
    values: readonly Value[],
    options: QueryOptions & {readonly batchRows: number},
  ) => AsyncIterable<readonly Result[]>
}

export type Transaction = Queryable & {
  /** Runs a text of many statements, without parameters: files of SQL. */
  readonly script: (text: string) => Promise<void>
  /** Runs a COPY … FROM STDIN with these bytes; at most one at a time. */
  readonly copyIn: (text: string, chunks: Iterable<Uint8Array>) => Promise<void>
}

export type TransactionMode = 'read committed' | 'repeatable read' | 'repeatable read read only' | 'serializable'

export type Database = Queryable & {
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
  readonly begin: <Result>(
    mode: TransactionMode,
    work: (transaction: Transaction) => Promise<Result>,
  ) => Promise<Result>
  /** How many connections there may be, how many are idle or not yet opened, and who waits for one. */
  readonly load: () => GateLoad
  /** Waits for running statements, at most so long, then closes every connection. */
  readonly end: (timeoutMs?: number) => Promise<void>
}

export type PoolOptions = {
  readonly connectionMax: number
  readonly isPooled: boolean // a pooler in transaction mode stands between
  readonly prepare: boolean
  readonly statementTimeoutMs: number // 0: none
  readonly queueMax?: number // requests waiting for a connection
  readonly queueWaitMs?: number
  readonly keepsSessions?: boolean // connections are as old as they get: tables of a session last
}

/** Opens nothing yet: connections are made when the first statements come. */
export function createPool(address: DatabaseAddress, options: PoolOptions): Database {
  const {connectionMax, queueMax = 100 * connectionMax, queueWaitMs = 15_000} = options
  const sql = postgres(driverOptions(address, options))
  const gate = createGate({places: connectionMax, queueMax, waitMs: queueWaitMs})
  const {query, cursor} = queryable(sql, options, gate)
  let isEnding = false
  return {
    query,
    cursor,
    async begin(mode, work) {
      const leave = await gate.enter()
      const workWith = (inner: postgres.ISql) => work(transaction(inner, options))
      try {
        if (mode === 'repeatable read read only' && !isEnding) return await readSnapshot(sql, workWith, leave)
        return await (sql.begin(`isolation level ${mode}`, workWith).finally(leave) as Promise<
          Awaited<ReturnType<typeof work>>
        >)
      } catch (error) {
        throw translated(error, options)
      }
    },
    load: gate.load,
    end(timeoutMs) {
      isEnding = true
      return sql.end(timeoutMs === undefined ? {} : {timeout: timeoutMs / 1000})
    },
  }
}

/**
 * A snapshot to read from. Its BEGIN goes out together with the first statements, and nobody waits for its end; the
 * driver's own `begin` has both of them cost a round trip.
 *
 * @param leave  is called when the connection is free again
 */
async function readSnapshot<Result>(
  sql: postgres.Sql,
  work: (inner: postgres.ISql) => Promise<Result>,
  leave: () => void,
): Promise<Result> {
  let end = (_text: 'commit' | 'rollback') => leave()
  try {
    const connection = await sql.reserve()
    end = text => {
      const ended = connection.unsafe(text).catch(() => undefined) // the connection is lost, and the snapshot with it
      void ended.then(connection.release).then(leave)
    }
    const begun = connection.unsafe('begin isolation level repeatable read read only').execute()
    const [result] = await Promise.all([work(connection), begun])
    end('commit')
    return result
  } catch (error) {
    end('rollback')
    throw error
  }
}

/** Driver options, all of them named, so that PG* variables of the environment change nothing unseen. */
export function driverOptions(
  address: DatabaseAddress,
  {connectionMax, isPooled, prepare, statementTimeoutMs, keepsSessions = false}: PoolOptions,
) {
  const {hosts, socketPath, tls, targetSessionAttributes, connectTimeoutSeconds} = address
  // The driver takes lists (and only so an IPv6 address), though its types do not say so.
  const place = {
    host: hosts.map(({host}) => host) as unknown as string,
    port: hosts.map(({port}) => port) as unknown as number,
  }
  return {
    ...(socketPath === undefined ? place : {host: 'localhost', port: 5432, path: socketPath}),
    database: address.database,
    user: address.user,
    password: address.password,
    ssl: tls as false | 'prefer' | object,
    ...(targetSessionAttributes === undefined ? {} : {target_session_attrs: targetSessionAttributes as 'read-write'}),
    max: connectionMax,
    prepare,
    fetch_types: false,
    types: driverTypes(),
    idle_timeout: 0,
    connect_timeout: connectTimeoutSeconds,
    max_lifetime: keepsSessions ? null : 30 * 60, // seconds; a changed address or role is noticed within this time
    max_pipeline: 100, // of one transaction; gate.ts keeps statements of others off a busy connection
    keep_alive: 60,
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1), // seconds until the next try
    connection: {
      application_name: 'quadstead',
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      ...address.parameters,
      ...(isPooled || statementTimeoutMs === 0 ? {} : {statement_timeout: statementTimeoutMs}),
      ...(isPooled ? {} : {idle_in_transaction_session_timeout: 10 * 60_000}),
    },
    onnotice: ({severity = 'NOTICE', message = ''}: postgres.Notice) => {
      observe({kind: 'database-notice', severity, message})
    },
  }
}

function transaction(sql: postgres.ISql, options: PoolOptions): Transaction {
  return {
    ...queryable(sql, options),
    async script(text) {
      await sql.unsafe(text)
    },
    async copyIn(text, chunks) {
      try {
        await pipeline(Readable.from(chunks, {objectMode: false}), await sql.unsafe(text).writable())
      } catch (error) {
        throw translated(error, options)
      }
    },
  }
}

function queryable(sql: postgres.ISql, options: PoolOptions, gate?: Gate): Queryable {
  const afterMs = options.isPooled ? options.statementTimeoutMs : 0 // elsewhere the server keeps the limit
  function start(text: string, values: readonly Value[], {once = false}: QueryOptions) {
    const how = {prepare: options.prepare && !once, simple: false}
    return sql.unsafe(text, values.map(encodeValue), how)
  }
  return {
    async query<Result extends object>(text: string, values: readonly Value[] = [], queryOptions: QueryOptions = {}) {
      const leave = await enter(gate, queryOptions)
      const pending = start(text, values, queryOptions)
      const settle = cancelWhen(pending, {signal: queryOptions.signal, afterMs})
      try {
        const rows = timed('sql', () => pending.then(found => found as unknown as readonly Result[]), text)
        return Array.from(await rows) // a plain array, not the driver's own kind
      } catch (error) {
        throw translated(error, options)
      } finally {
        await settle()
        leave?.()
      }
    },
    async *cursor<Result extends object>(
      text: string,
      values: readonly Value[],
      cursorOptions: QueryOptions & {batchRows: number},
    ) {
      const leave = await enter(gate, cursorOptions)
      const pending = start(text, values, cursorOptions)
      const settle = cancelWhen(pending, {signal: cursorOptions.signal, afterMs})
      try {
        const batches = pending.cursor(cursorOptions.batchRows) as unknown as AsyncIterable<readonly Result[]>
        for await (const rows of batches) yield Array.from(rows)
      } catch (error) {
        throw translated(error, options)
      } finally {
        await settle()
        leave?.()
      }
    },
  }
}

/** A place for a statement; none for one whose client has gone meanwhile, so that it is never sent. */
async function enter(gate: Gate | undefined, {signal}: QueryOptions): Promise<(() => void) | undefined> {
  const leave = await gate?.enter()
  if (!signal?.aborted) return leave
  leave?.()
  throw new Problem(499, 'client-gone', 'The client went away before its statement was sent.')
}

function translated(error: unknown, {statementTimeoutMs}: PoolOptions): unknown {
  const code = databaseCodeOf(error)
  if (code !== undefined && isConnectionLost(code)) observe({kind: 'database-unavailable', reason: String(error)})
  return problemOf(error, statementTimeoutMs)
}
