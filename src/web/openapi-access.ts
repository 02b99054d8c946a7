/**
 * The part of the OpenAPI document that is about who may do what.
 *
 * Floor 5. There only where grants count.
 */
import {modes} from '../db/access.ts'
import {type Json, parameters, response, responses} from './openapi-parts.ts'

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
  },
}
const grantsContent = {'application/json': {schema: grantsSchema}}
const documentParameter = {
  name: 'document',
  in: 'query',
  description: 'The document whose grants these are; the root when absent. Needs control on it.',
  schema: {type: 'string', format: 'iri'},
}
const changed = responses({204: response('Done.', ['ETag', 'Allow', 'Link', 'Consistency'])})

export const grantOperations: Json = {
  summary: 'Who may do what with a document and all below it',
  parameters: [documentParameter],
  get: {
    summary: 'The grants of a document, and those of the documents above it that count',
    responses: responses({200: response('The grants.', ['ETag', 'Allow', 'Link'], grantsContent)}),
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
  options: {
    summary: 'What can be done',
    responses: responses({204: response('See the headers.', ['Allow', 'Link'])}),
  },
}
