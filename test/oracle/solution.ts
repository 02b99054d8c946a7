/** Solutions: variables to terms. Source: SPARQL 1.1 §18.1.8, §18.3. */
import {sameTerm, type Term} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'

export type Solution = ReadonlyMap<string, Term>

export const emptySolution: Solution = new Map()

/** §18.3: two solutions are compatible if no variable has different values. */
export function areCompatible(left: Solution, right: Solution): boolean {
  for (const [name, term] of left) {
    const other = right.get(name)
    if (other !== undefined && !sameTerm(term, other)) return false
  }
  return true
}

export function merge(left: Solution, right: Solution): Solution {
  return new Map([...left, ...right])
}

export function sharesVariable(left: Solution, right: Solution): boolean {
  return [...left.keys()].some(name => right.has(name))
}

export function restrict(solution: Solution, names: readonly string[]): Solution {
  return new Map([...solution].filter(([name]) => names.includes(name)))
}

/** A key that is equal for two solutions exactly if they are equal. */
export function solutionKey(solution: Solution): string {
  const parts = [...solution].map(([name, term]) => JSON.stringify([name, termKey(term)]))
  return parts.sort().join('\n')
}

export function withoutDuplicates(solutions: readonly Solution[]): readonly Solution[] {
  return [...new Map(solutions.map(solution => [solutionKey(solution), solution])).values()]
}
