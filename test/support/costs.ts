/** Reports the processor time of tests. Unlike elapsed time it does not depend on other load of the machine. */
import {readFileSync} from 'node:fs'

export type Cost = {
  readonly file: string // the test file
  readonly processorSeconds: number // of its process and of the children that it waited for
  readonly clockSeconds: number
}

const ticksPerSecond = 100 // USER_HZ, which Linux reports to programs on every machine

/**
 * The processor time of a process and of its children that have ended; 0 if the system does not report it.
 *
 * Source: proc_pid_stat(5), fields 14 to 17.
 *
 * @param pid  or 'self'
 */
export function processorSeconds(pid: number | 'self'): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ') // from the third field on
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  } catch {
    return 0
  }
}

/** A line with the sums, then the most expensive files, one line each. */
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

/** Reads the costs that the test processes wrote. */
export function readCosts(path: string): readonly Cost[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Cost)
}
