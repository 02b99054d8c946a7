/**
 * The components of the OpenAPI document: contents, headers, responses, parameters.
 *
 * Pure. Media types come from the lists of formats, so a new format is included automatically.
 * Source: OpenAPI 3.1.1 §4.
 */
import {formats} from '../../format/registry.ts'
import {resultsFormats} from '../../format/results.ts'
import {linkFormat} from '../../ldp/time-map.ts'
import {patchTypes} from '../document/offers.ts'
import {assetTypesByExtension} from '../pages/assets.ts'
import {explanationForms} from '../query/explain.ts'

export type Json = {readonly [name: string]: unknown}

const reference = (kind: string, name: string): Json => ({$ref: `#/components/${kind}/${name}`})

const readable = formats.filter(({parse}) => parse !== undefined).flatMap(({mediaTypes}) => mediaTypes)
const writable = formats.flatMap(({mediaTypes}) => mediaTypes)
const results = resultsFormats.flatMap(({mediaTypes}) => mediaTypes)

/** An OpenAPI content object. It has no schemas, because RDF and query results have grammars of their own. */
export function contentOf(mediaTypes: readonly string[]): Json {
  return Object.fromEntries(mediaTypes.map(type => [type, {}]))
}

export const graphContent = contentOf(writable)
export const documentContent = contentOf([...writable, 'text/html'])
export const historyContent = contentOf([linkFormat, 'text/ldpatch'])
const explanations = explanationForms.flatMap(({mediaTypes}) => mediaTypes)
export const resultContent = contentOf([...new Set([...results, ...writable, ...explanations])])
export const assetTypes = Object.values(assetTypesByExtension).map(type => type.replace(/;.*/, ''))
export const graphBody = {required: true, content: contentOf(readable)}
export const queryBody = {required: true, content: contentOf(['application/sparql-query'])}
export const patchBody = {required: true, content: contentOf(patchTypes)}

const header = (description: string, isRequired: boolean): Json => ({
  description,
  required: isRequired,
  schema: {type: 'string'},
})

const headerNames: Readonly<Record<string, string>> = {
  AcceptPost: 'Accept-Post',
  AcceptPatch: 'Accept-Patch',
  LastModified: 'Last-Modified',
  RequestId: 'X-Request-Id',
  ServerTiming: 'Server-Timing',
  PreferenceApplied: 'Preference-Applied',
  RateLimitPolicy: 'RateLimit-Policy',
  RetryAfter: 'Retry-After',
  Consistency: 'Quadstead-Consistency',
  Challenge: 'WWW-Authenticate',
  WacAllow: 'WAC-Allow',
  ContentLocation: 'Content-Location',
  MementoDatetime: 'Memento-Datetime',
  OptionalAllow: 'Allow',
  OptionalAcceptPost: 'Accept-Post',
  OptionalAcceptPatch: 'Accept-Patch',
  OptionalETag: 'ETag',
  OptionalLastModified: 'Last-Modified',
}

/** An optional parameter of the query component. */
export function queryParameter(name: string, description: string, schema: Json): Json {
  return {name, in: 'query', description, schema}
}

const counted = ['RateLimit', 'RateLimitPolicy']

/** A response to requests that do not count towards quotas, with these headers and X-Request-Id. */
export function uncounted(description: string, headers: readonly string[] = [], content?: Json): Json {
  const named = ['RequestId', ...headers].map(name => [headerNames[name] ?? name, reference('headers', name)])
  return {description, headers: Object.fromEntries(named), ...(content === undefined ? {} : {content})}
}

/** A response with these headers, X-Request-Id, RateLimit and RateLimit-Policy. */
export function response(description: string, headers: readonly string[] = [], content?: Json): Json {
  return uncounted(description, [...counted, ...headers], content)
}

function problem(description: string, headers: readonly string[]): Json {
  const content = {...documentContent, 'application/problem+json': {schema: reference('schemas', 'Problem')}}
  return response(description, ['Link', ...headers], content)
}

