/** Puts a term in place of a variable of a conjunction, or of GRAPH with one. Pure. */
import {type Algebra, mapChildren, type PatternTerm} from '../algebra.ts'
import {isByTriples} from './by-triples.ts'

/** Whether a pattern is joined from triple patterns and paths alone. */
export function isJoinedPattern(node: Algebra): boolean {
  if (node.type === 'join') return isJoinedPattern(node.left) && isJoinedPattern(node.right)
  return node.type === 'bgp' || node.type === 'path'
}

type Place = 'node' | 'predicate' | 'path' | 'zero steps' // of a triple, of a triple, ends of paths

/** Where a conjunction has a variable. */
export function placesOf(node: Algebra, name: string): ReadonlySet<Place> {
  if (node.type === 'join') return new Set([...placesOf(node.left, name), ...placesOf(node.right, name)])
  const places = new Set<Place>()
  if (node.type === 'path' && (isVariable(node.subject, name) || isVariable(node.object, name)))
    places.add(isByTriples(node.path) ? 'path' : 'zero steps')
  for (const {subject, predicate, object} of node.type === 'bgp' ? node.patterns : []) {
    if (isVariable(subject, name) || isVariable(object, name)) places.add('node')
    if (isVariable(predicate, name)) places.add('predicate')
  }
  return places
}

/**
 * Whether such places always bind a variable by triples. A path that may have zero steps also matches a term that is no
 * node of the graph, if the query has it there.
 */
export function isBoundAt(places: ReadonlySet<Place>): boolean {
  return places.has('node') || (places.size > 0 && !places.has('zero steps'))
}

export function isVariable(term: PatternTerm, name: string): boolean {
  return term.termType === 'Variable' && term.value === name
}

/** The pattern with a term in place of a variable. */
export function putTerm<Put extends PatternTerm & {termType: 'NamedNode' | 'Variable'}>(
  node: Algebra,
  name: string,
  by: Put,
): Algebra {
  const put = <Kept extends PatternTerm>(term: Kept): Kept | Put => (isVariable(term, name) ? by : term)
  switch (node.type) {
    case 'graph':
      return {...node, name: put(node.name), input: putTerm(node.input, name, by)}
    case 'path':
      return {...node, subject: put(node.subject), object: put(node.object)}
    case 'bgp':
      return {
        ...node,
        patterns: node.patterns.map(({subject, predicate, object}) => {
          return {subject: put(subject), predicate: put(predicate), object: put(object)}
        }),
      }
    default:
      return mapChildren(node, child => putTerm(child, name, by))
  }
}
