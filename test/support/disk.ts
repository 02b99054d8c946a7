/** A small disk that a test can fill: a file system in memory, which only root can mount. */
import {execFileSync} from 'node:child_process'
import {closeSync, mkdtempSync, openSync, rmSync, writeSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {ExecutionContext} from 'ava'

const chunk = Buffer.alloc(1024 * 1024, 'x')

/** Why no disk can be mounted; undefined if one can. */
export function whyNoDisk(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can mount a disk'
  const directory = mkdtempSync(join(tmpdir(), 'quadstead-disk-'))
  try {
    mount(directory, 1)
    execFileSync('umount', [directory], {stdio: 'ignore'})
    return undefined
  } catch {
    return 'no disk can be mounted here'
  } finally {
    rmSync(directory, {recursive: true, force: true})
  }
}

/** Mounts a disk of this size in MiB. It is unmounted when the test ends. */
export function mountDisk(t: ExecutionContext, mebibytes: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'quadstead-disk-'))
  mount(directory, mebibytes)
  t.teardown(() => {
    execFileSync('umount', ['--lazy', directory], {stdio: 'ignore'})
    rmSync(directory, {recursive: true, force: true})
  })
  return directory
}

function mount(directory: string, mebibytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', directory], {stdio: 'ignore'})
}

/** Fills the disk. Called again with the same path, it also takes space that has become free since. */
export function fillUp(path: string): void {
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
