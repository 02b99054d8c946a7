/**
 * The body of a request, within the site's limits.
 *
 * Floor 5.
 */
import {readBody} from '../http/body.ts'
import {type Exchange, headerOf} from './exchange.ts'

/** @param limitBytes  of this body, if the site allows as much */
export function readBytes(
  {site, context}: Pick<Exchange, 'site' | 'context'>,
  limitBytes = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  return readBody(context.req, {
    limitBytes: Math.min(limitBytes, site.limits.bodyBytes),
    timeoutMs: site.limits.bodyTimeoutMs,
    contentEncoding: headerOf(context, 'content-encoding'),
    contentLength: headerOf(context, 'content-length'),
  })
}
