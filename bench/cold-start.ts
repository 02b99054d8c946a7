/**
 * Measures the time from the command to the first response, and the memory at that moment.
 *
 *   npm run bench:cold-start [-- --rounds 5]
 *
 * For comparison it also starts Node alone, and Koa with a driver; ratios are to the latter.
 */
import {execFileSync} from 'node:child_process'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {openConnection, requestText} from './support/client.ts'
import {startCluster} from './support/cluster.ts'
import {buildService, type Program, startProgram, startService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {interleave, median, medianRatio} from './support/statistics.ts'

const {values} = parseArgs({options: {rounds: {type: 'string', default: '5'}}})

type Start = {readonly ms: number; readonly mebibytes: number}

buildService()
const cluster = await startCluster()
const directory = await mkdtemp(join(tmpdir(), 'quadstead-start-'))
let databases = 0
try {
  const used = await cluster.create('used')
  await timed(() => startService({DATABASE_URL: used.url}))
  await timed(() => startService({DATA_DIR: join(directory, 'data')}))
  const started = await interleave(
    Number(values.rounds),
    new Map<string, () => Promise<Start>>([
      ['Node alone', async () => ({ms: nodeAlone(), mebibytes: Number.NaN})],
      ['Koa and a driver', () => timed(() => startProgram(process.execPath, ['bench/floors/start.mjs']))],
      ['PostgreSQL of its own, first start', firstStart],
      ['PostgreSQL of its own, again', () => timed(() => startService({DATA_DIR: join(directory, 'data')}))],
      ['a database, first start', firstStartInDatabase],
      ['a database, again', () => timed(() => startService({DATABASE_URL: used.url}))],
    ]),
  )
  const floor = (started.get('Koa and a driver') ?? []).map(({ms}) => ms)
  const rows = [...started].map(([name, starts]) => ({
    name,
    ms: median(starts.map(({ms}) => ms)),
    mebibytes: median(starts.map(({mebibytes}) => mebibytes)),
    ratio: medianRatio(
      starts.map(({ms}) => ms),
      floor,
    ),
  }))
  printTable(
    'From the command to the first answer',
    ['start', 'ms', 'resident MiB', 'to Koa and a driver'],
    rows.map(({name, ms, mebibytes, ratio}) => [name, ms, mebibytes, ratio]),
  )
  save('cold-start.json', {machine: machine(), postgresql: cluster.version, rows})
  await used.database.end(1000)
} finally {
  await cluster.stop()
  await rm(directory, {recursive: true, force: true})
}

/** Measures until the first response to a GET of the root. */
async function timed(launch: () => Promise<Program>): Promise<Start> {
  const begin = performance.now()
  const program = await launch()
  const {exchange, close} = await openConnection(program.port)
  const {status} = await exchange(requestText('GET', '/', {Accept: 'text/turtle'}))
  const ms = performance.now() - begin
  const mebibytes = program.memory()
  close()
  await program.stop()
  if (status !== 200) throw new Error(`the first answer was a ${status}`)
  return {ms, mebibytes}
}

async function firstStart(): Promise<Start> {
  const data = await mkdtemp(join(directory, 'first-'))
  const start = await timed(() => startService({DATA_DIR: data}))
  await rm(data, {recursive: true, force: true})
  return start
}

async function firstStartInDatabase(): Promise<Start> {
  databases += 1
  const {url, database} = await cluster.create(`first${databases}`)
  await database.end(1000)
  return timed(() => startService({DATABASE_URL: url}))
}

function nodeAlone(): number {
  const begin = performance.now()
  execFileSync(process.execPath, ['-e', '0'])
  return performance.now() - begin
}
