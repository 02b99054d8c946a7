/**
 * How often a predicate occurs: from the statistics, or by rules of thumb for predicates that these do not have.
 *
 * Pure.
 */
import type {TriplePattern} from '../../algebra.ts'
import type {Planner} from '../block.ts'
import type {Frequencies, PredicateFrequency} from '../frequencies.ts'
import {canBeDerived, containsId} from './derived.ts'

const uncounted: PredicateFrequency = {triples: 1000, subjects: 500, objects: 100, quantiles: []}
export const triplesOfDocument = 15
const childrenOfDocument = 5 // average over the documents that have children

export function frequencyOf(planner: Planner, {predicate}: Pick<TriplePattern, 'predicate'>): PredicateFrequency {
  const {triples, predicates} = planner.facts.frequencies
  const all = Math.max(triples, uncounted.triples)
  const documents = all / triplesOfDocument
  if (predicate.termType === 'Variable')
    return {triples: all, subjects: Math.max(documents, mostSubjects(planner)), objects: all / 3, quantiles: []}
  const id = planner.patternIdsOf(predicate)[0]
  const counted = predicates.get(id)
  if (canBeDerived(planner, id)) return withDerived(planner, counted)
  return counted ?? (triples > 10_000 ? {triples: 100, subjects: 50, objects: 20, quantiles: []} : uncounted)
}

const subjectsKnown = new WeakMap<Frequencies, number>()

/** The number of subjects of the predicate that has the most. */
function mostSubjects({facts: {frequencies}}: Planner): number {
  const known = subjectsKnown.get(frequencies)
  if (known !== undefined) return known
  const most = [...frequencies.predicates.values()].reduce((most, {subjects}) => Math.max(most, subjects), 0)
  subjectsKnown.set(frequencies, most)
  return most
}

/** Frequencies of a predicate whose triples are stored as well as derived from containment. */
function withDerived({facts: {frequencies}}: Planner, stored: PredicateFrequency | undefined): PredicateFrequency {
  const documents = Math.max(frequencies.triples, uncounted.triples) / triplesOfDocument
  const guessed = {triples: documents, subjects: documents / childrenOfDocument, objects: documents, quantiles: []}
  const derived = frequencies.predicates.get(containsId) ?? guessed
  if (stored === undefined || stored === derived) return derived
  return {
    ...derived,
    triples: derived.triples + stored.triples,
    subjects: derived.subjects + stored.subjects,
    objects: derived.objects + stored.objects,
  }
}
