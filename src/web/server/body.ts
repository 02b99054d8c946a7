/**
 * The body of a request, within the site's limits.
 *
 * Bodies are held until they are answered, so their bytes are counted, for each caller and in all. The first
 * bytes of a body are not counted: a small body is always taken.
 */
import {Problem} from '../../base/problem.ts'
import {readBody} from '../../http/body.ts'
import {type Exchange, headerOf} from '../exchange.ts'

const uncountedBytes = 32_768 // of each body

/**
 * Reads the body.
 *
 * @param limitBytes  of this body, if the site allows as much
 * @throws            Problem 429 `bodies-at-once`, 503 `busy` · what `readBody` throws
 */
export function readBytes(
  {site, context}: Pick<Exchange, 'site' | 'context'>,
  limitBytes = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  return readBody(context.req, {
    limitBytes: Math.min(limitBytes, site.limits.bodyBytes),
    timeoutMs: site.limits.bodyTimeoutMs,
    contentEncoding: headerOf(context, 'content-encoding'),
    contentLength: headerOf(context, 'content-length'),
    hold: createHold({site, context}),
  })
}

/** Counts the bytes of a body until it is answered. */
function createHold({site, context}: Pick<Exchange, 'site' | 'context'>): (bytes: number) => Problem | undefined {
  const {heldBodies} = site
  const caller = site.callerKey(context)
  let [read, counted] = [0, 0]
  return bytes => {
    read += bytes
    const more = read - uncountedBytes - counted
    if (more <= 0) return undefined
    const limit = heldBodies.take(caller, more)
    if (limit !== undefined) return refusal(limit)
    if (counted === 0) context.res.once('close', () => heldBodies.give(caller, counted))
    counted += more
    return undefined
  }
}

/** The rest of the body is not read, so the connection is closed. */
function refusal(limit: 'caller' | 'total'): Problem {
  const headers = {'Retry-After': '1', Connection: 'close'}
  if (limit === 'total') return new Problem(503, 'busy', 'Too many large bodies are being read.', {headers})
  const message = 'Your large bodies that are being read are too long together. Send them one after the other.'
  return new Problem(429, 'bodies-at-once', message, {headers})
}
