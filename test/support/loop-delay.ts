/**
 * Runs a service in a process of its own and measures the delays of its event loop while work runs.
 *
 * The event loop of the test is not measured, because the test creates bodies and reads responses. The process runs
 * this file too: `loop-delay.ts serve` starts a service with the settings of its environment.
 */
import {type ChildProcess, fork} from 'node:child_process'
import {once} from 'node:events'
import {monitorEventLoopDelay} from 'node:perf_hooks'
import {setTimeout as delay} from 'node:timers/promises'
import {start} from '../../src/serve.ts'
import {readConfig} from '../../src/settings/config.ts'
import {send} from './client.ts'
import {createTestDatabase} from './postgres.ts'
import {programParameters} from './program.ts'
import type {Settings, TestService} from './service.ts'

export type MeasuredService = TestService & {
  /** Longest delay of the event loop while `work` ran, in milliseconds. */
  readonly longestDelay: (work: () => Promise<unknown>) => Promise<number>
  /** The allowed delay: 600 ms, or 4 times the current duration of a fixed loop of about 100 ms in this process. */
  readonly delayLimit: () => Promise<number>
}

const resolutionMs = 5
const fixedSteps = 25_000_000

/** Starts a service; the caller stops it (in `after.always`). */
export async function startMeasuredService(settings: Settings = {}): Promise<MeasuredService> {
  const database = await createTestDatabase()
  const [file = '', ...parameters] = [...programParameters('test/support/loop-delay.ts')].reverse()
  const {PATH = '', HOME = ''} = process.env
  const defaults = {PORT: '0', DATABASE_URL: database.url, DATABASE_POOL_MAX: '4', DRAIN_TIMEOUT_MS: '1000'}
  const child = fork(file, ['serve'], {
    execArgv: parameters.reverse(),
    env: {PATH, HOME, LOG_LEVEL: 'silent', ...defaults, ...settings},
  })
  const ended = once(child, 'exit')
  const ask = (question: Question) => {
    child.send(question)
    return answerOf(child)
  }
  async function stop(): Promise<void> {
    if (child.connected) child.send('stop')
    await ended
    await database.drop()
  }
  try {
    const {url, base} = (await answerOf(child)) as {readonly url: string; readonly base: string}
    return {
      url,
      base,
      database,
      send: sent => send(url, sent),
      stop,
      async longestDelay(work) {
        await ask('begin')
        await work()
        return Number(await ask('end'))
      },
      delayLimit: async () => Math.max(600, 4 * Number(await ask('calibrate'))),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type Question = 'begin' | 'end' | 'calibrate'

/** The next message of a process. Fails if the process ends instead. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const listening = new AbortController()
  const {signal} = listening
  try {
    return await Promise.race([
      once(child, 'message', {signal}).then(([message]) => message),
      once(child, 'exit', {signal}).then(([code, name]) => {
        throw new Error(`the measured service ended with ${code ?? name}`)
      }),
    ])
  } finally {
    listening.abort()
  }
}

async function serve(): Promise<void> {
  const {url, base, stop} = await start(readConfig(process.env))
  const monitor = monitorEventLoopDelay({resolution: resolutionMs})
  const answers: Readonly<Record<Question, () => unknown>> = {
    async begin() {
      monitor.enable()
      await delay(2 * resolutionMs)
      monitor.reset()
      return true
    },
    async end() {
      await delay(2 * resolutionMs) // so that the histogram includes the last delay
      monitor.disable()
      return monitor.max / 1e6
    },
    calibrate() {
      const begun = performance.now()
      let sum = 0
      for (let step = 0; step < fixedSteps; step += 1) sum = (sum + step) % 1_000_003
      return performance.now() - begun + sum * 0
    },
  }
  process.on('message', async (question: Question | 'stop') => {
    if (question !== 'stop') return process.send?.(await answers[question]())
    await stop()
    process.disconnect()
  })
  process.send?.({url, base})
}

if (process.argv[2] === 'serve' && process.send !== undefined) await serve()
