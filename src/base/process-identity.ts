/**
 * Identifies a process beyond its number: numbers are reused, a number with its start time is not.
 *
 * Reads /proc on Linux and calls `ps` elsewhere.
 * Source: proc(5), /proc/pid/stat fields 3 (state) and 22 (starttime, in ticks since boot).
 */
import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {platform} from 'node:os'

/** Whether the process runs. A zombie, which only waits for its parent, does not. */
export function isProcessAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  const state = statFields(processId)?.[0]
  return state !== 'Z' && state !== 'X'
}

/**
 * The start of the process, as an opaque text to compare for equality.
 *
 * @returns  undefined if the process does not run or the system does not report its start
 */
export function processStart(processId: number): string | undefined {
  if (platform() === 'linux') {
    const ticks = statFields(processId)?.[19]
    return ticks === undefined ? undefined : `${bootId()} ${ticks}`
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(processId)], {encoding: 'utf8'}).trim() || undefined
  } catch {
    return undefined
  }
}

/** Fields of /proc/pid/stat from the third on. They follow the name, which may contain spaces and parentheses. */
function statFields(processId: number): readonly string[] | undefined {
  const stat = readText(`/proc/${processId}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function bootId(): string {
  return readText('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
