/**
 * Measures the compilation of a query's text to SQL, without the database.
 *
 *   npm run bench:compile [-- --queries folder --quads 100000 --rounds 300]
 *   npm run bench:compile -- --data file.nq --queries folder --platform <namespace>
 *
 * Three cases: a new shape (parsed, translated, planned), compared with the parser library alone on the same text; a
 * known shape with other constants (filled in, planned); a known text (its cached plan is found). Results are medians
 * of the processor time of one warm thread, in µs.
 */
import {mkdtemp, readdir, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import sparqljs from 'sparqljs'
import {readFacts} from '../src/db/query/facts.ts'
import {readFrequencies} from '../src/db/query/frequencies.ts'
import {askedFor} from '../src/query/facts.ts'
import {createPlanCache} from '../src/query/plan-cache.ts'
import {prepare} from '../src/query/prepare.ts'
import {type CompileOptions, compileQuery, prepareQuery} from '../src/sparql/compile.ts'
import {kindExtent} from '../src/sparql/plan/extent.ts'
import {writeShopFile} from './data.ts'
import {type Place, startCluster} from './support/cluster.ts'
import {startQuadstead} from './support/peers.ts'
import {buildService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {geometricMean, median} from './support/statistics.ts'

const {values} = parseArgs({
  options: {
    queries: {type: 'string', default: 'bench/queries'},
    quads: {type: 'string', default: '100000'},
    data: {type: 'string', default: ''},
    platform: {type: 'string', default: 'https://carbonldp.com/ns/v1/platform#'},
    rounds: {type: 'string', default: '300'},
  },
})
const base = 'http://localhost:8080/'
const [schema, endpoint] = ['quadstead', `${base}sparql`]
const rounds = Number(values.rounds)

buildService()
const directory = await mkdtemp(join(tmpdir(), 'quadstead-compile-'))
const cluster = await startCluster()
try {
  const place = await cluster.create('bench')
  const data = values.data || join(directory, 'shop.nq')
  if (values.data === '') await writeShopFile(data, {quads: Number(values.quads), base, platform: values.platform})
  const service = await startQuadstead(place, data, {BASE_URL: base, PLATFORM_NS: values.platform})
  await service.stop()
  await place.database.query('vacuum analyze')
  const names = (await readdir(values.queries)).filter(name => name.endsWith('.rq')).sort()
  const rows = []
  for (const name of names) rows.push(await measure(place, name, await readFile(join(values.queries, name), 'utf8')))
  const means = ['library', 'anew', 'seenShape', 'seenText'] as const
  printTable(
    'From text to SQL, µs (median)',
    ['query', 'library alone', 'new shape', 'beyond the library', 'shape seen', 'text seen'],
    [
      ...rows.map(row => [row.name, row.library, row.anew, row.anew - row.library, row.seenShape, row.seenText]),
      ['geometric mean', ...meansOf(rows, means)],
    ],
  )
  save('compile.json', {machine: machine(), postgresql: cluster.version, rounds, rows})
  await place.database.end(1000)
} finally {
  await cluster.stop()
  await rm(directory, {recursive: true, force: true})
}

type Measured = {
  readonly name: string
  readonly library: number
  readonly anew: number
  readonly seenShape: number
  readonly seenText: number
}

async function measure({database}: Place, name: string, text: string): Promise<Measured> {
  const options = await compileOptions(database, text)
  const compile = (query: ReturnType<typeof prepareQuery>) => compileQuery(query, options)
  const [kept, seen] = [{cache: createPlanCache(2)}, {cache: createPlanCache(500)}]
  for (let turn = 0; turn < 3; turn += 1) await prepare(seen, {text: variantOf(text, turn), base: endpoint})
  return {
    name,
    library: await timed(() => new sparqljs.Parser({baseIRI: endpoint}).parse(text)),
    anew: await timed(() => compile(prepareQuery(text, endpoint))),
    seenShape: await timed(async turn =>
      compile((await prepare(seen, {text: variantOf(text, turn + 3), base: endpoint})).query.prepared),
    ),
    seenText: await timed(() => prepare(kept, {text, base: endpoint})),
  }
}

/** The same shape with another constant: a number that does not occur in the query yet. */
function variantOf(text: string, turn: number): string {
  return text.replace(/\}\s*(?=[^}]*$)/, ` FILTER(${1_000_000 + turn} > 0) } `)
}

async function compileOptions(database: Place['database'], text: string): Promise<CompileOptions> {
  const prepared = prepareQuery(variantOf(text, 0), endpoint)
  const [facts, frequencies] = await Promise.all([
    readFacts(database, schema, askedFor(prepared, undefined)),
    readFrequencies(database, schema),
  ])
  const extents = new Map(Array.from(facts.extents, ([id, extent]) => [id, kindExtent(extent)]))
  return {
    schema: `"${schema}"`,
    stored: facts.ids,
    facts: {...facts, extents, frequencies},
    now: new Date(0).toISOString(),
  }
}

/** Median time of a piece of work in µs, after the same number of uncounted rounds. */
async function timed(work: (turn: number) => unknown): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 2 * rounds; turn += 1) {
    const begin = performance.now()
    await work(turn)
    times.push(1000 * (performance.now() - begin))
  }
  return median(times.slice(rounds))
}

function meansOf(rows: readonly Measured[], [library, anew, ...others]: readonly (keyof Omit<Measured, 'name'>)[]) {
  const mean = (name: keyof Omit<Measured, 'name'> | undefined) =>
    name === undefined ? Number.NaN : geometricMean(rows.map(row => row[name]))
  return [mean(library), mean(anew), mean(anew) - mean(library), ...others.map(mean)]
}
