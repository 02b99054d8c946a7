/**
 * Estimates for how many rows of a triple pattern a test of its object is true, from statistics of the store. Tells
 * which tests belong to an operand, and which are expensive.
 *
 * Pure. Wrong numbers make slow plans, never wrong answers.
 */
import type {Expression, TriplePattern} from '../../algebra.ts'
import {variablesIn} from '../../analyse/variables.ts'
import type {Planner} from '../block.ts'
import {type Compared, comparisonsOf} from '../expression/comparisons.ts'
import {rangeOf} from '../expression/range.ts'
import {type Extent, inlineKind, isNodes, mayBeInline, nodes} from '../extent.ts'
import type {Frequencies} from '../frequencies.ts'
import {any, column, never, number, type Scalar} from '../relation.ts'
import type {Bound} from './estimate-triple.ts'
import {listedBy} from './membership.ts'
import {shareOfObjects} from './object-frequencies.ts'
import {certainOf, type Operand} from './operand.ts'
import {frequencyOf} from './predicate-frequency.ts'
import {textShare} from './text-share.ts'

/**
 * Whether a test of a pattern's object becomes a condition on its id that an index scan can use: ranges, or a list of
 * terms. The objects of a variable predicate are of all kinds, so some of them are looked up in the dictionary, and so
 * are all literals that do not fit into ids.
 */
export function isIndexed(planner: Planner, pattern: TriplePattern, test: Expression): boolean {
  const {predicate, object} = pattern
  if (predicate.termType === 'Variable' || object.termType !== 'Variable') return false
  if (listedBy(test)?.name === object.value) return true
  const compared = comparisonsOf(test)
  return compared[0]?.name === object.value && mayHaveRange(planner, pattern) && rangesOfIds(compared) !== undefined
}

/** Whether a range of ids can contain objects of a pattern, as far as their extent is known. */
function mayHaveRange({facts, patternIdsOf}: Planner, {predicate}: TriplePattern): boolean {
  return predicate.termType === 'Variable' || mayBeInline(facts.extents.get(patternIdsOf(predicate)[0]))
}

/**
 * Whether a plain test needs more than ids: it reads the dictionary, or calls a function. Nodes are compared by id, and
 * so are values that fit into ids.
 *
 * @param extents  of the variables that are bound, as far as they are known
 */
function isExpensive(test: Expression, extents: ReadonlyMap<string, Extent>): boolean {
  if (test.type !== 'call') return test.type !== 'variable' && test.type !== 'term'
  const names = test.arguments.flatMap(one => (one.type === 'variable' ? [one.name] : []))
  const known = names.map(name => extents.get(name))
  switch (test.name) {
    case '&&':
    case '||':
    case '!':
      return test.arguments.some(one => isExpensive(one, extents))
    case 'bound':
    case 'isIri':
    case 'isBlank':
    case 'isLiteral':
    case 'sameTerm':
      return false
    case 'in':
    case 'notIn':
      return listedBy({...test, name: 'in'}) === undefined
    case '=':
    case '!=':
      if (listedBy({...test, name: '='}) !== undefined || known.some(isNodes)) return false
      break
    case '<':
    case '>':
    case '<=':
    case '>=':
      break
    default:
      return true
  }
  const others = test.arguments.filter(({type}) => type !== 'variable')
  return !(others.every(({type}) => type === 'term') && known.every(extent => inlineKind(extent) !== undefined))
}

/** Tells which plain tests of a conjunction are expensive. */
export function expensiveIn(
  planner: Planner,
  steps: readonly {readonly operand: Operand}[],
): (test: Expression) => boolean {
  const patterns = steps.flatMap(({operand}) => (operand.type === 'triple' ? [operand.pattern] : []))
  let extents: ReadonlyMap<string, Extent> | undefined
  return test => {
    if (patterns.some(pattern => isIndexed(planner, pattern, test))) return false
    extents ??= extentsIn(planner, patterns)
    return isExpensive(test, extents)
  }
}

