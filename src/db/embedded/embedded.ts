/**
 * The embedded PostgreSQL: started if no DATABASE_URL is given, supervised, and stopped with the service.
 *
 * It has no port and no password: it listens on a Unix socket in a folder that only our account can enter. It runs in a
 * session of its own, so that Ctrl-C reaches us first. It survives a `kill -9` of our process, and the next start
 * adopts it. If it dies, it is started again and recovers.
 */
import {spawn} from 'node:child_process'
import {closeSync, openSync} from 'node:fs'
import {mkdir, readFile, rename, rm, stat} from 'node:fs/promises'
import {platform} from 'node:os'
import {join, resolve} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from '../../base/observation.ts'
import {isProcessAlive} from '../../base/process-identity.ts'
import {Refusal} from '../../base/refusal.ts'
import type {DatabaseAddress} from '../connection/address.ts'
import {type Account, chooseAccount, commandAs} from './account.ts'
import {findBinaries} from './binaries.ts'
import {type Cluster, clusterUser, prepareCluster, serverEnvironment} from './cluster.ts'
import {lockDirectory} from './directory-lock.ts'
import {answers, findPostmaster, type Postmaster, readPostmaster} from './postmaster.ts'
import {removeSettings, writeSettings} from './settings.ts'

export type EmbeddedOptions = {
  readonly dataDirectory: string
  readonly binaryDirectory?: string // of another PostgreSQL, 15 or newer
  readonly accountKinds?: readonly Account['kind'][] // tests use one kind
  readonly settings?: Readonly<Record<string, string>> // override those of postgresql.conf
  /** Settings for a cluster in `directory`; postgresql.conf and ALTER SYSTEM override them. */
  readonly tuning?: (directory: string) => Readonly<Record<string, string>>
}

type StartOptions = Pick<EmbeddedOptions, 'settings' | 'tuning'>

export type Embedded = {
  readonly address: DatabaseAddress
  readonly directory: string // of the cluster
  readonly version: string // '18.4'
  readonly processId: () => number
  readonly stop: () => Promise<void> // fast shutdown: running statements are cancelled
}

const pollMs = 20
const superviseMs = 250
const startLimitMs = 10 * 60_000 // recovery after a crash replays the log
const stopLimitMs = 60_000
const logLimitBytes = 10 * 1024 * 1024

/**
 * Starts PostgreSQL on a data directory, or adopts the one that runs there.
 *
 * @throws  Refusal: another Quadstead owns the directory, there are no programs or no account, or PostgreSQL does not
 *          start
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  if (platform() === 'win32') {
    throw new Refusal(
      'On Windows, set DATABASE_URL to a PostgreSQL 15 or newer: the one that comes with Quadstead needs Unix sockets.',
    )
  }
  const dataDirectory = resolve(options.dataDirectory)
  await makeDirectory(dataDirectory)
  const unlock = await lockDirectory(dataDirectory)
  try {
    const binaries = await findBinaries(options.binaryDirectory, dataDirectory)
    const cluster = await prepareCluster(dataDirectory, binaries, chooseAccount(options.accountKinds))
    return await keep(cluster, options, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

/** The address of the PostgreSQL running on a data directory, for commands beside the service; undefined if none. */
export async function runningEmbedded(dataDirectory: string): Promise<DatabaseAddress | undefined> {
  const {major} = await findBinaries(undefined, resolve(dataDirectory))
  const postmaster = await findPostmaster(join(resolve(dataDirectory), `pg${major}`))
  return postmaster !== undefined && (await answers(postmaster.socketPath)) ? addressOf(postmaster) : undefined
}

async function keep(cluster: Cluster, options: StartOptions, unlock: () => Promise<void>): Promise<Embedded> {
  let postmaster = await run(cluster, options)
  const stopping = new AbortController()
  const supervision = supervise()

  async function supervise(): Promise<void> {
    while (!stopping.signal.aborted) {
      await delay(superviseMs, undefined, {ref: false, signal: stopping.signal}).catch(() => undefined)
      if (stopping.signal.aborted || isProcessAlive(postmaster.processId)) continue
      observe({kind: 'embedded-lost', directory: cluster.directory, processId: postmaster.processId})
      try {
        postmaster = await run(cluster, options)
      } catch (error) {
        observe({kind: 'failure', error})
      }
    }
  }

  return {
    address: addressOf(postmaster),
    directory: cluster.directory,
    version: cluster.binaries.version,
    processId: () => postmaster.processId,
    async stop() {
      stopping.abort()
      await supervision
      await stopPostmaster(cluster.directory, postmaster.processId)
      if (cluster.socketDirectory !== cluster.directory)
        await rm(cluster.socketDirectory, {recursive: true, force: true})
      await unlock()
    },
  }
}

/**
 * Adopts or starts PostgreSQL. Backends of a killed postmaster keep its shared memory for a moment, so it tries again.
 */
async function run(cluster: Cluster, options: StartOptions): Promise<Postmaster> {
  for (let triesLeft = 20; ; triesLeft -= 1) {
    const adopted = await adopt(cluster)
    if (adopted !== undefined) return adopted
    try {
      return await startTuned(cluster, options)
    } catch (error) {
      if (triesLeft === 0 || !(error instanceof Refusal)) throw error
      if (!/shared memory block|lock file/.test(error.message)) throw error
      await delay(500)
    }
  }
}

