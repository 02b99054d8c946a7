/** Controls the worker processes of a program with WORKERS. Its log names them. */
import {setTimeout as delay} from 'node:timers/promises'
import {isProcessAlive} from '../../src/base/process-identity.ts'
import {until} from './machine.ts'
import type {Program} from './process.ts'

type Line = {readonly kind: string; readonly worker?: number; readonly processId?: number}

/** Lines of the program's log. */
export function logOf({complaints}: Pick<Program, 'complaints'>): readonly Line[] {
  const lines = complaints().split('\n')
  return lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line) as Line)
}

/** The latest process of each worker, by worker number minus one. */
export function workersOf(program: Pick<Program, 'complaints'>): readonly number[] {
  const processes: number[] = []
  for (const {kind, worker = 0, processId = 0} of logOf(program))
    if (kind === 'worker-started') processes[worker - 1] = processId
  return processes
}

/** Kills a worker (kill -9) and waits until another one has replaced it. */
export async function killWorker(program: Program, number: number): Promise<void> {
  const victim = workersOf(program)[number - 1]
  if (victim === undefined) throw new Error(`there is no worker ${number}`)
  process.kill(victim, 'SIGKILL')
  await until(() => workersOf(program)[number - 1] !== victim, 60_000)
}

/** Stops a worker for some time (SIGSTOP). */
export async function haltWorker(program: Program, number: number, ms: number): Promise<void> {
  const halted = workersOf(program)[number - 1]
  if (halted === undefined) throw new Error(`there is no worker ${number}`)
  process.kill(halted, 'SIGSTOP')
  await delay(ms)
  if (isProcessAlive(halted)) process.kill(halted, 'SIGCONT')
}
