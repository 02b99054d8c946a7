/**
 * The compiler against the oracle: random queries over random data have the same answers.
 *
 *   npm test -- test/oracle/compare.test.ts                       400 queries, other ones each time
 *   ORACLE_RUNS=5000 ORACLE_SEED=7 npm test -- test/oracle/…      more, and the same again
 */
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../src/base/problem.ts'
import {type Quad, sameTerm, termKey} from '../../src/rdf/term.ts'
import type {Query} from '../../src/sparql/algebra.ts'
import {parseQuery} from '../../src/sparql/parse.ts'
import {translateQuery} from '../../src/sparql/translate.ts'
import {createTestDatabase} from '../support/postgres.ts'
import {answer} from './answer.ts'
import {differenceOf, quadsDifference} from './comparison.ts'
import type {Engine} from './engine.ts'
import {storeOf} from './evaluator.ts'
import {createPostgresEngine} from './postgres-engine.ts'
import {
  derivedQuads,
  ownQuads,
  type RandomDocument,
  randomDocuments,
  randomQuads,
  withoutDuplicates,
} from './random-data.ts'
import {randomConstruct, randomQuery} from './random-query.ts'

const numRuns = Number(process.env.ORACLE_RUNS ?? 400)
const given = process.env.ORACLE_SEED === undefined ? {} : {seed: Number(process.env.ORACLE_SEED)}

type Trial = {readonly quads: readonly Quad[]; readonly documents: readonly RandomDocument[]; readonly text: string}

const trial: fc.Arbitrary<Trial> = fc.record({quads: randomQuads, documents: randomDocuments, text: randomQuery})

/** Undefined for the few texts that are no query. */
function read(text: string): Query | undefined {
  try {
    return translateQuery(parseQuery(text, 'http://e/'))
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return undefined
    throw error
  }
}

async function differenceIn(engine: Engine, {quads, documents, text}: Trial): Promise<string | undefined> {
  const query = read(text)
  if (query === undefined) return undefined
  const stored = [...quads, ...ownQuads(documents)]
  await engine.load(stored, documents)
  return differenceOf(await engine.answer(text), query, storeOf([...stored, ...derivedQuads(documents)], query.dataset))
}

function show({quads, documents, text}: Trial): string {
  const lines = quads.map(quad => [quad.subject, quad.predicate, quad.object, quad.graph].map(termKey).join(' '))
  const parents = documents.map(
    ({iri, parent, memberBy}) => `document ${iri.value} in ${parent?.value}, member by ${memberBy?.value}`,
  )
  return [text, ...lines, ...parents].join('\n')
}

test('random queries have the answers of the oracle', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  const engine = await createPostgresEngine(database)

  const {failed, counterexample, seed} = await fc.check(
    fc.asyncProperty(trial, async one => (await differenceIn(engine, one)) === undefined),
    {numRuns, ...given},
  )

  if (!failed) return t.pass()
  const [one = {quads: [], documents: [], text: ''}] = counterexample ?? []
  const difference = await differenceIn(engine, one).catch(String)
  t.fail(`ORACLE_SEED=${seed}\n${difference}\n${show(one)}`)
})

/** The interface, endpoint 12: a returned triple stands in each graph that stores it, a made one in none. */
function inContexts(triples: readonly Quad[], stored: readonly Quad[]): readonly Quad[] {
  return triples.flatMap(triple => {
    const {subject, predicate, object} = triple
    const held = stored.filter(
      quad => sameTerm(quad.subject, subject) && sameTerm(quad.predicate, predicate) && sameTerm(quad.object, object),
    )
    return held.length === 0 ? [triple] : withoutDuplicates(held)
  })
}

test('constructed triples stand in the graphs that store them', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  const engine = await createPostgresEngine(database)

  await fc.assert(
    fc.asyncProperty(fc.record({quads: randomQuads, documents: randomDocuments, text: randomConstruct}), async one => {
      const query = read(one.text)
      if (query === undefined) return
      const stored = [...one.quads, ...ownQuads(one.documents)]
      const all = [...stored, ...derivedQuads(one.documents)]
      await engine.load(stored, one.documents)
      const made = answer(query, storeOf(all, undefined))
      const expected = made.type === 'graph' ? inContexts(made.quads, all) : []
      t.is(quadsDifference(await engine.construct(one.text), expected), undefined, show(one))
    }),
    {numRuns: numRuns / 4, ...given},
  )
})
