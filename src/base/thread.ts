/**
 * Starts worker threads from our own files, from source or as built.
 */
import {availableParallelism} from 'node:os'
import {Worker, type WorkerOptions} from 'node:worker_threads'

/** When run from source, each thread must register the TypeScript loader. */
const fromSource = 'import("tsx/esm/api").then(({register}) => { register(); return import(process.argv[2]) })'

/** The file `name` in the folder of the module `from` (its import.meta.url), with the same extension. */
export function fileBeside(from: string, name: string): URL {
  return new URL(`./${name}${from.slice(from.lastIndexOf('.'))}`, from)
}

/**
 * How many threads a pool has: half as many as there are processors, divided by the processes of the service; at least
 * one.
 */
export function usualThreads(processes = 1): number {
  return Math.max(1, Math.floor(availableParallelism() / 2 / processes))
}

export function startThread(file: URL, options: Omit<WorkerOptions, 'eval' | 'argv'> = {}): Worker {
  if (!file.pathname.endsWith('.ts')) return new Worker(file, options)
  return new Worker(fromSource, {...options, eval: true, argv: [file.href]})
}
