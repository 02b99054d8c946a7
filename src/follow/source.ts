/**
 * Reads another store over HTTP: pages of its documents and changes, and single states of documents.
 *
 * Sources: docs/changes.md, Reading changes, History of a document; RDF Patch (afs.github.io/rdf-patch).
 */
import {createSlices} from '../base/slices.ts'
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

const pageLines = 200
const pageMs = 60_000 // for the answer, besides the wait
const stateMs = 300_000
const mostBytes = 512 * 1024 * 1024 // of an answer

/**
 * Reads a page of documents or changes.
 *
 * @param after   a position, or what `next` was
 * @param waitMs  how long the source waits for a change if there is none
 * @throws        SourceFailure, and the errors of fetch
 */
export async function readSourcePage(source: FollowSource, after: string, waitMs: number): Promise<SourcePage> {
  const {url, path} = source
  const parameters = {after, under: url + path, triples: 'patch', limit: String(pageLines), wait: String(waitMs / 1000)}
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
  const slices = createSlices()
  for (const text of (await readText(response)).split('\n')) {
    if (text !== '') lines.push(await readLine(text))
    if (slices.isOver()) await slices.pause()
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
  return readStatements(await readText(response))
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
  const text = await response.text().catch(() => '')
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

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new SourceFailure(`an answer of the source has more than ${mostBytes} bytes`, false)
    text += decoder.decode(chunk, {stream: true})
  }
  return text + decoder.decode()
}

async function readLine(text: string): Promise<SourceLine> {
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
    patch: typeof patch === 'string' ? await readPatch(patch) : undefined,
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

async function readPatch(text: string) {
  const rows = text.split('\n')
  const ofKind = (sign: string) => rows.flatMap(row => (row.startsWith(sign) ? `${row.slice(2)}\n` : [])).join('')
  return {added: await readStatements(ofKind('A ')), removed: await readStatements(ofKind('D '))}
}

async function readStatements(text: string): Promise<readonly Triple[]> {
  const triples: Triple[] = []
  const slices = createSlices()
  for (let at = 0; at < text.length; ) {
    statement.lastIndex = at
    const [, subject = '', predicate = '', object = ''] = statement.exec(text) ?? []
    const [s, p, o] = [subject, predicate, object].map(token => (token === '' ? undefined : termOf(token)))
    if (s === undefined || p === undefined || o === undefined)
      throw new SourceFailure(`the source sent what is not a triple: ${text.slice(at, at + 200)}`, false)
    triples.push({subject: s as Resource, predicate: p as NamedNode, object: o})
    at = statement.lastIndex // before the pause, in which other readers use the same expression
    if (slices.isOver()) await slices.pause()
  }
  return triples
}
