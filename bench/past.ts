/**
 * Measures queries on the store as it was, by the number of changes since.
 *
 *   npm run bench:past [-- --quads 1000000 --changes 0,1000,10000,100000,1000000 --rounds 5]
 *
 * A temporary PostgreSQL with documents of 20 triples. SQL writes the changes in bulk as PATCH would: each removes one
 * triple of a document and adds another, and the document gets a new c:modified. The documents change in turn. The
 * queries go through the query service without HTTP. Every past answer must be that of the store before the changes.
 * Processor time is that of PostgreSQL's sessions; it depends less on the load of the machine than the time.
 */
import {parseArgs} from 'node:util'
import {createChecksumPool} from '../src/checksum/pool.ts'
import {readVocabulary} from '../src/db/store/dataset.ts'
import {createQueryService, type QueryService} from '../src/query/answer.ts'
import {platformVocabulary} from '../src/rdf/vocabulary.ts'
import {type Cluster, type Place, startCluster} from './support/cluster.ts'
import {base, fill, openStore, platform, schema} from './support/documents.ts'
import {sessionMs} from './support/processor.ts'
import {machine, printTable, save} from './support/report.ts'
import {median} from './support/statistics.ts'

const {values} = parseArgs({
  options: {
    quads: {type: 'string', default: '1000000'},
    changes: {type: 'string', default: '0,1000,10000,100000,1000000'},
    rounds: {type: 'string', default: '5'},
  },
})
const rounds = Number(values.rounds)
const documents = Math.ceil(Number(values.quads) / 20)
const stock = '<http://example.org/shop#stock>'
const queries: readonly (readonly [name: string, text: string])[] = [
  ['one document', `SELECT ?p ?o { <${base}p7/> ?p ?o }`],
  [
    'two hops',
    `SELECT (COUNT(*) AS ?n) { ?a <http://example.org/shop#category> <http://example.org/categories/7> ; ${stock} ?v }`,
  ],
  ['all values', `SELECT (COUNT(?v) AS ?n) (SUM(?v) AS ?sum) { ?s ${stock} ?v }`],
]

type Figure = {readonly ms: number; readonly processorMs: number}

const cluster = await startCluster()
try {
  const place = await cluster.create('bench_past')
  await openStore(place)
  await place.database.query(`select ${schema}.keep_changes('forever')`)
  await fill(place, '', 'p', {count: documents})
  await place.database.query(beginText())
  await place.database.query('vacuum analyze')
  const service = await serviceOf(place)
  const expected = await Promise.all(queries.map(([, text]) => ask(service, text)))
  const at = new Date()
  await new Promise(resolve => setTimeout(resolve, 50))
  const results: {changes: number; figures: readonly Figure[]}[] = []
  let made = 0
  for (const changes of values.changes.split(',').map(Number)) {
    await change(place, made, changes - made)
    made = changes
    const figures = []
    for (const [index, [name, text]] of queries.entries()) {
      const answer = await ask(service, text, at)
      if (answer !== expected[index]) throw new Error(`${name}: ${answer} instead of ${expected[index]}`)
      figures.push(await measure(cluster, () => ask(service, text, at)))
    }
    results.push({changes, figures})
  }
  const shown = ({ms, processorMs}: Figure) => `${ms.toFixed(0)} (${processorMs.toFixed(0)})`
  printTable(
    `Queries on the past of ${documents * 20} quads, ms (of them processor time of PostgreSQL)`,
    ['changes since', ...queries.map(([name]) => name)],
    results.map(({changes, figures}) => [changes, ...figures.map(shown)]),
  )
  save('past.json', {machine: machine(), postgresql: cluster.version, quads: documents * 20, rounds, results})
  await place.database.end(1000)
} finally {
  await cluster.stop()
}

async function serviceOf({database}: Place): Promise<QueryService> {
  const vocabulary = await readVocabulary(database, schema)
  const store = {database, schema, vocabulary, timeoutMs: 0, checksums: createChecksumPool()}
  return createQueryService({...store, platform: platformVocabulary(platform)})
}

/** The answer as text, its rows in any order. */
async function ask(service: QueryService, text: string, at?: Date): Promise<string> {
  const request = {text, base, preferences: {contexts: false, checksums: false}, at}
  return service.answer(request, async answer => {
    const lines: string[] = []
    if (answer.form !== 'select') throw new Error('no SELECT')
    for await (const rows of answer.rows) lines.push(...rows.map(row => row.map(term => term?.value).join(' ')))
    return lines.sort().join('\n')
  })
}

async function measure({processId}: Cluster, run: () => Promise<unknown>): Promise<Figure> {
  const figures: Figure[] = []
  for (let round = 0; round < rounds; round += 1) {
    const [began, before] = [performance.now(), sessionMs(processId())]
    await run()
    figures.push({ms: performance.now() - began, processorMs: sessionMs(processId()) - before})
  }
  return {ms: median(figures.map(({ms}) => ms)), processorMs: median(figures.map(({processorMs}) => processorMs))}
}

/** Numbers the documents and notes what changes in each. */
function beginText(): string {
  return `create table bench_document as
    select row_number() over (order by d.id) - 1 as n, d.id, v.p, v.o as value, m.o as modified
      from ${schema}.document as d
      join ${schema}.quad as v on v.g = d.id and v.p = (select ${schema}.sparql_id('I${stock.slice(1, -1)}'))
      join ${schema}.quad as m on m.g = d.id and m.p = ${schema}.platform_modified()`
}

/** Makes changes number `from`, `from` + 1, … Change n is of document n modulo their number. */
async function change({database}: Place, from: number, count: number): Promise<void> {
  if (count <= 0) return
  const instant = (year: number, round: string) =>
    `${schema}.inline_instant('${year}-01-01Z'::timestamptz + make_interval(secs => ${round}))`
  const round = `(k / ${documents})::float8`
  await database.query(`
    create table bench_change as
      select k, d.id, d.p, case when k < ${documents} then d.value else ${instant(2020, round)} end as old_value,
             case when k < ${documents} then d.modified else ${instant(2021, round)} end as old_modified,
             ${instant(2020, `${round} + 1`)} as new_value, ${instant(2021, `${round} + 1`)} as new_modified
        from generate_series(${from}::int8, ${from + count - 1}::int8) as k
        join bench_document as d on d.n = k % ${documents}`)
  await database.query(`
    insert into ${schema}.change (position, transaction, document, before, after, is_access_point, action,
                                  added_s, added_p, added_o, removed_s, removed_p, removed_o)
    select 1001 + 2 * c.k, 1000 + 2 * c.k, c.id, 1000 + c.k, 1001 + c.k, false, 'patched', array[c.id, c.id],
           array[c.p, ${schema}.platform_modified()], array[c.new_value, c.new_modified], array[c.id, c.id],
           array[c.p, ${schema}.platform_modified()], array[c.old_value, c.old_modified]
      from bench_change as c order by c.k`)
  for (const [predicate, object] of [
    ['c.p', 'c.new_value'],
    [`${schema}.platform_modified()`, 'c.new_modified'],
  ])
    await database.query(`
      update ${schema}.quad as q set o = ${object}
        from (select distinct on (c.id) c.* from bench_change as c order by c.id, c.k desc) as c
       where q.g = c.id and q.p = ${predicate}`)
  await database.query(`select setval('${schema}.change_seq', (select max(position) from ${schema}.change))`)
  await database.query('drop table bench_change')
  await database.query(`vacuum analyze ${schema}.change, ${schema}.quad`)
}
