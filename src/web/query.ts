/**
 * Queries over HTTP: POSTed to a document, or by the SPARQL 1.1 Protocol at /sparql (interface, endpoint 12).
 *
 * Floor 5. Sources: SPARQL 1.1 Protocol §2.1; decisions, 5 and 6; client-wire-facts §1.6.
 */
import type {Context} from 'koa'
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {decodeBody} from '../format/registry.ts'
import {readMediaType} from '../http/media-type.ts'
import {type Preferences, readPreferences} from '../http/prefer.ts'
import {checkStrictness} from '../ldp/action.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'
import type {Iri} from '../rdf/term.ts'
import {answerQuery} from './answer-query.ts'
import {readBytes} from './body.ts'
import {type Exchange, headerOf, type Site} from './exchange.ts'
import {missing, orMissing} from './get-document.ts'
import {prefersHtml} from './html/preference.ts'
import {answerQueryPage, withFormWishes} from './query-form.ts'
import {describeService} from './service-description.ts'

const queryType = 'application/sparql-query'
const formType = 'application/x-www-form-urlencoded'

/** Whether a POST to a document holds a query. */
export function holdsQuery(context: Context): boolean {
  const type = headerOf(context, 'content-type')
  return type !== undefined && readMediaType(type).essence === queryType
}

/** A query POSTed to the root or to any document; its dataset is the whole store (decisions, 5). */
export async function postQuery(exchange: Exchange): Promise<void> {
  const {site, context, iri, target, preferences} = exchange
  checkStrictness(preferences)
  const text = await orMissing(exchange, async () => decodeBody(await readBytes({site, context})))
  if (iri !== site.dataset.base && !(await site.dataset.store.hasDocument(iri))) throw missing(iri)
  await answerQuery(site, context, {text, base: iri, ...datasetOf(new URLSearchParams(target.query)), preferences})
}

/** /sparql: GET, POST of a form, POST of a query; without a query, what the service can do. */
export async function queryEndpoint(site: Site, context: Context): Promise<void> {
  const base = `${site.dataset.base}sparql`
  const preferences = readPreferences(context.req.headersDistinct.prefer ?? [])
  checkStrictness(preferences)
  const parameters = new URLSearchParams(context.querystring)
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      if (!parameters.has('query'))
        return prefersHtml(context.req.headers.accept) ? answerQueryPage(site, context) : describeService(site, context)
      return answerQuery(site, context, requestOf(parameters, base, preferences))
    case 'POST':
      return answerQuery(site, context, await postedRequest(site, context, parameters, {base, preferences}))
    case 'OPTIONS':
      context.set('Allow', endpointMethods)
      context.status = 204
      return
    default:
      throw new Problem(405, 'method-allowed', `${context.method} is not possible on <${base}>.`, {
        headers: {Allow: endpointMethods},
      })
  }
}

const endpointMethods = 'GET, HEAD, OPTIONS, POST'

type Place = {readonly base: Iri; readonly preferences: Preferences}

async function postedRequest(site: Site, context: Context, parameters: URLSearchParams, {base, preferences}: Place) {
  const headers = {'Accept-Post': `${queryType}, ${formType}`}
  const type = headerOf(context, 'content-type')
  if (type === undefined)
    throw new Problem(400, 'content-type-given', `A query needs the Content-Type ${queryType} or ${formType}`, {
      headers,
    })
  const {essence} = readMediaType(type)
  if (essence !== queryType && essence !== formType)
    throw new Problem(415, 'media-type-known', `${essence} is no query; send ${queryType} or ${formType}`, {headers})
  const body = decodeBody(await readBytes({site, context}))
  if (essence === formType) {
    const form = new URLSearchParams(body)
    return requestOf(form, base, withFormWishes(site, context, form, preferences))
  }
  return {text: body, base, ...datasetOf(parameters), preferences}
}

/** @throws Problem 400 `query-given`: none or several; `query-graph` */
function requestOf(parameters: URLSearchParams, base: Iri, preferences: Preferences) {
  const [text, ...others] = parameters.getAll('query')
  if (text === undefined || others.length > 0)
    throw new Problem(
      400,
      'query-given',
      `One query is needed, in the parameter "query"; got ${others.length || 'none'}`,
    )
  return {text, base, ...datasetOf(parameters), preferences}
}

/** SPARQL 1.1 Protocol §2.1.4: graphs named by the request stand in for FROM and FROM NAMED. */
function datasetOf(parameters: URLSearchParams) {
  const defaults = parameters.getAll('default-graph-uri').map(checkedGraph)
  const named = parameters.getAll('named-graph-uri').map(checkedGraph)
  return defaults.length + named.length === 0 ? {} : {dataset: {default: defaults, named}}
}

function checkedGraph(iri: string): Iri {
  if (isAbsoluteIri(iri)) return iri
  throw new Problem(400, 'query-graph', `A graph must be named by an absolute IRI, got "${excerpt(iri)}"`)
}
