/**
 * Reads another store over HTTP: pages of its documents and changes, and single states of documents.
 *
 * Sources: docs/changes.md, Reading changes, History of a document; RDF Patch (afs.github.io/rdf-patch).
 */
import {createSlices, type Slices} from '../base/slices.ts'
import {changeActions} from '../db/store/changes.ts'
import {statement, termOf} from '../format/nquads-statement.ts'
import type {Iri, NamedNode, Resource, Triple} from '../rdf/term.ts'
import type {SourceLine} from './steps.ts'

export type FollowSource = {
  readonly url: Iri // its root document
  readonly path: string // of the followed document below it
  readonly key: string | undefined
  readonly signal: AbortSignal
}

export type SourcePage = {
  readonly lines: readonly SourceLine[]
  readonly next: string // where to go on
  readonly behind: bigint | undefined // positions between `next` and the end; undefined: not known
}

/** What the source answers instead of a page. gone: the log no longer has the position. */
export class SourceFailure extends Error {
  readonly isGone: boolean

  constructor(reason: string, isGone: boolean) {
    super(reason)
    this.isGone = isGone
  }
}

/** Numbers of lines to ask for. The next one is for pages that are too large. */
const pageLines = [200, 20, 1]
const pageBytes = 64 * 1024 * 1024 // of a page of several lines
const lineBytes = 128 * 1024 * 1024 // of a line, and of a page of one line
const stateBytes = 512 * 1024 * 1024
const mostTriples = 2_000_000 // of a page or a state: 200 changes of 10,000, the most that a change shows
const errorBytes = 65_536
const pageMs = 60_000 // for the answer, besides the wait
const stateMs = 300_000

/**
 * Reads a page of documents or changes. What it keeps in memory is limited, whatever the source sends.
 *
 * @param after   a position, or what `next` was
 * @param waitMs  how long the source waits for a change if there is none
 * @throws        SourceFailure, and the errors of fetch
 */
export async function readSourcePage(source: FollowSource, after: string, waitMs: number): Promise<SourcePage> {
  for (const limit of pageLines) {
    const page = await readPageOf(source, {after, waitMs, limit})
    if (page !== undefined) return page
  }
  throw tooLarge(lineBytes)
}

type PageRequest = {readonly after: string; readonly waitMs: number; readonly limit: number}

/** @returns  undefined if the page has too many bytes */
async function readPageOf(source: FollowSource, asked: PageRequest): Promise<SourcePage | undefined> {
  const {url, path} = source
  const {after, waitMs, limit} = asked
  const parameters = {after, under: url + path, triples: 'patch', limit: String(limit), wait: String(waitMs / 1000)}
  const place = `${url}changes?${new URLSearchParams(parameters)}`
  const response = await request(source, place, 'application/x-ndjson', waitMs + pageMs)
  if (!response.ok) throw await failureOf(response)
  const next = linkedPosition(response, 'next')
  const last = linkedPosition(response, 'last')
  if (next === undefined || !next.target.startsWith(`${url}changes?`))
    throw new SourceFailure(
      `<${url}> is not the BASE_URL of a Quadstead: ${next?.target ?? 'no link to a page'}`,
      false,
    )
  const lines: SourceLine[] = []
  const budget = createBudget()
  for await (const text of readLines(response, limit === 1 ? lineBytes : pageBytes)) {
    if (text === undefined) return undefined
    if (lines.length === limit)
      throw new SourceFailure(`the source sent more lines than the ${limit} that it was asked for`, false)
    lines.push(await readLine(text, budget))
  }
  const [reached, end] = [next.position, last?.position ?? '']
  const isKnown = [reached, end].every(position => /^\d+$/.test(position))
  return {lines, next: reached, behind: isKnown ? BigInt(end) - BigInt(reached) : undefined}
}

/** Reads a state of a document. @returns its triples; undefined: it is not there any more, or may not be read */
export async function readSourceState(
  source: FollowSource,
  document: Iri,
  tag: string,
): Promise<readonly Triple[] | undefined> {
  const response = await request(source, `${document}?state=${tag}`, 'application/n-triples', stateMs)
  if ([403, 404, 410].includes(response.status)) {
    await response.body?.cancel()
    return undefined
  }
  if (!response.ok) throw await failureOf(response)
  const budget = createBudget()
  const triples: Triple[] = []
  for await (const text of readLines(response, stateBytes)) {
    if (text === undefined) throw tooLarge(stateBytes)
    await readStatements(`${text}\n`, triples, budget)
  }
  return triples
}

function request({key, signal}: FollowSource, place: string, accept: string, limitMs: number): Promise<Response> {
  const headers = {
    Accept: accept,
    'User-Agent': 'Quadstead',
    ...(key === undefined ? {} : {Authorization: `Bearer ${key}`}),
  }
  return fetch(place, {headers, redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)])})
}

