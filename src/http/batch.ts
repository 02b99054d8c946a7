/**
 * Batches of requests in the JSON format of OData: their text to checked requests.
 *
 * Pure. A worker thread reads long batches. It knows no path and no method of this service.
 * Sources: OData JSON Format 4.01 §19 (Batch Requests and Responses); docs/interface.md, Batches.
 */
import {excerpt, excerptOfJson} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {fileBeside} from '../base/thread.ts'
import type {Job} from '../base/worker-pool.ts'
import {isToken} from './field.ts'
import {readMediaType} from './media-type.ts'
import {
  type ReferringText,
  readJsonReferences,
  readReference,
  readTurtleReferences,
  referencesOf,
} from './references.ts'

export type BatchRequest = {
  readonly id: string
  readonly method: string // in upper case
  readonly url: ReferringText
  readonly headers: ReadonlyMap<string, ReferringText> // names in lower case
  readonly body: ReferringText | Uint8Array | undefined
  readonly group: string | undefined // requests of a group are adjacent
  readonly needs: readonly string[] // ids of earlier requests and groups that must have succeeded
}

export type BatchTask = {
  readonly text: string
  readonly requestMax: number
  readonly binaryTypes: readonly string[] // media types whose bodies are written in base64url
}

/** Reads a long batch in a worker thread. */
export const readingBatch: Job<BatchTask, readonly BatchRequest[]> = {
  module: fileBeside(import.meta.url, 'batch'),
  function: 'readBatch',
  limitMs: 10_000,
  problem: () =>
    new Problem(503, 'busy', 'Too many long batches are waiting to be read, or reading this one takes too long.', {
      headers: {'Retry-After': '10'},
    }),
}

const idSyntax = /^[A-Za-z0-9._~-]{1,100}$/
const members = new Set(['id', 'method', 'url', 'headers', 'body', 'dependsOn', 'atomicityGroup'])

