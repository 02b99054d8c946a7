/**
 * Cancelling a statement: when its client has gone or, behind a pooler, when its time is over.
 *
 * A cancel request reaches the server on a connection of its own and may come while the statement is between
 * two messages; the server then forgets it, and so it is repeated until the statement has ended. It must not be sent
 * before the statement was: the driver loses the connection then.
 * Source: PostgreSQL manual §55.2.9 (cancelling requests in progress).
 */
import {setTimeout as delay} from 'node:timers/promises'

/** What the driver's queries have, though its types do not say so. */
type Running = {
  readonly active: boolean // the statement was sent, and is not over
  readonly canceller: ((query: object) => Promise<void>) | null
}

export type CancelOptions = {
  readonly signal: AbortSignal | undefined
  readonly afterMs: number // 0: only the signal counts
}

const pollMs = 10
const repeatMs = 200
const graceMs = 100

/**
 * Watches a statement.
 *
 * @param query  as the driver returned it
 * @returns      ends the watch; resolves once no cancel request is under way that could meet the next statement
 */
export function cancelWhen(query: object, {signal, afterMs}: CancelOptions): () => Promise<void> {
  const running = query as Running
  let timer: NodeJS.Timeout | undefined
  let sent: Promise<void> | undefined
  const cancel = () => {
    clearTimeout(timer)
    if (running.active) sent = running.canceller?.(query).catch(() => undefined) // unreachable: try again
    timer = setTimeout(cancel, running.active ? repeatMs : pollMs)
  }
  if (afterMs > 0) timer = setTimeout(cancel, afterMs)
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, {once: true})
  return async () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
    if (sent === undefined) return
    await Promise.race([sent, delay(graceMs, undefined, {ref: false})]) // over TLS the driver does not tell its end
  }
}
