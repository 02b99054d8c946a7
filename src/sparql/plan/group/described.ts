/**
 * Plans GROUP BY where some keys only describe another key: forms the groups without them, and then joins them.
 *
 *   group(?f ?l, count(distinct ?a), {?p :field ?f ; :author ?a . ?f rdfs:label ?l})
 *     =>  join(group(?f, count(distinct ?a), {?p :field ?f ; :author ?a}), {?f rdfs:label ?l})
 *
 * All variables of the patterns that are joined later are keys. So a group has one solution of them, and no aggregate
 * changes. The same holds for such patterns in OPTIONAL, and for filters that use keys only. Both forms are estimated:
 * the first one is better if few keys have a description.
 *
 * Source: SPARQL 1.1 §18.5.1 (Group, Aggregation).
 */
import {type Algebra, type Expression, join, type TriplePattern} from '../../algebra.ts'
import {conjuncts, filterBy} from '../../analyse/conjuncts.ts'
import {propertyOf} from '../../analyse/property.ts'
import {determiningVariables} from '../../analyse/unique.ts'
import {certainVariables, groupedBy, mentionedVariables, variablesIn} from '../../analyse/variables.ts'
import {isVolatile} from '../../analyse/volatile.ts'
import type {Environment, Planner} from '../block.ts'
import {estimateAlone} from '../join/estimate.ts'

type Group = Extract<Algebra, {type: 'group'}>

/** What describes keys: patterns, OPTIONAL, and filters that need them. */
export type Later =
  | Extract<Algebra, {type: 'bgp'}>
  | Omit<Extract<Algebra, {type: 'leftJoin'}>, 'left'>
  | {readonly type: 'filter'; readonly tests: readonly Expression[]}

/** A pattern in two parts. The second one is added to the solutions, or to the groups, of the first one, in order. */
type Parts = {readonly inner: Algebra; readonly later: readonly Later[]}
type Names = ReadonlySet<string>

/** @returns  equal algebra that joins descriptions to groups; undefined if this is not possible, or not worthwhile */
export function describeGroups(planner: Planner, node: Group, environment: Environment): Algebra | undefined {
  const parts = withoutDescriptions(node, environment)
  const described = parts && withDescriptions(parts.group, parts.later)
  const costOf = (one: Algebra) => estimateAlone(planner, one, environment.graph).cost
  return described && costOf(described) < costOf(node) ? described : undefined
}

/** The groups of some keys, and what describes these keys; undefined if nothing does. */
export function withoutDescriptions(
  node: Group,
  {graph, outer, given}: Environment,
): {readonly group: Group; readonly later: readonly Later[]} | undefined {
  if (graph.kind === 'each' || outer.size > 0 || given.size > 0) return undefined
  const names = new Set(groupedBy(node))
  if (names.size < 2 || names.size < node.keys.length) return undefined
  const aggregates = node.aggregates.map(({aggregate}) => aggregate)
  // COUNT(DISTINCT *) counts what all variables tell apart.
  if (aggregates.some(({argument, isDistinct}) => argument === undefined && isDistinct)) return undefined
  const used = aggregates.flatMap(({argument}) => (argument === undefined ? [] : variablesIn(argument)))
  const parts = takeApart(node.input, new Set([...names].filter(name => !used.includes(name))), names)
  if (parts === undefined) return undefined
  const left = mentionedVariables(parts.inner)
  const group = {...node, input: parts.inner, keys: node.keys.filter(({variable}) => left.has(variable))}
  if (group.keys.length === 0) return undefined // there would be a group of no solutions, too
  return {group, later: parts.later}
}

/** The groups with what describes their keys. */
export function withDescriptions(groups: Algebra, later: readonly Later[]): Algebra {
  return later.reduce<Algebra>((to, node) => {
    if (node.type === 'bgp') return join(to, node)
    return node.type === 'filter' ? filterBy(to, node.tests) : {...node, left: to}
  }, groups)
}

/**
 * @param leaves  the keys that may be joined later
 * @param keys    all keys
 */
