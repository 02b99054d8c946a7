/** Clients of the broker: @stomp/stompjs over WebSocket or SockJS, and plain frames. */
import {Client, type IMessage, type StompConfig} from '@stomp/stompjs'
import type {ExecutionContext} from 'ava'
import SockJS from 'sockjs-client'
import {WebSocket} from 'ws'

export type Transport = 'websocket' | 'sockjs' | 'xhr-streaming' | 'xhr-polling' | 'eventsource'

/** @param url  of the service */
export function brokerConfig(url: string, transport: Transport): StompConfig {
  const base = `${url.replace(/^http/, 'ws')}broker/websocket`
  if (transport === 'websocket') return {webSocketFactory: () => new WebSocket(base, ['v12.stomp'])}
  const transports = transport === 'sockjs' ? ['websocket'] : [transport]
  return {webSocketFactory: () => new SockJS(`${url}broker`, undefined, {transports})}
}

export type Subscribed = {
  readonly client: Client
  readonly messages: readonly IMessage[]
  /** Waits until so many messages have arrived. */
  readonly gather: (count: number) => Promise<readonly IMessage[]>
}

/** Connects a client and subscribes to a destination. Resolves when the subscription counts. */
export async function subscribeTo(t: ExecutionContext, config: StompConfig, destination: string): Promise<Subscribed> {
  const messages: IMessage[] = []
  const client = new Client({reconnectDelay: 0, heartbeatIncoming: 0, heartbeatOutgoing: 0, ...config})
  t.teardown(() => client.deactivate({force: true}))
  await new Promise<void>((resolve, reject) => {
    client.onStompError = frame => reject(new Error(`${frame.headers.message}: ${frame.body}`))
    client.onWebSocketClose = event => reject(new Error(`closed: ${event.code} ${event.reason}`))
    client.onConnect = () => {
      client.watchForReceipt('subscribed', () => resolve())
      client.subscribe(destination, message => messages.push(message), {receipt: 'subscribed'})
    }
    client.activate()
  })
  const gather = async (count: number) => {
    for (let left = 400; left > 0 && messages.length < count; left -= 1)
      await new Promise(resolve => setTimeout(resolve, 50))
    return messages
  }
  return {client, messages, gather}
}

export type RawStomp = {
  readonly send: (text: string) => void
  /** Waits for a text that the condition accepts. */
  readonly heard: (isWanted: (text: string) => boolean) => Promise<string>
  readonly closed: Promise<{readonly code: number; readonly reason: string}>
  readonly socket: WebSocket
}

/** A WebSocket on which frames are sent as written. */
export async function openRaw(t: ExecutionContext, url: string, headers = {}): Promise<RawStomp> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}broker/websocket`, {headers})
  t.teardown(() => socket.terminate())
  const texts: string[] = []
  socket.on('message', data => texts.push(String(data)))
  const closed = new Promise<{code: number; reason: string}>(resolve => {
    socket.once('close', (code, reason) => resolve({code, reason: String(reason)}))
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    send: text => socket.send(text),
    async heard(isWanted) {
      for (let left = 400; left > 0; left -= 1) {
        const found = texts.find(isWanted)
        if (found !== undefined) return found
        await new Promise(resolve => setTimeout(resolve, 25))
      }
      throw new Error(`not heard among ${JSON.stringify(texts)}`)
    },
    closed,
    socket,
  }
}
