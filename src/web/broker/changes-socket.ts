/**
 * A WebSocket at `/changes`: each message is one change, as a line of the log is.
 *
 * It has the parameters of `/changes`. Browsers cannot set header fields of WebSockets, so a key or token may come as
 * the subprotocol `bearer.<token>`, beside `quadstead.changes`. An error is a last message with its rule.
 */
import type {Context} from 'koa'
import {observe} from '../../base/observation.ts'
import {Problem} from '../../base/problem.ts'
import {showChange} from '../../changes/show-change.ts'
import {splitList} from '../../http/field.ts'
import {readChangesRequest} from '../service/change-parameters.ts'
import {startOf} from '../service/changes.ts'
import {closeCodes, type Protocol, type TextChannel} from './channel.ts'
import {type IdentityOptions, identify} from './identity.ts'
import {type SendOptions, sendChanges} from './send-changes.ts'
import {acceptWebSocket} from './websocket.ts'

const protocol = 'quadstead.changes'
const bearer = 'bearer.'

/**
 * Accepts a WebSocket that sends changes.
 *
 * @param note  receives the conversation, to end it when the service stops
 * @throws      Problem 400 `changes-parameter` · 401 `credentials-valid` · 404 `changes-logged` · 410 `changes-kept`
 */
export async function acceptChangesSocket(
  options: IdentityOptions,
  context: Context,
  note: (conversation: Protocol, channel: TextChannel) => void,
): Promise<void> {
  const {shared} = options
  const {feed, limits, dataset} = shared
  const request = readChangesRequest(context, dataset.base)
  const identity = await identify(options, context, authorizationOf(context))
  const after = await startOf(shared, request, 'last')
  await feed.read(await identity.session(), {...request.asked, after, limit: 1}) // an error has a status of its own
  acceptWebSocket(context, {
    isSockJs: false,
    protocols: [protocol],
    open(channel) {
      const conversation = {receive: () => refuse(channel), leave: () => leave(channel)}
      note(conversation, channel)
      const followed: SendOptions = {
        feed,
        channel,
        session: identity.session,
        slowMs: limits.bodyTimeoutMs,
        read: (session, position) => feed.read(session, {...request.asked, after: position}),
        send: change => channel.send(JSON.stringify(showChange(change))),
      }
      start(identity.join, followed, after).catch((error: unknown) => fail(channel, error))
      return conversation
    },
  })
}

async function start(join: (channel: TextChannel) => void, followed: SendOptions, after: string): Promise<void> {
  join(followed.channel)
  await sendChanges(followed, after)
}

/** The credentials among the subprotocols. They are not answered. */
function authorizationOf({req}: Context): string | undefined {
  const offered = splitList(req.headers['sec-websocket-protocol'] ?? '')
  const token = offered.find(name => name.startsWith(bearer))?.slice(bearer.length)
  return token === undefined ? undefined : `Bearer ${token}`
}

async function refuse(channel: TextChannel): Promise<void> {
  channel.close(closeCodes.refused, 'The service expects no messages here.')
}

function leave(channel: TextChannel): void {
  channel.close(closeCodes.restart, 'The service stops or starts again; connect again.')
}

function fail(channel: TextChannel, error: unknown): void {
  if (channel.closed.aborted) return
  if (!(error instanceof Problem)) observe({kind: 'failure', error})
  const {
    status,
    rule: title,
    message: detail,
    members,
  } = error instanceof Problem ? error : new Problem(500, 'internal', 'This is our fault.', {cause: error})
  channel.send(JSON.stringify({title, status, detail, ...members}))
  channel.close(closeCodes.refused, title)
}
