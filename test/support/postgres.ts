/** Creates a database for a test: a copy of the template with the migrations, which `npm test` has created. */

import {nodeParameters} from '../../src/db/citus/prepare.ts'
import {type DatabaseAddress, parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {openDatabase} from '../../src/db/connection/connect.ts'
import type {PoolOptions} from '../../src/db/connection/driver-options.ts'
import {quoteIdentifier} from '../../src/db/connection/identifier.ts'
import {createPool, type Database} from '../../src/db/connection/pool.ts'
import {databaseCodeOf} from '../../src/db/connection/problem-of.ts'

export const templateName = 'quadstead_template'
export const testSchema = 'quadstead'

export type TestDatabase = {
  readonly name: string
  readonly url: string // as DATABASE_URL
  readonly address: DatabaseAddress
  readonly database: Database
  readonly drop: () => Promise<void>
}

const pool: PoolOptions = {connectionMax: 5, isPooled: false, prepare: true, statementTimeoutMs: 60_000}
let made = 0

/** The URLs of the nodes of a Citus cluster, if the tests run on one. The dataset of each database is distributed. */
const citusNodes = process.env.TEST_CITUS_NODES?.split(' ') ?? []

/** Whether datasets are distributed: their tables are views of shards. */
export const areDistributed = citusNodes.length > 0

/**
 * Creates a database.
 *
 * @param template  the one with the migrations, or 'template0' for an empty one
 */
export async function createTestDatabase(
  template = templateName,
  options: Partial<PoolOptions> = {},
): Promise<TestDatabase> {
  const name = `test_${process.pid}_${made++}`
  const isDistributed = areDistributed && template === templateName
  const servers = isDistributed ? citusNodes : [serverUrl()]
  const create = `create database ${name} template ${template} strategy file_copy` // takes half the time of wal_log
  await Promise.all(servers.map(server => administerAt(server, create)))
  if (isDistributed) await administerAt(process.env.TEST_CITUS_ENTRY ?? '', distributesNew(name))
  const url = isDistributed ? urlAt(process.env.TEST_CITUS_ENTRY ?? '', name) : databaseUrl(name)
  const own = parseDatabaseUrl(databaseUrl(name))
  const address = isDistributed ? {...own, parameters: {...own.parameters, ...nodeParameters}} : own
  const database = createPool(address, {...pool, ...options})
  return {
    name,
    url,
    address,
    database,
    async drop() {
      await database.end(1000)
      await Promise.all(servers.map(server => dropAt(server, name)))
    },
  }
}

/** A statement after which Citus distributes new datasets of a database. Databases do not take it from a template. */
export const distributesNew = (name: string) => `alter database ${name} set citus.enable_schema_based_sharding to on`

/** The URL of a database of the test server. */
export function databaseUrl(name: string): string {
  return urlAt(serverUrl(), name)
}

function urlAt(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Runs one statement in the database `postgres` of the test server, as its superuser. */
export function administer(statement: string): Promise<void> {
  return administerAt(serverUrl(), statement)
}

/** Runs a statement on roles: on the test server, or on each node of a cluster. */
export async function administerRoles(statement: string): Promise<void> {
  await Promise.all((areDistributed ? citusNodes : [serverUrl()]).map(server => administerAt(server, statement)))
}

/** Drops a database. Processes of Citus that end with its sessions may take longer than PostgreSQL waits. */
async function dropAt(server: string, name: string): Promise<void> {
  for (let left = 5; ; left -= 1) {
    try {
      return await administerAt(server, `drop database if exists ${name} with (force)`)
    } catch (error) {
      if (left === 1 || databaseCodeOf(error) !== '55006') throw error // object_in_use
    }
  }
}

async function administerAt(server: string, statement: string): Promise<void> {
  const options = {connectionMax: 1, prepare: false, statementTimeoutMs: 60_000, waitMs: 60_000} // on a busy machine
  const address = parseDatabaseUrl(server)
  const parameters = {...address.parameters, ...(areDistributed ? nodeParameters : {})}
  const {database} = await openDatabase({...address, parameters}, options)
  try {
    await database.query(statement)
  } finally {
    await database.end(1000)
  }
}

/** A name that is safe in the text of SQL. */
export const schemaIdentifier = quoteIdentifier(testSchema)

function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL
  if (url === undefined) throw new Error('This test needs a PostgreSQL server: run it with "npm test -- <files>".')
  return url
}

/** Whether a statement of a service is running on a database. */
export async function isAnswering({database, name}: TestDatabase): Promise<boolean> {
  const text = `select from pg_stat_activity
    where datname = $1 and state = 'active' and application_name ~ '^quadstead .'`
  return (await database.query(text, [name])).length > 0
}
