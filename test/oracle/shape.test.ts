/**
 * A query that is filled into a cached shape is equal to the parsed query.
 *
 *   ORACLE_RUNS=5000 npm test -- test/oracle/shape.test.ts
 */
import {isDeepStrictEqual} from 'node:util'
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../src/base/problem.ts'
import {templateOf} from '../../src/query/prepare.ts'
import {type PreparedQuery, prepareQuery, refill} from '../../src/sparql/compile.ts'
import {shapeOf} from '../../src/sparql/shape.ts'
import {randomQuery} from './random-query.ts'
import {typedQuery} from './random-typed.ts'
import {oracleRuns} from './trial.ts'

const numRuns = oracleRuns(500)
const base = 'http://e/'

function prepared(text: string): PreparedQuery | undefined {
  try {
    return prepareQuery(text, base)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** The same text with other numbers, strings and IRIs. */
function changed(text: string, by: number): string {
  return text
    .replace(/(?<![\w.:"'@-])\d{1,6}(?![\w.])/g, digits => String(Number(digits) + by))
    .replace(/"([^"\\\r\n]*)"/g, (_, inside) => `"${inside}${by}"`)
    .replace(/<(http:[^>#]*)>(?!\s*$)/g, (whole, iri) => (iri === base ? whole : `<${iri}${by}>`))
}

test('a query filled into its shape is the query parsed', t => {
  let filled = 0
  fc.assert(
    fc.property(fc.oneof(randomQuery, typedQuery), fc.integer({min: 1, max: 99}), (text, by) => {
      const first = prepared(text)
      const shape = shapeOf(text)
      if (first === undefined || shape === undefined) return
      const template = templateOf(shape, first, base, undefined)
      const other = changed(text, by)
      const otherShape = shapeOf(other)
      if (template === undefined || otherShape?.shape !== shape.shape) return
      filled += 1
      const expected = prepared(other)
      t.true(isDeepStrictEqual(refill(template, otherShape.constants), expected), `${text}\n${other}`)
    }),
    {numRuns},
  )
  t.true(filled > numRuns / 10, `${filled} of ${numRuns} shapes were filled`)
})

test('constants that are not values of the query stay in the shape', t => {
  const texts = [
    'PREFIX : <http://a/> SELECT * { :s :p "x" }',
    'PREFIX : <http://b/> SELECT * { :s :p "x" }',
    'BASE <http://a/> SELECT * { <s> <p> "x" }',
    'BASE <http://b/> SELECT * { <s> <p> "x" }',
    'SELECT * { ?s ?p "1"^^<http://a/t> }',
    'SELECT * { ?s ?p "1"^^<http://b/t> }',
    'SELECT * { ?s ?p "1"@en }',
    'SELECT * { ?s ?p "1"@de }',
    'SELECT * { ?s ?p "a", "a" }',
    'SELECT * { ?s ?p "a", "b" }',
    'SELECT * { ?s ?p 1 }',
    'SELECT * { ?s ?p 1.5 }',
    'SELECT * { ?s ?p "1" }',
    'SELECT * { ?s ?p -1 }',
    'SELECT * { ?s ?p +1 }',
    'SELECT * { ?s ?p1 "1" }',
    'SELECT * { ?s ?p2 "1" }',
  ]

  const shapes = texts.map(text => shapeOf(text)?.shape)

  t.false(shapes.includes(undefined))
  t.is(new Set(shapes).size, texts.length)
})

test('queries that differ in their constants have one shape', t => {
  const texts = [
    'SELECT * { <http://a/> ?p "x", 5, 5.5 # <http://a/>\n } LIMIT 10 OFFSET 20',
    "SELECT * { <http://b/c#d> ?p 'y', 70, 0.25 # <http://a/>\n } LIMIT 1 OFFSET 3",
  ]

  const [first, second] = texts.map(shapeOf)

  t.is(first?.shape, second?.shape)
  t.deepEqual(second?.constants, ['http://b/c#d', 'y', '70', '0.25', '1', '3'])
})
