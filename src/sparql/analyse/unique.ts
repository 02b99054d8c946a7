/**
 * Whether CONSTRUCT can create a triple twice, decided before the query runs.
 *
 * Pure. Sources: SPARQL 1.1 §16.2 (a set of triples), §18.3 (solutions of basic graph patterns are a set of
 * mappings, as a graph is a set).
 */
import type {Algebra, TemplateTriple} from '../algebra.ts'
import {hasSpellings} from './spellings.ts'
import {certainVariables} from './variables.ts'

/** Whether each solution creates another triple: the only template triple contains all variables of the pattern. */
export function makesDifferentTriples(template: readonly TemplateTriple[], pattern: Algebra): boolean {
  const [triple, ...others] = template
  if (triple === undefined || others.length > 0) return false
  if (pattern.type === 'filter') return makesDifferentTriples(template, pattern.input)
  if (pattern.type !== 'bgp' || pattern.patterns.some(hasSpellings)) return false
  const shown = new Set([triple.subject, triple.predicate, triple.object].map(term => `${term.termType} ${term.value}`))
  return [...certainVariables(pattern)].every(name => shown.has(`Variable ${name}`))
}
