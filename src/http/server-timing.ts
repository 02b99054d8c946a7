/**
 * Stages of work to a Server-Timing header, which browsers show with the request.
 *
 * Pure. Source: W3C Server Timing §2.
 */
import type {Stage} from '../base/stopwatch.ts'

/** Writes `parse;dur=0.4, sql;dur=12.1`, in milliseconds. The names of stages must be tokens. */
export function formatServerTiming(stages: readonly Stage[]): string {
  return stages.map(({name, ms}) => `${name};dur=${Math.round(ms * 10) / 10}`).join(', ')
}
