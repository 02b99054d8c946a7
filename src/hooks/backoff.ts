/**
 * When a failed webhook is tried again.
 *
 * Pure. Source: docs/changes.md, Webhooks.
 */

export type Backoff = {
  readonly firstMs: number // before the second attempt
  readonly attempts: number // after so many failures in a row no more are made
}

const mostMs = 6 * 3_600_000

/**
 * The wait after a failure: it doubles each time, up to 6 hours, less a random part of up to a quarter.
 *
 * @param failures  in a row, with this one
 * @param random    from 0 to 1
 * @param askedMs   what the receiver asked for (Retry-After)
 */
export function waitAfter(failures: number, {firstMs}: Backoff, {random, askedMs = 0}: WaitOptions): number {
  const whole = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 40))
  return Math.round(Math.min(mostMs, Math.max(askedMs, whole * (1 - random / 4))))
}

export type WaitOptions = {readonly random: number; readonly askedMs?: number | undefined}
