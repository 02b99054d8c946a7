/**
 * Clients that read, replace, create and delete over HTTP at random, and what each of their requests told.
 *
 * Two kinds of documents: registers, written only by clients, of which the whole history can be checked; and tangles,
 * which refer to each other, hold lists and the same triples, so that deletes change them too. Of those only the
 * answers count.
 */
import {randomUUID} from 'node:crypto'
import {Agent} from 'node:http'
import {type Received, type Sent, send} from '../support/client.ts'
import type {Operation} from './check.ts'

export type Recorded = {
  readonly histories: ReadonlyMap<string, readonly Operation[]> // by document
  readonly statuses: ReadonlyMap<string, number> // "PUT 412" → how often
}

export type ClientsOptions = {
  readonly url: string // root document
  readonly clients: number
  readonly isOver: (requests: number) => boolean
}

const registers = 4
const tangles = 6
const copies = 12 // triples that hold a version's value
const valuePattern = /<http:\/\/e\/value\d+> "([^"]*)"/g
const ntriples = {'Content-Type': 'application/n-triples', Accept: 'application/n-triples'}

/** Lets the clients loose until it is over. */
export async function runClients({url, clients, isOver}: ClientsOptions): Promise<Recorded> {
  const agent = new Agent({keepAlive: true, maxSockets: clients})
  const histories = new Map<string, Operation[]>()
  const statuses = new Map<string, number>()
  let requests = 0

  async function ask(path: string, sent: Sent): Promise<Received & {start: number; end: number}> {
    requests += 1
    const start = performance.now()
    const received = await send(url, {...sent, path: new URL(path, url).pathname, agent})
    const key = `${sent.method ?? 'GET'} ${received.status}`
    statuses.set(key, (statuses.get(key) ?? 0) + 1)
    return {...received, start, end: performance.now()}
  }

  function record(path: string, operation: Operation): void {
    const history = histories.get(path) ?? []
    histories.set(path, history)
    history.push(operation)
  }

  async function client(): Promise<void> {
    const known = new Map<string, {tag: string; text: string}>() // what this client read last
    while (!isOver(requests)) {
      if (Math.random() < 0.6) await useRegister(`${pick(registers)}/`, known)
      else await useTangle(`t${pick(tangles)}/`, known)
    }
  }

  async function useRegister(path: string, known: Map<string, {tag: string; text: string}>): Promise<void> {
    const seen = known.get(path)
    const dice = Math.random()
    if (seen === undefined || dice < 0.35) return readRegister(path, known)
    if (dice < 0.75) return replaceRegister(path, seen)
    if (dice < 0.9) return createRegister(path)
    const {status, start, end} = await ask(path, {method: 'DELETE', headers: {'If-Match': `"${seen.tag}"`}})
    if (status < 300) record(path, {kind: 'deleted', from: seen.tag, start, end})
    else recordRefusal(path, status, seen.tag, {start, end})
  }

  async function readRegister(path: string, known: Map<string, {tag: string; text: string}>): Promise<void> {
    const {status, headers, text, start, end} = await ask(path, {headers: ntriples})
    if (status !== 200) {
      known.set(path, {tag: '0', text: ''})
      return recordRefusal(path, status, '', {start, end})
    }
    const tag = tagOf(headers.etag)
    known.set(path, {tag, text})
    record(path, {kind: 'read', tag, value: valueIn(text), start, end})
  }

  async function replaceRegister(path: string, seen: {tag: string; text: string}): Promise<void> {
    const value = randomUUID()
    const kept = seen.text.split('\n').filter(line => !line.includes('<http://e/'))
    const body = [...kept, ...valueLines(new URL(path, url).href, value)].join('\n')
    const headers = {...ntriples, 'If-Match': `"${seen.tag}"`}
    const {status, headers: answer, start, end} = await ask(path, {method: 'PUT', headers, body})
    if (status < 300) record(path, {kind: 'replaced', from: seen.tag, tag: tagOf(answer.etag), value, start, end})
    else recordRefusal(path, status, seen.tag, {start, end})
  }

  async function createRegister(path: string): Promise<void> {
    const value = randomUUID()
    const body = valueLines(new URL(path, url).href, value).join('\n')
    const headers = {...ntriples, Slug: path}
    const {status, headers: answer, start, end} = await ask('', {method: 'POST', headers, body})
    if (status === 201) record(path, {kind: 'created', tag: tagOf(answer.etag), value, start, end})
    else if (status === 409) record(path, {kind: 'present', start, end})
  }

  function recordRefusal(path: string, status: number, from: string, interval: {start: number; end: number}): void {
    if (status === 404) record(path, {kind: 'absent', ...interval})
    if (status === 412) record(path, {kind: 'mismatch', from, ...interval})
  }

  async function useTangle(path: string, known: Map<string, {tag: string; text: string}>): Promise<void> {
    const dice = Math.random()
    const seen = known.get(path)
    const iri = new URL(path, url).href
    if (dice < 0.25) await ask('', {method: 'POST', headers: {...ntriples, Slug: path}, body: tangle(url, iri)})
    else if (dice < 0.45) {
      const slug = `c${pick(3)}/`
      await ask(path, {method: 'POST', headers: {...ntriples, Slug: slug}, body: tangle(url, `${iri}${slug}`)})
    } else if (dice < 0.65 || seen === undefined) {
      const {status, headers, text} = await ask(path, {headers: ntriples})
      if (status === 200) known.set(path, {tag: tagOf(headers.etag), text})
    } else if (dice < 0.88) {
      const kept = seen.text.split('\n').filter(line => !line.includes('/e/') && !line.includes('rdf-syntax'))
      const headers = {...ntriples, ...(dice < 0.67 ? {} : {'If-Match': dice < 0.72 ? '*' : `"${seen.tag}"`})}
      await ask(path, {method: 'PUT', headers, body: `${kept.join('\n')}\n${tangle(url, iri)}`})
    } else await ask(dice < 0.94 ? `${path}c${pick(3)}/` : path, {method: 'DELETE'})
  }

  try {
    await Promise.all(Array.from({length: clients}, client))
  } finally {
    agent.destroy()
  }
  return {histories, statuses}
}

