/**
 * Compares groups with the oracle where statistics say that many solutions share a value, so that they are grouped
 * twice (src/sparql/plan/group/early.ts).
 *
 *   ORACLE_RUNS=1000 ORACLE_SEED=7 npm test -- test/oracle/grouped.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import {type Literal, literal, type NamedNode, namedNode, type Quad} from '../../src/rdf/term.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import {testSchema} from '../support/postgres.ts'
import {givenSeed, oracleRuns, requireRightAnswer, useEngine} from './trial.ts'

const usualRuns = 80
const names = ['maker', 'number', 'city', 'kind', 'Item'] as const

const iri = (name: string | number) => namedNode(`http://e/${name}`)
const quad = (subject: NamedNode, predicate: string, object: NamedNode | Literal): Quad => {
  return {subject, predicate: iri(predicate), object, graph: iri('graph')}
}

const small = fc.integer({min: 0, max: 3})
const items = fc.array(fc.tuple(small, small, fc.option(small)), {minLength: 1, maxLength: 8})
const cities = fc.array(fc.tuple(small, small), {maxLength: 5})

const data = fc.tuple(items, cities).map(([made, towns]) => [
  ...made.flatMap(([maker, number, other], n) => [
    quad(iri(`i${n}`), 'kind', iri('Item')),
    quad(iri(`i${n}`), 'maker', iri(`m${maker}`)),
    quad(iri(`i${n}`), 'number', literal(String(number), xsd.integer)),
    ...(other === null || other === number ? [] : [quad(iri(`i${n}`), 'number', literal(String(other), xsd.integer))]),
  ]),
  ...[...new Set(towns.map(([maker, city]) => `${maker} ${city}`))].map(town => {
    const [maker, city] = town.split(' ')
    return quad(iri(`m${maker}`), 'city', iri(`c${city}`))
  }),
])

const aggregates = [
  'COUNT(*)',
  'COUNT(?i)',
  'SUM(?n)',
  'AVG(?n)',
  'MIN(?n)',
  'MAX(?n)',
  'COUNT(?c)',
  'COUNT(?d)', // which the pattern may not have
  'COUNT(DISTINCT ?i)',
]
const query = fc
  .tuple(
    fc.constantFrom('?c', '?g ?c', '?c ?d', '?g'),
    fc.subarray(aggregates, {minLength: 1, maxLength: 4}),
    fc.subarray(['?i :kind :Item .', '?g :city ?d .', '?i :kind ?k .']),
    fc.constantFrom('', 'HAVING (COUNT(*) > 1)', 'HAVING (AVG(?n) < 2)', 'ORDER BY DESC(COUNT(*))'),
    fc.constantFrom('', '', 'FILTER(STR(?d) < STR(?c))', 'FILTER(STR(?c) >= STR(?d))'),
  )
  .map(([keys, made, more, end, order]) => {
    const shown = made.map((aggregate, index) => `(${aggregate} AS ?x${index})`).join(' ')
    const where = `?i :maker ?g ; :number ?n . ?g :city ?c . ${more.join(' ')} ${order}`
    return `PREFIX : <http://e/> SELECT ${keys} ${shown} { ${where} } GROUP BY ${keys} ${end}`
  })

test('groups that are formed in two steps have the same solutions as with the oracle', async t => {
  const known = new Map<string, string>()
  const counted = {triples: 9000, subjects: 9000, objects: 9, quantiles: [1n, 1n << 62n]}
  const {database, engine} = await useEngine(t, () => ({
    frequencies: async () => ({
      triples: 100_000,
      predicates: new Map(Array.from(known.values(), id => [id, counted])),
      values: new Map([[`${known.get('kind')} ${known.get('Item')}`, 9000]]),
    }),
  }))
  const all = names.map(name => quad(iri('i'), name, iri('Item')))
  await engine.load(all, [])
  for (const name of names) {
    const [row] = await database.query<{id: string}>(`select id::text from ${testSchema}.term where lex = $1`, [
      `http://e/${name}`,
    ])
    known.set(name, row?.id ?? '')
  }

  await fc.assert(
    fc.asyncProperty(data, query, async (quads, text) => {
      await engine.load(quads, [])
      await requireRightAnswer(t, engine, quads, text)
    }),
    {numRuns: oracleRuns(usualRuns), ...givenSeed},
  )
})
