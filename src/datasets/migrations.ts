/**
 * Brings the schemas of datasets up to date, while the service is up.
 *
 * One dataset after the other, each in a transaction of its own. The registry records each result, so a process that
 * ends early goes on where it was at its next start. A dataset that is requested before its turn is next.
 *
 * Each upgrade has a connection of its own, which is closed after it, because PostgreSQL keeps what it has loaded. The
 * functions get no comments: PostgreSQL finds a function by its name among those of all schemas, and each comment
 * would load as many functions as there are datasets.
 *
 * A process applies its SQL files to a dataset at most once. During an upgrade with old and new processes at the same
 * time they would otherwise replace each other's functions for ever.
 */
import {observe} from '../base/observation.ts'
import {createPool} from '../db/connection/pool.ts'
import type {DatasetEntry, Registry} from '../db/registry/registry.ts'
import {migrate} from '../db/store/migrate.ts'
import {readSqlFiles, sqlVersionOf} from '../db/store/sql-files.ts'
import {sqlDirectory} from '../sql-directory.ts'
import type {Storage} from '../storage.ts'
import type {Servers} from './servers.ts'

export type Migrations = {
  /** Whether the schema of a dataset is up to date. */
  readonly isDone: (dataset: DatasetEntry) => boolean
  /** Brings the schema of one dataset up to date. Concurrent calls for it share the work. */
  readonly ensure: (dataset: DatasetEntry, storage: Storage) => Promise<void>
  /** Brings all schemas up to date, in the background. */
  readonly begin: (datasets: () => readonly DatasetEntry[], servers: Servers) => void
  /** Waits for the background work: for all of it (`finish`), or for the schema that is at work. */
  readonly close: (how?: 'finish') => Promise<void>
}

const upgradesAtOnce = 4 // the background work is one of them

export async function createMigrations(registry: Pick<Registry, 'noteMigration'>): Promise<Migrations> {
  const sqlVersion = sqlVersionOf(await readSqlFiles(sqlDirectory))
  const done = new Set<string>() // ids of datasets
  const turns = createTurns(upgradesAtOnce)
  const running = new Map<string, Promise<void>>() // by id
  let sweeping: Promise<void> = Promise.resolve()
  let isClosing = false

  const isDone = ({id, sqlVersion: stored}: DatasetEntry) => stored === sqlVersion || done.has(id)

  async function run({id, name, schema}: DatasetEntry, storage: Storage): Promise<void> {
    try {
      await turns.run(() => migrateAlone(storage, schema))
      done.add(id)
      await registry.noteMigration(id, {sqlVersion})
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      observe({kind: 'dataset-failed', dataset: name, reason})
      if (!done.has(id)) await registry.noteMigration(id, {failure: reason}).catch(() => undefined)
      throw error
    }
  }
  function ensure(dataset: DatasetEntry, storage: Storage): Promise<void> {
    if (isDone(dataset)) return Promise.resolve()
    const work = running.get(dataset.id) ?? run(dataset, storage).finally(() => running.delete(dataset.id))
    running.set(dataset.id, work)
    return work
  }
  async function sweep(datasets: readonly DatasetEntry[], servers: Servers): Promise<void> {
    const counts = {datasets: 0, failed: 0}
    for (const dataset of datasets) {
      if (isClosing) return
      if (isDone(dataset)) continue
      const isUpToDate = await migrateOn(servers, dataset, ensure)
      counts[isUpToDate ? 'datasets' : 'failed'] += 1
    }
    if (counts.datasets + counts.failed > 0) observe({kind: 'datasets-migrated', ...counts})
  }

  return {
    isDone,
    ensure,
    begin(datasets, servers) {
      sweeping = sweep(datasets(), servers)
    },
    async close(how) {
      isClosing = how === undefined
      await sweeping
      await Promise.allSettled(running.values())
    },
  }
}

/** Brings a schema up to date on a connection that nobody else uses. In a Citus cluster, `migrate` does so itself. */
async function migrateAlone(
  {database, distributed, address, isPooled = false}: Storage,
  schema: string,
): Promise<void> {
  if (distributed !== undefined) return void (await migrate(database, {schema, directory: sqlDirectory}))
  const alone = createPool(address, {connectionMax: 1, isPooled, prepare: false, statementTimeoutMs: 0})
  try {
    await migrate(alone, {schema, directory: sqlDirectory, isOneOfMany: true})
  } finally {
    await alone.end(1000)
  }
}

/** Lets few run at the same time; the others wait. */
function createTurns(most: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      if (running >= most) await new Promise<void>(resolve => waiting.push(resolve))
      else running += 1
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next === undefined) running -= 1
        else next()
      }
    },
  }
}

/** Returns whether the schema of a dataset is up to date now. A failure is recorded, and does not stop the others. */
async function migrateOn(servers: Servers, dataset: DatasetEntry, ensure: Migrations['ensure']): Promise<boolean> {
  const lease = await servers.serverOf(dataset).catch((error: unknown) => {
    observe({kind: 'dataset-failed', dataset: dataset.name, reason: String(error)})
  })
  if (lease === undefined) return false
  try {
    await ensure(dataset, lease.storage)
    return true
  } catch {
    return false // recorded by `ensure`
  } finally {
    await lease.release()
  }
}
