/**
 * Estimates the number of rows of a triple pattern and the selectivity of tests, from statistics of the store.
 *
 * Pure. Wrong numbers make slow plans, never wrong answers. Predicates without statistics get rules of thumb.
 */
import type {Expression, PatternTerm, TriplePattern} from '../../algebra.ts'
import type {ActiveGraph, Planner} from '../block.ts'
import {type Compared, comparisonOf, rangeOf} from '../expression/range.ts'
import type {Frequencies, PredicateFrequency} from '../frequencies.ts'
import {column, never, number, type Scalar} from '../relation.ts'
import {canBeDerived, containsId} from './derived.ts'
import {rowsByObject, rowsFoundAt} from './object-frequencies.ts'
import {textShare} from './text-share.ts'

/**
 * Facts about the values of a variable before a pattern is joined: the number of distinct values in their source (0:
 * unknown), and the positions of triples that they come from, such as "10 s" for subjects of predicate 10.
 * The estimate assumes that the pattern contains as many of these values as it can.
 */
export type Domain = {
  readonly values: number
  readonly places: readonly string[]
  readonly constants?: readonly string[] | undefined // the ids of all values, if the query lists them
}
export type Bound = ReadonlyMap<string, Domain>

export const anyDomain: Domain = {values: 0, places: []}

/** Bound variables without any facts about their values. */
export function boundTo(names: Iterable<string>): Bound {
  return new Map(Array.from(names, name => [name, anyDomain]))
}

export type Estimate = {
  readonly rows: number
  readonly most?: number // rows if values occur together as often as they can; undefined: the same
  readonly cost: number
  readonly untested?: number // rows before EXISTS is tested, if it is
}

export const probeCost = 15 // in bench:plans, 5 and 50 have twice the worst regret of 12 to 25

/** The cost of one lookup of a pattern. Derived triples are looked up in two tables. */
export function lookupCost(planner: Planner, {predicate}: TriplePattern): number {
  const isDerived = predicate.termType !== 'Variable' && canBeDerived(planner, planner.patternIdsOf(predicate)[0])
  return isDerived ? 2 * probeCost : probeCost
}

const uncounted: PredicateFrequency = {triples: 1000, subjects: 500, objects: 100, quantiles: []}
const triplesOfDocument = 15
const childrenOfDocument = 5 // average over the documents that have children
const leastShare = 0.002 // minimum share of solutions that remain if subject and object are bound
const loopShare = 0.5 // share of a predicate's triples that close a cycle, if a query asks for cycles

/** Facts about a pattern, kept because the search for an order needs them many times. */
type PatternFacts = {
  readonly frequency: PredicateFrequency
  readonly places: {readonly s: string; readonly o: string} // positions in triples; membership shares containment's
  readonly ofConstant: number | undefined // rows with its constant object
  readonly ofContainer: number | undefined // children of its constant subject, if that is one of the largest containers
  readonly ofObject: (id: string) => number // rows with an object
  readonly ofPlaces: (places: readonly string[]) => number // least number of rows with an object found at these
  readonly isLoop: boolean // whether subject and object are the same variable
}

const facts = new WeakMap<Planner, Map<TriplePattern, PatternFacts>>()

function factsOf(planner: Planner, pattern: TriplePattern): PatternFacts {
  const ofPlanner = facts.get(planner) ?? new Map<TriplePattern, PatternFacts>()
  const known = ofPlanner.get(pattern)
  if (known !== undefined) return known
  const {subject, predicate, object} = pattern
  const frequency = frequencyOf(planner, pattern)
  const id = predicate.termType === 'Variable' ? '' : planner.patternIdsOf(predicate)[0]
  const place = canBeDerived(planner, id) ? containsId : id
  const ofObject = rowsByObject(planner, pattern, frequency)
  const found: PatternFacts = {
    frequency,
    places: {s: `${place} s`, o: `${place} o`},
    ofConstant: object.termType === 'Variable' ? undefined : ofObject(planner.patternIdsOf(object)[0]),
    ofContainer:
      subject.termType === 'Variable' || place !== containsId
        ? undefined
        : planner.facts.frequencies.children?.get(planner.patternIdsOf(subject)[0]),
    ofObject,
    ofPlaces: predicate.termType === 'Variable' ? places => rowsFoundAt(planner, places) : () => 0,
    isLoop: subject.termType === 'Variable' && object.termType === 'Variable' && subject.value === object.value,
  }
  facts.set(planner, ofPlanner.set(pattern, found))
  return found
}

