/**
 * Compares arithmetic of times and durations with the oracle: in rows, filters, groups and orders, of stored and of
 * constant terms.
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/durations.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {type Literal, literal, type NamedNode, namedNode, type Quad} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'
import {xsd, xsdNamespace} from '../../src/rdf/vocabulary.ts'
import {givenSeed, oracleRuns, requireRightAnswers, useEngine} from './trial.ts'

const usualRuns = 300

const iri = (name: string | number) => namedNode(`http://e/${name}`)
const quad = (subject: NamedNode, predicate: string, object: NamedNode | Literal): Quad => {
  return {subject, predicate: iri(predicate), object, graph: iri('graph')}
}
const of = (datatype: string, ...forms: readonly string[]) => forms.map(form => literal(form, datatype))

const zoned = of(xsd.dateTime, '2020-02-29T12:00:00Z', '2020-03-01T00:30:00.500+02:00', '1999-12-31T23:59:59.999Z')
const micro = of(xsd.dateTime, '2020-01-01T00:00:00.000001Z', '2020-02-29T12:00:00Z')
const local = of(xsd.dateTime, '2020-02-29T12:00:00', '2021-01-31T24:00:00', '2020-01-01T00:00:00.000001')
const fine = of(xsd.dateTime, '2020-01-01T00:00:00.0000010Z', '-0044-03-15T12:00:00Z', '12020-01-01T00:00:00Z')
const stamps = of(xsd.dateTimeStamp, '2020-02-29T12:00:00Z', '0001-01-01T00:00:00+14:00')
const days = of(xsd.date, '2020-02-29', '2020-01-31', '1999-12-31', '9999-12-31')
const zonedDays = of(xsd.date, '2020-02-29Z', '2020-03-01+01:00', '2020-03-01-05:00')
const clocks = of(xsd.time, '10:00:00', '23:59:59.5', '24:00:00', '00:00:00')
const zonedClocks = of(xsd.time, '10:00:00Z', '09:30:00-01:00', '9:00:00')
const spans = of(xsd.dayTimeDuration, 'PT36H', 'P1DT12H', '-PT0.5S', 'PT0S', 'P10D', 'P2D', 'P1M', 'PT1H30M15.25S')
const months = of(xsd.yearMonthDuration, 'P1M', 'P1Y', 'P12M', '-P13M', 'P0M', 'P1D')
const others = of(xsd.duration, 'P1M', 'PT1H', 'P1M1D', '-P1Y1DT1S', 'P')
const years = [
  ...of(xsd.gYear, '2020', '1999Z', '-0044', '12020', '0000', '99'),
  ...of(xsd.gYearMonth, '2020-02', '1999-12+01:00', '2020-13', '12020-01'),
]
const numbers = [...of(xsd.integer, '2', '-3', '0'), ...of(xsd.decimal, '0.5', '1.25'), ...of(xsd.double, '1e0', 'NaN')]
const strange = [literal('x'), literal('P1D'), ...of('http://e/type', 'P1D'), ...of(xsd.gYear, '2020'), iri('node')]

const pools: readonly (readonly (Literal | NamedNode)[])[] = [
  ...[zoned, micro, local, fine, stamps, days, zonedDays, clocks, zonedClocks, spans, months, others, numbers],
  [...zoned, ...micro],
  [...zoned, ...local],
  [...zoned, ...local, ...fine],
  [...days, ...zonedDays],
  [...days, ...zoned],
  [...clocks, ...zonedClocks, ...zoned],
  [...spans, ...months, ...others],
  [...spans, ...numbers],
  [...zoned, ...spans],
  [...zoned, ...numbers, ...strange],
  [...spans, ...strange],
  [...of('http://e/type', '2020-01-01', '2020-01-02'), ...of(xsd.dateTime, '2020-01-01', '2020-01-05'), ...zoned],
  years,
  [...years, ...days, ...zoned, ...strange],
]
/** Pools of operands that have results with each other. */
const pairs: fc.Arbitrary<readonly [readonly (Literal | NamedNode)[], readonly (Literal | NamedNode)[]]> = fc.oneof(
  fc.constantFrom(...pools).map(pool => [pool, pool] as const),
  fc.tuple(fc.constantFrom(...pools), fc.constantFrom(spans, months, others, numbers)),
  fc.tuple(fc.constantFrom(...pools), fc.constantFrom(...pools)),
)
const items = pairs.chain(([xs, ys]) =>
  fc.array(fc.tuple(fc.constantFrom(...xs), fc.constantFrom(...ys), fc.integer({min: 0, max: 1})), {
    minLength: 1,
    maxLength: 6,
  }),
)
const data = items.map(made =>
  made.flatMap(([x, y, group], n) => [
    quad(iri(`i${n}`), 'x', x),
    quad(iri(`i${n}`), 'y', y),
    quad(iri(`i${n}`), 'group', iri(group)),
  ]),
)

