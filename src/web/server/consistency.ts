/**
 * Lets clients read their own writes from replicas.
 *
 * An answer to a write carries a token: a position in the primary's write-ahead log. A read that sends the token gets
 * an answer from a server that has replayed the log up to there. For reads without a token, this process remembers the
 * position by connection, and by Authorization or Cookie. With access control, a replica must also have replayed the
 * last change of grants. Without replicas, this file does nothing.
 * Source: docs/scaling.md, Replicas.
 */
import {createHash} from 'node:crypto'
import type {IncomingMessage} from 'node:http'
import type {Socket} from 'node:net'
import type {Context, Middleware} from 'koa'
import {excerpt} from '../../base/excerpt.ts'
import {createLru} from '../../base/lru.ts'
import {Problem} from '../../base/problem.ts'
import {formatLogPosition, type LogPosition, nowhere, parseLogPosition, type Reader} from '../../db/replicas/reader.ts'
import type {Replicated} from '../../db/replicas/replicas.ts'
import {recordOf} from './request-record.ts'

export const consistencyHeader = 'Quadstead-Consistency'

export type Consistency = {
  /** Sets the token on answers to writes. */
  readonly answerConsistency: Middleware
  /**
   * The reader of a request, which says how far a replica must have replayed the log.
   *
   * @returns  undefined: there are no replicas, so the primary answers
   * @throws   Problem 400 `consistency-syntax`
   */
  readonly readerOf: (context: Context) => Reader | undefined
}

/** A connection's number, which selects its replica, and the log position of its last write. */
type Memory = {readonly place: number; after: LogPosition | undefined}

const writingRoutes = new Set(['document', 'graph-store', 'update', 'batch', 'grants'])
const safe = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
const rememberedCallers = 10_000

/** What this file needs to know of the primary. */
export type ReplicatedLog = Pick<Replicated, 'position' | 'grants'>

/** @param log  undefined: there are no replicas */
export function createConsistency(log: ReplicatedLog | undefined): Consistency {
  if (log === undefined) return {answerConsistency: (_, next) => next(), readerOf: () => undefined}
  const {position, grants} = log
  const connections = new WeakMap<Socket, Memory>()
  const callers = createLru<string, LogPosition>(rememberedCallers)
  let places = 0

  function memoryOf({socket}: IncomingMessage): Memory {
    const memory = connections.get(socket) ?? {place: places++, after: undefined}
    connections.set(socket, memory)
    return memory
  }

  function remember({req}: Context, after: LogPosition): void {
    memoryOf(req).after = after
    const caller = callerOf(req)
    if (caller !== undefined) callers.set(caller, after)
  }

  return {
    async answerConsistency(context, next) {
      await next()
      if (!tellsOfPrimary(context)) return
      if (recordOf(context.req).route === 'grants') await grants?.changed()
      const after = await position().catch(() => nowhere) // the write has succeeded, so a failure here must not fail it
      remember(context, after)
      if (after !== nowhere) context.set(consistencyHeader, formatLogPosition(after))
    },
    readerOf({req}) {
      const {place, after} = memoryOf(req)
      const caller = callerOf(req)
      const known = caller === undefined ? undefined : callers.get(caller)
      return {place, after: latest(readToken(req), after, known, grants?.position()), server: undefined}
    },
  }
}

/** Whether a write succeeded, may have succeeded, or was refused because of a state that the client now knows. */
function tellsOfPrimary({req, status}: Context): boolean {
  const isWrite = !safe.has(req.method ?? '') && writingRoutes.has(recordOf(req).route)
  return isWrite && (status < 400 || status === 409 || status === 412 || status >= 500)
}

/** A browser that is signed in has a cookie, and sends requests on several connections. */
function callerOf({headers: {authorization, cookie}}: IncomingMessage): string | undefined {
  const credentials = authorization ?? cookie
  return credentials === undefined ? undefined : createHash('sha256').update(credentials).digest('base64')
}

function readToken({headers}: IncomingMessage): LogPosition | undefined {
  const given = headers[consistencyHeader.toLowerCase()]
  if (given === undefined) return undefined
  const token = parseLogPosition(String(given))
  if (token !== undefined) return token
  const message = `${consistencyHeader} must be what an answer said, not "${excerpt(String(given))}"`
  throw new Problem(400, 'consistency-syntax', message)
}

function latest(...positions: readonly (LogPosition | undefined)[]): LogPosition | undefined {
  return positions.reduce((most, next) => (most === undefined || (next !== undefined && next > most) ? next : most))
}
