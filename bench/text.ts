/**
 * Measures filters of texts with and without the text index, in turn on one store, and the cost of the index.
 *
 *   npm run bench:text [-- --quads 1000000 --rounds 9]
 *
 * The data is the shop of bench/data.ts. Two instances of the query service, which differ only in TEXT_INDEX, get each
 * query without HTTP, and their answers are compared. Rare words occur in one label, frequent ones in many. If the
 * machine has pgbench, it measures the cost of writes: documents that two connections create a second.
 */
import {createWriteStream} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {parseArgs} from 'node:util'
import {createChecksumPool} from '../src/checksum/pool.ts'
import type {Database} from '../src/db/connection/pool.ts'
import {openDataset, readVocabulary} from '../src/db/store/dataset.ts'
import {migrate} from '../src/db/store/migrate.ts'
import {createTextIndex, dropTextIndex} from '../src/db/store/text-index.ts'
import {createQueryService, type QueryService} from '../src/query/answer.ts'
import {termKey} from '../src/rdf/term-key.ts'
import {platformVocabulary} from '../src/rdf/vocabulary.ts'
import {sqlDirectory} from '../src/sql-directory.ts'
import {importFiles} from '../src/transfer/import.ts'
import {shopData} from './data.ts'
import {type Cluster, startCluster} from './support/cluster.ts'
import {fill, openStore, platform} from './support/documents.ts'
import {pgbench} from './support/pgbench.ts'
import {machine, printTable, save} from './support/report.ts'
import {createScript} from './support/statements.ts'
import {median, medianRatio} from './support/statistics.ts'

const {values: options} = parseArgs({
  options: {quads: {type: 'string', default: '1000000'}, rounds: {type: 'string', default: '9'}},
})
const [quads, rounds] = [Number(options.quads), Number(options.rounds)]
const schema = 'quadstead'
const base = 'http://localhost:8080/'
const labels = '?s <http://www.w3.org/2000/01/rdf-schema#label> ?l'

const cluster = await startCluster()
const directory = await mkdtemp(join(tmpdir(), 'quadstead-text-'))
try {
  const place = await cluster.create('text')
  const {database} = place
  const file = join(directory, 'shop.nq')
  const lines = function* () {
    for (const {text} of shopData({quads, base})) yield text
  }
  await pipeline(Readable.from(lines()), createWriteStream(file))
  const withoutMs = await load(database, file)
  const began = performance.now()
  await createTextIndex(database, schema)
  const madeMs = performance.now() - began
  const [size] = await database.query<{index: string; rows: string}>(
    `select pg_relation_size('${schema}.term_text')::text as index, count(*)::text as rows from ${schema}.quad`,
  )
  const figures = await measure(database)
  const withMs = await loadAgain(cluster, file)
  const writes = await measureWrites(cluster)
  const bytes = Number(size?.index) / Number(size?.rows)
  printTable(
    `Filters of texts over ${size?.rows} quads, ms (median)`,
    ['query', 'rows', 'without', 'with', 'ratio'],
    figures.map(({name, count, plainMs, searchedMs, ratio}) => [name, count, plainMs, searchedMs, ratio]),
  )
  printTable(
    'What the index costs',
    ['', 'without', 'with'],
    [
      ['bytes of the index a quad', 0, bytes],
      ['making it beside a service, s', 0, madeMs / 1000],
      ['import into an empty dataset, s', withoutMs / 1000, withMs / 1000],
      ['documents created a second', writes?.plain, writes?.indexed],
    ],
  )
  save('text', {machine: machine(), server: cluster.version, quads, figures, bytes, madeMs, withoutMs, withMs, writes})
} finally {
  await cluster.stop()
  await rm(directory, {recursive: true, force: true})
}

async function load(database: Database, file: string): Promise<number> {
  await migrate(database, {schema, directory: sqlDirectory})
  await openDataset(database, {schema, base, defaultBase: base, platformNamespace: platform})
  return importMs(database, file)
}

async function importMs(database: Database, file: string): Promise<number> {
  const began = performance.now()
  const silent = {onFault: () => undefined, onProgress: () => undefined, signal: new AbortController().signal}
  const how = {files: [file], format: undefined, graph: undefined, isRaw: false, skipsBad: false}
  await importFiles(database, {schema, base, ...how, ...silent})
  return performance.now() - began
}

/** Imports into an empty dataset that has the index. */
async function loadAgain(server: Cluster, file: string): Promise<number> {
  const {database} = await server.create('again')
  await migrate(database, {schema, directory: sqlDirectory})
  await openDataset(database, {schema, base, defaultBase: base, platformNamespace: platform})
  await createTextIndex(database, schema)
  const ms = await importMs(database, file)
  await database.end(1000)
  return ms
}

type Figure = {
  readonly name: string
  readonly count: number // rows of the answer
  readonly plainMs: number
  readonly searchedMs: number
  readonly ratio: number
}

