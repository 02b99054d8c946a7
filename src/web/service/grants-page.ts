/**
 * The page about the grants of a document, and what its forms change.
 *
 * The forms do what PUT, POST and DELETE of /.system/access do. A form that is refused shows the page again, with the
 * reason and with what was entered.
 */
import type {Context} from 'koa'
import {grantsShape, readExpiry, readGrant, readGrantee} from '../../authentication/grants.ts'
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {
  addGrant,
  findModes,
  type Grant,
  putGrants,
  readGrants,
  readGrantsBelow,
  removeGrant,
} from '../../db/store/grants.ts'
import {labelsAround} from '../../ldp/browse.ts'
import type {Iri} from '../../rdf/term.ts'
import {answerSeeOther} from '../document/reply.ts'
import {headerOf, type Site} from '../exchange.ts'
import {accessPage, type EnteredGrant} from '../pages/access-page.ts'
import {accessPath} from '../pages/link.ts'
import {readLanguages} from '../pages/preference.ts'
import {pageHeaders} from '../pages/security.ts'
import {callerOf} from '../server/caller.ts'
import {readForm} from './form-body.ts'

type Refused = {readonly problem: Problem; readonly entered: EnteredGrant}

const documentsBelow = 50 // on a page

/** @throws  Problem 404 `document-exists` · 401, 403 */
export async function showGrantsPage(site: Site, context: Context, document: Iri, refused?: Refused): Promise<void> {
  context.state.isPage = true
  const {session} = site.dataset
  const after = new URLSearchParams(context.querystring).get('after') ?? undefined
  const grants = await readGrants(session, document)
  const [allowed, found] = [
    await findModes(session, document),
    await readGrantsBelow(session, document, {after, limit: documentsBelow + 1}),
  ]
  const heads = [...new Set(found.map(entry => entry.document))]
  const isMore = heads.length > documentsBelow
  const last = heads[documentsBelow - 1]
  const below = isMore ? found.filter(entry => heads.indexOf(entry.document) < documentsBelow) : found
  const nextAfter = isMore ? last : undefined
  const languages = readLanguages(headerOf(context, 'accept-language'))
  const labels = await labelsAround(site.dataset, document, {named: [], languages})
  const text = accessPage(site.pages.site, {
    document,
    labels,
    grants,
    allowed,
    below,
    after,
    nextAfter,
    fault: refused?.problem.message,
    entered: refused?.entered,
  })
  context.set(pageHeaders)
  context.status = refused?.problem.status ?? 200
  context.body = text
}

/** @throws  Problem 403 `page-own`, and what reading the page throws */
export async function changeGrantsByForm(site: Site, context: Context, document: Iri): Promise<void> {
  context.state.isPage = true
  const form = await readForm(site, context)
  try {
    await change(site, context, {document, form})
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || [401, 403].includes(error.status)) throw error
    return showGrantsPage(site, context, document, {problem: error, entered: enteredIn(form)})
  }
  answerSeeOther(context, accessPath(site.dataset.base, document))
}

type Change = {readonly document: Iri; readonly form: URLSearchParams}

/** @throws  Problem 400 `grants-shape` · 404 · 409 · 422 · 401, 403 */
async function change({dataset: {session}}: Site, context: Context, {document, form}: Change): Promise<unknown> {
  switch (form.get('action')) {
    case 'add':
      return addGrant(session, document, grantIn(form))
    case 'remove': {
      const until = form.get('until')
      const expires = until === 'never' ? undefined : readExpiry(until)
      const removed = {grantee: readGrantee(form.get('grantee')), expires}
      return removeGrant(session, document, removed, {ifMatch: undefined, keepsControl: true})
    }
    case 'isolate':
    case 'inherit': {
      const inherits = form.get('action') === 'inherit'
      const {own, etag} = await readGrants(session, document)
      const kept = own.filter(({isExpired}) => !isExpired).map(grant => ({...grant, expires: dateOf(grant.expires)}))
      const grants = inherits ? kept : withControl(kept, callerOf(context).agent)
      return putGrants(session, document, {grants, inherits, ifMatch: etag, keepsControl: true})
    }
    default:
      throw grantsShape(`"${excerpt(form.get('action') ?? '')}" is not one of add, remove, isolate, inherit`)
  }
}

function dateOf(expires: string | undefined): Date | undefined {
  return expires === undefined ? undefined : new Date(expires)
}

/** Adds control for the agent, if nobody has it for ever: somebody must keep control of a private document. */
function withControl(grants: readonly Grant[], agent: string | undefined): readonly Grant[] {
  const lasting = ({expires}: Grant) => expires === undefined
  if (agent === undefined || grants.some(grant => lasting(grant) && grant.modes.includes('control'))) return grants
  const grantee = `agent ${agent}`
  const own = grants.find(grant => lasting(grant) && grant.grantee === grantee)
  const modes = [...(own?.modes ?? ['read']), 'control'] as const
  return [...grants.filter(grant => grant !== own), {grantee, modes}]
}

/** @throws  Problem 400 `grants-shape` */
function grantIn(form: URLSearchParams): Grant {
  const {kind, who, modes, expires} = enteredIn(form)
  const hasName = kind === 'agent' || kind === 'group'
  const grantee = hasName ? `${kind} ${who}` : kind
  return readGrant({grantee, modes, expires: endOfDay(expires)})
}

/** The time at which a day ends, in UTC; null for no day. What is no day is left to the reader of times. */
export function endOfDay(day: string): string | null {
  if (day === '') return null
  const begin = new Date(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(begin.getTime()) && begin.toISOString().startsWith(day) && day.length === 10
  if (!isDay) return day
  return new Date(begin.getTime() + 86_400_000).toISOString()
}

function enteredIn(form: URLSearchParams): EnteredGrant {
  const text = (name: string) => (form.get(name) ?? '').trim()
  return {kind: text('kind'), who: text('who'), modes: form.getAll('mode'), expires: text('expires')}
}
