/**
 * One replica: opened, checked regularly, and not used while it lags or does not answer.
 *
 * Checks use a connection of their own, so that load does not make the replica seem dead. A replica that does not
 * answer is checked less and less often. If it stays silent its connections are closed, so that waiting statements fail
 * and run on the primary instead.
 *
 * All connections must lead to one server: a request reads by several of them, and needs in each what it has seen in
 * another. An address that distributes connections over several servers is therefore not used.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from '../../base/observation.ts'
import {type DatabaseAddress, describeAddress} from '../connection/address.ts'
import {type OpenOptions, openDatabase} from '../connection/connect.ts'
import {createPool, type Database} from '../connection/pool.ts'
import {clusterText, type Lag, type PrimaryLog} from './primary-log.ts'
import {type LogPosition, parseLogPosition} from './reader.ts'

export type ReplicaOptions = Omit<OpenOptions, 'waitMs' | 'keepsSessions'> & {readonly lagLimitMs: number}

export type ReplicaState = {readonly name: string; readonly isIn: boolean; readonly lag: Lag}

export type Replica = {
  readonly name: string
  readonly state: () => ReplicaState
  /** Its pool; undefined while the replica is not used. */
  readonly database: () => Database | undefined
  /** Whether it has replayed `after`: 'perhaps' if it had not when last checked, but the check is not recent. */
  readonly has: (after: LogPosition | undefined) => 'yes' | 'perhaps' | 'no'
  /** Records a position that it was found to have replayed. */
  readonly found: (replayed: LogPosition) => void
  /** Stops its use until the next successful check. */
  readonly leave: (reason: string) => void
  readonly look: () => Promise<void>
  readonly close: () => Promise<void>
}

type Connections = {readonly database: Database; readonly probe: Database}

const lookMs = 2000 // maximum wait for an answer
const longestPauseMs = 10_000
const silencesUntilCut = 2
const askAgainMs = 10
const severalServers = 'its URL leads to several servers: name each of them in DATABASE_READ_URL'
const unknown: Lag = {ms: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY}

/** SQL that differs between servers, and between runs of one server. */
const runText = 'pg_postmaster_start_time()::text'

const lookText = `
  select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position, ${clusterText} as cluster,
         ${runText} as run`

export function createReplica(address: DatabaseAddress, options: ReplicaOptions, log: PrimaryLog): Replica {
  const standing = createStanding(describeAddress(address))
  const progress = createProgress()
  const leadsElsewhere = createComparison(options.connectionMax)
  let connections: Connections | undefined
  let [failures, dueAtMs, cluster] = [0, 0, ''] // the cluster as last found
  let looking: Promise<void> | undefined
  let isClosed = false

  async function cut(): Promise<void> {
    const {database, probe} = connections ?? {}
    connections = undefined
    await Promise.all([database?.end(0), probe?.end(0)])
  }

  async function lookNow(): Promise<void> {
    try {
      connections ??= await open(address, options)
      const {position, ...found} = await positionOf(connections.probe, log)
      void compare(connections, found.run)
      ;[failures, cluster] = [0, found.cluster]
      progress.looked(position)
      standing.judge(log.lagOf(position), options.lagLimitMs)
    } catch (error) {
      failures += 1
      dueAtMs = performance.now() + Math.min(250 * 2 ** failures, longestPauseMs)
      standing.leave(error instanceof Error ? error.message : String(error))
      if (failures >= silencesUntilCut) await cut()
    }
    if (isClosed) await cut()
  }

  /** Stops the use if a connection of the pool leads to another server than the probe. */
  async function compare(compared: Connections, run: string): Promise<void> {
    if (!(await leadsElsewhere(compared.database, run)) || connections !== compared) return
    dueAtMs = performance.now() + longestPauseMs
    standing.leave(severalServers)
    await cut()
  }

  return {
    name: standing.name,
    state: () => ({name: standing.name, isIn: standing.isIn(), lag: standing.lag()}),
    database: () => (standing.isIn() && isOf(log, cluster) ? connections?.database : undefined),
    has: progress.has,
    found: progress.found,
    leave: standing.leave,
    async look() {
      if (looking !== undefined || isClosed || performance.now() < dueAtMs) return
      looking = lookNow()
      await looking
      looking = undefined
    },
    async close() {
      isClosed = true
      await Promise.race([looking, delay(lookMs, undefined, {ref: false})])
      await cut()
    },
  }
}

