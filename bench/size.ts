/**
 * Measures what the size of a store changes: import, disk, queries and reads of documents at several sizes.
 *
 *   npm run bench:size [-- --millions 1,5,20,50 --rounds 5 --minutes 40]
 *
 * The data is the shop of data.ts. Its containers, makers, tags and people grow with it, so a query that starts from
 * one of them has more to visit and may have more solutions. Each row therefore has the number of solutions. Each size
 * has a database of its own, which is dropped before the next. The bench does not begin a size for which the rest of
 * its minutes would not be enough, and stores its results after each size.
 *
 * Times depend on other load of the machine. Processor times hardly do.
 */
import {execFile} from 'node:child_process'
import {mkdtemp, readdir, readFile, rm, stat} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs, promisify} from 'node:util'
import {writeShopFile} from './data.ts'
import {canonical} from './support/answers.ts'
import {type Connection, headerOf, openConnection, requestText} from './support/client.ts'
import {type Cluster, type Place, startCluster} from './support/cluster.ts'
import {closedLoop, repeat} from './support/load.ts'
import {endedChildrenSeconds, processorSeconds, sessionMs} from './support/processor.ts'
import {buildService, projectDirectory, startService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {median} from './support/statistics.ts'
import {readStorage} from './support/storage.ts'

const {values} = parseArgs({
  options: {
    millions: {type: 'string', default: '1,5,20,50'},
    rounds: {type: 'string', default: '5'},
    minutes: {type: 'string', default: '40'},
    queries: {type: 'string', default: 'bench/queries'},
  },
})
const base = 'http://localhost:8080/'
const rounds = Number(values.rounds)
const quadsAProduct = 87 // of data.ts
const flushMs = 11_000 // PostgreSQL reports the counters of an idle session after ten seconds
const documentsMs = 10_000
const fixedMs = 3 * flushMs + 1.5 * documentsMs // of each size
const lastStartMs = performance.now() + Number(values.minutes) * 60_000

type Query = {readonly name: string; readonly text: string}
type Timed = {
  readonly name: string
  readonly rows: number
  readonly firstMs: number
  readonly ms: number // median
  readonly serverMs: number // processor time of PostgreSQL, the least
}

buildService()
const folder = await mkdtemp(join(tmpdir(), 'quadstead-size-'))
const cluster = await startCluster()
try {
  const queries = await readQueries(values.queries)
  const sizes: Awaited<ReturnType<typeof measureSize>>[] = []
  for (const quads of values.millions.split(',').map(millions => Number(millions) * 1e6)) {
    const last = sizes.at(-1)
    const growing = last === undefined ? 0 : last.totalSeconds * 1000 - fixedMs
    const expectedMs = fixedMs + (growing * quads) / (last?.quads ?? quads)
    if (performance.now() + expectedMs > lastStartMs) {
      process.stdout.write(`\n${quads} quads would take ${Math.round(expectedMs / 60_000)} minutes: left out.\n`)
      break
    }
    sizes.push(await measureSize(cluster, quads, queries))
    save('size.json', {machine: machine(), postgresql: cluster.version, rounds, sizes})
  }
  print(sizes)
} finally {
  await cluster.stop()
  await rm(folder, {recursive: true, force: true})
}

async function readQueries(directory: string): Promise<Query[]> {
  const files = (await readdir(directory)).filter(file => file.endsWith('.rq')).sort()
  return Promise.all(
    files.map(async file => ({name: file.replace(/\.rq$/, ''), text: await readFile(join(directory, file), 'utf8')})),
  )
}

async function measureSize(server: Cluster, wanted: number, queries: readonly Query[]) {
  const from = performance.now()
  const name = `size${wanted}`
  const place = await server.create(name)
  await place.database.end(1000) // nobody else may be connected while an empty dataset is loaded
  const loaded = await load(server, place, wanted)
  const again = {...place, database: server.open(place.url)}
  const vacuumFrom = performance.now()
  await again.database.query('vacuum analyze')
  const vacuumSeconds = (performance.now() - vacuumFrom) / 1000
  const storage = await readStorage(again)
  const service = await startService({DATABASE_URL: place.url, BASE_URL: base, LOG_REQUESTS: 'errors'})
  const connection = await openConnection(service.port)
  const rate = createHitRate(again)
  await rate()
  const timed: Timed[] = []
  for (const query of queries) timed.push(await timeQuery(connection, query, server))
  connection.close()
  const queryHits = await rate()
  const documents = await readDocuments(server, service, Math.floor(wanted / quadsAProduct))
  const documentHits = await rate()
  await service.stop()
  await again.database.end(1000)
  await server.drop(name)
  const totalSeconds = (performance.now() - from) / 1000
  return {
    wanted,
    ...loaded,
    vacuumSeconds,
    ...storage,
    queries: timed,
    queryHits,
    documents,
    documentHits,
    totalSeconds,
  }
}

/** Imports the data into the empty dataset, as an operator does. */
async function load(server: Cluster, {url}: Place, wanted: number) {
  const input = join(folder, 'shop.nq')
  const quads = await writeShopFile(input, {quads: wanted, base})
  const {size: bytes} = await stat(input)
  const [from, nodeFrom, serverFrom] = [performance.now(), endedChildrenSeconds(process.pid), serverSeconds(server)]
  const {PATH = '', HOME = ''} = process.env
  await promisify(execFile)(process.execPath, ['dist/cli.js', 'import', input], {
    cwd: projectDirectory,
    env: {PATH, HOME, DATABASE_URL: url, BASE_URL: base},
    maxBuffer: 2 ** 26,
  })
  const importSeconds = (performance.now() - from) / 1000
  await rm(input)
  return {
    quads,
    megabytes: bytes / 1e6,
    importSeconds,
    importNodeSeconds: endedChildrenSeconds(process.pid) - nodeFrom,
    importServerSeconds: serverSeconds(server) - serverFrom,
  }
}

function serverSeconds({processId}: Cluster): number {
  return processorSeconds(processId())
}

/** A query that fails, for example at its time limit, has no time. */
async function timeQuery({exchange}: Connection, {name, text}: Query, {processId}: Cluster): Promise<Timed> {
  const type = /\b(?:CONSTRUCT|DESCRIBE)\b/.test(text) ? 'application/n-triples' : 'application/sparql-results+json'
  const headers = {'Content-Type': 'application/sparql-query', Accept: type}
  const request = requestText('POST', '/sparql', headers, text)
  const times: number[] = []
  const serverTimes: number[] = []
  let rows = Number.NaN
  for (let round = 0; round <= rounds; round += 1) {
    const [from, serverFrom] = [performance.now(), sessionMs(processId())]
    const {status, head, body} = await exchange(request)
    times.push(performance.now() - from)
    serverTimes.push(sessionMs(processId()) - serverFrom)
    if (status !== 200) return {name, rows, firstMs: Number.NaN, ms: Number.NaN, serverMs: Number.NaN}
    if (round === 0) rows = (await canonical(headerOf(head, 'content-type') ?? '', body)).length
  }
  return {
    name,
    rows,
    firstMs: times[0] ?? Number.NaN,
    ms: median(times.slice(1)),
    serverMs: Math.min(...serverTimes.slice(1)),
  }
}

/** Documents at random, which fit into memory only as far as the store does. */
async function readDocuments(server: Cluster, {port, processId}: {port: number; processId: number}, count: number) {
  const next = () => requestText('GET', `/products/p${Math.floor(Math.random() * count)}/`, {Accept: 'text/turtle'})
  const shot = {port, connections: 16, durationMs: documentsMs, shooter: () => repeat(next, 200)}
  await closedLoop({...shot, durationMs: documentsMs / 2}) // not measured: V8 optimizes its code
  const [nodeFrom, serverFrom] = [processorSeconds(processId), serverSeconds(server)]
  const summary = await closedLoop(shot)
  const micros = (seconds: number) => (seconds * 1e6) / summary.count
  return {
    ...summary,
    nodeMicros: micros(processorSeconds(processId) - nodeFrom),
    serverMicros: micros(serverSeconds(server) - serverFrom),
  }
}

/** The share of pages that PostgreSQL found in its shared buffers since the call before. */
function createHitRate({database}: Place): () => Promise<number> {
  let [hitBefore, readBefore] = [0, 0]
  return async () => {
    await delay(flushMs)
    const [row] = await database.query<{hit: string; read: string}>(
      `select sum(heap_blks_hit + coalesce(idx_blks_hit, 0)) as hit,
              sum(heap_blks_read + coalesce(idx_blks_read, 0)) as read
         from pg_statio_user_tables`,
    )
    const [hit, read] = [Number(row?.hit), Number(row?.read)]
    const share = (hit - hitBefore) / (hit - hitBefore + read - readBefore)
    ;[hitBefore, readBefore] = [hit, read]
    return share
  }
}

function print(sizes: readonly Awaited<ReturnType<typeof measureSize>>[]): void {
  const heads = sizes.map(({wanted}) => `${wanted / 1e6} M`)
  const line = (name: string, of: (size: (typeof sizes)[number]) => number) => [name, ...sizes.map(of)]
  printTable(
    `Import and disk, PostgreSQL ${cluster.version}`,
    ['', ...heads],
    [
      line('quads', ({quads}) => quads),
      line('quads a second', ({quads, importSeconds}) => quads / importSeconds),
      line('µs a quad, Node', ({quads, importNodeSeconds}) => (importNodeSeconds * 1e6) / quads),
      line('µs a quad, PostgreSQL', ({quads, importServerSeconds}) => (importServerSeconds * 1e6) / quads),
      line('VACUUM ANALYZE, s', ({vacuumSeconds}) => vacuumSeconds),
      line('bytes a quad', ({bytesAQuad}) => bytesAQuad),
      line('buffer hits, queries, %', ({queryHits}) => queryHits * 100),
      line('buffer hits, documents, %', ({documentHits}) => documentHits * 100),
      line('documents a second', ({documents}) => documents.rate),
      line('p50, ms', ({documents}) => documents.p50),
      line('p99, ms', ({documents}) => documents.p99),
      line('µs a document, Node', ({documents}) => documents.nodeMicros),
      line('µs a document, PostgreSQL', ({documents}) => documents.serverMicros),
    ],
  )
  const first = sizes[0]?.queries ?? []
  const ratio = (over: number | undefined, under: number) => (over ?? Number.NaN) / under
  printTable(
    'Queries: ms of processor in PostgreSQL (least), ms until the answer (median); ratios to the smallest size',
    [
      'query',
      ...heads.map(head => `${head} PG`),
      ...heads,
      'rows',
      ...heads.slice(1).flatMap(head => [`${head} PG ×`, 'rows ×']),
    ],
    first.map(({name, serverMs, rows}, index) => {
      const others = sizes.slice(1).map(size => size.queries[index])
      return [
        name,
        ...sizes.map(size => size.queries[index]?.serverMs),
        ...sizes.map(size => size.queries[index]?.ms),
        String(rows),
        ...others.flatMap(other => [ratio(other?.serverMs, serverMs), ratio(other?.rows, rows)]),
      ]
    }),
  )
}
