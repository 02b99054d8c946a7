/**
 * Measures import and export, compared with a plain COPY of the same rows in the same run.
 *
 *   npm run bench:import [-- --quads 5000000]
 *
 * The built program runs as a separate process. It loads an empty dataset that nobody uses, then one that a service
 * uses, and then as much again into the latter. The service answers one reader all the time; the bench prints the
 * longest response time. The floors are a COPY of the rows of quad and term, from files of the server, into equal
 * tables without indexes and with the same indexes, apart from the search index: it needs functions of the store.
 */
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {mkdtemp, rm, stat} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {parseDatabaseUrl} from '../src/db/connection/address.ts'
import {createPool, type Database} from '../src/db/connection/pool.ts'
import {send} from '../test/support/client.ts'
import {shop, writeShopFile} from './data.ts'
import {type Cluster, type Place, startCluster} from './support/cluster.ts'
import {buildService, projectDirectory, startService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'

const {values} = parseArgs({options: {quads: {type: 'string', default: '1000000'}}})
const base = 'http://localhost:8080/'
const tables = {quad: 'g, s, p, o, copy', term: 'id, hash, lex, datatype, lang'}

type Run = {
  readonly seconds: number
  readonly megabytes: number | undefined
  readonly longestMs?: number // of the reader's requests meanwhile
}

buildService()
const folder = await mkdtemp(join(tmpdir(), 'quadstead-bench-'))
const cluster = await startCluster()
try {
  await measure(cluster)
} finally {
  await cluster.stop()
  await rm(folder, {recursive: true, force: true})
}

async function measure({create, version}: Cluster): Promise<void> {
  const {url, database} = await create('import')
  await database.end(1000) // nobody else may be connected while an empty dataset is loaded
  const settings = {DATABASE_URL: url, BASE_URL: base}
  const input = join(folder, 'data.nq')
  const quads = await writeShopFile(input, {quads: Number(values.quads), base})

  await run(['migrate'], settings)
  const loading = await run(['import', input], settings)
  const beside = await measureBeside(await create('beside'), input)
  const floors = await measureFloors((await create('floor')).database, settings)
  const output = ['export', '--output', join(folder, 'out.nq')]
  const writing = await run(output, settings)
  const proving = await run([...output, '--manifest', join(folder, 'manifest.txt')], settings)

  const runs: Readonly<Record<string, Run>> = {
    'COPY, no indexes': {seconds: floors.bare, megabytes: undefined},
    'COPY, the same indexes': {seconds: floors.indexed, megabytes: undefined},
    'import, empty and unused': loading,
    'import, empty and in use': beside.first,
    'import, as much again': beside.second,
    export: writing,
    'export with manifest': proving,
  }
  const rows = Object.entries(runs).map(([name, {seconds, megabytes, longestMs}]) => ({
    name,
    seconds,
    quadsPerSecond: quads / seconds,
    timesBare: seconds / floors.bare,
    timesIndexed: seconds / floors.indexed,
    timesUnused: seconds / loading.seconds,
    megabytes,
    longestMs,
  }))
  const title = `${quads} quads (${Math.round((await stat(input)).size / 1e6)} MB), PostgreSQL ${version}, fsync on`
  const ratios = ['times COPY', 'times COPY with indexes', 'times unused']
  const head = ['', 's', 'quads/s', ...ratios, 'MB', 'longest answer, ms']
  printTable(
    title,
    head,
    rows.map(row => Object.values(row)),
  )
  save('import.json', {machine: machine(), version, quads, rows})
}

/** Loads twice while a service answers a reader; the second time below another document. */
async function measureBeside(
  {url, database}: Place,
  input: string,
): Promise<Readonly<Record<'first' | 'second', Run>>> {
  await database.end(1000)
  const settings = {DATABASE_URL: url, BASE_URL: base}
  const again = join(folder, 'again.nq')
  await writeShopFile(again, {quads: Number(values.quads), base: `${base}again/`})
  const service = await startService(settings)
  try {
    const first = await whileReading(service.url, () => run(['import', input], settings))
    const second = await whileReading(service.url, () => run(['import', again], settings))
    return {first, second}
  } finally {
    await service.stop()
  }
}

/** One client that requests a document and then a query, repeatedly, with pauses of 5 ms. */
async function whileReading(url: string, work: () => Promise<Run>): Promise<Run> {
  const requests = [
    {path: '/', headers: {Accept: 'text/turtle'}},
    {
      method: 'POST',
      path: '/',
      headers: {'Content-Type': 'application/sparql-query'},
      body: `SELECT * {?s a <${shop}Maker>; ?p ?o} LIMIT 10`,
    },
  ]
  let longestMs = 0
  let isOver = false
  const reading = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const from = performance.now()
      const {status, text} = await send(url, requests[turn % requests.length])
      if (status !== 200) throw new Error(`${status} ${text}`)
      longestMs = Math.max(longestMs, performance.now() - from)
      await delay(5)
    }
  })()
  try {
    return {...(await work()), longestMs}
  } finally {
    isOver = true
    await reading
  }
}

