/**
 * The body of a request, within the site's limits.
 *
 * Floor 5.
 */
import {readBody} from '../http/body.ts'
import {type Exchange, headerOf} from './exchange.ts'

export function readBytes({site, context}: Pick<Exchange, 'site' | 'context'>): Promise<Uint8Array> {
  return readBody(context.req, {
    limitBytes: site.limits.bodyBytes,
    timeoutMs: site.limits.bodyTimeoutMs,
    contentEncoding: headerOf(context, 'content-encoding'),
    contentLength: headerOf(context, 'content-length'),
  })
}
