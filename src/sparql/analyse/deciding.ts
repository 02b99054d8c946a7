/**
 * Groups that do not change if solutions of their pattern are repeated: MIN, MAX, SAMPLE and aggregates of different
 * members.
 *
 * Pure. Source: SPARQL 1.1 §18.5.1 (aggregates of different members).
 */
import {type Algebra, type Expression, expressionsOf} from '../algebra.ts'
import {isVolatile} from './volatile.ts'

const ofDifferent: ReadonlySet<string> = new Set(['min', 'max', 'sample']) // aggregates that duplicates do not change

/** The expressions whose different values decide the groups of a pattern; undefined if duplicates count. */
export function decidingExpressions(group: Extract<Algebra, {type: 'group'}>): readonly Expression[] | undefined {
  const isDecided = group.aggregates.every(
    ({aggregate: {name, isDistinct, argument}}) => argument !== undefined && (isDistinct || ofDifferent.has(name)),
  )
  const expressions = expressionsOf(group)
  return isDecided && !expressions.some(isVolatile) ? expressions : undefined
}
