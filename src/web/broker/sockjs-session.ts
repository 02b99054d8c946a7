/**
 * Sessions of SockJS over plain requests, for browsers whose WebSockets a proxy blocks.
 *
 * A session is a channel in one process. One request at a time receives its texts, others send. It ends when no request
 * has received for a few seconds.
 * Source: SockJS protocol 0.3.3, "xhr-polling", "xhr-streaming", "eventsource".
 */
import {closeCodes, type Protocol, type TextChannel} from './channel.ts'
import {writeClose, writeMessages} from './sockjs-frame.ts'

/** A request that receives. */
export type Receiver = {
  readonly write: (frame: string) => void
  readonly end: () => void
  readonly waitingBytes: () => number
  readonly mostBytes: number // after which it ends, and the client sends another; 0: after one frame
}

export type PolledSession = {
  readonly agent: string | undefined // whose session it is
  readonly protocol: Protocol
  readonly closed: AbortSignal
  /** Attaches a request that receives. Another one is refused as long as it is attached. */
  readonly attach: (receiver: Receiver) => void
  /** Ends the session, because the client has closed a request that receives. */
  readonly detach: (receiver: Receiver) => void
}

const absentMs = 5000 // without a request that receives
const beatMs = 25_000
const receiveMs = 240_000 // after which a request that receives ends, and the client sends another
const stillOpen = writeClose(2010, 'Another connection still open')

export type PolledOptions = {
  readonly agent: string | undefined
  readonly open: (channel: TextChannel) => Protocol
}

export function openPolledSession({agent, open}: PolledOptions): PolledSession {
  const closed = new AbortController()
  const outbox = createOutbox(() => closed.abort())
  const beats = setInterval(() => outbox.write('h'), beatMs).unref()
  closed.signal.addEventListener('abort', () => {
    clearInterval(beats)
    outbox.end()
  })
  const protocol = open({
    send: text => outbox.push(text),
    waitingBytes: outbox.waitingBytes,
    close(_, reason) {
      outbox.finish(writeClose(closeCodes.goAway, reason))
      setTimeout(() => closed.abort(), absentMs).unref() // so that a late request receives the last frames
    },
    closed: closed.signal,
  })
  return {
    agent,
    protocol,
    closed: closed.signal,
    attach(receiver) {
      if (!outbox.isFree()) {
        receiver.write(stillOpen)
        receiver.end()
      } else {
        outbox.attach(receiver)
      }
    },
    detach: receiver => outbox.isAttached(receiver) && closed.abort(),
  }
}

/**
 * The texts that wait for a request that receives.
 *
 * @param leave  called when there has been no such request for too long
 */
function createOutbox(leave: () => void) {
  const texts: string[] = []
  let bytes = 0
  let last: string | undefined // the frame that closes the session
  let isNew = true
  const receiving = createReceiving(leave)
  function flush(): void {
    if (!receiving.isFree() && texts.length > 0) {
      bytes = 0
      receiving.write(writeMessages(texts.splice(0)))
    }
    if (receiving.isFree() || last === undefined) return
    receiving.write(last)
    receiving.release()
  }
  return {
    ...receiving,
    push(text: string): void {
      if (last !== undefined) return
      texts.push(text)
      bytes += text.length
      flush()
    },
    finish(frame: string): void {
      last ??= frame
      flush()
    },
    attach(receiver: Receiver): void {
      receiving.attach(receiver)
      if (isNew) receiving.write('o')
      isNew = false
      flush()
    },
    waitingBytes: () => bytes + receiving.waitingBytes(),
  }
}

/** The request that receives, if there is one. A frame that is written without one is lost. */
function createReceiving(leave: () => void) {
  let receiver: Receiver | undefined
  let taken = 0 // bytes, by the receiver
  const absence = createTimer(absentMs, leave)
  const enough = createTimer(receiveMs, release)
  absence.start()
  function release(): void {
    receiver?.end()
    receiver = undefined
    enough.stop()
    absence.start()
  }
  return {
    write(frame: string): void {
      if (receiver === undefined) return
      receiver.write(frame)
      taken += frame.length
      if (taken > receiver.mostBytes) release()
    },
    release,
    attach(next: Receiver): void {
      absence.stop()
      enough.start()
      receiver = next
      taken = 0
    },
    isFree: () => receiver === undefined,
    isAttached: (other: Receiver) => receiver === other,
    waitingBytes: () => receiver?.waitingBytes() ?? 0,
    end(): void {
      absence.stop()
      enough.stop()
      receiver?.end()
    },
  }
}

/** A timer that can be started again. */
function createTimer(ms: number, act: () => void) {
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(timer)
  return {
    start(): void {
      stop()
      timer = setTimeout(act, ms).unref()
    },
    stop,
  }
}
