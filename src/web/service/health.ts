/**
 * Probes for a supervisor: liveness and readiness.
 *
 * Neither path ends with '/', so neither can be a document (decision 0009).
 *   /live    200 as long as the process answers at all
 *   /ready   200; 503 while the process drains, or if the database does not answer or does not hold the dataset
 */
import type {Context, Middleware} from 'koa'
import {nameRoute} from '../server/request-record.ts'
import {asksToRead} from './read-only.ts'

export type Health = {
  readonly isDraining: () => boolean
  readonly askDatabase: () => Promise<unknown> // rejects if the database is not usable
}

export function answerHealth({isDraining, askDatabase}: Health): Middleware {
  let asked: Promise<unknown> | undefined // one query for all probes that arrive meanwhile
  const askOnce = () => {
    asked ??= askDatabase().finally(() => {
      asked = undefined
    })
    return asked
  }
  const answer = async (context: Context) => {
    nameRoute(context.req, 'health')
    context.set('Cache-Control', 'no-store')
    if (!asksToRead(context)) return
    const reason = context.path === '/live' ? undefined : await whyNotReady({isDraining, askDatabase: askOnce})
    if (reason !== undefined) context.set('Retry-After', '2')
    context.status = reason === undefined ? 200 : 503
    context.body = `${reason ?? 'ok'}\n`
  }
  return (context, next) => (context.path === '/live' || context.path === '/ready' ? answer(context) : next())
}

async function whyNotReady({isDraining, askDatabase}: Health): Promise<string | undefined> {
  if (isDraining()) return 'draining'
  return askDatabase().then(
    () => undefined,
    () => 'the database does not answer',
  )
}
