/**
 * Measures the fixed cost of queries, with queries that random walks over the shop generate.
 *
 *   npm run bench:walks [-- --quads 250000 --count 120 --seed 1 --rounds 9 --peer http://127.0.0.1:7878/query]
 *   npm run bench:walks -- --quads 250000 --write shop.nq
 *
 * The service runs as it is installed, with its own PostgreSQL, and gets the queries on one connection. Each query is
 * sent for the first time, with a shape that no earlier query had; with the same text again (the median of the rounds);
 * and in the same shape with another constant. A peer is any SPARQL endpoint on 127.0.0.1 that has the same data, with
 * a default graph that is the union of all graphs. --write writes the file with the data for it.
 */
import {execFileSync} from 'node:child_process'
import {createReadStream} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {parseArgs} from 'node:util'
import {createRandom} from '../test/support/random.ts'
import {writeShopFile} from './data.ts'
import {canonical} from './support/answers.ts'
import {type Connection, headerOf, openConnection, requestText} from './support/client.ts'
import {buildService, projectDirectory, startService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {geometricMean, median, summarize} from './support/statistics.ts'
import {type DrawnQuery, drawQueries, type Graph, graphOf} from './walks/draw.ts'

const {values} = parseArgs({
  options: {
    quads: {type: 'string', default: '250000'},
    count: {type: 'string', default: '120'},
    seed: {type: 'string', default: '1'},
    rounds: {type: 'string', default: '9'},
    peer: {type: 'string', default: ''},
    write: {type: 'string', default: ''}, // file for the peer's data; sends no queries
    profile: {type: 'string', default: ''}, // a folder for --cpu-prof
    url: {type: 'string', default: ''}, // of a database; if it is not given, the service's own
  },
})
const warmUps = 200
const asked = ['first', 'again', 'sibling'] as const
const titles = {first: 'a new shape', again: 'the same text', sibling: 'another constant'}
const base = 'http://localhost:8080/'

type Asker = {readonly name: string; readonly ask: (text: string) => Promise<Answered>; readonly close: () => void}
type Answered = {readonly ms: number; readonly type: string; readonly body: Buffer}

/** Times of one query in one engine, in ms. */
type Times = {readonly first: number; readonly again: number; readonly sibling: number}

type Measured = {readonly query: DrawnQuery; readonly times: readonly Times[]; readonly isEqual: boolean}

async function bench(): Promise<void> {
  buildService()
  const directory = await mkdtemp(join(tmpdir(), 'quadstead-walks-'))
  const place = values.url === '' ? {DATA_DIR: join(directory, 'data')} : {DATABASE_URL: values.url}
  const environment = {BASE_URL: base, ...place}
  try {
    const data = join(directory, 'shop.nq')
    await writeShopFile(data, {quads: Number(values.quads), base})
    const {PATH = '', HOME = ''} = process.env
    const env = {PATH, HOME, ...environment}
    execFileSync(process.execPath, ['dist/cli.js', 'import', data], {cwd: projectDirectory, env, stdio: 'ignore'})
    const graph = graphOf(await linesOf(data))
    const profiling = values.profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`]
    const service = await startService(environment, profiling)
    const askers = [await askerOf('Quadstead', new URL('sparql', service.url))]
    if (values.peer !== '') askers.push(await askerOf('peer', new URL(values.peer)))
    tell(askers, await measure(askers, graph))
    for (const {close} of askers) close()
    await service.stop()
  } finally {
    await rm(directory, {recursive: true, force: true})
  }
}

async function linesOf(path: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({input: createReadStream(path)})) lines.push(line)
  return lines
}

async function askerOf(name: string, url: URL): Promise<Asker> {
  const {exchange, close}: Connection = await openConnection(Number(url.port))
  return {
    name,
    close,
    async ask(text) {
      const path = `${url.pathname}?query=${encodeURIComponent(text)}`
      const request = requestText('GET', path, {Accept: 'application/sparql-results+json'})
      const begin = performance.now()
      const {status, head, body} = await exchange(request)
      const ms = performance.now() - begin
      if (status !== 200) throw new Error(`${name} answered ${status} to ${text}: ${body}`)
      return {ms, type: headerOf(head, 'content-type') ?? '', body}
    },
  }
}

/** Queries of one list warm the engines up, those of the other are measured. No shape is in both. */
async function measure(askers: readonly Asker[], graph: Graph): Promise<readonly Measured[]> {
  const count = Number(values.count)
  const drawn = drawQueries(createRandom(Number(values.seed)), graph, warmUps + count)
  for (const {text} of drawn.slice(0, -count))
    for (const {ask} of askers) for (let n = 0; n < 3; n += 1) await ask(text)
  const measured: Measured[] = []
  for (const query of drawn.slice(-count)) measured.push(await measureOne(askers, query))
  return measured
}

/** Runs all engines in turn. Each round starts with another one. */
async function measureOne(askers: readonly Asker[], query: DrawnQuery): Promise<Measured> {
  const [firsts, siblings]: [Answered[], Answered[]] = [[], []]
  const again = askers.map((): number[] => [])
  for (const {ask} of askers) firsts.push(await ask(query.text))
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (let place = 0; place < askers.length; place += 1) {
      const index = (place + round) % askers.length
      again[index]?.push((await (askers[index] as Asker).ask(query.text)).ms)
    }
  for (const {ask} of askers) siblings.push(await ask(query.sibling))
  const answers = await Promise.all(firsts.map(({type, body}) => canonical(type, body)))
  const times = askers.map((_, index) => ({
    first: firsts[index]?.ms ?? Number.NaN,
    again: median(again[index] ?? []),
    sibling: siblings[index]?.ms ?? Number.NaN,
  }))
  const isTied = query.kind === 'first' // the engine may choose which of equal values come first
  const isEqual = answers.every(rows => (isTied ? rows.length === answers[0]?.length : `${rows}` === `${answers[0]}`))
  return {query, times, isEqual}
}

function tell(askers: readonly Asker[], measured: readonly Measured[]): void {
  const rows = askers.flatMap(({name}, index) => {
    const of = (which: keyof Times) => measured.map(({times}) => times[index]?.[which] ?? Number.NaN)
    const again = of('again')
    return asked.map(which => {
      const {p50, p95} = summarize(of(which), 1)
      const ratio = summarize(
        of(which).map((ms, at) => ms / (again[at] ?? Number.NaN)),
        1,
      )
      return [name, titles[which], geometricMean(of(which)), p50, p95, ratio.p50, ratio.p95]
    })
  })
  printTable(
    `${measured.length} queries by random walks, ms; each beside the same text again`,
    ['engine', 'asked', 'mean (geometric)', 'p50', 'p95', 'ratio p50', 'ratio p95'],
    rows,
  )
  const comparisons = askers.length < 2 ? [] : asked.map(which => compared(which, measured))
  if (comparisons.length > 0)
    printTable('Ours ÷ theirs', ['asked', 'mean (geometric)', 'p50', 'p95', 'most'], comparisons)
  for (const {query} of measured.filter(({isEqual}) => !isEqual))
    process.stdout.write(`answers differ: ${query.text}\n`)
  save('walks.json', {machine: machine(), quads: values.quads, seed: values.seed, rows, comparisons, measured})
}

function compared(which: keyof Times, measured: readonly Measured[]) {
  const ratios = measured.map(
    ({times: [ours, theirs]}) => (ours?.[which] ?? Number.NaN) / (theirs?.[which] ?? Number.NaN),
  )
  const {p50, p95} = summarize(ratios, 1)
  return [titles[which], geometricMean(ratios), p50, p95, Math.max(...ratios)]
}

if (values.write !== '') await writeShopFile(values.write, {quads: Number(values.quads), base})
else await bench()
