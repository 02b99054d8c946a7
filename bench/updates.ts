/**
 * Measures SPARQL updates, compared with other engines in the same run.
 *
 *   npm run bench:updates [-- --rounds 3 --triples 100000 --documents 10000 --alone]
 *
 * The service with a durable PostgreSQL, and Oxigraph (from npm, in memory) and Fuseki (TDB2, if the machine has it;
 * see native-peers.ts), each as a process of its own. Every round runs all updates on each engine with new names.
 * `--alone` measures the service only.
 */
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {openConnection, requestText} from './support/client.ts'
import {startCluster} from './support/cluster.ts'
import {startFuseki} from './support/native-peers.ts'
import {type Engine, installPeers, startOxigraph} from './support/peers.ts'
import {buildService, startService} from './support/program.ts'
import {type Cell, machine, printTable, save} from './support/report.ts'
import {interleave, median} from './support/statistics.ts'

const {values} = parseArgs({
  options: {
    rounds: {type: 'string', default: '3'},
    triples: {type: 'string', default: '100000'},
    documents: {type: 'string', default: '10000'},
    alone: {type: 'boolean', default: false},
  },
})
const [rounds, triples, documents] = [Number(values.rounds), Number(values.triples), Number(values.documents)]
const small = 50 // updates of one triple, one after the other
const base = 'http://localhost:8080/'
const ns = 'http://example.org/ns#'
const all = (length: number, text: (n: number) => string) => Array.from({length}, (_, n) => text(n)).join('\n')

type Update = {readonly name: string; readonly texts: readonly string[]}

/** The updates of one round, in the order in which they run. `at` is the IRI of a document of the round. */
function updatesOf(at: string): readonly Update[] {
  const insert = (graph: string, data: string) => `INSERT DATA { GRAPH <${graph}> { ${data} } }`
  const increment = `PREFIX ex: <${ns}>
    DELETE { GRAPH <${at}> { <${at}> ex:count ?n } } INSERT { GRAPH <${at}> { <${at}> ex:count ?next } }
     WHERE { GRAPH <${at}> { <${at}> ex:count ?n } BIND (?n + 1 AS ?next) }`
  const nodes = Math.floor(triples / 10)
  return [
    {name: 'create', texts: [insert(at, `<${at}> <${ns}count> 0`)]},
    {
      name: `INSERT DATA, 1 triple (of ${small})`,
      texts: Array.from({length: small}, (_, n) => insert(at, `<${at}> <${ns}p> "value ${n}"`)),
    },
    {name: `DELETE INSERT WHERE, 1 document (of ${small})`, texts: Array(small).fill(increment)},
    {
      name: `INSERT DATA, ${triples} triples, 1 document`,
      texts: [
        insert(
          at,
          all(triples, n => `<${at}#s${n >> 2}> <${ns}p${n & 3}> "${at} ${n}" .`),
        ),
      ],
    },
    {
      name: `INSERT DATA, ${2 * nodes} triples of ${nodes} blank nodes`,
      texts: [
        insert(
          at,
          all(nodes, n => `_:n${n} <${ns}p> "${n}" ; <${ns}q> <${at}> .`),
        ),
      ],
    },
    {
      name: `INSERT DATA, ${documents} new documents`,
      texts: [`INSERT DATA { ${all(documents, n => `GRAPH <${at}d${n}/> { <${at}d${n}/> <${ns}p> "${n}" }`)} }`],
    },
    {
      name: `DELETE INSERT WHERE, ${documents} documents`,
      texts: [
        `DELETE { GRAPH ?d { ?d <${ns}p> ?o } } INSERT { GRAPH ?d { ?d <${ns}q> ?o } }
          WHERE { GRAPH ?d { ?d <${ns}p> ?o } FILTER (STRSTARTS(STR(?d), "${at}d")) }`,
      ],
    },
    {name: `CLEAR, ${triples} triples`, texts: [`CLEAR GRAPH <${at}>`]},
  ]
}

/** Runs the updates of a round. @returns milliseconds of each; of a series, those of its median */
async function runRound({port}: Engine, path: string, at: string): Promise<ReadonlyMap<string, number>> {
  const connection = await openConnection(port)
  const times = new Map<string, number>()
  const headers = {'Content-Type': 'application/sparql-update', Prefer: 'return=minimal'}
  for (const {name, texts} of updatesOf(at)) {
    const each: number[] = []
    for (const text of texts) {
      const request = Buffer.from(requestText('POST', path, headers, text))
      const begin = performance.now()
      const {status, body} = await connection.exchange(request)
      each.push(performance.now() - begin)
      if (status >= 300) throw new Error(`${name}: ${status} ${body.toString().slice(0, 500)}`)
    }
    times.set(name, median(each))
  }
  connection.close()
  return times
}

async function measure(engines: readonly {readonly engine: Engine; readonly path: string}[]): Promise<void> {
  let round = 0
  const subjects = new Map(
    engines.map(({engine, path}) => [engine.name, () => runRound(engine, path, `${base}r${round++}/`)] as const),
  )
  const results = await interleave(rounds, subjects)
  const timeOf = (engine: string, name: string) =>
    median((results.get(engine) ?? []).map(times => times.get(name) ?? 0))
  const names = [...subjects.keys()]
  const [first = '', ...others] = names
  const rows = updatesOf(base).map(({name}): readonly Cell[] => [
    name,
    ...names.map(engine => timeOf(engine, name)),
    ...others.map(engine => timeOf(first, name) / timeOf(engine, name)),
  ])
  const head = ['update', ...names.map(name => `${name}, ms`), ...others.map(name => `/ ${name}`)]
  printTable(`Updates, median of ${rounds} rounds`, head, rows)
  save('updates.json', {machine: machine(), head, rows})
}

if (!values.alone) installPeers()
buildService()
const directory = await mkdtemp(join(tmpdir(), 'quadstead-updates-'))
const cluster = await startCluster()
const started: Engine[] = []
try {
  const data = join(directory, 'data.nq')
  await writeFile(data, `<${base}> <${ns}p> "root" <${base}> .\n`)
  const {url} = await cluster.create('updates')
  const settings = {DATABASE_URL: url, BASE_URL: base, STATEMENT_TIMEOUT_MS: '600000', BODY_LIMIT_BYTES: '104857600'}
  const program = await startService({...settings, QUERY_LIMIT_LENGTH: '100000000'})
  started.push({name: 'Quadstead', path: '/sparql', loadMs: 0, ...program})
  const peers = values.alone ? [] : [await startOxigraph(data), await startFuseki(data, join(directory, 'fuseki'))]
  started.push(...peers.filter(peer => peer !== undefined))
  await measure(started.map(engine => ({engine, path: engine.name === 'Fuseki' ? '/ds/update' : '/sparql'})))
} finally {
  for (const engine of started) await engine.stop()
  await cluster.stop()
  await rm(directory, {recursive: true, force: true})
}
