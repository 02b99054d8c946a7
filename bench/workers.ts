/**
 * Measures workers: reads, writes and queries of a service with one process, and of one with several workers.
 *
 *   npm run bench:workers [-- --workers 2 --connections 16 --each --rounds 7 --seconds 2]
 *
 * Both use one database and are measured in turn. The rate depends on other load of the machine, and generator and
 * PostgreSQL need processors too: a read costs PostgreSQL half as much as Node. The bench therefore also measures the
 * processor time of all processes of the service for each request, including the keeper. As long as PostgreSQL has
 * spare capacity and this time does not grow, throughput is proportional to the number of workers, because they share
 * no lock and no queue. It does grow for reads and creates if workers divide the same connections: concurrent ones
 * share a statement, and then fewer do. With `--each`, each process has as many connections, as when a service gets
 * another worker because it has more clients.
 */
import {availableParallelism} from 'node:os'
import {parseArgs} from 'node:util'
import {requestText} from './support/client.ts'
import {startCluster} from './support/cluster.ts'
import {base, fill, openStore} from './support/documents.ts'
import {closedLoop, repeat} from './support/load.ts'
import {documentOperations, type Operation, prepare} from './support/operations.ts'
import {processorSeconds} from './support/processor.ts'
import {buildService, type Program, startService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {interleave, median, medianRatio} from './support/statistics.ts'

const {values} = parseArgs({
  options: {
    workers: {type: 'string', default: String(Math.max(2, availableParallelism()))},
    connections: {type: 'string', default: '16'},
    each: {type: 'boolean', default: false},
    rounds: {type: 'string', default: '7'},
    seconds: {type: 'string', default: '2'},
  },
})
const [connections, durationMs] = [Number(values.connections), Number(values.seconds) * 1000]
const connectionsOfAll = connections * (values.each ? Number(values.workers) : 1)
const documents = 5000
const warmRequests = 4000 // sent to each service first, so that V8 has optimized its code

const queryText = encodeURIComponent(`select ?p ?o { <${base}products/p7/> ?p ?o }`)

buildService()
const cluster = await startCluster()
try {
  const place = await cluster.create('bench')
  await openStore(place)
  const environment = {DATABASE_URL: place.url, BASE_URL: base, DATABASE_POOL_MAX: '20', LOG_REQUESTS: 'errors'}
  const one = await startService(environment)
  await prepare(one.port, connectionsOfAll)
  await fill(place, 'products/', 'p', {count: documents})
  await place.database.query('vacuum analyze')
  const several = await startService({...environment, WORKERS: values.workers})
  const results = []
  const operations = documentOperations({port: one.port, documents})
  const kinds: readonly (readonly [string, Operation | undefined])[] = [
    ['GET of a document', operations.get('GET')],
    ['GET without PostgreSQL', () => repeat(() => requestText('GET', '/live'), 200)],
    ['POST of a document', operations.get('POST')],
    ['query of a document', () => repeat(() => requestText('GET', `/sparql?query=${queryText}`), 200)],
  ]
  for (const [name, shooter] of kinds)
    if (shooter !== undefined) results.push({name, ...(await compare(shooter, {one, several}))})
  printTable(
    `${values.workers} workers with ${connectionsOfAll} connections and one process with ${connections}`,
    ['what', 'one, a second', 'workers, a second', 'rate ratio', 'one, µs', 'workers, µs', 'time ratio'],
    results.map(({name, rates, times, rateRatio, timeRatio}) => [name, ...rates, rateRatio, ...times, timeRatio]),
  )
  save('workers.json', {machine: machine(), postgresql: cluster.version, ...values, results})
  await one.stop()
  await several.stop()
  await place.database.end(1000)
} finally {
  await cluster.stop()
}

async function compare(shooter: Operation, {one, several}: {readonly one: Program; readonly several: Program}) {
  const measure = async ({processId, port}: Program) => {
    const before = processorSeconds(processId)
    const load = {port, connections: processId === one.processId ? connections : connectionsOfAll, durationMs, shooter}
    const {rate, count} = await closedLoop(load)
    return {rate, microseconds: ((processorSeconds(processId) - before) * 1e6) / count}
  }
  for (const program of [one, several]) await warm(program, shooter)
  const subjects = new Map([
    ['one', () => measure(one)],
    ['several', () => measure(several)],
  ])
  const rounds = await interleave(Number(values.rounds), subjects)
  const of = (side: 'one' | 'several', figure: 'rate' | 'microseconds') =>
    (rounds.get(side) ?? []).map(round => round[figure])
  return {
    rates: [median(of('one', 'rate')), median(of('several', 'rate'))] as const,
    rateRatio: medianRatio(of('several', 'rate'), of('one', 'rate')),
    times: [median(of('one', 'microseconds')), median(of('several', 'microseconds'))] as const,
    timeRatio: medianRatio(of('several', 'microseconds'), of('one', 'microseconds')),
  }
}

async function warm({port}: Program, shooter: Operation): Promise<void> {
  let left = warmRequests
  const counted = (index: number) => {
    const {next, answered} = shooter(index)
    return {answered, next: () => (left-- > 0 ? next() : undefined)}
  }
  await closedLoop({port, connections, durationMs: Number.POSITIVE_INFINITY, shooter: counted})
}
