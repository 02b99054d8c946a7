/**
 * Describes the dataset with VoID: its contents, its size, its SPARQL endpoint, and where all of it can be read.
 *
 * Counts above a limit are PostgreSQL's estimates, and so are all counts of predicates. The numbers are kept for a
 * minute, so that requests cost little.
 * Sources: W3C, "Describing Linked Datasets with the VoID Vocabulary" §2, §4, §7.2 (.well-known/void).
 */
import type {Context} from 'koa'
import {mayReadAll} from '../../db/store/grants.ts'
import {formats} from '../../format/registry.ts'
import type {Statistics} from '../../query/statistics.ts'
import {blankNode, literal, namedNode, type Quad, quad, type Resource, type Term} from '../../rdf/term.ts'
import {rdf, xsd} from '../../rdf/vocabulary.ts'
import {chooseFormat, contentType, writeBody} from '../document/offers.ts'
import {graphStorePath, resourceLink, varied} from '../document/reply.ts'
import {headerOf, type Site} from '../exchange.ts'

export const voidNamespace = 'http://rdfs.org/ns/void#'

export const voidPath = '.well-known/void'

export async function answerVoid(site: Site, context: Context): Promise<void> {
  const chosen = chooseFormat(headerOf(context, 'accept'))
  const self = namedNode(site.dataset.base + voidPath)
  const dataset = blankNode('dataset')
  const quads = [
    quad(self, namedNode(rdf.type), namedNode(`${voidNamespace}DatasetDescription`)),
    quad(self, namedNode('http://xmlns.com/foaf/0.1/primaryTopic'), dataset),
    ...datasetQuads(site, dataset, await statisticsFor(site)),
  ]
  context.set({Link: resourceLink, Vary: varied, 'Cache-Control': 'max-age=60', 'Content-Type': contentType(chosen)})
  context.body = writeBody(chosen, quads, {...site.prefixes, void: voidNamespace})
}

/** The dataset's statistics; undefined if the caller may not read all documents. */
export async function statisticsFor({dataset, statistics}: Site): Promise<Statistics | undefined> {
  return (await mayReadAll(dataset.session)) ? statistics() : undefined
}

/** The description of the dataset, with this node as its subject. */
export function datasetQuads({dataset: {base}}: Site, dataset: Resource, statistics: Statistics | undefined): Quad[] {
  const say = (property: string, object: Term) => quad(dataset, namedNode(voidNamespace + property), object)
  return [
    quad(dataset, namedNode(rdf.type), namedNode(`${voidNamespace}Dataset`)),
    say('uriSpace', literal(base)),
    say('rootResource', namedNode(base)),
    say('sparqlEndpoint', namedNode(`${base}sparql`)),
    say('dataDump', namedNode(`${base}${graphStorePath}?default`)),
    ...formats.flatMap(({iri}) => (iri === undefined ? [] : [say('feature', namedNode(iri))])),
    ...(statistics === undefined ? [] : countQuads(dataset, statistics)),
  ]
}

function countQuads(dataset: Resource, {numbers, predicates}: Statistics): Quad[] {
  const count = (subject: Resource, property: string, number: number) =>
    quad(subject, namedNode(voidNamespace + property), literal(String(number), xsd.integer))
  return [
    count(dataset, 'documents', numbers.documents.number),
    count(dataset, 'triples', numbers.triples.number),
    ...predicates.flatMap(({iri, number}, index) => {
      const part = blankNode(`predicate-${index + 1}`)
      return [
        quad(dataset, namedNode(`${voidNamespace}propertyPartition`), part),
        quad(part, namedNode(`${voidNamespace}property`), namedNode(iri)),
        count(part, 'triples', number),
      ]
    }),
  ]
}
