/**
 * How connections are made: the driver's options, all of them named, so that PG* variables of the environment change
 * nothing unseen.
 */
import {observe} from '../../base/observation.ts'
import type {DatabaseAddress} from './address.ts'
import {driverTypes} from './value.ts'

export type PoolOptions = {
  readonly connectionMax: number
  readonly isPooled: boolean // a pooler in transaction mode stands between
  readonly prepare: boolean
  readonly statementTimeoutMs: number // 0: none
  /** A connection on which PostgreSQL owes an answer and says nothing for so long is given up; undefined: none is. */
  readonly answerWithinMs?: number | undefined
  /** The statements of a transaction that only reads may run so long together; undefined or 0: no limit. */
  readonly totalTimeoutMs?: number
  readonly hasShares?: boolean // reads, writes and long answers have shares of the connections (gate.ts)
  readonly queueMax?: number // requests waiting for a connection, of each share
  readonly queueWaitMs?: number
  readonly keepsSessions?: boolean // connections are as old as they get: tables of a session last
}

export const applicationName = 'quadstead'

/** Statements that stay prepared on a connection; those that were not used for the longest time go first. */
const preparedMax = 100

/** All that the driver is told of a pool. */
export function driverOptions(
  address: DatabaseAddress,
  {connectionMax, isPooled, prepare, statementTimeoutMs, answerWithinMs, keepsSessions = false}: PoolOptions,
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
    ...(answerWithinMs === undefined ? {} : {answer_timeout: answerWithinMs / 1000}), // of patches/
    statement_limit: preparedMax, // of patches/
    encoded: true, // of patches/: parameters are text (value.ts), so nobody need ask for their types first
    max_lifetime: keepsSessions ? null : 30 * 60, // seconds; a changed address or role is noticed within this time
    max_pipeline: 100, // of one transaction; gate.ts keeps statements of others off a busy connection
    keep_alive: 60,
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1), // seconds until the next try
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
