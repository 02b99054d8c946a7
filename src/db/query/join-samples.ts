/**
 * Samples joins of triples.
 *
 * Reads only. The SQL function is in sql/functions/sparql/9_statistics.sql.
 */
import type {Frequencies, SampledMean} from '../../sparql/plan/frequencies.ts'
import {anyValue, leastSampled, sampledValues, sideOf} from '../../sparql/plan/join/sampled.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Queryable} from '../connection/pool.ts'

/** A side of a pattern, and the side that its values are from, by their keys (sampled.ts). */
export type AskedJoin = {readonly side: string; readonly from: string}

/**
 * The mean numbers of triples of joins, in their order. The least, also where there are no values, is half a triple for
 * all values of a sample.
 */
export async function readJoinSamples(
  queryable: Queryable,
  schema: string,
  joins: readonly AskedJoin[],
  {predicates}: Pick<Frequencies, 'predicates'>,
): Promise<readonly SampledMean[]> {
  const to = joins.map(({side}) => sideOf(side))
  const from = joins.map(join => (join.from === anyValue ? undefined : sideOf(join.from)))
  const starts = from.map(side => {
    const {quantiles = [], subjectsAt = []} = predicates.get(side?.predicate ?? '') ?? {}
    return [...quantiles, ...subjectsAt]
  })
  const isSubject = (side: {readonly end: 's' | 'o'} | undefined) => side?.end === 's'
  const text = `select means, errors
                  from ${quoteIdentifier(schema)}.sparql_join_samples($1, $2, $3, $4, $5, $6, $7, $8)`
  type Lists = Readonly<Record<'means' | 'errors', readonly (number | null)[]>>
  const [row] = await queryable.query<Lists>(text, [
    from.map(isSubject),
    from.map(side => side?.predicate ?? null),
    from.map(side => side?.other ?? null),
    starts.map(ids => `{${ids.join(',')}}`),
    to.map(isSubject),
    to.map(({predicate}) => predicate ?? null),
    to.map(({other}) => other ?? null),
    sampledValues / 2,
  ])
  return joins.map((_, index) => ({
    mean: Math.max(row?.means[index] ?? 0, leastSampled / 2),
    error: row?.errors[index] ?? Number.POSITIVE_INFINITY,
  }))
}
