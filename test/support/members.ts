/** Requests on access points and members. */
import type {ExecutionContext} from 'ava'
import type {Received, Sent} from './client.ts'
import {c, create, documentHeaders, ldp, type Made, turtle} from './documents.ts'
import type {TestService} from './service.ts'

export const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
export const ex = 'http://example.org/ns#'
export const asContainer = `${ldp}Container; rel=interaction-model`
export const asSource = `${ldp}RDFSource; rel=interaction-model`
export const ldpatch = {'Content-Type': 'text/ldpatch'}

/** The preferences of a DELETE of some members and of all members (docs/interface.md, Members). */
export const preferSelected = [
  asContainer,
  `include=${c}PreferSelectedMembershipTriples`,
  `omit=${c}PreferMembershipTriples`,
]
export const preferAll = [
  asContainer,
  `include=${c}PreferMembershipTriples`,
  `omit=${c}PreferSelectedMembershipTriples`,
]

/** A member action in Turtle: `action('Add', a, b)`. */
export function action(kind: 'Add' | 'Remove', ...members: readonly string[]): string {
  return `[] a <${c}${kind}MemberAction> ; <${c}targetMember> ${members.map(iri => `<${iri}>`).join(', ')} .`
}

type Point = {readonly parent: string; readonly slug: string; readonly relation: string; readonly inverse?: string}

/** Creates an access point. Fails the test if the status is not 201. */
export function createAccessPoint(t: ExecutionContext, service: TestService, point: Point): Promise<Made> {
  const {parent, slug, relation, inverse} = point
  const bilateral = inverse === undefined ? '' : `; <${ldp}isMemberOfRelation> <${inverse}>`
  const body = `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <${relation}> ${bilateral} .`
  return create(t, service, {parent, slug, body})
}

type Extra = {readonly headers?: Sent['headers']}

export function add(
  {send}: TestService,
  path: string,
  members: readonly string[],
  {headers = {}}: Extra = {},
): Promise<Received> {
  const body = action('Add', ...members)
  return send({method: 'PUT', path, headers: {...turtle, Prefer: asContainer, ...headers}, body})
}

export function remove(
  {send}: TestService,
  path: string,
  members: readonly string[],
  {headers = {}}: Extra = {},
): Promise<Received> {
  const body = action('Remove', ...members)
  return send({method: 'DELETE', path, headers: {...turtle, Prefer: preferSelected, ...headers}, body})
}

export function removeAll({send}: TestService, path: string, {headers = {}}: Extra = {}): Promise<Received> {
  return send({method: 'DELETE', path, headers: {Prefer: preferAll, ...headers}})
}

export function patch({send}: TestService, path: string, body: string, {headers = {}}: Extra = {}): Promise<Received> {
  return send({method: 'PATCH', path, headers: {...ldpatch, ...headers}, body})
}

/** A document's triples as sorted N-Triples without c:created and c:modified; IRIs below the base as `</path/>`. */
export async function triplesOf(
  service: TestService,
  path: string,
  headers: Sent['headers'] = {},
): Promise<readonly string[]> {
  const {status, text} = await service.send({path, headers: {...headers, Accept: 'application/n-triples'}})
  if (status !== 200) throw new Error(`${status} ${text}`)
  return text
    .split('\n')
    .filter(line => line !== '' && !line.includes(`<${c}created>`) && !line.includes(`<${c}modified>`))
    .map(line => line.replaceAll(`<${service.base}`, '</').replace(/ \.$/, ''))
    .sort()
}

/** The values of one property of a document, sorted, IRIs as paths. */
export async function valuesOf(
  service: TestService,
  path: string,
  property: string,
  headers: Sent['headers'] = {},
): Promise<readonly string[]> {
  const start = `<${path}> <${property}> `
  return (await triplesOf(service, path, headers))
    .filter(line => line.startsWith(start))
    .map(line => line.slice(start.length).replace(/^<(.*)>$/, '$1'))
}

/** The children that a document lists, as paths. */
export async function childrenOf(service: TestService, path: string): Promise<readonly string[]> {
  return valuesOf(service, path, `${ldp}contains`, {Prefer: `include="${ldp}PreferContainment"`})
}

/** The documents among these that an action changes. ETag, c:modified and triples must agree about it. */
export async function changedBy<Result>(
  t: ExecutionContext,
  service: TestService,
  paths: readonly string[],
  act: () => Promise<Result>,
): Promise<readonly string[]> {
  const look = () => Promise.all(paths.map(path => stateOf(service, path)))
  const before = await look()
  await act()
  const after = await look()
  return paths.filter((path, index) => {
    const [from, to] = [before[index], after[index]]
    const isNew = from?.etag !== to?.etag
    t.is(from?.modified !== to?.modified, isNew, `c:modified of ${path}`)
    t.is(from?.triples !== to?.triples, isNew, `triples of ${path}`)
    return isNew
  })
}

async function stateOf(service: TestService, path: string) {
  const {status, headers, text} = await service.send({path, headers: {Accept: 'application/n-triples'}})
  if (status !== 200) throw new Error(`${status} ${text}`)
  const [, modified] = /modified> "([^"]*)"/.exec(text) ?? []
  return {etag: headers.etag, modified, triples: (await triplesOf(service, path)).join('\n')}
}

/** The header fields of every response about an access point. */
export function accessPointHeaders(service: TestService, path: string, etag?: string): Record<string, unknown> {
  const headers = writtenHeaders(service, path, etag)
  return {...headers, link: String(headers.link).replace('BasicContainer', 'DirectContainer')}
}

/** The header fields of every response about a plain document, which can also be patched. */
export function writtenHeaders(service: TestService, path: string, etag?: string): Record<string, unknown> {
  const methods = path === '/' ? '' : ', DELETE, MOVE, COPY'
  return {
    ...documentHeaders(service, path, etag),
    allow: `GET, HEAD, OPTIONS, POST, PUT, PATCH${methods}`,
    'accept-patch': 'text/ldpatch, application/sparql-update',
  }
}

/** Rule of a problem response. */
export function ruleOf({text}: Received): string {
  return text === '' ? '' : JSON.parse(text).title
}

/** Checks the invariants of the store. */
export async function brokenInvariants({database}: TestService): Promise<readonly unknown[]> {
  return database.database.query('select * from quadstead.check_store()')
}
