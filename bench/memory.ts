/**
 * What a large answer costs the service in memory:
 *
 *   npm run bench:memory [-- --rows 1000000 --limit 200 --only CONSTRUCT]
 *
 * The compiled service, a process of its own, over a throwaway PostgreSQL; a million stored triples by SQL. Each answer
 * is read as fast as it comes, and as slowly as makes the service wait; the resident memory of the service's process is
 * looked at all the while. Ends with 1 when it was above the limit (MiB) at any time.
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
const pauseMs = 2 // a slow reader's, after each piece of 64 kB

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

/** @returns  the greatest resident memory, MiB */
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
