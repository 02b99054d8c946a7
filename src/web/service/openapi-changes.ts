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
    action: {enum: [...changeActions, 'present'], description: '`present`: a document of a list, and no change.'},
    document: iri,
    oldDocument: {...iri, description: 'The IRI before a move.'},
    parent: iri,
    memberBy: {...iri, description: 'The relation under which the parent has it as a member from its creation.'},
    before: tag,
    after: tag,
    agent: iri,
    request: {type: 'string'},
    isAccessPoint: {const: true},
    isRawGraph: {const: true},
    isLarge: {const: true, description: 'There are too many triples for `patch`.'},
    isRenamed: {const: true, description: 'A move renamed terms: more has changed than `patch` says.'},
    patch: {type: 'string', description: 'RDF Patch.'},
    graphBefore: {type: 'array', description: 'The document before the change, as expanded JSON-LD.'},
    graphAfter: {type: 'array', description: 'The document after the change, as expanded JSON-LD.'},
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
  queryParameter(
    'after',
    'A position, `first` (the oldest), `last` (from now on), or `documents` (the present documents first).',
    {type: 'string', pattern: '^([0-9]{1,18}|first|last|documents(\\.[0-9]{1,18}){0,200})$'},
  ),
  queryParameter('wait', 'How many seconds to wait for a change, for JSON lines.', {
    type: 'integer',
    minimum: 0,
    maximum: 60,
  }),
  queryParameter('limit', 'Greatest number of changes on a page.', {type: 'integer', minimum: 1, maximum: 1000}),
  queryParameter('under', 'Only changes of documents whose URL begins with this one.', iri),
  queryParameter('action', 'Only changes with these actions.', {type: 'array', items: {enum: changeActions}}),
  queryParameter('triples', 'Whether changes have the added and removed triples.', {
    enum: ['none', 'patch', 'json-ld'],
  }),
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
    200: response('Changes. Link names the next page of JSON lines, and the end of the log.', ['Link'], content),
  }),
}

export const changesOperations: Json = {
  get: read,
  head: read,
  options: {summary: 'What can be done', responses: responses({204: response('See the headers.', ['Allow', 'Link'])})},
}