export const components: Json = {
  headers: {
    ETag: header("The entity tag of the document's state, in every format and coding.", true),
    LastModified: header('When it was changed last.', true),
    Location: header('The URL of what was created, or of what to read instead.', true),
    Allow: header('The methods of the resource.', true),
    AcceptPost: header('The media types of a POST.', true),
    AcceptPatch: header('The media types of a PATCH.', true),
    Link: header('Types of the resource, its parent, the next page, the rule that was broken.', true),
    Date: header('The time of removal.', true),
    RequestId: header('Names the request in logs; the one that was sent, when it was sane.', true),
    ServerTiming: header('How long the stages of the query took.', false),
    PreferenceApplied: header('The preferences that were honoured.', false),
    RateLimit: header(
      'How much the caller may still send, and when all of it is back; absent when not counted.',
      false,
    ),
    RateLimitPolicy: header('How much that is in which time, in seconds; absent when not counted.', false),
    RetryAfter: header('Seconds until it makes sense to try again.', true),
    Consistency: header('A token of the state that this tells of, for reads from replicas; absent without any.', false),
    WacAllow: header(
      'What the caller (user) and everybody (public) may do, in modes of Web Access Control; where grants count.',
      false,
    ),
    ContentLocation: header('The URL of the state that Accept-Datetime selected; absent otherwise.', false),
    MementoDatetime: header('When the state began; only of a past state.', false),
    OptionalAllow: header('The methods of the document.', false),
    OptionalAcceptPost: header('The media types of a POST to the document.', false),
    OptionalAcceptPatch: header('The media types of a PATCH of the document.', false),
    OptionalETag: header("The entity tag of the document's state.", false),
    OptionalLastModified: header('When the document was changed last.', false),
    Challenge: header('How to say who asks, and what was wrong with what was said.', true),
  },
  schemas: {
    Problem: {
      type: 'object',
      description: 'RFC 9457. Further members are described at the URL in "type".',
      required: ['type', 'title', 'status', 'detail', 'instance', 'requestId'],
      properties: {
        type: {type: 'string', format: 'uri'},
        title: {type: 'string', description: 'The name of the rule that was broken.'},
        status: {type: 'integer', minimum: 400, maximum: 599},
        detail: {type: 'string'},
        instance: {type: 'string', format: 'uri'},
        requestId: {type: 'string'},
      },
    },
  },
  responses: {
    Problem: problem('A rule was broken. Clients that prefer RDF get a c:ErrorResponse.', ['Consistency']),
    Unauthorized: problem('Nobody is known who may do this; or the credentials prove nothing.', ['Challenge']),
    Forbidden: problem('No grant allows it.', []),
    Misdirected: problem('The service is not known by the host that the request is for.', []),
    TooMany: problem('The caller asks too often, or too much at once.', ['RetryAfter']),
    Unavailable: problem('Not now.', ['RetryAfter', 'Consistency']),
  },
  parameters: {
    path: {
      name: 'path',
      in: 'path',
      required: true,
      description: "The document's path below the root, which ends with a slash and may hold others.",
      schema: {type: 'string', pattern: '^.+/$'},
    },
    hash: segment('hash', 'Of all assets: it changes when one does.'),
    name: segment('name', 'Of the file.'),
    Accept: parameter('Accept', 'The formats to answer in, weighed; Turtle when absent.'),
    Prefer: parameter(
      'Prefer',
      'Interaction model, return=representation or minimal, include and omit of the preferences of LDP and of c:.',
    ),
    IfMatch: parameter('If-Match', 'Entity tags, or the checksum of the document, of which one must be current.'),
    IfMatchRequired: {...parameter('If-Match', 'Needed to replace a document; members go without.'), required: false},
    IfNoneMatch: parameter('If-None-Match', 'Entity tags that the client has.'),
    IfNoneMatchAny: parameter('If-None-Match', '`*` creates the document, if its parent exists and it does not.'),
    Consistency: parameter('Quadstead-Consistency', 'The token of an answer: what is read is no older than that.'),
    Slug: parameter('Slug', 'The last segment of the new URL; a random number when absent.'),
    AcceptDatetime: parameter('Accept-Datetime', 'An HTTP date: the state as of then (RFC 7089).'),
    at: {
      name: 'at',
      in: 'query',
      description: 'An xsd:dateTime with a time zone: the store as of then; or Accept-Datetime.',
      schema: {type: 'string', format: 'date-time'},
    },
    state: stateTag('state', 'The entity tag of a state: this one, as it was.'),
    states: {
      name: 'states',
      in: 'query',
      allowEmptyValue: true,
      description: 'The list of states, the newest first: a TimeMap.',
      schema: {type: 'string'},
    },
    before: stateTag('before', 'With states: where the page begins; from the list.'),
    difference: stateTag('difference', 'The entity tag of a state: an LD Patch that leads from it to another.'),
    to: stateTag('to', 'With difference: the entity tag of the other state; the present one when absent.'),
    restore: stateTag('restore', 'The entity tag of a state that becomes the present one; without a body.'),
    IdempotencyKey: parameter(
      'Idempotency-Key',
      'A string in quotes: a request that repeats another one with this key changes nothing and gets its response.',
    ),
    TypeLink: parameter('Link', 'With rel="type": a type of LDP that a new document must have.'),
    Depth: parameter(
      'Depth',
      '0: refuse to delete a document that contains others; infinity, the default: all of them.',
    ),
    after: {
      name: 'after',
      in: 'query',
      description: 'Where the page of children begins: from the Link with rel="next".',
      schema: {type: 'string', pattern: '^[0-9]{1,18}$'},
    },
    graph: {
      name: 'graph',
      in: 'query',
      description: 'The graph: the URL of a document, or the name of a raw graph.',
      schema: {type: 'string', format: 'iri'},
    },
    default: {
      name: 'default',
      in: 'query',
      allowEmptyValue: true,
      description: 'In place of a graph: the union of all documents, which can only be read.',
      schema: {type: 'string'},
    },
    'default-graph-uri': graphs('default-graph-uri', 'The graphs that are the default graph.'),
    'named-graph-uri': graphs('named-graph-uri', 'The named graphs.'),
    'using-graph-uri': graphs('using-graph-uri', "The graphs of an update's WHERE; without them, all."),
    'using-named-graph-uri': graphs('using-named-graph-uri', "The named graphs of an update's WHERE."),
  },
}

