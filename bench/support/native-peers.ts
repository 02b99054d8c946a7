/**
 * Starts engines that keep their data on disk and serve SPARQL by a program of their own, if the machine has them.
 *
 *   Oxigraph   the command `oxigraph`: OXIGRAPH, or on the PATH
 *   Fuseki     FUSEKI_JAR, and java: JAVA, or on the PATH
 *
 * bench/README.md explains their installation. They listen on 127.0.0.1, use the union of all graphs as default graph,
 * and end with the bench.
 */
import {execFile, execFileSync, spawn} from 'node:child_process'
import {existsSync} from 'node:fs'
import {mkdir, readdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {promisify} from 'node:util'
import {type Engine, freePort} from './peers.ts'
import {end, residentMebibytes} from './program.ts'

const run = promisify(execFile)
const output = {maxBuffer: 2 ** 26}
const [oxigraph, java] = [process.env.OXIGRAPH ?? 'oxigraph', process.env.JAVA ?? 'java']

/** @returns  undefined if the machine does not have the command */
export async function startNativeOxigraph(data: string, directory: string): Promise<Engine | undefined> {
  if (!canRun(oxigraph, ['--version'])) return undefined
  const port = await freePort()
  const begin = performance.now()
  await run(oxigraph, ['load', '--location', directory, '--file', data], output)
  const loadMs = performance.now() - begin
  const place = ['--location', directory, '--bind', `127.0.0.1:${port}`]
  const parameters = ['serve-read-only', ...place, '--union-default-graph']
  return {...(await serve(oxigraph, parameters, {port, path: '/query'})), name: 'Oxigraph, native', loadMs}
}

/** Starts Fuseki with TDB2 and its statistics. Undefined without FUSEKI_JAR or java. */
export async function startFuseki(data: string, directory: string): Promise<Engine | undefined> {
  const jar = process.env.FUSEKI_JAR ?? ''
  if (!existsSync(jar) || !canRun(java, ['-version'])) return undefined
  await mkdir(directory, {recursive: true})
  const [store, settings] = [join(directory, 'store'), join(directory, 'service.ttl')]
  const port = await freePort()
  const begin = performance.now()
  await run(java, ['-cp', jar, 'tdb2.tdbloader', '--loc', store, data], output)
  const {stdout} = await run(java, ['-cp', jar, 'tdb2.tdbstats', '--loc', store], output)
  const [generation = 'Data-0001'] = (await readdir(store)).filter(name => name.startsWith('Data-'))
  await writeFile(join(store, generation, 'stats.opt'), stdout)
  const loadMs = performance.now() - begin
  await writeFile(settings, fusekiSettings(store))
  const parameters = ['-Xmx4g', '-jar', jar, '--config', settings, '--port', String(port), '--localhost']
  const engine = await serve(java, parameters, {port, path: '/ds/sparql', environment: {FUSEKI_BASE: directory}})
  return {...engine, name: 'Fuseki', loadMs}
}

function fusekiSettings(store: string): string {
  return `
PREFIX fuseki: <http://jena.apache.org/fuseki#>
PREFIX tdb2: <http://jena.apache.org/2016/tdb#>
<#service> a fuseki:Service ; fuseki:name "ds" ; fuseki:dataset <#store> ;
  fuseki:endpoint [ fuseki:operation fuseki:query ; fuseki:name "sparql" ] ;
  fuseki:endpoint [ fuseki:operation fuseki:update ; fuseki:name "update" ] .
<#store> a tdb2:DatasetTDB2 ; tdb2:location "${store}" ; tdb2:unionDefaultGraph true .
`
}

type Serving = {
  readonly port: number
  readonly path: string
  readonly environment?: Readonly<Record<string, string>>
}

const [pollMs, startMs] = [200, 60_000]

/** Starts a server, and waits until it answers a query. */
async function serve(file: string, parameters: readonly string[], {port, path, environment}: Serving) {
  const {PATH = '', HOME = ''} = process.env
  const child = spawn(file, parameters, {env: {PATH, HOME, ...environment}, stdio: 'ignore'})
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const url = `http://127.0.0.1:${port}${path}?query=${encodeURIComponent('ASK {}')}`
  for (const deadline = performance.now() + startMs; ; await delay(pollMs)) {
    const isReady = await fetch(url).then(
      ({ok}) => ok,
      () => false,
    )
    if (isReady) break
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`${file} does not serve ${url}`)
  }
  return {
    port,
    path,
    memory: () => residentMebibytes(child.pid ?? 0),
    async stop() {
      process.off('exit', kill)
      await end(child)
    },
  }
}

function canRun(file: string, parameters: readonly string[]): boolean {
  try {
    execFileSync(file, parameters, {stdio: 'ignore'})
    return true
  } catch {
    return false
  }
}
