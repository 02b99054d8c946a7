/**
 * Algebra that is written as SPARQL and parsed again has the same answers, for random queries.
 *
 *   ORACLE_RUNS=5000 npm test -- test/oracle/text.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import type {Algebra} from '../../src/sparql/algebra.ts'
import {writeSelect} from '../../src/sparql/print/sparql-text.ts'
import {rewriteAlgebra} from '../../src/sparql/rewrite/all.ts'
import {answer} from './answer.ts'
import {differenceOf} from './comparison.ts'
import {storeOf} from './evaluator.ts'
import {randomQuads} from './random-data.ts'
import {randomQuery} from './random-query.ts'
import {oracleRuns, readQuery} from './trial.ts'

const numRuns = oracleRuns(500)

/** A sub-select keeps no order, so the order of the whole query is omitted. */
function unordered(node: Algebra): Algebra {
  switch (node.type) {
    case 'orderBy':
      return node.input
    case 'slice':
    case 'distinct':
    case 'reduced':
    case 'project':
      return {...node, input: unordered(node.input)}
    default:
      return node
  }
}

test('a pattern that is written and parsed again has the same solutions', t => {
  fc.assert(
    fc.property(randomQuads, randomQuery, (quads, text) => {
      const given = readQuery(text)
      if (given?.form !== 'select' || given.variables.length === 0) return
      const query = {...given, pattern: unordered(rewriteAlgebra(given.pattern, () => undefined))}
      const store = storeOf(quads, query.dataset)

      const written = writeSelect(query.pattern, query.variables)

      const again = readQuery(written)
      t.truthy(again, written)
      if (again !== undefined) t.is(differenceOf(answer(again, store), query, store), undefined, `${text}\n${written}`)
    }),
    {numRuns},
  )
})
