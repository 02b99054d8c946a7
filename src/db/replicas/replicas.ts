/**
 * A primary and its replicas as one database: reads go to a replica if they may, everything else to the primary.
 *
 * A replica's answer is used only if the replica had replayed what the reader must see. The primary is asked if it had
 * not, if it fails, or if the answer is older than what the client knows. A replica can therefore make an answer
 * cheaper or, within the allowed lag, older, but never wrong and never an error. Source: PostgreSQL manual §26.4.2
 * (query conflicts on a standby: 40001, 40P01, or the session is ended).
 */
import {setTimeout as delay} from 'node:timers/promises'
import {observe, type ReadObservation} from '../../base/observation.ts'
import type {DatabaseAddress} from '../connection/address.ts'
import type {Database} from '../connection/pool.ts'
import {databaseCodeOf, isCollision, isUnavailable} from '../connection/problem-of.ts'
import {createGrantChanges, type GrantChanges} from '../store/grant-changes.ts'
import {createPrimaryLog, type PrimaryLog} from './primary-log.ts'
import {type LogPosition, type ReadChoice, type Reader, ServerBehind} from './reader.ts'
import {createReplica, type Replica, type ReplicaOptions, type ReplicaState} from './replica.ts'

export type Replicated = {
  readonly database: Database
  /** A position after everything that was committed before the call; Problem 503 if the primary does not answer. */
  readonly position: () => Promise<LogPosition>
  /** The position after which replicas know the grants; undefined without access control. */
  readonly grants: Pick<GrantChanges, 'position' | 'changed'> | undefined
  readonly states: () => readonly ReplicaState[]
  /**
   * The same servers for one of several datasets. `close` ends the watching of its grants.
   *
   * @param guardedSchema  its schema; undefined without access control
   */
  readonly forDataset: (name: string, guardedSchema: string | undefined) => Replicated
  /** Closes the connections to the replicas; those to the primary stay open. */
  readonly close: () => Promise<void>
}

type Fallback = NonNullable<ReadObservation['fallback']>

const watchMs = 500
const firstLookMs = 1000

export type ReplicasOptions = ReplicaOptions & {
  readonly guardedSchema: string | undefined // the schema of the grants; undefined without access control
  readonly stayText?: string | undefined // of a dataset that moves between nodes (primary-log.ts)
}

/** Waits up to a second for the replicas, but starts without them. */
export async function openReplicas(
  primary: Database,
  addresses: readonly DatabaseAddress[],
  {guardedSchema, stayText, ...options}: ReplicasOptions,
): Promise<Replicated> {
  const log = createPrimaryLog(primary, 2 * options.lagLimitMs, stayText)
  const watched = new Set<GrantChanges>()
  const replicas = addresses.map(address => createReplica(address, options, log))
  const stopping = new AbortController()

  async function watch(): Promise<void> {
    const looks = [log.sample(), ...Array.from(watched, grants => grants.look())]
    const looked = Promise.allSettled(looks) // if they fail, the earlier samples are used
    await Promise.race([looked, delay(watchMs, undefined, {ref: false})])
    await Promise.all(replicas.map(replica => replica.look()))
  }
  async function keepWatching(): Promise<void> {
    while (!stopping.signal.aborted) {
      await delay(watchMs, undefined, {ref: false, signal: stopping.signal}).catch(() => undefined)
      if (!stopping.signal.aborted) await Promise.race([watch(), delay(watchMs, undefined, {ref: false})])
    }
  }

  /** Both servers as one database, for the only dataset or for one of several. */
  function databaseOver(routed: Routed): Database {
    return {
      ...routed.own,
      read: (reader, work, choice = {}) => route({...routed, replicas, log, reader, choice}, work),
      forDataset: name => databaseOver({own: primary.forDataset(name), of: server => server.forDataset(name)}),
    }
  }
  function forSchema(database: Database, schema: string | undefined, close: () => Promise<void>): Replicated {
    const grants = schema === undefined ? undefined : createGrantChanges(primary, schema, log)
    if (grants !== undefined) watched.add(grants)
    return {
      database,
      position: log.position,
      grants,
      states: () => replicas.map(replica => replica.state()),
      forDataset: (name, guarded) => forSchema(database.forDataset(name), guarded, async () => undefined),
      async close() {
        if (grants !== undefined) watched.delete(grants)
        await close()
      },
    }
  }

  const all = forSchema(databaseOver({own: primary, of: server => server}), guardedSchema, async () => {
    stopping.abort()
    await Promise.all(replicas.map(replica => replica.close()))
  })
  await Promise.race([watch(), delay(firstLookMs)])
  void keepWatching()
  return all
}