/** The extents of the variables of triple patterns: those of subjects, and those of objects that facts have. */
function extentsIn({facts, patternIdsOf}: Planner, patterns: readonly TriplePattern[]): ReadonlyMap<string, Extent> {
  const extents = new Map<string, Extent>()
  for (const {predicate, object} of patterns) {
    const extent = predicate.termType === 'Variable' ? undefined : facts.extents.get(patternIdsOf(predicate)[0])
    if (object.termType === 'Variable' && extent !== undefined) extents.set(object.value, extent)
  }
  for (const {subject} of patterns) if (subject.termType === 'Variable') extents.set(subject.value, nodes)
  return extents
}

/** The condition on a pattern's object as ranges of ids; undefined if only a function can decide it. */
function rangesOfIds(compared: readonly Compared[]): Scalar | undefined {
  const test = {generic: () => never, ofExtent: () => never, hasOwn: false}
  const found = compared.flatMap(one => rangeOf(column('', 'o'), one, number(0), test) ?? [])
  return found.length === 0 || found.length < compared.length ? undefined : any(found)
}

export const testCost = 20 // of testing one row by a function, which usually reads the dictionary
export const togetherCost = 5 // the same if the terms of many rows are looked up together (expression/joined-terms.ts)
export const unknownShare = 0.3 // of the rows for which such a test is true

/**
 * The share of a pattern's rows for which all tests of its object are true, from the numbers of common objects and the
 * quantiles of all. Two bounds of one range are not independent: the quantiles between them count.
 */
export function shareOf(planner: Planner, pattern: TriplePattern, tests: readonly Expression[]): number {
  if (tests.length === 0) return 1
  const {quantiles} = frequencyOf(planner, pattern)
  const ranges = tests.map(test => quantilesIn(planner, pattern, test)).filter(range => range !== undefined)
  const others = tests.filter(test => quantilesIn(planner, pattern, test) === undefined)
  const within = quantiles.filter((_, index) => ranges.every(isInside => isInside[index])).length
  const share = ranges.length === 0 ? 1 : Math.max(within, 0.5) / quantiles.length
  return others.reduce((left, test) => left * shareOfOther(planner, pattern, test), share)
}

/**
 * The share of all triples whose object is in the range of a test, whatever the predicate, from the quantiles of each
 * predicate. An index scan or a scan of all triples finds these before any other test (expression/test.ts).
 *
 * @returns  undefined for tests that are no ranges of ids, or of other variables
 */
export function shareOfEveryTriple(
  {facts: {frequencies}}: Planner,
  {object}: TriplePattern,
  test: Expression,
): number | undefined {
  const compared = comparisonsOf(test)
  if (object.termType !== 'Variable' || compared[0]?.name !== object.value || compared.some(({isYear}) => isYear))
    return undefined
  const known = sharesOfAll.get(frequencies)?.get(test)
  const range = known === undefined ? rangesOfIds(compared) : undefined
  if (range === undefined) return known
  let [found, all] = [0, 0]
  for (const {triples, quantiles} of frequencies.predicates.values()) {
    all += triples
    if (quantiles.length > 0)
      found += (triples * quantiles.filter(value => holds(range, value)).length) / quantiles.length
  }
  if (all === 0) return undefined
  const share = Math.max(found, 1) / all
  const shares = sharesOfAll.get(frequencies) ?? new WeakMap<Expression, number>()
  sharesOfAll.set(frequencies, shares.set(test, share))
  return share
}

/** The search for an order asks for a share many times, and a store may have thousands of predicates. */
const sharesOfAll = new WeakMap<Frequencies, WeakMap<Expression, number>>()

const leastOfMost = 0.1 // share of the triples

/** Whether a range has so many triples of a pattern that to read all of them costs less than to find these. */
export function isOfMost(planner: Planner, operand: Operand, test: Expression): boolean {
  if (operand.type !== 'triple') return false
  const inRange = quantilesIn(planner, operand.pattern, test) ?? []
  return inRange.filter(isInside => isInside).length > leastOfMost * inRange.length
}

