/**
 * The numbers of triples with an object, from the statistics of the store.
 *
 * Pure. The statistics have numbers of common objects only. Objects that are not common are estimated by their mean.
 */
import type {TriplePattern} from '../../algebra.ts'
import type {Planner} from '../block.ts'
import type {Frequencies, PredicateFrequency} from '../frequencies.ts'

/** The number of rows with an object: from the statistics if it is common, otherwise the mean of the other objects. */
export function rowsByObject(
  {facts: {frequencies}, patternIdsOf}: Planner,
  {predicate}: TriplePattern,
  frequency: PredicateFrequency,
): (id: string) => number {
  if (predicate.termType === 'Variable') return id => commonObjects(frequencies).get(id) ?? 20
  const [of] = patternIdsOf(predicate)
  const others = rowsOfRareObject(frequencies, of, frequency)
  return id => frequencies.values.get(`${of} ${id}`) ?? others
}

/** The share of the triples at a place that have one of these objects; undefined for a place of subjects. */
export function shareOfObjects({facts}: Planner, place: string, ids: readonly string[]): number | undefined {
  const [predicate = '', end] = place.split(' ')
  const frequency = facts.frequencies.predicates.get(predicate)
  if (end !== 'o' || frequency === undefined) return undefined
  const others = rowsOfRareObject(facts.frequencies, predicate, frequency)
  const rows = ids.map(id => facts.frequencies.values.get(`${predicate} ${id}`) ?? others)
  return rows.reduce((sum, one) => sum + one, 0) / Math.max(1, frequency.triples)
}

/** Rows of an object, with any predicate: at least those that it has with the predicates whose objects it is among. */
export function rowsFoundAt({facts: {frequencies}}: Planner, places: readonly string[]): number {
  const rows = places.map(place => {
    const [predicate = '', end] = place.split(' ')
    return end === 'o' ? (frequencies.predicates.get(predicate)?.ofSameObject ?? 0) : 0
  })
  return Math.max(0, ...rows)
}

/** Rows of an object that was found with any predicate: often it was found with this one, as a frequent object. */
export function rowsFoundAnywhere({facts}: Planner, {triples, ofSameObject = 0}: PredicateFrequency): number {
  return (triples / Math.max(1, facts.frequencies.triples)) * ofSameObject
}

/** Rows of an object of which the statistics have no number: the mean over the objects that are not common. */
function rowsOfRareObject(frequencies: Frequencies, predicate: string, {triples, objects}: PredicateFrequency): number {
  const {rows, count} = commonOf(frequencies).get(predicate) ?? {rows: 0, count: 0}
  if (objects <= count) return 1
  return Math.max(1, triples - rows) / (objects - count)
}

const commonByPredicate = new WeakMap<Frequencies, ReadonlyMap<string, {rows: number; count: number}>>()

/** For each predicate, the number of its common objects and of their rows. */
function commonOf(frequencies: Frequencies): ReadonlyMap<string, {readonly rows: number; readonly count: number}> {
  const known = commonByPredicate.get(frequencies)
  if (known !== undefined) return known
  const totals = new Map<string, {rows: number; count: number}>()
  for (const [key, rows] of frequencies.values) {
    const predicate = key.slice(0, key.indexOf(' '))
    const total = totals.get(predicate) ?? {rows: 0, count: 0}
    totals.set(predicate, {rows: total.rows + rows, count: total.count + 1})
  }
  commonByPredicate.set(frequencies, totals)
  return totals
}

const common = new WeakMap<Frequencies, ReadonlyMap<string, number>>()

/** Rows of each common object, summed over all predicates. */
function commonObjects(frequencies: Frequencies): ReadonlyMap<string, number> {
  const known = common.get(frequencies)
  if (known !== undefined) return known
  const totals = new Map<string, number>()
  for (const [key, rows] of frequencies.values) {
    const object = key.slice(key.indexOf(' ') + 1)
    totals.set(object, (totals.get(object) ?? 0) + rows)
  }
  common.set(frequencies, totals)
  return totals
}