/** Tracks how far a replica is known to have replayed. */
function createProgress(): Pick<Replica, 'has' | 'found'> & {readonly looked: (replayed: LogPosition) => void} {
  let replayed: LogPosition = 0n
  let askedAtMs = Number.NEGATIVE_INFINITY
  return {
    looked(position) {
      replayed = position // may be less than before: after a crash replay restarts
      askedAtMs = performance.now()
    },
    found(position) {
      askedAtMs = performance.now()
      if (position > replayed) replayed = position
    },
    has: after =>
      after === undefined || replayed >= after ? 'yes' : performance.now() < askedAtMs + askAgainMs ? 'no' : 'perhaps',
  }
}

/** Tracks the lag of a replica and whether it is used, and reports each change of its use once. */
function createStanding(name: string) {
  let isIn: boolean | undefined // undefined: not checked yet
  let lag = unknown
  function leave(reason: string): void {
    if (isIn !== false) observe({kind: 'replica-left', replica: name, reason})
    isIn = false
    lag = unknown
  }
  return {
    name,
    isIn: () => isIn === true,
    lag: () => lag,
    leave,
    judge(now: Lag, limitMs: number): void {
      const {ms, bytes} = now
      if (ms > limitMs) leave(`it is ${bytes} bytes behind, for longer than ${limitMs} ms`)
      else if (isIn !== true) observe({kind: 'replica-joined', replica: name})
      isIn = ms <= limitMs
      lag = now
    },
  }
}

/**
 * Compares the runs that the connections of a pool lead to with an expected one. A busy pool may answer late; until
 * then further comparisons find no difference. Neither does one that fails, because then reads fail too.
 */
function createComparison(connectionMax: number): (database: Database, expected: string) => Promise<boolean> {
  let isWaiting = false
  return async (database, expected) => {
    if (isWaiting) return false
    isWaiting = true
    const runs = await runsOf(database, connectionMax).catch(() => [])
    isWaiting = false
    return runs.some(run => run !== expected)
  }
}

type Found = {readonly position: LogPosition; readonly cluster: string; readonly run: string}

/** Reads the replay position, the cluster and the run. Throws if the server is not a replica of this primary. */
async function positionOf(probe: Database, log: PrimaryLog): Promise<Found> {
  const [row] = await inTime(probe.query<{position: string | null; cluster: string; run: string}>(lookText))
  const place = parseLogPosition(row?.position ?? '')
  if (row === undefined || place === undefined) throw new Error('it replays nothing, so it is no replica')
  const {cluster, run} = row
  if (!isOf(log, cluster)) throw new Error('it is a replica of another primary')
  return {position: log.ofReplica(place), cluster, run}
}

/** Whether a cluster is that of the primary. A dataset of a Citus cluster may have moved to another one. */
function isOf(log: PrimaryLog, cluster: string): boolean {
  const expected = log.cluster()
  return expected === undefined || cluster === expected
}

/** The runs that connections of a pool lead to. Concurrent statements use different connections. */
async function runsOf(database: Database, count: number): Promise<string[]> {
  const asked = Array.from({length: count}, () => database.query<{run: string}>(`select ${runText} as run`))
  return (await Promise.all(asked)).map(([row]) => row?.run ?? '')
}

async function open(address: DatabaseAddress, options: ReplicaOptions): Promise<Connections> {
  const {database, server} = await openDatabase(address, {...options, waitMs: 0})
  const {isPooled} = server
  const probe = createPool(address, {connectionMax: 1, isPooled, prepare: false, statementTimeoutMs: lookMs})
  const compared = inTime(Promise.all([runsOf(probe, 1), runsOf(database, options.connectionMax)]))
  try {
    if (new Set((await compared).flat()).size > 1) throw new Error(severalServers)
    return {database, probe}
  } catch (error) {
    await Promise.all([database.end(0), probe.end(0)])
    throw error
  }
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const over = new AbortController()
  const late = delay(lookMs, undefined, {signal: over.signal}).then(() => {
    throw new Error(`it did not answer within ${lookMs} ms`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
    late.catch(() => undefined)
    work.catch(() => undefined)
  }
}
