/**
 * Everything worth knowing that happens inside: one sum type, told by whoever sees it, heard by whoever subscribed.
 *
 * Floor 0. Knows neither loggers nor metrics: `serve.ts` and the tests subscribe.
 * A listener must not throw; one that does is not allowed to break what it listens to.
 */
export type Observation =
  | {readonly kind: 'driver-unpatched'}
  | {readonly kind: 'database-notice'; readonly severity: string; readonly message: string}
  | {readonly kind: 'database-awaited'; readonly address: string; readonly reason: string}
  | {readonly kind: 'database-unavailable'; readonly reason: string}
  | {readonly kind: 'transaction-repeated'; readonly code: string; readonly attempt: number}
  | {readonly kind: 'migrated'; readonly schema: string; readonly applied: readonly string[]}
  | {readonly kind: 'embedded-created'; readonly directory: string; readonly version: string}
  | {readonly kind: 'embedded-started'; readonly directory: string; readonly processId: number}
  | {readonly kind: 'embedded-adopted'; readonly directory: string; readonly processId: number}
  | {readonly kind: 'embedded-lost'; readonly directory: string; readonly processId: number}
  | {readonly kind: 'embedded-stopped'; readonly directory: string}
  | {readonly kind: 'origin-refused'; readonly origin: string} // once an origin
  | {readonly kind: 'draining'; readonly requests: number}
  | {readonly kind: 'failure'; readonly error: unknown}

const listeners = new Set<(observation: Observation) => void>()

/** Tells every subscriber. */
export function observe(observation: Observation): void {
  for (const listener of listeners) {
    try {
      listener(observation)
    } catch (error) {
      process.stderr.write(`an observer failed on ${observation.kind}: ${String(error)}\n`)
    }
  }
}

/**
 * Hears every observation from now on.
 *
 * @returns  a function that ends the subscription
 */
export function subscribe(listener: (observation: Observation) => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
