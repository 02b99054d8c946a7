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
import type {Caller} from '../src/db/store/caller.ts'
import {openSession} from '../src/db/store/create-session.ts'
import {openDataset, readVocabulary} from '../src/db/store/dataset.ts'
import {putGrants} from '../src/db/store/grants.ts'
import {migrate} from '../src/db/store/migrate.ts'
import {
  createSearchIndex,
  createSimilarIndex,
  dropSearchIndex,
  gatherSearchWords,
} from '../src/db/store/search-index.ts'
import {searchDocuments, suggestDocuments} from '../src/ldp/search.ts'
import {createQueryService} from '../src/query/answer.ts'
import {platformVocabulary, rdf} from '../src/rdf/vocabulary.ts'
import {sqlDirectory} from '../src/sql-directory.ts'
import {importFiles} from '../src/transfer/import.ts'
import {type Cluster, startCluster} from './support/cluster.ts'
import {fill, openStore, platform} from './support/documents.ts'
import {pgbench} from './support/pgbench.ts'
import {processorSeconds, sessionMs} from './support/processor.ts'
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
const containerSize = 1000
const containers = Math.ceil(documents / containerSize)

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
  if (await createSimilarIndex(database, schema)) await gatherSearchWords(database, schema)
  const sizes = await readSizes(database)
  await grant(database)
  const figures = await measure(database)
  const writes = await measureWrites(cluster)
  printTable(
    `Searches over ${documents} documents, ms`,
    ['search', 'found', 'median', 'processor of PostgreSQL'],
    figures.map(({name, found, medianMs, processorMs}) => [name, found, medianMs, processorMs]),
  )
  printTable(
    'The index',
    ['', ''],
    [
      ['bytes', sizes.index],
      ['share of the store without it, %', (100 * sizes.index) / sizes.store],
      ['creation, s', madeMs / 1000],
      ['documents created a second without it', writes?.plain.rate],
      ['with it', writes?.indexed.rate],
      ['processor of PostgreSQL a document without it, ms', writes?.plain.processorMs],
      ['with it, ms', writes?.indexed.processorMs],
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
    const container = `${base}c${Math.floor(n / containerSize)}/`
    if (n % containerSize === 0) yield `<${container}> <${dct}title> "container" <${container}> .\n`
    const iri = iriOf(n)
    const say = (property: string, object: string) => `<${iri}> <${property}> ${object} <${iri}> .\n`
    const xsd = 'http://www.w3.org/2001/XMLSchema#'
    yield say(`${dct}title`, `"${words(3, 6)} ${n}"@${n % 50 === 0 ? 'fr' : 'en'}`) +
      say(`${dct}description`, `"${words(20, 40)}"`) +
      say(`${dct}creator`, `<${base}people/${n % 5000}>`) +
      say('http://e/code', `"c-${n}"`) +
      say('http://e/state', `"${['open', 'closed', 'waiting'][n % 3]}"`) +
      say(rdf.type, `<http://e/${n % 10_000 === 0 ? 'Rare' : `Class${n % 20}`}>`) +
      say('http://e/pages', `"${n % 900}"^^<${xsd}integer>`) +
      say('http://e/next', `<${iriOf((n + 1) % documents)}>`) +
      (n % 5000 === 0 ? say('http://e/remark', `"${words(5, 10)}"`) : '')
  }
}

function iriOf(n: number): string {
  return `${base}c${Math.floor(n / containerSize)}/d${n}/`
}

async function importDocuments(database: Database, file: string): Promise<void> {
  const silent = {onFault: () => undefined, onProgress: () => undefined, signal: new AbortController().signal}
  const how = {files: [file], format: undefined, graph: undefined, isRaw: false, skipsBad: false}
  await importFiles(database, {schema, base, ...how, ...silent})
}

async function readSizes(database: Database) {
  const [row] = await database.query<{index: string; store: string}>(
    `select (pg_relation_size('${schema}.term_words') + pg_total_relation_size('${schema}.search_word'))::text as index,
            (select sum(pg_total_relation_size(c.oid)) from pg_class as c
              where c.relnamespace = '${schema}'::regnamespace and c.relkind = 'r')::text as store`,
  )
  const index = Number(row?.index)
  return {index, store: Number(row?.store) - index}
}

/** One reader may read a container only, another all but a container. */
async function grant(database: Database): Promise<void> {
  const session = await openSession(database, schema)
  const may = (...readers: readonly string[]) => readers.map(each => ({grantee: each, modes: ['read' as const]}))
  const put = (iri: string, readers: readonly string[], inherits?: boolean) =>
    putGrants(session, iri, {grants: may(...readers), inherits, ifMatch: undefined, keepsControl: false})
  await put(base, ['group most'])
  await put(`${base}c1/`, ['group part'])
  await put(`${base}c2/`, ['group other'], false)
}

