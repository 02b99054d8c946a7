/**
 * Aggregates in two steps: of parts of the members of a group, and of the results of all parts.
 *
 * Source: SPARQL 1.1 §18.5.1 (Aggregation).
 */
import type {Aggregate, Algebra, Expression} from '../../algebra.ts'

export type Group = Extract<Algebra, {type: 'group'}>
type Named = Group['aggregates'][number]

export type TwoSteps = {
  readonly first: readonly Named[]
  readonly second: readonly Named[]
  readonly extension?: {readonly variable: string; readonly expression: Expression} // computed from the second step
}

/**
 * The steps of an aggregate that is not DISTINCT. SAMPLE, MIN and MAX of the parts are those of the group, if equal
 * members are the same term. Sums are exact for integers only.
 *
 * @param index  of the aggregate in its group
 */
export function stepsOf(variable: string, {name, argument}: Aggregate, index: number): TwoSteps {
  const [part, count] = [`.part${index}`, `.members${index}`]
  if (name === 'count') return {first: [aggregate(count, name, argument)], second: [totalOfCounts(variable, count)]}
  if (name !== 'avg')
    return {first: [aggregate(part, name, argument)], second: [aggregate(variable, name, ofName(part))]}
  const [sum, members] = [`.total${index}`, `.number${index}`]
  return {
    first: [aggregate(part, 'sum', argument), aggregate(count, 'count', undefined)],
    second: [aggregate(sum, 'sum', ofName(part)), totalOfCounts(members, count)],
    extension: {variable, expression: {type: 'call', name: '/', arguments: [ofName(sum), ofName(members)]}},
  }
}

/** Adds what is computed from the second step. */
export function withExtensions(group: Algebra, steps: readonly TwoSteps[]): Algebra {
  return steps.reduce((input, {extension}) => (extension ? {type: 'extend', input, ...extension} : input), group)
}

function totalOfCounts(variable: string, count: string): Named {
  const {aggregate: total} = aggregate(variable, 'sum', ofName(count))
  return {variable, aggregate: {...total, isOfCounts: true}}
}

function aggregate(variable: string, name: Aggregate['name'], argument: Expression | undefined): Named {
  return {variable, aggregate: {name, argument, isDistinct: false, separator: ' '}}
}

export function ofName(name: string): Expression {
  return {type: 'variable', name}
}
