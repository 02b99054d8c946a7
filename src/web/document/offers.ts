/**
 * What this service offers over HTTP: methods, formats of answers, and syntaxes of request bodies.
 *
 * Sources: docs/interface.md, Formats; LDP 1.0 §7.1 (Accept-Post); RFC 5789 §3.1 (Accept-Patch).
 */
import {Problem} from '../../base/problem.ts'
import {timed} from '../../base/stages.ts'
import {formatOfMediaType, formats, serialise, serialiseInSlices} from '../../format/registry.ts'
import type {Format} from '../../format/types.ts'
import {type Negotiated, negotiate} from '../../http/accept.ts'
import {readMediaType} from '../../http/media-type.ts'
import {memoize} from '../../http/memo.ts'
import type {Iri, Quad} from '../../rdf/term.ts'

const readable = formats.filter(({parse}) => parse !== undefined).flatMap(({mediaTypes}) => mediaTypes)

const acceptGraph = readable.join(', ')
const acceptPost = `${acceptGraph}, application/sparql-query, application/sparql-update`

export const patchTypes = ['text/ldpatch', 'application/sparql-update']
export const acceptPatch = patchTypes.join(', ')

const documentMethods = 'GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE, MOVE, COPY'
const rootMethods = 'GET, HEAD, OPTIONS, POST, PUT, PATCH'

/** The headers Allow, Accept-Post and Accept-Patch of a document. */
export function abilities(isRoot: boolean) {
  return {Allow: isRoot ? rootMethods : documentMethods, 'Accept-Post': acceptPost, 'Accept-Patch': acceptPatch}
}

const negotiated = memoize((accept: string) => negotiate(accept, formats))

/**
 * Negotiates the format of the answer.
 *
 * @throws  Problem 406 `format-acceptable`, which lists the available formats
 */
export function chooseFormat(accept: string | undefined): Negotiated<Format> {
  const chosen = negotiated(accept ?? '')
  if (chosen !== undefined) return chosen
  const available = formats.map(({mediaTypes: [first]}) => first)
  throw new Problem(
    406,
    'format-acceptable',
    `Nothing that "${accept}" accepts can be written; there is ${available.join(', ')}`,
    {
      members: {available},
    },
  )
}

/** Negotiates the format of an answer whose body is optional. */
export function chooseFormatIfAny(accept: string | undefined): Negotiated<Format> | undefined {
  return negotiated(accept ?? '')
}

/** `text/turtle; charset=utf-8`, `application/ld+json`: the media type that the client asked for. */
export function contentType({offer, mediaType}: Negotiated<Format>): string {
  return offer.charset ? `${mediaType}; charset=utf-8` : mediaType
}

/** Serialises a whole body at once. */
export function writeBody(
  {offer}: Negotiated<Format>,
  quads: readonly Quad[],
  prefixes: Readonly<Record<string, Iri>>,
): string | Buffer {
  return asBody(timed('serialise', () => serialise(offer, quads, {prefixes})))
}

/** Serialises a body that may be long, in slices, so that other requests run in between. */
export async function writeLongBody(
  {offer}: Negotiated<Format>,
  quads: readonly Quad[],
  prefixes: Readonly<Record<string, Iri>>,
): Promise<string | Buffer> {
  return asBody(await timed('serialise', () => serialiseInSlices(offer, quads, {prefixes})))
}

function asBody(body: string | Uint8Array): string | Buffer {
  return typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

/**
 * Reads the Content-Type of a request body.
 *
 * @param header  the header that lists the readable types in a 400 or 415 (RFC 9110 §12.5.1, LDP 1.0 §7.1)
 * @returns       the media type of a format that can be parsed
 * @throws        Problem 400 `content-type-given`, `content-type-syntax` · 415 `media-type-known`
 */
export function chooseSyntax(value: string | undefined, header: 'Accept-Post' | 'Accept'): string {
  const types = header === 'Accept-Post' ? acceptPost : acceptGraph
  const headers = {[header]: types}
  if (value === undefined || value.trim() === '') {
    throw new Problem(400, 'content-type-given', `A body needs a Content-Type, one of ${types}`, {headers})
  }
  const {essence} = readMediaType(value)
  if (formatOfMediaType(essence)?.parse === undefined) {
    throw new Problem(415, 'media-type-known', `${essence} cannot be read here; send one of ${types}`, {headers})
  }
  return essence
}