function parameter(name: string, description: string): Json {
  return {name, in: 'header', description, schema: {type: 'string'}}
}

/** A parameter of the query whose value is a whole number. */
function stateTag(name: string, description: string): Json {
  return {name, in: 'query', description, schema: {type: 'string', pattern: '^[0-9]{1,18}$'}}
}

function segment(name: string, description: string): Json {
  return {name, in: 'path', required: true, description, schema: {type: 'string'}}
}

function graphs(name: string, description: string): Json {
  return {name, in: 'query', description, schema: {type: 'array', items: {type: 'string', format: 'iri'}}}
}

export function parameters(...names: readonly string[]): readonly Json[] {
  return names.map(name => reference('parameters', name))
}

/** Adds the errors that every operation may return. The default is a problem of any status. */
export function responses(byStatus: Json): Json {
  return {
    ...byStatus,
    421: reference('responses', 'Misdirected'),
    429: reference('responses', 'TooMany'),
    503: reference('responses', 'Unavailable'),
    default: reference('responses', 'Problem'),
  }
}

/** Adds the responses 401 and 403 to the operations of these paths. */
export function guarded(paths: Json): Json {
  const refusals = {401: reference('responses', 'Unauthorized'), 403: reference('responses', 'Forbidden')}
  const operation = (value: Json): Json => {
    const byStatus = (value as {readonly responses?: Json}).responses
    return byStatus?.default === undefined ? value : {...value, responses: {...refusals, ...byStatus}}
  }
  const item = (value: Json): Json =>
    Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name,
        typeof part === 'object' && !Array.isArray(part) ? operation(part as Json) : part,
      ]),
    )
  return Object.fromEntries(Object.entries(paths).map(([path, value]) => [path, item(value as Json)]))
}
