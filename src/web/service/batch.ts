/**
 * Batches: many requests in one, of which some form groups that succeed or fail as a whole.
 *
 * Sources: OData JSON Format 4.01 §19; OData 4.01 §11.7; docs/interface.md, Batches.
 */
import type {Context, Middleware} from 'koa'
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {decodeBody, formats} from '../../format/registry.ts'
import {type BatchRequest, readBatch, readingBatch} from '../../http/batch.ts'
import {essenceOf, readMediaType} from '../../http/media-type.ts'
import {readPreferences} from '../../http/prefer.ts'
import {checkStrictness} from '../../ldp/action.ts'
import {answerEmpty, resourceLink, varied} from '../document/reply.ts'
import {fieldsOf, headerOf, type SharedSite, type Site} from '../exchange.ts'
import {readBytes} from '../server/body.ts'
import type {InnerResponse} from '../server/inner-request.ts'
import {type InnerRoute, innerSite} from '../server/inner-site.ts'
import {nameRoute} from '../server/request-record.ts'
import {goneSignal} from '../server/spooled.ts'
import {type BatchRun, runBatch} from './batch-run.ts'

export const batchPath = 'batch'

const allowed = {Allow: 'OPTIONS, POST', 'Accept-Post': 'application/json', Link: resourceLink}
const inlineLength = 32_768 // characters; a worker thread reads longer batches

const binaryTypes = formats.filter(({id}) => id === 'binary').flatMap(({mediaTypes}) => mediaTypes)

export type BatchEndpoint = {
  readonly shared: SharedSite
  readonly route: InnerRoute
  readonly count: Middleware // counts a request for its caller
  readonly isWithin: boolean // see BatchRun
}

/** @throws  Problem 400 `batch-shape`, `json-syntax` · 405 · 413 `batch-size` · 415 · those of `turns.enter` */
export async function answerBatch(
  {shared, route, count, isWithin}: BatchEndpoint,
  site: Site,
  context: Context,
): Promise<void> {
  nameRoute(context.req, 'batch')
  if (context.method === 'OPTIONS') {
    context.set(allowed)
    return answerEmpty(context, 204)
  }
  if (context.method !== 'POST')
    throw new Problem(405, 'method-allowed', `${context.method} is not possible on a batch.`, {headers: allowed})
  const preferences = readPreferences(fieldsOf(context, 'prefer'))
  checkStrictness(preferences)
  const {continuesOnError} = preferences
  const signal = goneSignal(context)
  const requests = await readRequests(site, context, signal)
  const endTurn = await site.turns.enter(site.callerKey(context), signal)
  try {
    const inner = {outer: context, shared: innerSite(shared), isWithin, isKeyed: isWithin}
    const run: BatchRun = {...inner, route, count, continuesOnError, signal}
    const responses = await runBatch(run, requests)
    context.set({Link: resourceLink, Vary: varied, 'Cache-Control': 'no-cache', 'Content-Type': 'application/json'})
    if (continuesOnError) context.set('Preference-Applied', 'continue-on-error')
    context.body = writeResponses(requests, responses)
  } finally {
    nameRoute(context.req, 'batch') // the requests of the batch have named their own
    endTurn()
  }
}

async function readRequests(site: Site, context: Context, signal: AbortSignal): Promise<readonly BatchRequest[]> {
  const headers = {'Accept-Post': 'application/json'}
  const type = headerOf(context, 'content-type')
  if (type === undefined || type.trim() === '')
    throw new Problem(400, 'content-type-given', 'A batch needs the Content-Type application/json.', {headers})
  const {essence} = readMediaType(type)
  if (essence !== 'application/json')
    throw new Problem(415, 'media-type-known', `A batch is written in application/json, not ${excerpt(essence)}.`, {
      headers,
    })
  const {batchRequests: requestMax, batchBytes} = site.limits
  const text = decodeBody(await readBytes({site, context}, batchBytes))
  const task = {text, requestMax, binaryTypes}
  if (text.length <= inlineLength) return readBatch(task)
  return site.threads.run(readingBatch, task, {caller: site.callerKey(context), signal})
}

/** Writes the answer. JSON bodies become values, texts strings, and bytes strings in base64url. */
function writeResponses(requests: readonly BatchRequest[], responses: ReadonlyMap<string, InnerResponse>): string {
  const written = requests.flatMap(({id, group}) => {
    const response = responses.get(id)
    if (response === undefined) return []
    const {status, headers, body} = response
    const head = JSON.stringify({id, ...(group === undefined ? {} : {atomicityGroup: group}), status, headers})
    return body.length === 0 ? head : `${head.slice(0, -1)},"body":${bodyText(response)}}`
  })
  return `{"responses":[${written.join(',\n')}]}\n`
}

function bodyText({headers, body}: InnerResponse): string {
  const essence = essenceOf(headers['content-type'])
  if (/[/+]json$/.test(essence)) return body.toString('utf8').trim()
  return JSON.stringify(body.toString(binaryTypes.includes(essence) ? 'base64url' : 'utf8'))
}
