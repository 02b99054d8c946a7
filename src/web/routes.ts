/**
 * Routes a request to its handler by path and method.
 *
 * A path that ends with '/' names a document. The other paths belong to the service (decision 0009).
 * `.system/platform/` is the only exception. Only this file imports @koa/router.
 */
import Router from '@koa/router'
import type {Context, Middleware} from 'koa'
import {Problem} from '../base/problem.ts'
import {hasDocument} from '../db/store/document-reads.ts'
import {readPreferences} from '../http/prefer.ts'
import {type RequestTarget, readRequestTarget} from '../http/request-target.ts'
import {noDocument} from '../ldp/no-document.ts'
import type {Iri} from '../rdf/term.ts'
import {answerDelete} from './document/delete.ts'
import {answerOptions, orMissing} from './document/get.ts'
import {answerGraphStore} from './document/graph-store.ts'
import {answerRestore, restoredTagOf} from './document/history.ts'
import {answerCopy, answerMove, orMoved} from './document/move.ts'
import {abilities} from './document/offers.ts'
import {answerPatch} from './document/patch.ts'
import {answerEmpty, graphStorePath, openApiPath, resourceLink} from './document/reply.ts'
import {answerPost, answerPut} from './document/write.ts'
import {type Exchange, fieldsOf, type SharedSite, type Site} from './exchange.ts'
import {answerDescribe} from './pages/describe.ts'
import {answerDocs} from './pages/docs.ts'
import {answerRead} from './pages/get-history.ts'
import {answerErrors, answerNames, serveAsset} from './pages/resources.ts'
import {postQueryOrUpdate, queryEndpoint} from './query/query.ts'
import {siteFor} from './server/access.ts'
import {answerOnce} from './server/answer-once.ts'
import {requireKnownMethod} from './server/request-head.ts'
import {nameRoute} from './server/request-record.ts'
import {answerBatch, batchPath} from './service/batch.ts'
import {answerChanges, changesPath} from './service/changes.ts'
import {answerGrants, grantsPath} from './service/grants.ts'
import {answerKey, answerKeys, keysPath} from './service/keys.ts'
import {createOpenApiAnswer} from './service/openapi.ts'
import {answerPlatform, type Build, platformPath} from './service/platform.ts'
import {asksToRead} from './service/read-only.ts'
import {answerSearch, searchPath} from './service/search.ts'
import {answerSessions, sessionsRoute} from './service/sessions.ts'
import {
  answerFromIssuer,
  answerSignIn,
  answerSignOut,
  answerToIssuer,
  signInRoute,
  signOutRoute,
} from './service/sign-in.ts'
import {answerVoid, voidPath} from './service/void.ts'

const handlers: Readonly<Record<string, (exchange: Exchange) => Promise<void>>> = {
  GET: answerRead,
  HEAD: answerRead,
  OPTIONS: answerOptions,
  POST: async exchange => postQueryOrUpdate(exchange) ?? answerPost(exchange),
  PUT: answerPut,
  PATCH: answerPatch,
  DELETE: answerDelete,
  MOVE: answerMove,
  COPY: answerCopy,
}

/**
 * Reads the request target once. Later middleware sees a URL of the form `/path?query`.
 *
 * @throws  Problem 414 `uri-length` · 400 `uri-valid`
 */
export function readTarget(limitBytes: number): Middleware {
  return (context, next) => {
    const target = readRequestTarget(context.req.url ?? '', {limitBytes})
    context.state.target = target
    context.url = target.query === undefined ? target.path : `${target.path}?${target.query}`
    return next()
  }
}

export type ServicePages = {
  readonly errorsMarkdown: string
  readonly build: Build
  readonly metricsPath: string | undefined // undefined: metrics are not served here
  readonly count: Middleware // counts a request for its caller
}

/** Routes for the service's own resources (docs/interface.md, The service's own resources). */
export function serviceRoutes(shared: SharedSite, {errorsMarkdown, build, metricsPath, count}: ServicePages) {
  const router = new Router()
  const {access, dataset} = shared
  const basePath = new URL(dataset.base).pathname
  const pathname = literally(basePath)
  const fixed = new Map<string, (context: Context) => void | Promise<void>>() // by path, without parameters
  function route(path: string, answer: (site: Site, context: Context) => void | Promise<void>): void {
    const answerRouted = (context: Context) => answer(siteFor(shared, context), context)
    router.all(pathname + path, answerRouted)
    if (!/[:*]/.test(path)) fixed.set(basePath + path, answerRouted)
  }
  const page = (path: string, answer: (site: Site, context: Context) => void | Promise<void>) =>
    route(path, (site, context) => (asksToRead(context, {Link: resourceLink}) ? answer(site, context) : undefined))
  route(sparqlPath, queryEndpoint)
  route(graphStorePath, answerGraphStore)
  const batches = {route: routeWithin, count, isWithin: false}
  route(batchPath, (site, context) => answerBatch({...batches, shared}, site, context))
  route(platformPath, (site, context) => answerPlatform(site, build, context))
  page(voidPath, answerVoid)
  page(changesPath, answerChanges)
  page(openApiPath, createOpenApiAnswer(shared, build, metricsPath))
  page('errors', (site, context) => answerErrors(site, context, errorsMarkdown))
  page('describe', answerDescribe)
  page('docs', (site, context) => answerDocs(site, context, ''))
  page('docs/*path', (site, context) => answerDocs(site, context, context.params.path ?? ''))
  if (shared.hasSearch) page(searchPath, answerSearch)
  page('.system/names', answerNames)
  page('.system/assets/:hash/:name', (site, context) => serveAsset(site, context, context.params))
  if (access.isGuarded) {
    route(grantsPath, answerGrants)
    route(keysPath, answerKeys)
    route(signInRoute, answerSignIn)
    route(`${signInRoute}/issuer`, answerToIssuer)
    route(`${signInRoute}/answer`, answerFromIssuer)
    route(signOutRoute, answerSignOut)
    route(sessionsRoute, answerSessions)
    route(`${keysPath}/:id`, (site, context) => answerKey(site, context, context.params.id ?? ''))
  }
  const routes = router.routes()
  const platformDocument = new URL(platformPath, dataset.base).pathname
  const isDocument = (path: string) => path.endsWith('/') && path !== platformDocument
  // The router tests its patterns one after the other. The map spares most requests these tests.
  return (context: Context, next: () => Promise<void>): unknown => {
    if (isDocument(context.path)) return next()
    nameRoute(context.req, 'service')
    const answer = fixed.get(context.path)
    return answer === undefined ? routes(context as never, next) : answer(context)
  }
}