async function failureOf(response: Response): Promise<SourceFailure> {
  let text = ''
  try {
    for await (const line of readLines(response, errorBytes)) text += line ?? ''
  } catch {} // the status is enough
  const detail = /"detail":\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? ''
  return new SourceFailure(
    `the source answered ${response.status}${detail === '' ? '' : `: ${detail}`}`,
    response.status === 410,
  )
}

/** A link to a page of the log, and the position in it. */
function linkedPosition(response: Response, relation: string) {
  const links = response.headers.get('link') ?? ''
  const target = Array.from(links.matchAll(/<([^>]*)>; rel="([^"]*)"/g)).find(([, , found]) => found === relation)?.[1]
  if (target === undefined || !URL.canParse(target)) return undefined
  return {target, position: new URL(target).searchParams.get('after') ?? ''}
}

function tooLarge(bytes: number): SourceFailure {
  const reason = `an answer of the source has more than ${bytes} bytes, or a line of more than ${lineBytes}`
  return new SourceFailure(reason, false)
}

/** Yields the lines that are not empty. Yields undefined and ends if an answer or one of its lines is too large. */
async function* readLines(response: Response, limitBytes: number): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder()
  let begun: string[] = [] // parts of a line without its end
  let begunBytes = 0
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    begunBytes += chunk.length
    if (bytes > limitBytes || begunBytes > lineBytes) return yield undefined // this also ends the connection
    const [first = '', ...others] = decoder.decode(chunk, {stream: true}).split('\n')
    begun.push(first)
    if (others.length > 0) begunBytes = 0
    for (const other of others) {
      const line = begun.join('')
      begun = [other]
      if (line !== '') yield line
    }
  }
  const last = begun.join('') + decoder.decode()
  if (last !== '') yield last
}

async function readLine(text: string, budget: Budget): Promise<SourceLine> {
  const line = parseLine(text)
  if (typeof line !== 'object' || line === null) throw unreadable(text)
  const {position, document, action, patch, ...others} = line as Readonly<Record<string, unknown>>
  const known = action === 'present' ? action : changeActions.find(name => name === action)
  if (typeof position !== 'string' || typeof document !== 'string' || known === undefined) throw unreadable(text)
  return {
    position,
    document,
    action: known,
    oldDocument: textOf(others.oldDocument),
    parent: textOf(others.parent),
    memberBy: textOf(others.memberBy),
    before: tagOf(others.before, text),
    after: tagOf(others.after, text),
    isAccessPoint: others.isAccessPoint === true,
    isRawGraph: others.isRawGraph === true,
    isRenamed: others.isRenamed === true,
    patch: typeof patch === 'string' ? await readPatch(patch, budget) : undefined,
  }
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable(text)
  }
}

function unreadable(text: string): SourceFailure {
  return new SourceFailure(`the source sent what is not a change: ${text.slice(0, 200)}`, false)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The number in an entity tag; undefined if there is no tag. */
function tagOf(value: unknown, line: string): string | undefined {
  if (value === undefined) return undefined
  const tag = /^"(\d+)"$/.exec(textOf(value) ?? '')?.[1]
  if (tag === undefined) throw unreadable(line)
  return tag
}

async function readPatch(text: string, budget: Budget) {
  const rows = text.split('\n')
  const ofKind = (sign: string) => rows.flatMap(row => (row.startsWith(sign) ? `${row.slice(2)}\n` : [])).join('')
  const read = async (sign: string) => {
    const triples: Triple[] = []
    await readStatements(ofKind(sign), triples, budget)
    return triples
  }
  return {added: await read('A '), removed: await read('D ')}
}

/** The triples that an answer may still have. */
type Budget = {triplesLeft: number; readonly slices: Slices}

function createBudget(): Budget {
  return {triplesLeft: mostTriples, slices: createSlices()}
}

/** Adds the triples of a text to a list, in slices of time. */
async function readStatements(text: string, triples: Triple[], budget: Budget): Promise<void> {
  const {slices} = budget
  for (let at = 0; at < text.length; ) {
    statement.lastIndex = at
    const [, subject = '', predicate = '', object = ''] = statement.exec(text) ?? []
    const [s, p, o] = [subject, predicate, object].map(token => (token === '' ? undefined : termOf(token)))
    if (s === undefined || p === undefined || o === undefined)
      throw new SourceFailure(`the source sent what is not a triple: ${text.slice(at, at + 200)}`, false)
    if (budget.triplesLeft === 0)
      throw new SourceFailure(`an answer of the source has more than ${mostTriples} triples`, false)
    budget.triplesLeft -= 1
    triples.push({subject: s as Resource, predicate: p as NamedNode, object: o})
    at = statement.lastIndex // before the pause, in which other readers use the same expression
    if (slices.isOver()) await slices.pause()
  }
}
