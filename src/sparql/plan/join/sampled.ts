/**
 * What samples of the store tell of joins of two triple patterns.
 *
 * Pure. The frequencies of predicates say nothing about values that occur together: how many of the products of a class
 * have a feature. A sample takes triples of one pattern and counts the triples of another one that each leads to
 * (Leis et al., "Cardinality Estimation Done Right: Index-Based Join Sampling", CIDR 2017). A query is planned without
 * waiting for samples. They are taken after a slow run, for its next plan (query/join-samples.ts).
 */
import {firstAfterOwnLiterals, firstBlankNodeId, firstOwnIri, firstOwnLiteral} from '../../../rdf/id-layout.ts'
import type {PatternTerm, TriplePattern} from '../../algebra.ts'
import type {Planner} from '../block.ts'
import type {JoinSamples} from '../frequencies.ts'
import {canBeDerived} from './derived.ts'

/**
 * An end of a triple pattern. Its other end is a constant or any value. Values are taken only from sides with a
 * constant predicate.
 */
export type Side = {
  readonly end: 's' | 'o'
  readonly predicate: string | undefined // id; undefined: any
  readonly other: string | undefined // id of the constant
}

/** In the place of the side that a value is from: the number of all triples of a side with a constant. */
export const anyValue = ''

/** A side by its key, and the number of its triples. It has no key if samples cannot tell anything of it. */
export type SideRows = {
  readonly side: string | undefined
  readonly triples: number
  readonly asked?: string | undefined // the predicate and the constant of its pattern, if it has one: stored or not
}

export const sampledValues = 64 // of a side at most, for each of which the triples of another side are counted
export const leastSampled = 1 / sampledValues // a smaller mean says that no value has any
const mostError = 0.45 // of a sample that counts in place of another one: of 64 values, five have one triple

export function sideKey({end, predicate = '', other = ''}: Side): string {
  return `${end} ${predicate} ${other}`
}

/** The side with a key. */
export function sideOf(key: string): Side {
  const [end, ...ids] = key.split(' ')
  const [predicate, other] = ids.map(id => (id === '' ? undefined : id))
  return {end: end === 's' ? 's' : 'o', predicate, other}
}

/** The key of the side of a pattern at its subject or object; undefined if samples cannot tell anything of it. */
export function sideAt(
  planner: Planner,
  {subject, predicate, object}: TriplePattern,
  end: Side['end'],
): string | undefined {
  const [own, opposite] = end === 's' ? [subject, object] : [object, subject]
  if (own.termType !== 'Variable') return undefined
  if (predicate.termType === 'Variable')
    return opposite.termType === 'Variable' ? sideKey({end, predicate: undefined, other: undefined}) : undefined
  const [id, other] = [storedId(planner, predicate), storedId(planner, opposite)]
  if (id === undefined || (other === undefined && opposite.termType !== 'Variable')) return undefined
  return canBeDerived(planner, id) ? undefined : sideKey({end, predicate: id, other})
}

/** The side of a pattern at its subject or object. @param triples  of the pattern */
export function sideRowsAt(planner: Planner, pattern: TriplePattern, end: Side['end'], triples: number): SideRows {
  return {side: sideAt(planner, pattern, end), triples, asked: askedAt(planner, pattern, end)}
}

/** The predicate and the constant of a pattern; undefined if it has no constant at the other end. */
function askedAt(
  {patternIdsOf}: Planner,
  {subject, predicate, object}: TriplePattern,
  end: Side['end'],
): string | undefined {
  const other = end === 's' ? object : subject
  if (predicate.termType === 'Variable' || other.termType === 'Variable') return undefined
  return `${end} ${patternIdsOf(predicate)[0]} ${patternIdsOf(other)[0]}`
}

/**
 * The mean number of triples of a side for values that come from other sides. Of several, the side with the fewest
 * triples says which values are left; undefined if there is no sample of it.
 */
export function sampledRows(planner: Planner, to: SideRows, origins: readonly SideRows[] = []): number | undefined {
  const {facts, onJoin} = planner
  const {joins} = facts.frequencies
  if (to.side === undefined || ((joins === undefined || joins.means.size === 0) && onJoin === undefined))
    return undefined
  let rarest: SideRows | undefined
  for (const from of origins) {
    if (from.side !== undefined) onJoin?.(to.side, from.side)
    if (rarest === undefined || from.triples < rarest.triples) rarest = from
  }
  return rarest && joins && meanOf(joins, to, rarest)
}

/**
 * A join has as many solutions whichever of its sides is first. The mean is therefore computed from that of the other
 * direction if this is more certain: a few values have most of the triples, or a rare one is missing in the sample.
 */
function meanOf({means}: JoinSamples, to: SideRows, from: SideRows): number | undefined {
  if (to.side === undefined || from.side === undefined) return undefined
  const direct = means.get(to.side)?.get(from.side)
  const reverse = means.get(from.side)?.get(to.side)
  if (direct === undefined || reverse === undefined || Math.min(direct.error, mostError) <= reverse.error)
    return direct?.mean
  return (reverse.mean * to.triples) / from.triples
}

/** The id of a constant; undefined for a variable, for a constant that only this query has, and for several ids. */
function storedId({patternIdsOf}: Planner, term: PatternTerm): string | undefined {
  if (term.termType === 'Variable') return undefined
  const [id, ...others] = patternIdsOf(term)
  return others.length > 0 || isOwn(id) ? undefined : id
}

function isOwn(text: string): boolean {
  const id = BigInt(text)
  return (id >= firstOwnIri && id < firstBlankNodeId) || (id >= firstOwnLiteral && id < firstAfterOwnLiterals)
}
