/**
 * Stages of work to a Server-Timing header, which browsers show beside the request.
 *
 * Floor 2. Pure. Source: W3C Server Timing §2.
 */
import type {Stage} from '../base/stopwatch.ts'

/** `parse;dur=0.4, sql;dur=12.1`: milliseconds; names are tokens. */
export function formatServerTiming(stages: readonly Stage[]): string {
  return stages.map(({name, ms}) => `${name};dur=${Math.round(ms * 10) / 10}`).join(', ')
}
