/**
 * What the clients of a history have in common: requests with their times, dice, N-Triples as they read them.
 */
import type {Agent} from 'node:http'
import {type Received, type Sent, send} from '../support/client.ts'
import type {Interval} from './linearize.ts'

export type Asked = Received & {readonly interval: Interval}

export type Wire = {
  readonly url: string // root document
  readonly count: () => number // requests so far
  readonly statuses: ReadonlyMap<string, number> // "register PUT 412" → how often
  /** @param kind  of client: what is allowed depends on it */
  readonly ask: (kind: string, path: string, sent?: Sent) => Promise<Asked>
}

/** One act of a client. */
export type Act = () => Promise<void>

export const ntriples = {'Content-Type': 'application/n-triples', Accept: 'application/n-triples'}
export const e = 'http://e/'
export const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'

export function createWire(url: string, agent: Agent): Wire {
  const statuses = new Map<string, number>()
  let requests = 0
  return {
    url,
    statuses,
    count: () => requests,
    async ask(kind, path, sent = {}) {
      requests += 1
      const start = performance.now()
      const received = await send(url, {...sent, path: new URL(path, url).pathname, agent})
      const interval = {start, end: performance.now()}
      const key = `${kind} ${sent.method ?? 'GET'} ${received.status}`
      statuses.set(key, (statuses.get(key) ?? 0) + 1)
      return {...received, interval}
    },
  }
}

export function tagOf({headers}: Received): string {
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
