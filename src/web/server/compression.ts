/**
 * Compresses bodies in the content coding that the client accepts: whole bodies in a middleware, streams in a sink.
 *
 * A compressed answer keeps its entity tag. The tag names the state of the document in all formats and codings
 * (decision 0001), so If-Match works however the document was read. `Vary` keeps caches from confusing the codings.
 * The service has no range requests, for which this would not be enough.
 * Sources: RFC 9110 §8.4, §8.8.3, §12.5.3.
 */
import {type Duplex, pipeline, type Writable} from 'node:stream'
import {promisify} from 'node:util'
import {brotliCompress, constants, createBrotliCompress, createGzip, gzip} from 'node:zlib'
import type {Context, Middleware} from 'koa'
import {type ContentCoding, chooseCoding} from '../../http/content-coding.ts'

const gzipOptions = {level: 6}
const brotliQuality = 4 // as fast as gzip at 6, and smaller
const brotliOptions = {params: {[constants.BROTLI_PARAM_QUALITY]: brotliQuality}}
/**
 * Brotli holds back up to twice its window before it writes anything: 8 MB with the usual one. A reader of a long
 * answer would wait for its end. With 128 kB the answer is as short, and its beginning arrives at once.
 */
const streamOptions = {params: {...brotliOptions.params, [constants.BROTLI_PARAM_LGWIN]: 17}}
const coders = {br: promisify(brotliCompress), gzip: promisify(gzip)}

/** @param fromBytes  shorter bodies are not compressed; Infinity: no body is */
export function compressBodies(fromBytes: number): Middleware {
  if (fromBytes === Number.POSITIVE_INFINITY) return (_, next) => next()
  return async (context, next) => {
    const coding = chooseCoding(context.req.headers['accept-encoding'])
    if (coding === undefined) return next()
    context.state.coding = coding
    await next()
    await compressBody(context, coding, fromBytes)
  }
}

async function compressBody(context: Context, coding: ContentCoding, fromBytes: number): Promise<void> {
  const {body} = context
  if (context.respond === false || !(typeof body === 'string' || Buffer.isBuffer(body))) return
  if (Buffer.byteLength(body) < fromBytes || context.method === 'HEAD' || isCoded(context)) return
  const bytes = Buffer.from(body)
  const coded = coding === 'br' ? await coders.br(bytes, brotliFor(bytes)) : await coders.gzip(bytes, gzipOptions)
  context.set('Content-Encoding', coding)
  context.body = coded // Koa updates the length and keeps the type
}

function brotliFor(bytes: Buffer) {
  return {params: {...brotliOptions.params, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length}}
}

function isCoded({res: response}: Context): boolean {
  return response.hasHeader('Content-Encoding') || /no-transform/.test(String(response.getHeader('Cache-Control')))
}

/**
 * The stream to which the chunks of an answer are written: a compressor, or the target itself.
 *
 * Must be called before the head is written, because it sets Content-Encoding.
 */
export function openSink(context: Context, target: Duplex): Writable {
  const coding: ContentCoding | undefined = context.state.coding
  if (coding === undefined || isCoded(context)) return target
  context.set('Content-Encoding', coding)
  const coder = coding === 'br' ? createBrotliCompress(streamOptions) : createGzip(gzipOptions)
  pipeline(coder, target, () => undefined) // destroys either stream when the other one fails
  return coder
}
