/** Requests on documents in one line, and responses as values to compare. */
import type {ExecutionContext} from 'ava'
import {formatOfMediaType, formats} from '../../src/format/registry.ts'
import type {Quad, Term} from '../../src/rdf/term.ts'
import type {Received, Sent} from './client.ts'
import type {TestService} from './service.ts'

export const c = 'https://carbonldp.com/ns/v1/platform#'
export const ldp = 'http://www.w3.org/ns/ldp#'
export const xsd = 'http://www.w3.org/2001/XMLSchema#'

export const turtle = {'Content-Type': 'text/turtle'}
export const trig = {'Content-Type': 'application/trig'}
export const jsonLd = {'Content-Type': 'application/ld+json'}

/** The preferences of a DELETE of all children (docs/interface.md, Deleting). */
export const preferChildren = [
  `${ldp}Container; rel=interaction-model`,
  `include=${c}PreferContainmentResources`,
  `omit=${c}PreferContainer`,
  `omit=${c}PreferMembershipTriples`,
]

/** Header fields whose values differ between responses, or belong to the connection. */
const volatileHeaders = [
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'last-modified',
  'x-request-id',
]

const requestIdSyntax = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export type Answer = {readonly status: number; readonly headers: Record<string, unknown>; readonly body: unknown}

/**
 * A response as one value: status, header fields except those that always differ, and body (JSON is parsed, without
 * requestId).
 *
 * Fails if a requestId is not a UUID, or if the length of a body is not the announced one.
 */
export function answerOf(t: ExecutionContext, {status, headers, bytes, text}: Received): Answer {
  const kept = Object.entries(headers).filter(([name]) => !volatileHeaders.includes(name))
  if ('x-request-id' in headers) t.regex(String(headers['x-request-id']), requestIdSyntax)
  const announced = headers['content-length']
  if (announced !== undefined && bytes.length > 0) t.is(Number(announced), bytes.length)
  return {status, headers: Object.fromEntries(kept), body: bodyOf(t, headers['content-type'], text)}
}

function bodyOf(t: ExecutionContext, type: string | undefined, text: string): unknown {
  if (text === '' || type === undefined || !type.endsWith('json')) return text
  const parsed = JSON.parse(text)
  if (type !== 'application/problem+json') return parsed
  const {requestId, ...problem} = parsed
  t.regex(requestId, requestIdSyntax)
  return problem
}

