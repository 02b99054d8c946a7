/**
 * Describes the whole HTTP interface as an OpenAPI 3.1 document.
 *
 * Tests validate it, and compare it with real answers of every operation.
 * Sources: OpenAPI 3.1.1; docs/interface.md; RFC 8631 (the relation service-desc, with which the root links to it).
 */
import type {Context} from 'koa'
import {openApiPath, varied} from '../document/reply.ts'
import type {SharedSite, Site} from '../exchange.ts'
import {accessPaths} from './openapi-access.ts'
import {batchOperations} from './openapi-batch.ts'
import {brokerPaths} from './openapi-broker.ts'
import {changesOperations} from './openapi-changes.ts'
import {graphStorePaths} from './openapi-graphs.ts'
import {
  assetTypes,
  components,
  contentOf,
  documentContent,
  graphBody,
  graphContent,
  guarded,
  historyContent,
  type Json,
  parameters,
  patchBody,
  queryBody,
  response,
  responses,
  resultContent,
  uncounted,
} from './openapi-parts.ts'
import {searchOperations} from './openapi-search.ts'
import {signInPaths} from './openapi-sign-in.ts'
import type {Build} from './platform.ts'

export const openApiType = 'application/vnd.oai.openapi+json;version=3.1'

export function createOpenApiAnswer(shared: SharedSite, build: Build, metricsPath: string | undefined) {
  let body: string | undefined // made for the first request
  return (_: Site, context: Context) => {
    body ??= JSON.stringify(describeInterface(shared, build, metricsPath))
    context.set({'Content-Type': openApiType, 'Cache-Control': 'max-age=3600', Vary: varied})
    context.body = body
  }
}

/** @param metricsPath  undefined: metrics are not served here */
export function describeInterface(
  {access, dataset, hasSearch}: SharedSite,
  {version}: Build,
  metricsPath: string | undefined,
): Json {
  const {isGuarded, hasIssuer} = access
  const {base} = dataset
  const origin = [{url: new URL(base).origin}] // these paths start at the root of the host, even if BASE_URL has a path
  const paths = {
    '/': {...withoutDelete(documentOperations('of the root')), summary: 'The root document'},
    '/{path}': {
      ...documentOperations('of a document', {201: made}),
      summary: 'A document',
      description: otherMethods,
      parameters: parameters('path'),
    },
    '/sparql': {...queryOperations, summary: 'SPARQL 1.1 Protocol'},
    ...graphStorePaths,
    '/batch': {...batchOperations, summary: 'Batches of requests'},
    '/changes': {...changesOperations, summary: 'The log of changes'},
    ...brokerPaths,
    '/.system/platform/': {get: readPlatform, head: readPlatform, options: abilitiesOperation},
    '/.well-known/void': {get: readVoid, head: readVoid, options: abilitiesOperation},
    [`/${openApiPath}`]: page('This document', [openApiType]),
    '/errors': {get: readErrors, head: readErrors, options: abilitiesOperation},
    '/docs': {get: readDocs, head: readDocs, options: abilitiesOperation},
    ...(hasSearch ? {'/search': {...searchOperations, summary: 'Documents by their words'}} : {}),
    '/describe': {...describeOperations, summary: 'What is said about an IRI, and who mentions it'},
    '/.system/names': page('Prefixes, and the properties and classes in use, for completion', ['application/json']),
    '/.system/assets/{hash}/{name}': {
      ...page('What pages are made with; a hash of all of it is in the path', assetTypes),
      parameters: parameters('hash', 'name'),
    },
    '/live': {...probe('Does the process answer?'), servers: origin},
    '/ready': {...probe('May requests be sent to it?'), servers: origin},
    ...(metricsPath === undefined ? {} : {[metricsPath]: {...metrics, servers: origin}}),
    ...(isGuarded ? {...accessPaths, ...signInPaths} : {}),
  }
  return {
    openapi: '3.1.1',
    info: {title: 'Quadstead', version, description: 'Linked Data documents, and SPARQL over all of them.'},
    servers: [{url: base.slice(0, -1)}],
    paths: isGuarded ? guarded(paths) : paths,
    ...(isGuarded ? securityOf(hasIssuer) : {components}),
  }
}

/** OpenAPI 3.1 has no operations for methods other than those of RFC 9110 and PATCH. */
const otherMethods =
  'Besides the operations here there are MOVE and COPY (RFC 4918 §9.8, §9.9), with the headers Destination, ' +
  'Overwrite, Depth and If-Match. The answer is 201 with Location, or 204 if a document was overwritten. ' +
  'Errors are problems.'

