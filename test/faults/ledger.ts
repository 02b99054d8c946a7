/**
 * The acknowledged writes of a client, which it records itself. After a fault, the service must have the same
 * documents.
 *
 * Each document has one writer, so it must have the state of the last acknowledged write. After a write without a
 * response there are two possible states; the document is not written again until it has been read.
 */
import type {Agent} from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import type {Random} from '../fuzz/random.ts'
import {e, isUncertain, ntriples, objectsIn} from '../history/wire.ts'
import {send} from '../support/client.ts'
import {ldpatch} from '../support/members.ts'
import {ruleIn, type Trouble} from './trouble.ts'

/** A document: its value, in many triples that change together, and the added words. */
type State = {readonly value: string; readonly words: readonly string[]; readonly tag: string}
type Entry = {readonly certain: State | undefined; readonly perhaps?: State | 'gone'} // undefined: does not exist

export type Counts = {acknowledged: number; uncertain: number; done: number}

export type Ledger = {
  readonly counts: Readonly<Counts>
  /** Writes the writer's next document. */
  readonly write: () => Promise<void>
  /** Reads all documents, and describes differences. */
  readonly verify: () => Promise<readonly string[]>
}

const copies = 12
const documents = 8 // of each writer
const readAttempts = 30 // half a minute at the wait of the service for a connection
const pauseMs = 500

export type LedgerOptions = {
  readonly base: string // root document
  readonly name: string // of the writer, and of the container of its documents
  readonly agent: Agent
  readonly dice: Random
  readonly inTrouble: Trouble['meet']
}