/** @returns  rows for each solution that binds `bound`; all rows if it binds no variable of the pattern */
export function tripleRows(planner: Planner, pattern: TriplePattern, bound: Bound, graph: ActiveGraph): Rows {
  const {rows, most} = rowsInAll(pattern, factsOf(planner, pattern), bound)
  const isInOne = graph.kind === 'named' || (graph.kind === 'each' && bound.has(graph.variable))
  const limit = isInOne ? triplesOfGraph(planner, graph) : Number.POSITIVE_INFINITY
  return {rows: Math.min(rows, limit), most: Math.min(most, limit)}
}

/** An expected number of rows, and the number if values occur together as often as they can. */
type Rows = {readonly rows: number; readonly most: number}

function rowsInAll(pattern: TriplePattern, known: PatternFacts, bound: Bound): Rows {
  const {triples, subjects, ofSameSubject = 0, ofSameObject = 0} = known.frequency
  const {subject, object} = pattern
  const exactly = (rows: number): Rows => ({rows, most: rows})
  if (known.isLoop) {
    const most = isBound(pattern.subject, bound) ? triples / subjects : triples
    return {rows: most * loopShare, most}
  }
  const ofSubject = rowsOfSubject(pattern, known, bound)
  const ofObject = rowsOfObject(pattern, known, bound)
  // A few values may have most of the triples, unless the values are known.
  const upTo = (rows: number, term: PatternTerm, most: number) => {
    const isKnown = term.termType !== 'Variable' || bound.get(term.value)?.constants !== undefined
    return isKnown ? exactly(rows) : {rows, most: Math.max(rows, most)}
  }
  if (ofSubject === undefined) return ofObject === undefined ? exactly(triples) : upTo(ofObject, object, ofSameObject)
  if (ofObject === undefined) return upTo(ofSubject, subject, ofSameSubject)
  if (known.ofContainer !== undefined)
    return exactly(shareOfContainer(pattern, known.frequency, bound, known.ofContainer))
  const {rows, most} = shareOfBoth(pattern, subjects, bound, ofObject)
  return isFoundThere(pattern, known, bound) ? {rows: Math.max(loopShare, rows), most: 1} : {rows, most}
}

/** Whether subject and object both come from triples of this predicate, or of containment for a membership. */
function isFoundThere({subject, object}: TriplePattern, {places}: PatternFacts, bound: Bound): boolean {
  const isAt = (term: PatternTerm, place: string) =>
    term.termType === 'Variable' && bound.get(term.value)?.places.includes(place) === true
  return isAt(subject, places.s) && isAt(object, places.o)
}

/**
 * The share of subjects that have a given object, if both are bound. Values usually correlate, for example properties
 * with the class of a subject. The result is therefore the geometric mean of two shares: `alone` assumes that values
 * are independent, `along` that the subjects left so far are those that can have the object.
 */
function shareOfBoth({subject}: TriplePattern, subjects: number, bound: Bound, ofObject: number): Rows {
  const left = bound.get(subject.value)?.values ?? 0
  const alone = ofObject / Math.max(subjects, left)
  const along = ofObject / Math.max(left === 0 ? subjects : left, ofObject)
  const rows = Math.min(1, Math.max(leastShare, Math.sqrt(alone * along)))
  return {rows, most: Math.max(rows, Math.min(1, along))}
}

