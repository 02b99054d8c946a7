/**
 * Estimates the number of rows of a triple pattern, from statistics of the store.
 *
 * Pure. Wrong numbers make slow plans, never wrong answers. Predicates without statistics get rules of thumb.
 */
import type {PatternTerm, TriplePattern, Variable} from '../../algebra.ts'
import type {ActiveGraph, Planner} from '../block.ts'
import type {PredicateFrequency} from '../frequencies.ts'
import {canBeDerived, containsId} from './derived.ts'
import {triplesOfGraph} from './graph-size.ts'
import {rowsByObject, rowsFoundAnywhere, rowsFoundAt} from './object-frequencies.ts'
import {frequencyOf} from './predicate-frequency.ts'
import {anyValue, leastSampled, type SideRows, sampledRows, sideAt, sideRowsAt} from './sampled.ts'

/**
 * Facts about the values of a variable before a pattern is joined: the number of distinct values in their source (0:
 * unknown), and the positions of triples that they come from, such as "10 s" for subjects of predicate 10.
 * The estimate assumes that the pattern contains as many of these values as it can.
 */
export type Domain = {
  readonly values: number
  readonly places: readonly string[]
  readonly constants?: readonly string[] | undefined // the ids of all values, if the query lists them
  readonly sides?: readonly SideRows[] | undefined // of the patterns that they come from (sampled.ts)
  readonly beside?: ReadonlyMap<string, number> | undefined // variables that one pattern connects with it: its pairs
}
export type Bound = ReadonlyMap<string, Domain>

export const anyDomain: Domain = {values: 0, places: []}

/** Whether the first pattern that has a variable has it as its subject. */
export function areSubjects(domain: Domain | undefined): boolean {
  return domain?.places[0]?.endsWith(' s') === true
}

/** Bound variables without any facts about their values. */
export function boundTo(names: Iterable<string>): Bound {
  return new Map(Array.from(names, name => [name, anyDomain]))
}

export type Estimate = {
  readonly rows: number
  readonly most?: number // rows if values occur together as often as they can; undefined: the same
  readonly cost: number
  readonly untested?: number // rows before EXISTS is tested, if it is
  readonly share?: number // of the rows for which the other tests are true, if a run has told it
  readonly domains?: Bound | undefined // of the variables of solutions, where something is known about their values
}

export const probeCost = 15 // in bench:plans, 5 and 50 have twice the worst regret of 12 to 25

/** The cost of one lookup of a pattern. Derived triples are looked up in two tables. */
export function lookupCost(planner: Planner, {predicate}: TriplePattern): number {
  const isDerived = predicate.termType !== 'Variable' && canBeDerived(planner, planner.patternIdsOf(predicate)[0])
  return isDerived ? 2 * probeCost : probeCost
}

const anyPredicate = '' // in the place of an id
const leastShare = 0.002 // minimum share of solutions that remain if subject and object are bound
const loopShare = 0.5 // share of a predicate's triples that close a cycle, if a query asks for cycles

/** Facts about a pattern, kept because the search for an order needs them many times. */
type PatternFacts = {
  readonly frequency: PredicateFrequency
  readonly places: {readonly s: string; readonly o: string} // positions in triples; membership shares containment's
  readonly sides: {readonly s: SideRows; readonly o: SideRows}
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
  const id = predicate.termType === 'Variable' ? anyPredicate : planner.patternIdsOf(predicate)[0]
  const place = canBeDerived(planner, id) ? containsId : id
  const ofObject = rowsByObject(planner, pattern, frequency)
  const ofConstant = rowsOfConstant(planner, pattern, {id, ofObject})
  const ofSubject = isVariable(subject) ? frequency.triples : frequency.triples / frequency.subjects
  const found: PatternFacts = {
    frequency,
    places: {s: `${place} s`, o: `${place} o`},
    sides: {
      s: sideRowsAt(planner, pattern, 's', ofConstant ?? frequency.triples),
      o: sideRowsAt(planner, pattern, 'o', ofSubject),
    },
    ofConstant,
    ofContainer:
      subject.termType === 'Variable' || place !== containsId
        ? undefined
        : planner.facts.frequencies.children?.get(planner.patternIdsOf(subject)[0]),
    ofObject,
    ofPlaces:
      predicate.termType === 'Variable'
        ? places => rowsFoundAt(planner, places)
        : places => (places.includes(`${anyPredicate} o`) ? rowsFoundAnywhere(planner, frequency) : 0),
    isLoop: subject.termType === 'Variable' && object.termType === 'Variable' && subject.value === object.value,
  }
  facts.set(planner, ofPlanner.set(pattern, found))
  return found
}

