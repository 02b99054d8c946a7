/**
 * Groups that do not change if solutions of their pattern are repeated: MIN, MAX, SAMPLE and aggregates of different
 * members.
 *
 * Pure. Source: SPARQL 1.1 §18.5.1 (aggregates of different members).
 */
import type {Algebra, Expression} from '../algebra.ts'
import {isVolatile} from './volatile.ts'

const ofDifferent: ReadonlySet<string> = new Set(['min', 'max', 'sample']) // aggregates that duplicates do not change

/** The expressions whose different values decide the groups of a pattern; undefined if duplicates count. */
export function decidingExpressions({
  keys,
  aggregates,
}: Pick<Extract<Algebra, {type: 'group'}>, 'keys' | 'aggregates'>): readonly Expression[] | undefined {
  const expressions = keys.map(({expression}) => expression)
  for (const {aggregate} of aggregates) {
    const {name, isDistinct, argument} = aggregate
    if (argument === undefined || !(isDistinct || ofDifferent.has(name))) return undefined
    expressions.push(argument)
  }
  return expressions.some(isVolatile) ? undefined : expressions
}