function callerOf(reader: string): Caller {
  return {grantees: ['public', `group ${reader}`], isHidden: true, agent: undefined, isAudited: false}
}

type Figure = {
  readonly name: string
  readonly found: number
  readonly medianMs: number
  readonly processorMs: number // of PostgreSQL, median
}

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
    (text: string, filters = {}, order: 'relevance' | 'date' = 'relevance', reader?: string) =>
    async () => {
      const dataset = {session: reader === undefined ? session : {...session, caller: callerOf(reader)}}
      const {hits} = await searchDocuments(dataset, {text, languages: ['en'], filters, order, page: 1})
      return hits.length
    }
  const suggest = (text: string, reader?: string) => async () => {
    const dataset = {session: reader === undefined ? session : {...session, caller: callerOf(reader)}}
    return (await suggestDocuments(dataset, {text, languages: ['en'], filters: {}})).length
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
    ['misspelt twice', search(`${rare?.slice(0, 2)}z${rare?.slice(3, -1)}z`)],
    ['two misspelt words', search(`${rare?.slice(0, -1)}z ${usual}xx`)],
    ['nothing', search('xyzzyx')],
    ['nothing, two words that occur', search(`${rare} ${wordOf(20_001)}`)],
    ['type', search(`${usual}`, {type: 'http://e/Class7'})],
    ['frequent, rare type', search(`${frequent}`, {type: 'http://e/Rare'})],
    ['usual, rare type', search(`${usual}`, {type: 'http://e/Rare'})],
    ['usual, container of a thousand', search(`${usual}`, {under: `${base}c${containers - 1}/`})],
    ['frequent, container of a thousand', search(`${frequent}`, {under: `${base}c${containers - 1}/`})],
    ['rare, container of a thousand', search(`${rare}`, {under: `${base}c${containers - 1}/`})],
    ['usual, below the root', search(`${usual}`, {under: base})],
    ['usual, language', search(`${usual}`, {range: 'fr'})],
    ['frequent, property', search(`${frequent}`, {properties: [`${dct}description`]})],
    ['frequent, rare property', search(`${frequent}`, {properties: ['http://e/remark']})],
    ['usual, rare property', search(`${usual}`, {properties: ['http://e/remark']})],
    ['usual, who may read a container', search(`${usual}`, {}, 'relevance', 'part')],
    ['frequent, who may read a container', search(`${frequent}`, {}, 'relevance', 'part')],
    ['usual, who may read all but a container', search(`${usual}`, {}, 'relevance', 'most')],
    ['usual, who may read nothing', search(`${usual}`, {}, 'relevance', 'nobody')],
    ['usual, by date', search(`${usual}`, {}, 'date')],
    ['frequent, by date', search(`${frequent}`, {}, 'date')],
    ['suggestions', suggest(`${usual?.slice(0, 3)}`)],
    ['suggestions for two letters', suggest(`${usual?.slice(0, 2)}`)],
    ['suggestions for who may read a container', suggest(`${usual?.slice(0, 2)}`, 'part')],
    ['text:query, rare', query(call(`"${rare}"`))],
    ['text:query, usual, 10', query(call(`"${usual}" 10`))],
  ]
  const figures: Figure[] = []
  for (const [name, run] of searches) {
    const found = await run()
    const [times, processor]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      const [began, used] = [performance.now(), sessionMs(cluster.processId())]
      await run()
      times.push(performance.now() - began)
      processor.push(sessionMs(cluster.processId()) - used)
    }
    figures.push({name, found, medianMs: median(times), processorMs: median(processor)})
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
    const used = processorSeconds(server.processId())
    const summary = await pgbench(server, place, createScript('made0/'), {connections: 2, durationMs: 5000})
    const processorMs = (1000 * (processorSeconds(server.processId()) - used)) / (summary?.count ?? Number.NaN)
    return {rate: summary?.rate ?? Number.NaN, processorMs}
  }
  type Created = Awaited<ReturnType<typeof created>>
  const figures = {plain: [] as Created[], indexed: [] as Created[]}
  for (let turn = 0; turn < 5; turn += 1) {
    await dropSearchIndex(place.database, schema)
    figures.plain.push(await created())
    await createSearchIndex(place.database, schema)
    figures.indexed.push(await created())
  }
  const middle = (all: readonly Created[]) => ({
    rate: median(all.map(({rate}) => rate)),
    processorMs: median(all.map(({processorMs}) => processorMs)),
  })
  await place.database.end(1000)
  return {plain: middle(figures.plain), indexed: middle(figures.indexed)}
}
