/**
 * Compares queries on the store as of a time with the oracle on what the store contained then.
 *
 * Random writes change a few documents, with moves, deletions and changes of members. From time to time the test notes
 * all quads. Then it asks random queries at random times.
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/past.test.ts
 */
import test, {type ExecutionContext} from 'ava'
import fc from 'fast-check'
import {createChecksumPool} from '../../src/checksum/pool.ts'
import {readVocabulary} from '../../src/db/store/dataset.ts'
import {createQueryService, type QueryService} from '../../src/query/answer.ts'
import {type NamedNode, namedNode, type Quad, quad, type Resource} from '../../src/rdf/term.ts'
import {platformVocabulary} from '../../src/rdf/vocabulary.ts'
import {testSchema as schema, schemaIdentifier} from '../support/postgres.ts'
import {createRandom, pick} from '../support/random.ts'
import {places, writeRandomly} from '../support/random-writes.ts'
import {platformNamespace, type TestStore, useStore} from '../support/store.ts'
import {differenceOf} from './comparison.ts'
import {storeOf} from './evaluator.ts'
import {collect} from './postgres-engine.ts'
import {literals} from './random-data.ts'
import {randomConstruct, randomQuery} from './random-query.ts'
import {givenSeed, oracleRuns, readQuery} from './trial.ts'

const steps = 60
const objects = [
  ...places.map(namedNode),
  ...literals.slice(0, 20),
  ...['a', 'b'].map(name => namedNode(`http://e/${name}`)),
]

type Moment = {readonly at: Date; readonly quads: readonly Quad[]}

/** A query of the usual vocabulary about the documents of this test. */
function aboutPlaces(text: string): string {
  const [first = '', second = '', third = ''] = places
  return text
    .replaceAll('<http://e/g>', `<${first}>`)
    .replaceAll('<http://e/h>', `<${second}>`)
    .replaceAll('<http://e/a>', `<${third}>`)
}

async function serviceOf(t: ExecutionContext, {made: {database}}: TestStore): Promise<QueryService> {
  const vocabulary = await readVocabulary(database, schema)
  const checksums = createChecksumPool()
  t.teardown(() => checksums.close())
  const platform = platformVocabulary(platformNamespace)
  return createQueryService({database, schema, vocabulary, timeoutMs: 20_000, checksums, platform})
}

const request = (text: string) => ({text, base: 'http://e/', preferences: {contexts: false, checksums: false}})

async function momentOf({made: {database}}: TestStore, service: QueryService): Promise<Moment> {
  const all = 'SELECT ?g ?s ?p ?o { GRAPH ?g { ?s ?p ?o } }'
  const answer = await service.answer(request(all), given => collect(given, new Map()))
  const rows = answer.type === 'solutions' ? answer.solutions : []
  const quads = rows.map(row =>
    quad(
      row.get('s') as Resource,
      row.get('p') as NamedNode,
      row.get('o') ?? namedNode('x'),
      row.get('g') as NamedNode,
    ),
  )
  await database.query('select pg_sleep(0.002)') // times of queries have milliseconds
  const [now] = await database.query<{at: Date}>('select clock_timestamp() as at')
  await database.query('select pg_sleep(0.002)')
  return {at: now?.at ?? new Date(), quads}
}

for (const run of [1, 2, 3]) {
  test(`random queries at random times have the answers of then: ${run}`, async t => {
    const store = await useStore(t)
    const service = await serviceOf(t, store)
    await store.made.database.query(`select ${schemaIdentifier}.keep_changes('forever')`)
    const random = createRandom((run + (givenSeed.seed ?? 0)) * 2_654_435_761)
    const moments: Moment[] = []
    for (let step = 0; step < steps; step++) {
      await writeRandomly(random, store, objects)
      if (random.chance(0.25)) moments.push(await momentOf(store, service))
    }

    const texts = fc.sample(fc.oneof({weight: 4, arbitrary: randomQuery}, randomConstruct), {
      numRuns: oracleRuns(40),
      seed: random.below(2 ** 31),
    })
    let compared = 0
    for (const usual of texts) {
      const text = aboutPlaces(usual)
      const query = readQuery(text)
      if (query === undefined) continue
      const {at, quads} = pick(random, moments)
      const answered = await service.answer({...request(text), at}, given => collect(given, new Map()))
      const difference = differenceOf(answered, query, storeOf(quads, query.dataset))
      t.is(difference, undefined, `${at.toISOString()}\n${text}`)
      compared++
    }
    t.true(compared > texts.length / 2)
  })
}
