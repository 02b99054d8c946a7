/**
 * Finds the predicates whose objects occur in expressions. The kinds of these objects decide how SQL compares and
 * sorts them.
 *
 * Pure.
 */
import {type NamedNode, namedNode} from '../../rdf/term.ts'
import type {Algebra, Query} from '../algebra.ts'
import {expressionsOf, insides} from '../algebra.ts'
import {linksOf} from './predicates.ts'
import {variablesIn} from './variables.ts'

/** @returns  each predicate once, in the order of the query */
export function valuedPredicates({pattern}: Query): readonly NamedNode[] {
  const names = new Set<string>()
  const found = new Map<string, NamedNode>()
  const mention = (node: Algebra): void => {
    for (const expression of expressionsOf(node)) for (const name of variablesIn(expression)) names.add(name)
    for (const child of insides(node)) mention(child)
  }
  const collect = (node: Algebra): void => {
    if (node.type === 'bgp') {
      for (const {predicate, object} of node.patterns) {
        const isValued = object.termType === 'Variable' && names.has(object.value)
        if (isValued && predicate.termType === 'NamedNode') found.set(predicate.value, predicate)
      }
    }
    if (node.type === 'path') {
      const isValued = [node.subject, node.object].some(end => end.termType === 'Variable' && names.has(end.value))
      if (isValued) for (const value of linksOf(node.path)) found.set(value, namedNode(value))
    }
    for (const child of insides(node)) collect(child)
  }
  mention(pattern)
  collect(pattern)
  return [...found.values()]
}
