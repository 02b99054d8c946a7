/**
 * What tests cost, in processor time: that does not depend on what else the machine does, as the clock does.
 */
import {readFileSync} from 'node:fs'

export type Cost = {
  readonly file: string // the test file, as it was run
  readonly processorSeconds: number // of its process and of those that it waited for
  readonly clockSeconds: number
}

const ticksPerSecond = 100 // USER_HZ, which Linux shows to programs on every machine

/**
 * The processor time of a process and of its children that have ended; 0 where the system does not tell.
 *
 * Source: proc_pid_stat(5), fields 14 to 17.
 *
 * @param pid  or 'self'
 */
export function processorSeconds(pid: number | 'self'): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ') // from the third on
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  } catch {
    return 0
  }
}

/** The files that cost most, a line each, below a line of the sums. */
export function costReport(costs: readonly Cost[], serverSeconds: number, most = 25): readonly string[] {
  const sum = costs.reduce((total, cost) => total + cost.processorSeconds, 0)
  const slowest = costs.toSorted((one, other) => other.processorSeconds - one.processorSeconds).slice(0, most)
  return [
    `processor time: ${sum.toFixed(0)} s in ${costs.length} files, ${serverSeconds.toFixed(0)} s in PostgreSQL`,
    ...slowest.map(
      cost =>
        `${cost.processorSeconds.toFixed(1).padStart(7)} s (clock ${cost.clockSeconds.toFixed(1)} s) ${cost.file}`,
    ),
  ]
}

/** Reads what the processes wrote. */
export function readCosts(path: string): readonly Cost[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Cost)
}
