/**
 * Starts a worker thread from a file of ours, run from source or built.
 *
 * Floor 0.
 */
import {Worker, type WorkerOptions} from 'node:worker_threads'

/** Run from source, a thread needs the loader of TypeScript anew. */
const fromSource = 'import("tsx/esm/api").then(({register}) => { register(); return import(process.argv[2]) })'

/** The file `name` beside the module at `from` (its import.meta.url), with the extension that module has. */
export function fileBeside(from: string, name: string): URL {
  return new URL(`./${name}${from.slice(from.lastIndexOf('.'))}`, from)
}

export function startThread(file: URL, options: Omit<WorkerOptions, 'eval' | 'argv'> = {}): Worker {
  if (!file.pathname.endsWith('.ts')) return new Worker(file, options)
  return new Worker(fromSource, {...options, eval: true, argv: [file.href]})
}
