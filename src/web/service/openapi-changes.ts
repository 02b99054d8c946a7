/**
 * The part of the OpenAPI document that describes the log of changes.
 */
import {changeActions} from '../../db/store/changes.ts'
import {graphContent, type Json, queryParameter, response, responses} from './openapi-parts.ts'

const iri = {type: 'string', format: 'iri'}
const tag = {type: 'string', description: 'An entity tag with its quotes.'}

const change: Json = {
  type: 'object',
  required: ['position', 'time', 'action', 'document'],
  properties: {
    position: {type: 'string', pattern: '^[0-9]{1,18}$'},
    time: {type: 'string', format: 'date-time'},
    action: {enum: changeActions},
    document: iri,
    oldDocument: {...iri, description: 'The IRI before a move.'},
    parent: iri,
    before: tag,
    after: tag,
    agent: iri,
    request: {type: 'string'},
    isAccessPoint: {const: true},
    isRawGraph: {const: true},
    isLarge: {const: true, description: 'There are too many triples for `patch`.'},
    patch: {type: 'string', description: 'RDF Patch.'},
  },
}

const content = {
  'application/x-ndjson': {schema: change},
  'application/jsonl': {schema: change},
  'application/ndjson': {schema: change},
  'text/event-stream': {},
  ...graphContent,
}

const asked: readonly Json[] = [
  queryParameter('after', 'A position, `first` (the oldest) or `last` (from now on).', {
    type: 'string',
    pattern: '^([0-9]{1,18}|first|last)$',
  }),
  queryParameter('wait', 'How many seconds to wait for a change, for JSON lines.', {
    type: 'integer',
    minimum: 0,
    maximum: 60,
  }),
  queryParameter('limit', 'Greatest number of changes on a page.', {type: 'integer', minimum: 1, maximum: 1000}),
  queryParameter('under', 'Only changes of documents whose URL begins with this one.', iri),
  queryParameter('action', 'Only changes with these actions.', {type: 'array', items: {enum: changeActions}}),
  queryParameter('triples', 'Whether changes have the added and removed triples.', {enum: ['none', 'patch']}),
  queryParameter(
    'page',
    'In RDF: the number of a page of the event stream; the only parameter. Without it: the root node.',
    {
      type: 'integer',
      minimum: 0,
    },
  ),
  {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'In place of `after`, by clients of server-sent events.',
    schema: {type: 'string'},
  },
]

const read: Json = {
  summary: 'What has changed, in order: a page of JSON lines, server-sent events, or a Linked Data Event Stream in RDF',
  parameters: asked,
  responses: responses({
    200: response('Changes. Link names the next page of JSON lines.', ['Link'], content),
  }),
}

export const changesOperations: Json = {
  get: read,
  head: read,
  options: {summary: 'What can be done', responses: responses({204: response('See the headers.', ['Allow', 'Link'])})},
}
