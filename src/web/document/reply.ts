/**
 * Answers about documents: their headers, and the streaming of their bodies.
 *
 * Sources: LDP 1.0 §4.2.1.4 (Link types), §4.2.2.2 (Allow), §7.1 (Accept-Post); RFC 9110 §12.5.5 (Vary),
 * §15.4.5 (304); docs/interface.md, Documents; Every response.
 */
import {once} from 'node:events'
import type {Writable} from 'node:stream'
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import type {Spool} from '../../base/spool.ts'
import {timed} from '../../base/stages.ts'
import type {Allowed} from '../../db/store/graph-codec.ts'
import type {Format} from '../../format/types.ts'
import type {Negotiated} from '../../http/accept.ts'
import {type EntityTag, formatTag} from '../../http/conditional.ts'
import {formatHttpDate} from '../../http/date.ts'
import {formatLink} from '../../http/link.ts'
import {historyLinks} from '../../ldp/time-map.ts'
import {parentOf} from '../../rdf/iri.ts'
import {type Iri, namedNode, type Quad, type Triple} from '../../rdf/term.ts'
import {ldp, ldpNamespace, rdfNamespace, xsdNamespace} from '../../rdf/vocabulary.ts'
import type {Site} from '../exchange.ts'
import {openSink} from '../server/compression.ts'
import {sendSpool, wholeLength} from '../server/spooled.ts'
import {abilities, contentType} from './offers.ts'
import {formatWacAllow} from './wac-allow.ts'

export const resourceLink = formatLink({target: ldp.Resource, relation: 'type'})
/** The value of Vary: every request header that any answer depends on. */
export const varied = 'Accept, Accept-Datetime, Prefer, Accept-Encoding, Origin'

export const sourceLink = formatLink({target: ldp.RDFSource, relation: 'type'})
const basicLink = formatLink({target: ldp.BasicContainer, relation: 'type'})
const directLink = formatLink({target: ldp.DirectContainer, relation: 'type'})

const documentLinks = [resourceLink, sourceLink, basicLink].join(', ')
const accessPointLinks = [resourceLink, sourceLink, directLink].join(', ')

/** The path of the OpenAPI document, relative to the base. */
export const openApiPath = '.well-known/openapi.json'

/** The path of the graph store, relative to the base. */
export const graphStorePath = 'rdf-graph-store'

/** Headers that are the same for all documents, prepared once. */
const always = {Vary: varied, 'Cache-Control': 'no-cache'}
const documentHeaders = Object.entries({...abilities(false), ...always})
const rootHeaders = Object.entries({...abilities(true), ...always})

export type DocumentHeaders = {
  readonly iri: Iri
  readonly base: Iri
  readonly tag?: EntityTag
  readonly modified?: Date
  readonly isAccessPoint?: boolean
  readonly nextPage?: string | undefined // URL
  readonly allowed?: Allowed | undefined // undefined: access control is off
  readonly hasHistory: boolean // it links to its past states
}

/** Sets the headers of an answer about a document that exists. */
export function describeDocument(context: Context, document: DocumentHeaders): void {
  const {iri, base, tag, modified, isAccessPoint = false, nextPage, allowed, hasHistory} = document
  const {res} = context
  const parent = parentOf(iri, base)
  const up =
    parent === undefined ? {target: base + openApiPath, relation: 'service-desc'} : {target: parent, relation: 'up'}
  const next = nextPage === undefined ? '' : `, ${formatLink({target: nextPage, relation: 'next'})}`
  const past = hasHistory ? `, ${historyLinks(iri)}` : ''
  res.setHeader('Link', `${isAccessPoint ? accessPointLinks : documentLinks}, ${formatLink(up)}${next}${past}`)
  for (const [name, value] of parent === undefined ? rootHeaders : documentHeaders) res.setHeader(name, value)
  const wacAllow = allowed && formatWacAllow(allowed)
  if (wacAllow !== undefined) res.setHeader('WAC-Allow', wacAllow)
  if (tag !== undefined) res.setHeader('ETag', formatTag(tag))
  if (modified !== undefined) res.setHeader('Last-Modified', formatHttpDate(modified.getTime()))
}

/** Answers without a body. If `body` were not set to null, Koa would write the name of the status into it. */
export function answerEmpty(context: Context, status: number): void {
  context.body = null
  context.status = status
}