/** Creates the container of a writer, and its ledger. */
export async function openLedger({base, name, agent, dice, inTrouble}: LedgerOptions): Promise<Ledger> {
  const container = `${base}${name}/`
  const entries = new Map<string, Entry>() // by name
  const trails = new Map<string, string[]>() // what was sent for each document, for errors
  const counts: Counts = {acknowledged: 0, uncertain: 0, done: 0}
  let written = 0

  async function ask(iri: string, sent: Parameters<typeof send>[1]) {
    const start = performance.now()
    const answer = await send(base, {...sent, path: new URL(iri).pathname, agent}).catch((error: unknown) => ({
      status: 0,
      headers: {} as Readonly<Record<string, string>>,
      text: String(error),
    }))
    const interval = {start, end: performance.now()}
    if (isUncertain(answer)) await inTrouble({...answer, interval})
    return answer
  }

  /** Reads after the fault. The other clients may still keep the service busy: a refused read is repeated. */
  async function get(iri: string, headers: Readonly<Record<string, string>>) {
    for (let left = readAttempts; ; left -= 1) {
      const answer = await ask(iri, {headers})
      if (!isUncertain(answer) || left === 1) return answer
      await delay(pauseMs)
    }
  }

  function note(slug: string, line: string): void {
    trails.set(slug, [...(trails.get(slug) ?? []), line].slice(-8))
  }

  /** @param next  the state of the document after the write */
  async function change(slug: string, sent: Parameters<typeof send>[1], next: Omit<State, 'tag'> | 'gone') {
    const before = entries.get(slug)?.certain
    const iri = before === undefined ? container : `${container}${slug}/`
    const start = new Date().toISOString()
    const {status, headers, text} = await ask(iri, sent)
    note(slug, `${start} ${sent?.method} ${status} ${headers.etag ?? ruleIn(text)}`)
    const tag = (headers.etag ?? '').replaceAll('"', '')
    if (status === 201 || status === 204) {
      counts.acknowledged += 1
      entries.set(slug, {certain: next === 'gone' ? undefined : {...next, tag}})
    } else if (status === 0 || status === 503) {
      counts.uncertain += 1
      entries.set(slug, {certain: before, perhaps: next === 'gone' ? next : {...next, tag: ''}})
    } else {
      const trail = trails.get(slug)?.join('\n')
      throw new Error(`${sent?.method} ${iri}: ${status} ${text}\n${trail}`) // it has no other writers
    }
  }

  const conditional = ({tag}: State, more: Readonly<Record<string, string>> = {}) => ({'If-Match': `"${tag}"`, ...more})

  async function write(): Promise<void> {
    const slug = `d${dice.below(documents)}`
    const entry = entries.get(slug)
    if (entry?.perhaps !== undefined) return
    written += 1
    const value = `${name} ${written}`
    const state = entry?.certain
    const iri = `${container}${slug}/`
    if (state === undefined)
      return change(
        slug,
        {method: 'POST', headers: {...ntriples, Slug: slug}, body: bodyOf(iri, value)},
        {value, words: []},
      )
    switch (dice.below(6)) {
      case 0:
        return change(slug, {method: 'DELETE', headers: conditional(state)}, 'gone')
      case 1:
      case 2: {
        const body = `Delete { ${bodyOf(iri, state.value)} } . Add { ${bodyOf(iri, value)} } .`
        return change(slug, {method: 'PATCH', headers: conditional(state, ldpatch), body}, {value, words: state.words})
      }
      default: {
        const body = `Add { <> <${e}word> "${value}" . } .`
        return change(
          slug,
          {method: 'PATCH', headers: ldpatch, body},
          {value: state.value, words: [...state.words, value].sort()},
        )
      }
    }
  }

  async function read(slug: string): Promise<State | undefined | string> {
    const iri = `${container}${slug}/`
    const {status, headers, text} = await get(iri, ntriples)
    note(slug, `${new Date().toISOString()} read ${status} ${headers.etag ?? ''}`)
    if (status === 404) return undefined
    if (status !== 200) return `${status} ${text}`
    const found = Array.from({length: copies}, (_, index) => objectsIn(text, iri, `${e}value${index}`)).flat()
    const values = new Set(found)
    if (found.length !== copies || values.size !== 1) return `half a write: ${found.join(', ')}`
    const words = [...objectsIn(text, iri, `${e}word`)].sort()
    return {value: found[0] ?? '', words, tag: (headers.etag ?? '').replaceAll('"', '')}
  }

  async function verify(): Promise<readonly string[]> {
    const complaints: string[] = []
    for (const [slug, {certain, perhaps}] of entries) {
      const found = await read(slug)
      const wrong = (what: string) =>
        complaints.push(`${name}/${slug}: ${what}, told ${JSON.stringify({certain, perhaps})}`)
      if (typeof found === 'string') wrong(found)
      else if (isSame(found, certain, 'with tag')) entries.set(slug, {certain: found})
      else if (perhaps !== undefined && isSame(found, perhaps === 'gone' ? undefined : perhaps, 'without tag')) {
        if (found !== undefined && BigInt(found.tag) <= BigInt(certain?.tag ?? 0))
          wrong(`tag ${found.tag} is none later`)
        counts.done += 1
        entries.set(slug, {certain: found})
      } else wrong(`found ${JSON.stringify(found)}`)
    }
    const {text} = await get(container, {...ntriples, Prefer: preferContainment})
    const contained = objectsIn(text, container, 'http://www.w3.org/ns/ldp#contains')
    const expected = [...entries].flatMap(([slug, {certain}]) =>
      certain === undefined ? [] : [`${container}${slug}/`],
    )
    if (JSON.stringify([...contained].sort()) !== JSON.stringify(expected.sort()))
      complaints.push(`${name}: contains ${contained.join(' ')}, told ${expected.join(' ')}`)
    return complaints
  }

  await createPlace(base, name, {agent})
  return {counts, write, verify}
}

/** Creates a document below the root while nothing is broken. A 503 that asks to come back had no effect. */
export async function createPlace(base: string, name: string, more: {readonly agent?: Agent} = {}): Promise<void> {
  for (let left = readAttempts; ; left -= 1) {
    const sent = {method: 'POST', headers: {...ntriples, Slug: name}, body: '', ...more}
    const {status, text} = await send(base, sent)
    if (status === 201) return
    if (status !== 503 || left === 1) throw new Error(`${status} ${text}`)
    await delay(pauseMs)
  }
}

const preferContainment = 'return=representation; include="http://www.w3.org/ns/ldp#PreferContainment"'

function isSame(found: State | undefined, told: State | undefined, how: 'with tag' | 'without tag'): boolean {
  const key = (state: State | undefined) =>
    JSON.stringify(state && [state.value, state.words, how === 'with tag' ? state.tag : ''])
  return key(found) === key(told)
}

function bodyOf(iri: string, value: string): string {
  return Array.from({length: copies}, (_, index) => `<${iri}> <${e}value${index}> "${value}" .`).join('\n')
}
