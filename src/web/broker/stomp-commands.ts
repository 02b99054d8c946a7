/**
 * What the frames of a STOMP client do to its conversation.
 *
 * The service has no queues. Clients therefore cannot send messages, and an ACK or NACK changes nothing, because a
 * message is sent only once. ACK, NACK and transactions are checked as the specification demands.
 * Source: STOMP 1.2, "Client Frames".
 */
import {excerpt} from '../../base/excerpt.ts'
import {StompError, type StompFrame} from '../../stomp/frame.ts'
import {readTopic, type TopicPattern} from '../../stomp/topic.ts'

export type Subscription = {
  readonly id: string
  readonly pattern: TopicPattern
  readonly isAcknowledged: boolean // the client acknowledges messages
  readonly after: string // position in the change log: only later changes are sent
}

export type Message = {
  readonly destination: string
  readonly position: string // of its change in the log
  readonly type: string
  readonly body: string
}

/** What a client may do once it has connected. */
export type Listener = {
  /** Reads the position after which a new subscription begins. @throws Problem */
  readonly position: () => Promise<string>
  /** Begins to deliver messages. Called after the first subscription. */
  readonly listen: (
    subscriptions: ReadonlyMap<string, Subscription>,
    deliver: (subscription: Subscription, message: Message) => void,
  ) => void
  /** Counts a frame as a request. @throws Problem 429 */
  readonly count: () => Promise<void>
}

/** A client that has connected. */
export type Conversation = {
  readonly listener: Listener
  readonly subscriptions: Map<string, Subscription>
  readonly transactions: Set<string>
  readonly deliver: (subscription: Subscription, message: Message) => void
  sent: number // messages, which are numbered from 1
  isListening: boolean
}

type Command = (conversation: Conversation, frame: StompFrame) => Promise<void> | void

const subscriptionsMax = 500
const transactionsMax = 50

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['SUBSCRIBE', subscribe],
  ['UNSUBSCRIBE', unsubscribe],
  ['ACK', acknowledge],
  ['NACK', acknowledge],
  ['BEGIN', begin],
  ['COMMIT', endTransaction],
  ['ABORT', endTransaction],
  ['SEND', refuseMessage],
  ['DISCONNECT', () => undefined], // stomp.ts answers it
])

/** @throws  StompError · Problem 429 `request-rate` and what the listener throws */
export async function runCommand(conversation: Conversation, frame: StompFrame): Promise<void> {
  const run = commands.get(frame.command)
  if (run === undefined) throw new StompError(`A connected client cannot send ${excerpt(frame.command)}.`)
  await conversation.listener.count()
  await run(conversation, frame)
}

async function subscribe(conversation: Conversation, {headers}: StompFrame): Promise<void> {
  const {subscriptions, listener, deliver} = conversation
  const [id, destination] = [required(headers, 'id'), required(headers, 'destination')]
  const mode = headers.get('ack') ?? 'auto'
  if (!['auto', 'client', 'client-individual'].includes(mode))
    throw new StompError(`ack is auto, client or client-individual, not "${excerpt(mode)}".`)
  if (subscriptions.has(id)) throw new StompError(`There is a subscription with the id "${excerpt(id)}" already.`)
  if (subscriptions.size >= subscriptionsMax)
    throw new StompError(`A connection has at most ${subscriptionsMax} subscriptions.`)
  const pattern = readTopic(destination)
  const after = await listener.position()
  subscriptions.set(id, {id, pattern, isAcknowledged: mode !== 'auto', after})
  if (conversation.isListening) return
  conversation.isListening = true
  listener.listen(subscriptions, deliver)
}

function unsubscribe({subscriptions}: Conversation, {headers}: StompFrame): void {
  const id = required(headers, 'id')
  if (!subscriptions.delete(id)) throw new StompError(`There is no subscription with the id "${excerpt(id)}".`)
}

function acknowledge(conversation: Conversation, {headers}: StompFrame): void {
  const id = required(headers, 'id')
  if (!/^[1-9]\d{0,14}$/.test(id) || Number(id) > conversation.sent)
    throw new StompError(`No message has the ack "${excerpt(id)}".`)
  const transaction = headers.get('transaction')
  if (transaction !== undefined) requireTransaction(conversation, transaction)
}

function begin({transactions}: Conversation, {headers}: StompFrame): void {
  const name = required(headers, 'transaction')
  if (transactions.has(name)) throw new StompError(`The transaction "${excerpt(name)}" has begun already.`)
  if (transactions.size >= transactionsMax)
    throw new StompError(`A connection has at most ${transactionsMax} transactions.`)
  transactions.add(name)
}

function endTransaction(conversation: Conversation, {headers}: StompFrame): void {
  const name = required(headers, 'transaction')
  requireTransaction(conversation, name)
  conversation.transactions.delete(name)
}

function refuseMessage(): never {
  throw new StompError('The service accepts no messages. Documents are changed by HTTP.')
}

function requireTransaction({transactions}: Conversation, name: string): void {
  if (!transactions.has(name)) throw new StompError(`There is no transaction "${excerpt(name)}".`)
}

function required(headers: StompFrame['headers'], name: string): string {
  const value = headers.get(name)
  if (value === undefined) throw new StompError(`The frame needs the header ${name}.`)
  return value
}
