/**
 * Compares random queries with other engines on the same data, over HTTP.
 *
 *   npm run bench:drawn [-- --seed 1 --queries 120 --kind shop --quads 1000000 --rounds 5]
 *   npm run bench:drawn -- --peers oxigraph,fuseki,virtuoso --seconds 20
 *   npm run bench:drawn -- --kind statements    (timetable, catalogue: bench/domains, with written queries)
 *   npm run bench:drawn -- --data own.nq --ask folder    (your own N-Quads or N-Triples, and queries in files *.rq)
 *
 * A seed determines the queries. The service runs as it is installed: with its own PostgreSQL, after an import. Each
 * engine has one connection. A round sends every query to every engine, and each round starts with another engine. In a
 * round, an engine answers all queries, then the next one does, as if each were in use alone. With `--turns query` the
 * engines take turns query by query: each finds the processor's caches full of the work of the others, and its threads
 * asleep. The first rounds are not counted: a service answers many different queries, so the code of an engine that
 * compiles while it runs (ours and Fuseki) must be warm for all of them, not for one. Answers are compared by value. A
 * peer with another answer, or with none within the limit, has no time for that query. Then eight clients send random
 * ones of the queries that all engines have answered.
 *
 * With `--floor` the last one in each turn is no engine: Koa with one prepared SELECT of as many rows as the answer
 * has, in the same PostgreSQL.
 */
