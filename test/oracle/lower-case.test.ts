/**
 * Compares with the oracle: tests of texts in lower case. SQL lowers only ASCII letters if that is enough.
 *
 *   ORACLE_RUNS=2000 ORACLE_SEED=7 npm test -- test/oracle/lower-case.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {langLiteral, literal, namedNode, type Quad} from '../../src/rdf/term.ts'
import {givenSeed, oracleRuns, requireRightAnswer, useEngine} from './trial.ts'

const usualRuns = 200

/** ASCII, the characters whose lower case has an ASCII letter (Kelvin sign, I with a dot), and others with a case. */
const letters = fc.constantFrom(...'aAbkKiI1 .\u212a\u0130\u0131\u0307\u00dfÉéſΣς')
const text = fc.string({unit: letters, maxLength: 5})
const part = fc.oneof(
  fc.string({unit: fc.constantFrom(...'abki1K'), maxLength: 2}),
  fc.string({unit: letters, maxLength: 2}),
)
const tested = fc.tuple(
  fc.constantFrom('CONTAINS', 'STRSTARTS', 'STRENDS'),
  fc.constantFrom('LCASE(STR(?o))', 'LCASE(?o)', 'UCASE(STR(?o))'),
  part,
)

test('CONTAINS, STRSTARTS and STRENDS of a text in lower case', async t => {
  const {engine} = await useEngine(t)

  await fc.assert(
    fc.asyncProperty(fc.array(text, {maxLength: 8}), tested, async (texts, [name, of, word]) => {
      const quads = texts.map((value, n): Quad => {
        const object = n % 3 === 0 ? langLiteral(value, 'en') : literal(value)
        return {
          subject: namedNode(`http://e/${n}`),
          predicate: namedNode('http://e/p'),
          object,
          graph: namedNode('http://e/g'),
        }
      })
      const query = `SELECT * { ?s <http://e/p> ?o FILTER(${name}(${of}, "${word}")) }`
      await engine.load(quads, [])
      await requireRightAnswer(t, engine, quads, query)
    }),
    {numRuns: oracleRuns(usualRuns), ...givenSeed},
  )
})
