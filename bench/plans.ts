/**
 * Compares the compiler's plans with better ones: random queries on data of several kinds, each executed with the
 * chosen plan and with alternatives that are forced on the planner and on PostgreSQL.
 *
 *   npm run bench:plans [-- --queries 40 --seed 1 --kind social --quads 150000 --stale]
 *   npm run bench:plans -- --short           the corpus and a few queries; fails if a plan is very bad
 *
 * Each random query is followed by a second one of its shape: frequent constants in place of rare ones, and rare ones
 * in place of frequent ones. It runs with the plan that queries of a shape share, if it shares one.
 *
 *   regret = time of the chosen plan ÷ best time found   (processor time in PostgreSQL, 1 ms added to both)
 *
 * With --keep, queries with a regret above 3 are added to test/plans/corpus. DATABASE_URL names a server to use instead
 * of the embedded one; --older uses the oldest PostgreSQL of this machine.
 */
import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {type Drawn, drawQuery} from '../test/plans/draw.ts'
import {base, type Kind} from '../test/plans/kinds.ts'
import {readStatements} from '../test/plans/statements.ts'
import {createRandom} from '../test/support/random.ts'
import {findOlderBinaries} from '../test/support/servers.ts'
import {kinds} from './plans/kinds.ts'
import {type Measured, measure} from './plans/measure.ts'
import {exchangeConstants} from './plans/shared.ts'
import {load, type Server, startServer} from './plans/store.ts'
import {machine, printTable, save} from './support/report.ts'

const {values} = parseArgs({
  options: {
    seed: {type: 'string', default: '1'},
    queries: {type: 'string', default: '40'}, // for each kind
    kind: {type: 'string', default: ''},
    quads: {type: 'string', default: '150000'}, // for each kind
    limit: {type: 'string', default: '5000'}, // ms
    stale: {type: 'boolean', default: false},
    older: {type: 'boolean', default: false},
    short: {type: 'boolean', default: false},
    corpus: {type: 'boolean', default: false},
    sampled: {type: 'boolean', default: false},
    keep: {type: 'boolean', default: false},
  },
})
const [queries, limitMs] = [Number(values.short ? 4 : values.queries), Number(values.limit)]
const quads = Number(values.short ? 50_000 : values.quads)
const badRegret = 3
const failing = {regret: 8, slackMs: 50} // of --short: more than noise can explain
const corpus = 'test/plans/corpus'
const second = 'second of its shape' // the feature of a query that others of its shape precede

type Result = Drawn & Measured & {readonly name: string}

const server = await startServer(process.env.DATABASE_URL, values.older ? await findOlderBinaries() : undefined)
const results: Result[] = []
let unanswered = 0
try {
  for (const kind of kinds)
    if (values.kind === '' || values.kind.split(',').includes(kind.name)) await measureKind(kind, server)
} finally {
  await server.stop()
}
report()

async function measureKind(kind: Kind, server: Server): Promise<void> {
  const lines = [...kind.write(quads)]
  const data = readStatements(lines, kind.isRaw ? undefined : base)
  const {database, frequencies, end} = await load(server, kind, {lines, isStale: values.stale})
  try {
    for (const [name, drawn] of await drawAll(kind, data)) {
      const measured = await measure(drawn.text, {
        database,
        frequencies,
        limitMs,
        isSampled: values.sampled,
        isSecond: drawn.features.includes(second),
      }).catch((error: unknown) => {
        throw new Error(`${name}\n${drawn.text}`, {cause: error})
      })
      if (measured === undefined) {
        unanswered += 1
        process.stderr.write(`${name}: no plan answers within ${limitMs} ms\n${drawn.text}\n`)
        continue
      }
      results.push({name, text: drawn.text, features: featuresOf(drawn, measured), ...measured})
      if (values.keep && measured.regret > badRegret) await keep(name, drawn)
    }
  } finally {
    await end()
  }
}

function featuresOf({features}: Drawn, {isShared}: Measured): readonly string[] {
  return isShared ? [...features, 'shared plan'] : features
}

/** The queries of a kind by name: those of the corpus, and random ones. */
async function drawAll(kind: Kind, data: ReturnType<typeof readStatements>): Promise<ReadonlyMap<string, Drawn>> {
  const drawn = new Map<string, Drawn>()
  if (values.short || values.corpus)
    for (const file of await readdir(join(corpus, kind.name)).catch(() => [])) {
      const text = await readFile(join(corpus, kind.name, file), 'utf8')
      const features = ['corpus', ...(text.split('\n', 1)[0]?.includes(second) ? [second] : [])]
      drawn.set(`${kind.name}/${file}`, {text, features})
    }
  if (values.corpus) return drawn
  for (let number = 1; number <= queries; number += 1) {
    const random = createRandom(Number(values.seed) * 1_000_003 + number * 7919)
    const query = drawQuery(random, data, kind.transitive)
    const name = `${kind.name}/${values.seed}-${number}`
    drawn.set(name, query)
    const text = exchangeConstants(query.text, data)
    if (text !== undefined) drawn.set(`${name}b`, {text, features: [...query.features, second]})
  }
  return drawn
}

async function keep(name: string, {text, features}: Drawn): Promise<void> {
  const [kind = '', number = ''] = name.split('/')
  if (number.endsWith('.rq')) return
  await mkdir(join(corpus, kind), {recursive: true})
  await writeFile(join(corpus, kind, `${number}.rq`), `# ${features.join(', ')}; ${quads} quads\n${text}\n`)
}

function report(): void {
  const groups = new Map<string, readonly Result[]>([['all', results]])
  for (const {name} of kinds)
    groups.set(
      name,
      results.filter(result => result.name.startsWith(`${name}/`)),
    )
  for (const feature of [...new Set(results.flatMap(({features}) => features))].sort())
    groups.set(
      feature,
      results.filter(({features}) => features.includes(feature)),
    )
  printTable(
    [
      `Regret of ${results.length} queries; seed ${values.seed}, ${quads} quads a kind`,
      `${unanswered} not answered by any plan, PostgreSQL ${server.version}${values.stale ? ', stale statistics' : ''}`,
    ].join(', '),
    ['', 'queries', 'median', '95 %', 'worst', 'above 3', '> 1 s, best < 0.2 s', 'sum of ours, ms', 'of best, ms'],
    [...groups].filter(([, held]) => held.length > 0).map(([name, held]) => [name, ...figuresOf(held)]),
  )
  const worst = [...results].sort((left, right) => right.regret - left.regret).slice(0, 10)
  for (const {name, features, text, ours, best, regret, winner, rows} of worst.filter(one => one.regret > 1.5)) {
    const times = `${ours.toFixed(1)} ms; ${best.toFixed(1)} by ${winner}; ${rows ?? '?'} rows; ${features.join(', ')}`
    process.stdout.write(`\n${name}: regret ${regret.toFixed(1)}, ${times}\n${text}\n`)
  }
  save('plans.json', {machine: machine(), postgresql: server.version, ...values, unanswered, results})
  const {regret, slackMs} = failing
  if (values.short && results.some(({ours, best}) => ours + slackMs > regret * (best + slackMs))) process.exitCode = 1
}

function figuresOf(held: readonly Result[]): readonly number[] {
  const sorted = held.map(({regret}) => regret).sort((left, right) => left - right)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return [
    held.length,
    at(0.5),
    at(0.95),
    at(1),
    sorted.filter(regret => regret > badRegret).length,
    held.filter(({ours, best}) => ours > 1000 && best < 200).length,
    held.reduce((sum, {ours}) => sum + ours, 0),
    held.reduce((sum, {best}) => sum + best, 0),
  ]
}
