/**
 * What a supervisor asks: does the process live, may requests be sent to it.
 *
 * Neither path ends with '/', so no document can have it (decisions, 11).
 *   /live    200 as long as the process answers at all
 *   /ready   200, or 503 while it drains, or the database does not answer or does not hold the dataset
 */
import type {Middleware} from 'koa'
import {nameRoute} from '../server/request-record.ts'

export type Health = {
  readonly isDraining: () => boolean
  readonly askDatabase: () => Promise<unknown> // rejects when it does not answer
}

export function answerHealth({isDraining, askDatabase}: Health): Middleware {
  let asked: Promise<unknown> | undefined // by all who ask at the same time, so that nobody waits behind others
  const askOnce = () => {
    asked ??= askDatabase().finally(() => {
      asked = undefined
    })
    return asked
  }
  return async (context, next) => {
    if (context.path !== '/live' && context.path !== '/ready') return next()
    nameRoute(context.req, 'health')
    context.set('Cache-Control', 'no-store')
    if (context.method !== 'GET' && context.method !== 'HEAD') {
      context.set('Allow', 'GET, HEAD')
      context.status = 405
      return
    }
    const reason = context.path === '/live' ? undefined : await whyNotReady({isDraining, askDatabase: askOnce})
    if (reason !== undefined) context.set('Retry-After', '2')
    context.status = reason === undefined ? 200 : 503
    context.body = `${reason ?? 'ok'}\n`
  }
}

async function whyNotReady({isDraining, askDatabase}: Health): Promise<string | undefined> {
  if (isDraining()) return 'draining'
  return askDatabase().then(
    () => undefined,
    () => 'the database does not answer',
  )
}
