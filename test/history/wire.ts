/**
 * The shared parts of the clients of a history: requests with their times, random choices, and parsing of N-Triples.
 */
import type {Agent} from 'node:http'
import {type Received, type Sent, send} from '../support/client.ts'
import type {Interval} from './linearize.ts'

export type Asked = Pick<Received, 'status' | 'headers' | 'text'> & {readonly interval: Interval}

export type Wire = {
  readonly url: string // root document
  readonly count: () => number // requests so far
  readonly statuses: ReadonlyMap<string, number> // "register PUT 412" → how often
  /** @param kind  of client, which determines the allowed responses */
  readonly ask: (kind: string, path: string, sent?: Sent) => Promise<Asked>
}

export type WireOptions = {
  /**
   * Handles a request without a certain result: a 503, or no response, which has the status 0. Without a handler it
   * throws.
   */
  readonly inTrouble?: (answer: Asked) => Promise<void>
}

/** How a client of one kind sends requests, and the IRI of a path. */
export function speakAs(kind: string, {url, ask}: Wire) {
  return {
    send: (path: string, sent?: Sent) => ask(kind, path, sent),
    iriOf: (path: string) => new URL(path, url).href,
  }
}

/** One action of a client. */
export type Act = () => Promise<void>

export const ntriples = {'Content-Type': 'application/n-triples', Accept: 'application/n-triples'}
export const e = 'http://e/'
export const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'

export function createWire(url: string, agent: Agent, {inTrouble}: WireOptions = {}): Wire {
  const statuses = new Map<string, number>()
  let requests = 0
  return {
    url,
    statuses,
    count: () => requests,
    async ask(kind, path, sent = {}) {
      requests += 1
      const start = performance.now()
      const answer = await send(url, {...sent, path: new URL(path, url).pathname, agent}).catch((error: unknown) => {
        if (inTrouble === undefined) throw error
        return {status: 0, headers: {}, text: String(error)}
      })
      const interval = {start, end: performance.now()}
      const key = `${kind} ${sent.method ?? 'GET'} ${answer.status}`
      statuses.set(key, (statuses.get(key) ?? 0) + 1)
      const asked = {...answer, interval}
      if (isUncertain(answer)) await inTrouble?.(asked)
      return asked
    },
  }
}

/** Whether a response leaves the outcome of a write open. */
export function isUncertain({status}: Pick<Asked, 'status'>): boolean {
  return status === 0 || status === 503
}

/** The time of a write and the entity tag in its response. It may be uncertain; undefined if it was refused. */
export function writeOf(answer: Asked, done: 201 | 204): (Interval & {readonly tag?: string}) | undefined {
  if (answer.status === done) return {tag: tagOf(answer), ...answer.interval}
  return isUncertain(answer) ? {start: answer.interval.start, end: Number.POSITIVE_INFINITY, isMaybe: true} : undefined
}

/** The same for a write whose response has no entity tag, or that of another document. */
export function timeOf(answer: Asked, done: 201 | 204): Interval | undefined {
  const write = writeOf(answer, done)
  return write && {start: write.start, end: write.end, ...(write.isMaybe ? {isMaybe: true} : {})}
}

export function tagOf({headers}: Pick<Received, 'headers'>): string {
  return headers.etag?.replaceAll('"', '') ?? ''
}

export function pick(count: number): number {
  return Math.floor(Math.random() * count)
}

export function oneOf<Item>(items: readonly Item[]): Item {
  return items[pick(items.length)] as Item
}

/** Chooses the first action whose limit is above a random number from 0 to 1. */
export function choose(acts: readonly (readonly [below: number, act: Act])[]): Promise<void> {
  const dice = Math.random()
  return acts.find(([below]) => dice < below)?.[1]() ?? Promise.resolve()
}

/** The objects of a subject and property, without angle brackets and quotes. */
export function objectsIn(text: string, subject: string, property: string): readonly string[] {
  const start = `<${subject}> <${property}> `
  return linesOf(text)
    .filter(line => line.startsWith(start))
    .map(line =>
      line
        .slice(start.length)
        .replace(/ \.$/, '')
        .replace(/^[<"]|[>"]$/g, ''),
    )
}

/** The items of a list of strings. Throws if it is not a list. */
export function listIn(text: string, subject: string, property: string): readonly string[] {
  const cells = new Map(
    linesOf(text).flatMap(line => {
      const [, cell = '', kind = '', value = ''] = /^(_:\S+) <[^>]*#(first|rest)> (.*) \.$/.exec(line) ?? []
      return cell === '' ? [] : [[`${cell} ${kind}`, value] as const]
    }),
  )
  const items: string[] = []
  const [head = 'nothing', ...others] = objectsIn(text, subject, property)
  let cell = head
  for (; cells.has(`${cell} first`) && items.length < cells.size; cell = cells.get(`${cell} rest`) ?? 'nothing')
    items.push((cells.get(`${cell} first`) ?? '').replaceAll('"', ''))
  const isList = others.length === 0 && cell.includes('nil') && cells.size === 2 * items.length
  return isList ? items : [...items, `then ${cell}, of ${cells.size} triples, and ${others.length} lists`]
}

export function linesOf(text: string): readonly string[] {
  return text.split('\n').filter(line => line !== '')
}
