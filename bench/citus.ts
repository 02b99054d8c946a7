/**
 * Compares a dataset in a Citus cluster with one in plain PostgreSQL, over HTTP: the requests of bench:documents, and
 * the queries of bench:queries.
 *
 *   npm run bench:citus [-- --connections 4 --rounds 9 --seconds 1 --documents 5000 --quads 200000]
 *
 * Both use the same programs of PostgreSQL with the same settings, which do not wait for the disk. The service of the
 * cluster is given the coordinator. Each round runs every operation on both, one after the other; ratios are medians of
 * the ratios of the rounds. The processor time, of the service and of the sessions of PostgreSQL that work for it,
 * depends less on other load of the machine. The answers of both to a query must be equal.
 */
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {nodeParameters} from '../src/db/citus/prepare.ts'
import {parseDatabaseUrl} from '../src/db/connection/address.ts'
import {createPool} from '../src/db/connection/pool.ts'
import {
  type CitusCluster,
  citusSettings,
  distribute,
  findCitusBinaries,
  inNode,
  joinNodes,
  startCitus,
} from '../test/support/citus.ts'
import {writeShopFile} from './data.ts'
import {canonical} from './support/answers.ts'
import {headerOf, openConnection} from './support/client.ts'
import {type Cluster, type Place, startCluster} from './support/cluster.ts'
import {base, fill, openStore, schema} from './support/documents.ts'
import {closedLoop} from './support/load.ts'
import {documentOperations, prepare} from './support/operations.ts'
import {type Engine, startQuadstead} from './support/peers.ts'
import {sessionMs, threadsMs} from './support/processor.ts'
import {buildService, type Program, startService} from './support/program.ts'
import {type Query, queryText, readQueries} from './support/query-files.ts'
import {machine, printTable, save} from './support/report.ts'
import {geometricMean, interleave, median, medianRatio} from './support/statistics.ts'

const {values} = parseArgs({
  options: {
    connections: {type: 'string', default: '4'},
    rounds: {type: 'string', default: '9'},
    seconds: {type: 'string', default: '1'},
    documents: {type: 'string', default: '5000'},
    quads: {type: 'string', default: '200000'}, // of the dataset for queries
  },
})
const [connections, rounds, documents, quads] = [values.connections, values.rounds, values.documents, values.quads].map(
  Number,
) as [number, number, number, number]
const durationMs = Number(values.seconds) * 1000
const asks = 5 // of a query in a round
const stock = Math.round((rounds + 1) * Number(values.seconds) * 3000) // documents to delete

const kinds = ['plain', 'citus'] as const
type Kind = (typeof kinds)[number]
/** A rate or a time, and the processor time of `count` requests in milliseconds. */
type Measured = {readonly value: number; readonly processor: number; readonly count: number}
type Figure = {
  readonly name: string
  readonly plain: number
  readonly citus: number
  readonly ratio: number
  readonly processor: Readonly<Record<Kind, number>> // milliseconds a request
}
type Servers = {readonly plain: Cluster; readonly cluster: CitusCluster}

const binaries = await findCitusBinaries()
if (binaries === undefined) throw new Error('there is no PostgreSQL with Citus here')
buildService()
const {port, listen_addresses, ...alike} = {...citusSettings, port: '', listen_addresses: ''}
const plain = await startCluster(alike)
const cluster = await startCitus(binaries)
try {
  const operations = await measureDocuments({plain, cluster})
  const queries = await measureQueries({plain, cluster})
  save('citus.json', {
    ...{machine: machine(), postgresql: plain.version, documents, quads, rounds, connections},
    ...{operations, queries},
  })
} finally {
  await cluster.stop()
  await plain.stop()
}

/** A new dataset on each server. */
async function createPlaces({plain, cluster}: Servers, name: string): Promise<Readonly<Record<Kind, Place>>> {
  for (const node of [cluster.coordinator, ...cluster.workers])
    await inNode(node, 'postgres', sql => sql.query(`create database ${name}`))
  await joinNodes(name, cluster.coordinator, cluster.workers)
  const placed = await distribute(cluster.coordinator, name, schema)
  const address = parseDatabaseUrl(`postgres://quadstead@${placed.host}:${placed.port}/${name}`)
  const pool = {connectionMax: 4, isPooled: false, prepare: true, statementTimeoutMs: 0}
  const database = createPool({...address, parameters: nodeParameters}, pool)
  const url = new URL(cluster.coordinator.url)
  url.pathname = `/${name}`
  return {plain: await plain.create(name), citus: {name, url: url.href, database}}
}

/** The rates of the requests of bench:documents. */
async function measureDocuments(servers: Servers): Promise<readonly Figure[]> {
  const places = await createPlaces(servers, 'documents')
  const services: Program[] = []
  const subjects = new Map<string, () => Promise<Measured>>()
  for (const kind of kinds) {
    const place = places[kind]
    await openStore(place)
    const service = await startService({DATABASE_URL: place.url, BASE_URL: base})
    services.push(service)
    await prepare(service.port, connections)
    await fill(place, 'products/', 'p', {count: documents})
    await fill(place, 'stock/', 'd', {count: stock})
  }
  const operations = services.map(({port}) => documentOperations({port, documents}))
  const names = [...(operations[0]?.keys() ?? [])]
  for (const name of names) {
    for (const [index, kind] of kinds.entries()) {
      const [shooter, port] = [operations[index]?.get(name), services[index]?.port ?? 0]
      if (shooter === undefined) throw new Error(`there is no operation ${name}`)
      const run = () => closedLoop({port, connections, durationMs, shooter})
      subjects.set(`${kind} ${name}`, () =>
        createTimer(servers, kind, services[index])(run, ({rate, count}) => ({value: rate, count})),
      )
    }
  }
  const figures = await compare(names, subjects, `Requests a second, ${connections} connections`)
  for (const service of services) await service.stop()
  for (const kind of kinds) await places[kind].database.end(1000)
  return figures
}

