/**
 * Compares with the oracle groups of keys of which some only describe others. These are joined after grouping
 * (src/sparql/plan/group/described.ts), with ORDER BY … LIMIT to the first groups only (group/first-described.ts).
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/described.test.ts
 */
import test, {type ExecutionContext} from 'ava'
import fc from 'fast-check'
import {type Literal, langLiteral, literal, type NamedNode, namedNode, type Quad} from '../../src/rdf/term.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import type {Engine} from './engine.ts'
import {oracleRuns, requireRightAnswer, requireRightAnswers, useCountedEngine} from './trial.ts'

const usualRuns = 150
const names = ['maker', 'number', 'label', 'city', 'note'] as const

const iri = (name: string | number) => namedNode(`http://e/${name}`)
const quad = (subject: NamedNode, predicate: string, object: NamedNode | Literal): Quad => {
  return {subject, predicate: iri(predicate), object, graph: iri('graph')}
}

const maker = fc.integer({min: 0, max: 11})
const items = fc.array(fc.tuple(maker, fc.integer({min: 0, max: 3})), {minLength: 1, maxLength: 24})
const labels = fc.array(fc.tuple(maker, fc.constantFrom('a', 'b'), fc.constantFrom('', 'en', 'de')), {maxLength: 10})
const cities = fc.array(fc.tuple(maker, fc.integer({min: 0, max: 2})), {maxLength: 8})

const data = fc
  .tuple(items, labels, cities)
  .map(([made, named, placed]) => [
    ...made.flatMap(([one, number], n) => [
      quad(iri(`i${n}`), 'maker', iri(`m${one}`)),
      quad(iri(`i${n}`), 'number', literal(String(number), xsd.integer)),
    ]),
    ...unique(named).map(([one, text, tag]) =>
      quad(iri(`m${one}`), 'label', tag === '' ? literal(text) : langLiteral(text, tag)),
    ),
    ...unique(placed).map(([one, city]) => quad(iri(`m${one}`), 'city', iri(`c${city}`))),
    quad(iri('c0'), 'note', literal('north')),
    quad(iri('c1'), 'note', literal('south')),
  ])

function unique<One>(all: readonly One[]): readonly One[] {
  return [...new Map(all.map(one => [JSON.stringify(one), one])).values()]
}

const aggregates = ['COUNT(*)', 'COUNT(DISTINCT ?n)', 'SUM(?n)', 'AVG(?n)', 'MAX(?n)', 'COUNT(?l)', 'COUNT(DISTINCT *)']
const descriptions = [
  '?m :label ?l .',
  '?m :label ?l FILTER(LANG(?l) = "en")',
  '?m :label ?l FILTER(LANG(?l) = "de" && ?n >= 0)',
  '?m :label ?l FILTER(STR(?l) = "b" && ?n > 0)',
  'OPTIONAL { ?m :label ?l }',
  'OPTIONAL { ?m :label ?l FILTER(LANG(?l) = "en") }',
  'OPTIONAL { ?m :label ?l FILTER(?n > 1) }',
  'OPTIONAL { ?m :label ?l . ?m :city ?d }',
  'OPTIONAL { ?m :city ?c } OPTIONAL { ?m :label ?l FILTER(BOUND(?c)) }',
  '?m :label ?l ; :city ?c . ?c :note ?d .',
  '?m :city ?c . OPTIONAL { ?c :note ?d } ?m :label ?l .',
  '?m :label ?l BIND(STRLEN(?l) AS ?d)',
  '?m :label ?l BIND(?n + 1 AS ?d)',
  'OPTIONAL { ?c :note ?d } ?m :city ?c ; :label ?l .',
]
const query = fc
  .tuple(
    fc.constantFrom('?m ?l', '?m ?l ?c', '?m ?l ?c ?d', '?l ?d', '?m ?d'),
    fc.subarray(aggregates, {minLength: 1, maxLength: 3}),
    fc.constantFrom(...descriptions),
    fc.constantFrom('', 'HAVING (COUNT(*) > 1)', 'HAVING (AVG(?n) < 2)', 'HAVING (BOUND(?l))'),
    fc.constantFrom(
      '',
      'ORDER BY DESC(?x0) KEYS LIMIT 1',
      'ORDER BY ?x0 KEYS LIMIT 1 OFFSET 1',
      'ORDER BY KEYS ?x0 LIMIT 1',
    ),
  )
  .map(([keys, made, description, having, order]) => {
    const shown = made.map((aggregate, index) => `(${aggregate} AS ?x${index})`).join(' ')
    const where = `?i :maker ?m ; :number ?n . ${description}`
    const end = `${having} ${order.replace('KEYS', keys)}`
    return `PREFIX : <http://e/> SELECT ${keys} ${shown} { ${where} } GROUP BY ${keys} ${end}`
  })

function useCountedMakers(t: ExecutionContext): Promise<Engine> {
  const counted = (objects: number) => ({triples: 9000, subjects: 9000, objects, quantiles: [1n, 1n << 62n]})
  const all = names.map(name => counted(name === 'maker' ? 900 : 4))
  return useCountedEngine(t, all, {of: names.map(iri), triples: 100_000})
}

test('groups that are described late have the same solutions as with the oracle', async t => {
  const engine = await useCountedMakers(t)

  await requireRightAnswers(t, engine, {data, query, numRuns: oracleRuns(usualRuns)})
})

test('the first groups are found if those before them have no description', async t => {
  const makers = Array.from({length: 10}, (_, maker) => maker)
  const itemsOf = (maker: number) => Array.from({length: 10 - maker}, (_, n) => iri(`i${maker}-${n}`))
  const quads = [
    ...makers.flatMap(maker => itemsOf(maker).map(item => quad(item, 'maker', iri(`m${maker}`)))),
    ...[7, 9].map(maker => quad(iri(`m${maker}`), 'label', literal(`maker ${maker}`))),
  ]
  const engine = await useCountedMakers(t)
  await engine.load(quads, [])

  for (const limit of ['LIMIT 1', 'LIMIT 2', 'LIMIT 1 OFFSET 1', 'LIMIT 3']) {
    const where = '?i :maker ?m . ?m :label ?l'
    const text = `SELECT ?m ?l (COUNT(?i) AS ?n) { ${where} } GROUP BY ?m ?l ORDER BY DESC(?n) ${limit}`
    await requireRightAnswer(t, engine, quads, `PREFIX : <http://e/> ${text}`)
  }
})
