/**
 * `quadstead serve`: runs the service until a signal. A second signal aborts the requests that still run.
 */
import {setFlagsFromString} from 'node:v8'
import {Refusal} from '../base/refusal.ts'
import type {RunningService} from '../serve.ts'
import type {Config} from '../settings/config.ts'
import {workerNumber} from '../workers/variable.ts'
import {type Command, complain, noParameters, print} from './command.ts'

const signals = {SIGINT: 2, SIGTERM: 15} as const

export const serveCommand: Command = {
  ...noParameters,
  name: 'serve',
  summary: 'serve the dataset over HTTP (the default); the first start makes it',
  help: `Serves until SIGTERM or SIGINT, then lets running requests finish (DRAIN_TIMEOUT_MS); a second signal cuts them
off. One line on stdout says when and where it is ready.

Examples:
  quadstead                                                   on a PostgreSQL of its own in ./data
  PORT=80 HOST=0.0.0.0 BASE_URL=https://example.org/ ACCESS=grants quadstead serve

Exit codes: 0 stopped in order; 1 cannot start, or a fault of its own; 128 + signal after a second signal.`,
  hasLog: true,
  isOfDataset: false,
  run: serve,
}

/**
 * By default V8 lets the heap grow to several times its live size before a full garbage collection. The service shares
 * the machine with PostgreSQL, so it collects more often: while it sends a million rows, 135 MiB are resident instead
 * of 205, for the same processor time.
 */
const heapGrowthPercent = 40

/**
 * V8 compiles functions after they have run often. These flags compile them earlier: with the baseline compiler at
 * once, with the optimising compiler after a third of the default interrupt budget. The first hundreds of requests take
 * a fifth less time, later ones no longer than before. The code takes 3 MB.
 */
const compilation = ['--always-sparkplug', '--interrupt-budget=20000']

async function serve(config: Config): Promise<number> {
  for (const flag of [`--heap-growing-percent=${heapGrowthPercent}`, ...compilation]) setFlagsFromString(flag)
  if (workerNumber() !== undefined) return (await import('../workers/process.ts')).runWorker(config)
  const first = nextSignal()
  const starting = startService(config)
  const service = await Promise.race([starting, first.then(() => undefined)])
  if (service === undefined) return abandon(starting)
  print(service.readyLine)
  const fault = new Promise<unknown>(resolve => {
    process.once('uncaughtException', resolve)
  })
  const causes = [fault, ...(service.failed === undefined ? [] : [service.failed])]
  const cause = await Promise.race([first.then(() => undefined), Promise.race(causes).then(error => ({error}))])
  const hurry = new AbortController()
  if (cause !== undefined) {
    const {error} = cause
    complain(`quadstead: ${faultText(error)}`)
    hurry.abort()
  }
  let code = cause === undefined ? 0 : 1
  nextSignal().then(signal => {
    code = 128 + signals[signal]
    hurry.abort()
    nextSignal().then(third => process.exit(128 + signals[third]))
  })
  await service.stop(hurry.signal)
  return code
}

async function startService(config: Config): Promise<RunningService> {
  return config.workers > 1
    ? (await import('../workers/keeper.ts')).startWorkers(config)
    : (await import('../serve.ts')).start(config)
}

function faultText(error: unknown): string {
  if (error instanceof Refusal) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** After a signal during the start: waits for the start and then stops the service, so that nothing is left running. */
async function abandon(starting: Promise<RunningService>): Promise<number> {
  const service = await starting.catch(() => undefined)
  await service?.stop(AbortSignal.abort())
  return 0
}

function nextSignal(): Promise<keyof typeof signals> {
  return new Promise(resolve => {
    const listeners = (Object.keys(signals) as (keyof typeof signals)[]).map(signal => {
      const listener = () => {
        for (const [name, other] of listeners) process.off(name, other)
        resolve(signal)
      }
      process.on(signal, listener)
      return [signal, listener] as const
    })
  })
}
