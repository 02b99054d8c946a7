/**
 * Compares the compiler with the oracle on data in which each predicate has one datatype, with random statistics.
 *
 *   ORACLE_RUNS=5000 ORACLE_SEED=7 npm test -- test/oracle/typed.test.ts
 */
import test, {type ExecutionContext} from 'ava'
import fc from 'fast-check'
import {findIds} from '../../src/db/query/rows.ts'
import {literal, namedNode, quad} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'
import {testSchema} from '../support/postgres.ts'
import {namespace} from './random-data.ts'
import {frequenciesOf, manyQuads, pagedQuery, randomCounts, typedQuads, typedQuery} from './random-typed.ts'
import {givenSeed, oracleRuns, requireRightAnswer, useEngine} from './trial.ts'

const usualRuns = 150
const names = ['int', 'dec', 'mix', 'time', 'local', 'day', 'bool', 'name', 'label', 'link']

/** An engine with given statistics instead of those of the store. */
async function useCounting(t: ExecutionContext) {
  let counts: readonly number[] = []
  const keys = names.map(name => `I${namespace}${name}`)
  const {engine} = await useEngine(t, database => ({
    async frequencies() {
      const ids = await findIds(database, testSchema, keys)
      return frequenciesOf(counts, key => ids.get(key))
    },
  }))
  const count = (next: readonly number[]) => {
    counts = next
  }
  return {engine, count}
}

test('queries on typed data have the same answers as with the oracle', async t => {
  const {engine, count} = await useCounting(t)

  await fc.assert(
    fc.asyncProperty(typedQuads, randomCounts, typedQuery, async (quads, counts, text) => {
      await engine.load(quads, [])
      count(counts)
      await requireRightAnswer(t, engine, quads, text)
    }),
    {numRuns: oracleRuns(usualRuns), ...givenSeed},
  )
})

test('pages put together are the whole answer in its order', async t => {
  const {engine, count} = await useCounting(t)

  await fc.assert(
    fc.asyncProperty(manyQuads, fc.array(randomCounts, {minLength: 2, maxLength: 4}), pagedQuery, async (...one) => {
      const [quads, counts, {text, length}] = one
      await engine.load(quads, [])
      const rows = async (query: string) => {
        const answer = await engine.answer(query)
        const solutions = answer.type === 'solutions' ? answer.solutions : []
        return solutions.map(solution => [...solution].map(([name, term]) => `${name} ${termKey(term)}`).join(', '))
      }
      const whole = await rows(text)
      const pages: string[] = []
      const step = Math.max(length, Math.ceil(whole.length / 8))
      for (let offset = 0; offset <= whole.length; offset += step) {
        count(counts[offset % counts.length] ?? [])
        pages.push(...(await rows(`${text} LIMIT ${step} OFFSET ${offset}`)))
      }
      t.deepEqual(pages, whole, text)
    }),
    {numRuns: oracleRuns(usualRuns, 1 / 3), ...givenSeed},
  )
})

const forms = [
  '5',
  '-12',
  '+5',
  ' 5\n',
  '007',
  '5.0',
  '.5',
  '2.50',
  '-0',
  '1e3',
  '99999999999999999999',
  '',
  'x',
  '5 5',
]
const templates = [
  'N + 1',
  'N * 0.25 - N',
  'N / 4 * 3',
  '7 / N',
  'FLOOR(N / 10) * 10',
  'CEIL(N / 7)',
  'CEIL(N * 0.3)',
  'ROUND(-(N / 2))',
  'ABS(N)',
  'IF(N > 5, N * 2, 1 - N)',
  'IF(N = 5, 0.5, N / 2)',
  'COALESCE(1 / N, 0.0)',
  'COALESCE(N + 1, 7)',
  'IF(N, 1, 2)',
  'N <= 5',
]

test('numbers that are cast from texts are calculated, grouped, added and sorted as with the oracle', async t => {
  const {engine} = await useCounting(t)
  const quads = forms.flatMap((form, index) => {
    const subject = namedNode(`${namespace}s${index % 7}`)
    return [quad(subject, namedNode(`${namespace}form`), literal(form), namedNode(`${namespace}g`))]
  })
  await engine.load(quads, [])
  const casts = ['integer', 'decimal', 'double'].flatMap(type =>
    ['?x', 'STR(?x)', 'SUBSTR(?x, 1, 2)'].map(text => `<http://www.w3.org/2001/XMLSchema#${type}>(${text})`),
  )
  const expressions = casts.flatMap(cast => templates.map(template => template.replace(/\bN\b/g, cast)))
  const queries = expressions.flatMap(expression => [
    `SELECT ?x (${expression} AS ?c) { ?s :form ?x } ORDER BY ?c`,
    `SELECT ?c (COUNT(*) AS ?n) { ?s :form ?x } GROUP BY (${expression} AS ?c) ORDER BY ?c`,
    `SELECT ?s (SUM(${expression}) AS ?c) { ?s :form ?x } GROUP BY ?s`,
  ])
  const ofCasts = casts.flatMap(cast => [
    `SELECT ?x ?d { ?s :form ?x BIND(${cast} AS ?c) BIND(?c / 2 AS ?d) } ORDER BY ?c`,
    `SELECT ?s (SUM(${cast}) AS ?c) (AVG(${cast}) AS ?d) (MIN(${cast}) AS ?m) { ?s :form ?x } GROUP BY ?s`,
  ])

  for (const query of [...queries, ...ofCasts]) {
    const text = `PREFIX : <${namespace}>\n${query}`
    await requireRightAnswer(t, engine, quads, text)
  }
})