/** The primary as a dataset sees it, and the same view of another server. */
type Routed = {readonly own: Database; readonly of: (server: Database) => Database}

type Route<Result> = Routed & {
  readonly replicas: readonly Replica[]
  readonly log: PrimaryLog
  readonly reader: Reader | undefined
  readonly choice: ReadChoice<Result>
}

/** Reads from a suitable replica if there is one and it answers well, otherwise from the primary. */
async function route<Result>(
  {own, of, replicas, log, reader, choice}: Route<Result>,
  work: (server: Database, after: LogPosition | undefined) => Promise<Result>,
): Promise<Result> {
  if (reader === undefined || reader.server === 'primary') return work(own, undefined)
  const well = replicas.filter(replica => replica.database() !== undefined)
  const replica = choose(well, reader)
  const unused = well.length === 0 ? ('none' as const) : ('behind' as const)
  const workThere = (server: Database, after: LogPosition | undefined) => work(of(server), after)
  const outcome = replica === undefined ? {fallback: unused} : await attempt({replica, reader, log}, workThere, choice)
  if ('result' in outcome) return outcome.result
  reader.server = 'primary'
  observe({kind: 'read', server: 'primary', fallback: outcome.fallback})
  return work(own, undefined)
}

/**
 * The replica that the reader used before; else, from its place on, the first known to have replayed enough, or the
 * first that may have.
 */
function choose(well: readonly Replica[], {server, place, after}: Reader): Replica | undefined {
  if (server !== undefined) return well.find(({name}) => name === server)
  const start = well.length === 0 ? 0 : place % well.length
  const ordered = [...well.slice(start), ...well.slice(0, start)]
  return (
    ordered.find(replica => replica.has(after) === 'yes') ?? ordered.find(replica => replica.has(after) === 'perhaps')
  )
}

type Attempt = {readonly replica: Replica; readonly reader: Reader; readonly log: PrimaryLog}

async function attempt<Result>(
  {replica, reader, log}: Attempt,
  work: (server: Database, after: LogPosition | undefined) => Promise<Result>,
  {isEnough, isSent}: ReadChoice<Result>,
): Promise<{readonly result: Result} | {readonly fallback: Fallback}> {
  const server = replica.database()
  if (server === undefined) return {fallback: 'none'}
  const needed = log.onReplica(reader.after)
  if (needed === undefined) return {fallback: 'behind'}
  reader.server = replica.name
  try {
    const result = await work(server, needed.after)
    if (reader.after !== undefined) replica.found(reader.after)
    if (isEnough?.(result) === false) return {fallback: 'older'}
    observe({kind: 'read', server: replica.name, fallback: undefined})
    return {result}
  } catch (error) {
    const fallback = fallbackFor(error, replica, log)
    if (fallback === undefined || isSent?.() === true) throw error
    return {fallback}
  }
}

/** The reason to ask the primary after an error; undefined if the primary would fail in the same way. */
function fallbackFor(error: unknown, replica: Replica, log: PrimaryLog): Fallback | undefined {
  if (error instanceof ServerBehind) {
    replica.found(log.ofReplica(error.replayed))
    return 'behind'
  }
  const code = databaseCodeOf(error)
  if (code === undefined) return undefined
  if (code === 'QS404' || code === 'QS410') return 'older' // what it does not have may have been written since
  if (isCollision(code)) return 'conflict'
  if (isUnknownName(code)) return 'behind'
  if (!isUnavailable(code)) return undefined
  replica.leave(error instanceof Error ? error.message : String(error))
  return 'lost'
}

/** Whether a schema, table, column, function or type is unknown: the replica may not have replayed a migration yet. */
function isUnknownName(code: string): boolean {
  return ['3F000', '42P01', '42703', '42704', '42883'].includes(code)
}
