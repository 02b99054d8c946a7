/**
 * LOAD of an update: fetches RDF from the Web, and encodes it as INSERT DATA.
 *
 * All documents of an update are fetched and parsed before its transaction begins, so that no other server holds a
 * database connection or locks. Only URLs of the setting LOAD_FROM are fetched, also after a redirect. No credentials
 * are sent. Worker threads parse, so that a large document does not block the event loop.
 * Sources: SPARQL 1.1 Update §3.1.4; RFC 9110 §15.4 (redirects); RFC 3986 §5.1.3 (base URI).
 */
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import type {Session} from '../db/store/session.ts'
import {type EncodedQuads, requireLoadable} from '../db/store/updates.ts'
import {type ReadableFormat, readableFormats} from '../format/formats.ts'
import {allowedEndpoint, type EndpointList} from '../http/endpoint-list.ts'
import type {Iri} from '../rdf/term.ts'
import {signalOf} from './remote-endpoint.ts'
import {loadDocument, type PreparedOperation} from './thread-work.ts'
import type {QueryThreads} from './threads.ts'

export type Loading = {
  readonly from: EndpointList
  readonly limitBytes: number // of all documents of one update, without content coding
  readonly limitTriples: number // of one document
}

/** The parts of the state of a process that LOAD needs (ProcessState in state.ts). */
export type LoadingProcess = {
  readonly timeoutMs: number
  readonly threads?: QueryThreads | undefined
  readonly loading?: Loading | undefined // undefined: LOAD is off
}

type LoadOperation = Extract<PreparedOperation, {type: 'load'}>

/** The triples of each LOAD. One that failed and is silent has none. */
export type LoadedTriples = ReadonlyMap<LoadOperation, EncodedQuads>

/** Bytes and time left for the loads of one update, which run one after the other. */
type Allowance = {
  bytes: number
  readonly limitMs: number // 0: no limit
  readonly timeout: AbortSignal | undefined
  readonly gone: AbortSignal | undefined // aborts when the client disconnects
}

const redirectMax = 5
const redirects = [301, 302, 303, 307, 308]
const accepted = readableFormats.map(({mediaTypes: [type]}) => type).join(', ')

/** Media types that servers send if they do not know the format of a file. The extension decides. */
const vague = ['', 'text/plain', 'application/octet-stream', 'application/xml', 'text/xml', 'application/json']

/**
 * Fetches and parses the documents of all LOAD operations.
 *
 * @throws  Problem 403 `load-disabled`, `load-allowed`; 502 `load-failed`, 504 `load-timeout`, 422 `load-limit`, which
 *          LOAD SILENT does not throw · 422 `load-alone`: the session is inside a transaction · 401
 *          `authentication-required`, 403 `access-granted`, 422 `graph-known`: the caller may not write there · 499
 *          `client-gone`
 */
export async function loadAll(
  process: LoadingProcess,
  operations: readonly PreparedOperation[],
  {session, signal}: {readonly session: Session; readonly signal?: AbortSignal | undefined},
): Promise<LoadedTriples> {
  const {loading, timeoutMs} = process
  const loads = operations.filter(operation => operation.type === 'load')
  const loaded = new Map<LoadOperation, EncodedQuads>()
  if (loads.length === 0) return loaded
  if (session.isShifting) throw loadAlone
  for (const {into} of loads) await requireLoadable(session, into)
  const allowance: Allowance = {
    bytes: loading?.limitBytes ?? 0,
    limitMs: timeoutMs,
    timeout: timeoutMs === 0 ? undefined : AbortSignal.timeout(timeoutMs),
    gone: signal,
  }
  for (const operation of loads) {
    try {
      loaded.set(operation, await load(process, operation, allowance))
    } catch (error) {
      if (!operation.isSilent || !(error instanceof Problem) || !error.rule.startsWith('load-')) throw error
    }
  }
  return loaded
}

/** The transaction of a group or key is open already, so a slow server would hold its connection and locks. */
const loadAlone = new Problem(
  422,
  'load-alone',
  'An update with LOAD cannot be in a batch or have an Idempotency-Key; send it on its own.',
)