const sign = fc.constantFrom('-', '-', '-', '+', '*', '/')
const constants = fc.constantFrom(
  ...[...zoned, ...days, ...clocks.slice(0, 1), ...spans, ...months, ...others].map(
    ({value, datatype}) => `"${value}"^^<${datatype.value}>`,
  ),
)
const side = fc.oneof({weight: 5, arbitrary: fc.constantFrom('?x', '?y')}, {weight: 2, arbitrary: constants})
const simple = fc.tuple(side, sign, side).map(([one, name, other]) => `(${one} ${name} ${other})`)
const expression = fc.oneof(
  {weight: 4, arbitrary: simple},
  fc
    .tuple(
      simple,
      sign,
      fc.oneof(simple, constants, fc.constantFrom('?x', '2', '0.5', '-3.0e0', '"PT1H"^^xsd:dayTimeDuration')),
    )
    .map(([one, name, other]) => `(${one} ${name} ${other})`),
  fc
    .tuple(fc.constantFrom('DATATYPE', 'YEAR', 'ABS', 'BOUND'), simple)
    .map(([name, one]) => (name === 'BOUND' ? `COALESCE(${one}, 0)` : `${name}(${one})`)),
  fc
    .tuple(
      fc.constantFrom('YEAR', 'MONTH', 'DAY', 'HOURS', 'MINUTES', 'SECONDS', 'TZ', 'TIMEZONE'),
      fc.oneof(side, simple),
    )
    .map(([name, one]) => `${name}(${one})`),
  fc
    .tuple(
      fc.constantFrom(
        'time',
        'date',
        'dateTime',
        'gYear',
        'gYearMonth',
        'duration',
        'dayTimeDuration',
        'yearMonthDuration',
      ),
      fc.oneof(
        side,
        simple,
        side.map(one => `STR(${one})`),
      ),
    )
    .map(([name, one]) => `xsd:${name}(${one})`),
  simple.map(one => `IF(${one} > "PT1H"^^xsd:dayTimeDuration, ${one}, ?x)`),
)
const sized = fc.constantFrom(...spans.map(({value, datatype}) => `"${value}"^^<${datatype.value}>`))
const moved = fc
  .tuple(fc.constantFrom('?x', '?y'), fc.constantFrom('+', '-'), sized)
  .map(([one, name, by]) => `(${one} ${name} ${by})`)
const compares = fc.constantFrom('<', '>', '<=', '>=', '=', '!=')
const comparison = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.oneof(expression, moved), compares, fc.oneof(expression, constants, moved, fc.constantFrom('?x', '?y')))
      .map(parts => parts.join(' ')),
  },
  fc
    .tuple(fc.constantFrom('?x', '?y'), compares, fc.constantFrom('1999', '2020'))
    .map(([x, s, year]) => `YEAR(${x}) ${s} ${year}`),
)

const counts = (one: string) => `(COUNT(${one}) AS ?n) (COUNT(DISTINCT ${one}) AS ?d) (SUM(${one}) AS ?t)`