function takeApart(node: Algebra, leaves: Names, keys: Names): Parts | undefined {
  switch (node.type) {
    case 'bgp':
      return ofPatterns(node.patterns, leaves, keys)
    case 'filter': {
      const parts = takeApart(node.input, leaves, keys)
      if (parts === undefined) return undefined
      const left = mentionedVariables(parts.inner)
      const isInner = (test: Expression) => variablesIn(test).every(name => left.has(name) || !leaves.has(name))
      const tests = conjuncts(node.condition)
      const later = tests.filter(test => !isInner(test))
      if (later.some(test => isVolatile(test) || !variablesIn(test).every(name => keys.has(name)))) return undefined
      return {
        inner: filterBy(parts.inner, tests.filter(isInner)),
        later: later.length === 0 ? parts.later : [...parts.later, {type: 'filter', tests: later}],
      }
    }
    case 'extend': {
      const parts = isVolatile(node.expression) ? undefined : takeApart(node.input, leaves, keys)
      const left = parts && mentionedVariables(parts.inner)
      const isKept = variablesIn(node.expression).every(name => left?.has(name) || !leaves.has(name))
      return parts && isKept ? {...parts, inner: {...node, input: parts.inner}} : undefined
    }
    case 'leftJoin':
      return ofOptional(node, leaves, keys)
    case 'distinct': {
      const {input: project} = node
      const parts = project.type === 'project' ? takeApart(project.input, leaves, keys) : undefined
      if (project.type !== 'project' || parts === undefined) return undefined
      const left = mentionedVariables(parts.inner)
      if (![...leaves].every(name => left.has(name) || project.variables.includes(name))) return undefined
      const variables = project.variables.filter(name => left.has(name))
      return {...parts, inner: {type: 'distinct', input: {...project, variables, input: parts.inner}}}
    }
    default:
      return undefined
  }
}

/** Takes the patterns of objects that nothing else needs, one after the other. */
function ofPatterns(all: readonly TriplePattern[], leaves: Names, keys: Names): Parts | undefined {
  let patterns = all
  const taken: TriplePattern[] = []
  for (let next = leafOf(patterns, leaves, keys); next; next = leafOf(patterns, leaves, keys)) {
    const found = next
    taken.unshift(found)
    patterns = patterns.filter(pattern => pattern !== found)
  }
  if (taken.length === 0) return undefined
  return {inner: {type: 'bgp', patterns}, later: [{type: 'bgp', patterns: taken}]}
}

function leafOf(patterns: readonly TriplePattern[], leaves: Names, keys: Names): TriplePattern | undefined {
  return patterns.find(pattern => {
    const {subject = '', object = ''} = propertyOf(pattern) ?? {}
    if (!keys.has(subject) || !leaves.has(object)) return false
    const others = mentionedVariables({type: 'bgp', patterns: patterns.filter(one => one !== pattern)})
    return others.has(subject) && !others.has(object)
  })
}

/** OPTIONAL describes keys if its variables are keys. Those that the left side has, too, must be bound by all of it. */
function ofOptional(node: Extract<Algebra, {type: 'leftJoin'}>, leaves: Names, keys: Names): Parts | undefined {
  const {left, right, condition} = node
  const names = new Set([...mentionedVariables(right), ...(condition === undefined ? [] : variablesIn(condition))])
  const inLeft = mentionedVariables(left)
  const certain = certainVariables(left)
  const isDescribed = (name: string) => keys.has(name) && (inLeft.has(name) ? certain.has(name) : leaves.has(name))
  const parts = takeApart(left, new Set([...leaves].filter(name => !names.has(name))), keys)
  const isLater =
    [...names].every(isDescribed) &&
    [...names].some(name => !inLeft.has(name)) &&
    determiningVariables(right) !== undefined &&
    !(condition !== undefined && isVolatile(condition))
  if (!isLater) return parts && {...parts, inner: {...node, left: parts.inner}}
  return {inner: parts?.inner ?? left, later: [...(parts?.later ?? []), {type: 'leftJoin', right, condition}]}
}
