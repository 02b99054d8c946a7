/**
 * Measures the cost of observability: a GET with log and metrics, as they are by default, and without them.
 *
 *   npm run bench:observing [-- --connections 16 --rounds 9 --seconds 1 --other <folder of another build>]
 *
 * The services share one database and are measured in turn. The processor time of the service for each request is more
 * reliable than the rate, because it hardly depends on other load of the machine.
 */
import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {unlimited} from '../test/support/service.ts'
import {startCluster} from './support/cluster.ts'
import {base, fill, openStore} from './support/documents.ts'
import {closedLoop} from './support/load.ts'
import {documentOperations, prepare} from './support/operations.ts'
import {buildService, type Program, startProgram, startService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {interleave, median, medianRatio} from './support/statistics.ts'

const {values} = parseArgs({
  options: {
    connections: {type: 'string', default: '16'},
    rounds: {type: 'string', default: '9'},
    seconds: {type: 'string', default: '1'},
    other: {type: 'string', default: ''}, // contains dist/cli.js
  },
})
const connections = Number(values.connections)
const documents = 5000
const ticksASecond = Number(execFileSync('getconf', ['CLK_TCK']))

buildService()
const cluster = await startCluster()
try {
  const place = await cluster.create('bench')
  await openStore(place)
  const environment = {DATABASE_URL: place.url, BASE_URL: base}
  const services = new Map<string, Program>([
    ['as it is', await startService(environment)],
    ['no log of requests', await startService({...environment, LOG_REQUESTS: 'none'})],
    ['no metrics', await startService({...environment, METRICS_PATH: 'off'})],
    ['neither', await startService({...environment, LOG_REQUESTS: 'none', METRICS_PATH: 'off'})],
  ])
  if (values.other !== '') services.set('the other build', await startOther(values.other, environment))
  const [first] = services.values()
  await prepare(first?.port ?? 0, connections)
  await fill(place, 'products/', 'p', {count: documents})
  await place.database.query('vacuum analyze')

  const subjects = new Map([...services].map(([name, service]) => [name, () => measure(service)]))
  await interleave(1, subjects) // warm-up
  const measured = await interleave(Number(values.rounds), subjects)
  const without = measured.get('neither') ?? []
  const figures = [...measured].map(([name, rounds]) => ({
    name,
    rate: median(rounds.map(({rate}) => rate)),
    microseconds: median(rounds.map(({microseconds}) => microseconds)),
    rateRatio: medianRatio(
      rounds.map(({rate}) => rate),
      without.map(({rate}) => rate),
    ),
    timeRatio: medianRatio(
      rounds.map(({microseconds}) => microseconds),
      without.map(({microseconds}) => microseconds),
    ),
  }))
  printTable(
    `GET, ${connections} connections, beside a service that observes nothing`,
    ['service', 'GET/s', 'µs of its process', 'rate', 'time'],
    figures.map(({name, rate, microseconds, rateRatio, timeRatio}) => [name, rate, microseconds, rateRatio, timeRatio]),
  )
  save('observing.json', {machine: machine(), postgresql: cluster.version, connections, figures})
  for (const service of services.values()) await service.stop()
  await place.database.end(1000)
} finally {
  await cluster.stop()
}

function startOther(folder: string, environment: Readonly<Record<string, string>>): Promise<Program> {
  const settings = {PORT: '0', ...unlimited, ...environment}
  return startProgram(process.execPath, [join(folder, 'dist/cli.js'), 'serve'], settings)
}

async function measure({port, processId}: Program): Promise<{rate: number; microseconds: number}> {
  const shooter = documentOperations({port, documents}).get('GET')
  if (shooter === undefined) throw new Error('there is no operation GET')
  const before = processSeconds(processId)
  const durationMs = Number(values.seconds) * 1000
  const {rate, count} = await closedLoop({port, connections, durationMs, shooter})
  return {rate, microseconds: ((processSeconds(processId) - before) * 1e6) / count}
}

/** Processor time of a process so far, including its threads. */
function processSeconds(processId: number): number {
  const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticksASecond
}