/** Leads to another page: 303 (RFC 9110 §15.4.4). A browser reads it with GET and keeps the fragment of its URL. */
export function answerSeeOther(context: Context, location: string): void {
  context.status = 303
  context.set('Location', location)
  context.body = ''
}

/** Prefixes for text formats: the vocabularies that every document uses. */
export function prefixesFor(platformNamespace: Iri) {
  return {c: platformNamespace, ldp: ldpNamespace, rdf: rdfNamespace, xsd: xsdNamespace}
}

export function quadsOf(document: Iri, triples: readonly Triple[]): Quad[] {
  const graph = namedNode(document)
  return triples.map(({subject, predicate, object}) => ({subject, predicate, object, graph}))
}

/** Streams quads, which the caller has grouped by graph. */
export function streamQuads(
  site: Site,
  context: Context,
  chosen: Negotiated<Format>,
  batches: AsyncIterable<readonly Quad[]>,
  status = 200,
): Promise<void> {
  const how = {type: contentType(chosen), status}
  return streamChunks(site, context, how, quadChunks(chosen.offer, batches, site.prefixes))
}

async function* quadChunks(
  format: Format,
  batches: AsyncIterable<readonly Quad[]>,
  prefixes: Readonly<Record<string, Iri>>,
): AsyncIterable<string | Uint8Array> {
  const writer = format.createWriter({prefixes})
  for await (const quads of batches) yield joinChunks(quads.map(quad => writer.write(quad)))
  yield writer.end()
}

export type ReplyOptions = {
  readonly type: string
  readonly status?: number // default 200
}

/**
 * Streams an answer.
 *
 * Chunks are read as fast as they come and wait for the client in a spool, so that a slow client holds no database
 * connection. If the spool is full, chunks are read at the client's pace, for at most `slowReaderMs`.
 * The status is sent after the first chunk. A later failure breaks the connection, so that a truncated body is
 * never taken for a whole one.
 *
 * @returns  resolves when the spool has all chunks, which may be long before the client has read them
 */
export function streamChunks(
  site: Site,
  context: Context,
  how: ReplyOptions,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  return timed('stream', () => writeChunks(site, context, how, chunks))
}

async function writeChunks(
  site: Site,
  context: Context,
  how: ReplyOptions,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  let answer: {readonly sink: Writable; readonly spool: Spool} | undefined
  const held: (string | Uint8Array)[] = []
  let heldLength = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    heldLength += chunk.length
    if (heldLength < wholeLength) continue
    answer ??= begin(site, context, how)
    const isTaken = answer.sink.write(joinChunks(held.splice(0)))
    if (!isTaken || answer.spool.stream.destroyed) await drained(answer)
    heldLength = 0
  }
  if (answer === undefined) return answerWhole(context, how, joinChunks(held))
  answer.sink.end(joinChunks(held))
  answer.spool.settle()
}

/** Answers with a body that is in memory. */
export function answerWhole(context: Context, {type, status = 200}: ReplyOptions, body: string | Uint8Array): void {
  context.status = status
  context.set('Content-Type', type)
  context.body = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.length)
}

function begin({spools, callerKey, limits}: Site, context: Context, {type, status = 200}: ReplyOptions) {
  const spool = spools.open(callerKey(context), limits.slowReaderMs)
  context.respond = false
  context.set('Content-Type', type)
  const sink = openSink(context, spool.stream)
  context.res.writeHead(status)
  sendSpool(context, spool)
  return {sink, spool}
}

function joinChunks(chunks: readonly (string | Uint8Array)[]): string | Uint8Array {
  const [first] = chunks
  if (first === undefined || typeof first === 'string') return chunks.join('')
  return Buffer.concat(chunks.filter(chunk => typeof chunk !== 'string'))
}

/**
 * Waits until the sink has room for more, or the spool is closed.
 *
 * @throws  Problem 499 `client-gone` if the spool is closed
 */
async function drained({sink, spool: {stream}}: {readonly sink: Writable; readonly spool: Spool}): Promise<void> {
  const over = new AbortController() // removes the listener of the event that did not happen
  const happens = (emitter: Writable, event: string) => once(emitter, event, {signal: over.signal})
  if (!stream.destroyed) await Promise.race([happens(sink, 'drain'), happens(stream, 'close')]).catch(() => undefined)
  over.abort()
  if (stream.destroyed)
    throw new Problem(499, 'client-gone', 'The client went away, or was too slow, before the end of the answer.')
}