async function measure(database: Database): Promise<readonly Figure[]> {
  const vocabulary = await readVocabulary(database, schema)
  const checksums = createChecksumPool()
  const store = {database, schema, vocabulary, timeoutMs: 0, checksums, platform: platformVocabulary(platform)}
  const serviceOf = (avoidsTextIndex: boolean) => createQueryService({...store, avoidsTextIndex})
  const searched = serviceOf(false)
  const plain = serviceOf(true)
  const figures: Figure[] = []
  for (const [name, text] of await queriesOf(database)) {
    const [first, second] = [await ask(searched, text), await ask(plain, text)]
    if (first.join('\n') !== second.join('\n')) throw new Error(`different answers to ${text}`)
    const times = {plain: [] as number[], searched: [] as number[]}
    for (let round = 0; round < rounds; round += 1) {
      times.searched.push(await timeOf(searched, text))
      times.plain.push(await timeOf(plain, text))
    }
    const [plainMs, searchedMs] = [median(times.plain), median(times.searched)]
    figures.push({name, count: first.length, plainMs, searchedMs, ratio: medianRatio(times.plain, times.searched)})
  }
  await checksums.close()
  return figures
}

/** A word that occurs in one label, and one that occurs in many. */
async function queriesOf(database: Database): Promise<readonly (readonly [name: string, query: string])[]> {
  const [found] = await database.query<{rare: string; frequent: string}>(
    `with word as (
       select lower(w.word) as word, count(distinct t.id) as n
         from ${schema}.quad as q
         join ${schema}.term as t on t.id = q.o, regexp_split_to_table(t.lex, '[^A-Za-z]+') as w (word)
        where q.p = (select l.id from ${schema}.term as l where l.lex like '%rdf-schema#label' limit 1)
          and length(w.word) >= 6
        group by 1)
     select (select word from word order by n, md5(word) limit 1) as rare,
            (select word from word order by n desc, word limit 1) as frequent`,
  )
  const {rare = '', frequent = ''} = found ?? {}
  const capital = rare.toUpperCase()
  const of = (filter: string) => `SELECT ?s ?l { ${labels} FILTER(${filter}) }`
  return [
    ['CONTAINS, rare', of(`CONTAINS(LCASE(STR(?l)), "${rare}")`)],
    ['REGEX i, rare', of(`REGEX(STR(?l), "${rare}", "i")`)],
    ['UCASE contains, rare', of(`CONTAINS(UCASE(?l), "${capital}")`)],
    [
      'any predicate, rare',
      `SELECT ?s ?p ?l { ?s ?p ?l FILTER(isLiteral(?l) && CONTAINS(LCASE(STR(?l)), "${rare}")) }`,
    ],
    ['counted, rare', `SELECT (COUNT(*) AS ?n) { ${labels} FILTER(CONTAINS(LCASE(STR(?l)), "${rare}")) }`],
    ['first ten, rare', `SELECT ?s ?l { ${labels} FILTER(CONTAINS(LCASE(STR(?l)), "${rare}")) } LIMIT 10`],
    ['in order, rare', `SELECT ?s ?l { ${labels} FILTER(CONTAINS(LCASE(STR(?l)), "${rare}")) } ORDER BY ?l LIMIT 10`],
    ['none', of('CONTAINS(LCASE(STR(?l)), "xyzzyx")')],
    ['CONTAINS, frequent', of(`CONTAINS(LCASE(STR(?l)), "${frequent}")`)],
    ['two letters', of('CONTAINS(LCASE(STR(?l)), "ka")')],
  ]
}

async function timeOf(service: QueryService, text: string): Promise<number> {
  const began = performance.now()
  await ask(service, text)
  return performance.now() - began
}

async function ask(service: QueryService, text: string): Promise<readonly string[]> {
  const request = {text, base, preferences: {contexts: false, checksums: false}}
  return service.answer(request, async answer => {
    const rows: string[] = []
    if (answer.form !== 'select') return rows
    for await (const batch of answer.rows)
      rows.push(...batch.map(row => row.map(term => (term === undefined ? '' : termKey(term))).join(' ')))
    return rows.sort()
  })
}

/** Documents of twelve triples and four new terms, created a second, with and without the index in turn. */
async function measureWrites(server: Cluster) {
  if (server.binaries === undefined) return undefined
  const place = await server.create('writes')
  await openStore(place)
  await fill(place, '', 'made', {count: 1})
  const created = async () => {
    const summary = await pgbench(server, place, createScript('made0/'), {connections: 2, durationMs: 5000})
    return summary?.rate ?? Number.NaN
  }
  const figures = {plain: [] as number[], indexed: [] as number[]}
  for (let turn = 0; turn < 3; turn += 1) {
    await dropTextIndex(place.database, schema)
    figures.plain.push(await created())
    await createTextIndex(place.database, schema)
    figures.indexed.push(await created())
  }
  await place.database.end(1000)
  return {plain: median(figures.plain), indexed: median(figures.indexed)}
}