type Floors = {readonly bare: number; readonly indexed: number}

/** Seconds of a COPY of the imported rows into another database. */
async function measureFloors(database: Database, settings: {readonly DATABASE_URL: string}): Promise<Floors> {
  const options = {connectionMax: 1, isPooled: false, prepare: false, statementTimeoutMs: 0}
  const source = createPool(parseDatabaseUrl(settings.DATABASE_URL), options)
  for (const [table, columns] of Object.entries(tables)) {
    await source.query(`copy quadstead.${table} (${columns}) to '${rowsOf(table)}' (format binary)`)
  }
  const indexes = await source.query<{definition: string}>(
    `select replace(indexdef, 'quadstead.', 'indexed.') as definition from pg_indexes
      where schemaname = 'quadstead' and tablename in ('quad', 'term') and indexname <> 'term_words'`,
  )
  await source.end(1000)
  for (const schema of ['bare', 'indexed']) {
    await database.query(`create schema ${schema}`)
    await database.query(`create table ${schema}.quad (g int8, s int8, p int8, o int8, copy boolean)`)
    await database.query(
      `create table ${schema}.term
         (id int8, hash uuid, lex text collate "C", datatype text collate "C", lang text collate "C")`,
    )
  }
  for (const {definition} of indexes) await database.query(definition)
  const floors = {bare: await fill(database, 'bare'), indexed: await fill(database, 'indexed')}
  await database.query('drop schema bare, indexed cascade')
  await database.query('checkpoint')
  await database.end(1000)
  return floors
}

async function fill(database: Database, schema: string): Promise<number> {
  const from = performance.now()
  for (const [table, columns] of Object.entries(tables)) {
    await database.query(`copy ${schema}.${table} (${columns}) from '${rowsOf(table)}' (format binary)`)
  }
  return (performance.now() - from) / 1000
}

function rowsOf(table: string): string {
  return join(folder, `${table}.rows`)
}

/** Runs a command of the program and waits for its end. */
async function run(parameters: readonly string[], settings: Readonly<Record<string, string>>): Promise<Run> {
  const {PATH = '', HOME = ''} = process.env
  const from = performance.now()
  const child = spawn(process.execPath, [join(projectDirectory, 'dist/cli.js'), ...parameters], {
    env: {PATH, HOME, ...settings},
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    complaints += text
  })
  let megabytes: number | undefined
  const watch = setInterval(() => {
    megabytes = peakOf(child.pid) ?? megabytes
  }, 50)
  const [code] = await once(child, 'close')
  clearInterval(watch)
  if (code !== 0) throw new Error(`${parameters.join(' ')}: ${code} ${complaints}`)
  return {seconds: (performance.now() - from) / 1000, megabytes}
}

/** The peak memory of a process, if the system provides it. */
function peakOf(processId: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1000)
  } catch {
    return undefined
  }
}
