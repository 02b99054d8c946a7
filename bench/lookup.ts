/**
 * Measures where the time of a short query goes, in one process, without HTTP.
 *
 *   npm run bench:lookup [-- --quads 60000 --count 100 --seed 1 --rounds 5]
 *
 * Two tables. The first has the stages of queries that random walks over the shop generate: asked for the first time,
 * with a shape that no earlier query had; with the same text again; and in the same shape with another constant. The
 * second has one lookup of one pattern, layer by layer. Both have the processor time of Node (all threads) and of the
 * PostgreSQL connection, which other load changes less than the time of the client. All are medians in µs. The code
 * runs by tsx, which names each function when it is made. Compiled, it parses and plans in three quarters of the time.
 */
import {readFileSync} from 'node:fs'
import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {subscribe} from '../src/base/observation.ts'
import {createChecksumPool} from '../src/checksum/pool.ts'
import {parseDatabaseUrl} from '../src/db/connection/address.ts'
import {createPool, type Database} from '../src/db/connection/pool.ts'
import {readShortAnswer, termsText} from '../src/db/query/short-answer.ts'
import {readVocabulary} from '../src/db/store/dataset.ts'
import {createQueryService, type QueryAnswer, type QueryService} from '../src/query/answer.ts'
import {platformVocabulary} from '../src/rdf/vocabulary.ts'
import {gatherText} from '../src/sparql/print/gather.ts'
import {createRandom} from '../test/support/random.ts'
import {writeShopFile} from './data.ts'
import {startCluster} from './support/cluster.ts'
import {startQuadstead} from './support/peers.ts'
import {processorMs} from './support/processor.ts'
import {buildService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {median} from './support/statistics.ts'
import {drawQueries, graphOf} from './walks/draw.ts'

const {values} = parseArgs({
  options: {
    quads: {type: 'string', default: '60000'},
    count: {type: 'string', default: '100'},
    seed: {type: 'string', default: '1'},
    rounds: {type: 'string', default: '5'},
  },
})
const base = 'http://localhost:8080/'
const schema = 'quadstead'
const platform = platformVocabulary('https://carbonldp.com/ns/v1/platform#')
const [warmUps, rounds, clockTickUs] = [100, Number(values.rounds), 10_000]

type Asked = 'first' | 'again' | 'sibling'
const titles: Readonly<Record<Asked, string>> = {
  first: 'a new shape',
  sibling: 'another constant',
  again: 'the same text',
}

buildService()
const directory = await mkdtemp(join(tmpdir(), 'quadstead-lookup-'))
const cluster = await startCluster()
const checksums = createChecksumPool()
try {
  const place = await cluster.create('bench')
  const data = join(directory, 'shop.nq')
  await writeShopFile(data, {quads: Number(values.quads), base})
  const loaded = await startQuadstead(place, data, {BASE_URL: base})
  await loaded.stop()
  await place.database.end(1000)
  const options = {connectionMax: 1, isPooled: false, prepare: true, statementTimeoutMs: 30_000}
  const database = createPool(parseDatabaseUrl(place.url), options)
  const vocabulary = await readVocabulary(database, schema)
  const service = createQueryService({database, schema, vocabulary, platform, checksums, timeoutMs: 30_000})
  const [{pid = 0} = {}] = await database.query<{pid: number}>('select pg_backend_pid() as pid')
  const stages = await measureStages(service, pid, (await readFile(data, 'utf8')).split('\n'))
  const layers = await measureLayers(database, service, pid)
  save('lookup.json', {machine: machine(), postgresql: cluster.version, ...values, stages, layers})
  await database.end(1000)
} finally {
  checksums.close()
  await cluster.stop()
  await rm(directory, {recursive: true, force: true})
}

async function measureStages(service: QueryService, pid: number, lines: readonly string[]) {
  const count = Number(values.count)
  const drawn = drawQueries(createRandom(Number(values.seed)), graphOf(lines), warmUps + count)
  const measured: Record<Asked, Map<string, number>[]> = {first: [], again: [], sibling: []}
  for (const {text, sibling} of drawn.slice(0, -count)) for (const one of [text, text, sibling]) await ask(service, one)
  for (const {text, sibling} of drawn.slice(-count)) {
    measured.first.push(await stagesOf(service, pid, text))
    for (let round = 0; round < rounds; round += 1) measured.again.push(await stagesOf(service, pid, text))
    measured.sibling.push(await stagesOf(service, pid, sibling))
  }
  const names = ['parse', 'look-up', 'plan', 'sql', 'deliver', 'all', 'Node', 'PostgreSQL']
  const rows = (Object.keys(titles) as Asked[]).map(asked => {
    const medianOf = (name: string) => median(measured[asked].map(stages => stages.get(name) ?? 0))
    return [titles[asked], ...names.map(medianOf)]
  })
  printTable(`${count} queries by random walks: stages, µs (median)`, ['asked', ...names], rows)
  return rows
}

/** The stages of one query and all of it, and its processor time, in µs. */
async function stagesOf(service: QueryService, pid: number, text: string): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const unsubscribe = subscribe(observation => {
    if (observation.kind === 'query') for (const {name, ms} of observation.stages) found.set(name, 1000 * ms)
  })
  const [cpu, sessionMs] = [process.cpuUsage(), processorMs(pid) ?? Number.NaN]
  const begin = performance.now()
  await ask(service, text)
  found.set('all', 1000 * (performance.now() - begin))
  const {user, system} = process.cpuUsage(cpu)
  found.set('Node', user + system)
  found.set('PostgreSQL', 1000 * ((processorMs(pid) ?? Number.NaN) - sessionMs))
  unsubscribe()
  return found
}

