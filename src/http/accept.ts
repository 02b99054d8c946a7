/**
 * An Accept header and what we can write, to the one type to answer with.
 *
 * Floor 2. Pure. Knows no media type by name: the offers come from format/registry.ts.
 * Source: RFC 9110 §12.5.1 (Accept), §12.4.2 (weights).
 */
import {readParameter, splitList, splitOutsideQuotes} from './field.ts'
import {isEssence} from './media-type.ts'
import {memoize} from './memo.ts'

/** A format as a choice: its canonical media type first, then its aliases, all in lower case. */
export type Offer = {readonly mediaTypes: readonly string[]}

export type Negotiated<Choice extends Offer> = {
  readonly offer: Choice
  readonly mediaType: string // the alias when the client asked for it by name, else the canonical type
}

/** The media ranges of a field, in lower case, with their weights: 0 to 1. */
type Weights = ReadonlyMap<string, number>

type Candidate<Choice extends Offer> = Negotiated<Choice> & {readonly weight: number; readonly specificity: number}

const weightSyntax = /^(?:0(?:\.\d{0,3})?|\.\d{1,3}|1(?:\.0{0,3})?)$/

/**
 * Chooses among the offers: by weight, then a type asked for by name before one matched by a wildcard, then by the
 * order of the offers.
 *
 * Each name takes the weight of the most specific range that matches it, and weight 0 excludes it. Aliases are only
 * matched by name. Parameters other than the weight (`profile=…`) never prevent a match; when the same range is there
 * without parameters, that one counts. Malformed ranges are ignored.
 *
 * @param accept  the field value; several fields joined by commas. Absent or empty: everything is acceptable.
 * @returns       undefined when nothing matches, which includes a field of malformed ranges only
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
 * A parameter of a media range that names a type, such as `level` of `text/html; level=1; q=0.5`.
 *
 * @param mediaType  in lower case
 * @returns          the first one's value, without quotes; undefined when there is none
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

/** The weight that the most specific matching range gives to a type, and how specific that range is (0 to 2). */
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

/** One media range, or nothing when it is malformed. A lone `*` is what old Java clients write for all types. */
function readRange(member: string): readonly Range[] {
  const [range = '', ...rest] = splitOutsideQuotes(member, ';')
  const name = range === '*' ? '*/*' : range.toLowerCase()
  if (!isEssence(name) || (name.startsWith('*/') && name !== '*/*')) return []
  const parameters = rest.map(readParameter).filter(parameter => parameter !== undefined)
  const weight = parameters.find(parameter => parameter.name === 'q')?.value ?? '1'
  if (!weightSyntax.test(weight)) return []
  return [{name, weight: Number(weight), isPlain: parameters[0] === undefined || parameters[0].name === 'q'}]
}
