/**
 * One owner for a data directory: a file that says which process it is.
 *
 * The file appears whole (link of a finished one), so nobody reads half of it. One left behind by a process
 * that is no more, also when its number belongs to another process by now, is taken over. A file from another host
 * name cannot be judged by its number: there the PostgreSQL socket decides (embedded.ts).
 */
import {link, readFile, rename, rm, writeFile} from 'node:fs/promises'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {isProcessAlive, processStart} from '../../base/process-identity.ts'
import {Refusal} from '../../base/refusal.ts'

export type LockOwner = {readonly processId: number; readonly start: string | undefined; readonly host: string}

/**
 * Makes this process the owner.
 *
 * @returns  a function that gives the directory up
 * @throws   Refusal: another process owns it
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, 'quadstead.lock')
  const own = `${path}.${process.pid}`
  const text = JSON.stringify({
    processId: process.pid,
    start: processStart(process.pid),
    host: hostname(),
  } satisfies LockOwner)
  await writeFile(own, text)
  try {
    while (!(await place(own, path))) await removeStale(path, directory)
  } finally {
    await rm(own, {force: true})
  }
  return async () => {
    if ((await readFile(path, 'utf8').catch(() => '')) === text) await rm(path, {force: true})
  }
}

/** The living owner of a directory on this host, if there is one. */
export async function ownerOf(directory: string): Promise<LockOwner | undefined> {
  const owner = parse(await readFile(join(directory, 'quadstead.lock'), 'utf8').catch(() => ''))
  return owner !== undefined && isHeld(owner) ? owner : undefined
}

async function place(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Moves a stale file away; if another process was quicker and the file is a living one's by now, it is put back. */
async function removeStale(path: string, directory: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return // gone in between
  const owner = parse(text)
  if (owner !== undefined && isHeld(owner)) {
    throw new Refusal(
      `Another Quadstead (process ${owner.processId}) is using ${directory}. Stop it, or give this one a ` +
        'DATA_DIR of its own.',
    )
  }
  const aside = `${path}.stale.${process.pid}`
  await rename(path, aside).catch(() => undefined)
  if ((await readFile(aside, 'utf8').catch(() => text)) !== text) await link(aside, path).catch(() => undefined)
  await rm(aside, {force: true})
}

function isHeld({processId, start, host}: LockOwner): boolean {
  if (host !== hostname() || !isProcessAlive(processId)) return false
  return start === processStart(processId)
}

function parse(text: string): LockOwner | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // an empty file after a crash of the machine
  }
}
