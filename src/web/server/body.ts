/**
 * Reads the body of a request, within the site's limits.
 *
 * A body stays in memory until the request is answered, so its bytes count towards a limit for each caller and a limit
 * in total. The first 32 KiB of a body do not count, so that small bodies are always accepted.
 */
import {Problem} from '../../base/problem.ts'
import {readBody} from '../../http/body.ts'
import {type Exchange, headerOf} from '../exchange.ts'

const uncountedBytes = 32_768 // of each body

/**
 * Reads the body.
 *
 * @param limitBytes  limit for this body; the site's limit applies if it is lower
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

/** Counts the bytes of a body from their arrival until the response is closed. */
function createHold({site, context}: Pick<Exchange, 'site' | 'context'>): (bytes: number) => Problem | undefined {
  const {heldBodies} = site
  let caller: string | undefined
  let [read, counted] = [0, 0]
  return bytes => {
    read += bytes
    const more = read - uncountedBytes - counted
    if (more <= 0) return undefined
    if (counted === 0) caller = site.callerKey(context)
    const limit = heldBodies.take(caller, more)
    if (limit !== undefined) return refusal(limit)
    if (counted === 0) context.res.once('close', () => heldBodies.give(caller, counted))
    counted += more
    return undefined
  }
}

/** Closes the connection too, because the rest of the body is not read. */
function refusal(limit: 'caller' | 'total'): Problem {
  const headers = {'Retry-After': '1', Connection: 'close'}
  if (limit === 'total') return new Problem(503, 'busy', 'Too many large bodies are being read.', {headers})
  const message = 'Your large bodies that are being read are too long together. Send them one after the other.'
  return new Problem(429, 'bodies-at-once', message, {headers})
}

/** Whether the request has a body. A chunked body without Content-Type may be empty, so it is read to find out. */
export async function hasBody({site, context}: Exchange): Promise<boolean> {
  const {headers} = context.req
  if (headers['content-type'] !== undefined || Number(headers['content-length'] ?? 0) > 0) return true
  if (headers['transfer-encoding'] === undefined) return false
  return (await readBytes({site, context})).length > 0
}
