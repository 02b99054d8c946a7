/**
 * WebSocket connections as channels: plain texts, or the frames of SockJS.
 *
 * A client that answers no ping within a period is gone. Messages are not compressed: a compressor for each connection
 * would need 300 KB.
 * Sources: RFC 6455; SockJS protocol 0.3.3, "WebSocket transport", "Raw WebSocket transport".
 */
import type {Context} from 'koa'
import {type WebSocket, WebSocketServer} from 'ws'
import {Problem} from '../../base/problem.ts'
import {takeUpgrade} from '../server/upgrade.ts'
import {closeCodes, type Protocol, type TextChannel} from './channel.ts'
import {readMessages, writeClose, writeMessages} from './sockjs-frame.ts'

export type WebSocketOptions = {
  readonly isSockJs: boolean
  readonly protocols?: readonly string[] // subprotocols, of which the client's first is chosen
  readonly open: (channel: TextChannel) => Protocol
}

const messageBytes = 65_536 // of one message from a client
const pingMs = 25_000 // less than the idle time after which proxies close connections
const closingMs = 1000 // for the client to answer the close frame

/**
 * Accepts a WebSocket and carries a protocol over it.
 *
 * @throws  Problem 426 `websocket-asked`: the request is no upgrade
 */
export function acceptWebSocket(context: Context, options: WebSocketOptions): void {
  const {protocols = []} = options
  const upgrade = takeUpgrade(context.req)
  if (upgrade === undefined) {
    const headers = {Upgrade: 'websocket', Connection: 'Upgrade'}
    throw new Problem(426, 'websocket-asked', `${context.path} is for WebSockets.`, {headers})
  }
  context.respond = false
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: messageBytes,
    handleProtocols: offered => protocols.find(name => offered.has(name)) ?? false,
  })
  server.handleUpgrade(context.req, upgrade.socket, upgrade.head, socket => carry(socket, options))
}

function carry(socket: WebSocket, {isSockJs, open}: WebSocketOptions): void {
  const closed = new AbortController()
  const send = (text: string) => {
    if (socket.readyState === socket.OPEN) socket.send(text)
  }
  const channel: TextChannel = {
    send: isSockJs ? text => send(writeMessages([text])) : send,
    waitingBytes: () => socket.bufferedAmount,
    close(code, reason) {
      if (isSockJs) send(writeClose(closeCodes.goAway, reason))
      socket.close(code, reason)
      setTimeout(() => socket.terminate(), closingMs).unref()
    },
    closed: closed.signal,
  }
  const endPings = pingRegularly(socket, () => isSockJs && send('h'))
  socket.on('error', () => socket.terminate()) // a frame that breaks RFC 6455; the client has been told
  socket.once('close', () => {
    endPings()
    closed.abort()
  })
  if (isSockJs) send('o')
  const protocol = open(channel)
  socket.on('message', async data => {
    const texts = isSockJs ? readMessages(String(data)) : [String(data)]
    if (texts === undefined) return channel.close(closeCodes.refused, 'Broken framing.')
    socket.pause() // until these have been handled
    for (const text of texts) await protocol.receive(text)
    socket.resume()
  })
}

/** @returns  a function that ends the pings */
function pingRegularly(socket: WebSocket, beat: () => void): () => void {
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
    beat()
  }, pingMs).unref()
  return () => clearInterval(timer)
}
