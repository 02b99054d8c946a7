/**
 * Delivers the changes of one webhook that this process holds: in order, each until the receiver has accepted it.
 *
 * No transaction is open while a receiver answers. The position is stored after each delivery. A process that dies in
 * between leaves a change that another process delivers again, with the same webhook-id.
 */

import {type Backoff, waitAfter} from '../base/backoff.ts'
import {observe} from '../base/observation.ts'
import {Problem} from '../base/problem.ts'
import type {Feed} from '../changes/feed.ts'
import {showChange} from '../changes/show-change.ts'
import type {Change} from '../db/store/changes.ts'
import type {Session} from '../db/store/session.ts'
import {advanceWebhook, failWebhook, type TakenWebhook, type WebhookState} from '../db/store/webhooks.ts'
import {type HookMessage, type Posted, type PostOptions, postMessage} from './post.ts'
import {signMessage} from './signature.ts'

export type DeliveryOptions = {
  readonly feed: Feed
  readonly session: Session // of the operator
  readonly sessionAs: (hook: TakenWebhook) => Session // of the hook's agent
  readonly holder: string
  readonly backoff: Backoff & {readonly attempts: number} // so many failures in a row are the last
  readonly post: Omit<PostOptions, 'signal'>
  readonly stopping: AbortSignal
}

/** How long a process holds a webhook, unless it renews that before each attempt: longer than an attempt. */
export function holdMsOf({post}: Pick<DeliveryOptions, 'post'>): number {
  return post.limitMs + 5000
}

const pageChanges = 100

/** Delivers until nothing is left, an attempt fails, or the service stops. Ends the hold. */
export async function deliverAll(hook: TakenWebhook, options: DeliveryOptions): Promise<void> {
  const {feed, sessionAs, stopping} = options
  const {under, actions} = hook
  let {position, failures} = hook
  const keep = (at: string, isDelivered: boolean, ms = holdMsOf(options)) =>
    advanceWebhook(options.session, {id: hook.id, holder: options.holder, position: at, isDelivered, holdMs: ms})
  try {
    for (;;) {
      const asked = {after: position, limit: pageChanges, under: under ?? undefined, actions: actions ?? undefined}
      const page = await feed.read(sessionAs(hook), asked)
      for (const change of page.changes) {
        if (stopping.aborted || !(await keep(position, false))) return
        const posted = await attempt(hook, change, options)
        if (posted.outcome !== 'delivered')
          return await recordFailure(hook, failures, {posted, options, position: change.position})
        failures = 0
        position = change.position
        if (!(await keep(position, true))) return
      }
      position = page.next
      if (page.isEnd || stopping.aborted) return
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.status === 503) throw error
    const posted = {outcome: 'failed', reason: error.message} as const // its changes have expired, for example
    await recordFailure(hook, Number.POSITIVE_INFINITY, {posted, options, position: undefined})
  } finally {
    await keep(position, false, 0)
  }
}

async function attempt(hook: TakenWebhook, change: Change, {post, stopping}: DeliveryOptions): Promise<Posted> {
  const begun = performance.now()
  const posted = await postMessage(hook.url, writeHookMessage(change, hook.secret, new Date()), {
    ...post,
    signal: stopping,
  })
  observe({kind: 'webhook-attempt', webhook: hook.id, outcome: posted.outcome, ms: performance.now() - begun})
  return posted
}

type Failed = {
  readonly posted: Exclude<Posted, {readonly outcome: 'delivered'}>
  readonly position: string | undefined // of the change; undefined: none could be read
  readonly options: DeliveryOptions
}

/** @param failures  earlier ones in a row */
async function recordFailure(hook: TakenWebhook, failures: number, {posted, position, options}: Failed): Promise<void> {
  const {session, holder, backoff, stopping} = options
  if (stopping.aborted) return // the service cut the attempt off
  const state: WebhookState = posted.outcome === 'gone' ? 'gone' : failures + 1 >= backoff.attempts ? 'dead' : 'active'
  const askedMs = posted.outcome === 'failed' ? posted.retryAfterMs : undefined
  const waitMs = waitAfter(failures + 1, backoff, {random: Math.random(), askedMs})
  const {reason} = posted
  await failWebhook(session, {id: hook.id, holder, position, reason, waitMs, state})
  if (state !== 'active') observe({kind: 'webhook-stopped', webhook: hook.id, url: hook.url, state, reason})
}

/** The signed message about a change. It names what has changed; the receiver reads the document if it needs more. */
export function writeHookMessage(change: Change, secret: Uint8Array, time: Date): HookMessage {
  const body = JSON.stringify({
    type: `document.${change.action}`,
    timestamp: change.time.toISOString(),
    data: showChange(change),
  })
  return {headers: signMessage({id: `chg_${change.position}`, body}, secret, time), body}
}
