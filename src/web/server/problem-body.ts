/**
 * The body for a Problem: problem details in JSON, or a c:ErrorResponse graph for clients that prefer RDF.
 *
 * Pure. Sources: RFC 9457; docs/errors.md, The response; decision 0013.
 */
import type {Problem} from '../../base/problem.ts'
import {formats} from '../../format/registry.ts'
import type {Format} from '../../format/types.ts'
import {negotiate} from '../../http/accept.ts'
import {blankNode, type Iri, langLiteral, literal, namedNode, type Quad, quad, type Term} from '../../rdf/term.ts'
import {type PlatformVocabulary, rdf, xsd} from '../../rdf/vocabulary.ts'
import {contentType, writeBody} from '../document/offers.ts'

export type ProblemPlace = {
  readonly base: Iri
  readonly platform: PlatformVocabulary
  readonly prefixes: Readonly<Record<string, Iri>>
  readonly instance: Iri // the requested URI
  readonly requestId: string
  readonly accept: string | undefined
}

const problemOffer = {mediaTypes: ['application/problem+json', 'application/json']}
const offers: readonly (Format | typeof problemOffer)[] = [problemOffer, ...formats]

/** The URI that identifies and explains a rule. */
export function ruleUri(base: Iri, rule: string): Iri {
  return `${base}errors#${rule}`
}

/** The body and its Content-Type. Falls back to JSON if the negotiated format cannot express the problem. */
export function problemBody(problem: Problem, place: ProblemPlace): {type: string; body: string | Buffer} {
  const chosen = negotiate(place.accept, offers)
  if (chosen === undefined || !('id' in chosen.offer))
    return {type: 'application/problem+json', body: problemJson(problem, place)}
  const {offer, mediaType} = chosen
  try {
    return {
      type: contentType({offer, mediaType}),
      body: writeBody({offer, mediaType}, errorResponse(problem, place), place.prefixes),
    }
  } catch {
    return {type: 'application/problem+json', body: problemJson(problem, place)} // characters that XML excludes
  }
}

function problemJson({status, rule, message, members}: Problem, {base, instance, requestId}: ProblemPlace): string {
  const document = {type: ruleUri(base, rule), title: rule, status, detail: message, instance, requestId, ...members}
  return `${JSON.stringify(document)}\n`
}

/** Codes that clients in use depend on (decision 0013). The code of every other rule is its name. */
const errorCodes = new Map([['document-iri-free', '0x8901']])

function errorResponse({status, rule, message, members}: Problem, {platform, requestId}: ProblemPlace): Quad[] {
  const [response, error, map] = [blankNode('response'), blankNode('error'), blankNode('parameters')]
  const say = (subject: typeof response, property: Iri, object: Term) => quad(subject, namedNode(property), object)
  const parameters = [['rule', rule], ...Object.entries(members)].map(([key, value]) => [key, value] as const)
  return [
    say(response, rdf.type, namedNode(platform.ErrorResponse)),
    say(response, platform.error, error),
    say(response, platform.httpStatusCode, literal(String(status), xsd.int)),
    say(response, platform.requestID, literal(requestId)),
    say(error, rdf.type, namedNode(platform.Error)),
    say(error, platform.errorCode, literal(errorCodes.get(rule) ?? rule)),
    say(error, platform.errorMessage, langLiteral(message, 'en')),
    say(error, platform.errorParameters, map),
    say(map, rdf.type, namedNode(platform.Map)),
    ...parameters.flatMap(([key, value], index) => {
      const entry = blankNode(`entry-${index + 1}`)
      return [
        say(map, platform.entry, entry),
        say(entry, platform.entryKey, literal(key === 'existing' ? 'uri' : key)),
        say(entry, platform.entryValue, key === 'existing' ? namedNode(String(value)) : literal(textOf(value))),
      ]
    }),
  ]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
