/**
 * What a client has caused it also reads, though replicas answer: who reads, and from where in the log on.
 *
 * Every answer that tells of the primary's state carries a token; a read that brings one back is answered by a
 * server that has come so far. Who brings none is remembered, by this process: the connection, and whoever sends the
 * same Authorization. Where grants count, nobody reads from a replica that does not know the last of them. Without
 * replicas there is nothing to say, and nothing is done.
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
  /** Puts the token on answers to writes. */
  readonly answerConsistency: Middleware
  /**
   * Who reads; undefined: nobody but the primary answers.
   *
   * @throws Problem 400 `consistency-syntax`
   */
  readonly readerOf: (context: Context) => Reader | undefined
}

/** What one connection did. */
type Memory = {readonly place: number; after: LogPosition | undefined}

const safe = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
const rememberedCallers = 10_000

/** What is asked of a primary with replicas. */
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
      const after = await position().catch(() => nowhere) // the write is done: that nothing is told must not undo it
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

/** A write that was done, may have been done, or was refused for a state that the client now knows of. */
function tellsOfPrimary({req, status}: Context): boolean {
  const isWrite = !safe.has(req.method ?? '') && ['document', 'grants'].includes(recordOf(req).route)
  return isWrite && (status < 400 || status === 409 || status === 412 || status >= 500)
}

function callerOf({headers: {authorization}}: IncomingMessage): string | undefined {
  return authorization === undefined ? undefined : createHash('sha256').update(authorization).digest('base64')
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
