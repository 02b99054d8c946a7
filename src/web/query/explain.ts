/**
 * Answers a query with its explanation, if the client accepts a media type of explanations by name.
 *
 * A 406 does not list these media types, because they are not formats of the result.
 * Source: docs/sparql.md, Explain.
 */
import type {Context} from 'koa'
import {formats} from '../../format/registry.ts'
import {resultsFormats} from '../../format/results.ts'
import {type Negotiated, negotiate, readRangeParameter} from '../../http/accept.ts'
import {memoize} from '../../http/memo.ts'
import {formatServerTiming} from '../../http/server-timing.ts'
import type {ExplainRequest} from '../../query/explain.ts'
import {explanationDocument, explanationText} from '../../query/show-explanation.ts'
import {headerOf, type Site} from '../exchange.ts'

type ExplanationForm = {readonly id: 'explain-json' | 'explain-text'; readonly mediaTypes: readonly [string]}

export const explanationForms: readonly ExplanationForm[] = [
  {id: 'explain-json', mediaTypes: ['application/vnd.quadstead.explain+json']},
  {id: 'explain-text', mediaTypes: ['text/vnd.quadstead.explain']},
]

/** Explanations come last, so that a wildcard never selects them. */
const offers = [...resultsFormats, ...formats, ...explanationForms]

const negotiated = memoize((accept: string) => negotiate(accept, offers))

export type AskedExplanation = Negotiated<ExplanationForm> & {readonly isMeasured: boolean}

/** The explanation that the client asks for, if any. The parameter `measured=true` also runs the query. */
export function askedExplanation({hasExplanations}: Site, context: Context): AskedExplanation | undefined {
  const accept = headerOf(context, 'accept')
  if (!hasExplanations || accept === undefined) return undefined
  const {offer, mediaType} = negotiated(accept) ?? {}
  if (offer === undefined || mediaType === undefined || !isExplanation(offer)) return undefined
  return {offer, mediaType, isMeasured: readRangeParameter(accept, mediaType, 'measured') === 'true'}
}

function isExplanation(offer: {readonly id: string}): offer is ExplanationForm {
  return explanationForms.some(({id}) => id === offer.id)
}

export async function answerExplanation(
  site: Site,
  context: Context,
  asked: Omit<ExplainRequest, 'isMeasured' | 'planForm'>,
  {offer, mediaType, isMeasured}: AskedExplanation,
): Promise<void> {
  const isJson = offer.id === 'explain-json'
  const explanation = await site.queries.explain({...asked, isMeasured, planForm: isJson ? 'json' : 'text'})
  const parameters = `${isMeasured ? '; measured=true' : ''}${isJson ? '' : '; charset=utf-8'}`
  context.set('Server-Timing', formatServerTiming(explanation.stages))
  context.set('Content-Type', mediaType + parameters)
  context.body = isJson ? `${JSON.stringify(explanationDocument(explanation))}\n` : explanationText(explanation)
}
