/**
 * Admits the clients of the broker, and sends them the events of changes that they may see.
 *
 * A client reads pages of the change log at its own pace. Nothing is queued for it: what its connection does not take
 * stays in the log. Grants apply as they are when a page is read, and credentials are checked again every minute.
 */
import {setTimeout as delay} from 'node:timers/promises'
import type {Context, Middleware} from 'koa'
import {type Allowance, createAllowance} from '../../base/allowance.ts'
import {Problem} from '../../base/problem.ts'
import type {Feed} from '../../changes/feed.ts'
import type {Change, ChangesPage} from '../../db/store/changes.ts'
import type {Session} from '../../db/store/session.ts'
import {destinationOf, isTopicMatch, topicOf} from '../../stomp/topic.ts'
import type {SharedSite} from '../exchange.ts'
import {siteFor} from '../server/access.ts'
import {createInnerContext} from '../server/inner-request.ts'
import {type TextChannel, whenTaken} from './channel.ts'
import {eventsOf, writeEvent} from './event.ts'
import type {Conversation, Listener, Subscription} from './stomp-commands.ts'

export type ListenOptions = {
  readonly shared: SharedSite
  readonly settle: Middleware // authenticates a request
  readonly count: Middleware // counts a request for its caller
  readonly listeners: Allowance // open connections by caller
}

const callerListeners = 1000
const pageChanges = 100
const waitMs = 60_000
const recheckMs = 60_000 // of credentials
const retryMs = 1000
const mostBytes = 262_144 // that wait for a client before it gets no more
const messageType = 'application/ld+json'

/**
 * Admits a client: checks its credentials, and counts it as a request and as a connection.
 *
 * @param authorization  undefined: that of the request, if it has one
 * @param fail           ends the conversation
 * @throws               Problem 401 `credentials-valid` · 429 `request-rate`, `listeners-counted` · 503 `listeners`
 */
export async function admitListener(
  options: ListenOptions,
  context: Context,
  {
    channel,
    authorization,
    fail,
  }: {
    readonly channel: TextChannel
    readonly authorization: string | undefined
    readonly fail: (error: unknown) => void
  },
): Promise<Listener> {
  const {shared, settle, count} = options
  const {feed} = shared
  const identify = async () => {
    const headers = authorization === undefined ? {} : {authorization}
    const inner = createInnerContext(context, {
      method: 'GET',
      url: context.url,
      headers,
      headersDistinct: {},
      body: undefined,
    })
    await settle(inner, done)
    return inner
  }
  let inner = await identify()
  let checkedAt = performance.now()
  const sessionNow = async () => {
    if (performance.now() - checkedAt > recheckMs) {
      inner = await identify()
      checkedAt = performance.now()
    }
    return siteFor(shared, inner).dataset.session
  }
  const key = shared.callerKey(inner)
  await count(inner, done)
  countListener(options, key, channel)
  return {
    position: async () => (await feed.range()).last,
    count: () => count(inner, done) as Promise<void>,
    listen(subscriptions, deliver) {
      const [first] = subscriptions.values()
      const send = (change: Change) => deliverChange(change, {shared, subscriptions, deliver})
      const followed = {feed, channel, sessionNow, slowMs: shared.limits.bodyTimeoutMs}
      follow(followed, first?.after ?? '0', send).catch(fail)
    },
  }
}

/** Counts the connections of each caller. */
export function countCallers(): Allowance {
  return createAllowance({callerMax: callerListeners, totalMax: Number.POSITIVE_INFINITY})
}

async function done(): Promise<void> {}

/** @throws  Problem 429 `listeners-counted`, 503 `listeners` */
function countListener({shared, listeners}: ListenOptions, key: string | undefined, {closed}: TextChannel): void {
  if (closed.aborted) return
  if (listeners.take(key, 1) !== undefined) {
    const message = `You have ${callerListeners} connections that listen, as many as one caller may have.`
    throw new Problem(429, 'listeners-counted', message)
  }
  closed.addEventListener('abort', () => listeners.give(key, 1), {once: true})
  closed.addEventListener('abort', shared.listeners.enter(), {once: true})
}

type Followed = {
  readonly feed: Feed
  readonly channel: TextChannel
  readonly sessionNow: () => Promise<Session>
  readonly slowMs: number // how long a client may take nothing
}

/**
 * Sends changes until the channel is closed. While the database is not available, it waits.
 *
 * @param position  to begin after
 * @throws          Problem 408 `listener-slow` · 401: the credentials have expired · what reading the log throws
 */
async function follow(
  {feed, channel, sessionNow, slowMs}: Followed,
  position: string,
  send: (change: Change) => void,
): Promise<void> {
  const {closed} = channel
  let after = position
  while (!closed.aborted && feed.isOpen()) {
    const page = await patiently(closed, async () => readWithMembers(feed, await sessionNow(), after))
    for (const change of page?.changes ?? []) {
      send(change)
      if (!(await whenTaken(channel, {mostBytes, limitMs: slowMs})))
        throw new Problem(408, 'listener-slow', `You have read nothing for ${slowMs} ms.`, {members: {limitMs: slowMs}})
    }
    after = page?.next ?? after
    if (page?.isEnd) await feed.wait(after, {ms: waitMs, signal: closed})
  }
}

/** A page of changes. Only those of members have their triples, which name the members. */
async function readWithMembers(feed: Feed, session: Session, after: string): Promise<ChangesPage> {
  const page = await feed.read(session, {after, limit: pageChanges})
  const changes: Change[] = []
  for (const change of page.changes) {
    if (change.action !== 'members-added' && change.action !== 'members-removed') changes.push(change)
    else {
      const before = String(BigInt(change.position) - 1n)
      const {changes: one} = await feed.read(session, {after: before, limit: 1, hasTriples: true})
      changes.push(...one.filter(({position}) => position === change.position)) // it may be hidden by now
    }
  }
  return {...page, changes}
}

/** The result; undefined: the channel was closed, or the database is not available. */
async function patiently<Result>(closed: AbortSignal, work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    const isPassing = error instanceof Problem && error.status === 503
    if (!isPassing && !closed.aborted) throw error
    await delay(retryMs, undefined, {signal: closed}).catch(() => undefined)
    return undefined
  }
}

type Delivery = Pick<Conversation, 'deliver'> & {
  readonly shared: SharedSite
  readonly subscriptions: ReadonlyMap<string, Subscription>
}

/** Delivers the events of a change to the subscriptions that match them. */
function deliverChange(change: Change, {shared, subscriptions, deliver}: Delivery): void {
  const {base, platform} = shared.dataset
  const position = BigInt(change.position)
  for (const event of eventsOf(change)) {
    if (!event.target.startsWith(base)) continue // a raw graph
    const words = topicOf(event.name, event.target.slice(base.length))
    const interested = [...subscriptions.values()].filter(
      ({after, pattern}) => position > BigInt(after) && isTopicMatch(pattern, words),
    )
    if (interested.length === 0) continue
    const body = writeEvent(event, platform)
    const message = {destination: destinationOf(words), position: change.position, type: messageType, body}
    for (const subscription of interested) deliver(subscription, message)
  }
}
