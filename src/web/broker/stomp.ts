/**
 * A conversation in STOMP 1.2 over a channel: it begins with CONNECT, and an ERROR ends it.
 *
 * Source: STOMP 1.2, "Connecting", "Heart-beating", "Receipt", "ERROR".
 */
import {excerpt} from '../../base/excerpt.ts'
import {observe} from '../../base/observation.ts'
import {Problem} from '../../base/problem.ts'
import {createFrameReader, StompError, type StompFrame, writeFrame} from '../../stomp/frame.ts'
import {closeCodes, type Protocol, type TextChannel} from './channel.ts'
import {type Conversation, type Listener, type Message, runCommand, type Subscription} from './stomp-commands.ts'

export type StompOptions = {
  readonly server: string // for CONNECTED: 'quadstead/1.0.0'
  /**
   * Admits a client.
   *
   * @param authorization  value of an Authorization field; undefined: that of the HTTP request, if it has one
   * @param fail           ends the conversation with an ERROR
   * @throws               Problem 401, 429, 503
   */
  readonly admit: (authorization: string | undefined, fail: (error: unknown) => void) => Promise<Listener>
}

const frameLimits = {headBytes: 16_384, headers: 50, bodyBytes: 16_384}
const connectMs = 30_000 // for CONNECT to arrive
const beatMs = 10_000 // the service sends and expects heart-beats no more often than this

export function openStomp(channel: TextChannel, {server, admit}: StompOptions): Protocol {
  const reader = createFrameReader(frameLimits)
  let conversation: Conversation | undefined
  let heardAt = performance.now()
  const fail = (error: unknown, frame?: StompFrame) => endWithError(channel, error, frame)
  const late = setTimeout(() => fail(new StompError('No CONNECT frame has arrived.')), connectMs).unref()
  channel.closed.addEventListener('abort', () => clearTimeout(late))

  async function handle(frame: StompFrame): Promise<void> {
    if (conversation === undefined) {
      const beats = readConnect(frame)
      conversation = converse(channel, await admit(authorizationOf(frame), fail))
      clearTimeout(late)
      const agreed = [beats.wants, beats.sends].map(ms => (ms === 0 ? 0 : beatMs)).join(',')
      channel.send(writeFrame('CONNECTED', {version: '1.2', 'heart-beat': agreed, server}))
      if (beats.wants > 0) repeat(channel, Math.max(beats.wants, beatMs), () => channel.send('\n'))
      const promisedMs = Math.max(beats.sends, beatMs)
      if (beats.sends > 0) repeat(channel, promisedMs, () => failIfSilent(heardAt, promisedMs, fail))
      return
    }
    await runCommand(conversation, frame)
    const receipt = frame.headers.get('receipt')
    if (receipt !== undefined) channel.send(writeFrame('RECEIPT', {'receipt-id': receipt}))
    if (frame.command === 'DISCONNECT') channel.close(closeCodes.normal, 'DISCONNECT')
  }

  async function read(text: string): Promise<void> {
    let current: StompFrame | undefined
    try {
      for (const frame of channel.closed.aborted ? [] : reader.read(Buffer.from(text))) {
        current = frame
        await handle(frame)
      }
    } catch (error) {
      fail(error, current)
    }
  }

  let last = Promise.resolve()
  return {
    receive(text) {
      heardAt = performance.now()
      last = last.then(() => read(text)) // frames are handled one after the other, however they arrive
      return last
    },
    leave: () => channel.close(closeCodes.restart, 'The service stops or starts again; connect again.'),
  }
}

function converse(channel: TextChannel, listener: Listener): Conversation {
  const conversation: Conversation = {
    listener,
    subscriptions: new Map(),
    transactions: new Set(),
    deliver(subscription, message) {
      conversation.sent += 1
      channel.send(writeMessage(subscription, message, String(conversation.sent)))
    },
    sent: 0,
    isListening: false,
  }
  return conversation
}

function writeMessage({id, isAcknowledged}: Subscription, message: Message, number: string): string {
  const {destination, position, type, body} = message
  const headers = {subscription: id, 'message-id': number, destination, 'content-type': type, position}
  return writeFrame('MESSAGE', isAcknowledged ? {...headers, ack: number} : headers, body)
}

type Beats = {readonly sends: number; readonly wants: number} // milliseconds; 0: none

/** @throws  StompError: the frame is no CONNECT of STOMP 1.2 */
function readConnect({command, headers}: StompFrame): Beats {
  if (command !== 'CONNECT' && command !== 'STOMP')
    throw new StompError(`The first frame is CONNECT, not ${excerpt(command)}.`)
  const versions = headers.get('accept-version') ?? '1.0'
  if (!versions.split(',').includes('1.2'))
    throw new StompError(`The service speaks STOMP 1.2, not ${excerpt(versions)}.`)
  const beats = headers.get('heart-beat') ?? '0,0'
  const [, sends, wants] = /^(\d{1,9}),(\d{1,9})$/.exec(beats) ?? []
  if (sends === undefined || wants === undefined)
    throw new StompError(`heart-beat must be two numbers of milliseconds, not "${excerpt(beats)}".`)
  return {sends: Number(sends), wants: Number(wants)}
}

/** The credentials in a CONNECT: an Authorization as in HTTP, or an API key or token as the passcode. */
function authorizationOf({headers}: StompFrame): string | undefined {
  const passcode = headers.get('passcode') ?? ''
  return (
    headers.get('Authorization') ?? headers.get('authorization') ?? (passcode === '' ? undefined : `Bearer ${passcode}`)
  )
}

/** Ends the conversation of a client that has been silent for twice the time it promised. */
function failIfSilent(heardAt: number, promisedMs: number, fail: (error: unknown) => void): void {
  if (performance.now() - heardAt > 2 * promisedMs) fail(new StompError('No heart-beat has arrived in time.'))
}

/** Repeats an action until the channel is closed. */
function repeat(channel: TextChannel, everyMs: number, act: () => void): void {
  const timer = setInterval(act, everyMs).unref()
  channel.closed.addEventListener('abort', () => clearInterval(timer))
}

function endWithError(channel: TextChannel, error: unknown, frame: StompFrame | undefined): void {
  if (channel.closed.aborted) return
  const {rule, message} = problemOf(error)
  const headers = {message: rule, version: '1.2', 'receipt-id': frame?.headers.get('receipt')}
  channel.send(writeFrame('ERROR', {...headers, 'content-type': 'text/plain'}, message))
  channel.close(closeCodes.refused, rule)
}

/** The Problem for an error. An error that is neither a Problem nor about STOMP is a defect of the service. */
function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof StompError) return new Problem(400, 'stomp-frame', error.message, {cause: error})
  observe({kind: 'failure', error})
  return new Problem(500, 'internal', 'This is our fault.', {cause: error})
}
