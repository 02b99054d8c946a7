/**
 * Compares requests on documents with Community Solid Server, the most used server of Linked Data documents.
 *
 *   npm run bench:solid [-- --rounds 3 --seconds 3 --connections 16]
 *
 * Community Solid Server uses its file backend with default settings and an open root. Both get the same documents from
 * the same generator, in turn.
 */
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {headerOf, openConnection, requestText} from './support/client.ts'
import {startCluster} from './support/cluster.ts'
import {base, openStore, turtle} from './support/documents.ts'
import {closedLoop, repeat} from './support/load.ts'
import {freePort, installPeers} from './support/peers.ts'
import {buildService, startProgram, startService} from './support/program.ts'
import {machine, printTable, save} from './support/report.ts'
import {interleave, medianRatio, medianSummary, type Summary} from './support/statistics.ts'

const {values} = parseArgs({
  options: {
    rounds: {type: 'string', default: '3'},
    seconds: {type: 'string', default: '3'},
    connections: {type: 'string', default: '16'},
  },
})
const load = {connections: Number(values.connections), durationMs: Number(values.seconds) * 1000}
const content = {'Content-Type': 'text/turtle'}
let made = 0

buildService()
installPeers()
const cluster = await startCluster()
const directory = await mkdtemp(join(tmpdir(), 'quadstead-solid-'))
try {
  const place = await cluster.create('bench')
  await openStore(place)
  const port = await freePort()
  const programs = {
    Quadstead: await startService({DATABASE_URL: place.url, BASE_URL: base}),
    'Community Solid Server': await startProgram(process.execPath, [
      'bench/peers/node_modules/@solid/community-server/bin/server.js',
      ...['-c', '@css:config/file-root.json', '-f', directory, '-p', String(port), '-b', `http://localhost:${port}/`],
    ]),
  }
  const subjects = new Map<string, () => Promise<Summary>>()
  for (const [name, program] of Object.entries(programs)) {
    const host = `localhost:${program.port}`
    const post = () => requestText('POST', '/', {...content, Host: host, Slug: `d${made++}`}, turtle(`s${made}`, made))
    const paths = await makeSome(program.port, post)
    const get = () =>
      requestText('GET', paths[Math.floor(Math.random() * paths.length)] ?? '/', {Host: host, Accept: 'text/turtle'})
    subjects.set(`GET, ${name}`, () => closedLoop({...load, port: program.port, shooter: () => repeat(get, 200)}))
    subjects.set(`POST, ${name}`, () => closedLoop({...load, port: program.port, shooter: () => repeat(post, 201)}))
  }
  await interleave(1, subjects)
  const measured = await interleave(Number(values.rounds), subjects)
  const rows = ['GET', 'POST'].map(operation => {
    const [own = [], peer = []] = ['Quadstead', 'Community Solid Server'].map(
      name => measured.get(`${operation}, ${name}`) ?? [],
    )
    const rates = (all: readonly Summary[]) => all.map(({rate}) => rate)
    return {operation, own: medianSummary(own), peer: medianSummary(peer), ratio: medianRatio(rates(own), rates(peer))}
  })
  printTable(
    `Documents of twelve triples, ${load.connections} connections, requests a second`,
    ['operation', 'Quadstead', 'Community Solid Server', 'ratio'],
    rows.map(({operation, own, peer, ratio}) => [operation, own.rate, peer.rate, ratio]),
  )
  save('solid.json', {machine: machine(), postgresql: cluster.version, rows})
  for (const program of Object.values(programs)) await program.stop()
  await place.database.end(1000)
} finally {
  await cluster.stop()
  await rm(directory, {recursive: true, force: true})
}

/** Creates documents to read. Returns their paths. */
async function makeSome(port: number, post: () => string): Promise<readonly string[]> {
  const {exchange, close} = await openConnection(port)
  const paths: string[] = []
  for (let number = 0; number < 100; number += 1) {
    const {status, head, body} = await exchange(post())
    if (status !== 201) throw new Error(`${status}: ${body}`)
    paths.push(new URL(headerOf(head, 'location') ?? '').pathname)
  }
  close()
  return paths
}