async function load(
  {loading, threads}: LoadingProcess,
  {source, into}: LoadOperation,
  allowance: Allowance,
): Promise<EncodedQuads> {
  const from = loading && allowedEndpoint(loading.from, withoutFragment(source))
  if (loading === undefined)
    throw new Problem(403, 'load-disabled', `<${excerpt(source)}> cannot be loaded: LOAD_FROM is not set.`)
  if (from === undefined)
    throw new Problem(403, 'load-allowed', `<${excerpt(source)}> cannot be loaded: LOAD_FROM does not list it.`)
  try {
    const {response, url} = await get(loading, from, source, signalOf(allowance))
    const format = formatOf(response, url) ?? (await refuseType(response, source))
    const bytes = await readBytes(response, loading, source, allowance)
    const input = {bytes, formatId: format.id, base: url, into, tripleLimit: loading.limitTriples}
    return await (threads === undefined ? loadDocument(input) : threads.load(input, allowance.gone))
  } catch (error) {
    throw failureOf(error, source, allowance)
  }
}

function withoutFragment(iri: Iri): string {
  return iri.split('#', 1)[0] ?? iri
}

/** @returns  a response with status 200, and the URL that sent it */
async function get(loading: Loading, from: string, source: Iri, signal: AbortSignal | null) {
  let url = from
  for (let count = 0; count <= redirectMax; count += 1) {
    const response = await fetch(url, {
      headers: {Accept: accepted, 'User-Agent': 'Quadstead'},
      redirect: 'manual',
      credentials: 'omit',
      signal,
    })
    if (response.status === 200) return {response, url}
    await response.body?.cancel()
    if (!redirects.includes(response.status)) throw failed(source, `its status is ${response.status}`)
    const location = response.headers.get('location') ?? ''
    const target = URL.canParse(location, url) ? withoutFragment(new URL(location, url).href) : ''
    const next = allowedEndpoint(loading.from, target)
    if (next === undefined) throw failed(source, `it redirects to "${excerpt(target)}", which LOAD_FROM does not list`)
    url = next
  }
  throw failed(source, `it redirects more than ${redirectMax} times`)
}

/** The format by Content-Type, or if that is vague, by the extension of the URL's path. */
function formatOf(response: Response, url: string): ReadableFormat | undefined {
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const known = readableFormats.find(({mediaTypes}) => mediaTypes.includes(type))
  if (known !== undefined || !vague.includes(type)) return known
  const extension = /\.([a-z0-9]+)$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? ''
  return readableFormats.find(({extensions}) => extensions.includes(extension))
}

async function refuseType(response: Response, source: Iri): Promise<never> {
  await response.body?.cancel()
  throw failed(source, `the service reads no RDF of the type "${excerpt(response.headers.get('content-type') ?? '')}"`)
}

/** Counts decoded bytes, so a small compressed body cannot grow without limit. */
async function readBytes(
  response: Response,
  {limitBytes}: Loading,
  source: Iri,
  allowance: Allowance,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body ?? []) {
    allowance.bytes -= chunk.length
    if (allowance.bytes < 0) {
      const message = `<${excerpt(source)}> is longer than the ${limitBytes} bytes that an update may load.`
      throw new Problem(422, 'load-limit', message, {members: {limitBytes}}) // ends the loop, which closes the stream
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function failed(source: Iri, reason: string, cause?: unknown): Problem {
  return new Problem(502, 'load-failed', `<${excerpt(source)}> cannot be loaded: ${reason}.`, {cause})
}

/** The Problem for an error of fetch or of a parser. */
function failureOf(error: unknown, source: Iri, {gone, timeout, limitMs}: Allowance): unknown {
  if (gone?.aborted) return new Problem(499, 'client-gone', 'The client went away before its update ended.')
  if (timeout?.aborted) {
    const message = `<${excerpt(source)}> could not be loaded within ${limitMs} ms.`
    return new Problem(504, 'load-timeout', message, {members: {limitMs}, cause: error})
  }
  if (error instanceof Problem) {
    if (error.rule.startsWith('load-') || error.status >= 500) return error
    if (error.rule !== 'body-triples') return failed(source, error.message.replace(/\.$/, ''), error)
    return new Problem(422, 'load-limit', `<${excerpt(source)}>: ${error.message}`, {members: error.members})
  }
  const {cause = error} = error as {readonly cause?: unknown}
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : String(cause)
  return failed(source, excerpt(code), error)
}
