/**
 * What loading and writing out a data set costs, against a plain COPY of the same rows in the same run:
 *
 *   npm run bench:import [-- --quads 1000000 --embedded]
 *
 * A throwaway PostgreSQL, the machine's own where there is one, that waits for its disk. The program runs as built, as a
 * process of its own. Floors: the rows of quad and term by COPY from a file of the server, into tables like them
 * without indexes, and into tables with the same indexes.
 */
import {type ChildProcess, execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {createWriteStream, readFileSync} from 'node:fs'
import {mkdtemp, rm, stat} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {startEmbedded} from '../src/db/embedded.ts'
import {createPool, type Database} from '../src/db/pool.ts'
import {findOlderBinaries} from '../test/support/servers.ts'
import {writeShop} from './data.ts'

const {values} = parseArgs({
  options: {quads: {type: 'string', default: '1000000'}, embedded: {type: 'boolean', default: false}},
})
const project = fileURLToPath(new URL('..', import.meta.url))
const base = 'http://localhost:8080/'
const print = (line: string) => process.stdout.write(`${line}\n`)

type Run = {readonly seconds: number; readonly megabytes: number | undefined}

const folder = await mkdtemp(join(tmpdir(), 'quadstead-bench-'))
const binaryDirectory = values.embedded ? undefined : await findOlderBinaries()
const server = await startEmbedded({
  dataDirectory: join(folder, 'server'),
  ...(binaryDirectory === undefined ? {} : {binaryDirectory}),
})
try {
  execFileSync('npm', ['run', '--silent', 'build'], {cwd: project, stdio: 'inherit'})
  await measure()
} finally {
  await server.stop()
  await rm(folder, {recursive: true, force: true})
}

async function measure(): Promise<void> {
  const socket = server.address.socketPath ?? ''
  const host = encodeURIComponent(socket.slice(0, socket.lastIndexOf('/')))
  const settings = {DATABASE_URL: `postgres://quadstead@localhost/postgres?host=${host}`, BASE_URL: base}
  const input = join(folder, 'data.nq')
  const out = createWriteStream(input)
  const quads = await writeShop(out, {quads: Number(values.quads), base})
  out.end()
  await once(out, 'close')
  print(
    `PostgreSQL ${server.version}, fsync on; ${quads} quads, ${megabytesOf((await stat(input)).size)} MB of N-Quads`,
  )

  await run(['migrate'], settings)
  const loading = await run(['import', input], settings)
  const floors = await measureFloors()
  const writing = await run(['export', '--output', join(folder, 'out.nq')], settings)
  const proving = await run(
    ['export', '--output', join(folder, 'out.nq'), '--manifest', join(folder, 'manifest.txt')],
    settings,
  )
  const row = (name: string, {seconds, megabytes}: Run) => {
    const memory = megabytes === undefined ? '' : `${megabytes} MB`
    const rate = Math.round(quads / seconds).toString()
    const times = (floor: number) => (seconds / floor).toFixed(2).padStart(6)
    print(
      `${name.padEnd(28)}${seconds.toFixed(1).padStart(8)} s${rate.padStart(10)} quads/s` +
        `${times(floors.bare)}${times(floors.indexed)}  ${memory}`,
    )
  }
  print(`${' '.repeat(56)} times COPY: bare, with indexes`)
  row('COPY, no indexes', {seconds: floors.bare, megabytes: undefined})
  row('COPY, the same indexes', {seconds: floors.indexed, megabytes: undefined})
  row('import', loading)
  row('export', writing)
  row('export with manifest', proving)
}

/** Seconds of COPY for the rows that the import made. */
async function measureFloors(): Promise<{readonly bare: number; readonly indexed: number}> {
  const database = createPool(server.address, {
    connectionMax: 1,
    isPooled: false,
    prepare: false,
    statementTimeoutMs: 0,
  })
  const tables = {quad: 'g, s, p, o, copy', term: 'id, hash, lex, datatype, lang'}
  const fill = async (suffix: string) => {
    const from = performance.now()
    for (const [table, columns] of Object.entries(tables)) {
      const file = join(folder, `${table}.rows`)
      await database.query(`copy ${table}_${suffix} (${columns}) from '${file}' (format binary)`)
    }
    return (performance.now() - from) / 1000
  }
  try {
    for (const [table, columns] of Object.entries(tables)) {
      await database.query(`copy quadstead.${table} (${columns}) to '${join(folder, `${table}.rows`)}' (format binary)`)
      await database.query(`create table ${table}_bare (like quadstead.${table})`)
      await database.query(`create table ${table}_indexed (like quadstead.${table} including indexes)`)
    }
    const bare = await fill('bare')
    const indexed = await fill('indexed')
    await dropAll(database, tables)
    return {bare, indexed}
  } finally {
    await database.end(1000)
  }
}

async function dropAll(database: Database, tables: object): Promise<void> {
  for (const table of Object.keys(tables)) await database.query(`drop table ${table}_bare, ${table}_indexed`)
  await database.query('checkpoint')
}

/** Runs a command of the program to its end. */
async function run(parameters: readonly string[], settings: Readonly<Record<string, string>>): Promise<Run> {
  const {PATH = '', HOME = ''} = process.env
  const from = performance.now()
  const child = spawn(process.execPath, [join(project, 'dist/cli.js'), ...parameters], {
    env: {PATH, HOME, ...settings},
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    complaints += text
  })
  let megabytes: number | undefined
  const watch = setInterval(() => {
    megabytes = peakOf(child) ?? megabytes
  }, 50)
  const [code] = await once(child, 'close')
  clearInterval(watch)
  if (code !== 0) throw new Error(`${parameters.join(' ')}: ${code} ${complaints}`)
  return {seconds: (performance.now() - from) / 1000, megabytes}
}

/** The most memory that a process had so far, where the system tells. */
function peakOf({pid}: ChildProcess): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1000)
  } catch {
    return undefined
  }
}

function megabytesOf(bytes: number): number {
  return Math.round(bytes / 1e6)
}
