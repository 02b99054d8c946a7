/**
 * Generates load: as fast as the connections allow (closed loop), or at a steady rate (open loop).
 *
 * In a closed loop a connection sends the next request when it has the last answer. A stall of the service therefore
 * hides the requests that would have come meanwhile. An open loop measures each request from the moment when it was
 * due, which corrects this "coordinated omission".
 */
import {setTimeout as delay} from 'node:timers/promises'
import {type Answer, type Connection, openConnection} from './client.ts'
import {type Summary, summarize} from './statistics.ts'

/** The requests of one connection, and the check of each answer. */
export type Shooter = {
  readonly next: () => string | undefined // undefined: no more requests
  readonly answered: (answer: Answer) => void // throws if the answer is not the expected one
}

export type LoadOptions = {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  readonly shooter: (index: number) => Shooter
}

/** @returns  requests a second and latencies in ms; a request that runs at the end counts with its whole time */
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
 * @returns     latencies from the moment when a request was due
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

/** A shooter that repeats one kind of request and expects one status. */
export function repeat(next: () => string, status: number): Shooter {
  return {
    next,
    answered(answer) {
      if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.body}`)
    },
  }
}
