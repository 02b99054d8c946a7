/**
 * Runs the requests of a batch in order, each group in one transaction.
 *
 * A request that writes is a group of its own. If its response is too long to be returned, it is undone as well.
 * Sources: OData JSON Format 4.01 §19; docs/interface.md, Batches.
 */
import type {Context, Middleware} from 'koa'
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {databaseCodeOf, isCollision} from '../../db/connection/problem-of.ts'
import type {StepsMode} from '../../db/connection/steps.ts'
import {holdAll, holdGroup} from '../../db/store/hold-document.ts'
import {inOneTransaction, type Session} from '../../db/store/session.ts'
import type {BatchRequest} from '../../http/batch.ts'
import {essenceOf} from '../../http/media-type.ts'
import {fillTemplate, type Reference} from '../../http/references.ts'
import type {Iri} from '../../rdf/term.ts'
import type {SharedSite} from '../exchange.ts'
import {formType, queryType} from '../query/parameters.ts'
import {siteFor} from '../server/access.ts'
import {answerFailure} from '../server/failures.ts'
import {fieldsOnce, type InnerRequest, type InnerResponse, runInside} from '../server/inner-request.ts'
import {type InnerRoute, siteWithin} from '../server/inner-site.ts'

export type BatchRun = {
  readonly outer: Context
  readonly shared: SharedSite
  readonly isWithin: boolean // the session of `shared` is one of a transaction, which is run again after a collision
  readonly isKeyed: boolean // the batch has an Idempotency-Key, so it is one transaction
  readonly route: InnerRoute
  readonly count: Middleware // counts a request for its caller
  readonly continuesOnError: boolean
  readonly signal: AbortSignal // aborts when the client disconnects
}

/** The responses so far, and the requests and groups that have failed. */
type Progress = {
  readonly responses: Map<string, InnerResponse>
  readonly urls: Map<string, Iri> // of the requests
  readonly failed: Set<string> // ids of requests and groups
}

/**
 * Runs a batch.
 *
 * @returns  a response to each request
 * @throws   Problem 499 `client-gone`; in a transaction its errors
 */
export async function runBatch(
  run: BatchRun,
  requests: readonly BatchRequest[],
): Promise<ReadonlyMap<string, InnerResponse>> {
  const progress: Progress = {responses: new Map(), urls: new Map(), failed: new Set()}
  for (const unit of unitsOf(requests)) {
    if (run.signal.aborted) throw new Problem(499, 'client-gone', 'The client went away before its batch ended.')
    if (progress.failed.size > 0 && !run.continuesOnError) await refuseAll(run, progress, unit, stopped())
    else await runUnit(run, progress, unit)
    for (const {id, group} of unit) {
      if ((progress.responses.get(id)?.status ?? 500) < 400) continue
      progress.failed.add(id)
      if (group !== undefined) progress.failed.add(group)
    }
  }
  return progress.responses
}

/** Groups, and requests without a group. The requests of a group follow each other. */
function unitsOf(requests: readonly BatchRequest[]): readonly (readonly BatchRequest[])[] {
  const units: BatchRequest[][] = []
  for (const request of requests) {
    const last = units.at(-1)
    if (request.group !== undefined && last?.[0]?.group === request.group) last.push(request)
    else units.push([request])
  }
  return units
}

/** Runs a unit. If one of its requests fails, nothing of the unit is done, and the others get a 424. */
async function runUnit(run: BatchRun, progress: Progress, unit: readonly BatchRequest[]): Promise<void> {
  const mode = modeOf(unit)
  if (mode === undefined) {
    for (const request of unit) progress.responses.set(request.id, await respond(run, progress, request))
    return
  }
  let failing: BatchRequest | undefined
  const undone = new Problem(424, 'batch-group', 'Another request of the group failed, so nothing of it was done.')
  try {
    const own = {...run.shared.unguardedSession, turn: run.shared.callerKey(run.outer)}
    await inOneTransaction(own, mode, async session => {
      const limitTime = createTimeLimit(run.shared, session)
      const within = {...run, shared: siteWithin(run.shared, session), isWithin: true}
      for (const {id} of unit) progress.responses.delete(id) // of an earlier attempt
      await hold(within.shared, run.outer, unit)
      for (const request of unit) {
        failing = request
        await limitTime()
        const response = await respond(within, progress, request)
        progress.responses.set(request.id, response)
        if (response.status >= 400) throw undone
      }
    })
  } catch (error) {
    if (isFatal(run, error)) throw error
    const others = error === undone ? unit.filter(request => request !== failing) : unit
    await refuseAll(run, progress, others, error)
  }
}

/**
 * The transaction that a unit needs.
 *
 * @returns  undefined: none. A single request that only reads does what it does outside of a batch
 */
function modeOf(unit: readonly BatchRequest[]): StepsMode | undefined {
  if (unit.every(isReading)) return unit.length === 1 ? undefined : 'repeatable read read only'
  return unit.length === 1 && unit.every(isQuery) ? undefined : 'read committed'
}

