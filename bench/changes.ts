/**
 * Measures what the change log costs: writes over HTTP with the log on and off, and its bytes.
 *
 *   npm run bench:changes [-- --connections 8 --rounds 7 --seconds 2]
 *
 * Two databases of one server, each with its own service, in turns. The cost is the median of the rounds' ratios: of
 * the rates, and of the processor time of PostgreSQL and the service for each request. This depends less on other load.
 */
import {parseArgs} from 'node:util'
import {type Place, startCluster} from './support/cluster.ts'
import {base, fill, openStore} from './support/documents.ts'
import {closedLoop} from './support/load.ts'
import {documentOperations, prepare} from './support/operations.ts'
import {processorSeconds, sessionMs} from './support/processor.ts'
import {buildService, type Program, startService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {interleave, median, medianRatio, medianSummary, type Summary} from './support/statistics.ts'

const {values} = parseArgs({
  options: {
    connections: {type: 'string', default: '8'},
    rounds: {type: 'string', default: '7'},
    seconds: {type: 'string', default: '2'},
    only: {type: 'string', default: 'POST,GET and PUT,PATCH,member add,DELETE'},
  },
})
const [connections, rounds, documents] = [Number(values.connections), Number(values.rounds), 5000]
const durationMs = Number(values.seconds) * 1000
const kinds = ['off', 'forever'] as const

buildService()
const cluster = await startCluster()
try {
  const sides = new Map<string, {place: Place; service: Program}>()
  for (const kind of kinds) {
    const place = await cluster.create(`bench_${kind}`)
    await openStore(place)
    const service = await startService({DATABASE_URL: place.url, BASE_URL: base, CHANGES: kind})
    await prepare(service.port, connections)
    await fill(place, 'products/', 'p', {count: documents})
    await fill(place, 'stock/', 'd', {count: values.only.includes('DELETE') ? (rounds + 1) * durationMs * 8 : 0})
    await place.database.query('vacuum analyze')
    sides.set(kind, {place, service})
  }
  const results = []
  for (const operation of values.only.split(',')) {
    const subjects = new Map<string, () => Promise<Measured>>()
    for (const [kind, {service}] of sides) {
      const shooter = documentOperations({port: service.port, documents}).get(operation)
      if (shooter === undefined) throw new Error(`no operation ${operation}`)
      subjects.set(kind, () =>
        costing(service, () => closedLoop({connections, durationMs, port: service.port, shooter})),
      )
    }
    const before = await sizeOfLog(sides.get('forever')?.place)
    await interleave(1, subjects) // warm-up
    const measured = await interleave(rounds, subjects)
    const after = await sizeOfLog(sides.get('forever')?.place)
    const [off = [], on = []] = kinds.map(kind => measured.get(kind))
    const ratio = medianRatio(
      off.map(({rate}) => rate),
      on.map(({rate}) => rate),
    )
    const processorRatio = medianRatio(
      on.map(({processorMs}) => processorMs),
      off.map(({processorMs}) => processorMs),
    )
    const processorMs = median(on.map(one => one.processorMs))
    const bytes = Math.round((after.bytes - before.bytes) / (after.changes - before.changes))
    results.push({operation, off: medianSummary(off), on: medianSummary(on), ratio, processorMs, processorRatio, bytes})
  }
  printTable(
    `The change log, ${connections} connections`,
    ['operation', 'off, per s', 'on, per s', 'cost', 'on, processor ms', 'cost of processor', 'bytes a change'],
    results.map(({operation, off, on, ratio, processorMs, processorRatio, bytes}) => [
      operation,
      off.rate,
      on.rate,
      ratio,
      processorMs,
      processorRatio,
      bytes,
    ]),
  )
  save('changes.json', {machine: machine(), postgresql: cluster.version, connections, rounds, results})
  for (const {place, service} of sides.values()) {
    await service.stop()
    await place.database.end(1000)
  }
} finally {
  await cluster.stop()
}

type Measured = Summary & {readonly processorMs: number}

/** Adds the processor time of PostgreSQL's sessions and of the service for each request. */
async function costing({processId}: Program, run: () => Promise<Summary>): Promise<Measured> {
  const spent = () => sessionMs(cluster.processId()) + 1000 * processorSeconds(processId)
  const before = spent()
  const summary = await run()
  return {...summary, processorMs: (spent() - before) / summary.count}
}

async function sizeOfLog(place: Place | undefined): Promise<{bytes: number; changes: number}> {
  const text = `select pg_total_relation_size('quadstead.change')::float8 as bytes,
    (select count(*) from quadstead.change where action is not null)::float8 as changes`
  const [row] = (await place?.database.query<{bytes: number; changes: number}>(text)) ?? []
  if (row === undefined) throw new Error('there is no log')
  return row
}
