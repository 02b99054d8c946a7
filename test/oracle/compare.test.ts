/**
 * Compares the compiler with the oracle: random queries on random data have the same answers.
 *
 *   npm test -- test/oracle/compare.test.ts                       250 queries, different ones each time
 *   ORACLE_RUNS=5000 ORACLE_SEED=7 npm test -- test/oracle/…      more queries, repeatable
 */
import test from 'ava'
import fc from 'fast-check'
import {answer} from './answer.ts'
import {differenceOf, quadsDifference} from './comparison.ts'
import type {Engine} from './engine.ts'
import {storeOf} from './evaluator.ts'
import {derivedQuads, ownQuads, randomDocuments, randomQuads} from './random-data.ts'
import {randomConstruct, randomQuery} from './random-query.ts'
import {
  givenSeed,
  inContexts,
  oracleRuns,
  readQuery,
  requireNoDifference,
  showTrial,
  type Trial,
  useEngine,
} from './trial.ts'

const usualRuns = 250

const trialOf = (text: fc.Arbitrary<string>): fc.Arbitrary<Trial> =>
  fc.record({quads: randomQuads, documents: randomDocuments, text})

async function differenceIn(engine: Engine, {quads, documents, text}: Trial): Promise<string | undefined> {
  const query = readQuery(text)
  if (query === undefined) return undefined
  const stored = [...quads, ...ownQuads(documents)]
  await engine.load(stored, documents)
  return differenceOf(await engine.answer(text), query, storeOf([...stored, ...derivedQuads(documents)], query.dataset))
}

test('random queries have the same answers as with the oracle', async t => {
  const {engine} = await useEngine(t)

  await requireNoDifference(t, trialOf(randomQuery), oracleRuns(usualRuns), trial => differenceIn(engine, trial))
})

test('constructed triples are in the graphs that store them', async t => {
  const {engine} = await useEngine(t)

  await fc.assert(
    fc.asyncProperty(trialOf(randomConstruct), async one => {
      const query = readQuery(one.text)
      if (query === undefined) return
      const stored = [...one.quads, ...ownQuads(one.documents)]
      const all = [...stored, ...derivedQuads(one.documents)]
      await engine.load(stored, one.documents)
      const made = answer(query, storeOf(all, undefined))
      const expected = made.type === 'graph' ? inContexts(made.quads, all) : []
      t.is(quadsDifference(await engine.construct(one.text), expected), undefined, showTrial(one))
    }),
    {numRuns: oracleRuns(usualRuns, 1 / 4), ...givenSeed},
  )
})
