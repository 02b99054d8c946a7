/**
 * Compares queries with other engines on the same data, over HTTP: one by one, and mixed with writes.
 *
 *   npm run bench:queries [-- --quads 1000000 --rounds 9 --peers oxigraph,virtuoso]
 *   npm run bench:queries -- --data file.nq --queries folder
 *
 * Each engine has one connection. Each round sends every query to every engine, and starts with another engine. The
 * first two answers are not counted. Answers are compared by value, and engines with a different answer are named.
 * Virtuoso is also queried with its own client; of these answers only the number of rows is compared.
 */
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {writeShopFile} from './data.ts'
import {canonical} from './support/answers.ts'
import {type Connection, headerOf, openConnection, requestText} from './support/client.ts'
import {startCluster} from './support/cluster.ts'
import {turtle} from './support/documents.ts'
import {closedLoop, repeat} from './support/load.ts'
import {
  type Engine,
  installPeers,
  startOxigraph,
  startQuadstead,
  startVirtuoso,
  writePeerData,
} from './support/peers.ts'
import {buildService} from './support/program.ts'
import {type Query, queryText, readQueries} from './support/query-files.ts'
import {machine, printTable, save} from './support/report.ts'
import {geometricMean, median} from './support/statistics.ts'

const {values} = parseArgs({
  options: {
    quads: {type: 'string', default: '1000000'},
    rounds: {type: 'string', default: '9'},
    peers: {type: 'string', default: 'oxigraph,virtuoso'},
    queries: {type: 'string', default: 'bench/queries'},
    data: {type: 'string', default: ''}, // N-Quads of documents below http://localhost:8080/
    platform: {type: 'string', default: 'https://carbonldp.com/ns/v1/platform#'}, // its namespace
    mixed: {type: 'string', default: '5'}, // seconds
  },
})
const base = 'http://localhost:8080/'
const rounds = Number(values.rounds)
const warmUps = 2

buildService()
const directory = await mkdtemp(join(tmpdir(), 'quadstead-queries-'))
const cluster = await startCluster()
try {
  const data = values.data || join(directory, 'shop.nq')
  if (values.data === '') await writeShopFile(data, {quads: Number(values.quads), base, platform: values.platform})
  const peers = new Set(values.peers.split(',').filter(name => name !== ''))
  const peerData = join(directory, 'peers.nq')
  if (peers.size > 0) await writePeerData(data, peerData, base)
  const place = await cluster.create('bench')
  const engines = [await startQuadstead(place, data, {BASE_URL: base, PLATFORM_NS: values.platform})]
  if (peers.has('oxigraph')) {
    installPeers()
    engines.push(await startOxigraph(peerData))
  }
  const virtuoso = peers.has('virtuoso') ? await startVirtuoso(peerData, join(directory, 'virtuoso')) : undefined
  if (virtuoso !== undefined) engines.push(virtuoso)
  else if (peers.has('virtuoso')) process.stdout.write('Virtuoso is not installed: left out.\n')
  await place.database.query('vacuum analyze')

  const queries = await readQueries(values.queries)
  const rows = await compare(engines, queries)
  const mixed = await mix(engines[0], queries)
  const loads = engines.map(({name, loadMs, memory}) => ({name, loadSeconds: loadMs / 1000, mebibytes: memory()}))
  printTable(
    'Load',
    ['engine', 'seconds', 'resident MiB'],
    loads.map(({name, loadSeconds, mebibytes}) => [name, loadSeconds, mebibytes]),
  )
  save('queries.json', {
    machine: machine(),
    postgresql: cluster.version,
    quads: values.quads,
    rounds,
    rows,
    mixed,
    loads,
  })
  for (const engine of engines) await engine.stop()
  await place.database.end(1000)
} finally {
  await cluster.stop()
  await rm(directory, {recursive: true, force: true})
}

/** A connection that sends queries: an engine over HTTP, or its own client. */
type Asker = {
  readonly name: string
  readonly ask: (query: Query) => Promise<Told>
  readonly close: () => void
}

/**
 * The bytes of an answer with their media type; for a client that prints for people, the number of rows; or the error.
 */
type Told = {readonly type: string; readonly body: Buffer} | {readonly count: number} | {readonly failure: string}

async function overHttp(engine: Engine): Promise<Asker> {
  const {exchange, close} = await openConnection(engine.port)
  return {
    name: engine.name,
    close,
    async ask(query) {
      const {status, head, body} = await exchange(queryText(engine, query))
      if (status !== 200) return {failure: `${status}: ${body.toString('utf8').slice(0, 200)}`}
      return {type: headerOf(head, 'content-type') ?? '', body}
    },
  }
}

function natively({name, openNative}: Engine): Asker[] {
  if (openNative === undefined) return []
  const {ask, close} = openNative()
  const told = (error: unknown) => ({failure: error instanceof Error ? error.message : String(error)})
  return [{name: `${name}, native`, close, ask: ({text}) => ask(text).then(count => ({count}), told)}]
}

