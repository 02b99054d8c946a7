/**
 * A small disk that can be filled: a file system in memory, which only root can mount.
 */
import {execFileSync} from 'node:child_process'
import {closeSync, mkdtempSync, openSync, rmSync, writeSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {ExecutionContext} from 'ava'
import {send} from '../support/client.ts'
import {turtle} from '../support/documents.ts'
import {until} from '../support/machine.ts'
import type {Fault} from './faults.ts'

const megabytes = 200
const chunk = Buffer.alloc(1024 * 1024, 'x')

/** Why no disk can be mounted; undefined: one can. */
export function whyNoDisk(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can mount a disk'
  const directory = mkdtempSync(join(tmpdir(), 'quadstead-disk-'))
  try {
    mount(directory)
    execFileSync('umount', [directory], {stdio: 'ignore'})
    return undefined
  } catch {
    return 'no disk can be mounted here'
  } finally {
    rmSync(directory, {recursive: true, force: true})
  }
}

/** Mounts a disk, which goes with the test. */
export function mountDisk(t: ExecutionContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'quadstead-disk-'))
  mount(directory)
  t.teardown(() => {
    execFileSync('umount', ['--lazy', directory], {stdio: 'ignore'})
    rmSync(directory, {recursive: true, force: true})
  })
  return directory
}

function mount(directory: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], {stdio: 'ignore'})
}

/** Fills the disk, until clients hear of it, and makes room again. */
export function fillDisk(directory: string): Fault {
  return {
    name: 'the disk of PostgreSQL is full',
    async strike({base}) {
      const filler = join(directory, 'filler')
      fill(filler)
      const body = `<> <http://e/text> "${'long '.repeat(20_000)}" .`
      await until(async () => {
        const {status} = await send(base, {method: 'POST', headers: turtle, body})
        if (status === 201) fill(filler) // in what PostgreSQL had kept for itself
        return status === 503
      }, 60_000)
      rmSync(filler)
    },
  }
}

function fill(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (let size = chunk.length; size >= 1; size = Math.floor(size / 2)) writeWhilePossible(file, size)
  } finally {
    closeSync(file)
  }
}

function writeWhilePossible(file: number, bytes: number): void {
  try {
    while (writeSync(file, chunk, 0, bytes) > 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}
