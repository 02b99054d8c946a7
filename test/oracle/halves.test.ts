/**
 * Compares chains between two constants with the oracle where statistics say that many triples are between them, so
 * that they are joined from both ends (src/sparql/plan/join/halves.ts).
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/halves.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {randomQuads} from './random-data.ts'
import {oracleRuns, requireRightAnswers, useCountedEngine} from './trial.ts'

const usualRuns = 100

const end = fc.constantFrom(':a', ':b', ':c')
const step = fc.tuple(fc.constantFrom(':p', ':q', ':r', '(:p|:q)'), fc.boolean())
const value = fc.option(fc.constantFrom(':p', ':q', ':r'), {nil: undefined})
const filters = [
  'FILTER(?x1 != ?x3)',
  'FILTER(?y1 = ?y2)',
  'FILTER(STR(?y0) <= STR(?y2))',
  'FILTER(?y0 < 2)',
  'FILTER(ISIRI(?x2))',
  'OPTIONAL { ?x1 :r ?z }',
  'VALUES ?x2 { :a :b "a" }',
  'MINUS { ?x2 :q :a }',
]

/** A path from one constant to another over ?x1, ?x2, …, each with a value ?y1, ?y2, … */
const chain = fc
  .tuple(
    end,
    end,
    fc.array(fc.tuple(step, value), {minLength: 3, maxLength: 6}),
    fc.subarray(filters, {maxLength: 2}),
    fc.constantFrom('*', '?x1', '(COUNT(*) AS ?n)', 'DISTINCT ?x2'),
  )
  .map(([first, last, steps, more, shown]) => {
    const nameOf = (place: number) => (place === 0 ? first : place === steps.length ? last : `?x${place}`)
    const patterns = steps.map(([[predicate, isForward], property], place) => {
      const [from, to] = [nameOf(place), nameOf(place + 1)]
      const own = property === undefined ? '' : `${from} ${property} ?y${place} . `
      return `${own}${isForward ? `${from} ${predicate} ${to}` : `${to} ${predicate} ${from}`} .`
    })
    return `PREFIX : <http://e/> SELECT ${shown} { ${patterns.join(' ')} ${more.join(' ')} }`
  })

test('chains that are joined from both ends have the same solutions as with the oracle', async t => {
  const counted = {triples: 1_000_000, subjects: 10_000, objects: 10_000, quantiles: [1n, 1n << 62n]}
  const engine = await useCountedEngine(t, [counted, counted, counted])

  await requireRightAnswers(t, engine, {data: randomQuads, query: chain, numRuns: oracleRuns(usualRuns)})
})
