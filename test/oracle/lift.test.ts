/**
 * Queries that differ only in constants share a plan: the plan is the one that each would have alone, and the answers
 * are those of the oracle.
 *
 *   ORACLE_RUNS=5000 npm test -- test/oracle/lift.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../src/base/problem.ts'
import {createPlanCache} from '../../src/query/plan-cache.ts'
import {optionsFor} from '../../src/query/plans.ts'
import {sharedPlan} from '../../src/query/shared-plans.ts'
import {firstMarkers} from '../../src/rdf/id-layout.ts'
import {compileQuery, type PreparedQuery, prepareQuery} from '../../src/sparql/compile.ts'
import {liftableConstants, liftConstants} from '../../src/sparql/lift.ts'
import {drawQuery} from '../plans/draw.ts'
import {kinds} from '../plans/kinds.ts'
import {readStatements} from '../plans/statements.ts'
import {createRandom} from '../support/random.ts'
import {differenceOf} from './comparison.ts'
import {storeOf} from './evaluator.ts'
import {derivedQuads, ownQuads, randomDocuments, randomQuads} from './random-data.ts'
import {randomQuery} from './random-query.ts'
import {typedQuery} from './random-typed.ts'
import {oracleRuns, readQuery, requireNoDifference, useEngine} from './trial.ts'

const base = 'http://e/'

function prepared(text: string): PreparedQuery | undefined {
  try {
    return prepareQuery(text, base)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** Ids of all constants, and statistics in which every other constant is frequent. */
function knownOf({constants}: PreparedQuery) {
  const ids = new Map(
    Array.from(constants.keys(), (key, index) => [
      key,
      String((key.startsWith('I') ? 2000n : 2n ** 62n + 2000n) + BigInt(index)),
    ]),
  )
  const all = [...ids.values()]
  const predicates = new Map(
    all.map((id, index) => [id, {triples: 5000 * (index + 1), subjects: 900, objects: 70, quantiles: [1n, 1n << 62n]}]),
  )
  const frequent = all.filter((_, index) => index % 2 === 1)
  const values = new Map(all.flatMap(predicate => frequent.map(object => [`${predicate} ${object}`, 600] as const)))
  const frequencies = {triples: 100_000, predicates, values, graphs: new Map(all.slice(0, 1).map(id => [id, 50_000]))}
  const facts = {
    names: '0',
    hasDocuments: true,
    memberRelations: ['100'],
    ids,
    extents: new Map(),
    uncopied: new Set<string>(),
    realms: undefined,
  }
  return {facts, frequencies}
}

/** Compares the shared plan of a query with its own. @returns the number of lifted constants */
function compare(query: PreparedQuery): {readonly lifted: number; readonly isEqual: boolean} {
  const [known, cache] = [knownOf(query), createPlanCache()]
  const optionsOf = (state: typeof known) => optionsFor('quadstead', state)
  const cached = {prepared: query, liftable: liftableConstants(query.query), plans: []}
  const shared = sharedPlan(cache, cached, known, optionsOf as Parameters<typeof sharedPlan>[3])
  if (shared === undefined) return {lifted: 0, isEqual: true}
  const alone = compileQuery(query, optionsOf(known))
  const {text, parameters, columns, rows, isWalked} = shared.compiled
  const isEqual =
    text === alone.text &&
    `${parameters}` === `${alone.parameters}` &&
    JSON.stringify(columns) === JSON.stringify(alone.columns) &&
    rows === alone.rows &&
    isWalked === alone.isWalked
  return {lifted: shared.shared?.ids.length ?? 0, isEqual}
}

test('the shared plan of a random query is its own plan', t => {
  const numRuns = oracleRuns(1000)
  let lifted = 0
  fc.assert(
    fc.property(fc.oneof(randomQuery, typedQuery), text => {
      const query = prepared(text)
      if (query === undefined) return
      const found = compare(query)
      lifted += found.lifted
      t.true(found.isEqual, text)
    }),
    {numRuns},
  )
  t.true(lifted > numRuns / 10, `${lifted} constants in ${numRuns} queries`)
})

test('the shared plan of a query that asks for a constant twice is its own plan', t => {
  const twice = '{ ?s :p :a . FILTER EXISTS { ?s :p :a } }'
  const inGraph = `{ GRAPH :g ${twice} }`
  const inSelect = '{ { SELECT ?s (COUNT(?x) AS ?n) { ?s :p :a ; :q ?x } GROUP BY ?s } ?s :p :a ; :r ?y }'
  for (const pattern of [twice, inGraph, inSelect]) {
    const query = prepared(`PREFIX : <http://e/> SELECT * ${pattern}`)
    t.true(query !== undefined && compare(query).isEqual, pattern)
  }
})

