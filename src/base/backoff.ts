/**
 * When something that failed is tried again.
 *
 * Pure. Source: docs/changes.md, Webhooks.
 */

export type Backoff = {
  readonly firstMs: number // before the second attempt
  readonly mostMs?: number // the longest wait; by default 6 hours
}

/**
 * The wait after a failure: it doubles each time, up to the longest one, less a random part of up to a quarter.
 *
 * @param failures  in a row, with this one
 * @param random    from 0 to 1
 * @param askedMs   what the receiver asked for (Retry-After)
 */
export function waitAfter(failures: number, backoff: Backoff, {random, askedMs = 0}: WaitOptions): number {
  const {firstMs, mostMs = 6 * 3_600_000} = backoff
  const whole = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 40))
  return Math.round(Math.min(mostMs, Math.max(askedMs, whole * (1 - random / 4))))
}

export type WaitOptions = {readonly random: number; readonly askedMs?: number | undefined}
