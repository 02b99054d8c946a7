/**
 * Describes the management of datasets (datasets.ts) as an OpenAPI 3.1 document of its own: its paths belong to the
 * service and not to a dataset. Tests validate it, and compare it with real answers. Source: OpenAPI 3.1.1.
 */
import {datasetsPath} from './datasets.ts'
import type {Json} from './openapi-parts.ts'

export const datasetsDescriptionPath = '/.system/openapi.json'

const text = {type: 'string'}
const name = {type: 'string', pattern: '^[a-z0-9](?:[a-z0-9._-]{0,48}[a-z0-9])?$'}
const settings = {type: 'object', additionalProperties: {type: ['string', 'number', 'boolean']}}

const datasetSchema = {
  type: 'object',
  required: ['name', 'base', 'schema', 'state', 'settings', 'created'],
  properties: {
    name,
    base: {type: 'string', format: 'uri'},
    schema: text,
    database: {...text, description: 'Host and database, if it is not that of the registry.'},
    replicas: {type: 'array', items: text},
    state: {enum: ['ready', 'behind', 'failed', 'paused']},
    settings: {type: 'object', additionalProperties: text},
    created: {type: 'string', format: 'date-time'},
    migrated: {type: 'string', format: 'date-time'},
    failure: {...text, description: 'Why its schema could not be brought up to date.'},
  },
}
const newSchema = {
  type: 'object',
  required: ['name', 'base'],
  additionalProperties: false,
  properties: {name, base: {type: 'string', format: 'uri'}, schema: text, databaseUrl: text, readUrl: text, settings},
}
const changeSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name,
    state: {enum: ['served', 'paused']},
    settings: {type: 'object', additionalProperties: {type: ['string', 'number', 'boolean', 'null']}},
  },
}

const jsonOf = (schema: Json): Json => ({'application/json': {schema}})
const bodyOf = (schema: Json): Json => ({required: true, content: jsonOf(schema)})
const dataset: Json = {$ref: '#/components/schemas/Dataset'}
const requestId: Json = {'X-Request-Id': {$ref: '#/components/headers/RequestId'}}
const answer = (description: string, content?: Json, headers: Json = {}): Json => ({
  description,
  headers: {...requestId, ...headers},
  ...(content === undefined ? {} : {content}),
})
const refused: Json = {$ref: '#/components/responses/Problem'}
const shown = {200: answer('The dataset.', jsonOf(dataset)), default: refused}
const one = (summary: string): Json => ({get: {summary, responses: shown}, head: {summary, responses: headOf(shown)}})

function headOf(responses: typeof shown): Json {
  return {...responses, 200: answer('The header fields of GET.')}
}

export function describeDatasets(version: string): Json {
  const listed = {type: 'object', required: ['datasets'], properties: {datasets: {type: 'array', items: dataset}}}
  const location = {Location: {$ref: '#/components/headers/Location'}}
  return {
    openapi: '3.1.1',
    info: {title: 'Quadstead: management of datasets', version},
    servers: [{url: '/'}],
    security: [{operator: []}],
    paths: {
      [datasetsPath]: {
        get: {summary: 'All datasets', responses: {200: answer('By name.', jsonOf(listed)), default: refused}},
        head: {summary: 'All datasets', responses: {200: answer('The header fields of GET.'), default: refused}},
        post: {
          summary: 'Add a dataset',
          requestBody: bodyOf(newSchema),
          responses: {201: answer('It is ready.', jsonOf(dataset), location), default: refused},
        },
      },
      [`${datasetsPath}/{name}`]: {
        parameters: [{name: 'name', in: 'path', required: true, schema: name}],
        ...one('One dataset'),
        patch: {summary: 'Rename, pause or set it', requestBody: bodyOf(changeSchema), responses: shown},
        delete: {
          summary: 'Stop serving it. Its data stay in their schema',
          responses: {204: answer('It is not served any more.'), default: refused},
        },
      },
    },
    components: {
      securitySchemes: {operator: {type: 'http', scheme: 'bearer', description: 'A key of "quadstead datasets key".'}},
      headers: {
        RequestId: {description: 'Also in the log.', required: false, schema: text},
        Location: {description: 'The path of the dataset.', required: true, schema: text},
        Allow: {description: 'With 405: the methods.', required: false, schema: text},
        Accept: {description: 'With 400 and 415: the media type.', required: false, schema: text},
        Challenge: {description: 'With 401.', required: false, schema: text},
        RetryAfter: {description: 'With 429 and 503: seconds.', required: false, schema: text},
      },
      schemas: {Dataset: datasetSchema, Problem: {type: 'object', description: 'RFC 9457; docs/errors.md.'}},
      responses: {
        Problem: answer(
          'An error.',
          {'application/problem+json': {schema: {$ref: '#/components/schemas/Problem'}}},
          {
            Allow: {$ref: '#/components/headers/Allow'},
            Accept: {$ref: '#/components/headers/Accept'},
            'WWW-Authenticate': {$ref: '#/components/headers/Challenge'},
            'Retry-After': {$ref: '#/components/headers/RetryAfter'},
          },
        ),
      },
    },
  }
}