const query = fc
  .tuple(
    expression,
    comparison,
    fc.constantFrom('rows', 'filtered', 'grouped', 'counted', 'bound', 'ordered', 'joined'),
  )
  .map(([one, test, form]) => {
    const where = '?s :x ?x ; :y ?y ; :group ?g'
    const forms: Readonly<Record<typeof form, string>> = {
      rows: `SELECT ?s (${one} AS ?c) { ${where} }`,
      filtered: `SELECT ?s { ${where} FILTER(${test}) }`,
      grouped: `SELECT ?c (COUNT(*) AS ?n) { ${where} } GROUP BY (${one} AS ?c)`,
      counted: `SELECT ?g ${counts(one)} { ${where} } GROUP BY ?g`,
      bound: `SELECT ?s ?c { ${where} BIND(${one} AS ?c) FILTER(${test}) FILTER(!BOUND(?c) || ?c != ?y) }`,
      ordered: `SELECT ?s ?c { ${where} BIND(${one} AS ?c) } ORDER BY DESC(?c) ?s`,
      joined: `SELECT ?s ?t ?c { ${where} BIND(${one} AS ?c) OPTIONAL { ?t :x ?c } }`,
    }
    return `PREFIX : <http://e/> PREFIX xsd: <${xsdNamespace}> ${forms[form]}`
  })

test('times and durations are added, subtracted and compared as with the oracle', async t => {
  const {engine} = await useEngine(t)

  await requireRightAnswers(t, engine, {data, query, numRuns: oracleRuns(usualRuns)})
})

// Differences of times are sorted by their values, which are different here.
const ends: readonly Literal[] = of(
  xsd.dateTime,
  ...['2020-01-01T00:00:00Z', '2020-01-01T00:00:09.5Z', '2020-01-01T00:10:00Z', '2020-01-11T00:00:00Z'],
  ...['2020-01-03T00:00:00Z', '2019-12-31T23:59:00Z', '2020-01-01T00:00:00.0000010Z', '2029-01-01T00:00:00Z'],
)
const lengthItems = fc
  .array(fc.tuple(fc.constantFrom(...ends), fc.integer({min: 0, max: 1})), {minLength: 1, maxLength: 7})
  .map(made => made.flatMap(([x, group], n) => [quad(iri(`i${n}`), 'x', x), quad(iri(`i${n}`), 'group', iri(group))]))
const second = '"PT1S"^^xsd:dayTimeDuration'
const both = (one: string, shown: (extreme: string) => string) =>
  `(${shown(`MIN(${one})`)} AS ?a) (${shown(`MAX(${one})`)} AS ?b)`
/** A query with differences, and the same with their seconds, which are numbers. */
const lengthQueries = fc
  .tuple(
    fc.constantFrom('2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z', '2030-01-01T00:00:00-05:00'),
    fc.constantFrom('', ' . FILTER(ISLITERAL(?x))', ' OPTIONAL { ?s :none ?z }'),
    fc.constantFrom('ordered', 'descending', 'extremes', 'of all'),
  )
  .map(([start, more, form]) => {
    const where = `?s :x ?x ; :group ?g${more}`
    const apart = `(?x - "${start}"^^xsd:dateTime)`
    const of = (one: string, shown: (extreme: string) => string): Readonly<Record<typeof form, string>> => ({
      ordered: `SELECT ?x { ${where} } ORDER BY ${one} ?s`,
      descending: `SELECT ?s { ${where} BIND(${one} AS ?c) } ORDER BY DESC(?c) ?s LIMIT 3`,
      extremes: `SELECT ?g ${both(one, shown)} { ${where} } GROUP BY ?g ORDER BY ?g`,
      'of all': `SELECT ${both(one, shown)} { ${where} }`,
    })
    const inSeconds = (one: string) => `(${one} / ${second})`
    return [of(apart, inSeconds)[form], of(inSeconds(apart), one => one)[form]].map(
      text => `PREFIX : <http://e/> PREFIX xsd: <${xsdNamespace}> ${text}`,
    )
  })

test('differences of times are sorted by value, and MIN and MAX find the extremes', async t => {
  const {engine} = await useEngine(t)
  const rowsOf = async (text: string) => {
    const answer = await engine.answer(text)
    const solutions = answer.type === 'solutions' ? answer.solutions : []
    return solutions.map(solution => [...solution].map(([name, term]) => `${name} ${termKey(term)}`).join(', '))
  }

  await fc.assert(
    fc.asyncProperty(lengthItems, lengthQueries, async (quads, texts) => {
      await engine.load(quads, [])
      const [differences, seconds] = await Promise.all(texts.map(rowsOf))
      t.deepEqual(differences, seconds, texts[0])
      t.true((differences ?? []).length > 0)
    }),
    {numRuns: oracleRuns(usualRuns), ...givenSeed},
  )
})
