/**
 * The broker: lets clients listen to events by STOMP, over WebSocket or SockJS.
 *
 * A page of another origin may connect if CORS_ORIGINS allows it. Browsers do not check that for WebSockets.
 */
import type {Context, Middleware} from 'koa'
import type {SharedSite} from '../exchange.ts'
import {siteFor} from '../server/access.ts'
import {type CorsOptions, requireOrigin} from '../server/cors.ts'
import type {Protocol, TextChannel} from './channel.ts'
import {admitListener, countCallers, type ListenOptions} from './listen.ts'
import {brokerPath, createSockJs, isBrokerPath} from './sockjs.ts'
import {openStomp} from './stomp.ts'

export type BrokerOptions = Omit<ListenOptions, 'shared' | 'listeners'> & {
  readonly cors: CorsOptions
  readonly version: string // of the service
  readonly hasPolling: boolean // one process serves all requests, so sessions can consist of several
  readonly leaving: AbortSignal // aborts when clients must leave
}

/** Answers requests to the broker. All other requests go on. */
export function brokerRoutes(shared: SharedSite, options: BrokerOptions): Middleware {
  const {cors, leaving, version, hasPolling} = options
  const root = new URL(brokerPath, shared.dataset.base)
  const listeners = countCallers()
  const conversations = new Set<Protocol>()
  leaving.addEventListener('abort', () => {
    for (const {leave} of conversations) leave()
  })

  function open(context: Context, channel: TextChannel): Protocol {
    const protocol = openStomp(channel, {
      server: `quadstead/${version}`,
      admit: (authorization, fail) =>
        admitListener({...options, shared, listeners}, context, {channel, authorization, fail}),
    })
    conversations.add(protocol)
    channel.closed.addEventListener('abort', () => conversations.delete(protocol))
    return protocol
  }

  const answer = createSockJs({open, hasPolling})
  return async (context, next) => {
    const {path} = context
    const rest =
      path === root.pathname
        ? ''
        : path.startsWith(`${root.pathname}/`)
          ? path.slice(root.pathname.length + 1)
          : undefined
    if (rest === undefined || rest.endsWith('/') || !isBrokerPath(rest)) return next()
    requireOrigin(context, cors, root.origin)
    await answer(siteFor(shared, context), context, rest)
  }
}