import {createReadStream, createWriteStream} from 'node:fs'
import {copyFile, mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {parseArgs} from 'node:util'
import {type Drawn, drawQuery} from '../test/plans/draw.ts'
import {base, platform} from '../test/plans/kinds.ts'
import {readStatements} from '../test/plans/statements.ts'
import {createRandom, pick} from '../test/support/random.ts'
import {writeShopFile} from './data.ts'
import {domains} from './domains/domains.ts'
import {kinds} from './plans/kinds.ts'
import {canonical} from './support/answers.ts'
import {type Connection, headerOf, openConnection, requestText} from './support/client.ts'
import {closedLoop, repeat} from './support/load.ts'
import {startFuseki, startNativeOxigraph} from './support/native-peers.ts'
import {type Engine, startInstalled, startVirtuoso, writePeerData} from './support/peers.ts'
import {buildService, type Program, startScript} from './support/program.ts'
import {readQueries} from './support/query-files.ts'
import {machine, printTable, save} from './support/report.ts'
import {geometricMean, median} from './support/statistics.ts'

const {values} = parseArgs({
  options: {
    seed: {type: 'string', default: '1'},
    queries: {type: 'string', default: '120'},
    kind: {type: 'string', default: 'shop'},
    quads: {type: 'string', default: '1000000'},
    data: {type: 'string'}, // a file with data of your own, in place of `kind` and `quads`
    ask: {type: 'string', default: '.'}, // a folder with queries over them
    rounds: {type: 'string', default: '5'},
    warm: {type: 'string', default: '10'}, // rounds before those that count
    turns: {type: 'string', default: 'round'}, // when the next engine is asked: after a round of queries, or each query
    limit: {type: 'string', default: '20000'}, // ms, for each query
    clients: {type: 'string', default: '8'},
    seconds: {type: 'string', default: '15'}, // duration of the random clients
    peers: {type: 'string', default: 'oxigraph,fuseki,virtuoso'},
    floor: {type: 'boolean', default: false},
  },
})
const [rounds, limitMs, warmUps] = [Number(values.rounds), Number(values.limit), Number(values.warm)]
const warmUpMs = 2000 // for one query and engine: a slow query needs no more
const json = 'application/sparql-results+json'
const [factor, allowanceMs] = [2.5, 2] // a query should take at most factor times the fastest peer, plus the allowance

const defaultGraph = 'http://localhost/default' // of statements in no graph, in which the peers have them, too
const domain = domains.find(({name}) => values.data === undefined && name === values.kind)

type Row = {
  readonly text: string
  readonly features: readonly string[]
  readonly rows: number
  readonly ms: readonly number[] // medians by engine; NaN: no answer, or a different one
  readonly leastMs: readonly number[] // the shortest times
  readonly floorMs: number | undefined // the median of the floor
  readonly notes: readonly string[]
}

buildService()
const directory = await mkdtemp(join(tmpdir(), 'quadstead-drawn-'))
const engines: Engine[] = []
let floor: Program | undefined
try {
  const drawn = await drawAll()
  engines.push(...(await startEngines()))
  if (values.floor) floor = await startScript('bench/floors/rows.ts', {DATA_DIR: serviceDirectory()})
  const rows = await compare(drawn)
  report(rows)
  const loads = await askAtRandom(rows)
  save('drawn.json', {machine: machine(), ...values, engines: engines.map(({name}) => name), rows, loads})
} finally {
  await floor?.stop()
  for (const engine of engines) await engine.stop()
  await rm(directory, {recursive: true, force: true})
}

function serviceDirectory(): string {
  return join(directory, 'quadstead')
}

/** Writes the data for the service and the peers, and draws queries on it. */
async function drawAll(): Promise<readonly Drawn[]> {
  if (values.data !== undefined) {
    for (const name of ['data.nq', 'peers.nq']) await copyFile(values.data, join(directory, name))
    const asked = (await readQueries(values.ask)).filter(({type}) => type === json)
    return asked.map(({name, text}) => ({text, features: [name]}))
  }
  if (domain !== undefined) {
    const lines = domain.write(Number(values.quads))
    for (const name of ['data.nq', 'peers.nq'])
      await pipeline(Readable.from(linesOf(lines)), createWriteStream(join(directory, name)))
    return domain.queries.map(text => ({text, features: []}))
  }
  const kind = kinds.find(({name}) => name === values.kind)
  if (kind === undefined) throw new Error(`--kind is one of ${[...kinds, ...domains].map(({name}) => name).join(', ')}`)
  const [data, peers] = [join(directory, 'data.nq'), join(directory, 'peers.nq')]
  if (kind.name === 'shop') await writeShopFile(data, {quads: Number(values.quads), base, platform})
  else await pipeline(Readable.from(linesOf(kind.write(Number(values.quads)))), createWriteStream(data))
  if (kind.isRaw) await pipeline(createReadStream(data), createWriteStream(peers))
  else await writePeerData(data, peers, base)
  const lines: string[] = []
  for await (const line of createInterface({input: createReadStream(data)})) lines.push(line)
  const statements = readStatements(lines, kind.isRaw ? undefined : base)
  const random = createRandom(Number(values.seed))
  return Array.from({length: Number(values.queries)}, () => drawQuery(random, statements, kind.transitive))
}

function* linesOf(texts: Iterable<string>): Generator<string> {
  for (const text of texts) yield text.endsWith('\n') ? text : `${text}\n`
}

async function startEngines(): Promise<readonly Engine[]> {
  const [data, peers] = [join(directory, 'data.nq'), join(directory, 'peers.nq')]
  const isRaw = (values.data ?? domain) !== undefined || kinds.some(({name, isRaw}) => name === values.kind && isRaw)
  const settings = {DATA_DIR: serviceDirectory(), BASE_URL: base, PLATFORM_NS: platform}
  const started: Engine[] = [await startInstalled(data, settings, isRaw ? ['--raw', '--graph', defaultGraph] : [])]
  const starters = new Map([
    ['oxigraph', () => startNativeOxigraph(peers, join(directory, 'oxigraph'))],
    ['fuseki', () => startFuseki(peers, join(directory, 'fuseki'))],
    ['virtuoso', () => startVirtuoso(peers, join(directory, 'virtuoso'))],
  ])
  for (const name of values.peers.split(',').filter(each => each !== '')) {
    const engine = await starters.get(name)?.()
    if (engine === undefined)
      process.stdout.write(`${name} is not installed or failed: left out (bench/README.md, "Peers").\n`)
    else started.push(engine)
  }
  return started
}

type Told = {readonly lines: readonly string[]} | {readonly failure: string}

/** What one engine has answered to one query, and the times of the rounds that count. */
type Asked = {told: Told | undefined; warmMs: number; readonly times: number[]}

/** Runs all rounds. Each round starts with the next engine. */
async function compare(drawn: readonly Drawn[]): Promise<readonly Row[]> {
  const asking = [...engines, ...(floor === undefined ? [] : [floor])].map(({port}) => openAgain(port))
  const asked = drawn.map(() => asking.map((): Asked => ({told: undefined, warmMs: 0, times: []})))
  for (let round = -warmUps; round < rounds; round += 1)
    for (const [number, place] of turnsOf(drawn.length, asking.length)) {
      const index = (place + round + warmUps) % asking.length
      const [connection, one, query] = [asking[index], asked[number]?.[index], drawn[number]]
      if (connection === undefined || one === undefined || query === undefined) continue
      const engine = engines[index]
      const text = engine === undefined ? floorText(asked[number]?.[0]) : queryText(engine, query.text)
      if (round >= 0 || one.warmMs < warmUpMs) await askOnce(one, () => connection.ask(text), {round, engine})
    }
  for (const {close} of asking) close()
  return drawn.map((query, number) => rowOf(query, asked[number] ?? []))
}

/** A request for as many rows as the service has answered. */
function floorText(own: Asked | undefined): string {
  const {told} = own ?? {}
  const count = told !== undefined && 'lines' in told ? told.lines.length : 0
  return requestText('GET', `/rows/${count}`, {Accept: json})
}

/** The order of a round: numbers of queries with the place of the engine that is asked. */
function* turnsOf(queries: number, places: number): Generator<readonly [number: number, place: number]> {
  if (values.turns === 'query')
    for (let number = 0; number < queries; number += 1)
      for (let place = 0; place < places; place += 1) yield [number, place]
  else
    for (let place = 0; place < places; place += 1)
      for (let number = 0; number < queries; number += 1) yield [number, place]
}

/** Asks once. A failure ends the questions of this kind to this engine. */
async function askOnce(
  one: Asked,
  ask: () => Promise<Exchanged>,
  {round, engine}: {readonly round: number; readonly engine: Engine | undefined},
): Promise<void> {
  if (one.told !== undefined && 'failure' in one.told) return
  const begin = performance.now()
  const answer = await ask()
  const ms = performance.now() - begin
  if (round < 0) one.warmMs += ms
  else one.times.push(ms)
  if ('failure' in answer) one.told = answer
  else one.told ??= {lines: engine === undefined ? [] : await canonical(json, answer.body)}
}

function rowOf({text, features}: Drawn, all: readonly Asked[]): Row {
  const asked = all.slice(0, engines.length)
  const floorMs = floor && median(all.at(-1)?.times ?? [])
  const own = asked[0]?.told
  const notes = asked.flatMap(({told}, index) => {
    const difference = differenceOf(own, told, text)
    return difference === undefined ? [] : [`${engines[index]?.name} ${difference}`]
  })
  const timeOf = (statistic: (times: readonly number[]) => number) =>
    asked.map(({told, times}) => (differenceOf(own, told, text) === undefined ? statistic(times) : Number.NaN))
  const count = own !== undefined && 'lines' in own ? own.lines.length : Number.NaN
  const least = (times: readonly number[]) => Math.min(...times)
  return {text, features, rows: count, ms: timeOf(median), leastMs: timeOf(least), floorMs, notes}
}

type Exchanged = {readonly body: Buffer} | {readonly failure: string}

/** A connection that is opened again after a missing response, and after the server has closed it. */
function openAgain(port: number) {
  let connection: Connection | undefined
  const close = () => {
    connection?.close()
    connection = undefined
  }
  return {
    close,
    async ask(request: string): Promise<Exchanged> {
      if (connection?.isOpen() !== true) connection = await openConnection(port)
      const timer = setTimeout(close, limitMs)
      try {
        const {status, head, body} = await connection.exchange(request)
        const isAnswer = status === 200 && headerOf(head, 'content-type')?.includes('json') === true
        return isAnswer ? {body} : {failure: `answers ${status}: ${body.toString('utf8').slice(0, 150)}`}
      } catch {
        close()
        return {failure: `does not answer within ${limitMs} ms, or breaks off`}
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

function queryText({path}: Engine, text: string): string {
  return requestText('GET', `${path}?query=${encodeURIComponent(text)}`, {Accept: json})
}

/**
 * Describes how an answer differs from that of the service. Of incomplete results only the number of solutions is
 * compared.
 */
function differenceOf(own: Told | undefined, other: Told | undefined, text: string): string | undefined {
  if (other === undefined || 'failure' in other) return other?.failure ?? 'was not asked'
  if (own === undefined || 'failure' in own) return undefined
  const [left, right] = [own.lines, other.lines]
  if (left.length !== right.length) return `has ${right.length} rows, we have ${left.length}`
  if (/\b(?:LIMIT|SAMPLE|GROUP_CONCAT)\b/i.test(text)) return undefined
  const at = left.findIndex((line, index) => line !== right[index])
  return at < 0 ? undefined : `answers otherwise: ${right[at]} in place of ${left[at]}`
}

function report(rows: readonly Row[]): void {
  tabulate('medians', rows, ({ms}) => ms)
  tabulate('the shortest times, which other work on the machine disturbs least', rows, ({leastMs}) => leastMs)
  if (floor !== undefined) tabulateFloor(rows)
  tellSlow(rows)
  for (const {notes, text} of rows) for (const note of notes) process.stdout.write(`\n${note}\n${text}\n`)
}

function tabulate(statistic: string, rows: readonly Row[], timesOf: (row: Row) => readonly number[]): void {
  const titles = ['engine', 'right', 'its mean, ms', 'our mean, ms', 'theirs : ours', 'ours : theirs', '95 %', 'worst']
  const table = engines.slice(1).map(({name}, place) => {
    const both = rows.flatMap(row => {
      const times = timesOf(row)
      const [ours = Number.NaN, theirs = Number.NaN] = [times[0], times[place + 1]]
      return Number.isNaN(ours) || Number.isNaN(theirs) ? [] : [{ours, theirs}]
    })
    const ratios = both.map(({ours, theirs}) => ours / theirs).sort((one, other) => one - other)
    const at = (share: number) => ratios[Math.min(ratios.length - 1, Math.floor(share * ratios.length))]
    const [ours, theirs] = [geometricMean(both.map(pair => pair.ours)), geometricMean(both.map(pair => pair.theirs))]
    return [name, `${both.length} of ${rows.length}`, theirs, ours, theirs / ours, median(ratios), at(0.95), at(1)]
  })
  printTable(`Drawn queries, geometric means of ${statistic}, and ratios by query`, titles, table)
}

/** Compares each engine with the floor, for the queries that it answers. */
function tabulateFloor(rows: readonly Row[]): void {
  const titles = ['engine', 'queries', 'its mean, ms', 'floor, ms', 'floor ÷ engine', 'below the floor']
  const table = engines.map(({name}, place) => {
    const pairs = rows.flatMap(({ms, floorMs = Number.NaN}) => {
      const own = ms[place] ?? Number.NaN
      return Number.isNaN(own) || Number.isNaN(floorMs) ? [] : [{own, floorMs}]
    })
    const [own, least] = [geometricMean(pairs.map(pair => pair.own)), geometricMean(pairs.map(pair => pair.floorMs))]
    const below = pairs.filter(pair => pair.own < pair.floorMs).length
    return [name, `${pairs.length} of ${rows.length}`, own, least, least / own, `${below} queries`]
  })
  printTable('Koa with one prepared SELECT of as many rows, geometric means of medians', titles, table)
}

function tellSlow(rows: readonly Row[]): void {
  const slow = rows.flatMap(row => {
    const [ours = Number.NaN, ...theirs] = row.ms
    const best = Math.min(...theirs.filter(ms => !Number.isNaN(ms)))
    return ours > factor * best + allowanceMs || Number.isNaN(ours) ? [{...row, ours, ratio: ours / best}] : []
  })
  slow.sort((one, other) => other.ratio - one.ratio)
  process.stdout.write(`\nSlower than ${factor} × the fastest peer + ${allowanceMs} ms: ${slow.length}\n`)
  for (const {ours, ratio, ms, features, text, rows: count} of slow) {
    const shown = ms.map((each, index) => `${engines[index]?.name} ${each.toFixed(1)}`).join(', ')
    process.stdout.write(`\n${ours.toFixed(1)} ms, ${ratio.toFixed(1)} × the fastest (${shown}); ${count} rows; `)
    process.stdout.write(`${features.join(', ')}\n${text}\n`)
  }
}

/** Clients that send random queries which every engine answers. Measures answers a second and their latency. */
async function askAtRandom(rows: readonly Row[]) {
  const known = rows.filter(({ms}) => ms.every(each => !Number.isNaN(each))).map(({text}) => text)
  if (known.length === 0) return []
  const loads = []
  for (const engine of engines) {
    const random = createRandom(Number(values.seed) + 1)
    const load = await closedLoop({
      port: engine.port,
      connections: Number(values.clients),
      durationMs: Number(values.seconds) * 1000,
      shooter: () => repeat(() => queryText(engine, pick(random, known)), 200),
    })
    loads.push({name: engine.name, ...load})
  }
  printTable(
    `${values.clients} clients that ask ${known.length} queries at random`,
    ['engine', 'a second', 'p50 ms', 'p95 ms', 'p99 ms'],
    loads.map(({name, rate, p50, p95, p99}) => [name, rate, p50, p95, p99]),
  )
  return loads
}
