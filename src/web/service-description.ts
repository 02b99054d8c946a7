/**
 * What the SPARQL endpoint can do, as RDF.
 *
 * Floor 5. Source: SPARQL 1.1 Service Description §3.
 */
import type {Context} from 'koa'
import {blankNode, namedNode, type Quad, quad} from '../rdf/term.ts'
import {rdf} from '../rdf/vocabulary.ts'
import {headerOf, type Site} from './exchange.ts'
import {chooseFormat, contentType, writeBody} from './offers.ts'
import {resourceLink, varied} from './reply.ts'

const sd = 'http://www.w3.org/ns/sparql-service-description#'
const formatNames = ['Turtle', 'JSON-LD', 'RDF_XML', 'N-Triples', 'N-Quads', 'TriG', 'N3'].concat(
  ['XML', 'JSON', 'CSV', 'TSV'].map(name => `SPARQL_Results_${name}`),
)

export function describeService(site: Site, context: Context): void {
  const chosen = chooseFormat(headerOf(context, 'accept'))
  context.set({Link: resourceLink, Vary: varied, 'Cache-Control': 'no-cache'})
  context.set('Content-Type', contentType(chosen))
  context.body = writeBody(chosen, description(`${site.dataset.base}sparql`), {...site.prefixes, sd})
}

function description(endpoint: string): Quad[] {
  const service = blankNode('service')
  const say = (property: string, value: string) => quad(service, namedNode(sd + property), namedNode(value))
  return [
    quad(service, namedNode(rdf.type), namedNode(`${sd}Service`)),
    say('endpoint', endpoint),
    say('supportedLanguage', `${sd}SPARQL11Query`),
    say('feature', `${sd}UnionDefaultGraph`),
    ...formatNames.map(name => say('resultFormat', `http://www.w3.org/ns/formats/${name}`)),
  ]
}
