/**
 * The driver's options for a pool. All are set explicitly, so that PG* environment variables have no effect.
 */
import {observe} from '../../base/observation.ts'
import type {DatabaseAddress} from './address.ts'
import {driverTypes} from './value.ts'

export type PoolOptions = {
  readonly connectionMax: number
  readonly isPooled: boolean // behind a pooler in transaction mode
  readonly prepare: boolean
  readonly statementTimeoutMs: number // 0: no limit
  /** Closes a connection whose pending answer sends nothing for this long; undefined: never. */
  readonly answerWithinMs?: number | undefined
  /** Limit for the total running time of the statements of a read-only transaction; undefined or 0: no limit. */
  readonly totalTimeoutMs?: number
  readonly hasShares?: boolean // reads, writes and long answers have shares of the connections (gate.ts)
  readonly queueMax?: number // maximum of requests that wait for a connection, per share
  readonly queueWaitMs?: number
  readonly keepsSessions?: boolean // connections have no maximum age, so that temporary tables last
}

export const applicationName = 'quadstead'

/**
 * Statements that stay prepared on a connection. The least recently used one is closed first. A compiled query of usual
 * length takes some 100 KB of PostgreSQL's memory (docs/performance.md).
 */
const preparedMax = 250

/** Builds the driver's options for a pool. */
export function driverOptions(
  address: DatabaseAddress,
  {connectionMax, isPooled, prepare, statementTimeoutMs, answerWithinMs, keepsSessions = false}: PoolOptions,
) {
  const {hosts, socketPath, tls, targetSessionAttributes, connectTimeoutSeconds} = address
  // The driver accepts lists, though its types do not say so. It accepts an IPv6 address only in a list.
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
    ...(answerWithinMs === undefined ? {} : {answer_timeout: answerWithinMs / 1000}), // added by patches/
    statement_limit: preparedMax, // added by patches/
    encoded: true, // added by patches/: parameters are text (value.ts), so their types need no Describe
    max_lifetime: keepsSessions ? null : 30 * 60, // seconds; a changed address or role takes effect within this time
    max_pipeline: 100, // within one transaction; gate.ts sends no other statement on a busy connection
    keep_alive: 60,
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1), // seconds until the next attempt
    connection: {
      application_name: applicationName,
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      ...address.parameters,
      ...(isPooled || statementTimeoutMs === 0 ? {} : {statement_timeout: statementTimeoutMs}),
      ...(isPooled ? {} : {idle_in_transaction_session_timeout: 10 * 60_000}),
    },
    onnotice: ({severity = 'NOTICE', message = ''}: {readonly severity?: string; readonly message?: string}) => {
      observe({kind: 'database-notice', severity, message})
    },
  }
}
