/**
 * The parameters of `/changes`: from which position, and which changes.
 *
 * Source: docs/changes.md, Reading changes.
 */
import type {Context} from 'koa'
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {type ChangeAction, type ChangesAsked, changeActions} from '../../db/store/changes.ts'
import type {Iri} from '../../rdf/term.ts'
import {headerOf} from '../exchange.ts'

export type ChangesRequest = {
  readonly after: string | 'first' | 'last' | undefined // a position, the oldest or the newest; undefined: not given
  readonly listing: ListingPlace | undefined // a page of the present documents, instead of changes
  readonly waitMs: number
  readonly asked: Omit<ChangesAsked, 'after'>
}

/** Where a list of the present documents goes on. */
export type ListingPlace = {
  readonly position: string | undefined // the last one when the list began; undefined: it begins
  readonly walked: readonly string[] // see readPresent
}

const names = ['after', 'wait', 'limit', 'under', 'action', 'triples']
const [waitMax, limitMax, limitInitial] = [60, 1000, 100] // seconds, changes

/** @throws  Problem 400 `changes-parameter` */
export function readChangesRequest(context: Context, base: Iri): ChangesRequest {
  const parameters = new URLSearchParams(context.querystring)
  for (const name of parameters.keys()) if (!names.includes(name)) throw refused(name, `expected ${names.join(', ')}`)
  const one = (name: string) => {
    const values = parameters.getAll(name)
    if (values.length > 1) throw refused(name, 'it may be given once')
    return values[0]
  }
  const triples = one('triples') ?? 'none'
  if (triples !== 'none' && triples !== 'patch')
    throw refused('triples', `expected patch or none, not ${quote(triples)}`)
  const after = one('after') ?? headerOf(context, 'last-event-id')
  const listing = readListing(after)
  return {
    after: listing === undefined ? readAfter(after) : undefined,
    listing,
    waitMs: 1000 * readNumber('wait', one('wait') ?? '0', waitMax),
    asked: {
      limit: Math.max(1, readNumber('limit', one('limit') ?? String(limitInitial), limitMax)),
      under: readUnder(one('under'), base),
      actions: readActions(parameters.getAll('action')),
      hasTriples: triples === 'patch',
    },
  }
}

/**
 * Reads which page of the event stream a request asks for.
 *
 * @returns  its number; undefined: the root node
 * @throws   Problem 400 `changes-parameter`
 */
export function readStreamPage({querystring}: Context): number | undefined {
  const parameters = new URLSearchParams(querystring)
  for (const name of parameters.keys())
    if (name !== 'page') throw refused(name, 'pages of the event stream in RDF have only the parameter page')
  const [text, ...others] = parameters.getAll('page')
  if (text === undefined) return undefined
  if (others.length === 0 && /^(0|[1-9]\d{0,14})$/.test(text)) return Number(text)
  throw refused('page', `expected one whole number, not ${quote(text)}`)
}

function readAfter(text: string | undefined): ChangesRequest['after'] {
  if (text === undefined || text === '') return undefined
  if (text === 'first' || text === 'last' || /^\d{1,18}$/.test(text)) return text
  throw refused('after', `expected a position, first, last or documents, not ${quote(text)}`)
}

/** `documents`, or `documents.<position>.<id>.<id>…` */
function readListing(text: string | undefined): ListingPlace | undefined {
  if (text === undefined || !/^documents(?:\.\d{1,18}){0,200}$/.test(text)) return undefined
  const [, position, ...walked] = text.split('.')
  return {position, walked}
}

/** The value of `after` that `readListing` reads. */
export function showListing({position, walked}: ListingPlace): string {
  return ['documents', position, ...walked].join('.')
}

function readNumber(name: string, text: string, most: number): number {
  const value = Number(text)
  if (/^\d{1,9}$/.test(text) && value <= most) return value
  throw refused(name, `expected a whole number up to ${most}, not ${quote(text)}`)
}

function readUnder(text: string | undefined, base: Iri): Iri | undefined {
  if (text === undefined) return undefined
  const iri = URL.canParse(text, base) ? new URL(text, base).href : ''
  if (iri.startsWith(base) && iri.endsWith('/')) return iri
  throw refused('under', `expected a document below <${base}>, not ${quote(text)}`)
}

function readActions(texts: readonly string[]): readonly ChangeAction[] | undefined {
  const asked = texts.flatMap(text => text.split(','))
  if (asked.length === 0) return undefined
  return asked.map(text => {
    const action = changeActions.find(known => known === text)
    if (action === undefined) throw refused('action', `expected ${changeActions.join(', ')}, not ${quote(text)}`)
    return action
  })
}

function quote(text: string): string {
  return `"${excerpt(text)}"`
}

function refused(name: string, reason: string): Problem {
  return new Problem(400, 'changes-parameter', `The parameter ${excerpt(name)} cannot be used: ${reason}.`)
}