/** Sends every query to every engine. */
async function compare(engines: readonly Engine[], queries: readonly Query[]) {
  const askers = [...(await Promise.all(engines.map(overHttp))), ...engines.flatMap(natively)]
  const rows = []
  for (const query of queries) {
    const times = askers.map((): number[] => [])
    const answers: Seen[] = []
    for (let round = -warmUps; round < rounds; round += 1) {
      for (let place = 0; place < askers.length; place += 1) {
        const index = (place + round + warmUps) % askers.length
        const asker = askers[index]
        if (asker === undefined || typeof answers[index] === 'string') continue
        const begin = performance.now()
        const told = await asker.ask(query)
        if (round >= 0) times[index]?.push(performance.now() - begin)
        answers[index] ??= await seenOf(told)
      }
    }
    rows.push(tell(query, askers, times, answers))
  }
  for (const {close} of askers) close()
  return summarize(askers, rows)
}

/** The stored part of an answer: its lines, only their number, or the error. */
type Seen = readonly string[] | number | string

async function seenOf(told: Told): Promise<Seen> {
  if ('failure' in told) return told.failure
  return 'count' in told ? told.count : canonical(told.type, told.body)
}

type Row = {
  readonly name: string
  readonly rows: number
  readonly ms: readonly number[] // by connection
  readonly notes: readonly string[]
}

function tell(
  {name}: Query,
  askers: readonly Asker[],
  times: readonly (readonly number[])[],
  answers: readonly Seen[],
): Row {
  const [own] = answers
  const notes = answers.flatMap((answer, index) => {
    const asker = askers[index]?.name ?? ''
    if (typeof answer === 'string') return [`${asker} failed: ${answer}`]
    if (typeof own !== 'object') return []
    const difference = firstDifference(own, answer)
    return difference === undefined ? [] : [`${asker} answers otherwise: ${difference}`]
  })
  return {name, rows: typeof own === 'object' ? own.length : Number.NaN, ms: times.map(median), notes}
}

function firstDifference(left: readonly string[], right: readonly string[] | number): string | undefined {
  if (typeof right === 'number') return left.length === right ? undefined : `${left.length} and ${right} rows`
  const at = left.findIndex((line, index) => line !== right[index])
  if (at === -1 && left.length === right.length) return undefined
  return `${left.length} and ${right.length} rows; ours ${left[at] ?? 'ends'}, theirs ${right[at] ?? 'ends'}`
}

/** Prints the results, with the ratio of each peer's time to the service's. */
function summarize(askers: readonly Asker[], rows: readonly Row[]) {
  const names = askers.map(({name}) => name)
  const others = names.slice(1)
  const withRatios = rows.map(row => ({...row, ratios: row.ms.slice(1).map(ms => ms / (row.ms[0] ?? Number.NaN))}))
  printTable(
    'Queries (over HTTP where nothing else is said), ms (median), and how many times as long as ours',
    ['query', 'rows', ...names, ...others.map(name => `${name} : ours`)],
    withRatios.map(({name, rows: count, ms, ratios}) => [name, String(count), ...ms, ...ratios]),
  )
  for (const [index, name] of others.entries()) {
    const ratios = withRatios.map(row => row.ratios[index] ?? Number.NaN).filter(ratio => !Number.isNaN(ratio))
    process.stdout.write(
      `${name}: geometric mean ${geometricMean(ratios).toFixed(2)}, least ${Math.min(...ratios).toFixed(2)}\n`,
    )
  }
  for (const {name, notes} of rows) for (const note of notes) process.stdout.write(`${name}: ${note}\n`)
  return withRatios
}

/** All queries in turn on four connections, alone and together with two connections that create documents. */
async function mix(engine: Engine | undefined, queries: readonly Query[]) {
  const durationMs = Number(values.mixed) * 1000
  if (engine === undefined || durationMs === 0) return undefined
  const {port} = engine
  const connection: Connection = await openConnection(port)
  await connection.exchange(requestText('POST', '/', {'Content-Type': 'text/turtle', Slug: 'written'}, ''))
  connection.close()
  let turn = 0
  let made = 0
  const asking = () => repeat(() => queryText(engine, queries[turn++ % queries.length] ?? (queries[0] as Query)), 200)
  const writing = () =>
    repeat(() => requestText('POST', '/written/', {'Content-Type': 'text/turtle'}, turtle(`m${made++}`, made)), 201)
  const alone = await closedLoop({port, connections: 4, durationMs, shooter: asking})
  const [beside, written] = await Promise.all([
    closedLoop({port, connections: 4, durationMs, shooter: asking}),
    closedLoop({port, connections: 2, durationMs, shooter: writing}),
  ])
  printTable(
    'Queries mixed with writes',
    ['what', 'a second', 'p50 ms', 'p95 ms', 'p99 ms'],
    Object.entries({'queries alone': alone, 'queries beside writes': beside, writes: written}).map(
      ([name, {rate, p50, p95, p99}]) => [name, rate, p50, p95, p99],
    ),
  )
  return {alone, beside, written}
}
