/**
 * Measures requests on documents of twelve triples over HTTP, and floors: the least that such requests could cost.
 *
 *   npm run bench:documents [-- --connections 1,4,16,64 --rounds 5 --seconds 1 --quads 1000000]
 *
 * Each round runs every operation and every floor once for the given time, in another order. Numbers are medians over
 * the rounds; ratios are medians of the ratios of the rounds. The processor time of a request in the server (all
 * threads) depends less on other load of the machine. README.md explains how to read the figures.
 */
import {parseArgs} from 'node:util'
import {type Place, startCluster} from './support/cluster.ts'
import {base, fill, openStore} from './support/documents.ts'
import {closedLoop, type LoadOptions, openLoop} from './support/load.ts'
import {type Bench, documentOperations, prepare, readOperations} from './support/operations.ts'
import {pgbench} from './support/pgbench.ts'
import {plot} from './support/plot.ts'
import {processorSeconds} from './support/processor.ts'
import {buildService, type Program, startScript, startService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {createScript, plainInsert, plainSelect, plainTables, readScript} from './support/statements.ts'
import {interleave, median, medianRatio, medianSummary, type Summary} from './support/statistics.ts'
import {readStorage, type Storage, walBytesADocument} from './support/storage.ts'

const {values} = parseArgs({
  options: {
    connections: {type: 'string', default: '1,4,16,64'},
    rounds: {type: 'string', default: '5'},
    seconds: {type: 'string', default: '1'},
    quads: {type: 'string', default: '1000000'},
    only: {type: 'string', default: ''}, // names of operations, with a semicolon for a comma in a name
    brief: {type: 'boolean', default: false}, // closed loops only
    profile: {type: 'string', default: ''}, // a folder for --cpu-prof
  },
})
const connectionCounts = values.connections.split(',').map(Number)
const rounds = Number(values.rounds)
const durationMs = Number(values.seconds) * 1000
const documents = Math.max(1000, Math.round(Number(values.quads) / 20))
const only = new Set(
  values.only
    .split(',')
    .filter(name => name !== '')
    .map(name => name.replaceAll(';', ',')),
)

/** The floors to which each operation is compared. */
const floorsOf: Readonly<Record<string, readonly string[]>> = {
  GET: ['Koa', 'Koa + rows', 'Koa + function', 'pgbench read', 'pgbench select'],
  'GET, 304': ['Koa', 'Koa + rows', 'Koa + function'],
  'GET, JSON-LD': ['Koa + rows', 'Koa + function'],
  POST: ['Koa', 'pgbench create', 'pgbench insert'],
  'POST, a parent each': ['POST'],
  'GET and PUT': ['Koa', 'pgbench create'],
  PATCH: ['Koa', 'pgbench create'],
  'member add': ['Koa', 'pgbench create'],
  DELETE: ['Koa', 'pgbench create'],
  'pgbench create': ['pgbench insert'],
}

buildService()
const cluster = await startCluster()
try {
  const place = await cluster.create('bench')
  await openStore(place)
  await place.database.begin('read committed', ({script}) => script(plainTables))
  const profiling = values.profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`]
  const service = await startService({DATABASE_URL: place.url, BASE_URL: base}, profiling)
  const floors = await startScript('bench/floors/koa.ts', {DATABASE_URL: place.url})
  const largest = Math.max(...connectionCounts)
  const stock = Math.round(rounds * connectionCounts.length * (durationMs / 1000) * 5000)
  await prepare(service.port, largest)
  await fill(place, 'products/', 'p', {count: documents})
  await fill(place, 'stock/', 'd', {count: only.size === 0 || only.has('DELETE') ? stock : 0})
  await place.database.query('vacuum analyze')
  const loaded = await readStorage(place)

  const bench: Bench = {port: service.port, documents}
  const results = []
  for (const connections of connectionCounts) {
    const options = {connections, durationMs}
    const subjects = new Map<string, () => Promise<Timed | undefined>>()
    const operations = documentOperations(bench)
    for (const [name, shooter] of operations)
      subjects.set(name, () => timedLoop(service, {...options, port: service.port, shooter}))
    for (const [name, shooter] of readOperations(bench))
      subjects.set(name, () => timedLoop(floors, {...options, port: floors.port, shooter}))
    for (const [name, script] of Object.entries({
      'pgbench read': readScript('products/p', documents),
      'pgbench create': createScript('made/'),
      'pgbench select': plainSelect,
      'pgbench insert': plainInsert,
    }))
      subjects.set(name, () => pgbench(cluster, place, script, options))
    for (const name of [...subjects.keys()])
      if (only.size > 0 && !only.has(name) && ![...only].some(kept => floorsOf[kept]?.includes(name)))
        subjects.delete(name)
    await interleave(1, subjects) // warm-up
    const measured = await interleave(rounds, subjects)
    results.push({connections, figures: tell(connections, measured)})
  }
  const about = {machine: machine(), postgresql: cluster.version, documents, rounds, results}
  if (values.brief) save('documents-brief.json', about)
  else save('documents.json', {...about, ...(await tellTheRest({place, service, bench, loaded, results}))})
  await service.stop()
  await floors.stop()
  await place.database.end(1000)
} finally {
  await cluster.stop()
}

/** With the processor time of the server for a request, in microseconds; undefined: not measured. */
type Timed = Summary & {readonly server?: number}

type Figures = Timed & {readonly name: string; readonly ratios: Readonly<Record<string, number>>}

type Rest = {
  readonly place: Place
  readonly service: Program
  readonly bench: Bench
  readonly loaded: Storage
  readonly results: readonly {readonly connections: number; readonly figures: readonly Figures[]}[]
}

/** Measures latency at a steady rate, log and disk. */
async function tellTheRest({place, service, bench, loaded, results}: Rest) {
  const rates = results.at(-1)?.figures.find(({name}) => name === 'GET')
  const steady = rates === undefined ? [] : await openLoops(service.port, bench, rates.rate)
  const wal = await walBytesADocument(cluster, place, createScript('made/'))
  const storage = {loaded, walBytesADocument: wal, serviceMebibytes: service.memory()}
  printTable(
    'Storage',
    ['what', 'figure'],
    [
      ['bytes a quad, loaded', loaded.bytesAQuad],
      ['WAL bytes a document, warm', wal],
      ['resident MiB of the service', storage.serviceMebibytes],
      ...Object.entries(loaded.relations).map(([name, bytes]) => [`  ${name}, bytes a quad`, bytes]),
    ],
  )
  save('documents.svg', latencyPlot(results))
  return {steady, storage}
}

/** A closed loop with the processor time of the server. */
async function timedLoop({processId}: Program, load: LoadOptions): Promise<Timed> {
  const before = processorSeconds(processId)
  const summary = await closedLoop(load)
  return {...summary, server: ((processorSeconds(processId) - before) * 1e6) / summary.count}
}

function tell(connections: number, measured: ReadonlyMap<string, readonly (Timed | undefined)[]>): Figures[] {
  const figures: Figures[] = []
  for (const [name, all] of measured) {
    const runs = all.filter(run => run !== undefined)
    if (runs.length === 0) continue
    const own = runs.map(({rate}) => rate)
    const ratios = (floorsOf[name] ?? []).flatMap((floor): [string, number][] => {
      const below = (measured.get(floor) ?? []).flatMap(run => (run === undefined ? [] : [run.rate]))
      return below.length === 0 ? [] : [[floor, medianRatio(own, below)]]
    })
    const server = median(runs.map(run => run.server ?? Number.NaN))
    figures.push({name, ...medianSummary(runs), server, ratios: Object.fromEntries(ratios)})
  }
  printTable(
    `Documents, closed loop, ${connections} connections`,
    ['operation', 'a second', 'p50 ms', 'p95 ms', 'p99 ms', 'server µs', 'of its floors'],
    figures.map(({name, rate, p50, p95, p99, server, ratios}) => {
      const shares = Object.entries(ratios).map(([floor, ratio]) => `${ratio.toFixed(2)} ${floor}`)
      return [name, rate, p50, p95, p99, server, shares.join(', ')]
    }),
  )
  return figures
}

/** Measures GET at a quarter, half and three quarters of the rate of the closed loop. */
async function openLoops(port: number, bench: Bench, rate: number) {
  const shooter = documentOperations(bench).get('GET')
  if (shooter === undefined) return []
  const steady = []
  for (const share of [0.25, 0.5, 0.75]) {
    const summary = await openLoop({port, connections: 64, durationMs: 3 * durationMs, shooter, rate: rate * share})
    steady.push({share, asked: rate * share, ...summary})
  }
  printTable(
    'GET, open loop, 64 connections, latency from the moment a request was due',
    ['share of the greatest', 'asked a second', 'answered', 'p50 ms', 'p95 ms', 'p99 ms'],
    steady.map(({share, asked, rate: answered, p50, p95, p99}) => [share, asked, answered, p50, p95, p99]),
  )
  return steady
}

function latencyPlot(results: readonly {readonly connections: number; readonly figures: readonly Figures[]}[]): string {
  const names = [...documentOperations({port: 0, documents: 1}).keys()]
  const series = names.map(name => ({
    name,
    points: results.flatMap(({connections, figures}): [number, number][] => {
      const found = figures.find(figure => figure.name === name)
      return found === undefined ? [] : [[connections, found.rate]]
    }),
  }))
  const drawn = series.filter(({points}) => points.length > 0)
  return plot(drawn, {title: 'Documents of twelve triples', x: 'connections', y: 'requests a second'})
}
