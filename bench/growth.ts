/**
 * Measures what depends on the size of the data: the same operations on containers of 10² to 10⁶ children and members,
 * and in stores with few and many documents.
 *
 *   npm run bench:growth [-- --largest 1000000 --rounds 100]
 *
 * Containers of all sizes are in one store and are measured in turn, one request at a time, so that other load on the
 * machine affects all of them. The store with few documents is a separate database. A ratio is the median of the
 * largest divided by the median of the smallest; up to 1.1 counts as flat. SQL creates the children.
 */
import {parseArgs} from 'node:util'
import {type Connection, openConnection, requestText} from './support/client.ts'
import {type Place, startCluster} from './support/cluster.ts'
import {base, fill, openStore, planned, platform, schema} from './support/documents.ts'
import {plot} from './support/plot.ts'
import {buildService, type Program, startService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {median} from './support/statistics.ts'

const {values} = parseArgs({
  options: {largest: {type: 'string', default: '1000000'}, rounds: {type: 'string', default: '100'}},
})
const largest = Number(values.largest)
const rounds = Number(values.rounds)
const sizes = [100, 1000, 10_000, 100_000, 1_000_000].filter(size => size <= largest)
const turtle = {'Content-Type': 'text/turtle'}
const ldp = 'http://www.w3.org/ns/ldp#'
const pageSize = 50 // the smallest container has one page too

/** The requests for each size; `place` is the id of the child in the middle. */
const operations: Readonly<Record<string, (size: number, turn: number, place: string) => readonly [string, number]>> = {
  'GET of the container': size => [requestText('GET', `/c${size}/`, {Accept: 'text/turtle'}), 200],
  'POST of a child': size => [requestText('POST', `/c${size}/`, turtle, '<> a <http://example.org/Child> .'), 201],
  'a page in the middle': (size, _, place) => [
    requestText('GET', `/c${size}/?after=${place}`, {
      Accept: 'text/turtle',
      Prefer: `return=representation; include="${ldp}PreferContainment"`,
    }),
    200,
  ],
  'one more member': (size, turn) => [
    requestText(
      'PUT',
      `/g${size}/point/`,
      {...turtle, Prefer: `${ldp}Container; rel=interaction-model`},
      `[] a <${platform}AddMemberAction> ; <${platform}targetMember> <${base}people/p${turn}/> .`,
    ),
    204,
  ],
  'query of one document': (size, turn) => {
    const query = `SELECT ?p ?o WHERE { <${base}c${size}/d${turn % size}/> ?p ?o }`
    return [requestText('GET', `/sparql?query=${encodeURIComponent(query)}`, {}), 200]
  },
}

buildService()
const cluster = await startCluster()
try {
  const [few, many] = [await cluster.create('few'), await cluster.create('many')]
  const services = [await serve(few), await serve(many)]
  const [fewPort = 0, manyPort = 0] = services.map(({port}) => port)
  await prepare(fewPort, [])
  await prepare(manyPort, sizes)
  await fill(few, 'people/', 'p', {count: 1000})
  await fill(many, 'people/', 'p', {count: Math.max(1000, largest / 10)})
  const places = new Map<number, string>()
  for (const size of sizes) places.set(size, await fillContainer(many, size))
  for (const {database} of [few, many]) await database.query('vacuum analyze')

  const containers = await measureContainers(manyPort, places)
  const documents = await measureDocuments(fewPort, manyPort)
  printTable(
    'Growth, ms (median); ratio of the largest to the smallest',
    ['operation', ...sizes.map(size => size.toExponential(0).replace('e+', 'e')), 'ratio'],
    containers.map(({name, ms, ratio}) => [name, ...ms, ratio]),
  )
  printTable(
    'One document of few and of many, ms (median)',
    ['operation', 'few', 'many', 'ratio'],
    documents.map(({name, ms, ratio}) => [name, ...ms, ratio]),
  )
  save('growth.json', {machine: machine(), postgresql: cluster.version, rounds, sizes, containers, documents})
  const series = containers.map(({name, ms}) => ({
    name,
    points: sizes.map((size, index): [number, number] => [size, ms[index] ?? 0]),
  }))
  save('growth.svg', plot(series, {title: 'Cost by size of the container', x: 'children or members', y: 'ms'}))
  for (const service of services) await service.stop()
  for (const {database} of [few, many]) await database.end(1000)
} finally {
  await cluster.stop()
}

async function serve(place: Place): Promise<Program> {
  await openStore(place)
  return startService({DATABASE_URL: place.url, BASE_URL: base, PAGE_SIZE: String(pageSize)})
}

async function prepare(port: number, containers: readonly number[]): Promise<void> {
  const connection = await openConnection(port)
  const post = (path: string, slug: string, body = '') =>
    ask(connection, [requestText('POST', path, {...turtle, Slug: slug}, body), 201])
  await post('/', 'people')
  for (const size of containers) {
    await post('/', `c${size}`)
    await post('/', `g${size}`)
    const relation = `<${ldp}hasMemberRelation> <http://example.org/holds>`
    await post(`/g${size}/`, 'point', `<> a <${platform}AccessPoint> ; ${relation} .`)
  }
  connection.close()
}

/** Creates children by SQL, which are also members of another container. Returns the id of the one in the middle. */
async function fillContainer({database}: Place, size: number): Promise<string> {
  const portion = 20_000
  for (let first = 0; first < size; first += portion) {
    const values = [`${base}c${size}/`, `${base}g${size}/`, first, Math.min(first + portion, size) - 1]
    await planned(database, transaction =>
      transaction.query(
        `with list as (
         select unnest(${schema}.intern_terms(array(
           select 'I' || $1 || 'd' || n || '/' from generate_series($3::int, $4::int) as n))) as id),
       named as materialized (
         select (${schema}.intern_terms(array['I' || $1, 'I' || $2, 'Ihttp://example.org/holds'])) as ids),
       container as (select ids[1] as id from named),
       keeper as (select ids[2] as id, ids[3] as relation from named),
       added as (insert into ${schema}.document (id, parent, created, modified, has_member_relation, member_by)
         select list.id, container.id, now(), now(), ${schema}.ldp_member(), ${schema}.ldp_member()
           from list, container)
       insert into ${schema}.quad (g, s, p, o)
       select keeper.id, keeper.id, keeper.relation, list.id
         from keeper, list`,
        values,
      ),
    )
  }
  const [row] = await database.query<{id: string}>(`select (${schema}.term_ids(array[$1]))[1] as id`, [
    `I${base}c${size}/d${Math.floor(size / 2) - 1}/`,
  ])
  return row?.id ?? ''
}

type Growth = {readonly name: string; readonly ms: readonly number[]; readonly ratio: number}

async function measureContainers(port: number, places: ReadonlyMap<number, string>): Promise<Growth[]> {
  const connection = await openConnection(port)
  const grown: Growth[] = []
  let turn = 0
  for (const [name, operation] of Object.entries(operations)) {
    const times = sizes.map((): number[] => [])
    for (let round = -10; round < rounds; round += 1) {
      for (let place = 0; place < sizes.length; place += 1) {
        const index = (place + round + 10) % sizes.length
        const size = sizes[index] ?? 0
        const ms = await ask(connection, operation(size, (turn++ * 7) % 1000, places.get(size) ?? ''))
        if (round >= 0) times[index]?.push(ms)
      }
    }
    grown.push(growthOf(name, times.map(median)))
  }
  connection.close()
  return grown
}

async function measureDocuments(fewPort: number, manyPort: number): Promise<Growth[]> {
  const connections = [await openConnection(fewPort), await openConnection(manyPort)]
  const asked: Readonly<Record<string, (turn: number) => string>> = {
    'GET of a document': turn => requestText('GET', `/people/p${turn % 1000}/`, {Accept: 'text/turtle'}),
    'query of one document': turn => {
      const query = `SELECT ?p ?o WHERE { <${base}people/p${turn % 1000}/> ?p ?o }`
      return requestText('GET', `/sparql?query=${encodeURIComponent(query)}`, {})
    },
  }
  const grown: Growth[] = []
  for (const [name, request] of Object.entries(asked)) {
    const times = connections.map((): number[] => [])
    for (let round = -10; round < rounds; round += 1) {
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const connection = connections[index]
        if (connection === undefined) continue
        const ms = await ask(connection, [request((round + 10) * 37), 200])
        if (round >= 0) times[index]?.push(ms)
      }
    }
    grown.push(growthOf(name, times.map(median)))
  }
  for (const {close} of connections) close()
  return grown
}

function growthOf(name: string, ms: readonly number[]): Growth {
  return {name, ms, ratio: (ms.at(-1) ?? Number.NaN) / (ms[0] ?? Number.NaN)}
}

/** Times one request, in ms. */
async function ask({exchange}: Connection, [request, expected]: readonly [string, number]): Promise<number> {
  const begin = performance.now()
  const {status, body} = await exchange(request)
  const ms = performance.now() - begin
  if (status !== expected) throw new Error(`${status} instead of ${expected}: ${body}`)
  return ms
}