/** Returns the PostgreSQL that runs already. Waits if it is starting or stopping. */
async function adopt({directory}: Cluster): Promise<Postmaster | undefined> {
  for (let silentTries = 0; ; ) {
    const found = await findPostmaster(directory)
    if (found === undefined) return refuseForeign(directory)
    if (found.status === 'ready' && (await answers(found.socketPath))) {
      observe({kind: 'embedded-adopted', directory, processId: found.processId})
      return found
    }
    if (found.status === 'ready') silentTries += 1
    if (silentTries > 3 && (await isOtherProgram(found.processId))) {
      await rm(join(directory, 'postmaster.pid'), {force: true}) // another program has its number now
      await rm(`${found.socketPath}.lock`, {force: true})
      return undefined
    }
    await delay(pollMs * 5)
  }
}

/** Refuses if a socket answers without a local process: storage is shared, and PostgreSQL runs in another container. */
async function refuseForeign(directory: string): Promise<undefined> {
  const postmaster = await readPostmaster(directory)
  if (postmaster === undefined || !(await answers(postmaster.socketPath))) return undefined
  throw new Refusal(
    `A PostgreSQL of another container is using ${directory}. Stop it, or give this one a DATA_DIR of its own.`,
  )
}

async function isOtherProgram(processId: number): Promise<boolean> {
  const name = await readFile(`/proc/${processId}/comm`, 'utf8').catch(() => undefined)
  return name !== undefined && name.trim() !== 'postgres'
}

/** Starts with the tuned settings or, if the machine does not have the memory, with PostgreSQL's defaults. */
async function startTuned(cluster: Cluster, {settings = {}, tuning}: StartOptions): Promise<Postmaster> {
  const {directory} = cluster
  if (tuning === undefined) return start(cluster, settings)
  await writeSettings(directory, tuning(directory))
  try {
    return await start(cluster, settings)
  } catch (error) {
    if (!(error instanceof Refusal) || !/could not (?:map|create|resize) .*shared memory/.test(error.message))
      throw error
    observe({kind: 'embedded-untuned', directory, reason: error.message})
    await removeSettings(directory)
    return start(cluster, settings)
  }
}

async function start(cluster: Cluster, settings: Readonly<Record<string, string>>): Promise<Postmaster> {
  const {directory, binaries, account, logPath} = cluster
  await turnLog(logPath)
  const command = commandAs(account, join(binaries.directory, 'postgres'), [
    '-D',
    directory,
    ...settingOptions(cluster, settings),
  ])
  const log = openSync(logPath, 'a', 0o600)
  const {size: logStart} = await stat(logPath)
  const child = spawn(command.file, command.parameters, {
    ...command.options,
    cwd: '/',
    env: serverEnvironment,
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  let ending: string | undefined
  child.once('error', error => {
    ending = error.message
  })
  child.once('exit', code => {
    ending = `it ended with code ${code}`
  })
  child.unref()
  for (const deadline = performance.now() + startLimitMs; performance.now() < deadline; await delay(pollMs)) {
    if (ending !== undefined)
      throw new Refusal(`PostgreSQL did not start on ${directory} (${ending}): ${await readLog(logPath, logStart)}`)
    const found = await findPostmaster(directory)
    if (found?.processId !== child.pid || found?.status !== 'ready' || !(await answers(found.socketPath))) continue
    observe({kind: 'embedded-started', directory, processId: found.processId})
    return found
  }
  throw new Refusal(
    `PostgreSQL was not ready on ${directory} within ${startLimitMs / 60_000} minutes; ${logPath} tells more.`,
  )
}

function settingOptions({socketDirectory}: Cluster, settings: Readonly<Record<string, string>>): readonly string[] {
  const all = {
    listen_addresses: '',
    port: '5432', // only used in the name of the socket
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
    log_checkpoints: 'off',
    ...settings,
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Fast shutdown (SIGINT): ends sessions and writes a checkpoint. */
async function stopPostmaster(directory: string, processId: number): Promise<void> {
  if (!isProcessAlive(processId)) return
  process.kill(processId, 'SIGINT')
  for (const deadline = performance.now() + stopLimitMs; performance.now() < deadline; await delay(pollMs)) {
    if (isProcessAlive(processId)) continue
    observe({kind: 'embedded-stopped', directory})
    return
  }
  throw new Refusal(
    `PostgreSQL (process ${processId}) did not stop within ${stopLimitMs / 1000} seconds and was left running.`,
  )
}

function addressOf({socketPath}: Postmaster): DatabaseAddress {
  return {
    hosts: [],
    socketPath,
    database: 'postgres',
    user: clusterUser,
    password: '',
    tls: false,
    targetSessionAttributes: undefined,
    connectTimeoutSeconds: 10,
    parameters: {},
  }
}

async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, {recursive: true, mode: 0o700})
  } catch (error) {
    throw new Refusal(
      `The data directory ${path} cannot be made (${error instanceof Error ? error.message : String(error)}).`,
      {cause: error},
    )
  }
}

async function turnLog(path: string): Promise<void> {
  const size = await stat(path).then(
    stats => stats.size,
    () => 0,
  )
  if (size > logLimitBytes) await rename(path, `${path}.old`)
}

async function readLog(path: string, from: number): Promise<string> {
  const text = await readFile(path)
  return text.subarray(from).subarray(-2000).toString('utf8').trim()
}
