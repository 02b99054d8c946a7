/**
 * Counts, groups and DISTINCT over whole predicates of the shop:
 *
 *   npm run bench:whole [-- --quads 1000000 --rounds 5]
 *
 * Inside PostgreSQL, processor time: what the service compiles beside SQL written by hand over the same table, which
 * stops at ids. Over HTTP, one connection each, in turns: the service beside Virtuoso, where the machine has it.
 */
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import type {Database} from '../src/db/connection/pool.ts'
import {base, platform} from '../test/plans/kinds.ts'
import {writeShopFile} from './data.ts'
import {canonical} from './support/answers.ts'
import {type Connection, openConnection, requestText} from './support/client.ts'
import {startCluster} from './support/cluster.ts'
import {type Inside, measureInside} from './support/inside.ts'
import {type Engine, startQuadstead, startVirtuoso, writePeerData} from './support/peers.ts'
import {buildService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {median} from './support/statistics.ts'
import {type Query, wholeQueries} from './whole/queries.ts'

const {values} = parseArgs({
  options: {quads: {type: 'string', default: '1000000'}, rounds: {type: 'string', default: '5'}},
})
const rounds = Number(values.rounds)
const json = 'application/sparql-results+json'

buildService()
const directory = await mkdtemp(join(tmpdir(), 'quadstead-whole-'))
const cluster = await startCluster()
const engines: Engine[] = []
try {
  const place = await cluster.create('bench')
  const [data, peers] = [join(directory, 'data.nq'), join(directory, 'peers.nq')]
  await writeShopFile(data, {quads: Number(values.quads), base, platform})
  await writePeerData(data, peers, base)
  engines.push(await startQuadstead(place, data, {BASE_URL: base, PLATFORM_NS: platform}))
  const virtuoso = await startVirtuoso(peers, join(directory, 'virtuoso'))
  if (virtuoso !== undefined) engines.push(virtuoso)
  await place.database.query('vacuum analyze')
  await report(place.database)
  await place.database.end(1000)
} finally {
  for (const engine of engines) await engine.stop()
  await cluster.stop()
  await rm(directory, {recursive: true, force: true})
}

async function report(database: Database): Promise<void> {
  const inside = await measureInside(database, {base, rounds})
  const connections: Connection[] = []
  for (const {port} of engines) connections.push(await openConnection(port))
  const rows: (readonly (string | number | undefined)[])[] = []
  for (const query of wholeQueries) rows.push(await measure(database, inside, connections, query))
  for (const {close} of connections) close()
  const head = ['', 'ms in SQL', 'by hand', 'ratio', 'ms over HTTP', 'Virtuoso', 'ratio', '']
  printTable(`Whole predicates, ${values.quads} quads`, head, rows)
  save('whole.json', {machine: machine(), postgresql: cluster.version, ...values, head, rows})
}

async function measure(
  database: Database,
  inside: Inside,
  connections: readonly Connection[],
  {name, text, byHand}: Query,
): Promise<readonly (string | number | undefined)[]> {
  const [own, floor] = [await inside.timeOf(text), await inside.timeOfSql(await withIds(database, byHand))]
  const times = connections.map((): number[] => [])
  const answers: (readonly string[])[] = []
  for (let round = -1; round < rounds; round += 1)
    for (const [index, connection] of connections.entries()) {
      const path = engines[index]?.path ?? ''
      const begin = performance.now()
      const {body} = await connection.exchange(
        requestText('GET', `${path}?query=${encodeURIComponent(text)}`, {Accept: json}),
      )
      if (round >= 0) times[index]?.push(performance.now() - begin)
      else answers.push(await canonical(json, body))
    }
  const [ours = Number.NaN, theirs] = times.map(median)
  const isEqual = theirs === undefined || JSON.stringify(answers[0]) === JSON.stringify(answers[1])
  const note = isEqual ? '' : 'answers differ'
  return [name, own, floor, own / floor, ours, theirs, theirs === undefined ? undefined : ours / theirs, note]
}

/** The statement with the ids of the terms that it names as <iri>. */
async function withIds(database: Database, sql: string): Promise<string> {
  const iris = [...new Set(sql.match(/<[^<> ]+:[^<> ]+>/g))]
  const rows = await database.query<{lex: string; id: string}>(
    'select lex, id::text as id from quadstead.term where lex = any ($1) and id < 1152921504606846976',
    [iris.map(iri => iri.slice(1, -1))],
  )
  return rows.reduce((text, {lex, id}) => text.replaceAll(`<${lex}>`, id), sql)
}
