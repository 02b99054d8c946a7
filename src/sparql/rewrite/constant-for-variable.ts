/**
 * Rewrite: a variable that a filter makes equal to an IRI becomes that IRI in the patterns. Estimates and index scans
 * then use it as if the query had it there.
 *
 *   filter(?v = <i> && c, A)  =>  extend(filter(c', A'), ?v, <i>)     A' and c' have <i> in place of ?v
 *
 * Pure. Applies if A is a conjunction that always binds ?v, or GRAPH ?v with one. An IRI is equal only to itself. The
 * end of a path that may have zero steps becomes a constant only if a triple has the variable too: there a constant
 * matches itself even if it is no node of the graph.
 * Source: SPARQL 1.1 §17.4.1.7 (RDFterm-equal), §18.4 (zero-length paths).
 */
import type {NamedNode} from '../../rdf/term.ts'
import {type Algebra, type Expression, mapChildren} from '../algebra.ts'
import {conjuncts, filterBy} from '../analyse/conjuncts.ts'
import {isBoundAt, isJoinedPattern, isVariable, placesOf, putTerm} from '../analyse/put-term.ts'
import {replaceInTests} from '../analyse/replace-variable.ts'

export function constantForVariable(tree: Algebra): Algebra {
  const node = mapChildren(tree, constantForVariable)
  return node.type === 'filter' ? withConstants(node.input, conjuncts(node.condition)) : node
}

function withConstants(input: Algebra, conditions: readonly Expression[]): Algebra {
  for (const condition of conditions) {
    const fixed = fixedBy(condition)
    const others = conditions.filter(one => one !== condition)
    const replaced = fixed && replaceInTests(others, fixed.name, {type: 'term', term: fixed.iri})
    if (fixed === undefined || replaced === undefined || !bindsAlways(input, fixed.name)) continue
    const {name, iri} = fixed
    const inside = withConstants(putTerm(input, fixed.name, fixed.iri), replaced)
    return {type: 'extend', input: inside, variable: name, expression: {type: 'term', term: iri}}
  }
  return filterBy(input, conditions)
}

type Fixed = {readonly name: string; readonly iri: NamedNode}

/** The variable and the IRI of `?v = <i>`, in either order, or of sameTerm. */
function fixedBy(condition: Expression): Fixed | undefined {
  if (condition.type !== 'call' || (condition.name !== '=' && condition.name !== 'sameTerm')) return undefined
  const [left, right] = condition.arguments
  const [held, given] = left?.type === 'variable' ? [left, right] : [right, left]
  if (held?.type !== 'variable' || given?.type !== 'term' || given.term.termType !== 'NamedNode') return undefined
  return {name: held.name, iri: given.term}
}

/** Whether a conjunction, or GRAPH with one, binds a variable by triples or as the name of the graph. */
function bindsAlways(node: Algebra, name: string): boolean {
  if (node.type !== 'graph') return isJoinedPattern(node) && isBoundAt(placesOf(node, name))
  if (!isJoinedPattern(node.input)) return false
  const places = placesOf(node.input, name)
  return isVariable(node.name, name) ? !places.has('zero steps') && hasTriples(node.input) : isBoundAt(places)
}

function hasTriples(conjunction: Algebra): boolean {
  if (conjunction.type === 'join') return hasTriples(conjunction.left) || hasTriples(conjunction.right)
  return conjunction.type === 'bgp' && conjunction.patterns.length > 0
}
