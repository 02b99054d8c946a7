/** Processor time of processes on Linux (proc(5), stat and children). */
import {execFileSync} from 'node:child_process'
import {readdirSync, readFileSync} from 'node:fs'

const ticksASecond = Number(execFileSync('getconf', ['CLK_TCK']))

/** Seconds of a process and of its children, running and ended: of a keeper with its workers, or of a PostgreSQL. */
export function processorSeconds(processId: number): number {
  const own = secondsOf(processId)
  return childrenOf(processId).reduce((sum, id) => sum + processorSeconds(id), own.self + own.ended)
}

/** Seconds of the children of a process that have ended and for which it has waited. */
export function endedChildrenSeconds(processId: number): number {
  return secondsOf(processId).ended
}

/**
 * Milliseconds of the running sessions of a PostgreSQL, in nanosecond steps (schedstat, of one thread a process).
 *
 * @param title  of the processes that count, such as `postgres: quadstead `; '': all
 */
export function sessionMs(postmaster: number, title = ''): number {
  const counted = childrenOf(postmaster).filter(id => readIfThere(`/proc/${id}/cmdline`).startsWith(title))
  return counted.reduce((sum, id) => sum + (processorMs(id) ?? 0), 0)
}

/** Milliseconds that a process without threads has run; undefined where the kernel does not report it. */
export function processorMs(processId: number): number | undefined {
  return scheduledMs(`/proc/${processId}/schedstat`)
}

/** Milliseconds that the threads of a process have run. */
export function threadsMs(processId: number): number {
  const threads = readdirSync(`/proc/${processId}/task`)
  return threads.reduce((sum, thread) => sum + (scheduledMs(`/proc/${processId}/task/${thread}/schedstat`) ?? 0), 0)
}

function scheduledMs(path: string): number | undefined {
  const text = readIfThere(path)
  return text === '' ? undefined : Number(text.split(' ')[0]) / 1_000_000
}

function secondsOf(processId: number): {readonly self: number; readonly ended: number} {
  const text = readIfThere(`/proc/${processId}/stat`)
  const fields = text.replace(/^.*\) /s, '').split(' ')
  const seconds = (first: number) => (Number(fields[first] ?? 0) + Number(fields[first + 1] ?? 0)) / ticksASecond
  return {self: seconds(11), ended: seconds(13)} // utime and stime, cutime and cstime
}

function childrenOf(processId: number): readonly number[] {
  const text = readIfThere(`/proc/${processId}/task/${processId}/children`)
  return text.split(' ').filter(Boolean).map(Number)
}

/** The text of a file, or nothing if the process has ended. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
