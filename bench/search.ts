/**
 * Measures the search over many documents: times of /search and of text:query, the size of the index, and its cost for
 * writers.
 *
 *   npm run bench:search [-- --documents 1000000 --rounds 15]
 *
 * Each document has a title of three to six words, a description of 20 to 40, two more literals and four links and
 * numbers. Words are drawn by Zipf's law from 50,000 made-up ones, so the first ones are in most documents. Calls go to
 * the store without HTTP. If the machine has pgbench, documents created a second are measured with and without the
 * index, in turn.
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
import {openSession} from '../src/db/store/create-session.ts'
import {openDataset, readVocabulary} from '../src/db/store/dataset.ts'
import {migrate} from '../src/db/store/migrate.ts'
import {createSearchIndex, dropSearchIndex} from '../src/db/store/search-index.ts'
import {searchDocuments, suggestDocuments} from '../src/ldp/search.ts'
import {createQueryService} from '../src/query/answer.ts'
import {platformVocabulary} from '../src/rdf/vocabulary.ts'
import {sqlDirectory} from '../src/sql-directory.ts'
import {importFiles} from '../src/transfer/import.ts'
import {type Cluster, startCluster} from './support/cluster.ts'
import {fill, openStore, platform} from './support/documents.ts'
import {pgbench} from './support/pgbench.ts'
import {machine, printTable, save} from './support/report.ts'
import {createScript} from './support/statements.ts'
import {median} from './support/statistics.ts'

const {values: options} = parseArgs({
  options: {documents: {type: 'string', default: '1000000'}, rounds: {type: 'string', default: '15'}},
})
const [documents, rounds] = [Number(options.documents), Number(options.rounds)]
const schema = 'quadstead'
const base = 'http://localhost:8080/'
const dct = 'http://purl.org/dc/terms/'
const wordCount = 50_000

const cluster = await startCluster()
const directory = await mkdtemp(join(tmpdir(), 'quadstead-search-'))
try {
  const place = await cluster.create('search')
  const {database} = place
  await migrate(database, {schema, directory: sqlDirectory})
  await openDataset(database, {schema, base, defaultBase: base, platformNamespace: platform})
  const file = join(directory, 'documents.nq')
  await pipeline(Readable.from(lines()), createWriteStream(file))
  await importDocuments(database, file)
  await dropSearchIndex(database, schema)
  const began = performance.now()
  await createSearchIndex(database, schema)
  const madeMs = performance.now() - began
  const sizes = await readSizes(database)
  const figures = await measure(database)
  const writes = await measureWrites(cluster)
  printTable(
    `Searches over ${documents} documents, ms`,
    ['search', 'found', 'median', 'slowest'],
    figures.map(({name, found, medianMs, mostMs}) => [name, found, medianMs, mostMs]),
  )
  printTable(
    'The index',
    ['', ''],
    [
      ['bytes', sizes.index],
      ['share of the store without it, %', (100 * sizes.index) / sizes.store],
      ['creation, s', madeMs / 1000],
      ['documents created a second without it', writes?.plain],
      ['with it', writes?.indexed],
      ['ratio', writes && writes.indexed / writes.plain],
    ],
  )
  save('search', {machine: machine(), server: cluster.version, documents, figures, sizes, madeMs, writes})
} finally {
  await cluster.stop()
  await rm(directory, {recursive: true, force: true})
}

/** A reproducible random number from 0 to 1. Source: Marsaglia, "Xorshift RNGs". */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** The word with a rank: syllables of its number. */
function wordOf(rank: number): string {
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'je', 'ki', 'lo', 'mu', 'na', 'pe', 'ri', 'so', 'tu', 'va']
  let word = ''
  for (let left = rank + 16; left > 0; left = Math.floor(left / 16)) word += syllables[left % 16]
  return word
}

function* lines(): Generator<string> {
  const random = createRandom(20_261_123)
  const words = (least: number, most: number) =>
    Array.from(
      {length: least + Math.floor(random() * (most - least + 1))},
      () => wordOf(Math.floor(wordCount ** random()) - 1), // Zipf: the density of a rank is proportional to 1 / rank
    ).join(' ')
  for (let n = 0; n < documents; n += 1) {
    const iri = `<${base}d${n}/>`
    const say = (property: string, object: string) => `${iri} <${property}> ${object} ${iri} .\n`
    const xsd = 'http://www.w3.org/2001/XMLSchema#'
    yield say(`${dct}title`, `"${words(3, 6)} ${n}"@en`) +
      say(`${dct}description`, `"${words(20, 40)}"`) +
      say(`${dct}creator`, `<${base}people/${n % 5000}>`) +
      say('http://e/code', `"c-${n}"`) +
      say('http://e/state', `"${['open', 'closed', 'waiting'][n % 3]}"`) +
      say('http://www.w3.org/1999/02/22-rdf-syntax-ns#type', `<http://e/Class${n % 20}>`) +
      say('http://e/pages', `"${n % 900}"^^<${xsd}integer>`) +
      say('http://e/next', `<${base}d${(n + 1) % documents}/>`)
  }
}

