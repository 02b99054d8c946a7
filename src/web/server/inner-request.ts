/**
 * Runs a request within another one: handlers get a context of Koa, and their response is captured in memory.
 *
 * The inner request has the connection, the caller and the id of the outer one, but its own header fields and body.
 */
import {type IncomingHttpHeaders, IncomingMessage, ServerResponse} from 'node:http'
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import {forwardedHeaders} from '../../http/forwarded.ts'
import {shareRecord} from './request-record.ts'

export type InnerRequest = {
  readonly method: string
  readonly url: string // path and query
  readonly headers: IncomingHttpHeaders
  readonly headersDistinct: NodeJS.Dict<string[]>
  readonly body: Uint8Array | undefined
}

export type InnerResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>> // names in lower case; several values are joined by commas
  readonly body: Buffer
}

export type InnerOptions = {
  readonly limitBytes: number // of the response
  readonly handle: (context: Context) => void | Promise<void>
}

/**
 * Runs a request within the request of `outer`.
 *
 * @throws  what `handle` throws; Problem 422 `answer-size`: the body of the response is longer than the limit
 */
export async function runInside(
  outer: Context,
  request: InnerRequest,
  {limitBytes, handle}: InnerOptions,
): Promise<InnerResponse> {
  const context = createInnerContext(outer, request)
  const captured = capture(context.res, limitBytes)
  outer.res.once('close', captured.end) // the client is gone
  try {
    await handle(context)
    const body = context.respond === false ? await captured.body : bytesOf(context)
    if (body.length > limitBytes) throw tooLong(limitBytes)
    return {status: context.status, headers: headersOf(context.res), body}
  } catch (error) {
    throw captured.isOver() ? tooLong(limitBytes) : error
  } finally {
    outer.res.off('close', captured.end)
    captured.end()
  }
}

/** A context of Koa for a request within that of `outer`, with the same connection and caller. */
export function createInnerContext(
  outer: Context,
  {method, url, headers, headersDistinct, body}: InnerRequest,
): Context {
  const request = new IncomingMessage(outer.req.socket)
  request._read = () => undefined // all of the body is there, and the socket belongs to the outer request
  request.method = method
  request.url = url
  request.httpVersion = outer.req.httpVersion
  const isEmpty = body === undefined || body.length === 0
  request.headers = {
    ...callerFields(outer, 'headers'),
    ...headers,
    ...(isEmpty ? {} : {'content-length': String(body.length)}),
  }
  request.headersDistinct = {...callerFields(outer, 'headersDistinct'), ...headersDistinct}
  if (!isEmpty) request.push(body)
  request.push(null)
  request.complete = true
  shareRecord(request, outer.req)
  const context = outer.app.createContext(request, new ServerResponse(request))
  context.state.caller = outer.state.caller
  context.state.isInner = true
  return context as unknown as Context
}

const callerNames = new Set<string>([
  ...['authorization', 'cookie', 'origin', 'host', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'],
  ...forwardedHeaders,
])

/** The header fields that say who the caller is. */
function callerFields<Kind extends 'headers' | 'headersDistinct'>({req}: Context, kind: Kind): IncomingMessage[Kind] {
  const fields = Object.entries(req[kind])
  return Object.fromEntries(fields.filter(([name]) => callerNames.has(name))) as IncomingMessage[Kind]
}

/** The header fields of a message that has each field once. Names are in lower case. */
export function fieldsOnce(fields: readonly (readonly [string, string])[]) {
  return {
    headers: Object.fromEntries(fields) as IncomingHttpHeaders,
    headersDistinct: Object.fromEntries(fields.map(([name, value]) => [name, [value]])),
  }
}

/** Keeps what is written to a response, up to a limit. `end` closes the response; if it is not finished, it fails. */
function capture(response: ServerResponse, limitBytes: number) {
  const chunks: Buffer[] = []
  let length = 0
  let isClosed = false
  const end = () => {
    if (isClosed) return
    isClosed = true
    response.emit('close')
  }
  const keep = (chunk: unknown, encoding: unknown) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : (chunk as Buffer)
    length += bytes.length
    if (length > limitBytes) end()
    else chunks.push(bytes)
    return !isClosed
  }
  response.write = (chunk: unknown, encoding?: unknown) => keep(chunk, encoding)
  response.end = (chunk?: unknown) => {
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) keep(chunk, 'utf8')
    response.finished = true
    response.emit('finish')
    end()
    return response
  }
  const body = new Promise<Buffer>((resolve, reject) => {
    response.once('close', () => {
      if (response.finished) resolve(Buffer.concat(chunks))
      else reject(new Problem(499, 'client-gone', 'The client went away before the end of the answer.'))
    })
  })
  body.catch(() => undefined) // a response that is not streamed is closed without being written
  return {body, end, isOver: () => length > limitBytes}
}

function bytesOf({body, method}: Context): Buffer {
  if (body === null || body === undefined || method === 'HEAD') return Buffer.alloc(0)
  if (typeof body === 'string') return Buffer.from(body)
  if (Buffer.isBuffer(body)) return body
  throw new Error('a response of an unknown kind')
}

function headersOf(response: ServerResponse): Record<string, string> {
  const fields = Object.entries(response.getHeaders()).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : String(value)] as const],
  )
  return Object.fromEntries(fields)
}

function tooLong(limitBytes: number): Problem {
  const message = `The body of the response is longer than ${limitBytes} bytes.`
  return new Problem(422, 'answer-size', message, {members: {limitBytes}})
}
