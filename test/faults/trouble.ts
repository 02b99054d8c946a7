/**
 * Records the responses that clients get during a fault, and checks them: a 503 with Retry-After, or no connection
 * while the service itself is down.
 */
import {until} from '../support/machine.ts'
import type {Fault} from './faults.ts'
import type {Scene} from './scene.ts'

type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly interval: {readonly start: number; readonly end: number}
}

export type Trouble = {
  /** Sets the current fault. */
  readonly expect: (fault: Pick<Fault, 'isServiceDown'> | undefined) => void
  /** Records a response, or none (status 0), and waits until the service is ready again. */
  readonly meet: (answer: Answer) => Promise<void>
  readonly wrong: string[]
  readonly met: ReadonlyMap<string, number> // "503 busy" → how often
}

const patienceMs = 20_000 // a longer request hangs: the longest limit, to connect, is half of it

export function createTrouble({isReady}: Pick<Scene, 'isReady'>): Trouble {
  const wrong: string[] = []
  const met = new Map<string, number>()
  let expected: Pick<Fault, 'isServiceDown'> | undefined
  let coming: Promise<void> | undefined // resolves when the service is ready again; one request asks for all clients
  return {
    wrong,
    met,
    expect(fault) {
      expected = fault
    },
    async meet({status, headers, text, interval}) {
      const rule = status === 0 ? text.replace(/^.*?\b(E[A-Z]{4,}|socket hang up).*$/s, '$1') : ruleIn(text)
      met.set(`${status} ${rule}`, (met.get(`${status} ${rule}`) ?? 0) + 1)
      const ms = interval.end - interval.start
      if (status === 0 && expected?.isServiceDown !== true) wrong.push(`a request without an answer: ${text}`)
      if (status === 503 && headers['retry-after'] === undefined) wrong.push(`a 503 without Retry-After: ${text}`)
      if (ms > patienceMs) wrong.push(`an answer after ${Math.round(ms)} ms: ${text}`)
      coming ??= until(isReady, 60_000).finally(() => {
        coming = undefined
      })
      await coming
    },
  }
}

/** The rule of an error. */
export function ruleIn(text: string): string {
  const [, json, triple] = /"title":"([a-z-]+)"|#errorCode> "([a-z-]+)"/.exec(text) ?? []
  return json ?? triple ?? `that tells no rule: ${text}`
}