/** The whole problem response: the header fields of every error, and the given ones. */
export function refusal(
  {base}: TestService,
  problem: {
    readonly status: number
    readonly rule: string
    readonly detail: string
    readonly [member: string]: unknown
  },
  {path = '/', headers = {}}: {path?: string; headers?: Readonly<Record<string, string>>} = {},
): Answer {
  const {status, rule, detail, ...members} = problem
  const links = [`<${ldp}Resource>; rel="type"`]
  if ([409, 412, 422].includes(status)) links.push(`<${base}errors#${rule}>; rel="${ldp}constrainedBy"`)
  return {
    status,
    headers: {
      link: links.join(', '),
      vary: 'Accept, Accept-Datetime, Prefer, Accept-Encoding, Origin',
      'cache-control': 'no-store',
      'content-type': 'application/problem+json',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: {
      type: `${base}errors#${rule}`,
      title: rule,
      status,
      detail,
      instance: base + path.slice(1),
      ...members,
    },
  }
}

/** The header fields of every response about an existing document. */
export function documentHeaders({base}: TestService, path: string, etag?: string): Record<string, unknown> {
  const types = ['Resource', 'RDFSource', 'BasicContainer'].map(type => `<${ldp}${type}>; rel="type"`)
  const description = `<${base}.well-known/openapi.json>; rel="service-desc"`
  const up = path === '/' ? [description] : [`<${base}${path.slice(1).replace(/[^/]+\/$/, '')}>; rel="up"`]
  return {
    link: [...types, ...up, ...historyLinks(base + path.slice(1))].join(', '),
    ...abilities(path),
    vary: 'Accept, Accept-Datetime, Prefer, Accept-Encoding, Origin',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    ...(etag === undefined ? {} : {etag}),
  }
}

/** The links of a document to its history. */
export function historyLinks(iri: string): readonly string[] {
  return [`<${iri}>; rel="original timegate"`, `<${iri}?states>; rel="timemap"`]
}

/** The methods and formats of a document: Allow, Accept-Post and Accept-Patch. */
export function abilities(path: string) {
  const methods = 'GET, HEAD, OPTIONS, POST, PUT, PATCH'
  return {
    allow: path === '/' ? methods : `${methods}, DELETE, MOVE, COPY`,
    'accept-post': acceptPost,
    'accept-patch': 'text/ldpatch, application/sparql-update',
  }
}

/** Types of bodies with a graph. */
export const acceptGraph = formats
  .filter(({parse}) => parse !== undefined)
  .flatMap(({mediaTypes}) => mediaTypes)
  .join(', ')

export const acceptPost = `${acceptGraph}, application/sparql-query, application/sparql-update`

export type Made = {readonly path: string; readonly iri: string; readonly etag: string}

/** Creates a document. Fails the test if the status is not 201. */
export async function create(
  t: ExecutionContext,
  service: TestService,
  {
    parent = '/',
    slug,
    body = '',
    headers = {},
  }: {parent?: string; slug?: string; body?: string; headers?: Sent['headers']},
): Promise<Made> {
  const named = slug === undefined ? {} : {Slug: slug}
  const answer = await service.send({method: 'POST', path: parent, headers: {...turtle, ...named, ...headers}, body})
  t.is(answer.status, 201, answer.text)
  const iri = answer.headers.location ?? ''
  return {iri, path: `/${iri.slice(service.base.length)}`, etag: answer.headers.etag ?? ''}
}

/** The quads of a response's body. */
export async function quadsOf({headers, bytes, text}: Received): Promise<readonly Quad[]> {
  const parse = formatOfMediaType(headers['content-type'] ?? '')?.parse
  if (parse === undefined) throw new Error(`no RDF to read: ${headers['content-type']} ${text}`)
  return parse(bytes, {base: 'http://wrong.example/'})
}

/** The quads of a document as sorted N-Triples, without the service's properties, with its IRI as `<>`. */
export async function saidOf(service: TestService, path: string): Promise<readonly string[]> {
  const answer = await service.send({path, headers: {Accept: 'application/n-quads'}})
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  const iri = service.base + path.slice(1)
  const quads = (await quadsOf(answer)).filter(({subject, predicate}) => {
    return subject.value !== iri || !isServiceProperty(predicate.value)
  })
  const show = (term: Term) => (term.value === iri ? '<>' : showTerm(term))
  return quads.map(({subject, predicate, object}) => `${show(subject)} ${show(predicate)} ${show(object)}`).sort()
}

function isServiceProperty(iri: string): boolean {
  const own = ['membershipResource', 'hasMemberRelation', 'insertedContentRelation'].map(name => ldp + name)
  return [...own, `${c}created`, `${c}modified`, 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'].includes(iri)
}

function showTerm(term: Term): string {
  if (term.termType === 'NamedNode') return `<${term.value}>`
  if (term.termType === 'BlankNode') return `_:${term.value}`
  const type = term.datatype.value === `${xsd}string` ? '' : `^^<${term.datatype.value}>`
  return `"${term.value}"${term.language === '' ? type : `@${term.language}`}`
}

/** The only value of a property of a document, as it is written. */
export async function readValue(service: TestService, path: string, property: string): Promise<string> {
  const answer = await service.send({path, headers: {Accept: 'application/n-quads'}})
  const [only, ...others] = (await quadsOf(answer)).filter(({predicate}) => predicate.value === property)
  if (only === undefined || others.length > 0) throw new Error(`${others.length + 1} values of ${property}`)
  return only.object.value
}

/** A document's Turtle with further statements, as a PUT can send it. */
export async function bodyToPut(service: TestService, path: string, more = ''): Promise<string> {
  return `${(await service.send({path})).text}\n${more}`
}
