/**
 * The part of the OpenAPI document that describes grants and keys.
 *
 * Only included with access control.
 */
import {modes} from '../../db/store/caller.ts'
import {grantsPath} from './grants.ts'
import {keysPath} from './keys.ts'
import {type Json, parameters, response, responses} from './openapi-parts.ts'

const abilities = responses({204: response('See the headers.', ['Allow', 'Link'])})
const instant = {type: 'string', format: 'date-time'}
const modesSchema = {type: 'array', minItems: 1, items: {enum: modes}}
const granteeSchema = {type: 'string', pattern: '^(public|authenticated|agent \\S+|group \\S.*)$'}
const grantSchema = {
  type: 'object',
  required: ['grantee', 'modes'],
  properties: {
    grantee: granteeSchema,
    modes: modesSchema,
    expires: {...instant, description: 'The grant counts until then; without it, it does not expire.'},
    expired: {type: 'boolean', readOnly: true},
  },
}
const grantsSchema = {
  type: 'object',
  required: ['grants'],
  properties: {
    grants: {type: 'array', items: grantSchema},
    inherits: {
      type: 'boolean',
      description: 'Whether grants on the documents above count. A PUT without it leaves that as it is.',
    },
    inherited: {type: 'array', items: grantSchema, readOnly: true},
    withheld: {
      type: 'integer',
      readOnly: true,
      description: 'Grants on the documents above that count here, and are not shown to the caller.',
    },
  },
}
const page = {'text/html': {schema: {type: 'string'}}} // with forms, for browsers
const grantsContent = {'application/json': {schema: grantsSchema}}
const documentParameter = {
  name: 'document',
  in: 'query',
  description: 'The document whose grants these are; the root when absent. Needs control on it.',
  schema: {type: 'string', format: 'iri'},
}
const changed = responses({204: response('Done.', ['ETag', 'Allow', 'Link', 'Consistency'])})

const grantOperations: Json = {
  summary: 'Who may do what with a document and all below it',
  parameters: [documentParameter],
  get: {
    summary: 'The grants of a document, and those of the documents above it that count',
    responses: responses({
      200: response('The grants.', ['OptionalETag', 'Allow', 'Link'], {...grantsContent, ...page}),
    }),
  },
  put: {
    summary: "Replace a document's own grants",
    parameters: parameters('IfMatch'),
    requestBody: {required: true, content: grantsContent},
    responses: changed,
  },
  post: {
    summary: 'Add a grant to those of a document',
    parameters: parameters('IfMatch'),
    requestBody: {required: true, content: {'application/json': {schema: grantSchema}}},
    responses: changed,
  },
  delete: {
    summary: "Take a grantee's grants on a document away",
    parameters: [
      {name: 'grantee', in: 'query', required: true, schema: granteeSchema},
      {
        name: 'expires',
        in: 'query',
        description: 'Only the grant that expires then, or `never`; all of the grantee when absent.',
        schema: {anyOf: [instant, {const: 'never'}]},
      },
      ...parameters('IfMatch'),
    ],
    responses: changed,
  },
  options: {summary: 'What can be done', responses: abilities},
}

const keyProperties = {
  name: {type: 'string', maxLength: 200, description: 'For people.'},
  agent: {type: 'string', format: 'iri', description: 'Whom the key speaks for; the caller when absent.'},
  groups: {type: 'array', items: {type: 'string'}, description: 'Groups that the agent is in when it uses the key.'},
  modes: {...modesSchema, description: 'The key gives these at most.'},
  within: {type: 'string', format: 'iri', description: 'The key is for this document and all below it only.'},
  expires: instant,
}
const keyRequest = {type: 'object', properties: keyProperties, additionalProperties: false}
const keySchema = {
  type: 'object',
  required: ['id', 'name', 'agent', 'groups', 'created'],
  properties: {
    id: {type: 'string', pattern: '^[0-9a-f]{16}$'},
    ...keyProperties,
    created: instant,
    expired: {type: 'boolean'},
    lastUsed: {...instant, description: 'To the minute, about; absent when it was not used yet.'},
  },
}
const keyContent = {'application/json': {schema: keySchema}}
const newKey = {
  ...keySchema,
  required: [...keySchema.required, 'key'],
  properties: {...keySchema.properties, key: {type: 'string', description: 'The secret. It is shown this once.'}},
}
const keyList = {type: 'object', required: ['keys'], properties: {keys: {type: 'array', items: keySchema}}}

const keysOperations: Json = {
  summary: "API keys: the caller's own; of who controls the root, those of all agents",
  get: {
    summary: 'The keys',
    parameters: [{name: 'agent', in: 'query', description: 'Whose; all when absent.', schema: {type: 'string'}}],
    responses: responses({
      200: response('The keys.', ['Allow', 'Link'], {'application/json': {schema: keyList}, ...page}),
    }),
  },
  post: {
    summary: 'Make a key',
    requestBody: {required: true, content: {'application/json': {schema: keyRequest}}},
    responses: responses({
      201: response('The key.', ['Location', 'Allow', 'Link'], {'application/json': {schema: newKey}}),
    }),
  },
  options: {summary: 'What can be done', responses: abilities},
}

const keyOperations: Json = {
  summary: 'An API key',
  parameters: [{name: 'id', in: 'path', required: true, schema: {type: 'string', pattern: '^[0-9a-f]{16}$'}}],
  get: {
    summary: 'What the key is, without the secret',
    responses: responses({200: response('The key.', ['Allow', 'Link'], keyContent)}),
  },
  delete: {summary: 'Take the key away', responses: responses({204: response('Done.', ['Allow', 'Link'])})},
  options: {summary: 'What can be done', responses: abilities},
}

export const accessPaths: Json = {
  [`/${grantsPath}`]: grantOperations,
  [`/${keysPath}`]: keysOperations,
  [`/${keysPath}/{id}`]: keyOperations,
}
