/**
 * Plans GROUP BY in two steps if one variable separates what is aggregated from the keys of the groups:
 *
 *   group(?l, count, {?s :maker ?g . ?g rdfs:label ?l})
 *     =>  group(?l, sum(?n), join(group(?g as ?g, count as ?n, {?s :maker ?g}), {?g rdfs:label ?l}))
 *
 * So a value of ?g is joined once, and not once for each of its solutions. Applies to one basic graph pattern, if
 * statistics say that a value of ?g has several solutions. Only integers are summed and averaged in two steps, because
 * sums of other numbers depend on the order of additions.
 *
 * A pattern of which only the number of solutions is used is counted for each value of its object, in any conjunction:
 *
 *   group(?c, count, {?c rdfs:subClassOf* :A . ?s a ?c})
 *     =>  group(?c, sum(?n), join({?c rdfs:subClassOf* :A}, group(?c as ?c, count as ?n, {?s a ?c})))
 *
 * Source: SPARQL 1.1 §18.5.1.
 */
import {inlineKinds} from '../../../rdf/id-layout.ts'
import {type Aggregate, type Algebra, join, type PatternTerm, type TriplePattern} from '../../algebra.ts'
import {isPlainTest} from '../../analyse/plain-test.ts'
import {certainVariables, variablesIn} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import type {Environment, Planner} from '../block.ts'
import {inlineKind} from '../extent.ts'
import {certainOf, isConjunction, namesOf, nodeOf, operandsOf} from '../join/operand.ts'
import {type Group, ofName, stepsOf, withExtensions} from './two-steps.ts'

type Patterns = readonly TriplePattern[]
type Parts = {readonly cut: string; readonly inner: Patterns; readonly around: Patterns}

const leastTriples = 1000 // below, there is little to gain
const leastShare = 4 // solutions for each value of the variable
const leastCounted = 20 // solutions for each value, from which they are counted apart

/** @returns  equal algebra that groups twice; undefined if this is not possible, or not worthwhile */
export function groupEarly(planner: Planner, node: Group, {graph, outer, given}: Environment): Algebra | undefined {
  const {input, keys, aggregates} = node
  if (graph.kind !== 'default' || outer.size > 0 || given.size > 0) return undefined
  const names = keys.flatMap(({expression}) => (expression.type === 'variable' ? [expression.name] : []))
  if (names.length === 0 || names.length < keys.length || aggregates.length === 0) return undefined
  const patterns = input.type === 'bgp' ? input.patterns : []
  const parts = cutsOf(patterns).flatMap(cut => separate(patterns, cut, names) ?? [])
  const chosen = parts.find(
    part => isWorthwhile(planner, part) && aggregates.every(({aggregate}) => canSplit(planner, aggregate, part)),
  )
  if (chosen !== undefined) return inTwoSteps(node, {...chosen, around: {type: 'bgp', patterns: chosen.around}})
  return countApart(planner, node, names)
}

/** Counts the solutions of one pattern for each value of its object, if another operand binds this. */
function countApart(planner: Planner, node: Group, keys: readonly string[]): Algebra | undefined {
  const {input, aggregates} = node
  const [conjunction, test] = input.type === 'filter' ? [input.input, input.condition] : [input]
  if (!isConjunction(conjunction) || (test && (!isPlainTest(test) || isVolatile(test)))) return undefined
  const bound = certainVariables(conjunction)
  if (!aggregates.every(({aggregate}) => countsSolutions(aggregate, bound))) return undefined
  const operands = operandsOf(conjunction)
  for (const operand of operands) {
    const others = operands.filter(one => one !== operand)
    if (operand.type !== 'triple' || !isOftenFound(planner, operand.pattern)) continue
    const [own = '', cut = ''] = [operand.pattern.subject, operand.pattern.object].flatMap(nameOf)
    const used = [
      ...keys,
      ...(test === undefined ? [] : variablesIn(test)),
      ...others.flatMap(one => [...namesOf(one)]),
    ]
    if (used.includes(own) || !others.some(other => certainOf(other).has(cut))) continue
    const joined = others.map(nodeOf).reduce(join)
    const around: Algebra = test === undefined ? joined : {type: 'filter', condition: test, input: joined}
    return inTwoSteps(node, {cut, inner: [operand.pattern], around})
  }
  return undefined
}

function countsSolutions({name, isDistinct, argument}: Aggregate, bound: ReadonlySet<string>): boolean {
  const isAlwaysBound = argument === undefined || (argument.type === 'variable' && bound.has(argument.name))
  return name === 'count' && !isDistinct && isAlwaysBound
}

