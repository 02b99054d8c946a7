/**
 * Readers of the change log that keep a ledger: the documents with their triples, from the changes alone.
 *
 * Each change must fit to the state that the ones before it left: the entity tag before it is that of the ledger, a
 * removed triple is there, and an added one is not. At the end the ledger must be equal to a new list of the documents.
 */
import {setTimeout as delay} from 'node:timers/promises'
import type {ExecutionContext} from 'ava'
import {send} from './client.ts'
import {openEvents} from './event-client.ts'

type Line = {
  readonly position: string
  readonly action: string
  readonly document: string
  readonly parent?: string
  readonly memberBy?: string
  readonly before?: string
  readonly after?: string
  readonly patch?: string
}

type Entry = {
  readonly tag: string
  readonly memberBy: string | undefined
  readonly triples: ReadonlySet<string>
}

export type FeedReaders = {
  /** Waits until all readers have read the last change. Describes what is wrong, since the last call. */
  readonly verify: () => Promise<readonly string[]>
  /** Number of changes that each reader has read. */
  readonly counts: () => readonly number[]
}

const [listing, lines] = ['after=documents&limit=500&triples=patch', 'limit=50&triples=patch'] as const
const patienceMs = 60_000

/**
 * Starts two readers, of JSON lines and of server-sent events, while nobody writes. They end with the test.
 *
 * @param base  root document
 */
export async function startFeedReaders(t: ExecutionContext, base: string): Promise<FeedReaders> {
  const {entries, position} = await listDocuments(base)
  const ledgers = [createLedger('lines', entries, position), createLedger('events', entries, position)] as const
  const [byLines, byEvents] = ledgers
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      const page = await ask(base, `${lines}&wait=2&after=${byLines.position()}`)
      if (page === undefined) await delay(100)
      else for (const line of page.lines) byLines.take(line)
      if (page !== undefined) byLines.reach(page.next)
    }
  })()
  const client = openEvents(() => `${base}changes?triples=patch`, {lastId: position})
  let taken = 0
  const takeEvents = () => {
    for (const {type, data} of client.events.slice(taken)) if (type === 'message') byEvents.take(JSON.parse(data))
    taken = client.events.length
    byEvents.reach(client.lastId() ?? '0')
  }
  t.teardown(async () => {
    isOver = true
    client.close()
    await reading
  })
  return {
    counts: () => ledgers.map(({count}) => count()),
    async verify() {
      const now = await listDocuments(base)
      for (const end = Date.now() + patienceMs; Date.now() < end; await delay(50)) {
        takeEvents()
        if (ledgers.every(ledger => BigInt(ledger.position()) >= BigInt(now.position))) break
      }
      return ledgers.flatMap(ledger => ledger.compare(now.entries, now.position))
    },
  }
}

function createLedger(name: string, initial: ReadonlyMap<string, Entry>, start: string) {
  const entries = new Map(initial)
  const wrong: string[] = []
  let position = start
  let count = 0

  function take(line: Line): void {
    const {document, before, after} = line
    const complain = (what: string) => wrong.push(`${name}: ${what}: ${JSON.stringify(line)}`)
    if (BigInt(line.position) <= BigInt(position)) complain(`not after position ${position}`)
    position = line.position
    count += 1
    const entry = entries.get(document)
    if (entry?.tag !== before) complain(`the ledger has the tag ${entry?.tag}`)
    if (after === undefined) return void entries.delete(document)
    const triples = new Set(entry?.triples)
    for (const [sign, triple] of rowsOf(line)) {
      if (sign === 'A') {
        if (triples.has(triple)) complain(`already has ${triple}`)
        triples.add(triple)
        continue
      }
      // A membership may be stored and derived at once. The change that removes it ends both.
      const [wasStored, wasDerived] = [triples.delete(triple), endMembership(document, triple)]
      if (!wasStored && !wasDerived) complain(`does not have ${triple}`)
    }
    entries.set(document, {tag: after, memberBy: line.memberBy, triples})
  }

  /** The membership of a child is in the row of the child, not among the triples of its parent. */
  function endMembership(parent: string, triple: string): boolean {
    const [, subject, relation, child = ''] = /^<([^>]*)> <([^>]*)> <([^>]*)>$/.exec(triple) ?? []
    const entry = entries.get(child)
    if (entry === undefined || entry.memberBy !== relation) return false
    if (subject !== parent || parentOf(child) !== parent) return false
    entries.set(child, {...entry, memberBy: undefined})
    return true
  }

  return {
    take,
    position: () => position,
    count: () => count,
    reach(next: string) {
      if (BigInt(next) > BigInt(position)) position = next
    },
    compare(expected: ReadonlyMap<string, Entry>, at: string): readonly string[] {
      if (BigInt(position) < BigInt(at)) wrong.push(`${name}: stopped at position ${position}, and not ${at}`)
      const [here, there] = [graphsOf(entries), graphsOf(expected)]
      for (const document of new Set([...here.keys(), ...there.keys()])) {
        const [found, wanted] = [here.get(document), there.get(document)]
        if (found !== wanted) wrong.push(`${name}: <${document}> is ${found}, and in the store ${wanted}`)
      }
      return wrong.splice(0)
    },
  }
}

function rowsOf({patch = ''}: Line): readonly (readonly [sign: string, triple: string])[] {
  return Array.from(patch.matchAll(/^([AD]) (.*) <[^>]*> \.$/gm), ([, sign = '', triple = '']) => [sign, triple])
}

/**
 * The tag and the graph of each document as text. Memberships of children belong to the graph of the parent, whether
 * they are among its triples or in the rows of the children: a change that does both at once shows neither.
 */
function graphsOf(entries: ReadonlyMap<string, Entry>): ReadonlyMap<string, string> {
  const graphs = new Map(Array.from(entries, ([document, {triples}]) => [document, new Set(triples)]))
  for (const [document, {memberBy}] of entries) {
    const parent = parentOf(document)
    if (memberBy !== undefined) graphs.get(parent)?.add(`<${parent}> <${memberBy}> <${document}>`)
  }
  return new Map(
    Array.from(graphs, ([document, graph]) => [
      document,
      [entries.get(document)?.tag, ...[...graph].sort()].join('\n'),
    ]),
  )
}

function parentOf(document: string): string {
  return document.replace(/[^/]+\/$/, '')
}

/** All documents as they are, and the position after which their later changes are. */
async function listDocuments(base: string) {
  const entries = new Map<string, Entry>()
  let position = '0'
  for (let query: string = listing; query !== ''; ) {
    const page = await ask(base, query)
    if (page === undefined) {
      await delay(100)
      continue
    }
    for (const {document, after = '', memberBy, ...line} of page.lines)
      entries.set(document, {
        tag: after,
        memberBy,
        triples: new Set(rowsOf({document, ...line}).map(([, triple]) => triple)),
      })
    position = page.next
    query = page.next.startsWith('documents') ? listing.replace('documents', page.next) : ''
  }
  return {entries, position}
}

/** @returns  undefined: the service does not answer now */
async function ask(base: string, query: string) {
  const answer = await send(`${base}changes?${query}`).catch(() => undefined)
  if (answer === undefined || answer.status >= 500) return undefined
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  const next = /[?&]after=([^&>]*)[^>]*>; rel="next"/.exec(String(answer.headers.link))?.[1] ?? ''
  const found: readonly Line[] = answer.text.split('\n').flatMap(text => (text === '' ? [] : JSON.parse(text)))
  return {lines: found, next}
}