/** The times of the queries of bench:queries, over one connection each. */
async function measureQueries(servers: Servers): Promise<readonly Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'quadstead-citus-'))
  const data = join(directory, 'shop.nq')
  const root = 'http://localhost:8080/'
  await writeShopFile(data, {quads, base: root})
  const places = await createPlaces(servers, 'queries')
  const engines: Engine[] = []
  for (const kind of kinds) engines.push(await startQuadstead(places[kind], data, {BASE_URL: root}))
  await rm(directory, {recursive: true})
  const open = await Promise.all(engines.map(({port}) => openConnection(port)))
  async function ask(index: number, query: Query): Promise<readonly string[]> {
    const answer = await open[index]?.exchange(queryText({path: '/sparql'}, query))
    if (answer?.status !== 200) throw new Error(`${query.name}: ${answer?.status} ${answer?.body}`)
    return canonical(headerOf(answer.head, 'content-type') ?? '', answer.body)
  }
  const queries = await readQueries('bench/queries')
  const subjects = new Map<string, () => Promise<Measured>>()
  for (const query of queries) {
    const [ours, theirs] = [await ask(0, query), await ask(1, query)]
    if (ours.join('\n') !== theirs.join('\n')) process.stdout.write(`${query.name}: the answers differ\n`)
    for (const [index, kind] of kinds.entries()) {
      const run = async () => {
        const begin = performance.now()
        for (let left = asks; left > 0; left -= 1) await open[index]?.exchange(queryText({path: '/sparql'}, query))
        return (performance.now() - begin) / asks
      }
      subjects.set(`${kind} ${query.name}`, () =>
        createTimer(servers, kind, engines[index])(run, ms => ({value: ms, count: asks})),
      )
    }
  }
  const names = queries.map(({name}) => name)
  const figures = await compare(names, subjects, `Queries, ms, ${quads} quads`)
  for (const {close} of open) close()
  for (const engine of engines) await engine.stop()
  for (const kind of kinds) await places[kind].database.end(1000)
  return figures
}

type Service = {readonly processId?: number}
type Timer = <Result>(
  run: () => Promise<Result>,
  figure: (result: Result) => {readonly value: number; readonly count: number},
) => Promise<Measured>

/** Measures the processor time of a service and of all sessions of PostgreSQL that were opened by services. */
function createTimer({plain, cluster}: Servers, kind: Kind, {processId}: Service = {}): Timer {
  const nodes = [cluster.coordinator, ...cluster.workers]
  const postmasters = kind === 'plain' ? [plain.processId()] : nodes.map(node => node.processId())
  const used = () =>
    postmasters.reduce((sum, id) => sum + sessionMs(id, 'postgres: quadstead '), threadsMs(processId ?? process.pid))
  return async (run, figure) => {
    const before = used()
    const result = await run()
    return {...figure(result), processor: used() - before}
  }
}

/** Measures both kinds of each name, and prints the medians and their ratios. */
async function compare(
  names: readonly string[],
  subjects: ReadonlyMap<string, () => Promise<Measured>>,
  title: string,
) {
  await interleave(1, subjects) // warm-up
  const measured = await interleave(rounds, subjects)
  const of = (kind: Kind, name: string) => measured.get(`${kind} ${name}`) ?? []
  const valuesOf = (kind: Kind, name: string) => of(kind, name).map(({value}) => value)
  const sum = (kind: Kind, name: string, field: 'processor' | 'count') =>
    of(kind, name).reduce((total, each) => total + each[field], 0)
  const processorMs = (kind: Kind, name: string) => sum(kind, name, 'processor') / sum(kind, name, 'count')
  const figures = names.map((name): Figure => {
    const [plain, citus] = [valuesOf('plain', name), valuesOf('citus', name)]
    const processor = {plain: processorMs('plain', name), citus: processorMs('citus', name)}
    return {name, plain: median(plain), citus: median(citus), ratio: medianRatio(citus, plain), processor}
  })
  printTable(
    title,
    ['what', 'plain', 'Citus', 'Citus : plain', 'processor ms, plain', 'Citus', 'Citus : plain'],
    figures.map(({name, plain, citus, ratio, processor}) => [
      ...[name, plain, citus, ratio, processor.plain, processor.citus, processor.citus / processor.plain],
    ]),
  )
  const mean = geometricMean(figures.map(({ratio}) => ratio))
  const cost = geometricMean(figures.map(({processor}) => processor.citus / processor.plain))
  process.stdout.write(`Citus : plain, geometric means ${mean.toFixed(2)}, processor time ${cost.toFixed(2)}\n`)
  return figures
}
