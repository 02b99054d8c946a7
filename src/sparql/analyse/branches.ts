/**
 * Splits a CONSTRUCT into independent parts. Its result is a set of triples, so independent OPTIONALs need no cross
 * product.
 *
 * Pure.
 *
 *   CONSTRUCT { T1 T2 } { M OPTIONAL A OPTIONAL B }
 *     =  CONSTRUCT { T1 } { M OPTIONAL A }  ∪  CONSTRUCT { T2 } { M OPTIONAL B }
 *
 * if A and B share only variables that each solution of M binds, and no triple of the template needs both. Other
 * OPTIONALs stay together.
 * Source: SPARQL 1.1 §16.2 (a set of triples), §18.5 (LeftJoin).
 */
import type {Algebra, TemplateTriple} from '../algebra.ts'
import {certainVariables, mentionedVariables, variablesIn} from './variables.ts'

type Optional = {readonly right: Algebra; readonly condition: Extract<Algebra, {type: 'leftJoin'}>['condition']}

export type Branches = {
  readonly trunk: Algebra // M
  readonly branches: readonly {readonly optionals: readonly Optional[]; readonly variables: readonly string[]}[]
}

/** @returns  undefined if the query does not split */
export function findBranches(template: readonly TemplateTriple[], pattern: Algebra): Branches | undefined {
  const optionals: Optional[] = []
  let trunk = pattern
  while (trunk.type === 'leftJoin') {
    optionals.unshift({right: trunk.right, condition: trunk.condition})
    trunk = trunk.left
  }
  const triples = template.map(namesOf)
  const hasBlank = template.some(({subject, object}) => [subject, object].some(term => term.termType === 'BlankNode'))
  if (optionals.length < 2 || hasBlank) return undefined

  const certain = certainVariables(trunk)
  const names = optionals.map(
    ({right, condition}) =>
      new Set(
        [...mentionedVariables(right), ...(condition === undefined ? [] : variablesIn(condition))].filter(
          name => !certain.has(name),
        ),
      ),
  )
  const groups = connected(optionals.length, [
    ...names.map(own => [...names.keys()].filter(other => [...own].some(name => names[other]?.has(name)))),
    ...triples.map(triple => [...names.keys()].filter(index => triple.some(name => names[index]?.has(name)))),
  ])
  if (groups.length < 2) return undefined
  return {
    trunk,
    branches: groups.map(group => {
      const own = new Set(group.flatMap(index => [...(names[index] ?? [])]))
      const served = triples.filter(triple => triple.some(name => own.has(name)))
      const isFirst = group.includes(0) // also creates the triples that need only the trunk
      const shown = isFirst ? [...served, ...triples.filter(triple => isOfTrunk(triple, names))] : served
      return {optionals: group.flatMap(index => optionals[index] ?? []), variables: [...new Set(shown.flat())]}
    }),
  }
}

function isOfTrunk(triple: readonly string[], names: readonly ReadonlySet<string>[]): boolean {
  return !triple.some(name => names.some(own => own.has(name)))
}

function namesOf({subject, predicate, object}: TemplateTriple): readonly string[] {
  return [subject, predicate, object].flatMap(term => (term.termType === 'Variable' ? [term.value] : []))
}

/** The connected components of the numbers 0 … count-1 under `links`, in order. */
function connected(count: number, links: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const leaders = Array.from({length: count}, (_, index) => index)
  for (const link of links) {
    const joined = new Set(link.map(index => leaders[index]))
    const least = Math.min(...link.map(index => leaders[index] ?? index))
    for (const [index, leader] of leaders.entries()) if (joined.has(leader)) leaders[index] = least
  }
  return [...new Set(leaders)].map(leader => [...leaders.keys()].filter(index => leaders[index] === leader))
}
