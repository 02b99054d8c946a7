/** The databases of a run: one for each kind of data, loaded by the import, on the embedded server or another one. */
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type DatabaseAddress, parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {createPool, type Database} from '../../src/db/connection/pool.ts'
import {startEmbedded} from '../../src/db/embedded/embedded.ts'
import {readFrequencies, type StoredFrequencies} from '../../src/db/query/frequencies.ts'
import {migrate} from '../../src/db/store/migrate.ts'
import {fill} from '../../test/plans/fill.ts'
import type {Kind} from '../../test/plans/kinds.ts'
import {testSchema as schema} from '../../test/support/postgres.ts'

export type Server = {
  readonly version: string
  readonly create: (name: string) => Promise<Place>
  readonly stop: () => Promise<void>
}

/** A connection to one database of the run. `drop` closes it and drops the database. */
export type Place = {readonly database: Database; readonly drop: () => Promise<void>}

export type Loaded = {readonly database: Database; readonly frequencies: StoredFrequencies; readonly end: Place['drop']}

/** @param url  of a server on which databases can be created; undefined: the embedded one, with its default settings */
export async function startServer(url: string | undefined, binaryDirectory?: string): Promise<Server> {
  if (url !== undefined)
    return {version: 'as DATABASE_URL tells', ...databasesOf(parseDatabaseUrl(url)), stop: async () => undefined}
  const dataDirectory = await mkdtemp(join(tmpdir(), 'quadstead-plans-'))
  const embedded = await startEmbedded({dataDirectory, ...(binaryDirectory === undefined ? {} : {binaryDirectory})})
  return {
    version: embedded.version,
    ...databasesOf(embedded.address),
    async stop() {
      await embedded.stop()
      await rm(dataDirectory, {recursive: true, force: true})
    },
  }
}

function databasesOf(address: DatabaseAddress): Pick<Server, 'create'> {
  const options = {connectionMax: 1, isPooled: false, prepare: false, statementTimeoutMs: 0, keepsSessions: true}
  const administer = async (text: string) => {
    const server = createPool({...address, database: 'postgres'}, options)
    await server.query(text)
    await server.end(1000)
  }
  return {
    async create(name) {
      await administer(`create database ${name}`)
      const parameters = {application_name: 'bench of plans'}
      const database = createPool({...address, database: name, parameters}, options)
      const drop = async () => {
        await database.end(1000)
        await administer(`drop database ${name} with (force)`)
      }
      return {database, drop}
    },
  }
}

export type LoadOptions = {
  readonly lines: readonly string[]
  readonly isStale: boolean // statistics are those of the first half of the data
}

/** Loads one kind of data into a database of its own, with the import command. */
export async function load(server: Server, kind: Kind, {lines, isStale}: LoadOptions): Promise<Loaded> {
  const {database, drop} = await server.create(`plans_${kind.name}_${process.pid}`)
  await migrate(database, {schema, directory: 'sql'})
  await fill(database, kind, lines)
  await database.query(`alter table ${schema}.quad set (autovacuum_enabled = off)`)
  if (isStale) await takeAway(database)
  await database.query(`vacuum (analyze) ${schema}.quad`)
  const frequencies = await readFrequencies(database, schema)
  if (isStale) await database.query(`insert into ${schema}.quad select * from rest`)
  return {database, frequencies, end: drop}
}

/** Removes the quads of the younger half of the graphs, to add them later. */
async function takeAway(database: Database): Promise<void> {
  await database.query(
    `create table rest as select * from ${schema}.quad
      where g > (select percentile_disc(0.5) within group (order by g) from ${schema}.quad)`,
  )
  await database.query(`delete from ${schema}.quad where g in (select g from rest)`)
}
