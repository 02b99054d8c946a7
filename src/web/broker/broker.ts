/**
 * The broker: lets clients listen to events by STOMP, over WebSocket or SockJS. And the WebSocket of `/changes`.
 *
 * A page of another origin may connect if CORS_ORIGINS allows it. Browsers do not check that for WebSockets.
 */
import type {Context, Middleware} from 'koa'
import type {SharedSite} from '../exchange.ts'
import {siteFor} from '../server/access.ts'
import {type CorsOptions, requireOrigin} from '../server/cors.ts'
import {nameRoute} from '../server/request-record.ts'
import {isUpgrade} from '../server/upgrade.ts'
import {changesPath} from '../service/changes.ts'
import {acceptChangesSocket} from './changes-socket.ts'
import type {Protocol, TextChannel} from './channel.ts'
import {countCallers, type IdentityOptions, identify} from './identity.ts'
import {createListener} from './listen.ts'
import {brokerPath, createSockJs, isBrokerPath} from './sockjs.ts'
import {openStomp} from './stomp.ts'

export type BrokerOptions = Omit<IdentityOptions, 'shared' | 'listeners'> & {
  readonly cors: CorsOptions
  readonly version: string // of the service
  readonly hasPolling: boolean // one process serves all requests, so sessions can consist of several
  readonly leaving: AbortSignal // aborts when clients must leave
}

/** Answers requests to the broker, and WebSockets at `/changes`. All other requests go on. */
export function brokerRoutes(shared: SharedSite, options: BrokerOptions): Middleware {
  const {cors, leaving, version, hasPolling} = options
  const {origin, pathname: base} = new URL(shared.dataset.base)
  const who: IdentityOptions = {...options, shared, listeners: countCallers()}
  const conversations = new Set<Protocol>()
  leaving.addEventListener('abort', () => {
    for (const {leave} of conversations) leave()
  })

  function note(conversation: Protocol, {closed}: TextChannel): void {
    conversations.add(conversation)
    closed.addEventListener('abort', () => conversations.delete(conversation))
    if (leaving.aborted) conversation.leave()
  }

  function open(context: Context, channel: TextChannel): Protocol {
    const conversation = openStomp(channel, {
      server: `quadstead/${version}`,
      async admit(authorization, fail) {
        const identity = await identify(who, context, authorization)
        await identity.count()
        identity.join(channel)
        return createListener(identity, {shared, channel, fail})
      },
    })
    note(conversation, channel)
    return conversation
  }

  const answer = createSockJs({open, hasPolling})
  return (context, next) => {
    const path = context.path.startsWith(base) ? context.path.slice(base.length) : ''
    if (path === changesPath && isUpgrade(context.req)) {
      requireOrigin(context, cors, origin)
      nameRoute(context.req, 'changes')
      return acceptChangesSocket(who, context, note)
    }
    const rest = path === brokerPath ? '' : path.startsWith(`${brokerPath}/`) ? path.slice(brokerPath.length + 1) : '/'
    if (!isBrokerPath(rest)) return next()
    requireOrigin(context, cors, origin)
    return answer(siteFor(shared, context), context, rest)
  }
}
