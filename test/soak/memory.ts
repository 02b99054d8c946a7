/** Samples the memory of a service over time, and decides whether it grows. */
import {send} from '../support/client.ts'

export type Sample = {
  readonly seconds: number // since the first sample
  readonly heapBytes: number
  readonly residentBytes: number
  readonly openFiles: number
}

/** Reads a sample from the service's metrics. */
export async function takeSample(url: string, seconds: number): Promise<Sample> {
  const {text} = await send(`${url}metrics`)
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  return {
    seconds,
    heapBytes: value('nodejs_heap_size_used_bytes'),
    residentBytes: value('process_resident_memory_bytes'),
    openFiles: value('process_open_fds'),
  }
}

export type Verdict = {readonly growing: readonly string[]; readonly line: string}

const warmUp = 0.4 // part of the run in which caches fill
const mebibyte = 2 ** 20

/**
 * Compares the two halves of the run after warming up: for the heap a low quantile, which is what garbage collection
 * leaves, for resident memory and open files the median.
 *
 * @param tolerance  the share by which the second half may exceed the first
 */
export function judge(samples: readonly Sample[], tolerance: number): Verdict {
  const last = samples.at(-1)?.seconds ?? 0
  const warm = samples.filter(({seconds}) => seconds >= warmUp * last)
  const middle = warm.length >> 1
  const measures = [
    {name: 'heap', quantile: 0.1, slack: 8 * mebibyte, of: ({heapBytes}: Sample) => heapBytes},
    {name: 'resident memory', quantile: 0.5, slack: 24 * mebibyte, of: ({residentBytes}: Sample) => residentBytes},
    {name: 'open files', quantile: 0.5, slack: 20, of: ({openFiles}: Sample) => openFiles},
  ]
  const told = measures.map(({name, quantile, slack, of}) => {
    const [before, after] = [warm.slice(0, middle), warm.slice(middle)].map(half => quantileOf(half.map(of), quantile))
    const isGrowing = !((after ?? Number.NaN) <= (before ?? Number.NaN) * (1 + tolerance) + slack)
    const unit = name === 'open files' ? 1 : mebibyte
    const shown = (value = Number.NaN) => (value / unit).toFixed(unit === 1 ? 0 : 1)
    return {isGrowing, text: `${name} ${shown(before)} then ${shown(after)}${unit === 1 ? '' : ' MiB'}`}
  })
  return {
    growing: told.filter(({isGrowing}) => isGrowing).map(({text}) => text),
    line: told.map(({text}) => text).join(', '),
  }
}

function quantileOf(values: readonly number[], quantile: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(quantile * (sorted.length - 1))] ?? Number.NaN
}
