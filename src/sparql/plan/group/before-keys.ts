/**
 * Plans GROUP BY with keys that are texts computed of few different values: forms groups by these values first.
 *
 *   group(?kind, count, extend(?kind, f(?g), A))
 *     =>  group(?kind, sum(?n), extend(?kind, f(?g), group(?g, count as ?n, A)))
 *
 * So a text is computed once for each value and not for each solution, and groups of solutions are formed by ids.
 * Applies if statistics say that the values repeat. Source: SPARQL 1.1 §18.5.1.
 */
import {inlineKinds} from '../../../rdf/id-layout.ts'
import type {Algebra, Expression, FunctionName, PatternTerm, TriplePattern, Variable} from '../../algebra.ts'
import {type Computed, computeLater, isFree, separateComputed} from '../../analyse/later.ts'
import {groupedBy, variablesIn} from '../../analyse/variables.ts'
import type {ActiveGraph, Environment, Planner} from '../block.ts'
import {inlineKind} from '../extent.ts'
import {estimateAlone} from '../join/estimate.ts'
import {frequencyOf} from '../join/predicate-frequency.ts'
import {type Group, ofName, stepsOf, type TwoSteps, withExtensions} from './two-steps.ts'

type Names = ReadonlySet<string>

const leastSolutions = 500 // below, there is little to gain
const leastShare = 3 // solutions for each combination of values

/** @returns  equal algebra that groups twice; undefined if this is not possible, or not worthwhile */
export function groupBeforeKeys(
  planner: Planner,
  node: Group,
  {graph, outer, given}: Environment,
): Algebra | undefined {
  if (graph.kind === 'each' || outer.size > 0 || given.size > 0) return undefined
  const group = countingDifferent(node)
  const {aggregates} = group
  const parts = takeApart(group)
  if (parts === undefined) return undefined
  const {inner, later, keys, laterKeys} = parts
  const names = new Set(keys.map(({variable}) => variable))
  const steps = aggregates.flatMap((named, index) => splitOver(planner, named, index, {names, inner}) ?? [])
  if (steps.length < aggregates.length) return undefined
  const first: Group = {type: 'group', input: inner, keys, aggregates: steps.flatMap(step => step.first)}
  if (!doRepeat(planner, first, graph)) return undefined
  const input = computeLater(first, later)
  return withExtensions({...node, input, keys: laterKeys, aggregates: steps.flatMap(step => step.second)}, steps)
}

/** COUNT over different solutions as the COUNT(DISTINCT) that it was (rewrite/count-different.ts). */
function countingDifferent(node: Group): Group {
  const {input, keys, aggregates} = node
  const project = input.type === 'distinct' ? input.input : undefined
  if (project?.type !== 'project') return node
  const counted = aggregates.map(({aggregate: {name, argument}}) =>
    name === 'count' && argument?.type === 'variable' ? argument.name : undefined,
  )
  const names = new Set([...groupedBy({keys}), ...counted])
  const [variable] = counted
  const isSame = counted.every(name => name === variable) && groupedBy({keys}).length === keys.length
  if (variable === undefined || !isSame || names.size !== new Set(project.variables).size) return node
  if (!project.variables.every(name => names.has(name))) return node
  const distinct = aggregates.map(one => ({...one, aggregate: {...one.aggregate, isDistinct: true}}))
  return {...node, input: project.input, aggregates: distinct}
}

/** Whether there are several solutions for each combination of values, as far as statistics tell. */
function doRepeat(planner: Planner, first: Group, graph: ActiveGraph): boolean {
  const {rows} = estimateAlone(planner, first.input, graph)
  const keys = first.keys.filter(({variable}) => !isDetermined(planner, first, variable))
  const {rows: groups, domains} = estimateAlone(planner, {...first, keys}, graph)
  const areCounted = keys.every(({variable}) => domains?.has(variable))
  return areCounted && rows >= leastSolutions && rows >= leastShare * groups
}

/** Whether another key has one value of this one: a property that hardly any subject has twice. */
function isDetermined(planner: Planner, {input, keys}: Group, name: string): boolean {
  return patternsIn(input, 'also optional').some(pattern => {
    const {subject, predicate, object} = pattern
    if (
      !isVariable(object) ||
      object.value !== name ||
      !isVariable(subject) ||
      subject.value === name ||
      isVariable(predicate)
    )
      return false
    const {triples, subjects} = frequencyOf(planner, pattern)
    return keys.some(({variable}) => variable === subject.value) && triples <= 1.1 * subjects
  })
}

type Parts = {
  readonly inner: Algebra // the solutions of the first step
  readonly keys: Group['keys'] // of the first step
  readonly later: readonly Computed[] // between the steps, in their order
  readonly laterKeys: Group['keys'] // of the second step
}

