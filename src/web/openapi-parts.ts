/**
 * The pieces of which the description of the interface is made: contents, headers, answers, parameters.
 *
 * Floor 5. Pure. Media types come from the lists of formats, so that a new format is described by being there.
 * Source: OpenAPI 3.1.1 §4.
 */
import {formats} from '../format/registry.ts'
import {resultsFormats} from '../format/results.ts'
import {explanationForms} from './explain-query.ts'
import {assetTypesByExtension} from './html/assets.ts'
import {acceptPatch} from './offers.ts'

export type Json = {readonly [name: string]: unknown}

const reference = (kind: string, name: string): Json => ({$ref: `#/components/${kind}/${name}`})

const readable = formats.filter(({parse}) => parse !== undefined).flatMap(({mediaTypes}) => mediaTypes)
const writable = formats.flatMap(({mediaTypes}) => mediaTypes)
const results = resultsFormats.flatMap(({mediaTypes}) => mediaTypes)

/** Media types with what they hold; RDF and query results have grammars of their own, no schema. */
export function contentOf(mediaTypes: readonly string[]): Json {
  return Object.fromEntries(mediaTypes.map(type => [type, {}]))
}

export const graphContent = contentOf(writable)
export const documentContent = contentOf([...writable, 'text/html'])
const explanations = explanationForms.flatMap(({mediaTypes}) => mediaTypes)
export const resultContent = contentOf([...new Set([...results, ...writable, ...explanations])])
export const assetTypes = Object.values(assetTypesByExtension).map(type => type.replace(/;.*/, ''))
export const graphBody = {required: true, content: contentOf(readable)}
export const queryBody = {required: true, content: contentOf(['application/sparql-query'])}
export const patchBody = {required: true, content: contentOf([acceptPatch])}

const header = (description: string, isRequired: boolean): Json => ({
  description,
  required: isRequired,
  schema: {type: 'string'},
})

export const components: Json = {
  headers: {
    ETag: header("The entity tag of the document's state, in every format and coding.", true),
    Location: header('The URL of what was created; ends with "/".', true),
    Allow: header('The methods of the resource.', true),
    AcceptPost: header('The media types of a POST.', true),
    AcceptPatch: header('The media types of a PATCH.', true),
    Link: header('Types of the resource, its parent, the next page, the rule that was broken.', true),
    Date: header('The time of removal.', true),
    RequestId: header('Names the request in logs; the one that was sent, when it was sane.', true),
    ServerTiming: header('How long the stages of the query took.', false),
    PreferenceApplied: header('The preferences that were honoured.', false),
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
    Problem: {
      description: 'A rule was broken. Clients that prefer RDF get a c:ErrorResponse.',
      headers: {'X-Request-Id': reference('headers', 'RequestId'), Link: reference('headers', 'Link')},
      content: {...documentContent, 'application/problem+json': {schema: reference('schemas', 'Problem')}},
    },
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
    Slug: parameter('Slug', 'The last segment of the new URL; a random number when absent.'),
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
    'default-graph-uri': graphs('default-graph-uri', 'The graphs that are the default graph.'),
    'named-graph-uri': graphs('named-graph-uri', 'The named graphs.'),
  },
}

function parameter(name: string, description: string): Json {
  return {name, in: 'header', description, schema: {type: 'string'}}
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

const headerNames: Readonly<Record<string, string>> = {
  AcceptPost: 'Accept-Post',
  AcceptPatch: 'Accept-Patch',
  RequestId: 'X-Request-Id',
  ServerTiming: 'Server-Timing',
  PreferenceApplied: 'Preference-Applied',
}

/** An answer with these headers, and the id that all have. */
export function response(description: string, headers: readonly string[] = [], content?: Json): Json {
  const named = ['RequestId', ...headers].map(name => [headerNames[name] ?? name, reference('headers', name)])
  return {description, headers: Object.fromEntries(named), ...(content === undefined ? {} : {content})}
}

/** Answers by status; what goes wrong is a problem, whatever its status. */
export function responses(byStatus: Json): Json {
  return {...byStatus, default: reference('responses', 'Problem')}
}