const existing = ['Link', 'Allow', 'AcceptPost', 'AcceptPatch', 'ETag', 'LastModified']
const read = [...existing, 'WacAllow']
const found = [...read.map(optionalHeader), 'MementoDatetime', 'ContentLocation']
const historyParameters = ['AcceptDatetime', 'state', 'states', 'before', 'difference', 'to']
const changed = [...existing, 'Consistency']
const told = [...changed, 'PreferenceApplied']
const written = response('Done; under return=representation with the document.', told, graphContent)
const made = response('It was created.', ['Location', ...told], graphContent)
const done = response('Done.', changed)

const abilitiesOperation: Json = {
  summary: 'What can be done',
  responses: responses({204: response('See the headers.', ['Allow', 'Link'])}),
}

/** A header that past states, lists of states and differences do not have. */
function optionalHeader(name: string): string {
  return ['Allow', 'AcceptPost', 'AcceptPatch', 'ETag', 'LastModified'].includes(name) ? `Optional${name}` : name
}

/** The operations of a read-only page. */
function page(summary: string, types: readonly string[]) {
  const read = {summary, responses: responses({200: response('Here it is.', [], contentOf(types))})}
  return {get: read, head: read, options: abilitiesOperation}
}

const readErrors: Json = {
  summary: 'The rules that a problem names',
  responses: responses({
    200: response('Here it is.', [], contentOf(['text/markdown'])),
    303: response('The same for browsers: a page of the documentation.', ['Location']),
  }),
}

const readDocs: Json = {
  summary: 'The documentation, for browsers',
  parameters: parameters('IfNoneMatch'),
  responses: responses({
    200: response('Here it is.', ['ETag'], contentOf(['text/html'])),
    304: response('The client has it.', ['ETag']),
  }),
}

const iriParameter = {
  name: 'iri',
  in: 'query',
  required: true,
  description: 'Any absolute IRI.',
  schema: {type: 'string', format: 'iri'},
}

const readIriPage: Json = {
  summary: 'A page about an IRI',
  parameters: [iriParameter],
  responses: responses({
    200: response('A page, for clients that prefer HTML.', [], contentOf(['text/html'])),
    303: response('The same as data, or the document with this IRI.', ['Location']),
  }),
}

const describeOperations = {get: readIriPage, head: readIriPage, options: abilitiesOperation}

function probe(summary: string) {
  const ask = {
    summary,
    responses: {
      200: uncounted('Yes.', [], contentOf(['text/plain'])),
      503: uncounted('No.', ['RetryAfter'], contentOf(['text/plain', 'application/problem+json'])),
    },
  }
  return {get: ask, head: ask}
}

const {get: readMetrics, head: headMetrics} = page('Metrics for Prometheus', ['text/plain'])
const metrics = {get: readMetrics, head: headMetrics}

/** Keys and tokens are both sent as `Authorization: Bearer …`, which the type apiKey cannot express. */
const bearer = {type: 'http', scheme: 'bearer'}
const key = {...bearer, bearerFormat: 'qsk_…', description: 'An API key of this service.'}
const token = {...bearer, bearerFormat: 'JWT', description: 'A token of the issuer that this service trusts.'}

/** The security schemes. The empty requirement `{}` makes credentials optional. */
function securityOf(hasIssuer: boolean): Json {
  const securitySchemes = hasIssuer ? {key, token} : {key}
  const security = [{}, ...Object.keys(securitySchemes).map(name => ({[name]: []}))]
  return {components: {...components, securitySchemes}, security}
}

/** @param madeByPut  the response to a PUT that creates the document; the root always exists */
function documentOperations(what: string, madeByPut: Json = {}) {
  const write = writeOperations(what, madeByPut)
  return {get: readOperation(what), head: headOperation(what), options: optionsOperation, ...write}
}

function withoutDelete({delete: _, ...others}: ReturnType<typeof documentOperations>) {
  return others
}

function readOperation(what: string): Json {
  return {
    summary: `The triples ${what}; on request with a page of its children and members`,
    parameters: parameters('Accept', 'Prefer', 'IfNoneMatch', 'Consistency', 'after', ...historyParameters),
    responses: responses({
      200: response('The document, a past state of it, or its history.', [...found, 'PreferenceApplied'], {
        ...documentContent,
        ...historyContent,
      }),
      304: response('The client has it.', found),
    }),
  }
}

function headOperation(what: string): Json {
  return {
    summary: `The headers ${what}`,
    parameters: parameters('Accept', 'Prefer', 'IfNoneMatch', 'Consistency', ...historyParameters),
    responses: responses({200: response('It exists.', found), 304: response('The client has it.', found)}),
  }
}

