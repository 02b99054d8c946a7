/** Runs the program as a process of its own. */
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {ExecutionContext} from 'ava'
import {programParameters, projectDirectory} from './program.ts'
import type {Settings} from './service.ts'

export type ProgramSettings = Settings &
  Readonly<Record<`OTEL_${string}`, string>> & {
    readonly NODE_OPTIONS?: string
    readonly MALLOC_ARENA_MAX?: string
    readonly MALLOC_TRIM_THRESHOLD_?: string
    readonly QUADSTEAD_KEY?: string
    readonly NO_COLOR?: string
    readonly TERM?: string
  }

export type Program = {
  readonly child: ChildProcess
  readonly output: () => string // stdout so far
  readonly complaints: () => string // stderr so far
  /** Waits for the ready line. Fails with the output if the process ends before. */
  readonly ready: () => Promise<{readonly line: string; readonly url: string; readonly base: string}>
  readonly exit: Promise<number | string | null> // code, or name of the signal
}

/** Runs `quadstead <command>` with these settings only. If it still runs when the test ends, it is killed. */
export function runProgram(
  t: ExecutionContext,
  settings: ProgramSettings = {},
  parameters: readonly string[] = ['serve'],
  directory = projectDirectory,
): Program {
  return watch(t, process.execPath, [...programParameters(), ...parameters], settings, directory)
}

/** Runs any command line in the same way. */
export function watch(
  t: ExecutionContext,
  file: string,
  parameters: readonly string[],
  settings: ProgramSettings,
  directory: string,
): Program {
  const {PATH = '', HOME = ''} = process.env
  const child = spawn(file, parameters, {
    cwd: directory,
    env: {PATH, HOME, ...settings},
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  let complaints = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    complaints += text
  })
  const exit = once(child, 'close').then(([code, signal]) => code ?? signal)
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exit
  })
  return {
    child,
    output: () => output,
    complaints: () => complaints,
    exit,
    async ready() {
      while (!/is ready at .*\n/.test(output)) {
        const ended = await Promise.race([
          exit.then(code => ({code})),
          once(child.stdout, 'data').then(() => undefined),
        ])
        if (ended !== undefined) throw new Error(`it ended with ${ended.code} before it was ready: ${complaints}`)
      }
      const [, line = '', url = '', base = ''] = /^(.* is ready at (\S+) \(base (\S+), .*)$/m.exec(output) ?? []
      return {line, url, base}
    },
  }
}

/** A folder for one test. */
export async function temporaryFolder(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'quadstead-life-'))
  t.teardown(() => rm(directory, {recursive: true, force: true}))
  return directory
}