/** The rows of a constant object: from the statistics if it is common, otherwise counted, or the mean of the others. */
function rowsOfConstant(
  planner: Planner,
  pattern: TriplePattern,
  {id, ofObject}: {readonly id: string} & Pick<PatternFacts, 'ofObject'>,
): number | undefined {
  if (isVariable(pattern.object)) return undefined
  const [of] = planner.patternIdsOf(pattern.object)
  const isCommon = planner.facts.frequencies.values.has(`${id} ${of}`)
  const side = isCommon ? undefined : sideAt(planner, pattern, 's')
  return sampledRows(planner, {side, triples: 0}, [{side: anyValue, triples: 0}]) ?? ofObject(of)
}

/** @returns  rows for each solution that binds `bound`; all rows if it binds no variable of the pattern */
export function tripleRows(planner: Planner, pattern: TriplePattern, bound: Bound, graph: ActiveGraph): Rows {
  const known = factsOf(planner, pattern)
  const estimated = ofPredicates(planner, pattern, bound, rowsInAll(pattern, known, bound))
  const {rows, most} = graph.kind === 'default' ? bySample(planner, pattern, bound, {known, estimated}) : estimated
  const isInOne = graph.kind === 'named' || (graph.kind === 'each' && bound.has(graph.variable))
  const limit = isInOne ? triplesOfGraph(planner, graph) : Number.POSITIVE_INFINITY
  return {rows: Math.min(rows, limit), most: Math.min(most, limit)}
}

/**
 * The rows of a pattern for one value of its predicate, if that is a bound variable. The values usually belong to the
 * subjects or objects that are bound, too, as those of a class do. So the share of these is the geometric mean of that
 * and of all.
 */
function ofPredicates(
  {facts: {frequencies}}: Planner,
  {subject, predicate, object}: TriplePattern,
  bound: Bound,
  all: Rows,
): Rows {
  const domain = predicate.termType === 'Variable' ? bound.get(predicate.value) : undefined
  const {triples, predicates} = frequencies
  if (domain === undefined || predicates.size === 0) return all
  const listed = domain.constants?.map(id => (predicates.get(id)?.triples ?? 1) / triples)
  const share = listed === undefined ? 1 / predicates.size : Math.min(1, mean(listed))
  const isAlone = [subject, object].every(term => isVariable(term) && !bound.has(term.value))
  const rows = all.rows * (isAlone ? share : Math.sqrt(share))
  return {rows, most: isAlone && domain.constants !== undefined ? rows : all.most}
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
  if (isAsked(pattern, known, bound)) return exactly(1)
  const {rows, most} = shareOfBoth(pattern, known, bound, ofObject)
  if (isFoundThere(pattern, known, bound)) return {rows: Math.max(loopShare, rows), most: 1}
  const beside = shareBeside(pattern, triples, bound)
  return {rows: Math.max(rows, beside), most: Math.max(most, beside)}
}

/** The rows by samples, if the pattern is joined at one end and there is a sample of this join; else as estimated. */
function bySample(
  planner: Planner,
  {subject, predicate, object}: TriplePattern,
  bound: Bound,
  {known, estimated}: {readonly known: PatternFacts; readonly estimated: Rows},
): Rows {
  if (known.isLoop || (isVariable(predicate) && bound.has(predicate.value))) return estimated
  const [ofSubject, ofObject] = [subject, object].map(term => (isVariable(term) ? bound.get(term.value) : undefined))
  if ((ofSubject === undefined) === (ofObject === undefined)) return estimated
  const side = ofSubject === undefined ? known.sides.o : known.sides.s
  const rows = sampledRows(planner, side, (ofSubject ?? ofObject)?.sides)
  if (rows === undefined) return estimated
  if (rows < leastSampled) return {rows: Math.min(rows, estimated.rows), most: estimated.most}
  return {rows, most: Math.max(rows, Math.min(estimated.most, 2 * rows))}
}

/** The share of pairs that a pattern connects, if another pattern connects both of its variables; otherwise 0. */
function shareBeside({subject, object}: TriplePattern, triples: number, bound: Bound): number {
  if (subject.termType !== 'Variable' || object.termType !== 'Variable') return 0
  const pairs = bound.get(subject.value)?.beside?.get(object.value)
  return pairs === undefined ? 0 : loopShare * Math.min(1, triples / pairs)
}

