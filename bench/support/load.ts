/**
 * Load: as fast as the connections allow (closed loop), or at a rate that does not wait (open loop).
 *
 * A closed loop asks for the next answer when it has the last one, so a stall of the service hides the requests that
 * would have come meanwhile. An open loop measures each from the moment it was due, and so corrects that "coordinated
 * omission".
 */
import {setTimeout as delay} from 'node:timers/promises'
import {type Answer, type Connection, openConnection} from './client.ts'
import {type Summary, summarize} from './statistics.ts'

/** What one connection asks: a request each time, and a look at its answer. */
export type Shooter = {
  readonly next: () => string | undefined // undefined: nothing is left to ask
  readonly answered: (answer: Answer) => void // throws when it is not the answer that was expected
}

export type LoadOptions = {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  readonly shooter: (index: number) => Shooter
}

/** @returns  requests a second and latencies in ms; a request under way at the end counts with the time it takes */
export async function closedLoop({port, connections, durationMs, shooter}: LoadOptions): Promise<Summary> {
  const open = await openAll(port, connections)
  const latencies: number[] = []
  const begin = performance.now()
  await Promise.all(
    open.map(async ({exchange}, index) => {
      const {next, answered} = shooter(index)
      for (let before = performance.now(); before - begin < durationMs; ) {
        const request = next()
        if (request === undefined) return
        answered(await exchange(request))
        const after = performance.now()
        latencies.push(after - before)
        before = after
      }
    }),
  )
  const seconds = (performance.now() - begin) / 1000
  for (const {close} of open) close()
  return summarize(latencies, seconds)
}

/**
 * @param rate  requests a second, over all connections
 * @returns     latencies from the moment a request was due
 */
export async function openLoop({
  port,
  connections,
  durationMs,
  shooter,
  rate,
}: LoadOptions & {readonly rate: number}): Promise<Summary> {
  const open = await openAll(port, connections)
  const latencies: number[] = []
  const begin = performance.now()
  const last = Math.floor((rate * durationMs) / 1000)
  let ticket = 0
  await Promise.all(
    open.map(async ({exchange}, index) => {
      const {next, answered} = shooter(index)
      for (let number = ticket++; number < last; number = ticket++) {
        const due = begin + (number * 1000) / rate
        const early = due - performance.now()
        if (early > 1) await delay(early)
        const request = next()
        if (request === undefined) return
        answered(await exchange(request))
        latencies.push(performance.now() - due)
      }
    }),
  )
  const seconds = (performance.now() - begin) / 1000
  for (const {close} of open) close()
  return summarize(latencies, seconds)
}

function openAll(port: number, connections: number): Promise<Connection[]> {
  return Promise.all(Array.from({length: connections}, () => openConnection(port)))
}

/** A shooter that sends the same kind of request for ever and expects one status. */
export function repeat(next: () => string, status: number): Shooter {
  return {
    next,
    answered(answer) {
      if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.body}`)
    },
  }
}
