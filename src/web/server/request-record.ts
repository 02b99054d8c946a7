/**
 * The record of a request, for the log and for traces: its id, route and times. It is reported at the end.
 *
 * The id is the client's X-Request-Id if that is valid, otherwise a new UUID. Every answer carries it.
 */
import {randomUUID} from 'node:crypto'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {observe} from '../../base/observation.ts'
import {epochMs, openStages, type TimedStage} from '../../base/stages.ts'

export type RequestRecord = {
  readonly id: string
  route: string // the kind of handler, one of a few words
  dataset?: string // one of several
}

const recordKey = Symbol('record')

type Recorded = IncomingMessage & {[recordKey]?: RequestRecord} // a WeakMap would cost more than the rest

/** Ids that are safe in a log line, a header and an application name of PostgreSQL. */
const idSyntax = /^[\w.:=+/@-]{1,64}$/

const pathLimit = 2000 // characters in the log

/**
 * Begins the record of a request.
 *
 * @returns  its id, the list for its stages (undefined: no trace), and a function to call when the response is closed
 */
export function recordRequest(
  request: Recorded,
  response: ServerResponse,
): {readonly id: string; readonly stages: TimedStage[] | undefined; readonly end: () => void} {
  const begun = performance.now()
  const {socket, method = '', url = ''} = request
  const bytesBefore = socket.bytesWritten
  const given = request.headers['x-request-id']
  const stages = openStages()
  const beganMs = stages === undefined ? 0 : epochMs()
  const record: RequestRecord = {
    id: typeof given === 'string' && idSyntax.test(given) ? given : randomUUID(),
    route: 'none',
  }
  request[recordKey] = record
  response.setHeader('X-Request-Id', record.id)
  let isWhole = false // response.writableFinished is true even if the connection was cut off
  response.on('finish', () => {
    isWhole = true
  })
  const end = () =>
    observe({
      kind: 'request',
      id: record.id,
      method,
      path: pathOf(url),
      route: record.route,
      dataset: record.dataset,
      status: response.statusCode,
      ms: performance.now() - begun,
      bytes: socket.bytesWritten - bytesBefore,
      isWhole,
      trace: stages === undefined ? undefined : {beganMs, stages, ...parentOf(request)},
    })
  return {id: record.id, stages, end}
}

/** The record of a request. A request without one gets a new id. */
export function recordOf(request: Recorded): RequestRecord {
  return request[recordKey] ?? {id: randomUUID(), route: 'none'}
}

/** Gives a request within another one the record of the outer one. It is not reported on its own. */
export function shareRecord(inner: Recorded, outer: Recorded): void {
  inner[recordKey] = recordOf(outer)
}

/** Sets the route in the record of a request. */
export function nameRoute(request: Recorded, route: string): void {
  const record = request[recordKey]
  if (record !== undefined) record.route = route
}

/** Sets the dataset in the record of a request. */
export function nameDataset(request: Recorded, dataset: string): void {
  const record = request[recordKey]
  if (record !== undefined) record.dataset = dataset
}

function parentOf({headers}: IncomingMessage) {
  const {traceparent, tracestate} = headers
  return {
    parent: typeof traceparent === 'string' ? traceparent : undefined,
    state: typeof tracestate === 'string' ? tracestate : undefined,
  }
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return url.slice(0, end === -1 ? pathLimit : Math.min(end, pathLimit))
}