/** Whether the values of a variable come from a pattern with the same predicate and constant. */
function isAsked({subject, object}: TriplePattern, {sides}: PatternFacts, bound: Bound): boolean {
  const comesFrom = (term: PatternTerm, {asked}: SideRows) =>
    asked !== undefined && isVariable(term) && bound.get(term.value)?.sides?.some(one => one.asked === asked) === true
  return comesFrom(subject, sides.s) || comesFrom(object, sides.o)
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
 * are independent, `along` that the subjects left so far are those that can have the object. Subjects that triples of
 * this predicate led to are mostly those with many triples: `there` is their chance to have the object.
 */
function shareOfBoth(
  {subject}: TriplePattern,
  {frequency, places}: PatternFacts,
  bound: Bound,
  ofObject: number,
): Rows {
  const {triples, subjects, ofSameSubject = 0} = frequency
  const domain = bound.get(subject.value)
  const left = domain?.values ?? 0
  const alone = ofObject / Math.max(subjects, left)
  const there = domain?.places.includes(places.s) === true ? (ofObject * ofSameSubject) / triples : 0
  const along = ofObject / Math.max(left === 0 ? subjects : left, ofObject)
  const rows = Math.min(1, Math.max(leastShare, Math.sqrt(alone * along), there))
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
  const {frequency, places, sides, ofConstant} = factsOf(planner, pattern)
  const {triples, subjects, objects} = frequency
  const narrow = (term: PatternTerm, end: 's' | 'o', values: number, other: PatternTerm): void => {
    if (term.termType !== 'Variable') return
    const [place, side] = [places[end], sides[end]]
    const known = bound.get(term.value)
    const isUnknown = known === undefined || known.values === 0
    bound.set(term.value, {
      values: isUnknown ? values : Math.min(values, known.values),
      places: known === undefined ? [place] : [...known.places, place],
      constants: known?.constants,
      sides: [...(known?.sides ?? []), side],
      beside: other.termType === 'Variable' ? withBeside(known?.beside, other.value, triples) : known?.beside,
    })
  }
  narrow(subject, 's', ofConstant === undefined ? subjects : Math.min(subjects, ofConstant), object)
  narrow(object, 'o', objects, subject)
  if (predicate.termType === 'Variable' && !bound.has(predicate.value)) bound.set(predicate.value, anyDomain)
}

/** Adds to `bound` what is known about the solutions of a group of patterns that is joined. */
export function bindSolutions({rows, domains}: Estimate, bound: Map<string, Domain>): void {
  for (const [name, {values, places, sides = [], beside = []}] of domains ?? []) {
    const known = bound.get(name)
    const numbers = [rows, values, known?.values ?? 0].filter(number => number > 0)
    let pairs = known?.beside
    for (const [other, triples] of beside) pairs = withBeside(pairs, other, triples)
    bound.set(name, {
      ...known,
      values: Math.min(...numbers),
      places: known?.places ?? places,
      sides: [...(known?.sides ?? []), ...sides],
      beside: pairs,
    })
  }
}

/** Records that some variables have this number of different combinations of values. */
export function bindTogether(names: readonly string[], rows: number, bound: Map<string, Domain>): void {
  for (const name of names) {
    const domain = bound.get(name)
    let beside = domain?.beside
    for (const other of names) if (other !== name) beside = withBeside(beside, other, rows)
    if (domain !== undefined) bound.set(name, {...domain, beside})
  }
}

/** Adds a variable that a pattern connects. Of several patterns the one with the fewest triples counts. */
function withBeside(known: Domain['beside'], name: string, triples: number): Domain['beside'] {
  return new Map(known).set(name, Math.min(triples, known?.get(name) ?? triples))
}

/** The number of distinct values of a variable in a pattern; undefined if it is neither subject nor object. */
export function differentValues(planner: Planner, pattern: TriplePattern, name: string): number | undefined {
  const {subjects, objects} = frequencyOf(planner, pattern)
  if (pattern.subject.termType === 'Variable' && pattern.subject.value === name) return subjects
  return pattern.object.termType === 'Variable' && pattern.object.value === name ? objects : undefined
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length)
}

export function isBound(term: PatternTerm, bound: Bound): boolean {
  return term.termType !== 'Variable' || bound.has(term.value)
}

function isVariable(term: PatternTerm): term is Variable {
  return term.termType === 'Variable'
}
