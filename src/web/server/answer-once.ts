/**
 * Requests with an Idempotency-Key: a repeated request gets the first response and changes nothing again.
 *
 * The request runs in one transaction, which also stores its response. A failed request has changed nothing, so its
 * response is not stored, and the key can be used again. Only POST and PATCH can have a key.
 * Sources: draft-ietf-httpapi-idempotency-key-header-07; docs/interface.md, Repeating requests.
 */
import {createHash} from 'node:crypto'
import type {IncomingMessage} from 'node:http'
import type {Context, Middleware} from 'koa'
import {granteesOf} from '../../base/principal.ts'
import {type KeptAnswer, type KeyedRequest, keepAnswer, recallAnswer} from '../../db/store/kept-answers.ts'
import {inOneTransaction} from '../../db/store/session.ts'
import {readIdempotencyKey} from '../../http/idempotency-key.ts'
import {essenceOf} from '../../http/media-type.ts'
import {fieldsOf, headerOf, type SharedSite} from '../exchange.ts'
import {queryType, updateType} from '../query/parameters.ts'
import {siteFor} from './access.ts'
import {readBytes} from './body.ts'
import {callerOf} from './caller.ts'
import {type InnerRequest, runInside} from './inner-request.ts'
import {type InnerRoute, innerSite, siteWithin} from './inner-site.ts'
import {nameRoute} from './request-record.ts'
import {goneSignal} from './spooled.ts'

const answerBytes = 2 ** 20 // of a stored response

/** Fields that describe how the outer request was sent. */
const outerFields =
  /^(?:connection|content-encoding|content-length|expect|idempotency-key|keep-alive|transfer-encoding)$/

export type OnceOptions = {
  readonly shared: SharedSite
  readonly isKeyed: (path: string) => boolean // whether requests to a path may have a key
  readonly route: InnerRoute
}

/** @throws  Problem 400 `idempotency-syntax` · 409 `idempotency-running` · 422 `idempotency-request`, `answer-size` */
export function answerOnce({shared, isKeyed, route}: OnceOptions): Middleware {
  const answer = async (context: Context, key: string) => {
    nameRoute(context.req, 'document')
    const site = siteFor(shared, context)
    const body = await readBytes({site, context})
    const caller = callerOf(context)
    const agent = caller.agent ?? ''
    // Another key of the agent may do less: it does not get what this one was answered.
    const head = [`${context.method} ${context.url}`, ...granteesOf(caller), ''].join('\n')
    const hash = createHash('sha256').update(head).update(body).digest()
    const keyed: KeyedRequest = {agent, key, hash, lastsMs: shared.limits.keyLastsMs}
    const endTurn = await site.turns.enter(isLong(context) ? site.callerKey(context) : undefined, goneSignal(context))
    try {
      reply(context, await answerKeyed({shared, context, route, request: innerOf(context.req, body)}, keyed))
    } finally {
      endTurn()
    }
  }
  return (context, next) => {
    const given = fieldsOf(context, 'idempotency-key')
    if (given.length === 0 || !isChange(context) || !isKeyed(context.path)) return next()
    const key = readIdempotencyKey(given)
    return key === undefined ? next() : answer(context, key)
  }
}

/** A POSTed query changes nothing. */
function isChange(context: Context): boolean {
  const {method} = context
  return method === 'PATCH' || (method === 'POST' && typeOf(context) !== queryType)
}

/** Whether the request takes a turn, like a query. */
function isLong(context: Context): boolean {
  return !context.path.endsWith('/') || [queryType, updateType].includes(typeOf(context))
}

function typeOf(context: Context): string {
  return essenceOf(headerOf(context, 'content-type'))
}

type Keyed = {
  readonly shared: SharedSite
  readonly context: Context
  readonly route: InnerRoute
  readonly request: InnerRequest
}

function answerKeyed({shared, context, route, request}: Keyed, keyed: KeyedRequest): Promise<KeptAnswer> {
  const session = {...shared.unguardedSession, turn: shared.callerKey(context)}
  return inOneTransaction(session, 'read committed', async inside => {
    const kept = await recallAnswer(inside, keyed)
    if (kept !== undefined) return kept
    const within = siteWithin(innerSite(shared), inside)
    const handle = (inner: Context) => route(within, inner)
    const answer = await runInside(context, request, {limitBytes: answerBytes, handle})
    await keepAnswer(inside, keyed, answer)
    return answer
  })
}

function innerOf({method = '', url = '', headers, headersDistinct}: IncomingMessage, body: Uint8Array): InnerRequest {
  const names = Object.keys(headers).filter(name => !outerFields.test(name))
  return {
    method,
    url,
    headers: Object.fromEntries(names.map(name => [name, headers[name]])),
    headersDistinct: Object.fromEntries(names.map(name => [name, headersDistinct[name]])),
    body,
  }
}

function reply(context: Context, {status, headers, body}: KeptAnswer): void {
  for (const [name, value] of Object.entries(headers)) if (name !== 'content-length') context.set(name, value)
  context.body = body.length === 0 ? null : body
  context.status = status
}