/** Separates what is computed for keys only from the solutions; undefined if no key is a computed text. */
function takeApart({input, keys, aggregates}: Group): Parts | undefined {
  if (aggregates.some(({aggregate}) => aggregate.argument === undefined && aggregate.isDistinct)) return undefined
  if (!keys.every(({expression}) => isFree(expression))) return undefined
  const used = aggregates.flatMap(({aggregate: {argument}}) => (argument ? variablesIn(argument) : []))
  const names = new Set(groupedBy({keys}).filter(name => !used.includes(name)))
  const {inner, later, made, read} = separateComputed(
    input,
    ({variable, expression}) => names.has(variable) && makesText(expression),
  )
  const isLater = ({variable, expression}: Group['keys'][number]) =>
    made.has(variable) || makesText(expression) || variablesIn(expression).some(name => made.has(name))
  const laterOnes = keys.filter(isLater)
  if (laterOnes.length === 0) return undefined
  const different = aggregates.flatMap(({aggregate: {argument, isDistinct}}) =>
    isDistinct && argument ? variablesIn(argument) : [],
  )
  const values = [...read, ...laterOnes.flatMap(({expression}) => variablesIn(expression)), ...different]
  const earlier = keys.filter(key => !isLater(key))
  const known = new Set([...made, ...earlier.map(({variable}) => variable)])
  const added = [...new Set(values)].filter(name => !known.has(name))
  const first = [...earlier, ...added.map(name => ({variable: name, expression: ofName(name)}))]
  if (first.length === 0) return undefined
  const laterKeys = keys.map(key => (isLater(key) ? key : {...key, expression: ofName(key.variable)}))
  return {inner, keys: first, later, laterKeys}
}

/** @returns  undefined if the aggregate of all members is not one of aggregates of parts of them */
function splitOver(
  planner: Planner,
  {variable, aggregate}: Group['aggregates'][number],
  index: number,
  {names, inner}: {readonly names: Names; readonly inner: Algebra},
): TwoSteps | undefined {
  const {name, argument, isDistinct} = aggregate
  if (argument === undefined) return stepsOf(variable, aggregate, index)
  if (!isFree(argument)) return undefined
  const isOfKeys = variablesIn(argument).every(one => names.has(one))
  if (isOfKeys && (isDistinct || name === 'min' || name === 'max' || name === 'sample')) {
    const isDifferent = argument.type === 'variable' && names.size === 1 // each value occurs once
    return {first: [], second: [{variable, aggregate: {...aggregate, isDistinct: isDistinct && !isDifferent}}]}
  }
  if (isDistinct || name === 'group_concat') return undefined
  if (name === 'count' || name === 'sample') return stepsOf(variable, aggregate, index)
  const kind = argument.type === 'variable' ? kindIn(planner, inner, argument.name) : undefined
  const isExact = name === 'min' || name === 'max' ? kind !== undefined : kind === inlineKinds.integer
  return isExact ? stepsOf(variable, aggregate, index) : undefined
}

/** The inline kind of all values of a variable that is the object of a pattern of each solution. */
function kindIn({facts, idOf}: Planner, inner: Algebra, name: string): bigint | undefined {
  return patternsIn(inner, 'of all solutions')
    .filter(({object}) => isVariable(object) && object.value === name)
    .map(({predicate}) => (isVariable(predicate) ? undefined : inlineKind(facts.extents.get(idOf(predicate)))))
    .find(kind => kind !== undefined)
}

function patternsIn(node: Algebra, which: 'of all solutions' | 'also optional'): readonly TriplePattern[] {
  switch (node.type) {
    case 'bgp':
      return node.patterns
    case 'join':
      return [...patternsIn(node.left, which), ...patternsIn(node.right, which)]
    case 'leftJoin':
      return [...patternsIn(node.left, which), ...(which === 'also optional' ? patternsIn(node.right, which) : [])]
    case 'filter':
    case 'extend':
    case 'graph':
      return patternsIn(node.input, which)
    default:
      return []
  }
}

function isVariable(term: PatternTerm): term is Variable {
  return term.termType === 'Variable'
}

const textFunctions: ReadonlySet<FunctionName> = new Set<FunctionName>([
  'str',
  'substr',
  'ucase',
  'lcase',
  'strbefore',
  'strafter',
  'concat',
  'replace',
  'encode_for_uri',
  'md5',
  'sha1',
  'sha256',
  'sha384',
  'sha512',
])

/** Whether a text is made, so that a value costs more than a place in a hash table. */
function makesText(expression: Expression): boolean {
  switch (expression.type) {
    case 'call':
      return textFunctions.has(expression.name) || expression.arguments.some(makesText)
    case 'function':
      return true
    default:
      return false
  }
}
