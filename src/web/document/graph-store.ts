/**
 * The graph store: the SPARQL 1.1 Graph Store HTTP Protocol with indirect graph identification.
 *
 * A named graph is a document, and the handlers of documents answer most requests. Queries answer reads of the default
 * graph and of raw graphs.
 * Sources: SPARQL 1.1 Graph Store HTTP Protocol §4.2, §5; docs/interface.md, Graph store.
 */
import type {Context} from 'koa'
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {checkPrecondition} from '../../db/store/document-reads.ts'
import {graphToWrite, hasRawGraph} from '../../db/store/graph-status.ts'
import {readPreferences} from '../../http/prefer.ts'
import {checkStrictness, checkWritePreferences} from '../../ldp/action.ts'
import {writeConditions} from '../../ldp/conditions.ts'
import {storeGraph} from '../../ldp/graph-store.ts'
import {isAbsoluteIri} from '../../rdf/iri.ts'
import type {Iri} from '../../rdf/term.ts'
import {datasetToRead, type Exchange, fieldsOf, headerOf, type Site} from '../exchange.ts'
import {answerQuery} from '../query/answer.ts'
import {postQueryOrUpdate} from '../query/query.ts'
import {requireQuery} from '../server/access.ts'
import {nameRoute} from '../server/request-record.ts'
import {answerDelete} from './delete.ts'
import {answerOptions, getDocument} from './get.ts'
import {abilities, chooseSyntax} from './offers.ts'
import {answerPatch} from './patch.ts'
import {preconditionsOf} from './preconditions.ts'
import {answerEmpty, resourceLink} from './reply.ts'
import {answerPost, answerWritten, readGraphBody, requireIfMatch} from './write.ts'

type Handler = (exchange: Exchange) => Promise<void>

/** Handlers of requests that name a graph. Their exchange is about the document that the graph is. */
const graphHandlers: Readonly<Record<string, Handler>> = {
  GET: getDocument,
  HEAD: getDocument,
  OPTIONS: answerOptions,
  POST: async exchange => postQueryOrUpdate(exchange) ?? writeGraph(exchange),
  PUT: writeGraph,
  PATCH: answerPatch,
  DELETE: exchange => answerDelete(exchange, {depth: '0'}),
}

/** Handlers of requests that name no graph. A POST creates one, as a child of the root. */
const storeHandlers: Readonly<Record<string, Handler>> = {
  OPTIONS: async ({context}) => answerAbilities(context, abilities(false)),
  POST: async exchange => postQueryOrUpdate(exchange) ?? answerPost(exchange),
}

const readOnly = {Allow: 'GET, HEAD, OPTIONS'}

/** @throws  Problem 400 `graph-named` · 405 `method-allowed`, `graph-read-only` · what the handlers throw */
export async function answerGraphStore(site: Site, context: Context): Promise<void> {
  nameRoute(context.req, 'graph-store')
  const {base} = site.dataset
  const graph = graphOf(context.querystring)
  const preferences = readPreferences(fieldsOf(context, 'prefer'))
  const exchange = {site, context, iri: graph ?? base, target: context.state.target, preferences}
  if (graph === 'default') return answerReadOnly(exchange, undefined)
  const handler = graphHandlers[context.method]
  if (handler === undefined)
    throw new Problem(405, 'method-allowed', `${context.method} is not possible on a graph.`, {
      headers: abilities(false),
    })
  if (graph !== undefined) return answerNamed(exchange, handler)
  const ofStore = storeHandlers[context.method]
  if (ofStore === undefined) throw unnamed('none')
  return ofStore(exchange)
}

/**
 * The graph that a request names; undefined: none.
 *
 * A plus sign stands for itself: an IRI contains no space, and clients that write forms escape the plus.
 *
 * @throws  Problem 400 `graph-named`: several, or one without an absolute IRI
 */