/** The share of documents that are children of a container with a known number of them; see shareOfBoth. */
function shareOfContainer(
  {object}: TriplePattern,
  {objects}: PredicateFrequency,
  bound: Bound,
  children: number,
): number {
  if (object.termType !== 'Variable') return Math.min(1, children / objects)
  const left = bound.get(object.value)?.values ?? 0
  const alone = children / Math.max(objects, left)
  const along = children / Math.max(left === 0 ? objects : left, children)
  return Math.min(1, Math.max(leastShare, Math.sqrt(alone * along)))
}

/**
 * The share of the values of a bound subject that occur in a pattern with a variable object. Undefined if nothing is
 * known about the values, and for other patterns.
 */
export function shareOfSubjects(planner: Planner, pattern: TriplePattern, bound: Bound): number | undefined {
  const {subject, predicate, object} = pattern
  const values = bound.get(subject.value)?.values ?? 0
  const isPlain = subject.termType === 'Variable' && predicate.termType !== 'Variable'
  if (!isPlain || object.termType !== 'Variable' || bound.has(object.value) || values === 0) return undefined
  const {subjects} = frequencyOf(planner, pattern)
  return subjects / Math.max(subjects, values)
}

/** Rows of one subject; undefined if the subject is an unbound variable. */
function rowsOfSubject({subject}: TriplePattern, known: PatternFacts, bound: Bound): number | undefined {
  const {triples, subjects, ofSameSubject} = known.frequency
  if (subject.termType !== 'Variable') return known.ofContainer ?? triples / subjects
  const domain = bound.get(subject.value)
  if (domain === undefined) return undefined
  if (ofSameSubject !== undefined && domain.places.includes(known.places.s)) return ofSameSubject
  return triples / Math.max(subjects, domain.values)
}

/** Rows of one object; undefined if the object is an unbound variable. */
function rowsOfObject({object}: TriplePattern, known: PatternFacts, bound: Bound): number | undefined {
  const {triples, objects, ofSameObject} = known.frequency
  if (object.termType !== 'Variable') return known.ofConstant
  const domain = bound.get(object.value)
  if (domain === undefined) return undefined
  if (domain.constants !== undefined) return mean(domain.constants.map(known.ofObject))
  if (ofSameObject !== undefined && domain.places.includes(known.places.o)) return ofSameObject
  return Math.max(triples / Math.max(objects, domain.values), known.ofPlaces(domain.places))
}

/** Adds the variables of a pattern to `bound`, with the facts about their values in its solutions. */
export function bindPattern(planner: Planner, pattern: TriplePattern, bound: Map<string, Domain>): void {
  const {subject, predicate, object} = pattern
  const {frequency, places, ofConstant} = factsOf(planner, pattern)
  const {subjects, objects} = frequency
  const narrow = (term: PatternTerm, place: string, values: number): void => {
    if (term.termType !== 'Variable') return
    const known = bound.get(term.value)
    const isUnknown = known === undefined || known.values === 0
    bound.set(term.value, {
      values: isUnknown ? values : Math.min(values, known.values),
      places: known === undefined ? [place] : [...known.places, place],
      constants: known?.constants,
    })
  }
  narrow(subject, places.s, ofConstant === undefined ? subjects : Math.min(subjects, ofConstant))
  narrow(object, places.o, objects)
  if (predicate.termType === 'Variable' && !bound.has(predicate.value)) bound.set(predicate.value, anyDomain)
}

/** Triples of one graph. For a graph that is not known yet, the average size of the graph of a random triple. */
function triplesOfGraph({facts: {frequencies}}: Planner, graph: ActiveGraph): number {
  const {triples, graphs = new Map<string, number>()} = frequencies
  if (graph.kind === 'named' && graph.scalar.kind === 'number')
    return graphs.get(graph.scalar.value) ?? triplesOfDocument
  const squares = [...graphs.values()].reduce((sum, quads) => sum + quads * quads, 0)
  return Math.max(triplesOfDocument, squares / Math.max(triples, 1))
}

