/**
 * Measures the cost per row of each operator and function of SPARQL, by kind of value.
 *
 *   npm run bench:operators [-- --values 100000 --rounds 5 --only STRLEN,REGEX --kinds string,mixed]
 *   npm run bench:operators -- --before bench/results/operators.json
 *
 * It measures inside PostgreSQL (support/inside.ts), the minimum of the rounds. The cost is the time of the query with
 * the expression minus that of the query without it, divided by the number of rows. Aggregates are compared with
 * PostgreSQL's own on the same numbers in a table of one column. `--before` also prints the numbers of an earlier run.
 */
import {existsSync, readFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import type {Database} from '../src/db/connection/pool.ts'
import {aggregates, operators, orders, type Query} from './operators/queries.ts'
import {kindNames, plainTypes, writeValues} from './operators/values.ts'
import {startCluster} from './support/cluster.ts'
import {measureInside} from './support/inside.ts'
import {startQuadstead} from './support/peers.ts'
import {buildService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'

const {values: options} = parseArgs({
  options: {
    values: {type: 'string', default: '100000'},
    rounds: {type: 'string', default: '5'},
    only: {type: 'string', default: ''},
    kinds: {type: 'string', default: ''},
    before: {type: 'string', default: ''},
  },
})
const base = 'http://localhost:8080/'
const schema = 'quadstead'
const [count, rounds] = [Number(options.values), Number(options.rounds)]
const only = options.only.split(',').filter(name => name !== '')
const kinds = options.kinds === '' ? kindNames : options.kinds.split(',')

type Figure = {readonly name: string; readonly kind: string; readonly microseconds: number; readonly plain?: number}

const before = readBefore(options.before)

function readBefore(file: string): ReadonlyMap<string, number> {
  if (!existsSync(file)) return new Map()
  const {figures} = JSON.parse(readFileSync(file, 'utf8')) as {figures: readonly Figure[]}
  return new Map(figures.map(({name, kind, microseconds}) => [`${name} ${kind}`, microseconds]))
}

buildService()
const directory = await mkdtemp(join(tmpdir(), 'quadstead-operators-'))
const cluster = await startCluster()
try {
  const place = await cluster.create('bench')
  const file = join(directory, 'values.nq')
  await writeValues(file, base, count)
  const service = await startQuadstead(place, file, {BASE_URL: base})
  await service.stop()
  await place.database.query('vacuum analyze')
  await measure(place.database)
  await place.database.end(1000)
} finally {
  await cluster.stop()
  await rm(directory, {recursive: true, force: true})
}

async function measure(database: Database): Promise<void> {
  const {timeOf, timeOfSql} = await measureInside(database, {base, rounds})
  const isAsked = ({name, kind}: Query) => (only.length === 0 || only.includes(name)) && kinds.includes(kind)
  const figures: Figure[] = []
  const bases = new Map<string, number>()
  for (const query of [...operators, ...orders].filter(isAsked)) {
    const without = bases.get(query.base) ?? (await timeOf(query.base))
    bases.set(query.base, without)
    const microseconds = (1000 * ((await timeOf(query.text)) - without)) / count
    figures.push({name: query.name, kind: query.kind, microseconds})
  }
  for (const [kind, type] of plainTypes) await makePlain(database, kind, type)
  for (const query of aggregates.filter(isAsked)) {
    const microseconds = (1000 * (await timeOf(query.text))) / count
    const plain = query.plain === undefined ? undefined : (1000 * (await timeOfSql(query.plain))) / count
    figures.push({name: query.name, kind: query.kind, microseconds, ...(plain === undefined ? {} : {plain})})
  }
  tell(figures)
}

/** The same values in a table of one column, in the order of their subjects. */
async function makePlain(database: Database, kind: string, type: string): Promise<void> {
  await database.query(`create table if not exists plain_${kind.toLowerCase()} as
    select ${schema}.sparql_inline_value(q.o)::${type} as v
      from ${schema}.quad as q join ${schema}.term as p on p.id = q.p
     where p.lex = '${base}values#${kind}' order by q.s`)
  await database.query(`vacuum analyze plain_${kind.toLowerCase()}`)
}

function tell(figures: readonly Figure[]): void {
  const names = [...new Set(figures.map(({name}) => name))]
  const shown = kinds.filter(kind => figures.some(figure => figure.kind === kind))
  const rows = names.map(name => [
    name,
    ...shown.map(kind => {
      const figure = figures.find(one => one.name === name && one.kind === kind)
      if (figure === undefined) return ''
      const earlier = before.get(`${name} ${kind}`)
      const beside = figure.plain === undefined ? '' : ` /${figure.plain.toPrecision(2)}`
      const sooner = earlier === undefined ? '' : `${earlier.toPrecision(2)}→`
      return sooner + figure.microseconds.toPrecision(2) + beside
    }),
  ])
  printTable(`µs a row, ${count} values of each kind (aggregates: / PostgreSQL's own)`, ['', ...shown], rows)
  save('operators.json', {machine: machine(), postgresql: cluster.version, values: count, figures})
}