function graphOf(querystring: string): Iri | 'default' | undefined {
  const parameters = new URLSearchParams(querystring.replaceAll('+', '%2B'))
  const [iri, ...others] = parameters.getAll('graph')
  const defaults = parameters.getAll('default').length
  if (others.length > 0 || defaults > 1 || (iri !== undefined && defaults > 0)) throw unnamed('several')
  if (defaults > 0) return 'default'
  if (iri !== undefined && !isAbsoluteIri(iri)) throw unnamed(`"${excerpt(iri)}"`)
  return iri
}

function unnamed(got: string): Problem {
  const message = `A request must name one graph, by ?graph= with an absolute IRI or by ?default, not ${got}.`
  return new Problem(400, 'graph-named', message)
}

/** Answers a request to a document. If there is none, the graph may be a raw graph. */
async function answerNamed(exchange: Exchange, handler: Handler): Promise<void> {
  const {iri} = exchange
  try {
    await handler(exchange)
  } catch (error) {
    if (!isUnread(error) || !(await hasRawGraph(datasetToRead(exchange).session, iri))) throw error
    await answerReadOnly(exchange, iri)
  }
}

/** Whether a request failed because the document does not exist or the caller has no access to it. */
function isUnread(error: unknown): boolean {
  const rules = ['document-exists', 'access-granted', 'authentication-required']
  return error instanceof Problem && rules.includes(error.rule)
}

/**
 * Answers a request to a graph that can only be read, by a query.
 *
 * @param iri  of a raw graph; undefined: the default graph, the union of all documents
 * @throws     Problem 405 `graph-read-only`
 */
async function answerReadOnly({site, context, preferences}: Exchange, iri: Iri | undefined): Promise<void> {
  const {base} = site.dataset
  switch (context.method) {
    case 'GET':
    case 'HEAD': {
      checkStrictness(preferences)
      await requireQuery(site, context, base)
      const text = 'CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }'
      const dataset = iri === undefined ? {} : {dataset: {default: [iri], named: []}}
      return answerQuery(site, context, {text, base, preferences, ...dataset})
    }
    case 'OPTIONS':
      return answerAbilities(context, readOnly)
    default: {
      const what = iri === undefined ? 'The default graph is the union of all documents' : `<${iri}> is a raw graph`
      throw new Problem(405, 'graph-read-only', `${what}, which can only be read.`, {headers: readOnly})
    }
  }
}

function answerAbilities(context: Context, headers: Readonly<Record<string, string>>): void {
  context.set({...headers, Link: resourceLink})
  answerEmpty(context, 204)
}

/**
 * PUT and POST: replaces the graph or adds to it, and creates the document if there is none.
 *
 * Clients of the protocol send no If-Match and do not know the triples of the service. If-Match is therefore required
 * only by REQUIRE_IF_MATCH=all, and triples of the service that the body does not have stay.
 */
async function writeGraph(exchange: Exchange): Promise<void> {
  const {site, context, iri, preferences} = exchange
  const {session} = site.dataset
  checkWritePreferences(preferences)
  const preconditions = await preconditionsOf(exchange)
  const conditions = writeConditions(preconditions)
  const status = await graphToWrite(session, iri)
  if (status === 'raw') return answerReadOnly(exchange, iri)
  const isAddition = context.method === 'POST'
  const mediaType = chooseSyntax(headerOf(context, 'content-type'), isAddition ? 'Accept-Post' : 'Accept')
  if (status === 'document') {
    if (site.requireIfMatch === 'all') requireIfMatch(exchange, preconditions)
    if (context.req.headers.expect !== undefined) await checkPrecondition(session, iri, conditions)
  }
  // An interaction model would make an access point of some bodies.
  const body = {...(await readGraphBody(exchange, mediaType)), model: undefined}

  const {isCreated, ...written} = await storeGraph(site.dataset, iri, conditions, {body, isAddition, status})

  if (isCreated) context.set('Location', iri)
  await answerWritten(exchange, iri, written, isCreated ? 201 : 204)
}
