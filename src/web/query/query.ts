/**
 * Queries over HTTP: POSTed to a document, or sent to /sparql by the SPARQL 1.1 Protocol.
 *
 * Sources: SPARQL 1.1 Protocol §2.1; docs/interface.md, Queries; decision 0005.
 */
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import {fileBeside} from '../../base/thread.ts'
import type {Job} from '../../base/worker-pool.ts'
import {hasDocument} from '../../db/store/document-reads.ts'
import type {WriteConditions} from '../../db/store/session.ts'
import {decodeBody} from '../../format/registry.ts'
import {readMediaType} from '../../http/media-type.ts'
import {type Preferences, readPreferences} from '../../http/prefer.ts'
import {checkStrictness} from '../../ldp/action.ts'
import {noDocument} from '../../ldp/no-document.ts'
import {orMissing} from '../document/get.ts'
import {answerEmpty, resourceLink} from '../document/reply.ts'
import {datasetToRead, type Exchange, fieldsOf, headerOf, type Site} from '../exchange.ts'
import {prefersHtml} from '../pages/preference.ts'
import {readerSite, requireQuery} from '../server/access.ts'
import {readBytes} from '../server/body.ts'
import {requireOrigin} from '../server/cors.ts'
import {describeService} from '../service/description.ts'
import {answerQuery} from './answer.ts'
import {answerQueryPage, isForPage, withFormWishes} from './form.ts'
import {
  type formEntries,
  formType,
  joined,
  parseForm,
  queryOf,
  queryScopeOf,
  queryType,
  refusePast,
  refuseSecondQuery,
  refuseSecondUpdate,
  updateOf,
  updateType,
  usingOf,
} from './parameters.ts'
import {answerUpdate, postUpdate} from './update.ts'

/** Answers a query or an update POSTed to a document; undefined: the body is neither. */
export function postQueryOrUpdate(exchange: Exchange): Promise<void> | undefined {
  const type = headerOf(exchange.context, 'content-type')
  const essence = type === undefined ? undefined : readMediaType(type).essence
  if (essence === queryType) return postQuery(exchange)
  return essence === updateType ? postUpdate(exchange) : undefined
}

/** Answers a query POSTed to any document. Its dataset is the whole store (decision 0005). */
async function postQuery(exchange: Exchange): Promise<void> {
  const {context, iri, target, preferences} = exchange
  const site = readerSite(exchange.site)
  checkStrictness(preferences)
  const text = await orMissing({...exchange, site}, async () => decodeBody(await readBytes({site, context})))
  if (iri !== site.dataset.base && !(await hasDocument(datasetToRead({site, context}).session, iri)))
    throw noDocument(iri)
  await requireQuery(site, context, iri)
  const parameters = new URLSearchParams(target.query)
  refuseSecondQuery(parameters)
  await answerQuery(site, context, {text, base: iri, preferences, ...queryScopeOf(parameters)})
}

/**
 * Answers requests to /sparql: GET, POST of a form, of a query or of an update. A GET without a query returns the
 * service description. A browser gets the query page, with the query in it if there is one.
 */
export async function queryEndpoint(site: Site, context: Context): Promise<void> {
  const base = `${site.dataset.base}sparql`
  const preferences = readPreferences(fieldsOf(context, 'prefer'))
  checkStrictness(preferences)
  const parameters = new URLSearchParams(context.querystring)
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      if (isForPage(parameters) && prefersHtml(context.req.headers.accept))
        return answerQueryPage(site, context, parameters)
      if (!parameters.has('query') && !parameters.has('update')) return describeService(site, context)
      await requireQuery(site, context, site.dataset.base)
      return answerQuery(site, context, {text: queryOf(parameters), base, preferences, ...queryScopeOf(parameters)})
    case 'POST': {
      await requireQuery(site, context, site.dataset.base)
      const posted = await readPosted(site, context, parameters)
      if (posted.isUpdate && posted.text === undefined)
        requireOrigin(context, site.cors, new URL(site.dataset.base).origin)
      if (posted.isUpdate) return answerUpdate(site, context, {base, conditions, preferences, ...updateIn(posted)})
      return answerQuery(site, context, {base, ...queryIn(site, context, posted, preferences)})
    }
    case 'OPTIONS':
      context.set({...endpointAbilities, Link: resourceLink})
      return answerEmpty(context, 204)
    default:
      throw new Problem(405, 'method-allowed', `${context.method} is not possible on <${base}>.`, {
        headers: endpointAbilities,
      })
  }
}

const acceptPost = `${queryType}, ${updateType}, ${formType}`
const endpointAbilities = {Allow: 'GET, HEAD, OPTIONS, POST', 'Accept-Post': acceptPost}

const longForm = 100_000 // characters; parsing a body of millions takes long

const readingForm: Job<string, ReturnType<typeof formEntries>> = {
  module: fileBeside(import.meta.url, 'parameters'),
  function: 'formEntries',
  limitMs: 10_000,
  problem: () =>
    new Problem(503, 'busy', 'Too many long forms wait to be read, or this one takes too long.', {
      headers: {'Retry-After': '10'},
    }),
}

/** Parses a form. A worker thread parses a long one. */
async function readPostedForm({threads}: Site, body: string): Promise<URLSearchParams> {
  return body.length > longForm ? new URLSearchParams(await threads.run(readingForm, body)) : parseForm(body)
}

/** What is posted to the endpoint: all parameters, and the text if it is the body. */
type Posted = {readonly isUpdate: boolean; readonly text: string | undefined; readonly parameters: URLSearchParams}

/** @throws  Problem 400 `content-type-given` · 415 `media-type-known` · 400 `body-encoding`, `query-length` */
async function readPosted(site: Site, context: Context, parameters: URLSearchParams): Promise<Posted> {
  const headers = {'Accept-Post': acceptPost}
  const type = headerOf(context, 'content-type')
  if (type === undefined || type.trim() === '') {
    const message = `A query needs the Content-Type ${queryType} or ${formType}, an update ${updateType} or ${formType}`
    throw new Problem(400, 'content-type-given', message, {headers})
  }
  const {essence} = readMediaType(type)
  if (![queryType, updateType, formType].includes(essence)) {
    const message = `${essence} is neither a query nor an update; send ${acceptPost}`
    throw new Problem(415, 'media-type-known', message, {headers})
  }
  const body = decodeBody(await readBytes({site, context}))
  if (essence !== formType) return {isUpdate: essence === updateType, text: body, parameters}
  const all = joined(parameters, await readPostedForm(site, body))
  return {isUpdate: all.has('update'), text: undefined, parameters: all}
}

/** Throws what the functions of parameters.ts throw. */
function queryIn(site: Site, context: Context, {text, parameters}: Posted, preferences: Preferences) {
  if (text === undefined) {
    const wishes = withFormWishes(site, context, parameters, preferences)
    return {text: queryOf(parameters), preferences: wishes, ...queryScopeOf(parameters)}
  }
  refuseSecondQuery(parameters)
  return {text, preferences, ...queryScopeOf(parameters)}
}

/** Here no document is the default graph of templates. Throws what the functions of parameters.ts throw. */
function updateIn({text, parameters}: Posted) {
  if (text !== undefined) refuseSecondUpdate(parameters)
  refusePast(parameters)
  return {text: text ?? updateOf(parameters), scope: {document: undefined, ...usingOf(parameters)}}
}

/** Preconditions are about a document. */
const conditions: WriteConditions = {ifMatch: undefined, ifNoneMatch: undefined, ifUnmodifiedSince: undefined}
