/**
 * The part of the OpenAPI document that describes batches.
 */
import {type Json, parameters, response, responses} from './openapi-parts.ts'

const name = {type: 'string', pattern: '^[A-Za-z0-9._~-]{1,100}$'}
const fields = {type: 'object', additionalProperties: {type: 'string'}}
const requestSchema = {
  type: 'object',
  required: ['id', 'method', 'url'],
  additionalProperties: false,
  properties: {
    id: name,
    method: {type: 'string', description: 'An HTTP method, in upper or lower case.'},
    url: {
      type: 'string',
      description:
        'Absolute, an absolute path, relative to the root, or `$id` of the request that creates the document.',
    },
    headers: fields,
    body: {description: 'A JSON value for JSON media types, a string for others, base64url for binary ones.'},
    dependsOn: {type: 'array', items: name, description: 'Earlier requests and groups that must have succeeded.'},
    atomicityGroup: {...name, description: 'Requests of a group follow each other. They succeed or fail as a whole.'},
  },
}
const responseSchema = {
  type: 'object',
  required: ['id', 'status', 'headers'],
  properties: {id: name, atomicityGroup: name, status: {type: 'integer'}, headers: fields, body: {}},
}

function listOf(member: string, items: Json) {
  const schema = {type: 'object', required: [member], properties: {[member]: {type: 'array', items}}}
  return {'application/json': {schema}}
}

export const batchOperations: Json = {
  post: {
    summary: 'Many requests in one, of which some form groups that succeed or fail as a whole (OData JSON Format §19)',
    parameters: parameters('Prefer', 'IdempotencyKey'),
    requestBody: {required: true, content: listOf('requests', requestSchema)},
    responses: responses({
      200: response(
        'The responses, in the order of the requests. Each has a status of its own.',
        ['Link', 'PreferenceApplied', 'Consistency'],
        listOf('responses', responseSchema),
      ),
    }),
  },
  options: {
    summary: 'What can be done',
    responses: responses({204: response('See the headers.', ['Allow', 'AcceptPost', 'Link'])}),
  },
}
