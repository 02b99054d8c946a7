/**
 * Measures one dataset with 0, 1 and 2 replicas under mixed load: reads of documents, short and long queries, creates.
 *
 *   npm run bench:replicas [-- --documents 20000 --rounds 3 --seconds 8]
 *
 * Three services use the same primary: one without replicas, one with the first replica, one with both. They are
 * measured in turn. Every fourth client also creates documents, so its reads need a replica that has replayed its last
 * create; the others only read.
 *
 * All servers, the service and the generator share the processors of one machine, so the rates say little about several
 * machines. The processor time of each server per request can be carried over. The bench derives rates from it:
 * a server of the given number of processors is busy when requests a second times its seconds a request reach that
 * number. Both replicas replay all the time, also for the service that does not use them. What they cost there is the
 * cost of replay alone.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {parseDatabaseUrl} from '../src/db/connection/address.ts'
import {createPool, type Database} from '../src/db/connection/pool.ts'
import {send} from '../test/support/client.ts'
import {findReplicationBinaries, type Replication, startReplication} from '../test/support/replication.ts'
import {openConnection, requestText} from './support/client.ts'
import {settings} from './support/cluster.ts'
import {base, fill, openStore, turtle} from './support/documents.ts'
import {processorSeconds} from './support/processor.ts'
import {buildService, type Program, startService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {interleave, median, type Summary, summarize} from './support/statistics.ts'

const {values} = parseArgs({
  options: {
    documents: {type: 'string', default: '20000'},
    rounds: {type: 'string', default: '3'},
    seconds: {type: 'string', default: '8'},
    clients: {type: 'string', default: '8,32'},
    processors: {type: 'string', default: '4'}, // of each server, for the derived rates
  },
})
const documents = Number(values.documents)
const durationMs = Number(values.seconds) * 1000
const replicaCounts = [0, 1, 2]
const serversLater = [0, 1, 2, 4, 8] // replicas, for the derived rates
const shop = 'http://example.org/shop#'
const lagEveryMs = 200
const warmRequests = 2000 // sent to each service first, so that V8 has optimized its code
const kinds = ['document', 'short query', 'long query', 'create'] as const
let made = 0 // numbers of created documents

type Kind = (typeof kinds)[number]
type Service = {readonly replicas: number; readonly program: Program}
type Measured = Awaited<ReturnType<typeof measure>>

const binaries = await findReplicationBinaries()
if (binaries === undefined) throw new Error('this bench needs a PostgreSQL with pg_basebackup, such as postgresql-15')
buildService()
const replication = await startReplication(binaries, 2, {...settings, wal_keep_size: '1GB'})
try {
  const services = await startServices(replication)
  const results = new Map<number, ReadonlyMap<string, readonly Measured[]>>()
  for (const clients of values.clients.split(',').map(Number)) {
    for (const {program} of services) await load(program.port, clients, {requests: warmRequests})
    const subjects = new Map(
      services.map(service => [String(service.replicas), () => measure(replication, service, clients)]),
    )
    results.set(clients, await interleave(Number(values.rounds), subjects))
  }
  report(results)
  for (const {program} of services) await program.stop()
} finally {
  await replication.stop()
}

async function startServices({url, replicas, caughtUp}: Replication): Promise<Service[]> {
  const options = {connectionMax: 2, isPooled: false, prepare: false, statementTimeoutMs: 0}
  const place = {name: 'postgres', url, database: createPool(parseDatabaseUrl(url), options)}
  await openStore(place)
  const services: Service[] = []
  for (const count of replicaCounts) {
    const urls = replicas.slice(0, count).map(replica => replica.url)
    const own = {DATABASE_URL: url, DATABASE_READ_URL: urls.join(' '), BASE_URL: base, LOG_REQUESTS: 'errors'}
    services.push({replicas: count, program: await startService({...own, DATABASE_POOL_MAX: '12'})})
  }
  const {exchange, close} = await openConnection(services[0]?.program.port ?? 0)
  for (const slug of ['products', 'made'])
    await exchange(requestText('POST', '/', {'Content-Type': 'text/turtle', Slug: slug}, ''))
  close()
  await fill(place, 'products/', 'p', {count: documents})
  await place.database.query('vacuum analyze')
  await place.database.end(1000)
  await caughtUp()
  await delay(1000) // the services look at the replicas twice a second
  return services
}

function random(below: number): number {
  return Math.floor(Math.random() * below)
}

/** Of a hundred requests of a reader: 75 documents, 23 short queries, 2 long ones. A writer also creates. */
function drawRequest(isWriter: boolean): readonly [Kind, string] {
  if (isWriter && random(3) === 0) {
    made += 1
    const body = turtle(`${Date.now().toString(36)}${made}`, made)
    return ['create', requestText('POST', '/made/', {'Content-Type': 'text/turtle'}, body)]
  }
  const draw = random(100)
  if (draw < 75) {
    return ['document', requestText('GET', `/products/p${random(documents)}/`, {Accept: 'text/turtle'})]
  }
  return draw < 98 ? ['short query', query(shortQuery(random(documents)))] : ['long query', query(longQuery())]
}

