/**
 * GET and POST of /.system/sessions: where the caller is signed in, as a page or as JSON, and the form that ends
 * sessions.
 *
 * Only available with access control. An agent sees and ends its own sessions only.
 * Source: docs/sign-in.md.
 */
import type {Context} from 'koa'
import {excerpt} from '../../base/excerpt.ts'
import {isScoped} from '../../base/principal.ts'
import {Problem} from '../../base/problem.ts'
import type {ListedWebSession} from '../../db/store/web-sessions.ts'
import {answerEmpty, answerSeeOther, resourceLink, varied} from '../document/reply.ts'
import {headerOf, type Site} from '../exchange.ts'
import {prefersHtml} from '../pages/preference.ts'
import {pageHeaders} from '../pages/security.ts'
import {sessionsPage} from '../pages/sessions-page.ts'
import {callerOf} from '../server/caller.ts'
import {nameRoute} from '../server/request-record.ts'
import type {SignInDesk} from '../server/sign-in-desk.ts'
import {readForm} from './form-body.ts'

export const sessionsRoute = '.system/sessions'

/** @throws  Problem 401 `authentication-required` · 403 `access-granted`, `page-own` · 405 · 415 */
export async function answerSessions(site: Site, context: Context): Promise<void> {
  nameRoute(context.req, 'sign-in')
  const headers = {Allow: 'GET, HEAD, OPTIONS, POST', Link: resourceLink}
  context.set({...headers, Vary: varied, 'Cache-Control': 'no-store'})
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      return showSessions(site, context)
    case 'POST':
      return endSessions(site, context)
    case 'OPTIONS':
      return answerEmpty(context, 204)
    default: {
      const message = `${context.method} is not possible on <${site.dataset.base}${sessionsRoute}>.`
      throw new Problem(405, 'method-allowed', message, {headers})
    }
  }
}

type Owner = {readonly agent: string; readonly desk: SignInDesk; readonly token: string | undefined}

/** @throws  Problem 401 `authentication-required` · 403 `access-granted` */
function ownerOf({desk}: Site, context: Context): Owner {
  const caller = callerOf(context)
  if (desk === undefined) throw new Error('there is no access control')
  if (caller.agent === undefined)
    throw new Problem(401, 'authentication-required', 'Agents have sessions: say who you are.')
  if (isScoped(caller))
    throw new Problem(403, 'access-granted', 'A key that may do less than its agent cannot manage sessions.')
  return {agent: caller.agent, desk, token: caller.means === 'session' ? desk.tokenOf(context) : undefined}
}

async function showSessions(site: Site, context: Context, problem?: Problem): Promise<void> {
  const {agent, desk, token} = ownerOf(site, context)
  const sessions = await desk.sessions.list(agent, token)
  context.status = problem?.status ?? 200
  if (problem === undefined && !prefersHtml(headerOf(context, 'accept'))) {
    context.set('Content-Type', 'application/json')
    context.body = `${JSON.stringify({sessions: sessions.map(showSession)})}\n`
    return
  }
  context.state.isPage = true
  context.set(pageHeaders)
  context.body = sessionsPage(site.pages.site, {sessions, fault: problem?.message})
}

function showSession({id, client, is_key: isKey, begun, used, ends, is_own: isOwn}: ListedWebSession) {
  return {id, client, means: isKey ? 'key' : 'issuer', begun, used, ends, isOwn}
}

/** Ends the session that the form names, or all but the one of this browser. */
async function endSessions(site: Site, context: Context): Promise<void> {
  context.state.isPage = true
  const chosen = (await readForm(site, context)).get('end') ?? ''
  const {agent, desk, token} = ownerOf(site, context)
  if (chosen === 'others') await desk.sessions.endOthers(agent, token)
  else if (!(await desk.sessions.endOne(agent, chosen))) {
    const problem = new Problem(404, 'session-exists', `You have no session "${excerpt(chosen)}". It may be over.`)
    return showSessions(site, context, problem)
  }
  answerSeeOther(context, context.url)
}
