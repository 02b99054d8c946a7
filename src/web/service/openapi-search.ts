/**
 * The part of the OpenAPI document that describes the search.
 */
import {lastSearchPage} from '../../ldp/search.ts'
import {contentOf, graphContent, type Json, queryParameter, response, responses} from './openapi-parts.ts'

const iri = {type: 'string', format: 'iri'}
const text = {type: 'string'}

const hit: Json = {
  type: 'object',
  required: ['document', 'subject', 'property', 'isLabel', 'snippet', 'marks', 'score'],
  properties: {
    document: iri,
    label: text,
    subject: {...text, description: 'An IRI, or a blank node that begins with _:.'},
    property: iri,
    isLabel: {type: 'boolean'},
    snippet: text,
    marks: {
      type: 'array',
      description: 'Where the words are in the snippet, in UTF-16 units.',
      items: {type: 'array', items: {type: 'integer'}, minItems: 2, maxItems: 2},
    },
    language: text,
    score: {type: 'number', exclusiveMinimum: 0, maximum: 1},
    modified: {...text, format: 'date-time'},
  },
}

const result: Json = {
  type: 'object',
  properties: {
    query: text,
    total: {type: 'integer'},
    isComplete: {type: 'boolean'},
    isCorrected: {type: 'boolean'},
    self: iri,
    first: iri,
    previous: iri,
    next: iri,
    results: {type: 'array', items: hit},
    suggestions: {
      type: 'array',
      items: {type: 'object', properties: {document: iri, subject: text, label: text}},
    },
  },
}

const read: Json = {
  summary: 'Documents by the words of their literals; suggestions while somebody types',
  parameters: [
    queryParameter('q', 'Words, "phrases" and prefixes*, all of which must match.', {...text, maxLength: 500}),
    queryParameter('suggest', 'In place of `q`: what is typed so far.', {...text, maxLength: 500}),
    queryParameter('lang', 'Only literals with this language or a narrower one.', text),
    queryParameter('type', 'Only resources of this class, an IRI or a prefixed name.', text),
    queryParameter('property', 'Only values of these properties.', {type: 'array', items: text, maxItems: 20}),
    queryParameter('under', 'Only documents whose URL begins with this one.', iri),
    queryParameter('sort', 'The order.', {enum: ['relevance', 'date']}),
    queryParameter('page', 'From 1.', {type: 'integer', minimum: 1, maximum: lastSearchPage}),
  ],
  responses: responses({
    200: response('What was found. Link names the other pages.', ['Link'], {
      'application/json': {schema: result},
      ...graphContent,
      ...contentOf(['text/html']),
    }),
  }),
}

export const searchOperations: Json = {
  get: read,
  head: read,
  options: {summary: 'What can be done', responses: responses({204: response('See the headers.', ['Allow', 'Link'])})},
}
