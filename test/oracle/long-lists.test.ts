/** A list after IN that is compiled to an array means the same as its items one by one. */
import test from 'ava'
import fc from 'fast-check'
import {langLiteral, literal, namedNode, quad, type Term} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import type {Answer} from './answer.ts'
import {sparqlText} from './random-query.ts'
import {givenSeed, oracleRuns, useEngine} from './trial.ts'

const iri = (name: string) => namedNode(`http://e/${name}`)
const integers = ['-3', '0', '2', '10', '1234567', '+2', '02'].map(value => literal(value, xsd.integer))
const numbers = [
  ...['2.0', '2.5', '1234567.0'].map(value => literal(value, xsd.decimal)),
  ...['2', '2.0E0', 'NaN', '1234567.1'].map(value => literal(value, xsd.double)),
  literal('2', xsd.int),
  literal('2', xsd.float),
]
const strings = ['', 'a', '2'].map(value => literal(value))
const others = [
  langLiteral('a', 'en'),
  langLiteral('a', 'EN'),
  literal('2020-01-01T00:00:00Z', xsd.dateTime),
  literal('2020-01-01T01:00:00+01:00', xsd.dateTime),
  literal('2020-01-01', xsd.date),
  literal('1', xsd.boolean),
  literal('true', xsd.boolean),
  literal('zwei', xsd.integer),
  literal('2', 'http://e/unknown'),
]
const iris = ['a', 'b'].map(iri)
const terms: readonly (Term & {readonly termType: 'NamedNode' | 'Literal'})[] = [
  ...[...iris, ...integers, ...numbers, ...strings, ...others],
]

const items = (from: typeof terms) => fc.array(fc.constantFrom(...from), {minLength: 1, maxLength: 4})
const lists = fc.oneof(
  items(integers),
  items([...integers, ...iris]),
  items([...strings, ...iris]),
  items([...strings, ...integers]),
  items([...integers, ...numbers]),
  items(terms),
)
const enough = 101 // long enough to become an array

/** A permutation of its own. */
function rowsOf(answer: Answer): readonly string[] {
  if (answer.type !== 'solutions') throw new Error('a SELECT has solutions')
  return answer.solutions
    .map(solution => JSON.stringify(Array.from(solution, ([name, term]) => [name, termKey(term)]).sort()))
    .sort()
}

test('a long list is true, false or an error for the same terms as a short one', async t => {
  const {engine} = await useEngine(t)
  const stored = terms.filter((_, index) => index % 5 !== 4) // only the query has the others
  await engine.load(
    stored.map((term, index) => quad(iri(`s${index}`), iri('value'), term, iri('g'))),
    [],
  )

  const property = fc.asyncProperty(lists, fc.constantFrom('IN', 'NOT IN'), async (list, word) => {
    const written = list.map(sparqlText)
    const long = Array.from({length: enough}, (_, index) => written[index % written.length])
    const answers = [written, long].flatMap(shown => {
      const condition = `?v ${word} (${shown.join(', ')})`
      const values = `VALUES ?v { ${terms.map(sparqlText).join(' ')} }`
      return [
        `SELECT ?v ?r { ${values} BIND((${condition}) AS ?r) }`,
        `SELECT ?s ?v ?r { ?s <http://e/value> ?v BIND((${condition}) AS ?r) }`,
        `SELECT ?s ?v { ?s <http://e/value> ?v FILTER(${condition}) }`,
        `SELECT ?s ?v { ?s <http://e/value> ?v FILTER(!(${condition})) }`,
        `SELECT ?v ?r { ${values} BIND((STR(?v) ${word} (${shown.join(', ')})) AS ?r) }`,
      ]
    })
    const found: (readonly string[])[] = []
    for (const text of answers) found.push(rowsOf(await engine.answer(text)))
    const half = found.length / 2
    t.deepEqual(found.slice(half), found.slice(0, half))
  })
  await fc.assert(property, {numRuns: oracleRuns(30), ...givenSeed})
})

test('a list may have as many items as the limit of values allows', async t => {
  const {engine} = await useEngine(t)
  await engine.load([quad(iri('s'), iri('value'), literal('40000', xsd.integer), iri('g'))], [])
  const list = Array.from({length: 49_000}, (_, index) => index).join(', ')

  for (const [word, count] of [
    ['IN', 1],
    ['NOT IN', 0],
  ] as const) {
    const text = `SELECT ?s { ?s <http://e/value> ?v FILTER(?v ${word} (${list})) }`
    t.is(rowsOf(await engine.answer(text)).length, count, word)
  }
})