const sparqlPath = 'sparql'

/** Escapes a path for use as a route, in which some characters have a special meaning. */
function literally(path: string): string {
  return path.replace(/[{}()[\]+?!:*\\]/g, '\\$&')
}

/** Answers requests that have an Idempotency-Key: to documents, the graph store, /sparql and /batch. */
export function keyedRoutes(shared: SharedSite, count: Middleware): Middleware {
  const basePath = new URL(shared.dataset.base).pathname
  const batch = basePath + batchPath
  const others = new Set([batch, basePath + sparqlPath, basePath + graphStorePath])
  const isKeyed = (path: string) => path.endsWith('/') || others.has(path)
  const route = (within: SharedSite, context: Context) => {
    if (context.path !== batch) return routeWithin(within, context)
    const endpoint = {shared: within, route: routeWithin, count, isWithin: true}
    return answerBatch(endpoint, siteFor(within, context), context)
  }
  return answerOnce({shared, isKeyed, route})
}

/** Routes for documents, which are all remaining paths. */
export function documentRoutes(shared: SharedSite): Middleware {
  const basePath = new URL(shared.dataset.base).pathname
  return context => routeDocument(shared, basePath, context)
}

/**
 * Routes a request within another one: to a document, the graph store or /sparql.
 *
 * @throws  Problem 501 `method-known` · 414 `uri-length` · 400 `uri-valid`, `batch-url`
 */
async function routeWithin(shared: SharedSite, context: Context): Promise<void> {
  requireKnownMethod(context)
  const basePath = new URL(shared.dataset.base).pathname
  await readTarget(shared.limits.uriBytes)(context, async () => undefined)
  const {path}: RequestTarget = context.state.target
  if (path === basePath + sparqlPath) return queryEndpoint(siteFor(shared, context), context)
  if (path === basePath + graphStorePath) return answerGraphStore(siteFor(shared, context), context)
  if (path === basePath + batchPath || path === '*')
    throw new Problem(400, 'batch-url', `A batch cannot contain a request to ${path}.`)
  return routeDocument(shared, basePath, context)
}

async function routeDocument(shared: SharedSite, basePath: string, context: Context): Promise<void> {
  const target: RequestTarget = context.state.target
  if (target.path === '*') return describeServer(context)
  const iri = iriOf(shared, basePath, target)
  nameRoute(context.req, 'document')
  const preferences = readPreferences(fieldsOf(context, 'prefer'))
  const exchange: Exchange = {site: siteFor(shared, context), context, iri, target, preferences}
  return orMoved(exchange, () => handlerOf(exchange)(exchange))
}

function handlerOf({target, context}: Exchange): (exchange: Exchange) => Promise<void> {
  if (!target.path.endsWith('/')) return redirectToDocument
  const handler = handlers[context.method] ?? (exchange => orMissing(exchange, () => refuseMethod(exchange)))
  return reading.has(context.method) ? handler : exchange => writePresent(exchange, handler)
}

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Runs the handler of a write, or restores the state that the URL names. */
function writePresent(exchange: Exchange, handler: (exchange: Exchange) => Promise<void>): Promise<void> {
  const tag = restoredTagOf(exchange)
  return tag === undefined ? handler(exchange) : answerRestore(exchange, tag)
}

/**
 * The document's IRI: the request's path on the configured base (decision 0008).
 *
 * @throws  Problem 404 `document-exists` if the path is outside the base
 */
function iriOf({dataset}: SharedSite, basePath: string, {path}: RequestTarget): Iri {
  if (`${path}/` === basePath) return dataset.base.slice(0, -1)
  if (path.startsWith(basePath)) return dataset.base + path.slice(basePath.length)
  throw noDocument(new URL(dataset.base).origin + path)
}

/** Answers `OPTIONS *`, which asks about the whole server (RFC 9110 §9.3.7). */
function describeServer(context: Context): void {
  if (context.method !== 'OPTIONS') throw new Problem(400, 'uri-valid', 'Only OPTIONS can be asked of *.')
  context.set({Allow: abilities(false).Allow, Link: resourceLink})
  context.status = 204
}

/** Redirects to the document's path with its final slash. A 308 keeps method and body. */
async function redirectToDocument({site, context, iri, target}: Exchange): Promise<void> {
  if (!(await hasDocument(site.dataset.session, `${iri}/`))) throw noDocument(iri)
  const query = target.query === undefined ? '' : `?${target.query}`
  context.set({Location: `${iri}/${query}`, Link: resourceLink, 'Cache-Control': 'no-cache'})
  answerEmpty(context, 308)
}

function refuseMethod({site, context, iri}: Exchange): never {
  const isRoot = iri === site.dataset.base
  throw new Problem(405, 'method-allowed', `${context.method} is not possible on <${iri}>.`, {
    headers: abilities(isRoot),
  })
}
