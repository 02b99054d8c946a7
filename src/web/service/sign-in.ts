/**
 * Signs people in and out, in browsers: /.system/sign-in, /.system/sign-out.
 *
 * Only available with access control. People sign in at the issuer (OpenID Connect), or with an API key. Both begin a
 * session, whose token the browser keeps in a cookie.
 * Source: docs/sign-in.md.
 */
import {randomBytes} from 'node:crypto'
import type {Context} from 'koa'
import {credentialsProblem} from '../../authentication/access-tokens.ts'
import {createAttempt, resumeAttempt} from '../../authentication/attempt.ts'
import {hashKey, isKey} from '../../authentication/keys.ts'
import type {Provider} from '../../authentication/provider.ts'
import type {NewPerson} from '../../authentication/sessions.ts'
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import type {Iri} from '../../rdf/term.ts'
import {answerEmpty, answerSeeOther, resourceLink, varied} from '../document/reply.ts'
import {headerOf, type Site} from '../exchange.ts'
import {localPath} from '../pages/link.ts'
import {pageHeaders} from '../pages/security.ts'
import {signedOutPage, signInPage} from '../pages/sign-in-page.ts'
import {callerOf} from '../server/caller.ts'
import {nameRoute} from '../server/request-record.ts'
import type {SignInDesk} from '../server/sign-in-desk.ts'
import {readForm} from './form-body.ts'

export const signInRoute = '.system/sign-in'
export const signOutRoute = '.system/sign-out'
const issuerRoute = `${signInRoute}/issuer`
const answerRoute = `${signInRoute}/answer`

/** @throws  Problem 403 `page-own` · 405 · 415 `media-type-known` · 429 `credentials-rate` */
export async function answerSignIn(site: Site, context: Context): Promise<void> {
  const desk = begin(site, context, 'GET, HEAD, OPTIONS, POST')
  if (context.method === 'OPTIONS') return answerEmpty(context, 204)
  if (context.method === 'POST') return signInWithKey(site, context, desk)
  const returnTo = ownPath(site.dataset.base, new URLSearchParams(context.querystring).get('to'))
  if (callerOf(context).agent !== undefined) return answerSeeOther(context, returnTo)
  showPage(context, signInPage(site.pages.site, {returnTo, issuer: issuerIn(site, desk, returnTo)}))
}

function issuerIn({dataset: {base}}: Site, {provider}: SignInDesk, returnTo: string) {
  if (provider === undefined) return undefined
  return {host: provider.host, href: `${base}${issuerRoute}?${new URLSearchParams({to: returnTo})}`}
}

/** A wrong key shows the page again. */
async function signInWithKey(site: Site, context: Context, desk: SignInDesk): Promise<void> {
  const form = await readForm(site, context)
  const returnTo = ownPath(site.dataset.base, form.get('to'))
  const key = (form.get('key') ?? '').trim()
  try {
    await enter(context, desk, await site.checkCredentials(context, () => personOf(desk, key)))
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error
    const viewer = site.pages.site.viewer && {...site.pages.site.viewer, place: returnTo}
    const issuer = issuerIn(site, desk, returnTo)
    showPage(context, signInPage({...site.pages.site, viewer}, {returnTo, issuer, fault: error.message}))
    context.set(error.headers)
    context.status = error.status
    return
  }
  answerSeeOther(context, returnTo)
}

/** @throws  Problem 401 `credentials-valid` */
async function personOf(desk: SignInDesk, key: string): Promise<NewPerson> {
  const keyHash = hashKey(key)
  const found = isKey(key) ? await desk.findKey(keyHash) : undefined
  if (found === undefined) throw credentialsProblem('the key is unknown or has expired')
  return {principal: found, name: '', keyHash}
}

/** Sends the browser to the issuer. @throws  Problem 404 `document-exists` · 503 `authentication-available` */
export async function answerToIssuer(site: Site, context: Context): Promise<void> {
  const desk = begin(site, context, 'GET, HEAD, OPTIONS')
  if (context.method === 'OPTIONS') return answerEmpty(context, 204)
  const {base} = site.dataset
  const provider = providerOf(site, desk)
  const secret = desk.attempts.secretOf(context) || randomBytes(32).toString('base64url')
  const attempt = createAttempt(secret, ownPath(base, new URLSearchParams(context.querystring).get('to')))
  const url = await provider.begin(attempt, base + answerRoute)
  desk.attempts.hand(context, secret)
  answerSeeOther(context, url.href)
}

/**
 * Takes the answer of the issuer, and begins the session.
 *
 * @throws  Problem 400 `sign-in-begun` · 401 `credentials-valid` · 403 `sign-in-refused` · 503
 */
