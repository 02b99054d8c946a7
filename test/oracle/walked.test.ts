/**
 * Compares the first solutions of an order with the oracle where statistics say that a predicate has many triples, so
 * that its index is walked (src/sparql/plan/order/rank.ts). Walks with a filter after OPTIONAL are limited ones. With
 * fewer triples, OPTIONAL and properties are added to the first solutions (before-optional.ts, before-properties.ts).
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/walked.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {literal, type NamedNode, namedNode, quad} from '../../src/rdf/term.ts'
import {xsdNamespace} from '../../src/rdf/vocabulary.ts'
import {graphs, predicates} from './random-data.ts'
import {oracleRuns, requireRightAnswers, useCountedEngine} from './trial.ts'

const usualRuns = 100

const counted = {triples: 1_000_000, subjects: 1_000_000, objects: 1_000_000, quantiles: []}
const subjects = ['a', 'b', 'c', 'd', 'e', 'f'].map(name => namedNode(`http://e/${name}`))
/** Few values, so that many tie, in several forms. */
const integer = fc
  .tuple(fc.nat(3), fc.constantFrom('integer', 'int', 'long'))
  .map(([value, type]) => literal(String(value), xsdNamespace + type))
const time = fc
  .tuple(fc.nat(2), fc.constantFrom('10:00:00Z', '10:00:00.0Z', '12:00:00+02:00'))
  .map(([day, clock]) => literal(`2020-01-0${1 + day}T${clock}`, `${xsdNamespace}dateTime`))

const data = fc.constantFrom(integer, time).chain(value =>
  fc.array(
    fc
      .tuple(fc.constantFrom(...graphs), fc.constantFrom(...subjects), fc.constantFrom(...predicates), value)
      .map(([graph, subject, predicate, object]) => quad(subject, predicate, object, graph)),
    {minLength: 4, maxLength: 24},
  ),
)

const query = fc
  .tuple(
    fc.constantFrom('?s ?v ?w', '?s ?v', '?w'),
    fc.subarray(
      [
        '?s :q ?w .',
        'OPTIONAL { ?s :r ?z } FILTER(!BOUND(?z))',
        'OPTIONAL { ?s :r ?y } FILTER(!BOUND(?y) || ?y > 2)',
        'FILTER(?w >= 2)',
      ],
      {minLength: 1},
    ),
    fc.constantFrom('?v', 'DESC(?v)'),
    fc.constantFrom('', '?s', 'DESC(?s)', '?w ?s'),
    fc.integer({min: 1, max: 5}),
    fc.nat(3),
  )
  .map(([names, parts, first, further, limit, offset]) => {
    const shown = further.includes('?w') ? '?s ?v ?w' : names // the comparison needs the keys
    const order = `ORDER BY ${first} ${further} LIMIT ${limit} OFFSET ${offset}`
    return `PREFIX : <http://e/> SELECT ${shown} { ?s :p ?v . ${parts.join(' ')} } ${order}`
  })

test('the first solutions of an order that is walked are those of the oracle', async t => {
  const engine = await useCountedEngine(t, [counted, counted, counted])

  await requireRightAnswers(t, engine, {data, query, numRuns: oracleRuns(usualRuns)})
})

/** Of so many parts that it is computed in a subquery. */
const longBind = `BIND(CONCAT(${Array.from({length: 40}, (_, n) => `STRAFTER(STR(?s), "${n}"), STR(?w)`).join(', ')}) AS ?l)`
const few = {triples: 3000, subjects: 1000, objects: 1000, quantiles: []} // so few that the index is not walked
const optional = fc
  .tuple(
    fc.subarray(['OPTIONAL { ?s :q ?w }', 'OPTIONAL { ?s :r ?z FILTER(?z > ?v) }', 'OPTIONAL { ?t :q ?v }'], {
      minLength: 1,
    }),
    fc.constantFrom('', 'BIND(COALESCE(?w, ?z, 9) AS ?l)', 'BIND(?v + 1 AS ?l)', 'BIND(BOUND(?t) AS ?l)', longBind),
    fc.shuffledSubarray(['?v', 'DESC(?s)', '?w', 'DESC(?l)', '?z', '?none'], {minLength: 1, maxLength: 4}),
    fc.integer({min: 1, max: 5}),
    fc.nat(2),
  )
  .map(([parts, bind, keys, limit, offset]) => {
    const order = `ORDER BY ${keys.join(' ')} LIMIT ${limit} OFFSET ${offset}`
    return `PREFIX : <http://e/> SELECT ?s ?v ?w ?z ?t ?l { ?s :p ?v . ${parts.join(' ')} ${bind} } ${order}`
  })

