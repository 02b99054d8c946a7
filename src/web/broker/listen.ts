/**
 * Sends the clients of the broker the events that they have subscribed to.
 */
import type {Feed} from '../../changes/feed.ts'
import type {Change, ChangesPage} from '../../db/store/changes.ts'
import type {Session} from '../../db/store/session.ts'
import {destinationOf, isTopicMatch, topicOf} from '../../stomp/topic.ts'
import type {SharedSite} from '../exchange.ts'
import type {TextChannel} from './channel.ts'
import {eventsOf, writeEvent} from './event.ts'
import type {Identity} from './identity.ts'
import {sendChanges} from './send-changes.ts'
import type {Conversation, Listener, Subscription} from './stomp-commands.ts'

export type ListenerOptions = {
  readonly shared: SharedSite
  readonly channel: TextChannel
  readonly fail: (error: unknown) => void // ends the conversation
}

const pageChanges = 100
const messageType = 'application/ld+json'

export function createListener({session, count}: Identity, {shared, channel, fail}: ListenerOptions): Listener {
  const {feed} = shared
  const read = (asker: Session, after: string) => readWithMembers(feed, asker, after)
  return {
    position: async () => (await feed.range()).last,
    count,
    listen(subscriptions, deliver) {
      const [first] = subscriptions.values()
      const send = (change: Change) => deliverChange(change, {shared, subscriptions, deliver})
      const slowMs = shared.limits.bodyTimeoutMs
      sendChanges({feed, channel, session, slowMs, read, send}, first?.after ?? '0').catch(fail)
    },
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

type Delivery = Pick<Conversation, 'deliver'> & {
  readonly shared: SharedSite
  readonly subscriptions: ReadonlyMap<string, Subscription>
}

/** Delivers the events of a change to the subscriptions that match them. */
function deliverChange(change: Change, {shared, subscriptions, deliver}: Delivery): void {
  const {base, platform} = shared.dataset
  const position = BigInt(change.position)
  for (const event of eventsOf(change)) {
    if (!event.target.startsWith(base)) continue
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
