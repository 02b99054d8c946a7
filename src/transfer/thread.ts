/**
 * A thread of a file beside this one, from source or built.
 *
 * Floor 4.
 */
import {Worker} from 'node:worker_threads'

/** Run from source, a thread needs the loader of TypeScript anew. */
const fromSource = 'import("tsx/esm/api").then(({register}) => { register(); return import(process.argv[2]) })'

/** @param name  of the file, without its ending */
export function startThread(name: string, data: unknown): Worker {
  const isSource = import.meta.url.endsWith('.ts')
  const file = new URL(`./${name}.${isSource ? 'ts' : 'js'}`, import.meta.url)
  return isSource
    ? new Worker(fromSource, {eval: true, argv: [file.href], workerData: data})
    : new Worker(file, {workerData: data})
}
