/** Processor time of processes on Linux (proc(5), stat and children). */
import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'

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

/** Milliseconds of the running sessions of a PostgreSQL, in nanosecond steps (schedstat, of one thread a process). */
export function sessionMs(postmaster: number): number {
  const times = childrenOf(postmaster).map(id => Number(readIfThere(`/proc/${id}/schedstat`).split(' ')[0]))
  return times.reduce((sum, time) => sum + time, 0) / 1_000_000
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
