/**
 * Applies access control: gives each request a site whose session acts on behalf of the request's caller.
 *
 * Without access control, every caller may do everything.
 * Source: docs/security.md.
 */
import type {Context} from 'koa'
import {granteesOf} from '../../base/principal.ts'
import {Problem} from '../../base/problem.ts'
import type {Caller, Mode} from '../../db/store/caller.ts'
import {mayDo, mayReadAll} from '../../db/store/grants.ts'
import type {Allowed} from '../../db/store/graph-codec.ts'
import type {Session} from '../../db/store/session.ts'
import type {Iri} from '../../rdf/term.ts'
import type {SharedSite, Site} from '../exchange.ts'
import {callerOf} from './caller.ts'
import {recordOf} from './request-record.ts'
import {viewerOf} from './viewer.ts'

/** The mode that each method needs at least. The action may need more (docs/security.md). */
const leastModes: Readonly<Record<string, Mode>> = {POST: 'create', PUT: 'members', PATCH: 'edit', MOVE: 'delete'}

/** Requests with these change nothing, so nobody asks who made them. */
const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The site for one request. Its database work has the request's id, and is done on behalf of its caller. */
export function siteFor(shared: SharedSite, context: Context): Site {
  const session: Session = {
    ...shared.unguardedSession,
    caller: accessOf(shared, context),
    least: leastModes[context.method] ?? 'read',
    requestId: recordOf(context.req).id,
    turn: shared.callerKey(context),
  }
  const viewer = viewerOf(shared, context)
  const pages = viewer === undefined ? shared.pages : {...shared.pages, site: {...shared.pages.site, viewer}}
  const {base, platform, checksum, bodies} = shared.dataset
  return {...guarded(shared), pages, dataset: {session, base, platform, checksum, bodies}}
}

type Guarded = Omit<SharedSite, 'unguardedSession'>

const guardedSites = new WeakMap<SharedSite, Guarded>()

/** What requests share, without the unguarded session. It is kept, because V8 leaves out a key slowly. */
function guarded(shared: SharedSite): Guarded {
  const known = guardedSites.get(shared)
  if (known !== undefined) return known
  const {unguardedSession, ...others} = shared
  guardedSites.set(shared, others)
  return others
}

function accessOf({access}: Pick<Site, 'access'>, context: Context): Caller | undefined {
  const {isGuarded, isHidden, isAudited} = access
  if (!isGuarded && readingMethods.has(context.method)) return undefined
  const caller = callerOf(context)
  return {grantees: isGuarded ? granteesOf(caller) : undefined, isHidden, agent: caller.agent, isAudited}
}

/** The site for a request that only reads, whatever its method (a POSTed query, for example). */
export function readerSite(site: Site): Site {
  const {dataset} = site
  return {...site, dataset: {...dataset, session: {...dataset.session, least: 'read'}}}
}

/** @throws  Problem 403 `access-granted`, 401 `authentication-required` */
export async function requireReadAll({dataset}: Site, context: Context, what: string): Promise<void> {
  if (await mayReadAll(dataset.session)) return
  throw refused(context, `${what} for those only who may read all documents`)
}

/** @throws  Problem 403 `access-granted`, 401 `authentication-required` */
export async function requireReadRoot({dataset: {base, session}}: Site, context: Context, what: string): Promise<void> {
  if (!(await mayDo(session, base, ['read']))) throw refused(context, `${what} for those only who may read <${base}>`)
}

/**
 * Checks that the caller has the mode `query` on the document that a query is sent to, if the settings require it.
 *
 * @throws  Problem 403 `access-granted`, 401 `authentication-required`
 */
export async function requireQuery({access, dataset}: Site, context: Context, iri: Iri): Promise<void> {
  if (!access.hasQueryGrants || (await mayDo(dataset.session, iri, ['query']))) return
  throw refused(context, `No grant gives you query on <${iri}>`)
}

/**
 * Checks that the caller has modes on a document that was read for it.
 *
 * @param allowed  undefined: the caller may do everything
 * @throws         Problem 403 `access-granted`, 401 `authentication-required`
 */
export function requireModes(context: Context, iri: Iri, allowed: Allowed | undefined, needs: readonly Mode[]): void {
  const missing = needs.filter(mode => allowed !== undefined && !allowed.own.includes(mode))
  if (missing.length > 0) throw refused(context, `No grant gives you ${missing.join(' and ')} on <${iri}>`)
}

function refused(context: Context, message: string): Problem {
  if (callerOf(context).agent !== undefined) return new Problem(403, 'access-granted', `${message}.`)
  return new Problem(401, 'authentication-required', `${message}: say who you are.`)
}