function shortQuery(number: number): string {
  return `SELECT ?label ?other { <${base}products/p${number}/> <${shop}producer> ?producer ;
    <http://www.w3.org/2000/01/rdf-schema#label> ?label ; <${shop}category> ?category .
    ?other <${shop}producer> ?producer ; <${shop}category> ?category } LIMIT 10`
}

function longQuery(): string {
  return `SELECT ?category (COUNT(?product) AS ?products) (AVG(?price) AS ?mean) {
    ?product <${shop}category> ?category ; <${shop}price> ?price ; <${shop}stock> ?stock
    FILTER(?stock > ${random(50)}) } GROUP BY ?category ORDER BY DESC(?products) LIMIT 20`
}

function query(text: string): string {
  return requestText('GET', `/sparql?query=${encodeURIComponent(text)}`, {Accept: 'text/csv'})
}

type Until = {readonly forMs?: number; readonly requests?: number}

/** The latencies of each kind, and the seconds that the load took. */
async function load(
  port: number,
  clients: number,
  {forMs = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY}: Until,
) {
  const latencies = new Map<Kind, number[]>(kinds.map(kind => [kind, []]))
  const connections = await Promise.all(Array.from({length: clients}, () => openConnection(port)))
  const from = performance.now()
  let left = requests
  await Promise.all(
    connections.map(async ({exchange}, index) => {
      for (let before = from; before - from < forMs && left > 0; left -= 1) {
        const [kind, request] = drawRequest(index % 4 === 0)
        const {status, body} = await exchange(request)
        if (status !== (kind === 'create' ? 201 : 200)) throw new Error(`${kind}: ${status} ${body}`)
        const after = performance.now()
        latencies.get(kind)?.push(after - before)
        before = after
      }
    }),
  )
  const seconds = (performance.now() - from) / 1000
  for (const {close} of connections) close()
  return {latencies, seconds}
}

async function measure({primaryProcessId, primary, replicas}: Replication, {program}: Service, clients: number) {
  const processes = [program.processId, primaryProcessId(), ...replicas.map(({processId}) => processId())]
  const readsBefore = await readsByServer(program)
  const before = processes.map(processorSeconds)
  const lags = sampleLags(primary, replicas)
  const {latencies, seconds} = await load(program.port, clients, {forMs: durationMs})
  const used = processes.map((id, index) => processorSeconds(id) - (before[index] ?? 0))
  const readsAfter = await readsByServer(program)
  const count = [...latencies.values()].reduce((sum, {length}) => sum + length, 0)
  const [node = 0, ...servers] = used.map(time => (time * 1e6) / count)
  return {
    rate: count / seconds,
    kinds: Object.fromEntries(Array.from(latencies, ([kind, times]) => [kind, summarize(times, seconds)])),
    reads: shares(readsBefore, readsAfter),
    nodeMicros: node,
    serverMicros: servers,
    lagMs: await lags.stop(),
  }
}

/** What the service has counted; without replicas it counts nothing, and the primary answers all. */
async function readsByServer({url}: Program): Promise<ReadonlyMap<string, number>> {
  const {text} = await send(url, {path: '/metrics'})
  const samples = text.matchAll(/^quadstead_reads_total\{.*server="([^"]*)".*\} (\d+)$/gm)
  return new Map(Array.from(samples, ([, server = '', count]) => [server, Number(count)]))
}

/** The share of the primary, and those of the replicas from the largest to the smallest. */
function shares(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  const counts = new Map(Array.from(after, ([server, count]) => [server, count - (before.get(server) ?? 0)]))
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (all === 0) return {primary: 1, replicas: []}
  const own = counts.get('primary') ?? 0
  counts.delete('primary')
  return {primary: own / all, replicas: [...counts.values()].map(count => count / all).sort((a, b) => b - a)}
}

