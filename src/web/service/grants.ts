/**
 * Grants over HTTP, for callers with control: GET, PUT, POST and DELETE of /.system/access?document=<IRI>.
 *
 * Only available with access control. docs/security.md describes the JSON. Browsers get a page with forms.
 */
import type {Context} from 'koa'
import {
  type GrantsBody,
  grantsShape,
  readExpiry,
  readGrant,
  readGrantee,
  readGrantsBody,
  showGrant,
} from '../../authentication/grants.ts'
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {addGrant, putGrants, type RemovedGrant, readGrants, removeGrant} from '../../db/store/grants.ts'
import {formatTag, readPreconditions, strongTag, type TagCondition} from '../../http/conditional.ts'
import type {Iri} from '../../rdf/term.ts'
import {answerEmpty, resourceLink, varied} from '../document/reply.ts'
import {headerOf, type Site} from '../exchange.ts'
import {prefersHtml} from '../pages/preference.ts'
import {nameRoute} from '../server/request-record.ts'
import {isOwnForm} from './form-body.ts'
import {changeGrantsByForm, showGrantsPage} from './grants-page.ts'
import {readJson} from './json-body.ts'

export const grantsPath = '.system/access'

const allowed = 'GET, HEAD, OPTIONS, PUT, POST, DELETE'

/** @throws  Problem 400 `grants-shape` · 404 · 405 · 409 `control-kept`, `grant-free` · 412 · 415 · 422 · 401, 403 */
export async function answerGrants(site: Site, context: Context): Promise<void> {
  nameRoute(context.req, 'grants')
  const parameters = new URLSearchParams(context.querystring)
  const document = parameters.get('document') ?? site.dataset.base
  context.set({Allow: allowed, Link: resourceLink, Vary: varied, 'Cache-Control': 'no-cache'})
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      if (prefersHtml(headerOf(context, 'accept'))) return showGrantsPage(site, context, document)
      return showGrants(site, context, document)
    case 'POST':
      if (isOwnForm(context, site.dataset.base)) return changeGrantsByForm(site, context, document)
      return changeGrants(site, context, {document, parameters})
    case 'PUT':
    case 'DELETE':
      return changeGrants(site, context, {document, parameters})
    case 'OPTIONS':
      return answerEmpty(context, 204)
    default:
      throw new Problem(
        405,
        'method-allowed',
        `${context.method} is not possible on <${site.dataset.base + grantsPath}>.`,
        {
          headers: {Allow: allowed},
        },
      )
  }
}

async function showGrants({dataset}: Site, context: Context, document: Iri): Promise<void> {
  const {own, inherits, inherited, withheld, etag} = await readGrants(dataset.session, document)
  const shown = {
    document,
    inherits,
    grants: own.map(showGrant),
    inherited: inherited.map(grant => ({document: grant.document, ...showGrant(grant)})),
    withheld,
  }
  context.set({ETag: formatTag(strongTag(etag)), 'Content-Type': 'application/json'})
  context.body = `${JSON.stringify(shown)}\n`
}

async function changeGrants(
  site: Site,
  context: Context,
  {document, parameters}: {readonly document: Iri; readonly parameters: URLSearchParams},
): Promise<void> {
  const {session} = site.dataset
  const ifMatch = onlyTag(readPreconditions(context.req.headers, Date.now()).ifMatch, document)
  const change = async () => {
    if (context.method === 'DELETE')
      return removeGrant(session, document, removedGrant(parameters), {ifMatch, keepsControl: true})
    const body = await readJson(site, context, 'Grants')
    if (context.method === 'POST') return addGrant(session, document, readGrant(body), ifMatch)
    const given: GrantsBody = readGrantsBody(body)
    return putGrants(session, document, {...given, ifMatch, keepsControl: true})
  }
  context.set('ETag', formatTag(strongTag(await change())))
  answerEmpty(context, 204)
}

/**
 * Reads which grants to remove: all of `grantee`, or only those with the given `expires` (`never` or a time).
 *
 * @throws  Problem 400 `grants-shape`
 */
function removedGrant(parameters: URLSearchParams): RemovedGrant {
  const [grantee, expires] = [parameters.get('grantee'), parameters.get('expires')]
  if (grantee === null) throw grantsShape('the parameter "grantee" says whose grants to remove, and is missing')
  if (expires === null) return {grantee: readGrantee(grantee), expires: 'all'}
  return {grantee: readGrantee(grantee), expires: expires === 'never' ? undefined : readExpiry(expires)}
}

/**
 * The entity tag of If-Match. `*` is no condition, because grants always exist.
 *
 * @throws  Problem 400 `grants-shape`: several tags
 */
function onlyTag(condition: TagCondition | undefined, document: Iri): string | undefined {
  if (condition === undefined || condition === '*') return undefined
  const [tag, ...others] = condition
  if (tag !== undefined && others.length === 0) return tag.isWeak ? '' : tag.opaque
  throw grantsShape(`the grants of <${excerpt(document)}> have one entity tag, and If-Match names ${condition.length}`)
}