test('the first solutions of an order with OPTIONAL are those of the oracle', async t => {
  const engine = await useCountedEngine(t, [few, few, few])

  await requireRightAnswers(t, engine, {data, query: optional, numRuns: oracleRuns(usualRuns)})
})

const withProperties = fc
  .tuple(
    fc.subarray(
      ['?s :q ?w .', '?s :r ?z .', '?u :q ?y .', 'FILTER(?v < 3)', 'OPTIONAL { ?s :r ?o }', 'FILTER(?w > 0)'],
      {
        minLength: 1,
      },
    ),
    fc.constantFrom('?v', 'DESC(?v)', '?s', 'DESC(?w)'),
    fc.shuffledSubarray(['?v', 'DESC(?s)', '?w', 'DESC(?z)', '?o'], {maxLength: 3}),
    fc.integer({min: 1, max: 5}),
    fc.nat(2),
  )
  .map(([parts, first, further, limit, offset]) => {
    const order = `ORDER BY ${first} ${further.join(' ')} LIMIT ${limit} OFFSET ${offset}`
    return `PREFIX : <http://e/> SELECT ?s ?v ?w ?z ?o { ?s :p ?v . ?s :p ?u . ${parts.join(' ')} } ${order}`
  })

test('the first solutions of an order before further properties are those of the oracle', async t => {
  const engine = await useCountedEngine(t, [few, few, few])

  await requireRightAnswers(t, engine, {data, query: withProperties, numRuns: oracleRuns(usualRuns)})
})

test('equal values of several forms are in the order of the next key', async t => {
  const engine = await useCountedEngine(t, [counted, counted, counted])
  const forms = ['long', 'int', 'integer'].map((type, place) => ({type, subject: namedNode(`http://e/${place}`)}))
  const [graph, p, q] = ['g', 'p', 'q'].map(name => namedNode(`http://e/${name}`)) as [NamedNode, NamedNode, NamedNode]
  const quads = forms.flatMap(({type, subject}) => [
    quad(subject, p, literal('3', xsdNamespace + type), graph),
    quad(subject, q, graph, graph),
  ])
  await engine.load(quads, [])
  const firstOf = async (pattern: string, order: string) => {
    const answer = await engine.answer(`PREFIX : <http://e/> SELECT ?s { ${pattern} } ORDER BY ${order} LIMIT 1`)
    return answer.type === 'solutions' ? answer.solutions[0]?.get('s')?.value : undefined
  }

  for (const pattern of [
    '?s :p ?v ; :q ?w',
    '?s :p ?v OPTIONAL { ?s :r ?z } FILTER(!BOUND(?z))',
    '?s :p ?v OPTIONAL { ?s :r ?z } FILTER(!BOUND(?z) || ?z > 2)',
  ]) {
    t.is(await firstOf(pattern, '?v ?s'), 'http://e/0', pattern)
    t.is(await firstOf(pattern, '?v DESC(?s)'), 'http://e/2', pattern)
    t.is(await firstOf(pattern, 'DESC(?v) ?s'), 'http://e/0', pattern)
    t.is(await firstOf(pattern, 'DESC(?v) DESC(?s)'), 'http://e/2', pattern)
  }
})

test('equal values of several forms tie before the keys of OPTIONAL and of properties', async t => {
  const engine = await useCountedEngine(t, [few, few, few])
  const graph = namedNode('http://e/g')
  const quads = ['10:00:00Z', '11:00:00+01:00', '12:00:00+02:00'].flatMap((clock, place) => {
    const time = literal(`2020-01-01T${clock}`, `${xsdNamespace}dateTime`)
    const number = literal(String((place + 1) % 3), `${xsdNamespace}integer`)
    const values = {p: graph, q: time, r: number}
    return Object.entries(values).map(([name, value]) =>
      quad(namedNode(`http://e/${place}`), namedNode(`http://e/${name}`), value, graph),
    )
  })
  await engine.load(quads, [])

  for (const pattern of ['?s :p ?v OPTIONAL { ?s :q ?w } OPTIONAL { ?s :r ?z }', '?s :q ?w ; :r ?z'])
    for (const [order, first] of [
      ['?w ?z', '2'],
      ['?w DESC(?z)', '1'],
      ['DESC(?w) ?z', '2'],
      ['DESC(?w) DESC(?z)', '1'],
    ]) {
      const answer = await engine.answer(`PREFIX : <http://e/> SELECT ?s ?w { ${pattern} } ORDER BY ${order} LIMIT 1`)
      const value = answer.type === 'solutions' ? answer.solutions[0]?.get('s')?.value : undefined
      t.is(value, `http://e/${first}`, `${pattern} ${order}`)
    }
})
