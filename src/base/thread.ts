/**
 * Starts worker threads from our own files, from source or as built.
 */
import {Worker, type WorkerOptions} from 'node:worker_threads'

/** When run from source, each thread must register the TypeScript loader. */
const fromSource = 'import("tsx/esm/api").then(({register}) => { register(); return import(process.argv[2]) })'

/** The file `name` in the folder of the module `from` (its import.meta.url), with the same extension. */
export function fileBeside(from: string, name: string): URL {
  return new URL(`./${name}${from.slice(from.lastIndexOf('.'))}`, from)
}

export function startThread(file: URL, options: Omit<WorkerOptions, 'eval' | 'argv'> = {}): Worker {
  if (!file.pathname.endsWith('.ts')) return new Worker(file, options)
  return new Worker(fromSource, {...options, eval: true, argv: [file.href]})
}
