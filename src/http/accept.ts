/**
 * Content negotiation: an Accept header and the available formats to the one to answer with.
 *
 * Pure. Knows no media type by name: the caller passes the offers (format/registry.ts).
 * Source: RFC 9110 §12.5.1 (Accept), §12.4.2 (weights).
 */
import {readParameter, splitList, splitOutsideQuotes} from './field.ts'
import {isEssence} from './media-type.ts'
import {memoize} from './memo.ts'

/** An available format: its canonical media type first, then its aliases, all in lower case. */
export type Offer = {readonly mediaTypes: readonly string[]}

export type Negotiated<Choice extends Offer> = {
  readonly offer: Choice
  readonly mediaType: string // the alias if the client asked for it by name, otherwise the canonical type
}

/** Media range, in lower case → weight, 0 to 1. */
type Weights = ReadonlyMap<string, number>

type Candidate<Choice extends Offer> = Negotiated<Choice> & {readonly weight: number; readonly specificity: number}

const weightSyntax = /^(?:0(?:\.\d{0,3})?|\.\d{1,3}|1(?:\.0{0,3})?)$/

/**
 * Chooses the best offer: the highest weight first, then a type matched by name before one matched by a wildcard, then
 * the order of the offers.
 *
 * Each media type has the weight of the most specific range that matches it; weight 0 excludes it. Aliases match by
 * name only. Parameters other than the weight (`profile=…`) never prevent a match. If a range occurs with and without
 * parameters, the one without counts. Malformed ranges are ignored.
 *
 * @param accept  the field value; several fields joined by commas. Absent or empty: everything is acceptable.
 * @returns       undefined if nothing matches, also if all ranges are malformed
 */
export function negotiate<Choice extends Offer>(
  accept: string | undefined,
  offers: readonly Choice[],
): Negotiated<Choice> | undefined {
  const weights = readAccept(accept ?? '')
  let best: Candidate<Choice> | undefined
  for (const offer of offers) {
    const candidate = bestName(offer, weights)
    if (candidate !== undefined && (best === undefined || isBetter(candidate, best))) best = candidate
  }
  return best === undefined ? undefined : {offer: best.offer, mediaType: best.mediaType}
}

/**
 * Reads a parameter of a media range that names a type, such as `level` of `text/html; level=1; q=0.5`.
 *
 * @param mediaType  in lower case
 * @returns          the value without quotes, of the first such parameter; undefined if there is none
 */
export function readRangeParameter(accept: string, mediaType: string, name: string): string | undefined {
  for (const member of splitList(accept)) {
    const [range = '', ...rest] = splitOutsideQuotes(member, ';')
    if (range.toLowerCase() !== mediaType) continue
    const found = rest.map(readParameter).find(parameter => parameter?.name === name)
    if (found !== undefined) return found.value
  }
  return undefined
}

function bestName<Choice extends Offer>(offer: Choice, weights: Weights): Candidate<Choice> | undefined {
  let best: Candidate<Choice> | undefined
  for (const [index, mediaType] of offer.mediaTypes.entries()) {
    const [weight, specificity] = match(mediaType, weights, index === 0)
    const candidate = {offer, mediaType, weight, specificity}
    if (weight > 0 && (best === undefined || isBetter(candidate, best))) best = candidate
  }
  return best
}

function isBetter(left: Candidate<Offer>, right: Candidate<Offer>): boolean {
  return left.weight > right.weight || (left.weight === right.weight && left.specificity > right.specificity)
}

/** The weight of a media type by the most specific range that matches it, and how specific that range is (0 to 2). */
function match(mediaType: string, weights: Weights, isCanonical: boolean): readonly [number, number] {
  const named = weights.get(mediaType)
  if (named !== undefined) return [named, 2]
  if (!isCanonical) return [0, 2]
  const typed = weights.get(`${mediaType.slice(0, mediaType.indexOf('/'))}/*`)
  return typed === undefined ? [weights.get('*/*') ?? 0, 0] : [typed, 1]
}

const everything: Weights = new Map([['*/*', 1]])

const readAccept: (value: string) => Weights = memoize(value => {
  const members = splitList(value)
  if (members.length === 0) return everything
  const plain = new Map<string, number>()
  const parametrised = new Map<string, number>()
  for (const range of members.flatMap(readRange)) {
    const weights = range.isPlain ? plain : parametrised
    weights.set(range.name, Math.max(range.weight, weights.get(range.name) ?? 0))
  }
  return new Map([...parametrised, ...plain])
})

type Range = {readonly name: string; readonly weight: number; readonly isPlain: boolean}

/** Reads one media range; empty if it is malformed. Old Java clients write a lone `*` for all types. */
function readRange(member: string): readonly Range[] {
  const [range = '', ...rest] = splitOutsideQuotes(member, ';')
  const name = range === '*' ? '*/*' : range.toLowerCase()
  if (!isEssence(name) || (name.startsWith('*/') && name !== '*/*')) return []
  const parameters = rest.map(readParameter).filter(parameter => parameter !== undefined)
  const weight = parameters.find(parameter => parameter.name === 'q')?.value ?? '1'
  if (!weightSyntax.test(weight)) return []
  return [{name, weight: Number(weight), isPlain: parameters[0] === undefined || parameters[0].name === 'q'}]
}
