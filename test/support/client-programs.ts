/** PostgreSQL's client programs psql and pg_dump, if the machine has versions that work with the test server. */
import {execFile} from 'node:child_process'
import {promisify} from 'node:util'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {openDatabase} from '../../src/db/connection/connect.ts'
import {databaseUrl} from './postgres.ts'

const run = promisify(execFile)

export type Program = 'psql' | 'pg_dump'

/**
 * Why a program cannot be used; undefined if it can.
 *
 * pg_dump refuses servers that are newer than itself, and writes for psql of its own version.
 */
export async function reasonAgainst(program: Program): Promise<string | undefined> {
  const version = await run(program, ['--version']).then(
    ({stdout}) => Number.parseInt(/(\d+)\./.exec(stdout)?.[1] ?? '0', 10),
    () => undefined,
  )
  if (version === undefined) return `no ${program} on this machine`
  const server = await serverMajor()
  return program === 'pg_dump' && version < server ? `pg_dump ${version} cannot read a server ${server}` : undefined
}

/** Runs a program on a database of the test server. Throws its error output if it fails. */
export async function runProgram(program: Program, database: string, ...parameters: string[]): Promise<string> {
  const url = databaseUrl(database)
  const options = {maxBuffer: 64 * 1024 * 1024, env: {...process.env, PGAPPNAME: 'test'}}
  const {stdout} = await run(program, [...parameters, url], options)
  return stdout
}

async function serverMajor(): Promise<number> {
  const address = parseDatabaseUrl(databaseUrl('postgres'))
  const options = {connectionMax: 1, prepare: false, statementTimeoutMs: 0, waitMs: 0} as const
  const {database, server} = await openDatabase(address, options)
  await database.end(1000)
  return Number.parseInt(server.version, 10)
}