function valueLines(iri: string, value: string): string[] {
  return Array.from({length: copies}, (_, index) => `<${iri}> <http://e/value${index}> "${value}" .`)
}

/** The value that all triples of a version say; several when they do not agree. */
function valueIn(text: string): string {
  const found = Array.from(text.matchAll(valuePattern), ([, value = '']) => value)
  const values = [...new Set(found)]
  return found.length === copies ? values.join(' and ') : `${found.length} of ${copies}: ${values.join(' and ')}`
}

/** References to other documents, a list of them, triples that all share, and memberships that may be derived. */
function tangle(root: string, iri: string): string {
  const other = () => new URL(`t${pick(tangles)}/${Math.random() < 0.5 ? '' : `c${pick(3)}/`}`, root).href
  const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
  const within = other().replace(/c\d\/$/, '')
  return [
    `<${iri}> <http://e/see> <${other()}> .`,
    `<http://e/x> <http://e/p> <http://e/y${pick(3)}> .`,
    `<http://e/x> <http://e/p> <${other()}> .`,
    `<${within}> <http://www.w3.org/ns/ldp#member> <${within}c${pick(3)}/> .`,
    `<${iri}> <http://e/list> _:a .`,
    `_:a <${rdf}first> <${other()}> .`,
    `_:a <${rdf}rest> _:b .`,
    `_:b <${rdf}first> <${other()}> .`,
    `_:b <${rdf}rest> <${rdf}nil> .`,
  ].join('\n')
}

function tagOf(field: string | undefined): string {
  return field?.replaceAll('"', '') ?? ''
}

function pick(count: number): number {
  return Math.floor(Math.random() * count)
}
