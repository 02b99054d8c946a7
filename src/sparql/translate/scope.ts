/**
 * The in-scope variables of a syntax tree, in the order of their first occurrence.
 *
 * Pure. Source: SPARQL 1.1 §18.2.1, table of in-scope variables.
 */
import type {SelectSyntax, SyntaxPath, SyntaxPattern, SyntaxTerm} from '../parse/syntax.ts'

export function scopeOfAll(patterns: readonly SyntaxPattern[]): Set<string> {
  return new Set(patterns.flatMap(pattern => [...scopeOf(pattern)]))
}

/** @returns  a new set, which the caller may change */
export function scopeOf(pattern: SyntaxPattern): Set<string> {
  switch (pattern.type) {
    case 'bgp':
      return new Set(
        pattern.triples.flatMap(({subject, predicate, object}) => [subject, predicate, object].flatMap(nameOf)),
      )
    case 'filter':
    case 'minus':
      return new Set()
    case 'bind':
      return new Set([pattern.variable.value])
    case 'values':
      return new Set(pattern.values.variables)
    case 'query':
      return selectedNames(pattern)
    case 'graph':
    case 'service':
      return new Set([...nameOf(pattern.name), ...scopeOfAll(pattern.patterns)])
    case 'group':
    case 'union':
    case 'optional':
      return scopeOfAll(pattern.patterns)
  }
}

/** The variables that a SELECT projects, in its order. */
export function selectedNames({variables, where = [], values}: SelectSyntax): Set<string> {
  return new Set(
    variables.flatMap(item => {
      if ('expression' in item) return [item.variable.value]
      if (item.termType === 'Variable') return [item.value]
      return [...scopeOfAll(where), ...(values?.variables ?? [])]
    }),
  )
}

function nameOf(term: SyntaxTerm | SyntaxPath): readonly string[] {
  return 'termType' in term && term.termType === 'Variable' ? [term.value] : []
}