const optionsOperation: Json = {
  summary: 'What can be done; for web pages of other origins, whether they may',
  responses: responses({204: response('See the headers.', ['Link', 'Allow', 'AcceptPost', 'AcceptPatch'])}),
}

const updateContent = contentOf(['application/sparql-update'])
const updatedContent = contentOf(['application/json'])
const updatedQuietly = response('The update is done; under return=minimal.', ['Link', 'PreferenceApplied'])
const graphParameters = ['default-graph-uri', 'named-graph-uri', 'using-graph-uri', 'using-named-graph-uri'] as const

function writeOperations(what: string, madeByPut: Json) {
  return {
    post: {
      summary: `Create a child ${what}, an access point, ask a query, update documents, or restore a past state`,
      parameters: parameters(
        'Accept',
        'Prefer',
        'IfMatch',
        'Slug',
        'TypeLink',
        'IdempotencyKey',
        'Consistency',
        'AcceptDatetime',
        'at',
        'restore',
        ...graphParameters,
      ),
      requestBody: {required: true, content: {...graphBody.content, ...queryBody.content, ...updateContent}},
      responses: responses({
        200: response(
          "The query's answer, or what the update has changed.",
          ['Link', 'PreferenceApplied', 'ServerTiming', 'MementoDatetime'],
          {...resultContent, ...updatedContent},
        ),
        204: response('The update or the restoration is done.', [...changed.map(optionalHeader), 'PreferenceApplied']),
        201: made,
      }),
    },
    put: {
      summary: `Replace the triples ${what}, create it, or add members`,
      parameters: parameters('Accept', 'Prefer', 'IfMatchRequired', 'IfNoneMatchAny', 'TypeLink'),
      requestBody: graphBody,
      responses: responses({200: written, ...madeByPut, 204: done}),
    },
    patch: {
      summary: `Change the triples ${what} by an LD Patch, or by an update`,
      parameters: parameters('Accept', 'Prefer', 'IfMatch', 'IdempotencyKey'),
      requestBody: patchBody,
      responses: responses({200: written, 204: done}),
    },
    delete: {
      summary: 'Delete the document, all its children, or members, as Prefer says',
      parameters: parameters('Prefer', 'IfMatch', 'Depth'),
      responses: responses({204: response('Done.', ['Date', 'Link', 'Consistency'])}),
    },
  }
}

const query = {name: 'query', in: 'query', description: 'The query; without one, what the endpoint can do.'}
const askedHeaders = ['Link', 'PreferenceApplied', 'ServerTiming', 'MementoDatetime']
const answeredOrUpdated = responses({
  200: response('The answer, or what the update has changed.', askedHeaders, {
    ...resultContent,
    ...updatedContent,
  }),
  204: updatedQuietly,
})
const readQuery: Json = {
  summary: 'Ask a query; without one, the service description, or the query page',
  parameters: [
    {...query, schema: {type: 'string'}},
    ...parameters('Accept', 'Prefer', 'Consistency', 'AcceptDatetime', 'at', 'default-graph-uri', 'named-graph-uri'),
  ],
  responses: responses({
    200: response('The answer.', ['Link', 'PreferenceApplied', 'ServerTiming', 'MementoDatetime'], {
      ...resultContent,
      ...contentOf(['text/html']),
    }),
  }),
}

const queryOperations: Json = {
  get: readQuery,
  head: readQuery,
  post: {
    summary: 'Ask a query, or update documents',
    parameters: parameters(
      'Accept',
      'Prefer',
      'IdempotencyKey',
      'Consistency',
      'AcceptDatetime',
      'at',
      ...graphParameters,
    ),
    requestBody: {
      required: true,
      content: {
        ...queryBody.content,
        ...updateContent,
        'application/x-www-form-urlencoded': {
          schema: {type: 'object', properties: {query: {type: 'string'}, update: {type: 'string'}}},
        },
      },
    },
    responses: answeredOrUpdated,
  },
  options: {
    summary: 'What can be done',
    responses: responses({204: response('See the headers.', ['Allow', 'AcceptPost', 'Link'])}),
  },
}

const readPlatform: Json = {
  summary: 'Which version this is',
  parameters: parameters('Accept', 'IfNoneMatch'),
  responses: responses({
    200: response('c:Platform, with version and build date.', ['ETag', 'Allow', 'Link', 'LastModified'], graphContent),
    304: response('The client has it.', ['ETag', 'Allow', 'Link', 'LastModified']),
  }),
}

const readVoid: Json = {
  summary: 'The dataset described with VoID: how much it holds',
  parameters: parameters('Accept'),
  responses: responses({200: response('void:Dataset.', ['Link'], graphContent)}),
}
