/** Runs pgbench, PostgreSQL's load generator, to measure statements without Node. */
import {execFile} from 'node:child_process'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import type {Cluster, Place} from './cluster.ts'
import type {Summary} from './statistics.ts'

const run = promisify(execFile)

export type PgbenchOptions = {
  readonly connections: number
  readonly durationMs: number // rounded to whole seconds
}

/**
 * Runs a script of one transaction repeatedly, with prepared statements.
 *
 * @returns  transactions a second and their mean latency (pgbench gives no quantiles); undefined without pgbench
 */
export async function pgbench(
  {binaries, socketDirectory}: Cluster,
  {name}: Place,
  script: string,
  {connections, durationMs}: PgbenchOptions,
): Promise<Summary | undefined> {
  if (binaries === undefined) return undefined
  const directory = await mkdtemp(join(tmpdir(), 'quadstead-pgbench-'))
  const file = join(directory, 'script.sql')
  await writeFile(file, script)
  const seconds = Math.max(1, Math.round(durationMs / 1000))
  const how = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '1', '-T', String(seconds), '-f', file]
  try {
    const {stdout} = await run(join(binaries, 'pgbench'), [...how, '-h', socketDirectory, '-U', 'quadstead', name])
    const [, rate] = /tps = ([\d.]+)/.exec(stdout) ?? []
    const [, latency] = /latency average = ([\d.]+)/.exec(stdout) ?? []
    const [, count] = /actually processed: (\d+)/.exec(stdout) ?? []
    const ms = Number(latency)
    return {count: Number(count), rate: Number(rate), p50: ms, p95: Number.NaN, p99: Number.NaN}
  } finally {
    await rm(directory, {recursive: true, force: true})
  }
}
