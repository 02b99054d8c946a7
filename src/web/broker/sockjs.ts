/**
 * The broker at `/broker`: STOMP over WebSocket, and over SockJS for browsers.
 *
 *   GET  broker                                a greeting
 *   GET  broker/info                           what a SockJS client asks first
 *   GET  broker/websocket                      a WebSocket
 *   GET  broker/<server>/<session>/websocket   a WebSocket with the frames of SockJS
 *   POST broker/<server>/<session>/xhr, xhr_streaming, xhr_send · GET …/eventsource
 *
 * The sessions of the last line live in one process, so a service of several processes does not offer them.
 * The transports for browsers without CORS (iframes, JSONP) are not offered.
 * Source: SockJS protocol 0.3.3.
 */
import {randomInt} from 'node:crypto'
import type {Context} from 'koa'
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {answerEmpty} from '../document/reply.ts'
import type {Site} from '../exchange.ts'
import {readBytes} from '../server/body.ts'
import {callerOf} from '../server/caller.ts'
import {nameRoute} from '../server/request-record.ts'
import {asksFor, asksToRead} from '../service/read-only.ts'
import type {Protocol, TextChannel} from './channel.ts'
import {readMessages} from './sockjs-frame.ts'
import {openPolledSession, type PolledSession, type Receiver} from './sockjs-session.ts'
import {acceptWebSocket, type WebSocketOptions} from './websocket.ts'

export const brokerPath = 'broker'

export type SockJsOptions = {
  /** Opens the protocol of a new connection. */
  readonly open: (context: Context, channel: TextChannel) => Protocol
  readonly hasPolling: boolean // sessions over plain requests
}

type Transport = (site: Site, context: Context, id: string) => Promise<void> | void

const messageBytes = 65_536 // of one request that sends
const streamBytes = 131_072 // after which a streaming response ends, because a browser keeps all of it
const stomp = ['v12.stomp']

/** @param path  after `broker/` */
export function createSockJs({
  open,
  hasPolling,
}: SockJsOptions): (site: Site, context: Context, path: string) => Promise<void> {
  const sessions = new Map<string, PolledSession>()

  /** Lets a request receive the texts of a session, which begins with its first request. */
  function receive(context: Context, id: string, receiver: Receiver): void {
    const {agent} = callerOf(context)
    let session = sessions.get(id)
    if (session !== undefined && session.agent !== agent) throw noSession(id)
    if (session === undefined) {
      const made = openPolledSession({agent, open: channel => open(context, channel)})
      sessions.set(id, made)
      made.closed.addEventListener('abort', () => sessions.delete(id))
      session = made
    }
    const {attach, detach} = session
    context.res.once('close', () => detach(receiver))
    attach(receiver)
  }

  const transports: Readonly<Record<string, readonly [method: 'GET' | 'POST', Transport]>> = {
    xhr: ['POST', (_, context, id) => receive(context, id, poll(context))],
    xhr_streaming: [
      'POST',
      (_, context, id) => {
        const receiver = stream(context, {type: 'application/javascript', frame: text => `${text}\n`})
        context.res.write(`${'h'.repeat(2048)}\n`) // some browsers show nothing of shorter responses
        receive(context, id, receiver)
      },
    ],
    eventsource: [
      'GET',
      (_, context, id) => {
        const receiver = stream(context, {type: 'text/event-stream', frame: text => `data: ${text}\r\n\r\n`})
        context.res.write('\r\n')
        receive(context, id, receiver)
      },
    ],
    xhr_send: [
      'POST',
      async (site, context, id) => {
        const session = sessions.get(id)
        if (session === undefined || session.agent !== callerOf(context).agent) throw noSession(id)
        const texts = readMessages(String(await readBytes({site, context}, messageBytes)))
        if (texts === undefined) throw new Problem(400, 'sockjs-frame', 'The body must be a JSON array of strings.')
        for (const text of texts) await session.protocol.receive(text)
        context.set('Content-Type', 'text/plain; charset=UTF-8')
        answerEmpty(context, 204)
      },
    ],
  }

  return async (site, context, path) => {
    nameRoute(context.req, 'broker')
    context.set('Cache-Control', 'no-store, no-transform')
    if (path === '' || path === 'info') {
      if (!asksToRead(context)) return
      return path === '' ? answerText(context, 'Welcome to SockJS!\n') : answerInfo(context)
    }
    const openHere = (channel: TextChannel) => open(context, channel)
    const accept = (options: Omit<WebSocketOptions, 'open'>) =>
      asksFor(context, ['GET']) ? acceptWebSocket(context, {...options, open: openHere}) : undefined
    if (path === 'websocket') return accept({isSockJs: false, protocols: stomp})
    const [, id = '', name = ''] = sessionPath.exec(path) ?? []
    if (name === 'websocket') return accept({isSockJs: true})
    const [method, transport] = (hasPolling && transports[name]) || []
    if (method === undefined || transport === undefined)
      throw noTransport(name, hasPolling ? ['websocket', ...Object.keys(transports)] : ['websocket'])
    return asksFor(context, [method]) ? transport(site, context, id) : undefined
  }
}

/** `<server>/<session>/<transport>`; the server is any word, for balancers that choose by path. */
const sessionPath = /^[^/.]+\/([^/.]+)\/([^/.]+)$/

/** Whether a path after `broker/` is one of the broker. */
export function isBrokerPath(path: string): boolean {
  return path === '' || path === 'info' || path === 'websocket' || sessionPath.test(path)
}

function noTransport(name: string, available: readonly string[]): Problem {
  const message = `This service has no transport "${excerpt(name)}" of SockJS; it has ${available.join(', ')}.`
  return new Problem(404, 'sockjs-transport', message, {members: {available}})
}

function noSession(id: string): Problem {
  return new Problem(404, 'sockjs-session', `There is no session ${excerpt(id)}.`)
}

function answerText(context: Context, text: string): void {
  context.set('Content-Type', 'text/plain; charset=UTF-8')
  context.body = text
}

function answerInfo(context: Context): void {
  context.set('Content-Type', 'application/json; charset=UTF-8')
  const entropy = randomInt(2 ** 32)
  context.body = JSON.stringify({websocket: true, origins: ['*:*'], cookie_needed: false, entropy})
}

/** A request that ends after one frame. */
function poll(context: Context): Receiver {
  const receiver = stream(context, {type: 'application/javascript', frame: text => `${text}\n`})
  return {...receiver, mostBytes: 0}
}

type StreamOptions = {readonly type: string; readonly frame: (text: string) => string}

/** A response that stays open. Its head is sent with the first frame. */
function stream(context: Context, {type, frame}: StreamOptions): Receiver {
  const {res} = context
  context.respond = false
  res.statusCode = 200
  res.setHeader('Content-Type', `${type}; charset=UTF-8`)
  return {
    write: text => res.write(frame(text)),
    end: () => res.end(),
    waitingBytes: () => res.writableLength,
    mostBytes: streamBytes,
  }
}
