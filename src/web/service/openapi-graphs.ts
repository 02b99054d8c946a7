/** The part of the OpenAPI document that describes the graph store (docs/interface.md, Graph store). */
import {graphStorePath} from '../document/reply.ts'
import {
  contentOf,
  graphBody,
  graphContent,
  type Json,
  parameters,
  patchBody,
  queryBody,
  response,
  responses,
  resultContent,
} from './openapi-parts.ts'

/** Header fields of answers about a document. Those about the default graph, a raw graph or an update lack them. */
const ofDocument = [
  'OptionalAllow',
  'OptionalAcceptPost',
  'OptionalAcceptPatch',
  'OptionalETag',
  'OptionalLastModified',
]
const read = ['Link', ...ofDocument, 'WacAllow', 'PreferenceApplied', 'ServerTiming']
const written = ['Link', ...ofDocument, 'Consistency', 'PreferenceApplied']
const named = ['graph', 'default'] as const

const done = response('Done.', written)
const returned = response('Done; under return=representation with the graph.', written, graphContent)
const created = response('It was created.', ['Location', ...written], graphContent)

const get: Json = {
  summary: 'The triples of a document, of a raw graph, or of the default graph',
  parameters: parameters(...named, 'Accept', 'Prefer', 'IfNoneMatch', 'Consistency'),
  responses: responses({
    200: response('The graph.', read, graphContent),
    304: response('The client has it.', read),
  }),
}

export const graphStorePaths: Json = {
  [`/${graphStorePath}`]: {
    summary: 'SPARQL 1.1 Graph Store HTTP Protocol',
    get,
    head: get,
    options: {
      summary: 'What can be done',
      parameters: parameters(...named),
      responses: responses({
        204: response('See the headers.', ['Allow', 'Link', 'OptionalAcceptPost', 'OptionalAcceptPatch']),
      }),
    },
    post: {
      summary: 'Add triples to a graph; without a graph, create one; or query, or update documents',
      parameters: parameters(...named, 'Accept', 'Prefer', 'IfMatch', 'Slug', 'IdempotencyKey', 'Consistency'),
      requestBody: {
        required: true,
        content: {...graphBody.content, ...queryBody.content, ...contentOf(['application/sparql-update'])},
      },
      responses: responses({
        200: response('Done, or the answer of the query or update.', [...written, 'ServerTiming'], {
          ...resultContent,
          ...contentOf(['application/json']),
        }),
        201: created,
        204: done,
      }),
    },
    put: {
      summary: 'Replace a graph, or create it',
      parameters: parameters(...named, 'Accept', 'Prefer', 'IfMatch', 'IfNoneMatchAny'),
      requestBody: graphBody,
      responses: responses({200: returned, 201: created, 204: done}),
    },
    patch: {
      summary: 'Change a graph by an LD Patch, or by an update',
      parameters: parameters(...named, 'Accept', 'Prefer', 'IfMatch', 'IdempotencyKey'),
      requestBody: patchBody,
      responses: responses({200: returned, 204: done}),
    },
    delete: {
      summary: 'Delete a document; with Depth: infinity with everything below it',
      parameters: parameters(...named, 'IfMatch', 'Depth'),
      responses: responses({204: response('Done.', ['Date', 'Link', 'Consistency'])}),
    },
  },
}
