/**
 * A connection that carries texts both ways, whatever the transport: WebSocket, or requests of SockJS.
 */

export type TextChannel = {
  readonly send: (text: string) => void // ignored when the channel is closed
  readonly waitingBytes: () => number // sent, but not yet taken by the client's connection
  readonly close: (code: number, reason: string) => void // codes as for WebSocket (RFC 6455 §7.4)
  readonly closed: AbortSignal // aborts when either side has closed it
}

/** The protocol that a channel carries. */
export type Protocol = {
  /** Handles a text. Resolves when the next one may come; never rejects. */
  readonly receive: (text: string) => Promise<void>
  /** Ends the conversation, because the service stops. */
  readonly leave: () => void
}

/** Codes of RFC 6455 §7.4.1 and of IANA's registry, and one of SockJS. */
export const closeCodes = {normal: 1000, refused: 1008, restart: 1012, goAway: 3000} as const

const pollMs = 50

/**
 * Waits until less than `mostBytes` wait for the client.
 *
 * @returns  false: it took longer than `limitMs`
 */
export async function whenTaken(
  channel: TextChannel,
  {mostBytes, limitMs}: {readonly mostBytes: number; readonly limitMs: number},
): Promise<boolean> {
  const begun = performance.now()
  while (!channel.closed.aborted && channel.waitingBytes() >= mostBytes) {
    if (performance.now() - begun > limitMs) return false
    await new Promise(resolve => setTimeout(resolve, pollMs))
  }
  return true
}