function ask(service: QueryService, text: string): Promise<number> {
  return service.answer({text, base, preferences: {contexts: false, checksums: false}}, countRows)
}

async function countRows(answer: QueryAnswer): Promise<number> {
  let count = 0
  if (answer.form === 'select') for await (const rows of answer.rows) count += rows.length
  return count
}

async function measureLayers(database: Database, service: QueryService, pid: number) {
  const found = await database.query<{s: string; p: string; subject: string; predicate: string}>(
    `select q.s, q.p, s.lex as subject, p.lex as predicate
       from ${schema}.quad as q join ${schema}.term as s on s.id = q.s join ${schema}.term as p on p.id = q.p
      where q.copy is null and q.s < (1::int8 << 59) and q.o > 1000 limit 1 offset 2000`,
  )
  const [{s = '', p = '', subject = '', predicate = ''} = {}] = found
  const pattern = `select q.o as c0 from ${schema}.quad as q where q.copy is null and q.s = ${s} and q.p = ${p}`
  const gathered = gatherText(pattern, {
    reps: ['id'],
    rowLimit: 1000,
    isBounded: false,
    termsOf: ids => termsText(schema, ids, 1),
  })
  const facts = {
    names: '0',
    hasDocuments: true,
    memberRelations: [],
    ids: new Map(),
    extents: new Map(),
    uncopied: new Set<string>(),
    realms: undefined,
  }
  const known = {
    schema,
    facts: {keys: [], valued: [], byGraph: [], facts},
    conditions: {timeoutMs: 30_000, requestId: 'request'},
  }
  const statement = {text: gathered, parameters: [], constants: [], isWalked: false, isMemoized: true, hasTerms: false}
  const text = `SELECT ?o { <${subject}> <${predicate}> ?o }`
  const layers: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['select 1', () => database.query('select 1')],
    ['the pattern', () => database.query(pattern)],
    ['its rows as one', () => database.query(gathered, [null])],
    ['and the settings, and the check of the facts', () => readShortAnswer(database, known, statement, {})],
    ['the query, from text to terms', () => ask(service, text)],
  ]
  const rows = []
  for (const [name, run] of layers) rows.push([name, ...(await costOf(run, pid))])
  printTable('One lookup of one pattern, µs', ['layer', 'time', 'Node', 'PostgreSQL'], rows)
  return rows
}

/** Time and processor time of one run, in µs. The kernel counts the processor time of PostgreSQL in ticks. */
async function costOf(run: () => Promise<unknown>, pid: number) {
  const times: number[] = []
  const count = 1000 * rounds
  for (let turn = 0; turn < 500; turn += 1) await run()
  const [before, ofServer] = [process.cpuUsage(), ticksOf(pid)]
  for (let turn = 0; turn < count; turn += 1) {
    const begin = performance.now()
    await run()
    times.push(1000 * (performance.now() - begin))
  }
  const {user, system} = process.cpuUsage(before)
  return [median(times), (user + system) / count, (clockTickUs * (ticksOf(pid) - ofServer)) / count]
}

/** Processor time of a process so far (proc(5): the fields utime and stime). */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}