/** The number of graphs: the counted large ones, and documents of average size for the remaining triples. */
export function graphsIn({facts: {frequencies}}: Planner): number {
  const {triples, graphs = new Map<string, number>()} = frequencies
  const inLarge = [...graphs.values()].reduce((sum, quads) => sum + quads, 0)
  return graphs.size + Math.max(1, triples - inLarge) / triplesOfDocument
}

/** The number of distinct values of a variable in a pattern; undefined if it is neither subject nor object. */
export function differentValues(planner: Planner, pattern: TriplePattern, name: string): number | undefined {
  const {subjects, objects} = frequencyOf(planner, pattern)
  if (pattern.subject.termType === 'Variable' && pattern.subject.value === name) return subjects
  return pattern.object.termType === 'Variable' && pattern.object.value === name ? objects : undefined
}

function frequencyOf(planner: Planner, {predicate}: TriplePattern): PredicateFrequency {
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

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length)
}

export function isBound(term: PatternTerm, bound: Bound): boolean {
  return term.termType !== 'Variable' || bound.has(term.value)
}

/**
 * Whether a test is a comparison of a pattern's object that becomes a range of ids, which an index scan can use. The
 * objects of a variable predicate are of all kinds, so some of them are looked up in the dictionary.
 */
export function isRange({predicate, object}: TriplePattern, test: Expression): boolean {
  if (predicate.termType === 'Variable') return false
  const compared = comparisonOf(test)
  return object.termType === 'Variable' && compared?.name === object.value && rangeOfIds(compared) !== undefined
}

/** The condition on a pattern's object as ranges of ids; undefined if only a function can decide it. */
function rangeOfIds(compared: Compared): Scalar | undefined {
  return rangeOf(column('', 'o'), compared, number(0), {generic: never, hasOwn: false})
}

const unknownShare = 0.3

/** The share of a pattern's rows for which a test of its object is true, from the quantiles of the objects. */
export function shareOf(planner: Planner, pattern: TriplePattern, test: Expression): number {
  const {object} = pattern
  const compared = comparisonOf(test)
  if (object.termType !== 'Variable') return unknownShare
  if (compared === undefined || compared.name !== object.value)
    return textShare(planner, test, object.value) ?? unknownShare
  const {quantiles, objects} = frequencyOf(planner, pattern)
  const known = sharesOf(planner).get(test)
  if (known !== undefined) return known
  if (compared.comparison === '=' && !compared.isYear) return 1 / objects
  const range = rangeOfIds(compared)
  if (range === undefined || quantiles.length === 0) return unknownShare
  const found = quantiles.filter(value => holds(range, value)).length
  const share = Math.max(found, 0.5) / quantiles.length
  sharesOf(planner).set(test, share)
  return share
}

const shares = new WeakMap<Planner, WeakMap<Expression, number>>()

/** The shares found so far for one query. The key is the test alone: a test usually applies to one pattern. */
function sharesOf(planner: Planner): WeakMap<Expression, number> {
  const known = shares.get(planner) ?? new WeakMap<Expression, number>()
  shares.set(planner, known)
  return known
}

/** Whether a condition from `expression/range.ts` is true for an id. Conditions that call functions count as false. */
function holds(condition: Scalar, id: bigint): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.conditions.every(one => holds(one, id))
    case 'any':
      return condition.conditions.some(one => holds(one, id))
    case 'case':
      return condition.otherwise !== undefined && holds(condition.otherwise, id)
    case 'operator': {
      const bound = condition.right.kind === 'number' ? BigInt(condition.right.value) : 0n
      return condition.operator === '>=' ? id >= bound : condition.operator === '<=' ? id <= bound : id === bound
    }
    default:
      return false
  }
}