/** Measures how long it takes until the replicas have replayed what the primary had written at a moment. */
function sampleLags(primary: Database, replicas: Replication['replicas']) {
  const stopping = new AbortController()
  const lags: number[] = []
  const sampling = (async () => {
    while (!stopping.signal.aborted) {
      const from = performance.now()
      const [row] = await primary.query<{at: string}>('select pg_current_wal_insert_lsn()::text as at')
      await Promise.all(replicas.map(replica => awaitReplay(replica, row?.at ?? '')))
      lags.push(performance.now() - from)
      await delay(lagEveryMs, undefined, {signal: stopping.signal}).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await sampling
      return summarize(lags, 1)
    },
  }
}

async function awaitReplay({query: ask}: Replication['replicas'][number], position: string): Promise<void> {
  for (;;) {
    const [row] = await ask<{is_there: boolean}>('select pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there', [
      position,
    ])
    if (row?.is_there === true) return
    await delay(5)
  }
}

function report(results: ReadonlyMap<number, ReadonlyMap<string, readonly Measured[]>>): void {
  const cells = Array.from(results, ([clients, bySubject]) =>
    Array.from(bySubject, ([replicas, rounds]) => ({clients, replicas: Number(replicas), ...middle(rounds)})),
  ).flat()
  const head = ['clients', 'replicas']
  const labels = cells.map(({clients, replicas}) => [String(clients), String(replicas)])
  printTable(
    'Rate, processor time of a request of the mix in µs, reads of the primary, ms until replayed',
    [...head, 'a second', 'Node', 'primary', 'replica', 'replica', 'reads of primary', 'lag p50', 'lag p99'],
    cells.map(({rate, nodeMicros, serverMicros, primaryShare, lagMs}, index) => {
      return [...(labels[index] ?? []), rate, nodeMicros, ...serverMicros, primaryShare, lagMs.p50, lagMs.p99]
    }),
  )
  printTable(
    'Latency, ms: p50 and p99',
    [...head, ...kinds.flatMap(kind => [kind, 'p99'])],
    cells.map(({latency}, index) => [...(labels[index] ?? []), ...latency.flatMap(({p50, p99}) => [p50, p99])]),
  )
  const derived = Array.from(results.keys(), clients => derive(cells.filter(cell => cell.clients === clients)))
  printTable(
    `Derived: requests a second until PostgreSQL is busy, servers of ${values.processors} processors`,
    ['clients', ...serversLater.map(count => `${count} replicas`), 'Node, processors for the last'],
    derived.map(({rates, nodeProcessors}, index) => [values.clients.split(',')[index], ...rates, nodeProcessors]),
  )
  save('replicas.json', {machine: machine(), ...values, cells, derived})
}

function middle(rounds: readonly Measured[]) {
  const of = (figure: (round: Measured) => number) => median(rounds.map(figure))
  const kindOf = (kind: Kind, figure: 'p50' | 'p99') => of(round => round.kinds[kind]?.[figure] ?? Number.NaN)
  const lag = (figure: keyof Summary) => of(({lagMs}) => lagMs[figure])
  return {
    rate: of(({rate}) => rate),
    nodeMicros: of(round => round.nodeMicros),
    serverMicros: [0, 1, 2].map(server => of(({serverMicros}) => serverMicros[server] ?? Number.NaN)),
    primaryShare: of(({reads}) => reads.primary),
    lagMs: {p50: lag('p50'), p99: lag('p99')},
    latency: kinds.map(kind => ({kind, p50: kindOf(kind, 'p50'), p99: kindOf(kind, 'p99')})),
  }
}

type Cell = ReturnType<typeof middle> & {readonly replicas: number}

/**
 * Rates at which the busiest PostgreSQL uses all its processors.
 *
 *   primary  writes + fallbacks of reads       as measured with two replicas
 *   replica  replay + reads ÷ replicas         replay as measured on unused replicas
 */
function derive(cells: readonly Cell[]) {
  const processors = Number(values.processors)
  const cell = (replicas: number) => cells.find(candidate => candidate.replicas === replicas)
  const [alone, two] = [cell(0), cell(2)]
  const all = alone?.serverMicros[0] ?? Number.NaN
  const replay = median(alone?.serverMicros.slice(1) ?? [])
  const primary = two?.serverMicros[0] ?? Number.NaN
  const reads = (two?.serverMicros.slice(1) ?? []).reduce((sum, micros) => sum + micros - replay, 0)
  const rates = serversLater.map(count => {
    const busiest = count === 0 ? all : Math.max(primary, replay + reads / count)
    return (processors * 1e6) / busiest
  })
  const nodeProcessors = ((rates.at(-1) ?? 0) * (two?.nodeMicros ?? Number.NaN)) / 1e6
  return {all, replay, primary, reads, rates, nodeProcessors}
}
