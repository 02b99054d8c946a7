/**
 * Whether solutions can be equal, decided before the query runs: the variables that determine them.
 *
 * Pure. Sources: SPARQL 1.1 §18.3 (the solutions of a basic graph pattern are a set of mappings, as a graph is a set),
 * §16.2 (CONSTRUCT returns a set of triples); RDF 1.1 Concepts §3.3 (language tags).
 */
import type {Algebra, TemplateTriple, TriplePattern} from '../algebra.ts'
import {certainVariables} from './variables.ts'

/**
 * Whether equal solutions of a pattern may come from different triples: the tag of a literal matches in several
 * spellings, and the store may hold more than one.
 */
export function hasSpellings({object}: TriplePattern): boolean {
  return object.termType === 'Literal' && object.language !== ''
}

/** Variables that each solution binds, and no two solutions alike; undefined if there may be none. */
export function determiningVariables(node: Algebra): ReadonlySet<string> | undefined {
  switch (node.type) {
    case 'bgp':
      return node.patterns.some(hasSpellings) ? undefined : certainVariables(node)
    case 'graph': {
      const inner = determiningVariables(node.input)
      return inner && (node.name.termType === 'Variable' ? new Set([...inner, node.name.value]) : inner)
    }
    case 'join': {
      const [left, right] = [determiningVariables(node.left), determiningVariables(node.right)]
      return left && right && new Set([...left, ...right])
    }
    case 'group': {
      const keys = new Set(node.keys.map(({variable}) => variable))
      const certain = certainVariables(node)
      return [...keys].every(key => certain.has(key)) ? keys : undefined
    }
    case 'project': {
      const inner = determiningVariables(node.input)
      return inner && [...inner].every(name => node.variables.includes(name)) ? inner : undefined
    }
    case 'filter':
    case 'extend':
    case 'orderBy':
    case 'distinct':
    case 'slice':
      return determiningVariables(node.input)
    default:
      return undefined
  }
}

/** Whether each solution creates another triple: the template is one triple with all determining variables. */
export function makesDifferentTriples(template: readonly TemplateTriple[], pattern: Algebra): boolean {
  const [triple, ...others] = template
  const names = determiningVariables(pattern)
  if (triple === undefined || others.length > 0 || names === undefined) return false
  const shown = new Set([triple.subject, triple.predicate, triple.object].map(term => `${term.termType} ${term.value}`))
  return [...names].every(name => shown.has(`Variable ${name}`))
}
