/** Runs programs for a bench: the service as it is installed (compiled, in a process of its own), floors, peers. */
import {type ChildProcess, execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, openSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {unlimited} from '../../test/support/service.ts'

export type Program = {
  readonly url: string // ends with '/'
  readonly port: number
  readonly processId: number
  /** Resident memory in MiB, if /proc provides it. */
  readonly memory: () => number
  readonly stop: () => Promise<void>
}

type Environment = Readonly<Record<string, string>>

export const projectDirectory = fileURLToPath(new URL('../..', import.meta.url))

/** Compiles the service. */
export function buildService(): void {
  execFileSync('npm', ['run', '--silent', 'build'], {cwd: projectDirectory, stdio: 'inherit'})
}

/**
 * Starts the compiled service as `npm start` does, without limits unless the environment sets them.
 *
 * @param nodeOptions  options of Node, e.g. `--cpu-prof`
 */
export function startService(environment: Environment, nodeOptions: readonly string[] = []): Promise<Program> {
  const {variables, options} = installed()
  const settings = {PORT: '0', ...variables, ...unlimited, ...environment}
  return startProgram(process.execPath, [...options, ...nodeOptions, 'dist/cli.js', 'serve'], settings)
}

/** The environment variables and the options of Node in the script `start` of package.json. */
function installed(): {readonly variables: Environment; readonly options: readonly string[]} {
  const {scripts} = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8'))
  const [, before = '', options = ''] = /^((?:\w+=\S+ )*)exec node (.*) dist\/cli\.js serve$/.exec(scripts.start) ?? []
  if (options === '') throw new Error(`the script start of package.json has another form: ${scripts.start}`)
  const variables = Object.fromEntries(Array.from(before.matchAll(/(\w+)=(\S+) /g), ([, name, value]) => [name, value]))
  return {variables, options: options.split(' ')}
}

/** Starts one of the bench's scripts, which prints its URL. */
export function startScript(path: string, environment: Environment = {}): Promise<Program> {
  return startProgram(process.execPath, ['--import=tsx', path], environment)
}

/**
 * Starts a program and waits until it prints `http://host:port/` to stdout.
 *
 * @throws  Error with its output if it ends before that
 */
export async function startProgram(
  file: string,
  parameters: readonly string[],
  environment: Environment = {},
): Promise<Program> {
  const {PATH = '', HOME = ''} = process.env
  const log = join(mkdtempSync(join(tmpdir(), 'quadstead-log-')), 'stderr') // a file, as under a supervisor
  const child = spawn(file, parameters, {
    cwd: projectDirectory,
    env: {PATH, HOME, NODE_ENV: 'production', ...environment},
    stdio: ['ignore', 'pipe', openSync(log, 'a')],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill) // if the bench fails
  child.once('exit', () => process.off('exit', kill))
  const url = await readUrl(child, log)
  const processId = child.pid ?? 0
  return {
    url,
    port: Number(new URL(url).port),
    processId,
    memory: () => residentMebibytes(processId),
    async stop() {
      await end(child)
      rmSync(dirname(log), {recursive: true, force: true})
    },
  }
}

async function readUrl(child: ChildProcess, log: string): Promise<string> {
  let said = ''
  const exit = once(child, 'exit').then(() => undefined)
  child.stdout?.setEncoding('utf8').on('data', text => {
    said += text
  })
  for (;;) {
    const [url] = /http:\/\/[^\s"]+:\d+\//.exec(said) ?? []
    if (url !== undefined) return url
    const data = child.stdout === null ? exit : once(child.stdout, 'data').then(() => true)
    if ((await Promise.race([exit, data])) === undefined)
      throw new Error(`${child.spawnargs.join(' ')}: ${readFileSync(log, 'utf8').slice(-4000)}`)
  }
}

/** Ends a child with SIGTERM, and with SIGKILL if it does not end within ten seconds. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await exit
  clearTimeout(timer)
}

export function residentMebibytes(processId: number): number {
  try {
    const [, kibibytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8')) ?? []
    return Number(kibibytes) / 1024
  } catch {
    return Number.NaN
  }
}
