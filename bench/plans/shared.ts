/**
 * Queries of one shape: the plan that they share, and a second query of the shape of a first one.
 */
import type {StoreFacts} from '../../src/db/query/facts.ts'
import type {StoredFrequencies} from '../../src/db/query/frequencies.ts'
import {constantText} from '../../src/db/query/short-answer.ts'
import {createPlanCache} from '../../src/query/plan-cache.ts'
import {optionsFor} from '../../src/query/plans.ts'
import {sharedPlan} from '../../src/query/shared-plans.ts'
import type {PreparedQuery} from '../../src/sparql/compile.ts'
import {liftableConstants, withParameters} from '../../src/sparql/lift.ts'
import type {Statements} from '../../test/plans/statements.ts'
import {testSchema as schema} from '../../test/support/postgres.ts'

/** A prepared statement, with the types of its parameters and the values of one query, as SQL. */
export type SharedStatement = {
  readonly text: string
  readonly types: string
  readonly values: string
  readonly isWalked: boolean
  readonly isMemoized: boolean
}

/** @returns  undefined if the query shares no plan */
export function sharedStatement(
  prepared: PreparedQuery,
  known: {readonly facts: StoreFacts; readonly frequencies: StoredFrequencies},
): SharedStatement | undefined {
  const query = {prepared, liftable: liftableConstants(prepared.query), plans: []}
  const plan = sharedPlan(createPlanCache(), query, known, state => optionsFor(schema, state))
  if (plan?.shared === undefined || plan.compiled.parameters.length > 0) return undefined
  const {ids, plan: shared} = plan.shared
  const generic = withParameters(shared.compiled.text, index => constantText(schema, 1 + 2 * index))
  if (generic === undefined || generic.order.length === 0) return undefined
  const types = generic.order.flatMap(() => ['int8', 'text'])
  const values = generic.order.flatMap(place => [ids[place] ?? 'null', 'null'])
  const {isWalked, isMemoized} = shared.compiled
  return {text: generic.text, types: types.join(', '), values: values.join(', '), isWalked, isMemoized}
}

const triple = /(\S+) (<[^>]*>) (<[^>]*>|"(?:[^"\\]|\\.)*"(?:@[\w-]+|\^\^<[^>]*>)?)? ?(\?\w+)? ?\./g

/**
 * A query of the same shape with other constants: the most frequent one of the same place for a rare one, and a rare
 * one for a frequent one. Undefined if the query has no such constant.
 */
export function exchangeConstants(text: string, data: Statements): string | undefined {
  const exchanged = text.replace(triple, (all, subject: string, predicate: string, object?: string) => {
    const statements = data.byPredicate.get(predicate) ?? []
    if (object !== undefined && statements.length > 0)
      return all.replace(object, () =>
        opposite(
          object,
          statements.map(({o}) => o),
        ),
      )
    if (subject.startsWith('<') && statements.length > 0)
      return all.replace(subject, () =>
        opposite(
          subject,
          statements.map(({s}) => s),
        ),
      )
    return all
  })
  return exchanged === text ? undefined : exchanged
}

/** The most frequent of the terms for a rare one, otherwise a term that is as rare as any. */
function opposite(term: string, terms: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const one of terms) counts.set(one, (counts.get(one) ?? 0) + 1)
  const ordered = [...counts].sort(([, left], [, right]) => right - left)
  const place = ordered.findIndex(([one]) => one === term)
  const [[most = term] = [], [least = term] = []] = [ordered[0], ordered.at(-1)]
  return place > ordered.length / 2 ? most : least
}
