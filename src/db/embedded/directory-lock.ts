/**
 * Locks a data directory for one process, by a file that names the process.
 *
 * The file is linked from a finished one, so that nobody reads an incomplete file. A file of a process that has ended
 * is taken over, even if another process has the same number now. The number means nothing if the file is from another
 * host; then embedded.ts checks whether the PostgreSQL socket answers.
 */
import {link, readFile, rename, rm, writeFile} from 'node:fs/promises'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {isProcessAlive, processStart} from '../../base/process-identity.ts'
import {Refusal} from '../../base/refusal.ts'

export type LockOwner = {readonly processId: number; readonly start: string | undefined; readonly host: string}

/**
 * Locks the directory for this process.
 *
 * @returns  a function that releases the lock
 * @throws   Refusal: another process holds the lock
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

/** The running owner of a directory on this host, if there is one. */
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

/** Removes a stale file by renaming it. Restores it if another process has replaced it by a valid one meanwhile. */
async function removeStale(path: string, directory: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return // removed meanwhile
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
    return undefined // the file is empty after a crash of the machine
  }
}
