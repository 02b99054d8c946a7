/** Every graph that is stored is read unchanged. */
import test from 'ava'
import fc from 'fast-check'
import {blankNode, defaultGraph, langLiteral, literal, namedNode, type Triple, triple} from '../../src/rdf/term.ts'
import {datasets, literals} from '../support/arbitrary-rdf.ts'
import {isIsomorphic, quadKey} from '../support/isomorphism.ts'
import {createTestDatabase} from '../support/postgres.ts'
import {base, ownTriples, readState, storeIn, type TestStore} from '../support/store.ts'

const oddTexts = fc.constantFrom(
  'x'.repeat(3_000),
  'é'.repeat(100_000),
  '😀\u{10FFFF}',
  '\u0001\u001f',
  ' ',
  "'; drop table term; --",
)
const oddLiterals = fc.oneof(
  {weight: 4, arbitrary: literals},
  {weight: 1, arbitrary: oddTexts.map(text => literal(text))},
  {weight: 1, arbitrary: oddTexts.map(text => langLiteral(text, 'eN-gB-X-1'))},
)
const graphs = datasets({graphs: 'one', literals: oddLiterals})

let made: TestStore
let count = 0

test.before(async () => {
  made = await storeIn(await createTestDatabase())
})

test.after.always(() => made.made.drop())

const quads = (triples: readonly Triple[]) => triples.map(each => ({...each, graph: defaultGraph}))
const keys = (triples: readonly Triple[]) =>
  quads(triples)
    .map(each => quadKey(each, label => label))
    .sort()
const nextIri = () => `${base}${count++}/`

test.serial('a graph is read as it was stored, except for the labels of its blank nodes', async t => {
  await fc.assert(
    fc.asyncProperty(graphs, async given => {
      const iri = nextIri()

      const {labels} = await made.create(iri, given)

      const own = ownTriples(iri, await readState(made, iri))
      const rename = (label: string) => labels.get(label) ?? label
      const expected = new Set(given.map(each => quadKey(each, rename)))
      t.deepEqual(keys(own), [...expected].sort())
      t.true(isIsomorphic(quads(own), given))
    }),
    {numRuns: 60},
  )
})

test.serial('a stored graph that is sent again keeps its labels, and others are replaced', async t => {
  await fc.assert(
    fc.asyncProperty(graphs, graphs, async (given, other) => {
      const iri = nextIri()
      await made.create(iri, given)
      const before = await readState(made, iri)
      const own = ownTriples(iri, before)

      await made.replace(iri, before, own)
      const same = await readState(made, iri)
      await made.replace(iri, same, other)

      t.deepEqual(keys(ownTriples(iri, same)), keys(own))
      t.not(same.etag, before.etag)
      t.true(isIsomorphic(quads(ownTriples(iri, await readState(made, iri))), other))
    }),
    {numRuns: 40},
  )
})

test.serial('a label of another document, or of no document, is a new node', async t => {
  const [one, two] = [nextIri(), nextIri()]
  const part = namedNode('http://e/part')
  const {labels} = await made.create(one, [triple(namedNode(one), part, blankNode('a'))])
  const label = labels.get('a') ?? ''

  const written = await made.create(two, [
    triple(namedNode(two), part, blankNode(label)),
    triple(namedNode(two), part, blankNode('qs99999999999999999')),
  ])

  t.notDeepEqual([...written.labels.values()], [...written.labels.keys()])
  t.is(new Set([label, ...written.labels.values()]).size, 3)
})

test.serial('the store is sound afterwards', async t => {
  t.deepEqual(await made.broken(), [])
})
