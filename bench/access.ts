/**
 * Measures the cost of access control: documents and the bench queries, with and without it, on the same data.
 *
 *   npm run bench:access [-- --quads 300000 --rounds 9]
 *
 * Two services on one database, one open and one with access control, get the same requests in turn. The requests to
 * the second come from a caller who may read the root, one who may read every container below it (the same answers, but
 * the plans test each triple), and one who may read /products/ only. Then a grant on /products/ is removed and added
 * again, and both are timed.
 */

import {mkdtemp, readdir, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {hashKey, makeKey} from '../src/authentication/keys.ts'
import {openSession} from '../src/db/store/create-session.ts'
import {putGrants} from '../src/db/store/grants.ts'
import {createKey} from '../src/db/store/keys.ts'
import {writeShopFile} from './data.ts'
import {canonical} from './support/answers.ts'
import {headerOf, openConnection, requestText} from './support/client.ts'
import {startCluster} from './support/cluster.ts'
import {startQuadstead} from './support/peers.ts'
import {buildService, startService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {geometricMean, median} from './support/statistics.ts'

const {values} = parseArgs({
  options: {quads: {type: 'string', default: '300000'}, rounds: {type: 'string', default: '9'}},
})
const rounds = Number(values.rounds)
const base = 'http://localhost:8080/'
const schema = 'quadstead'

const folder = await mkdtemp(join(tmpdir(), 'quadstead-access-'))
const cluster = await startCluster()
try {
  await measure()
} finally {
  await cluster.stop()
  await rm(folder, {recursive: true, force: true})
}

async function measure(): Promise<void> {
  buildService()
  const place = await cluster.create('access')
  const file = join(folder, 'shop.nq')
  await writeShopFile(file, {quads: Number(values.quads), base})
  const settings = {BASE_URL: base, LOG_LEVEL: 'error', DATABASE_URL: place.url}
  const open = await startQuadstead(place, file, settings)
  const guarded = await startService({...settings, ACCESS: 'grants', AUDIT: 'off'})
  try {
    const session = await openSession(place.database, schema)
    const grant = async (path: string, ...names: readonly string[]) => {
      const grants = names.map(name => ({grantee: `agent ${base}#${name}`, modes: ['read' as const]}))
      const from = performance.now()
      await putGrants(session, base + path, {grants, ifMatch: undefined, keepsControl: false})
      return performance.now() - from
    }
    const children = `select parent, substr(child, ${base.length + 1}) as path from ${schema}.children`
    const top = await place.database.query<{path: string}>(`select path from (${children}) as c where parent = $1`, [
      base,
    ])
    const containers = top.map(({path}) => path)
    await grant('', 'root')
    for (const path of containers.filter(one => one !== 'products/')) await grant(path, 'all')
    const granting = [
      await grant('products/', 'all', 'part'),
      await grant('products/'),
      await grant('products/', 'all', 'part'),
    ]
    await place.database.query(`vacuum analyze`)
    const headers: Record<string, string> = {}
    for (const name of ['root', 'all', 'part']) {
      const key = makeKey()
      const holder = {agent: `${base}#${name}`, groups: [], name, modes: null, within: null, expires: null}
      await createKey(session, {...holder, hash: hashKey(key)})
      headers[name] = `Bearer ${key}`
    }
    await compare({open: open.port, guarded: guarded.port}, headers)
    printTable('Grants on /products/, ms', ['first', 'last taken away', 'again'], [granting])
  } finally {
    await open.stop()
    await guarded.stop()
    await place.database.end(1000)
  }
}

async function compare(ports: {open: number; guarded: number}, authorizations: Readonly<Record<string, string>>) {
  const callers = [{name: 'open', port: ports.open, headers: {}}].concat(
    Object.entries(authorizations).map(([name, Authorization]) => ({
      name,
      port: ports.guarded,
      headers: {Authorization},
    })),
  )
  const requests: {name: string; of: (headers: Record<string, string>) => string}[] = []
  for (const name of (await readdir('bench/queries')).filter(one => one.endsWith('.rq')).sort()) {
    const text = await readFile(join('bench/queries', name), 'utf8')
    const accept = /\b(?:CONSTRUCT|DESCRIBE)\b/.test(text) ? 'application/n-triples' : 'application/sparql-results+json'
    const query = {'Content-Type': 'application/sparql-query', Accept: accept}
    requests.push({
      name,
      of: own => requestText('POST', '/sparql', {...query, ...own}, text),
    })
  }
  requests.push({
    name: 'GET /products/p1/',
    of: own => requestText('GET', '/products/p1/', {Accept: 'text/turtle', ...own}),
  })
  const rows: (string | number)[][] = []
  for (const {name, of} of requests) {
    const connections = await Promise.all(callers.map(({port}) => openConnection(port)))
    const times = callers.map((): number[] => [])
    const answers = callers.map(() => '')
    for (let round = -2; round < rounds; round += 1) {
      for (const [at, caller] of callers.entries()) {
        const request = of(caller.headers)
        const repeats = name.startsWith('GET') ? 50 : 1
        const from = performance.now()
        let last = await connections[at]?.exchange(request)
        for (let more = 1; more < repeats; more += 1) last = await connections[at]?.exchange(request)
        const ms = (performance.now() - from) / repeats
        if (round >= 0) times[at]?.push(ms)
        if (last === undefined || last.status !== 200) throw new Error(`${name}: ${last?.head}`)
        const type = headerOf(last.head, 'content-type') ?? ''
        answers[at] = name.startsWith('GET') ? 'same' : JSON.stringify(await canonical(type, last.body))
      }
    }
    for (const connection of connections) connection.close()
    const isSame = answers[0] === answers[1] && answers[0] === answers[2]
    rows.push([name, ...times.map(median), isSame ? '' : 'answers differ'])
  }
  const means = callers.map((_, at) => geometricMean(rows.slice(0, -1).map(row => Number(row[at + 1]))))
  const head = ['', ...callers.map(({name}) => name), '']
  printTable('Access: median of one request, ms', head, [...rows, ['geometric mean of the queries', ...means, '']])
  save('access.json', {
    machine: machine(),
    quads: values.quads,
    rounds,
    callers: callers.map(({name}) => name),
    rows,
    means,
  })
}
