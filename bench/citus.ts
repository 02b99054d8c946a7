/**
 * Compares a dataset in a Citus cluster with one in plain PostgreSQL: requests on documents, and queries, over HTTP.
 *
 *   npm run bench:citus [-- --connections 4 --rounds 9 --seconds 1 --documents 5000]
 *
 * Both use the same programs of PostgreSQL with the same settings, which do not wait for the disk. The service of the
 * cluster is given the coordinator. Each round runs every operation on both, in another order; ratios are medians of
 * the ratios of the rounds.
 */
import {parseArgs} from 'node:util'
import {nodeParameters} from '../src/db/citus/prepare.ts'
import {parseDatabaseUrl} from '../src/db/connection/address.ts'
import {createPool} from '../src/db/connection/pool.ts'
import {citusSettings, distribute, findCitusBinaries, startCitus} from '../test/support/citus.ts'
import {requestText} from './support/client.ts'
import {type Place, startCluster} from './support/cluster.ts'
import {base, fill, openStore, schema} from './support/documents.ts'
import {closedLoop, repeat} from './support/load.ts'
import {documentOperations, type Operation, prepare} from './support/operations.ts'
import {buildService, type Program, startService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {interleave, medianRatio, medianSummary, type Summary} from './support/statistics.ts'

const {values} = parseArgs({
  options: {
    connections: {type: 'string', default: '4'},
    rounds: {type: 'string', default: '9'},
    seconds: {type: 'string', default: '1'},
    documents: {type: 'string', default: '5000'},
  },
})
const [connections, rounds, documents] = [values.connections, values.rounds, values.documents].map(Number) as [
  number,
  number,
  number,
]
const durationMs = Number(values.seconds) * 1000

const shop = 'PREFIX s: <http://example.org/shop#>'
const queries: Readonly<Record<string, string>> = {
  'query, a star': `${shop}
    SELECT * { ?p s:category <http://example.org/categories/7> ; s:sku ?sku ; s:producer ?m } LIMIT 50`,
  'query, a group': `${shop} SELECT ?c (COUNT(*) AS ?n) { ?p s:category ?c } GROUP BY ?c`,
}
const queryHeaders = {'Content-Type': 'application/sparql-query', Accept: 'application/sparql-results+json'}

const binaries = await findCitusBinaries()
if (binaries === undefined) throw new Error('there is no PostgreSQL with Citus here')
buildService()
const {port, listen_addresses, ...alike} = {...citusSettings, port: '', listen_addresses: ''}
const plain = await startCluster(alike)
const cluster = await startCitus(binaries)
const services: Program[] = []
try {
  const placed = await distribute(cluster.coordinator, 'postgres', schema)
  const address = parseDatabaseUrl(`postgres://quadstead@${placed.host}:${placed.port}/postgres`)
  const pool = {connectionMax: 4, isPooled: false, prepare: true, statementTimeoutMs: 0}
  const database = createPool({...address, parameters: nodeParameters}, pool)
  const places: Readonly<Record<string, Place>> = {
    plain: await plain.create('bench'),
    citus: {name: 'postgres', url: cluster.coordinator.url, database},
  }
  const subjects = new Map<string, () => Promise<Summary>>()
  const names = new Set<string>()
  for (const [kind, place] of Object.entries(places)) {
    await openStore(place)
    const service = await startService({DATABASE_URL: place.url, BASE_URL: base})
    services.push(service)
    await prepare(service.port, connections)
    await fill(place, 'products/', 'p', {count: documents})
    const asked = Object.entries(queries).map(([name, text]): [string, Operation] => [
      name,
      () => repeat(() => requestText('POST', '/', queryHeaders, text), 200),
    ])
    for (const [name, shooter] of [...documentOperations({port: service.port, documents}), ...asked]) {
      if (name === 'DELETE') continue
      names.add(name)
      subjects.set(`${kind} ${name}`, () => closedLoop({port: service.port, connections, durationMs, shooter}))
    }
  }
  await interleave(1, subjects) // warm-up
  const measured = await interleave(rounds, subjects)
  const rates = (kind: string, name: string) => (measured.get(`${kind} ${name}`) ?? []).map(({rate}) => rate)
  const figures = [...names].map(name => ({
    name,
    plain: medianSummary(measured.get(`plain ${name}`) ?? []).rate,
    citus: medianSummary(measured.get(`citus ${name}`) ?? []).rate,
    ratio: medianRatio(rates('citus', name), rates('plain', name)),
  }))
  printTable(
    `Requests a second, ${connections} connections`,
    ['operation', 'plain', 'Citus', 'Citus : plain'],
    figures.map(({name, plain: one, citus, ratio}) => [name, one, citus, ratio]),
  )
  await database.end(1000)
  save('citus.json', {machine: machine(), postgresql: plain.version, documents, rounds, connections, figures})
} finally {
  for (const service of services) await service.stop()
  await cluster.stop()
  await plain.stop()
}