/** Whether a pattern has two variables, and many subjects for each object. */
function isOftenFound({facts, idOf}: Planner, {subject, predicate, object}: TriplePattern): boolean {
  if (predicate.termType !== 'NamedNode' || subject.termType !== 'Variable' || object.termType !== 'Variable')
    return false
  const counted = facts.frequencies.predicates.get(idOf(predicate))
  return counted !== undefined && subject.value !== object.value && counted.triples >= leastCounted * counted.objects
}

/** The variables that are objects of one pattern and stand in another one, too. */
function cutsOf(patterns: Patterns): readonly string[] {
  const objects = patterns.flatMap(({object}) => nameOf(object))
  return [...new Set(objects)].filter(
    name => patterns.filter(pattern => variablesOf(pattern).includes(name)).length > 1,
  )
}

/** Separates the patterns that are connected with a key, without `cut`, from all others. */
function separate(patterns: Patterns, cut: string, keys: readonly string[]): Parts | undefined {
  const reached = new Set(keys.filter(name => name !== cut))
  const around = new Set<TriplePattern>()
  for (let size = -1; size < around.size; ) {
    size = around.size
    for (const pattern of patterns) {
      const others = variablesOf(pattern).filter(name => name !== cut)
      if (!others.some(name => reached.has(name))) continue
      around.add(pattern)
      for (const name of others) reached.add(name)
    }
  }
  const inner = patterns.filter(pattern => !around.has(pattern))
  const isJoined = [inner, [...around]].every(part => part.some(pattern => variablesOf(pattern).includes(cut)))
  return isJoined ? {cut, inner, around: [...around]} : undefined
}

/** Whether many solutions share a value of the variable, and no constant makes either part small. */
function isWorthwhile({facts: {frequencies}, idOf}: Planner, {cut, inner, around}: Parts): boolean {
  const isLarge = ({predicate, object, subject}: TriplePattern) => {
    if (predicate.termType !== 'NamedNode' || subject.termType !== 'Variable') return false
    if (object.termType === 'Variable') return true
    return (frequencies.values.get(`${idOf(predicate)} ${idOf(object)}`) ?? 0) >= leastTriples
  }
  const isShared = ({predicate, object}: TriplePattern) => {
    if (object.termType !== 'Variable' || object.value !== cut || predicate.termType === 'Variable') return false
    const counted = frequencies.predicates.get(idOf(predicate))
    if (counted === undefined) return false
    return counted.triples >= leastTriples && counted.triples >= leastShare * counted.objects
  }
  return [...inner, ...around].every(isLarge) && inner.some(isShared)
}

/** Whether the aggregate of all members is one of the aggregates of parts of them. */
function canSplit({facts, idOf}: Planner, {name, isDistinct, argument}: Aggregate, {inner, around}: Parts): boolean {
  if (name === 'count' && argument === undefined) return !isDistinct
  if (argument?.type !== 'variable' || name === 'sample' || name === 'group_concat') return false
  if (name === 'count') return !isDistinct && [...inner, ...around].flatMap(variablesOf).includes(argument.name)
  const extents = inner
    .filter(({object}) => object.termType === 'Variable' && object.value === argument.name)
    .map(({predicate}) => (predicate.termType === 'Variable' ? undefined : facts.extents.get(idOf(predicate))))
  if (name === 'min' || name === 'max') return extents.some(extent => inlineKind(extent) !== undefined)
  return !isDistinct && extents.some(extent => inlineKind(extent) === inlineKinds.integer)
}

type TwoParts = {readonly cut: string; readonly inner: Patterns; readonly around: Algebra}

function inTwoSteps({keys, aggregates}: Group, {cut, inner, around}: TwoParts): Algebra {
  // Each solution binds all variables of the patterns, so COUNT of one of them is COUNT(*).
  const steps = aggregates.map(({variable, aggregate}, index) =>
    stepsOf(variable, aggregate.name === 'count' ? {...aggregate, argument: undefined} : aggregate, index),
  )
  const first: Algebra = {
    type: 'group',
    input: {type: 'bgp', patterns: inner},
    keys: [{variable: cut, expression: ofName(cut)}],
    aggregates: steps.flatMap(step => step.first),
  }
  const second: Algebra = {
    type: 'group',
    input: join(first, around),
    keys,
    aggregates: steps.flatMap(step => step.second),
  }
  return withExtensions(second, steps)
}

function variablesOf({subject, predicate, object}: TriplePattern): readonly string[] {
  return [subject, predicate, object].flatMap(nameOf)
}

function nameOf(term: PatternTerm): readonly string[] {
  return term.termType === 'Variable' ? [term.value] : []
}