async function importDocuments(database: Database, file: string): Promise<void> {
  const silent = {onFault: () => undefined, onProgress: () => undefined, signal: new AbortController().signal}
  const how = {files: [file], format: undefined, graph: undefined, isRaw: false, skipsBad: false}
  await importFiles(database, {schema, base, ...how, ...silent})
}

async function readSizes(database: Database) {
  const [row] = await database.query<{index: string; store: string}>(
    `select pg_relation_size('${schema}.term_words')::text as index,
            (select sum(pg_total_relation_size(c.oid)) from pg_class as c
              where c.relnamespace = '${schema}'::regnamespace and c.relkind = 'r')::text as store`,
  )
  const index = Number(row?.index)
  return {index, store: Number(row?.store) - index}
}

type Figure = {readonly name: string; readonly found: number; readonly medianMs: number; readonly mostMs: number}

async function measure(database: Database): Promise<readonly Figure[]> {
  const session = await openSession(database, schema)
  const vocabulary = await readVocabulary(database, schema)
  const checksums = createChecksumPool()
  const queries = createQueryService({
    database,
    schema,
    vocabulary,
    timeoutMs: 0,
    checksums,
    platform: platformVocabulary(platform),
  })
  const search =
    (text: string, filters = {}, order: 'relevance' | 'date' = 'relevance') =>
    async () => {
      const {hits} = await searchDocuments({session}, {text, languages: ['en'], filters, order, page: 1})
      return hits.length
    }
  const query = (pattern: string) => async () => {
    const text = `SELECT * { ${pattern} }`
    return queries.answer({text, base, preferences: {contexts: false, checksums: false}}, async answer => {
      let count = 0
      if (answer.form === 'select') for await (const batch of answer.rows) count += batch.length
      return count
    })
  }
  const call = (args: string) => `(?s ?score ?l) <http://jena.apache.org/text#query> (<${dct}title> ${args})`
  const [frequent, usual, rare] = [0, 300, 20_000].map(wordOf)
  const searches: readonly (readonly [name: string, run: () => Promise<number>])[] = [
    ['rare word', search(`${rare}`)],
    ['usual word', search(`${usual}`)],
    ['the most frequent word', search(`${frequent}`)],
    ['two words', search(`${usual} ${wordOf(500)}`)],
    ['phrase', search(`"${usual} ${frequent}"`)],
    ['prefix', search(`${usual?.slice(0, 4)}*`)],
    ['misspelt', search(`${rare?.slice(0, -1)}z`)],
    ['nothing', search('xyzzyx')],
    ['type', search(`${usual}`, {type: 'http://e/Class7'})],
    ['frequent, property', search(`${frequent}`, {properties: [`${dct}description`]})],
    ['usual, by date', search(`${usual}`, {}, 'date')],
    ['frequent, by date', search(`${frequent}`, {}, 'date')],
    [
      'suggestions',
      async () =>
        (await suggestDocuments({session}, {text: String(usual?.slice(0, 3)), languages: ['en'], filters: {}})).length,
    ],
    ['text:query, rare', query(call(`"${rare}"`))],
    ['text:query, usual, 10', query(call(`"${usual}" 10`))],
  ]
  const figures: Figure[] = []
  for (const [name, run] of searches) {
    const found = await run()
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now()
      await run()
      times.push(performance.now() - began)
    }
    figures.push({name, found, medianMs: median(times), mostMs: Math.max(...times)})
  }
  await checksums.close()
  return figures
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
  for (let turn = 0; turn < 5; turn += 1) {
    await dropSearchIndex(place.database, schema)
    figures.plain.push(await created())
    await createSearchIndex(place.database, schema)
    figures.indexed.push(await created())
  }
  await place.database.end(1000)
  return {plain: median(figures.plain), indexed: median(figures.indexed)}
}
