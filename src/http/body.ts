/**
 * A request's body stream to bytes, within limits of size and time, with its content coding decoded.
 *
 * Knows streams and content codings, but no media types. If reading stops early, the rest of the stream flows and is
 * dropped, so that the response can still be sent on the same connection. The stream is never destroyed here.
 * Sources: RFC 9110 §8.4 (content codings), §15.5.9 (408), §15.5.14 (413), §15.5.16 (415).
 */
import type {Readable, Transform} from 'node:stream'
import {createBrotliDecompress, createGunzip, createInflate} from 'node:zlib'
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {splitList} from './field.ts'

export type BodyOptions = {
  readonly limitBytes: number // of the body as sent, and of the decoded body
  readonly timeoutMs: number // from the call to the last byte
  readonly contentEncoding?: string | undefined // field value
  readonly contentLength?: string | undefined // field value
  readonly hold?: (bytes: number) => Problem | undefined // called before a chunk is kept; a Problem refuses the body
}

/** The content codings that requests may use, as an Accept-Encoding value. */
export const acceptedEncodings = 'gzip, deflate, br'

/** Closes the connection after the response, because the rest of the body is not read. */
const closing = {Connection: 'close'}

/**
 * Reads a body to its end.
 *
 * @throws  Problem 413 `body-size`, with member `limitBytes`: before reading if Content-Length is over the limit,
 *          otherwise as soon as the limit is passed
 * @throws  Problem 415 `content-encoding-known`: neither gzip, deflate, br nor identity, or more than one of them
 * @throws  Problem 400 `body-encoding`: the bytes are not what Content-Encoding says
 * @throws  Problem 408 `body-time`
 * @throws  the Problem that `hold` returns
 * @throws  Problem 499 `client-gone`: the connection ended before the body did; no response can be sent
 */
export async function readBody(stream: Readable, options: BodyOptions): Promise<Uint8Array> {
  try {
    if (Number(options.contentLength ?? 0) > options.limitBytes) throw tooLarge(options.limitBytes)
    if (stream.readableEnded) return new Uint8Array()
    if (stream.destroyed) throw clientGone()
    const chunks = await collect(stream, createDecoder(options.contentEncoding), options)
    return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
  } catch (error) {
    stream.resume()
    throw error
  }
}

/**
 * Collects the chunks of a stream, decoded if there is a decoder.
 *
 * The limit applies on both sides of the decoder, so a small body cannot grow without bound. An error of the decoder
 * means a corrupt body, an error of the stream a broken connection. The listener for errors of the stream stays,
 * because a later error would otherwise be uncaught.
 */
function collect(stream: Readable, decoder: Transform | undefined, options: BodyOptions): Promise<Uint8Array[]> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    const release = (): void => {
      clearTimeout(timer)
      stream.off('data', count).off('close', gone)
      body.off('data', keep).off('end', done)
      if (decoder === undefined) return
      stream.unpipe(decoder)
      decoder.destroy()
    }
    const fail = (problem: Problem): void => {
      release()
      reject(problem)
    }
    const done = (): void => {
      release()
      resolve(chunks)
    }
    const gone = (): void => {
      if (!stream.readableEnded) fail(clientGone())
    }
    const timer = setTimeout(() => fail(tooSlow(options.timeoutMs)), options.timeoutMs)
    const count = limited(options.limitBytes, () => {}, fail)
    const hold = (chunk: Uint8Array): void => {
      const refusal = options.hold?.(chunk.length)
      if (refusal === undefined) chunks.push(chunk)
      else fail(refusal)
    }
    const keep = limited(options.limitBytes, hold, fail)
    const body = decoder === undefined ? stream : stream.pipe(decoder)
    stream.on('error', gone).on('close', gone)
    if (decoder !== undefined) stream.on('data', count)
    body.on('data', keep).on('end', done)
    decoder?.on('error', cause => fail(corrupt(options.contentEncoding ?? '', cause)))
  })
}

/** A listener that passes chunks on until their total size is over the limit. */
function limited(limitBytes: number, pass: (chunk: Uint8Array) => void, fail: (problem: Problem) => void) {
  let totalBytes = 0
  return (chunk: Uint8Array): void => {
    totalBytes += chunk.length
    if (totalBytes > limitBytes) fail(tooLarge(limitBytes))
    else pass(chunk)
  }
}

/** The transform that decodes a content coding; undefined if there is none. @throws Problem 415 */
function createDecoder(contentEncoding = ''): Transform | undefined {
  const codings = splitList(contentEncoding.toLowerCase()).filter(coding => coding !== 'identity')
  const [coding, ...others] = codings
  if (coding === undefined) return undefined
  if (others.length > 0) throw unknownEncoding(contentEncoding)
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw unknownEncoding(contentEncoding)
  }
}

function tooLarge(limitBytes: number): Problem {
  const members = {limitBytes}
  return new Problem(413, 'body-size', `The body is larger than ${limitBytes} bytes`, {members, headers: closing})
}

function tooSlow(timeoutMs: number): Problem {
  return new Problem(408, 'body-time', `The body did not arrive within ${timeoutMs} ms`, {headers: closing})
}

function clientGone(): Problem {
  return new Problem(499, 'client-gone', 'The connection ended before the body did')
}

function corrupt(contentEncoding: string, cause: unknown): Problem {
  const message = `The body is not what Content-Encoding says: "${excerpt(contentEncoding)}"`
  return new Problem(400, 'body-encoding', message, {cause, headers: closing})
}

function unknownEncoding(contentEncoding: string): Problem {
  const message = `Content-Encoding must be one of ${acceptedEncodings}, got "${excerpt(contentEncoding)}"`
  return new Problem(415, 'content-encoding-known', message, {
    headers: {...closing, 'Accept-Encoding': acceptedEncodings},
  })
}
