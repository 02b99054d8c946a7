/**
 * Cancels a statement when its client has disconnected or, behind a pooler, when its time limit is reached.
 *
 * A cancel request uses a connection of its own. The server ignores it if it arrives between two messages of the
 * statement, so it is repeated until the statement has ended. It must not be sent before the statement: the driver
 * would lose the connection. It may arrive late and would then cancel the next statement of the connection, so the
 * driver gives the connection to another caller only when the server has closed the request's own (patches/).
 *
 * One timer looks at all running statements, because a listener for each would take 3 % of a short request.
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

type Watched = CancelOptions & {
  readonly query: Running
  readonly begin: number
  nextMs: number // time of the next request
  sent: Promise<unknown> | undefined // all requests
}

const pollMs = 10
const repeatMs = 200

const watched = new Set<Watched>()
let timer: NodeJS.Timeout | undefined

/**
 * Watches a statement and cancels it on the signal or after the time limit.
 *
 * @param query  the query object that the driver returned
 * @returns      a function that ends the watch; it resolves once all cancel requests have ended
 */
export function cancelWhen(query: object, options: CancelOptions): () => Promise<void> {
  if (options.signal === undefined && options.afterMs === 0) return async () => undefined
  const one: Watched = {...options, query: query as Running, begin: performance.now(), nextMs: 0, sent: undefined}
  watched.add(one)
  timer ??= setInterval(look, pollMs)
  return async () => {
    watched.delete(one)
    await one.sent
  }
}

function look(): void {
  if (watched.size === 0) {
    clearInterval(timer)
    timer = undefined
  }
  const now = performance.now()
  for (const one of watched) {
    const {query, signal, afterMs, begin} = one
    const isOver = signal?.aborted === true || (afterMs > 0 && now - begin >= afterMs)
    if (!isOver || !query.active || now < one.nextMs) continue
    one.sent = Promise.allSettled([one.sent, query.canceller?.(query as object)])
    one.nextMs = now + repeatMs
  }
}
