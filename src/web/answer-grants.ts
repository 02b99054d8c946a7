/**
 * Grants over HTTP, for callers with control: GET and PUT of /.system/access?document=<IRI>.
 *
 * Floor 5. There only where grants count. docs/security.md has the form.
 */
import type {Context} from 'koa'
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import type {Mode} from '../db/access.ts'
import type {Grant} from '../db/grants.ts'
import {decodeBody} from '../format/registry.ts'
import {formatTag, readPreconditions, strongTag, type TagCondition} from '../http/conditional.ts'
import {readMediaType} from '../http/media-type.ts'
import type {Iri} from '../rdf/term.ts'
import {siteFor} from './access.ts'
import {readBytes} from './body.ts'
import {headerOf, type Site} from './exchange.ts'
import {answerEmpty, resourceLink, varied} from './reply.ts'
import {nameRoute} from './request-record.ts'

export const grantsPath = '.system/access'

const grantsLimit = 2 ** 20 // bytes of a body: thousands of grants
const allowed = 'GET, HEAD, OPTIONS, PUT'
const modes: readonly Mode[] = ['read', 'append', 'write', 'control']

/** @throws  Problem 400 `grants-shape` · 404 · 405 · 409 `control-kept` · 412 · 415, and what no grant allows */
export async function answerGrants(wholeSite: Site, context: Context): Promise<void> {
  nameRoute(context.req, 'grants')
  const site = siteFor(wholeSite, context)
  const {base, store} = site.dataset
  const document = new URLSearchParams(context.querystring).get('document') ?? base
  context.set({Allow: allowed, Link: resourceLink, Vary: varied, 'Cache-Control': 'no-cache'})
  switch (context.method) {
    case 'GET':
    case 'HEAD': {
      const {own, inherited, etag} = await store.readGrants(document)
      context.set({ETag: formatTag(strongTag(etag)), 'Content-Type': 'application/json'})
      context.body = `${JSON.stringify({document, grants: own, inherited})}\n`
      return
    }
    case 'PUT': {
      const {ifMatch} = readPreconditions(context.req.headers, Date.now())
      const grants = readGrants(await readJson(site, context))
      const etag = await store.putGrants(document, {grants, ifMatch: onlyTag(ifMatch, document), keepsControl: true})
      context.set('ETag', formatTag(strongTag(etag)))
      return answerEmpty(context, 204)
    }
    case 'OPTIONS':
      return answerEmpty(context, 204)
    default:
      throw new Problem(405, 'method-allowed', `${context.method} is not possible on <${base + grantsPath}>.`, {
        headers: {Allow: allowed},
      })
  }
}

/** Grants always exist, so `*` asks for nothing. */
function onlyTag(condition: TagCondition | undefined, document: Iri): string | undefined {
  if (condition === undefined || condition === '*') return undefined
  const [tag, ...others] = condition
  if (tag !== undefined && others.length === 0) return tag.isWeak ? '' : tag.opaque
  throw shape(`the grants of <${excerpt(document)}> have one entity tag, and If-Match names ${condition.length}`)
}

async function readJson(site: Site, context: Context): Promise<unknown> {
  const type = headerOf(context, 'content-type') ?? 'application/json'
  if (readMediaType(type).essence !== 'application/json')
    throw new Problem(415, 'media-type-known', 'Grants are written in application/json.', {
      headers: {Accept: 'application/json'},
    })
  try {
    return JSON.parse(decodeBody(await readBytes({site, context}, grantsLimit)))
  } catch (error) {
    if (error instanceof Problem) throw error
    throw shape(error instanceof Error ? excerpt(error.message) : 'it is no JSON')
  }
}

/** `{"grants": [{"grantee": "agent https://…", "modes": ["read"]}, …]}` */
function readGrants(body: unknown): readonly Grant[] {
  const {grants} = (typeof body === 'object' && body !== null ? body : {}) as {readonly grants?: unknown}
  if (!Array.isArray(grants)) throw shape('it has no array "grants"')
  const read = grants.map(checkGrant)
  const twice = read.find(({grantee}, index) => read.findIndex(other => other.grantee === grantee) < index)
  if (twice !== undefined) throw shape(`"${excerpt(twice.grantee)}" stands there twice`)
  return read
}

/** @throws  Problem 400 `grants-shape` */
export function checkGrant(value: unknown): Grant {
  const {grantee, modes: given} = (value ?? {}) as {readonly grantee?: unknown; readonly modes?: unknown}
  const isKnown = typeof grantee === 'string' && /^(?:public|authenticated|agent \S+|group \S.*)$/.test(grantee)
  if (!isKnown || Buffer.byteLength(grantee) > 2000 || grantee.includes('\0'))
    throw shape(
      `"${excerpt(String(grantee))}" is neither public, authenticated, agent and an IRI, nor group and a name`,
    )
  if (!Array.isArray(given) || given.length === 0 || !given.every(mode => modes.includes(mode)))
    throw shape(`the modes of "${excerpt(grantee)}" must be some of ${modes.join(', ')}`)
  return {grantee, modes: [...new Set(given)]}
}

function shape(reason: string): Problem {
  return new Problem(400, 'grants-shape', `The grants cannot be understood: ${reason}.`)
}
