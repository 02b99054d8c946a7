/**
 * Opens the database: waits for the server, checks its version and encoding, detects a pooler, and creates the pool.
 *
 * Containers start in any order, so a server that does not answer yet is retried. A server that refuses is not. A
 * pooler in transaction mode is detected by the backend's process id: the id that it announces at the start of a
 * session differs from the id that pg_backend_pid() returns.
 */
import {setTimeout as delay} from 'node:timers/promises'
import postgres from 'postgres'
import {observe} from '../../base/observation.ts'
import {Refusal} from '../../base/refusal.ts'
import {type DatabaseAddress, describeAddress} from './address.ts'
import {driverOptions, type PoolOptions} from './driver-options.ts'
import {createPool, type Database} from './pool.ts'
import {isConnectionLost} from './problem-of.ts'

const meetingMs = 10_000

export const oldestServerVersion = 150_000 // server_version_num

export type OpenOptions = {
  readonly connectionMax: number
  readonly prepare: boolean | 'auto' // auto: prepare unless behind a pooler
  readonly statementTimeoutMs: number // 0: no limit
  readonly waitMs: number // how long to wait for a server that does not answer yet
} & Pick<PoolOptions, 'answerWithinMs' | 'queueMax' | 'queueWaitMs' | 'keepsSessions' | 'hasShares' | 'totalTimeoutMs'>

export type Server = {
  readonly version: string // '18.4'
  readonly isPooled: boolean
}

/**
 * Opens the database.
 *
 * @throws  Refusal: no server answers in time, the server refuses us, it is older than PostgreSQL 15, or the database
 *          is not in UTF8
 */
export async function openDatabase(
  address: DatabaseAddress,
  {waitMs, ...options}: OpenOptions,
): Promise<{readonly database: Database; readonly server: Server}> {
  const server = await awaitServer(address, waitMs)
  const {prepare} = options
  const isPooled = server.isPooled || prepare === false // `prepare: false` means a pooler that was not detected
  const database = createPool(address, {...options, isPooled, prepare: prepare === 'auto' ? !isPooled : prepare})
  return {database, server}
}

/** Waits until the server answers. Throws what `openDatabase` throws. */
export async function awaitServer(address: DatabaseAddress, waitMs: number): Promise<Server> {
  const deadline = performance.now() + waitMs
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1000)) {
    try {
      return await meet(address)
    } catch (error) {
      if (error instanceof Refusal) throw error
      const isLate = performance.now() + pauseMs > deadline
      if (isLate || !isPassing(error)) throw refusal(address, error)
      observe({kind: 'database-awaited', address: describeAddress(address), reason: messageOf(error)})
      await delay(pauseMs)
    }
  }
}

type Met = {readonly pid: number; readonly number: number; readonly version: string; readonly encoding: string}

async function meet(address: DatabaseAddress): Promise<Server> {
  const one = {connectionMax: 1, isPooled: true, prepare: false, statementTimeoutMs: 0, answerWithinMs: meetingMs}
  const sql = postgres({...driverOptions(address, one), onclose: () => undefined})
  try {
    const answer = await sql.unsafe(
      `select pg_backend_pid() as pid, current_setting('server_version_num')::int as number, ` +
        `current_setting('server_version') as version, current_setting('server_encoding') as encoding`,
    )
    const [{pid, number, version, encoding}] = answer as unknown as [Met]
    if (number < oldestServerVersion) {
      throw new Refusal(
        `PostgreSQL ${version} at ${describeAddress(address)} is too old: Quadstead needs PostgreSQL 15 or newer.`,
      )
    }
    if (encoding !== 'UTF8') {
      throw new Refusal(
        `PostgreSQL at ${describeAddress(address)} cannot be used: the database has the encoding ${encoding}, and ` +
          `Quadstead needs UTF8. Create it with "create database … template template0 encoding 'UTF8'".`,
      )
    }
    return {version: version.replace(/ .*/, ''), isPooled: answer.state.pid !== pid}
  } finally {
    await sql.end({timeout: 1})
  }
}

/** No answer, starting up (57P03, within class 57P0), or too many connections (53300): a retry may succeed. */
function isPassing(error: unknown): boolean {
  const code = codeOf(error)
  return isConnectionLost(code) || code === '53300'
}

function refusal(address: DatabaseAddress, error: unknown): Refusal {
  const advice = adviceFor(codeOf(error), address)
  return new Refusal(`PostgreSQL at ${describeAddress(address)} cannot be used: ${messageOf(error)}.${advice}`, {
    cause: error,
  })
}

function adviceFor(code: string, {tls, socketPath}: DatabaseAddress): string {
  if (code === '3D000') return ' Create the database first (createdb).'
  if (code === '28000' && tls === false && socketPath === undefined) {
    return ' Look at the user and pg_hba.conf, or set sslmode=verify-full if the server requires TLS.'
  }
  if (code.startsWith('28')) return ' Look at the user, the password and pg_hba.conf.'
  if (/CERT|SELF_SIGNED|SIGNATURE|ISSUER/.test(code)) {
    return ' Give the authority that signed it as sslrootcert, or check the host name in it.'
  }
  if (tls !== false && tls !== 'prefer' && /^(ECONNRESET|CONNECTION_CLOSED|EPROTO|ERR_SSL_.*)$/.test(code)) {
    return ' Perhaps it does not speak TLS, which sslmode asks for.'
  }
  return ' Is it running, and is DATABASE_URL right?'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  if (error instanceof Error && 'reason' in error && codeOf(error).startsWith('ERR_SSL')) return String(error.reason)
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
}
