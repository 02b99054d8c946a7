/**
 * DESCRIBE: the rows are the triples of the answer, each once (sparql/plan/describe.ts).
 */
import type {IdOrKeyTriple} from './construct.ts'
import {heldLimitsOf, tooMany} from './held-limits.ts'
import type {OpenRows} from './open-rows.ts'
import type {ProcessState} from './state.ts'

/**
 * The triples, in batches.
 *
 * @throws  Problem 422 `result-size`: the triples are about too many resources, which PostgreSQL holds in memory
 */
export async function* describe(process: ProcessState, {batches}: OpenRows): AsyncGenerator<readonly IdOrKeyTriple[]> {
  const limits = heldLimitsOf(process)
  let [count, last]: [number, string | null] = [0, null]
  for await (const rows of batches) {
    const triples: IdOrKeyTriple[] = []
    for (const [s = null, p = null, o = null] of rows) {
      if (s === null || s !== last) count += 1 // a resource has consecutive rows, or a single row of nulls
      last = s
      if (s !== null && p !== null && o !== null) triples.push({s, p, o})
    }
    if (count > limits.items) throw tooMany('resources', limits)
    if (triples.length > 0) yield triples
  }
}
