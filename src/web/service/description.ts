/**
 * The service description of the SPARQL endpoint, in RDF.
 *
 * Sources: SPARQL 1.1 Service Description §3; W3C, "Unique URIs for File Formats".
 */
import type {Context} from 'koa'
import {formatsNamespace} from '../../format/formats.ts'
import {formats} from '../../format/registry.ts'
import {resultsFormats} from '../../format/results.ts'
import type {Statistics} from '../../query/statistics.ts'
import {blankNode, literal, namedNode, type Quad, quad, type Resource, type Term} from '../../rdf/term.ts'
import {rdf} from '../../rdf/vocabulary.ts'
import {chooseFormat, contentType, writeBody} from '../document/offers.ts'
import {resourceLink, varied} from '../document/reply.ts'
import {headerOf, type Site} from '../exchange.ts'
import {explanationForms} from '../query/explain.ts'
import {datasetQuads, statisticsFor, voidNamespace} from './void.ts'

const sd = 'http://www.w3.org/ns/sparql-service-description#'

export async function describeService(site: Site, context: Context): Promise<void> {
  const chosen = chooseFormat(headerOf(context, 'accept'))
  context.set({Link: resourceLink, Vary: varied, 'Cache-Control': 'no-cache'})
  context.set('Content-Type', contentType(chosen))
  context.body = writeBody(chosen, description(site, await statisticsFor(site)), {
    ...site.prefixes,
    sd,
    formats: formatsNamespace,
    void: voidNamespace,
  })
}

function description(site: Site, statistics: Statistics | undefined): Quad[] {
  const {dataset, hasExplanations, hasFederation} = site
  const [service, everything, union] = [blankNode('service'), blankNode('dataset'), blankNode('union')]
  const say = (subject: Resource, property: string, object: Term) => quad(subject, namedNode(property), object)
  const named = (property: string, value: string) => say(service, sd + property, namedNode(value))
  return [
    named('endpoint', `${dataset.base}sparql`),
    say(service, rdf.type, namedNode(`${sd}Service`)),
    named('supportedLanguage', `${sd}SPARQL11Query`),
    named('supportedLanguage', `${sd}SPARQL11Update`),
    named('feature', `${sd}UnionDefaultGraph`),
    ...(hasFederation ? [named('feature', `${sd}BasicFederatedQuery`)] : []),
    named('defaultEntailmentRegime', 'http://www.w3.org/ns/entailment/Simple'),
    ...[...formats, ...resultsFormats].flatMap(({iri}) => (iri === undefined ? [] : [named('resultFormat', iri)])),
    ...(hasExplanations ? explanationForms : []).flatMap(({id, mediaTypes: [mediaType]}) => [
      say(service, `${sd}resultFormat`, blankNode(id)),
      say(blankNode(id), rdf.type, namedNode(`${formatsNamespace}Format`)),
      say(blankNode(id), `${formatsNamespace}media_type`, literal(mediaType)),
    ]),
    say(service, `${sd}defaultDataset`, everything),
    say(everything, rdf.type, namedNode(`${sd}Dataset`)),
    ...datasetQuads(site, everything, statistics),
    say(everything, `${sd}defaultGraph`, union),
    say(union, rdf.type, namedNode(`${sd}Graph`)),
  ]
}
