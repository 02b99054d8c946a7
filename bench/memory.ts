/**
 * Measures the memory that the service needs for a large answer.
 *
 *   npm run bench:memory [-- --rows 1000000 --limit 200 --only CONSTRUCT]
 *
 * The compiled service runs as a separate process with a temporary PostgreSQL and a million triples. A client reads
 * each answer once as fast as possible, and once so slowly that the service has to wait. The bench samples the resident
 * memory of the service, and ends with code 1 if it exceeds the limit (MiB).
 */
import {request} from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {startCluster} from './support/cluster.ts'
import {fillTriples, type LargeQuery, largeQueries} from './support/large-answers.ts'
import {buildService, type Program, startService} from './support/program.ts'

const {values} = parseArgs({
  options: {
    rows: {type: 'string', default: '1000000'},
    limit: {type: 'string', default: '200'},
    only: {type: 'string', default: ''},
  },
})
const rowCount = Number(values.rows)
const limitMebibytes = Number(values.limit)
const pauseMs = 2 // of the slow reader, after each 64 kB

buildService()
const cluster = await startCluster()
try {
  const place = await cluster.create('memory')
  const service = await startService({DATABASE_URL: place.url, STATEMENT_TIMEOUT_MS: '600000', LOG_LEVEL: 'error'})
  await fillTriples(place.database, rowCount)
  process.stdout.write(`idle ${service.memory().toFixed(0)} MiB\n`)
  let greatest = 0
  for (const query of largeQueries.filter(({name}) => name.includes(values.only))) {
    for (const pace of ['fast', 'slow'] as const) greatest = Math.max(greatest, await measure(service, query, pace))
  }
  await service.stop()
  await place.database.end(1000)
  process.stdout.write(`greatest ${greatest.toFixed(0)} MiB, limit ${limitMebibytes} MiB\n`)
  if (!(greatest < limitMebibytes)) process.exitCode = 1
} finally {
  await cluster.stop()
}

/** Reads one answer. Returns the peak resident memory in MiB. */
async function measure(service: Program, {name, accept, text}: LargeQuery, pace: 'fast' | 'slow'): Promise<number> {
  const before = performance.now()
  let greatest = 0
  const look = setInterval(() => {
    greatest = Math.max(greatest, service.memory())
  }, 20)
  const bytes = await read(service.url, {accept, text}, pace)
  clearInterval(look)
  const seconds = (performance.now() - before) / 1000
  const megabytes = (bytes / 1e6).toFixed(0)
  process.stdout.write(
    `${name.padEnd(40)} ${pace} ${greatest.toFixed(0).padStart(5)} MiB  ${megabytes} MB in ${seconds.toFixed(1)} s\n`,
  )
  return greatest
}

async function read(url: string, {accept, text}: Omit<LargeQuery, 'name'>, pace: 'fast' | 'slow'): Promise<number> {
  const headers = {'Content-Type': 'application/sparql-query', Accept: accept}
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(url, {method: 'POST', headers}, resolve).once('error', reject).end(text)
  })
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (pace === 'slow') await delay(pauseMs)
  }
  if (response.statusCode !== 200 || !response.complete) throw new Error(`${response.statusCode}, ${bytes} bytes`)
  return bytes
}