export async function answerFromIssuer(site: Site, context: Context): Promise<void> {
  const desk = begin(site, context, 'GET, OPTIONS')
  if (context.method === 'OPTIONS') return answerEmpty(context, 204)
  const {base} = site.dataset
  const provider = providerOf(site, desk)
  const state = new URLSearchParams(context.querystring).get('state') ?? ''
  const attempt = resumeAttempt(desk.attempts.secretOf(context) ?? '', state)
  if (attempt === undefined) {
    // Another tab, for example, has signed in.
    if (callerOf(context).agent !== undefined) return answerSeeOther(context, localPath(base))
    const message = `No sign-in with the state "${excerpt(state)}" was begun in this browser within ten minutes.`
    throw new Problem(400, 'sign-in-begun', message)
  }
  const answer = new URL(`${base}${answerRoute}?${context.querystring}`)
  const {principal, name, idToken} = await site.checkCredentials(context, () => provider.finish(attempt, answer))
  desk.attempts.hand(context, undefined)
  await enter(context, desk, {principal, name, idToken})
  answerSeeOther(context, ownPath(base, attempt.returnTo))
}

/** Begins a session in place of the one that the browser has, so that nobody can choose its token beforehand. */
async function enter(context: Context, desk: SignInDesk, person: NewPerson): Promise<void> {
  const client = headerOf(context, 'user-agent') ?? ''
  desk.hand(context, await desk.sessions.begin({...person, client}, desk.tokenOf(context)))
}

/** Ends the session, here and at the issuer. @throws  Problem 403 `page-own` · 405 */
export async function answerSignOut(site: Site, context: Context): Promise<void> {
  const desk = begin(site, context, 'GET, HEAD, OPTIONS, POST')
  const {base} = site.dataset
  if (context.method === 'OPTIONS') return answerEmpty(context, 204)
  if (context.method !== 'POST') return showPage(context, signedOutPage(site.pages.site, undefined))
  await readForm(site, context)
  const token = desk.tokenOf(context)
  const idToken = token === undefined ? undefined : await desk.sessions.end(token)
  desk.hand(context, undefined)
  const url = idToken === undefined ? undefined : await desk.provider?.endUrl(idToken, base + signOutRoute)
  const viewer = {...site.pages.site.viewer, agent: undefined, name: '', hasSession: false, place: localPath(base)}
  const issuer = url && desk.provider && {host: desk.provider.host, href: url.href}
  showPage(context, signedOutPage({...site.pages.site, viewer}, issuer))
  // The content security policy forbids forms to lead to other sites, by a redirect too.
  if (url !== undefined) context.set('Refresh', `0; url=${url.href}`)
  context.set('Clear-Site-Data', '"cache"') // pages that the browser would show again
}

/** @throws  Problem 405 `method-allowed` */
function begin({desk, dataset}: Site, context: Context, allowed: string): SignInDesk {
  nameRoute(context.req, 'sign-in')
  if (desk === undefined) throw new Error('there is no access control')
  const headers = {Allow: allowed, Link: resourceLink}
  context.set({...headers, Vary: varied, 'Cache-Control': 'no-store'})
  if (allowed.split(', ').includes(context.method)) return desk
  const url = new URL(context.path, dataset.base).href
  throw new Problem(405, 'method-allowed', `${context.method} is not possible on <${url}>.`, {headers})
}

/** @throws  Problem 404 `issuer-known` */
function providerOf({dataset}: Site, {provider}: SignInDesk): Provider {
  if (provider !== undefined) return provider
  const place = `<${dataset.base}${signInRoute}>`
  throw new Problem(404, 'issuer-known', `People sign in with API keys here, at ${place}, and not at an issuer.`)
}

/**
 * A path to return to. Anything but a path of this service becomes that of the root, so that no link can lead through
 * the service to another site.
 */
export function ownPath(base: Iri, wanted: string | null): string {
  const root = localPath(base)
  if (wanted === null || wanted.length > 2000 || !wanted.startsWith('/') || !URL.canParse(wanted, base)) return root
  const {origin, pathname, search} = new URL(wanted, base)
  const isOwn = origin === new URL(base).origin && pathname.startsWith(root) && !pathname.startsWith('//')
  const isSignIn = [signInRoute, signOutRoute].some(route => pathname.startsWith(root + route))
  return isOwn && !isSignIn ? pathname + search : root
}

function showPage(context: Context, text: string): void {
  context.state.isPage = true
  context.set(pageHeaders)
  context.status = 200
  context.body = text
}
