/**
 * Measures a service with many datasets, most of them idle: time and space to create them, memory of the service, first
 * and later requests, and the upgrade of all schemas while the service answers. The service is stopped in the middle of
 * the upgrade and started again.
 *
 *   npm run bench:datasets [-- --count 1000 --limit-mib 400 --limit-ms 300]
 *
 * Ends with code 1 if the resident memory of the service, or the 95th percentile of first requests to idle datasets,
 * exceeds its limit.
 */
import {readdirSync, readFileSync} from 'node:fs'
import {parseArgs} from 'node:util'
import {addDataset} from '../src/datasets/administration.ts'
import {createMigrations} from '../src/datasets/migrations.ts'
import {createServers} from '../src/datasets/servers.ts'
import {openRegistry} from '../src/db/registry/registry.ts'
import {migrate} from '../src/db/store/migrate.ts'
import {readConfig} from '../src/settings/config.ts'
import {registryDirectory} from '../src/sql-directory.ts'
import {openStorage} from '../src/storage.ts'
import {type Cluster, type Place, startCluster} from './support/cluster.ts'
import {buildService, type Program, startService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {summarize} from './support/statistics.ts'

const {values} = parseArgs({
  options: {
    count: {type: 'string', default: '1000'},
    'limit-mib': {type: 'string', default: '400'},
    'limit-ms': {type: 'string', default: '300'},
  },
})
const count = Number(values.count)
const creators = 8
const numbers = Array.from({length: count}, (_, index) => index)

buildService()
const cluster = await startCluster({fsync: 'off', synchronous_commit: 'off'}) // the disk is not measured
try {
  const place = await cluster.create('many')
  const settings = {DATABASE_URL: place.url, LOG_LEVEL: 'error'}
  const rows: [string, string][] = []
  const report = (name: string, value: string) => {
    rows.push([name, value])
    process.stdout.write(`${name}: ${value}\n`)
  }

  const before = await sizeOf(place)
  const created = await createDatasets(settings)
  report(`create a dataset, ${creators} at once`, `${created.toFixed(0)} ms for each`)
  report('space of an empty dataset', `${((await sizeOf(place)) - before) / count / 1e6} MB`)

  const begun = performance.now()
  const service = await startService(settings)
  report('start of the service', `${(performance.now() - begun).toFixed(0)} ms`)
  report('service, no dataset open', memoryText(service, cluster))
  const first = await request(service, numbers)
  report('first requests, one after the other', times(first))
  report('service, after a request to each', memoryText(service, cluster))
  const again = await request(
    service,
    numbers.slice(-50).flatMap(number => Array(20).fill(number)),
  )
  report('later requests', times(again))
  const atOnce = await Promise.all(numbers.slice(0, 100).map(number => request(service, [number])))
  report('first requests, a hundred at once', times(atOnce.flat()))
  const memory = service.memory()
  report('service, in the end', memoryText(service, cluster))
  await service.stop()

  report('upgrade of all schemas', await upgrade(settings, place))
  printTable(`A service with ${count} datasets`, ['what', 'measured'], rows)
  save('datasets.json', {machine: machine(), postgresql: cluster.version, count, rows})
  await place.database.end(1000)
  if (memory > Number(values['limit-mib']) || summarize(first, 1).p95 > Number(values['limit-ms'])) process.exitCode = 1
} finally {
  await cluster.stop()
}

/** Creates the datasets as "quadstead datasets add" does. Returns the milliseconds for each. */
async function createDatasets(settings: Readonly<Record<string, string>>): Promise<number> {
  const config = readConfig(settings)
  const storage = await openStorage(config, 'registry')
  const {schema} = config.datasets
  await migrate(storage.database, {schema, directory: registryDirectory})
  const registry = openRegistry(storage.database, schema)
  const servers = createServers(config, storage, 'command')
  const administration = {config, registry, servers, migrations: await createMigrations(registry)}
  const left = [...numbers]
  const add = async () => {
    for (let number = left.shift(); number !== undefined; number = left.shift()) {
      const name = `d${number}`
      const base = `http://localhost/${name}/`
      await addDataset(administration, {
        name,
        base,
        schema: undefined,
        databaseUrl: undefined,
        readUrl: undefined,
        settings: {},
      })
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({length: creators}, add))
  const ms = (performance.now() - begun) / count
  await storage.close()
  return ms
}

/** Reads the root document of each dataset, and repeats a 503. Returns the milliseconds of each. */
async function request({url}: Program, datasets: readonly number[]): Promise<readonly number[]> {
  const taken: number[] = []
  for (const number of datasets) {
    const begun = performance.now()
    for (let status = 503; status !== 200; ) {
      const response = await fetch(`${url}d${number}/`, {headers: {Accept: 'text/turtle'}})
      await response.text()
      ;({status} = response)
      if (status !== 200 && status !== 503) throw new Error(`d${number}: ${status}`)
    }
    taken.push(performance.now() - begun)
  }
  return taken
}

/**
 * Starts the service with all schemas behind, and sends requests until all are up to date. Halfway it stops the service
 * and starts another one.
 */
async function upgrade(settings: Readonly<Record<string, string>>, {database}: Place): Promise<string> {
  await database.query("update quadstead_datasets.dataset set sql_version = 'older'")
  for (const number of numbers)
    await database.query(`update dataset_d${number}.migration set checksum = 'older' where version = 0`)
  const first = await upgradeUntil(settings, count / 2)
  const second = await upgradeUntil(settings, count)
  const left = count - second.before
  const seconds = (first.seconds + second.seconds).toFixed(1)
  return `${seconds} s; ${left} were left at the second start; ${first.text}; ${second.text}`
}

/** Serves until so many schemas are up to date, with requests to one dataset after the other, the last one first. */
async function upgradeUntil(settings: Readonly<Record<string, string>>, wanted: number) {
  const begun = performance.now()
  const service = await startService(settings)
  const ready = performance.now() - begun
  const before = await readyDatasets(service)
  const taken: number[] = []
  for (let number = count - 1; (await readyDatasets(service)) < wanted; number = number === 0 ? count - 1 : number - 1)
    taken.push(...(await request(service, [number])))
  const seconds = (performance.now() - begun) / 1000
  const memory = service.memory().toFixed(0)
  await service.stop()
  return {before, seconds, text: `ready after ${ready.toFixed(0)} ms, ${memory} MiB, requests: ${times(taken)}`}
}

async function readyDatasets({url}: Program): Promise<number> {
  const text = await (await fetch(`${url}metrics`)).text()
  return Number(/^quadstead_datasets\{state="ready"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

function times(taken: readonly number[]): string {
  const sorted = [...taken].sort((one, other) => one - other)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1)
  return `median ${at(0.5)} ms, 95 % ${at(0.95)} ms, most ${at(1)} ms`
}

async function sizeOf({database}: Place): Promise<number> {
  const [row] = await database.query<{bytes: string}>('select pg_database_size(current_database())::text as bytes')
  return Number(row?.bytes)
}

function memoryText(service: Program, {processId}: Cluster): string {
  const backends = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && parentOf(name) === processId())
    .map(name => anonymousMebibytes(name))
  const sum = backends.reduce((all, one) => all + one, 0)
  const total = `${service.memory().toFixed(0)} MiB`
  const largest = Math.max(...backends).toFixed(0)
  return `${total}; processes of PostgreSQL ${sum.toFixed(0)} MiB of their own, the largest ${largest}`
}

function parentOf(processId: string): number {
  return Number(statusOf(processId, 'PPid'))
}

/** Memory that a process does not share. */
function anonymousMebibytes(processId: string): number {
  return Number(statusOf(processId, 'RssAnon') ?? 0) / 1024
}

function statusOf(processId: string, name: string): string | undefined {
  try {
    return new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1]
  } catch {
    return undefined // it has ended
  }
}