test('the shared plan of a query on each kind of data is its own plan', t => {
  const numRuns = oracleRuns(60)
  let lifted = 0
  for (const {name, write, isRaw, transitive} of kinds) {
    const data = readStatements([...write(3000)].join('\n').split('\n'), isRaw ? undefined : 'http://localhost:8080/')
    const random = createRandom(Number(process.env.ORACLE_SEED ?? Date.now() % 1e6))
    for (let run = 0; run < numRuns; run += 1) {
      const {text} = drawQuery(random, data, transitive)
      const query = prepared(text)
      if (query === undefined) continue
      const found = compare(query)
      lifted += found.lifted
      t.true(found.isEqual, `${name}: ${text}`)
    }
  }
  t.true(lifted > numRuns / 4, `${lifted} constants`)
})

test('numbers of a query are not taken for markers', t => {
  const markers = Object.values(firstMarkers)
  const terms = markers.flatMap(id => [`${id}`, `-${id}`, `${id}.5`, `1.${id}`, `${id}e0`])
  for (const term of terms) {
    const uses = [
      `FILTER(?x = ${term})`,
      `FILTER(?x < ${term})`,
      `BIND(?x + ${term} AS ?y)`,
      `?s <q> ${term}`,
      `VALUES ?x { ${term} 1 }`,
      `FILTER(?x IN (${term}, 2, 3))`,
      `BIND(SUBSTR(STR(?x), ${term}) AS ?y)`,
    ]
    for (const use of uses) {
      const text = `SELECT * { <a> <p> ?x ; <r> ?s . ?s <p> <b> , <c> , <d> . ${use} }`
      const query = prepared(text)
      if (query === undefined) continue
      const {lifted, isEqual} = compare(query)
      t.deepEqual([lifted > 0, isEqual], [true, true], text)
    }
  }
})

/** The same text with other nodes in place of its nodes, one of which is not stored. */
function turned(text: string, by: number): string {
  const names = ['a', 'b', 'c', 'absent']
  const next = (name: string) => names[(names.indexOf(name) + by) % names.length]
  return text.replace(/(?<=[\s({]):(a|b|c|absent)(?=[\s)}])/g, (_, name: string) => `:${next(name)}`)
}

test('queries that share a plan have the same answers as with the oracle', async t => {
  const {engine} = await useEngine(t)
  const trials = fc.record({quads: randomQuads, documents: randomDocuments, text: randomQuery})
  await requireNoDifference(t, trials, oracleRuns(150), async ({quads, documents, text}) => {
    const stored = [...quads, ...ownQuads(documents)]
    await engine.load(stored, documents)
    for (let by = 0; by < 4; by += 1) {
      const asked = turned(text, by)
      const query = readQuery(asked)
      if (query === undefined) continue
      const store = storeOf([...stored, ...derivedQuads(documents)], query.dataset)
      const difference = differenceOf(await engine.answer(asked), query, store)
      if (difference !== undefined) return `${asked}\n${difference}`
    }
    return undefined
  })
})

test('constants are lifted only where a plan cannot depend on them', t => {
  const lifted = (where: string) => liftableConstants(prepareQuery(`SELECT * { ${where} }`, base).query)
  t.deepEqual(lifted('<a> <p> ?x'), ['Ihttp://e/a'])
  t.deepEqual(lifted('<a> <p> "b"'), ['Ihttp://e/a', 'Lhttp://www.w3.org/2001/XMLSchema#string  b'])
  t.deepEqual(lifted('GRAPH <g> { <a> <p> ?x }'), ['Ihttp://e/a'])
  t.deepEqual(lifted('<a> <p> ?x FILTER(?x != <a>)'), [])
  t.deepEqual(lifted('<a> <p> "b"@en'), ['Ihttp://e/a'])
  t.deepEqual(lifted('<a> <p> 7 . ?p <a> ?x'), [])
  t.deepEqual(lifted('<a> <p>+ ?x . <b> <p>* ?y . ?x (<p>|<q>) <c>'), [])
  t.deepEqual(lifted('<a> ?p <b>'), ['Ihttp://e/a'])
  t.deepEqual(lifted('VALUES ?x { <a> } ?x <p> <b>'), ['Ihttp://e/b'])
})

test('a datatype that is also a node stays part of the query', t => {
  const rest = (name: string) => {
    const type = `http://e/${name}`
    const {query} = prepareQuery(`SELECT * { <${type}> <p> ?x . ?x <q> "1"^^<${type}> }`, base)
    return liftConstants(query, [`I${type}`]).rest
  }
  t.not(rest('one'), rest('two'))
})
