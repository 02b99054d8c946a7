/**
 * Starts the engines that answer queries: the service and its peers, each as a process of its own with the same data.
 *
 * Peers from npm are installed from bench/peers/package.json if they are missing. Virtuoso is used if the machine has
 * it. All listen on 127.0.0.1 and end with the bench.
 */
import {execFile, execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {createReadStream, createWriteStream, existsSync} from 'node:fs'
import {mkdir, writeFile} from 'node:fs/promises'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {finished} from 'node:stream/promises'
import {setTimeout as delay} from 'node:timers/promises'
import {promisify} from 'node:util'
import type {Place} from './cluster.ts'
import {isqlPath, type NativeClient, openIsql} from './isql.ts'
import {end, projectDirectory, residentMebibytes, startProgram, startService} from './program.ts'

const run = promisify(execFile)

export type Engine = {
  readonly name: string
  readonly port: number
  readonly processId?: number // of the service
  readonly path: string // of the SPARQL endpoint
  readonly loadMs: number
  readonly memory: () => number // MiB
  readonly openNative?: () => NativeClient // opens the engine's own client, if it has one
  readonly stop: () => Promise<void>
}

/** The service, loaded with its import command. */
export function startQuadstead(
  {url}: Place,
  data: string,
  settings: Readonly<Record<string, string>>,
): Promise<Engine> {
  return startInstalled(data, {DATABASE_URL: url, ...settings})
}

/** The service as it is installed, with its own PostgreSQL unless the settings name another one. */
export async function startInstalled(
  data: string,
  environment: Readonly<Record<string, string>>,
  importOptions: readonly string[] = [],
): Promise<Engine> {
  const begin = performance.now()
  const {PATH = '', HOME = ''} = process.env
  await run(process.execPath, ['dist/cli.js', 'import', ...importOptions, data], {
    cwd: projectDirectory,
    env: {PATH, HOME, ...environment},
    maxBuffer: 2 ** 26,
  })
  const loadMs = performance.now() - begin
  const program = await startService(environment)
  return {name: 'Quadstead', path: '/sparql', loadMs, ...program}
}

export function installPeers(): void {
  const directory = join(projectDirectory, 'bench/peers')
  if (existsSync(join(directory, 'node_modules'))) return
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {cwd: directory, stdio: 'inherit'})
}

export async function startOxigraph(data: string): Promise<Engine> {
  const begin = performance.now()
  const program = await startProgram(process.execPath, ['--max-old-space-size=8000', 'bench/peers/oxigraph.mjs', data])
  return {name: 'Oxigraph', path: '/sparql', loadMs: performance.now() - begin, ...program}
}

/** @returns  undefined if the machine has no Virtuoso */
export async function startVirtuoso(data: string, directory: string): Promise<Engine | undefined> {
  const server = '/usr/bin/virtuoso-t'
  if (!existsSync(server) || !existsSync(isqlPath)) return undefined
  await mkdir(directory, {recursive: true})
  const [sqlPort, httpPort] = [await freePort(), await freePort()]
  await writeFile(join(directory, 'virtuoso.ini'), virtuosoSettings(directory, data, sqlPort, httpPort))
  const child = spawn(server, ['+foreground', '+configfile', join(directory, 'virtuoso.ini')], {
    cwd: directory,
    stdio: 'ignore',
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    await end(child)
  }
  const ask = (text: string) =>
    run(isqlPath, [`127.0.0.1:${sqlPort}`, 'dba', 'dba', `exec=${text}`], {maxBuffer: 2 ** 26})
  for (let triesLeft = 240; ; triesLeft -= 1) {
    try {
      await ask('select 1;')
      break
    } catch (error) {
      if (triesLeft === 0 || child.exitCode !== null) throw error
      await delay(500)
    }
  }
  const begin = performance.now()
  await ask(`ld_add('${data}', 'http://localhost/none');`)
  await ask('rdf_loader_run();')
  const {stdout} = await ask(`select concat('ERROR ', ll_error) from DB.DBA.load_list where ll_error is not null;`)
  const [, fault] = /^ERROR (.*)$/m.exec(stdout) ?? []
  if (fault !== undefined) {
    console.error(`Virtuoso is left out, because it loaded a part of the data only: ${fault.trim()}`)
    await stop()
    return undefined
  }
  await ask('checkpoint;')
  await ask('grant SPARQL_SELECT to "SPARQL";').catch(() => undefined) // most builds have granted it already
  return {
    name: 'Virtuoso',
    port: httpPort,
    path: '/sparql',
    loadMs: performance.now() - begin,
    memory: () => residentMebibytes(child.pid ?? 0),
    openNative: () => openIsql(sqlPort),
    stop,
  }
}

/** Memory as Virtuoso's documentation recommends for 2 GB, and no limit of rows. */
function virtuosoSettings(directory: string, data: string, sqlPort: number, httpPort: number): string {
  const file = (name: string) => join(directory, name)
  return `
[Database]
DatabaseFile = ${file('v.db')}
ErrorLogFile = ${file('v.log')}
LockFile = ${file('v.lck')}
TransactionFile = ${file('v.trx')}
xa_persistent_file = ${file('v.pxa')}
TempStorage = TempDatabase
FileExtend = 200
MaxCheckpointRemap = 2000
[TempDatabase]
DatabaseFile = ${file('t.db')}
TransactionFile = ${file('t.trx')}
[Parameters]
ServerPort = 127.0.0.1:${sqlPort}
DisableUnixSocket = 1
CaseMode = 2
DirsAllowed = ${join(data, '..')}, /usr/share/virtuoso-opensource-7/vad
NumberOfBuffers = 170000
MaxDirtyBuffers = 130000
MaxQueryMem = 1G
ThreadsPerQuery = 2
[HTTPServer]
ServerPort = 127.0.0.1:${httpPort}
ServerThreads = 20
MaxKeepAlives = 20
KeepAliveTimeout = 60
[SPARQL]
ResultSetMaxRows = 10000000
DefaultGraph = 
`
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/**
 * Writes a data set for peers, which includes the containment that the service derives.
 *
 * @param data  N-Quads of documents, one graph after the other
 */
export async function writePeerData(data: string, target: string, base: string): Promise<void> {
  const out = createWriteStream(target)
  const seen = new Set<string>()
  for await (const line of createInterface({input: createReadStream(data)})) {
    const graph = line.slice(line.lastIndexOf('<') + 1, line.lastIndexOf('>'))
    let text = `${line}\n`
    if (!seen.has(graph) && graph.length > base.length && graph.startsWith(base)) {
      const parent = graph.slice(0, graph.lastIndexOf('/', graph.length - 2) + 1)
      text += `<${parent}> <http://www.w3.org/ns/ldp#contains> <${graph}> <${parent}> .\n`
    }
    seen.add(graph)
    if (!out.write(text)) await once(out, 'drain')
  }
  out.end()
  await finished(out)
}
