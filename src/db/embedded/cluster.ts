/**
 * Creates or finds the PostgreSQL cluster in a data directory, and makes it accessible to an account.
 *
 * Layout of the data directory:
 *   quadstead.lock   which process serves it (directory-lock.ts)
 *   pg18/            the cluster, PostgreSQL's major version in its name; where the account cannot reach the data
 *                    directory (say, under /root), a link to /var/lib/quadstead/<hash>/pg18
 *   postgresql-…/    a copy of the programs, only if the installed package lacks links and is read-only
 *   pg18.log         PostgreSQL's log; a large one is renamed to pg18.log.old
 * initdb uses a temporary name and the result is renamed, so that two concurrent first starts do not conflict and an
 * incomplete cluster is never used. The socket is in the cluster (0700), or in another private folder if that path is
 * too long. Source: initdb(1); unix(7): sun_path has 108 bytes, 104 on BSD and macOS.
 */
import {spawn, spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {chmod, chown, lchown, lstat, mkdir, readdir, realpath, rename, rm, stat, symlink} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {observe} from '../../base/observation.ts'
import {Refusal} from '../../base/refusal.ts'
import {type Account, commandAs} from './account.ts'
import {type Binaries, copyBinaries} from './binaries.ts'

export type Cluster = {
  readonly directory: string // the real path
  readonly socketDirectory: string
  readonly logPath: string
  readonly binaries: Binaries // programs that the account can reach
  readonly account: Account
}

/** The owner of the database, and the only user of the cluster. */
export const clusterUser = 'quadstead'

/** Where data and programs are kept if the other account cannot reach their own place. */
const sharedPlace = '/var/lib/quadstead'
const longestSocketDirectoryBytes = 85 // leaves room for "/.s.PGSQL.5432"

/** The environment of PostgreSQL's programs, so that our own variables have no effect on them. */
export const serverEnvironment = {PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C'}

/**
 * Finds the cluster, or creates it.
 *
 * @param dataDirectory  must exist
 * @throws               Refusal: the data are of another major version, or initdb fails
 */
export async function prepareCluster(dataDirectory: string, found: Binaries, account: Account): Promise<Cluster> {
  const base = await realpath(dataDirectory)
  const name = `pg${found.major}`
  await refuseOtherVersion(base, name)
  const binaries = canReach(account, found.directory) ? found : await copyBinaries(found, sharedPlace)
  const directory = await locate(base, name, account)
  if (!existsSync(join(directory, 'PG_VERSION'))) await create(directory, binaries, account)
  await giveTo(account, directory)
  return {
    directory,
    binaries,
    account,
    socketDirectory: await socketDirectoryOf(directory, account),
    logPath: join(base, `${name}.log`),
  }
}

async function refuseOtherVersion(base: string, name: string): Promise<void> {
  if (existsSync(join(base, name))) return
  const other = (await readdir(base)).find(entry => /^pg\d+$/.test(entry) && entry !== name)
  if (other === undefined) return
  throw new Refusal(
    `The data in ${base} were kept by PostgreSQL ${other.slice(2)} and this is PostgreSQL ${name.slice(2)}. ` +
      `Bring them over with pg_upgrade (into ${join(base, name)}), or start the version of Quadstead that wrote them.`,
  )
}

/**
 * The real path of the cluster: in the data directory, or the target of a link there if the account cannot reach it.
 */
async function locate(base: string, name: string, account: Account): Promise<string> {
  const path = join(base, name)
  const entry = await lstat(path).catch(() => undefined)
  if (entry?.isSymbolicLink() && existsSync(path)) return realpath(path)
  if (canReach(account, base)) return path
  if (canReach(account, dirname(base))) {
    await chmod(base, ((await stat(base)).mode & 0o777) | 0o011) // may be traversed, not listed
    return path
  }
  const place = join(sharedPlace, hashOf(base))
  await mkdir(place, {recursive: true, mode: 0o755})
  await moveAway(path, join(place, name))
  await symlink(join(place, name), path).catch(ignoreExisting)
  return join(place, name)
}

/** Moves a cluster that was created under another account. Removes a link without a target. */
async function moveAway(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return rm(from, {force: true})
  await rename(from, to).catch(error => {
    throw new Refusal(
      `PostgreSQL cannot reach ${from} under the account it must use here, and the files cannot be moved to ` +
        `${to} (${error.message}). Choose a DATA_DIR that every user can reach.`,
    )
  })
}

async function create(directory: string, binaries: Binaries, account: Account): Promise<void> {
  const unfinished = `${directory}.init-${process.pid}`
  await rm(unfinished, {recursive: true, force: true})
  await mkdir(unfinished, {mode: 0o700})
  await giveTo(account, unfinished)
  try {
    await initialise(unfinished, binaries, account)
    await rename(unfinished, directory).catch(ignoreExisting) // another process was faster
    observe({kind: 'embedded-created', directory, version: binaries.version})
  } finally {
    await rm(unfinished, {recursive: true, force: true})
  }
}

/** Uses the same collation on every system: the built-in C.UTF-8 (PostgreSQL 17), else C. */
function initialise(directory: string, {directory: programs, major}: Binaries, account: Account): Promise<void> {
  const locale =
    major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-locale'] : ['--no-locale']
  const options = ['-D', directory, '-U', clusterUser, '-A', 'trust', '-E', 'UTF8', '--no-sync', ...locale]
  const command = commandAs(account, join(programs, 'initdb'), options)
  const child = spawn(command.file, command.parameters, {
    ...command.options,
    cwd: '/',
    env: serverEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', text => {
      said = (said + text).slice(-4000)
    })
    child.once('error', reject)
    child.once('close', code => {
      if (code === 0) resolve()
      else reject(new Refusal(`PostgreSQL could not make its files in ${directory}: ${said.trim()}`))
    })
  })
}

/**
 * The folder of the socket. The fallback must be ours alone, because anyone may write to the system's temporary folder.
 */
async function socketDirectoryOf(directory: string, account: Account): Promise<string> {
  if (Buffer.byteLength(directory) <= longestSocketDirectoryBytes) return directory
  const path = join(tmpdir(), `quadstead-${hashOf(directory)}`)
  await mkdir(path, {mode: 0o700}).catch(ignoreExisting)
  const {uid} = await lstat(path)
  if (uid !== process.getuid?.() && uid !== ownerFor(account)) {
    throw new Refusal(
      `The folder ${path}, meant for PostgreSQL's socket, belongs to somebody else (user ${uid}). Give DATA_DIR ` +
        'a shorter path.',
    )
  }
  await chmod(path, 0o700)
  await giveTo(account, path)
  return path
}

function ownerFor(account: Account): number | undefined {
  return account.kind === 'other' ? account.userId : process.getuid?.()
}

/** Gives files that another account created (in another container, say) to the account that will use them. */
async function giveTo(account: Account, directory: string): Promise<void> {
  const wanted = ownerFor(account)
  if (wanted === undefined || process.getuid?.() !== 0 || (await stat(directory)).uid === wanted) return
  const groupId = account.kind === 'other' ? account.groupId : (process.getgid?.() ?? 0)
  for (const entry of await readdir(directory, {recursive: true})) await lchown(join(directory, entry), wanted, groupId)
  await chown(directory, wanted, groupId)
}

function canReach(account: Account, directory: string): boolean {
  if (account.kind !== 'other') return true
  const {userId: uid, groupId: gid} = account
  return spawnSync('test', ['-x', directory], {uid, gid, cwd: '/'}).status === 0
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12)
}

function ignoreExisting(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code !== 'EEXIST' && code !== 'ENOTEMPTY') throw error
}
