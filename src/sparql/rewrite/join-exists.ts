/**
 * Rewrite: EXISTS of triple patterns whose variables are all bound becomes a join, which the planner can order freely.
 *
 *   filter(exists(B) && C, A)  =>  filter(C, join(A, B))      A a conjunction that binds all variables of B
 *
 * Pure. A graph contains a triple once, so no solution is duplicated, unless a constant matches several terms
 * (analyse/unique.ts).
 * Source: SPARQL 1.1 §18.6 (EXISTS), §18.5 (Join).
 */
import {type Algebra, type Expression, join, mapChildren} from '../algebra.ts'
import {conjuncts, filterBy} from '../analyse/conjuncts.ts'
import {hasSpellings} from '../analyse/unique.ts'
import {certainVariables} from '../analyse/variables.ts'

type Filter = Extract<Algebra, {type: 'filter'}>
type Pattern = Extract<Algebra, {type: 'bgp'}>

export function joinExists(tree: Algebra): Algebra {
  const node = mapChildren(tree, joinExists)
  return node.type === 'filter' ? joined(node) : node
}

function joined(node: Filter): Algebra {
  let {input} = node
  const left: Expression[] = []
  for (const condition of conjuncts(node.condition)) {
    const pattern = patternOf(condition)
    const next =
      pattern && changeConjunction(input, inner => (binds(inner, pattern) ? join(inner, pattern) : undefined))
    if (next === undefined) left.push(condition)
    else input = next
  }
  if (input === node.input) return node
  return filterBy(input, left)
}

/** Changes the conjunction below filters; undefined if there is none, or if `change` returns undefined. */
function changeConjunction(node: Algebra, change: (conjunction: Algebra) => Algebra | undefined): Algebra | undefined {
  if (node.type === 'bgp' || node.type === 'path' || node.type === 'join') return change(node)
  if (node.type !== 'filter') return undefined
  const input = changeConjunction(node.input, change)
  return input && {...node, input}
}

function patternOf(condition: Expression): Pattern | undefined {
  if (condition.type !== 'exists' || condition.isNegated || condition.pattern.type !== 'bgp') return undefined
  const {patterns} = condition.pattern
  return patterns.length > 0 && !patterns.some(hasSpellings) ? condition.pattern : undefined
}

function binds(conjunction: Algebra, pattern: Pattern): boolean {
  const certain = certainVariables(conjunction)
  return [...certainVariables(pattern)].every(name => certain.has(name))
}
