/**
 * What the clients of a history have in common: requests with their times, dice, N-Triples as they read them.
 */
import type {Agent} from 'node:http'
import {type Received, type Sent, send} from '../support/client.ts'
import type {Interval} from './linearize.ts'

export type Asked = Pick<Received, 'status' | 'headers' | 'text'> & {readonly interval: Interval}

export type Wire = {
  readonly url: string // root document
  readonly count: () => number // requests so far
  readonly statuses: ReadonlyMap<string, number> // "register PUT 412" → how often
  /** @param kind  of client: what is allowed depends on it */
  readonly ask: (kind: string, path: string, sent?: Sent) => Promise<Asked>
}

export type WireOptions = {
  /** What to do about a request without a certain answer, 503 or none, which is then a status of 0; else it throws. */
  readonly inTrouble?: (answer: Asked) => Promise<void>
}

/** How a client of one kind asks, and the IRI of a path. */
export function speakAs(kind: string, {url, ask}: Wire) {
  return {
    send: (path: string, sent?: Sent) => ask(kind, path, sent),
    iriOf: (path: string) => new URL(path, url).href,
  }
}

/** One act of a client. */
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

/** Whether an answer leaves open what became of a write. */
export function isUncertain({status}: Pick<Asked, 'status'>): boolean {
  return status === 0 || status === 503
}

/** When a write took place, with the tag it was told; perhaps; or undefined: it was refused. */
export function writeOf(answer: Asked, done: 201 | 204): (Interval & {readonly tag?: string}) | undefined {
  if (answer.status === done) return {tag: tagOf(answer), ...answer.interval}
  return isUncertain(answer) ? {start: answer.interval.start, end: Number.POSITIVE_INFINITY, isMaybe: true} : undefined
}

/** The same of a write that tells no tag, or one of another document. */
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

/** Does one of these: the first that the dice, from 0 to 1, are below. */
export function choose(acts: readonly (readonly [below: number, act: Act])[]): Promise<void> {
  const dice = Math.random()
  return acts.find(([below]) => dice < below)?.[1]() ?? Promise.resolve()
}

/** Objects of the triples of a subject with a property, without their angle brackets and quotes. */
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

/** Items of a list of strings; says so when it is none. */
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
