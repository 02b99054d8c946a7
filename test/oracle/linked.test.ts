/**
 * Compares with the oracle: joins of patterns that share no variable but a test of equality, and joins by a computed
 * term.
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/linked.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {namedNode, quad} from '../../src/rdf/term.ts'
import {namespace, randomQuads} from './random-data.ts'
import {typedQuads, typedValues} from './random-typed.ts'
import {givenSeed, oracleRuns, requireRightAnswer, useCountedEngine, useEngine} from './trial.ts'

const usualRuns = 120

const iri = (name: string) => namedNode(namespace + name)

/** A term computed from a variable. */
const computed = (name: string) =>
  fc.constantFrom(
    `?${name}`,
    `STR(?${name})`,
    `LCASE(STR(?${name}))`,
    `STRAFTER(STR(?${name}), "/e/")`,
    `STRLEN(STR(?${name}))`,
    `IRI(STR(?${name}))`,
    `STRDT(STR(?${name}), <http://www.w3.org/2001/XMLSchema#integer>)`,
    `COALESCE(?${name} + 1, ?${name})`,
    `ISLITERAL(?${name})`,
    `DATATYPE(?${name})`,
    `LANG(?${name})`,
  )

const predicate = fc.constantFrom(':p', ':q', ':r')
const [left, right] = [computed('l'), computed('m')]
const more = fc.constantFrom(
  '',
  'FILTER(?a != ?b)',
  'FILTER(?l = ?l)',
  'FILTER EXISTS { ?b :p ?a }',
  'FILTER(?x = ?m)',
  'FILTER NOT EXISTS { ?a :q ?z FILTER(?z < ?l) }',
  'FILTER EXISTS { ?z :r ?v OPTIONAL { ?b :q ?w } FILTER(?v != ?l && (?w = ?m || ISIRI(?v))) }',
)
const third = fc.constantFrom('', '?x :r ?y . FILTER(STR(?y) = STR(?m))', 'VALUES ?x { :a "a" 1 UNDEF }')

const second = fc.constantFrom(
  '?b :p ?m .',
  '?b :q ?m .',
  '{ ?b :p ?m } UNION { ?b :q ?m }',
  '{ ?b :p ?m } UNION { ?m :r ?b }',
)
const grouped = fc.boolean()

const linked = fc
  .tuple(predicate, second, left, right, more, third, grouped)
  .map(([p, pattern, one, other, filter, rest, isGrouped]) => {
    const shown = isGrouped ? '?l (COUNT(*) AS ?n) (COUNT(DISTINCT ?b) AS ?k)' : '*'
    const where = `{ ?a ${p} ?l . ${pattern} ${rest} FILTER(${one} = ${other}) ${filter} }`
    return `SELECT ${shown} ${where} ${isGrouped ? 'GROUP BY ?l' : ''}`
  })
const joined = fc
  .tuple(predicate, predicate, left, fc.constantFrom('?x', '?b'), fc.boolean(), more)
  .map(([p, q, one, name, isFirst, filter]) => {
    const [bound, pattern] = [`{ ?a ${p} ?l BIND(${one} AS ${name}) }`, `?b ${q} ?x .`]
    return `SELECT * { ${isFirst ? `${pattern} ${bound}` : `${bound} ${pattern}`} ${filter} }`
  })
const extreme = fc
  .tuple(predicate, predicate, fc.constantFrom('MAX(STR(?l))', 'MIN(STR(?l))', 'COUNT(?l)', 'SUM(?l)'))
  .map(([p, q, aggregate]) => `SELECT * { ?b ${q} ?x { SELECT (${aggregate} AS ?x) { ?a ${p} ?l } } }`)

const kinds = fc.constantFrom(
  'int',
  'dec',
  'mix',
  'num',
  'measure',
  'wide',
  'fine',
  'real',
  'time',
  'local',
  'stamp',
  'day',
  'moment',
  'loose',
  'bool',
  'name',
  'label',
  'clock',
  'odd',
  'long',
  'instant',
  'link',
)
const equalities = fc.constantFrom(
  '?l = ?m',
  '?l = IRI(STR(?m))',
  'COALESCE(?l, 1) = ?m',
  'IF(BOUND(?l), ?l, 1) = IRI(STR(?m))',
  'STRDT(STR(?l), <http://www.w3.org/2001/XMLSchema#double>) = ?m',
)

test('patterns that an equality of typed values connects have the same solutions as with the oracle', async t => {
  const {engine} = await useEngine(t)

  await fc.assert(
    fc.asyncProperty(typedQuads, kinds, kinds, equalities, async (quads, left, right, equality) => {
      const text = `PREFIX : <http://e/> SELECT * { ?a :${left} ?l . ?b :${right} ?m FILTER(${equality}) }`
      await engine.load(quads, [])
      await requireRightAnswer(t, engine, quads, text)
    }),
    {numRuns: oracleRuns(usualRuns), ...givenSeed},
  )
})

test('numbers of all kinds that are equal are found, and no others', async t => {
  const {engine} = await useEngine(t)
  const numbers = ['int', 'dec', 'mix', 'num', 'measure', 'half', 'wide', 'fine', 'real', 'loose']
  const quads = numbers.flatMap(kind =>
    (typedValues[kind] ?? []).map((value, n) => quad(iri(`s${n}`), iri(kind), value, iri('g'))),
  )
  await engine.load(quads, [])

  for (const left of numbers) {
    for (const right of numbers) {
      for (const test of [
        '?l = ?m',
        '?l + 1 = ?m + 1',
        'ABS(?l) = ?m',
        '?l * 1.1 < ?m',
        'xsd:integer(?l) >= xsd:decimal(?m)',
      ]) {
        const text = `PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> PREFIX : <${namespace}> SELECT * { ?a :${left} ?l . ?b :${right} ?m FILTER(${test}) }`
        await requireRightAnswer(t, engine, quads, text)
      }
    }
  }
})

test('times of all kinds are equal, in order, or in none, as with the oracle', async t => {
  const {engine} = await useEngine(t)
  const times = ['time', 'local', 'stamp', 'day', 'moment', 'loose', 'instant']
  const quads = times.flatMap(kind =>
    (typedValues[kind] ?? []).map((value, n) => quad(iri(`s${n}`), iri(kind), value, iri('g'))),
  )
  await engine.load(quads, [])

  for (const left of times) {
    for (const right of times) {
      for (const test of ['?l = ?m', '?l < ?m', '?l >= ?m', '!(?l <= ?m)', '?l != ?m', 'COALESCE(?n, ?l) > ?m']) {
        const optional = test.includes('?n') ? `OPTIONAL { ?b :${left} ?n }` : ''
        const text = `PREFIX : <${namespace}> SELECT * { ?a :${left} ?l . ?b :${right} ?m ${optional} FILTER(${test}) }`
        await requireRightAnswer(t, engine, quads, text)
      }
    }
  }
})

test('patterns that a test or a computed term connects have the same solutions as with the oracle', async t => {
  // So many that terms are looked up together.
  const counted = {triples: 1000, subjects: 100, objects: 100, quantiles: [1n, 1n << 62n]}
  const engine = await useCountedEngine(t, [counted, counted, counted])

  await fc.assert(
    fc.asyncProperty(randomQuads, fc.oneof(linked, joined, extreme), async (quads, pattern) => {
      const text = `PREFIX : <http://e/> ${pattern}`
      await engine.load(quads, [])
      await requireRightAnswer(t, engine, quads, text)
    }),
    {numRuns: oracleRuns(usualRuns), ...givenSeed},
  )
})
