/** Starts a primary and replicas by streaming replication on this machine, if it has the programs. */
import {type ChildProcess, execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {createPool, type Database} from '../../src/db/connection/pool.ts'
import {type Account, chooseAccount, commandAs} from '../../src/db/embedded/account.ts'
import {startEmbedded} from '../../src/db/embedded/embedded.ts'
import {until} from './machine.ts'
import {findOlderBinaries} from './servers.ts'

/** Settings of all servers: fast, not durable. */
const testSettings = {fsync: 'off', full_page_writes: 'off', max_connections: '50', wal_keep_size: '256MB'}
type ServerSettings = Readonly<Record<string, string>>

/** The folder with initdb, postgres and pg_basebackup of one version; undefined if there is none. */
export async function findReplicationBinaries(): Promise<string | undefined> {
  const directory = await findOlderBinaries()
  return directory !== undefined && existsSync(join(directory, 'pg_basebackup')) ? directory : undefined
}

export type TestReplica = {
  readonly url: string // as DATABASE_READ_URL
  /** Runs a statement as the superuser of the replica. */
  readonly query: Database['query']
  readonly processId: () => number
  readonly pause: () => Promise<void> // pauses replay; connections stay open
  readonly resume: () => Promise<void>
  /** Stops or continues its processes (SIGSTOP, SIGCONT). */
  readonly freeze: () => void
  readonly thaw: () => void
  readonly kill: () => Promise<void> // SIGKILL, like a power failure
  readonly start: () => Promise<void>
}

export type Replication = {
  readonly url: string // of the primary, as DATABASE_URL
  readonly primary: Database
  readonly primaryProcessId: () => number
  readonly replicas: readonly TestReplica[]
  /** Resolves when every replica has replayed everything that was committed before. */
  readonly caughtUp: () => Promise<void>
  readonly stop: () => Promise<void>
}

export async function startReplication(
  binaries: string,
  count: number,
  settings: ServerSettings = testSettings,
): Promise<Replication> {
  const root = mkdtempSync(join(tmpdir(), 'qs-replication-'))
  chmodSync(root, 0o755)
  const account = chooseAccount()
  const embedded = await startEmbedded({dataDirectory: join(root, 'primary'), binaryDirectory: binaries, settings})
  const socket = embedded.address.socketPath ?? ''
  const url = urlOf(socket.slice(0, socket.lastIndexOf('/')))
  const primary = open(url)
  const replicas: (TestReplica & {readonly stop: () => Promise<void>})[] = []
  async function stop(): Promise<void> {
    for (const replica of replicas) await replica.stop()
    await primary.end(1000)
    await embedded.stop()
    rmSync(root, {recursive: true, force: true})
  }
  try {
    for (let number = 0; number < count; number += 1)
      replicas.push(await startReplica({binaries, account, settings}, join(root, `r${number}`), url))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    primary,
    primaryProcessId: embedded.processId,
    replicas,
    async caughtUp() {
      // The end of a record. The insert position may be past a page header, which replay reaches with the next record.
      const [row] = await primary.query<{at: string}>(`select pg_logical_emit_message(true, '', '')::text as at`)
      const text = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there'
      for (const replica of replicas) {
        await until(async () => {
          const [seen] = await replica.query<{is_there: boolean}>(text, [row?.at ?? ''])
          return seen?.is_there === true
        })
      }
    },
    stop,
  }
}

type ReplicaServer = {
  readonly binaries: string
  readonly account?: Account
  readonly settings: ServerSettings
}

/** Copies the server of a URL into a folder that does not exist, and starts the copy as its replica. */
export async function startReplica(
  {binaries, account = chooseAccount(), settings}: ReplicaServer,
  directory: string,
  from: string,
): Promise<TestReplica & {readonly stop: () => Promise<void>}> {
  const {socketPath, hosts} = parseDatabaseUrl(from)
  const [{host, port} = {host: '', port: 5432}] = hosts
  const at = socketPath === undefined ? host : socketPath.slice(0, socketPath.lastIndexOf('/'))
  execFileSync(join(binaries, 'pg_basebackup'), [
    ...['--host', at, '--port', String(port), '--username', 'quadstead', '--pgdata', directory],
    ...['--write-recovery-conf', '--wal-method', 'stream', '--checkpoint', 'fast', '--no-sync'],
  ])
  const sockets = `${directory}-socket` // the copy contains the lock of the primary's socket
  mkdirSync(sockets)
  for (const path of [directory, sockets]) giveTo(account, path)
  const url = urlOf(sockets)
  let server: ChildProcess | undefined
  let database = open(url)

  async function start(): Promise<void> {
    const options = {...settings, listen_addresses: '', port: '5432', unix_socket_directories: sockets}
    const parameters = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const command = commandAs(account, join(binaries, 'postgres'), ['-D', directory, ...parameters])
    server = spawn(command.file, command.parameters, {...command.options, cwd: '/', stdio: 'ignore', detached: true})
    database = open(url)
    await until(() =>
      database.query('select 1').then(
        () => true,
        () => false,
      ),
    )
  }
  function signalAll(signal: NodeJS.Signals): void {
    for (const pid of [server?.pid ?? 0, ...childrenOf(server?.pid ?? 0)]) if (pid > 0) signalOne(pid, signal)
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    await database.end(0)
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    if (signal === 'SIGKILL') signalAll(signal)
    else server.kill(signal)
    await exited
  }

  await start()
  return {
    url,
    query: ((...asked: Parameters<Database['query']>) => database.query(...asked)) as Database['query'],
    processId: () => server?.pid ?? 0,
    async pause() {
      await database.query('select pg_wal_replay_pause()')
      await until(async () => {
        const [row] = await database.query<{state: string}>('select pg_get_wal_replay_pause_state() as state')
        return row?.state === 'paused'
      })
    },
    async resume() {
      await database.query('select pg_wal_replay_resume()')
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    kill: () => end('SIGKILL'),
    start,
    stop: () => end('SIGINT'),
  }
}

/** Sends a signal to a process that may have ended meanwhile: a child ends by itself when its postmaster is killed. */
function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function urlOf(directory: string): string {
  return `postgres://quadstead@localhost/postgres?host=${encodeURIComponent(directory)}`
}

function open(url: string): Database {
  const options = {connectionMax: 4, isPooled: false, prepare: false, statementTimeoutMs: 60_000}
  return createPool(parseDatabaseUrl(url), options)
}

function giveTo(account: Account, directory: string): void {
  if (account.kind !== 'other') return
  for (const entry of readdirSync(directory, {recursive: true, encoding: 'utf8'}))
    chownSync(join(directory, entry), account.userId, account.groupId)
  chownSync(directory, account.userId, account.groupId)
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  } catch {
    return []
  }
}
