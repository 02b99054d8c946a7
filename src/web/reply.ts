/**
 * Answers about documents: their headers, and bodies at once or in a stream.
 *
 * Floor 5. Sources: LDP 1.0 §4.2.1.4 (Link types), §4.2.2.2 (Allow), §7.1 (Accept-Post); RFC 9110 §12.5.5 (Vary),
 * §15.4.5 (304); decisions, rows "Link", "Allow", "Vary", "Cache-Control", "Last-Modified".
 */
import {once} from 'node:events'
import type {Socket} from 'node:net'
import type {Writable} from 'node:stream'
import type {Context} from 'koa'
import {Problem} from '../base/problem.ts'
import {timed} from '../base/stages.ts'
import type {Format} from '../format/types.ts'
import type {Negotiated} from '../http/accept.ts'
import {type EntityTag, formatTag} from '../http/conditional.ts'
import {formatHttpDate} from '../http/date.ts'
import {formatLink} from '../http/link.ts'
import {parentOf} from '../rdf/iri.ts'
import {type Iri, namedNode, type Quad, type Triple} from '../rdf/term.ts'
import {ldp, ldpNamespace, rdfNamespace, xsdNamespace} from '../rdf/vocabulary.ts'
import {openSink} from './compression.ts'
import {abilities, contentType} from './offers.ts'

export const resourceLink = formatLink({target: ldp.Resource, relation: 'type'})
/** What answers depend on: of the request's headers, all that any of ours does. */
export const varied = 'Accept, Prefer, Accept-Encoding, Origin'

export const sourceLink = formatLink({target: ldp.RDFSource, relation: 'type'})
const basicLink = formatLink({target: ldp.BasicContainer, relation: 'type'})
const directLink = formatLink({target: ldp.DirectContainer, relation: 'type'})

const documentLinks = [resourceLink, sourceLink, basicLink].join(', ')
const accessPointLinks = [resourceLink, sourceLink, directLink].join(', ')

/** Where the interface is described, below the base. */
export const openApiPath = '.well-known/openapi.json'

/** Headers that all documents have alike, prepared once. */
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
}

/** The headers of every answer about a document that exists. */
export function describeDocument(context: Context, document: DocumentHeaders): void {
  const {iri, base, tag, modified, isAccessPoint = false, nextPage} = document
  const {res} = context
  const parent = parentOf(iri, base)
  const up =
    parent === undefined ? {target: base + openApiPath, relation: 'service-desc'} : {target: parent, relation: 'up'}
  const next = nextPage === undefined ? '' : `, ${formatLink({target: nextPage, relation: 'next'})}`
  res.setHeader('Link', `${isAccessPoint ? accessPointLinks : documentLinks}, ${formatLink(up)}${next}`)
  for (const [name, value] of parent === undefined ? rootHeaders : documentHeaders) res.setHeader(name, value)
  if (tag !== undefined) res.setHeader('ETag', formatTag(tag))
  if (modified !== undefined) res.setHeader('Last-Modified', formatHttpDate(modified.getTime()))
}

/** An answer without a body: Koa would write the name of the status into it. */
export function answerEmpty(context: Context, status: number): void {
  context.body = null
  context.status = status
}

/** The prefixes that text formats abbreviate with: the vocabularies that every document uses. */
export function prefixesFor(platformNamespace: Iri) {
  return {c: platformNamespace, ldp: ldpNamespace, rdf: rdfNamespace, xsd: xsdNamespace}
}

export function quadsOf(document: Iri, triples: readonly Triple[]): Quad[] {
  const graph = namedNode(document)
  return triples.map(({subject, predicate, object}) => ({subject, predicate, object, graph}))
}

/** Streams a document's quads, which come grouped. */
export function streamQuads(
  context: Context,
  chosen: Negotiated<Format>,
  batches: AsyncIterable<readonly Quad[]>,
  {prefixes, ...how}: {readonly prefixes: Readonly<Record<string, Iri>>} & Omit<StreamOptions, 'type'>,
): Promise<void> {
  return streamChunks(context, quadChunks(chosen.offer, batches, prefixes), {type: contentType(chosen), ...how})
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

export type StreamOptions = {
  readonly type: string
  readonly stallMs: number
  readonly status?: number // default 200
}

/**
 * Streams an answer. Memory stays small for slow clients too; one that reads nothing for `stallMs` is cut off.
 *
 * The first chunk is there before the status is sent; a later failure ends the connection, never the document.
 */
export function streamChunks(
  context: Context,
  chunks: AsyncIterable<string | Uint8Array>,
  options: StreamOptions,
): Promise<void> {
  return timed('stream', () => writeChunks(context, chunks, options))
}

/** What is short is sent as a whole, with its length. */
const wholeLength = 65_536 // UTF-16 units or bytes

async function writeChunks(
  context: Context,
  chunks: AsyncIterable<string | Uint8Array>,
  {type, stallMs, status = 200}: StreamOptions,
): Promise<void> {
  let sink: Writable | undefined
  const held: (string | Uint8Array)[] = []
  let heldLength = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    heldLength += chunk.length
    if (heldLength < wholeLength) continue
    sink ??= begin(context, type, status)
    if (!sink.write(joinChunks(held.splice(0)))) await drained(context, sink, stallMs)
    heldLength = 0
  }
  if (sink !== undefined) return void sink.end(joinChunks(held))
  answerWhole(context, type, joinChunks(held))
  context.status = status
}

function answerWhole(context: Context, type: string, body: string | Uint8Array): void {
  context.set('Content-Type', type)
  context.body = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.length)
}

function begin(context: Context, type: string, status: number): Writable {
  context.respond = false
  context.set('Content-Type', type)
  const sink = openSink(context)
  context.res.writeHead(status)
  return sink
}

function joinChunks(chunks: readonly (string | Uint8Array)[]): string | Uint8Array {
  const [first] = chunks
  if (first === undefined || typeof first === 'string') return chunks.join('')
  return Buffer.concat(chunks.filter(chunk => typeof chunk !== 'string'))
}

/**
 * Waits until the client has taken what was written.
 *
 * A client that takes nothing for stallMs is cut off: its answer holds a snapshot and a connection of the database. The
 * connection is asked, not the response: one that waits behind another answer does not hear of its end. The losing
 * listener must go, or each wait would leave one.
 */
async function drained({req: {socket}}: Context, sink: Writable, stallMs: number): Promise<void> {
  const over = new AbortController()
  const happens = (emitter: Writable | Socket, event: string) => once(emitter, event, {signal: over.signal})
  const timer = setTimeout(() => socket.destroy(), stallMs)
  if (!socket.destroyed) await Promise.race([happens(sink, 'drain'), happens(socket, 'close')]).catch(() => undefined)
  clearTimeout(timer)
  over.abort()
  if (socket.destroyed) throw new Problem(499, 'client-gone', 'The client went away before the end of the answer.')
}
