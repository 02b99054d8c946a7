/**
 * The result of a search as JSON and as RDF.
 *
 * Pure. RDF uses Hydra for the pages, rdf:Statement for the triple that was found, and Jena's name for the score
 * (docs/search.md).
 */
import {snippetOf} from '../../base/search-marks.ts'
import {lastSearchPage, type SearchAnswer, type SearchRequest} from '../../ldp/search.ts'
import {blankNode, type Iri, literal, namedNode, type Quad, quad, type Resource, type Term} from '../../rdf/term.ts'
import {rdf, rdfNamespace, xsd} from '../../rdf/vocabulary.ts'
import {searchParameters} from './search-parameters.ts'

export const hydraNamespace = 'http://www.w3.org/ns/hydra/core#'
export const jenaTextNamespace = 'http://jena.apache.org/text#'
const schemaNamespace = 'http://schema.org/'

export type SearchPageLinks = {
  readonly self: Iri
  readonly first: Iri
  readonly previous: Iri | undefined
  readonly next: Iri | undefined
}

export function pageLinks(base: Iri, request: SearchRequest, {hasNext}: SearchAnswer): SearchPageLinks {
  const at = (page: number) => `${base}search?${searchParameters(request, page)}`
  const {page} = request
  return {
    self: at(page),
    first: at(1),
    previous: page > 1 ? at(page - 1) : undefined,
    next: hasNext && page < lastSearchPage ? at(page + 1) : undefined,
  }
}

export function resultJson(request: SearchRequest, answer: SearchAnswer, links: SearchPageLinks) {
  const {hits, words, total, isComplete, isCorrected, labels} = answer
  return {
    query: request.text,
    total,
    isComplete,
    isCorrected,
    ...links,
    results: hits.map(hit => {
      const {document, subject, property, literal: found, score, isLabel, modified} = hit
      const {text, marks} = snippetOf(found.value, words)
      return {
        document,
        label: labels.get(subject) ?? labels.get(document),
        subject,
        property,
        isLabel,
        snippet: text,
        marks,
        language: found.language === '' ? undefined : found.language,
        score,
        modified,
      }
    }),
  }
}

export function resultQuads(
  {page}: SearchRequest,
  {hits, total}: SearchAnswer,
  {self, first, previous, next}: SearchPageLinks,
): readonly Quad[] {
  const [collection, view] = [namedNode(first), page === 1 ? blankNode('page') : namedNode(self)]
  const hydra = (subject: Resource, name: string, object: Term) =>
    quad(subject, namedNode(hydraNamespace + name), object)
  const link = (name: string, iri: Iri | undefined) => (iri === undefined ? [] : [hydra(view, name, namedNode(iri))])
  return [
    quad(collection, namedNode(rdf.type), namedNode(`${hydraNamespace}Collection`)),
    ...(total === undefined ? [] : [hydra(collection, 'totalItems', literal(String(total), xsd.integer))]),
    hydra(collection, 'view', view),
    quad(view, namedNode(rdf.type), namedNode(`${hydraNamespace}PartialCollectionView`)),
    ...link('first', first),
    ...link('previous', previous),
    ...link('next', next),
    ...hits.flatMap((hit, index) => {
      const node = blankNode(`result${index + 1}`)
      const subject = hit.subject.startsWith('_:') ? blankNode(hit.subject.slice(2)) : namedNode(hit.subject)
      const say = (iri: Iri, object: Term) => quad(node, namedNode(iri), object)
      return [
        hydra(collection, 'member', namedNode(hit.document)),
        say(rdf.type, namedNode(`${rdfNamespace}Statement`)),
        say(`${rdfNamespace}subject`, subject),
        say(`${rdfNamespace}predicate`, namedNode(hit.property)),
        say(`${rdfNamespace}object`, hit.literal),
        say('http://purl.org/dc/terms/source', namedNode(hit.document)),
        say(`${jenaTextNamespace}score`, literal(showDecimal(hit.score), xsd.decimal)),
        say(`${schemaNamespace}position`, literal(String(index + 1), xsd.integer)),
      ]
    }),
  ]
}

/** The canonical form of an xsd:decimal, which has a point. */
function showDecimal(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
}