function isReading({method}: BatchRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** Whether a POST holds a query: by its type, or in a form. */
function isQuery({method, headers, body}: BatchRequest): boolean {
  if (method !== 'POST') return false
  const type = essenceOf(String(headers.get('content-type')?.[0] ?? ''))
  if (type === queryType) return true
  return type === formType && Array.isArray(body) && /(?:^|&)query=/.test(body.join(''))
}

/** Runs a request. A failure becomes its response, unless the whole batch or transaction has failed. */
async function respond(run: BatchRun, progress: Progress, request: BatchRequest): Promise<InnerResponse> {
  const broken = request.needs.find(name => progress.failed.has(name))
  if (broken !== undefined) return refuse(run, request, dependent(broken))
  const {outer, shared, count, route} = run
  try {
    const inner = innerRequest(shared, progress, request)
    const limitBytes = bytesLeft(shared, progress)
    const handle = (context: Context) => count(context, () => route(shared, context)) as Promise<void>
    return await runInside(outer, inner, {limitBytes, handle})
  } catch (error) {
    if (isFatal(run, error)) throw error
    return refuse(run, request, error)
  }
}

/**
 * Whether an error is no response: the client is gone, or the transaction must be run again.
 *
 * The response to a batch with a key is kept. What the service cannot do now must not be in it, because the client will
 * repeat the batch with the same key.
 */
function isFatal({isWithin, isKeyed, signal}: BatchRun, error: unknown): boolean {
  const code = databaseCodeOf(error)
  const isForNow = !(error instanceof Problem) || error.status === 503
  return signal.aborted || (isWithin && code !== undefined && isCollision(code)) || (isKeyed && isForNow)
}

/** Bytes that the bodies of the remaining responses may have. */
function bytesLeft({limits}: SharedSite, {responses}: Progress): number {
  return [...responses.values()].reduce((left, {body}) => left - body.length, limits.batchBytes)
}

function innerRequest({dataset: {base}}: SharedSite, progress: Progress, request: BatchRequest): InnerRequest {
  const {id, method, url, headers, body} = request
  const meaningOf = ({kind, id: of}: Reference) => {
    const found = progress.responses.get(of)?.headers
    if (kind === 'etag') return found?.etag ?? '""' // matches no document
    return found?.location ?? progress.urls.get(of) ?? base
  }
  const target = fillTemplate(url, meaningOf)
  const path = pathOf(target, base)
  if (path === undefined)
    throw new Problem(400, 'batch-url', `The URLs of a batch must be below ${base}; <${excerpt(target)}> is not.`)
  progress.urls.set(id, new URL(base).origin + path.replace(/\?.*/s, ''))
  return {
    method,
    url: path,
    ...fieldsOnce(Array.from(headers, ([name, value]) => [name, fillTemplate(value, meaningOf)] as const)),
    body: Array.isArray(body) ? Buffer.from(fillTemplate(body, meaningOf)) : (body as Uint8Array | undefined),
  }
}

/**
 * The path and query of a URL: absolute, absolute path, or relative to the root document.
 *
 * @returns  undefined: another host
 */
function pathOf(url: string, base: Iri): string | undefined {
  const {origin, pathname} = new URL(base)
  if (url.startsWith('/')) return url
  if (url.startsWith(`${origin}/`)) return url.slice(origin.length)
  return /^[a-z][a-z0-9+.-]*:/i.test(url) ? undefined : pathname + url
}

function refuse(run: BatchRun, {method, headers}: BatchRequest, error: unknown): Promise<InnerResponse> {
  const {platform, base} = run.shared.dataset
  const options = {
    base,
    platform,
    prefixes: run.shared.prefixes,
    pages: run.shared.pages.site,
    viewerOf: () => undefined,
  }
  const accept = String(headers.get('accept')?.[0] ?? '')
  const request = {
    method,
    url: run.outer.url,
    ...fieldsOnce(accept === '' ? [] : [['accept', accept]]),
    body: undefined,
  }
  const handle = (context: Context) => answerFailure(context, error, options)
  return runInside(run.outer, request, {limitBytes: Number.POSITIVE_INFINITY, handle})
}

async function refuseAll(
  run: BatchRun,
  {responses}: Progress,
  requests: readonly BatchRequest[],
  error: unknown,
): Promise<void> {
  for (const request of requests) responses.set(request.id, await refuse(run, request, error))
}

function stopped(): Problem {
  const message =
    'An earlier request failed, so this one was not tried. With "Prefer: continue-on-error" all are tried.'
  return new Problem(424, 'batch-stopped', message)
}

function dependent(name: string): Problem {
  return new Problem(424, 'batch-dependency', `This request depends on "${name}", which failed.`)
}

/** Locks the documents that the requests of a group are sent to, unless an earlier request makes them. */
async function hold(shared: SharedSite, outer: Context, unit: readonly BatchRequest[]): Promise<void> {
  if (unit.length === 1 || unit.every(isReading)) return
  const {session} = siteFor(shared, outer).dataset
  if (unit.some(({method}) => method === 'MOVE')) return holdAll(session)
  const {origin} = new URL(shared.dataset.base)
  const iris = unit.flatMap(({method, url: [first = '', ...others]}) => {
    const isKnown = typeof first === 'string' && others.length === 0 && changing.has(method)
    const path = isKnown ? pathOf(first, shared.dataset.base) : undefined
    return path === undefined ? [] : [origin + path.replace(/\?.*/s, '')]
  })
  if (iris.length > 1) await holdGroup(session, iris)
}

const changing = new Set(['PUT', 'PATCH', 'DELETE'])

/** Limits the statements of a transaction to the time of one statement, all together. */
function createTimeLimit({limits: {writeTimeoutMs}}: SharedSite, {database}: Session): () => Promise<void> {
  const end = performance.now() + writeTimeoutMs
  return async () => {
    const leftMs = writeTimeoutMs === 0 ? 0 : Math.ceil(end - performance.now())
    if (leftMs < 0 || (leftMs === 0 && writeTimeoutMs > 0))
      throw new Problem(
        503,
        'query-timeout',
        `The requests of a group took longer than ${writeTimeoutMs} ms together.`,
        {
          members: {limitMs: writeTimeoutMs},
          headers: {'Retry-After': '2'},
        },
      )
    await database.query(`select set_config('statement_timeout', $1, true)`, [leftMs])
  }
}
