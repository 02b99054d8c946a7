/**
 * The shared parts of the comparisons with the oracle: an engine with a database of its own, random trials, and
 * descriptions of failures.
 *
 * ORACLE_RUNS is the number of trials; ORACLE_SEED repeats an earlier run.
 */
import type {ExecutionContext} from 'ava'
import fc from 'fast-check'
import {Problem} from '../../src/base/problem.ts'
import type {Database} from '../../src/db/connection/pool.ts'
import {findIds} from '../../src/db/query/rows.ts'
import {type NamedNode, namedNode, type Quad, quad, sameTerm} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'
import type {Query} from '../../src/sparql/algebra.ts'
import {parseQuery} from '../../src/sparql/parse/parse.ts'
import type {PredicateFrequency} from '../../src/sparql/plan/frequencies.ts'
import {translateQuery} from '../../src/sparql/translate/translate.ts'
import {createTestDatabase, testSchema} from '../support/postgres.ts'
import {differenceOf} from './comparison.ts'
import type {Engine} from './engine.ts'
import {storeOf} from './evaluator.ts'
import {createPostgresEngine} from './postgres-engine.ts'
import {predicates, type RandomDocument, withoutDuplicates} from './random-data.ts'

export type Trial = {
  readonly quads: readonly Quad[]
  readonly documents: readonly RandomDocument[]
  readonly text: string
}

/**
 * The number of trials of a property: the default or ORACLE_RUNS, for some properties a part of it. It must be a whole
 * number, because otherwise fast-check does not stop.
 */
export function oracleRuns(usual: number, part = 1): number {
  return Math.ceil(Number(process.env.ORACLE_RUNS ?? usual) * part)
}

export const givenSeed = process.env.ORACLE_SEED === undefined ? {} : {seed: Number(process.env.ORACLE_SEED)}

/** An engine for one test, closed when the test ends. */
export async function useEngine(
  t: ExecutionContext,
  optionsOf: (database: Database) => Parameters<typeof createPostgresEngine>[1] = () => ({}),
): Promise<{readonly database: Database; readonly engine: Engine}> {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  const engine = await createPostgresEngine(database, optionsOf(database))
  t.teardown(engine.close)
  return {database, engine}
}

/** Stores a triple of each predicate. @returns  the ids of the predicates, in their order */
export async function storePredicates(
  {database, engine}: {readonly database: Database; readonly engine: Engine},
  iris: readonly NamedNode[],
): Promise<readonly string[]> {
  const graph = namedNode('http://e/g')
  await engine.load(
    iris.map(predicate => quad(graph, predicate, graph, graph)),
    [],
  )
  const ids = await findIds(database, testSchema, iris.map(termKey))
  return iris.map(iri => {
    const id = ids.get(termKey(iri))
    if (id === undefined) throw new Error(`${iri.value} is not stored`)
    return id
  })
}

/** An engine whose statistics are made up: `counted` for each of the predicates, in their order. */
export async function useCountedEngine(
  t: ExecutionContext,
  counted: readonly PredicateFrequency[],
  {of = predicates, triples = 3_000_000}: {readonly of?: readonly NamedNode[]; readonly triples?: number} = {},
): Promise<Engine> {
  const frequencies = new Map<string, PredicateFrequency>() // by id; the ids are known when the terms are stored
  const {database, engine} = await useEngine(t, () => ({
    frequencies: async () => ({triples, predicates: frequencies, values: new Map()}),
  }))
  for (const [index, id] of (await storePredicates({database, engine}, of)).entries()) {
    const frequency = counted[index]
    if (frequency === undefined) throw new Error(`${of[index]?.value} has no frequency`)
    frequencies.set(id, frequency)
  }
  return engine
}

/** The prepared query; undefined for the few texts that are not valid. */
export function readQuery(text: string): Query | undefined {
  try {
    return translateQuery(parseQuery(text, 'http://e/'))
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return undefined
    throw error
  }
}

/** Requires that an engine which holds these quads answers a valid query as the oracle does. */
export async function requireRightAnswer(
  t: ExecutionContext,
  engine: Engine,
  quads: readonly Quad[],
  text: string,
): Promise<void> {
  const query = translateQuery(parseQuery(text, 'http://e/'))
  t.is(differenceOf(await engine.answer(text), query, storeOf(quads, query.dataset)), undefined, text)
}

/** Requires right answers to random queries over random quads. */
export async function requireRightAnswers(
  t: ExecutionContext,
  engine: Engine,
  {data, query, numRuns}: {data: fc.Arbitrary<readonly Quad[]>; query: fc.Arbitrary<string>; numRuns: number},
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(data, query, async (quads, text) => {
      await engine.load(quads, [])
      await requireRightAnswer(t, engine, quads, text)
    }),
    {numRuns, ...givenSeed},
  )
}

/**
 * Fails the test with the smallest trial whose answer differs from the oracle's.
 *
 * @param differenceIn  undefined if the answer is right
 */
export async function requireNoDifference<One extends Trial>(
  t: ExecutionContext,
  trials: fc.Arbitrary<One>,
  numRuns: number,
  differenceIn: (trial: One) => Promise<string | undefined>,
): Promise<void> {
  const property = fc.asyncProperty(trials, async trial => (await differenceIn(trial)) === undefined)
  const {failed, counterexample, seed} = await fc.check(property, {numRuns, ...givenSeed})
  const [trial] = counterexample ?? []
  const told = trial === undefined ? '' : `${await differenceIn(trial).catch(String)}\n${showTrial(trial)}`
  t.false(failed, `ORACLE_SEED=${seed}\n${told}`)
}

/**
 * docs/interface.md, Queries: a constructed triple is in each graph that stores it; one that is not stored is in none.
 */
export function inContexts(triples: readonly Quad[], stored: readonly Quad[]): readonly Quad[] {
  return triples.flatMap(triple => {
    const {subject, predicate, object} = triple
    const held = stored.filter(
      quad => sameTerm(quad.subject, subject) && sameTerm(quad.predicate, predicate) && sameTerm(quad.object, object),
    )
    return held.length === 0 ? [triple] : withoutDuplicates(held)
  })
}

/** @param tell  describes more of a document, by its position */
export function showTrial({text, quads, documents}: Trial, tell: (index: number) => string = () => ''): string {
  const lines = quads.map(quad => [quad.subject, quad.predicate, quad.object, quad.graph].map(termKey).join(' '))
  const parents = documents.map(
    ({iri, parent, memberBy}, index) =>
      `document ${iri.value} in ${parent?.value}, member by ${memberBy?.value}${tell(index)}`,
  )
  return [text, ...lines, ...parents].join('\n')
}