/** Which quantiles of a pattern's objects are in the range of a test; undefined for other tests. */
function quantilesIn(planner: Planner, pattern: TriplePattern, test: Expression): readonly boolean[] | undefined {
  const known = rangesOf(planner).get(test)
  if (known !== undefined) return known
  const compared = comparisonsOf(test)
  const {quantiles} = frequencyOf(planner, pattern)
  if (compared[0]?.name !== pattern.object.value || quantiles.length === 0) return undefined
  if (pattern.object.termType !== 'Variable' || compared.some(isEquality) || listedBy(test) !== undefined)
    return undefined
  if (!mayHaveRange(planner, pattern)) return undefined
  const range = rangesOfIds(compared)
  const found = range && quantiles.map(value => holds(range, value))
  if (found !== undefined) rangesOf(planner).set(test, found)
  return found
}

function isEquality({comparison, isYear}: Compared): boolean {
  return comparison === '=' && !isYear
}

/** The share of a test that is no range. */
function shareOfOther(planner: Planner, pattern: TriplePattern, test: Expression): number {
  const {object} = pattern
  if (object.termType !== 'Variable') return unknownShare
  const listed = shareOfListed(planner, pattern, test)
  if (listed !== undefined) return listed
  const compared = comparisonsOf(test)
  if (compared[0]?.name !== object.value) return textShare(planner, test, object.value) ?? unknownShare
  if (!compared.every(isEquality)) return unknownShare
  return Math.min(1, compared.length / frequencyOf(planner, pattern).objects)
}

/** The share of rows whose object is one of the terms that a test lists. */
function shareOfListed(planner: Planner, {predicate, object}: TriplePattern, test: Expression): number | undefined {
  const listed = listedBy(test)
  if (listed === undefined || predicate.termType === 'Variable' || listed.name !== object.value) return undefined
  const ids = new Set(listed.items.map(item => planner.idOf(item)))
  const share = shareOfObjects(planner, `${planner.patternIdsOf(predicate)[0]} o`, [...ids])
  return share && Math.min(1, share)
}

const ranges = new WeakMap<Planner, WeakMap<Expression, readonly boolean[]>>()

/** The ranges of one query. The key is the test alone: a test usually applies to one pattern. */
function rangesOf(planner: Planner): WeakMap<Expression, readonly boolean[]> {
  const known = ranges.get(planner) ?? new WeakMap<Expression, readonly boolean[]>()
  ranges.set(planner, known)
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

/** Tests of a conjunction by the variables that they mention, and those of its operands, once they are asked for. */
type KnownTests = {
  readonly byName: ReadonlyMap<string, readonly Expression[]>
  readonly ofOperands: Map<Operand, readonly Expression[]>
}

const knownTests = new WeakMap<readonly Expression[], KnownTests>()

/** The tests that mention a variable that the operand binds. */
export function testsOf(operand: Operand, tests: readonly Expression[]): readonly Expression[] {
  if (tests.length === 0) return tests
  const {byName, ofOperands} = knownTests.get(tests) ?? groupTests(tests)
  const known = ofOperands.get(operand)
  if (known !== undefined) return known
  const found = [...new Set([...certainOf(operand)].flatMap(name => byName.get(name) ?? []))]
  ofOperands.set(operand, found)
  return found
}

function groupTests(tests: readonly Expression[]): KnownTests {
  const grouped = {byName: groupedByName(tests), ofOperands: new Map<Operand, readonly Expression[]>()}
  knownTests.set(tests, grouped)
  return grouped
}

function groupedByName(tests: readonly Expression[]): ReadonlyMap<string, readonly Expression[]> {
  const byName = new Map<string, Expression[]>()
  for (const test of tests) {
    for (const name of new Set(variablesIn(test))) {
      const known = byName.get(name)
      if (known === undefined) byName.set(name, [test])
      else known.push(test)
    }
  }
  return byName
}

/** Whether a test becomes possible exactly when the operand is joined. */
export function isOwnTest(test: Expression, operand: Operand, bound: Bound): boolean {
  const names = variablesIn(test)
  const own = certainOf(operand)
  return names.some(name => own.has(name) && !bound.has(name)) && names.every(name => own.has(name) || bound.has(name))
}
