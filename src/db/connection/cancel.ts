/**
 * Cancels a statement when its client has disconnected or, behind a pooler, when its time limit is reached.
 *
 * A cancel request uses a connection of its own. The server ignores it if it arrives between two messages of the
 * statement, so it is repeated until the statement has ended. It must not be sent before the statement: the driver
 * would lose the connection. It may arrive late and would then cancel the next statement of the connection, so the
 * driver gives the connection to another caller only when the server has closed the request's own (patches/).
 * Source: PostgreSQL manual §55.2.9 (cancelling requests in progress).
 */

/** Properties of the driver's queries that its types do not declare. */
type Running = {
  readonly active: boolean // the statement was sent and has not ended
  readonly canceller: ((query: object) => Promise<void>) | null
}

export type CancelOptions = {
  readonly signal: AbortSignal | undefined
  readonly afterMs: number // 0: cancel on the signal only
}

const pollMs = 10
const repeatMs = 200

/**
 * Watches a statement and cancels it on the signal or after the time limit.
 *
 * @param query  the query object that the driver returned
 * @returns      a function that ends the watch; it resolves once all cancel requests have ended
 */
export function cancelWhen(query: object, {signal, afterMs}: CancelOptions): () => Promise<void> {
  const running = query as Running
  let timer: NodeJS.Timeout | undefined
  let sent: Promise<unknown> | undefined // all requests
  const cancel = () => {
    clearTimeout(timer)
    if (running.active) sent = Promise.allSettled([sent, running.canceller?.(query)])
    timer = setTimeout(cancel, running.active ? repeatMs : pollMs)
  }
  if (afterMs > 0) timer = setTimeout(cancel, afterMs)
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, {once: true})
  return async () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
    await sent
  }
}