/** Fields that belong to the message that carries a batch, or to its caller. */
const outerFields = new Set([
  ...['authorization', 'connection', 'content-encoding', 'content-length', 'cookie', 'expect', 'forwarded', 'host'],
  ...['idempotency-key', 'keep-alive', 'quadstead-consistency', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['x-request-id'],
])
const outerPrefixes = /^(?:proxy|x-forwarded)-/

/** Media types in which `<$id>` is a reference. */
const turtleFamily = new Set([
  ...['text/turtle', 'text/n3', 'text/rdf+n3', 'text/x-nquads', 'text/nquads', 'text/ldpatch'],
  ...['turtle', 'trig', 'n-triples', 'n-quads', 'sparql-update', 'sparql-query'].map(name => `application/${name}`),
])

/**
 * Reads a batch.
 *
 * @throws  Problem 400 `json-syntax`, `batch-shape` · 413 `batch-size`
 */
export function readBatch({text, requestMax, binaryTypes}: BatchTask): readonly BatchRequest[] {
  const {requests, ...others} = objectOf(parseJson(text), 'the batch')
  for (const name of Object.keys(others)) throw shapeOf('the batch', `it has the unknown member "${excerpt(name)}"`)
  if (!Array.isArray(requests)) throw shapeOf('the batch', '"requests" must be an array')
  if (requests.length > requestMax)
    throw new Problem(413, 'batch-size', `A batch may have ${requestMax} requests; this one has ${requests.length}.`, {
      members: {limit: requestMax},
    })
  const reader = createReader(binaryTypes)
  return requests.map((one, index) => reader(objectOf(one, `request ${index + 1}`), `request ${index + 1}`))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Problem(400, 'json-syntax', `The body is not JSON: ${excerpt(error.message)}.`, {cause: error})
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Reads requests one after the other, because a request may only refer to earlier ones. */
function createReader(binaryTypes: readonly string[]): (fields: Fields, place: string) => BatchRequest {
  const ids = new Set<string>()
  const groups = new Set<string>()
  let last: string | undefined

  function readGroup(value: unknown, place: string): string | undefined {
    const group = value === undefined ? undefined : nameOf(value, 'atomicityGroup', place)
    if (group !== undefined && group !== last && (groups.has(group) || ids.has(group)))
      throw shapeOf(place, `"${group}" is in use; the requests of a group must follow each other`)
    if (group !== undefined) groups.add(group)
    last = group
    return group
  }
  function readDependencies(value: unknown, place: string): readonly string[] {
    if (value === undefined) return []
    if (!Array.isArray(value)) throw shapeOf(place, '"dependsOn" must be an array')
    return value.map(one => {
      const name = nameOf(one, 'dependsOn', place)
      if (ids.has(name) || (groups.has(name) && name !== last)) return name
      throw shapeOf(place, `"dependsOn" names "${name}", which is no earlier request or group`)
    })
  }

  return (fields, place) => {
    checkMembers(fields, place)
    const id = nameOf(fields.id, 'id', place)
    if (ids.has(id) || groups.has(id)) throw shapeOf(place, `the id "${id}" is in use`)
    const group = readGroup(fields.atomicityGroup, place)
    if (id === group) throw shapeOf(place, `the id "${id}" is in use`)
    const url = readUrl(fields.url, ids, place)
    const headers = readHeaders(fields.headers, ids, place)
    const body = readBody(fields.body, {type: String(headers.get('content-type')?.[0] ?? ''), ids, binaryTypes, place})
    const referred = [url, ...headers.values(), ...(Array.isArray(body) ? [body] : [])].flatMap(referencesOf)
    const needs = [...new Set([...readDependencies(fields.dependsOn, place), ...referred])]
    ids.add(id)
    return {id, method: readMethod(fields.method, place), url, headers, body, group, needs}
  }
}

function checkMembers(fields: Fields, place: string): void {
  if (fields.if !== undefined) throw shapeOf(place, '"if" is not supported; use "dependsOn"')
  for (const name of Object.keys(fields))
    if (!members.has(name)) throw shapeOf(place, `it has the unknown member "${excerpt(name)}"`)
}

function readMethod(value: unknown, place: string): string {
  if (typeof value === 'string' && /^[A-Za-z]{1,20}$/.test(value)) return value.toUpperCase()
  throw shapeOf(place, `"method" must be an HTTP method; it is ${excerptOfJson(value)}`)
}

function readUrl(value: unknown, ids: ReadonlySet<string>, place: string): ReferringText {
  if (typeof value !== 'string') throw shapeOf(place, `"url" must be a string; it is ${excerptOfJson(value)}`)
  const url = readReference(value, ids)
  if (url.length === 1 && value.startsWith('$'))
    throw shapeOf(place, `"url" begins with "${excerpt(value)}", and no earlier request has this id`)
  return url
}

/** Reads the header fields. `If-Match: $id` stands for the entity tag of an earlier response (OData 4.01 §11.4.1.2). */
function readHeaders(value: unknown, ids: ReadonlySet<string>, place: string): BatchRequest['headers'] {
  const headers = new Map<string, ReferringText>()
  for (const [written, content] of Object.entries(
    value === undefined ? {} : objectOf(value, `"headers" of ${place}`),
  )) {
    const name = written.toLowerCase()
    if (!isToken(name) || typeof content !== 'string' || /[^\t\x20-\x7E\x80-\xFF]/.test(content))
      throw shapeOf(place, `the header "${excerpt(written)}" is not a header field with a string`)
    if (outerFields.has(name) || outerPrefixes.test(name))
      throw shapeOf(place, `the header "${name}" belongs to the request with the batch`)
    if (headers.has(name)) throw shapeOf(place, `the header "${name}" occurs twice`)
    headers.set(name, readHeader(name, content, ids))
  }
  return headers
}

function readHeader(name: string, content: string, ids: ReadonlySet<string>): ReferringText {
  if (name === 'destination') return readReference(content, ids)
  const id = content.slice(1)
  const isTag = /^if-(?:none-)?match$/.test(name) && content.startsWith('$') && ids.has(id)
  return isTag ? [{kind: 'etag', id}] : [content]
}

type BodyPlace = {
  readonly type: string // Content-Type
  readonly ids: ReadonlySet<string>
  readonly binaryTypes: readonly string[]
  readonly place: string
}

/** Reads a body: a JSON value, a text, or bytes in base64url. */
function readBody(value: unknown, {type, ids, binaryTypes, place}: BodyPlace): BatchRequest['body'] {
  if (value === undefined) return undefined
  const essence = type === '' ? '' : readMediaType(type).essence
  if (typeof value !== 'string') {
    if (!/[/+]json$/.test(essence)) throw shapeOf(place, `a body of ${essence || 'no media type'} must be a string`)
    return readJsonReferences(writeJson(value, place), ids)
  }
  if (binaryTypes.includes(essence)) return Buffer.from(value, 'base64url')
  return turtleFamily.has(essence) ? readTurtleReferences(value, ids) : [value]
}

function writeJson(value: unknown, place: string): string {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw shapeOf(place, 'its body is nested too deeply')
  }
}

function nameOf(value: unknown, member: string, place: string): string {
  if (typeof value === 'string' && idSyntax.test(value)) return value
  const message = `"${member}" must have 1 to 100 of the characters A-Z a-z 0-9 - . _ ~; it is ${excerptOfJson(value)}`
  throw shapeOf(place, message)
}

function objectOf(value: unknown, place: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw shapeOf(place, `it must be an object; it is ${excerptOfJson(value)}`)
}

function shapeOf(place: string, reason: string): Problem {
  return new Problem(400, 'batch-shape', `In ${place}: ${reason}.`)
}
