/**
 * What a caller is answered is what the oracle answers on the graphs that the caller may read, and on nothing else.
 *
 *   ORACLE_RUNS=5000 ORACLE_SEED=7 npm test -- test/oracle/grants.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import type {Database} from '../../src/db/pool.ts'
import {type Quad, termKey} from '../../src/rdf/term.ts'
import {testSchema as schema} from '../support/postgres.ts'
import {answer} from './answer.ts'
import {differenceOf, quadsDifference} from './comparison.ts'
import {storeOf} from './evaluator.ts'
import {derivedQuads, graphs, ownQuads, randomDocuments, randomQuads, withoutDuplicates} from './random-data.ts'
import {randomConstruct, randomQuery} from './random-query.ts'
import {
  givenSeed,
  inContexts,
  oracleRuns,
  readQuery,
  requireNoDifference,
  showTrial,
  type Trial,
  useEngine,
} from './trial.ts'

const usualRuns = 250
const grantees = ['public', 'agent http://e/me', 'group staff']

/** Who is granted reading of the documents, one after the other; undefined: nobody is. Of the root seldom somebody. */
const randomGrants = fc.tuple(
  fc.constantFrom(...Array<undefined>(7).fill(undefined), 'public'),
  ...[1, 2].map(() => fc.constantFrom(undefined, ...grantees, 'agent http://e/other')),
)

/** Mostly three documents, and half of the triples in two graphs or more: which one counts is what may go wrong. */
const threeDocuments = randomDocuments.filter(documents => documents.length === 3)
const sharedQuads = fc
  .tuple(randomQuads, fc.array(fc.option(fc.constantFrom(...graphs)), {minLength: 14, maxLength: 14}))
  .map(([quads, places]) => {
    const copies = quads.flatMap((one, index): readonly Quad[] => {
      const graph = places[index % places.length]
      const isShareable = [one.subject, one.object].every(({termType}) => termType !== 'BlankNode')
      return isShareable && graph ? [{...one, graph}] : []
    })
    return withoutDuplicates([...quads, ...copies])
  })

/** Plain ones, of which each triple that counts twice or not at all is seen. */
const plainQuery = fc.constantFrom(
  'SELECT * { ?x ?y ?z }',
  'SELECT * { ?x <http://e/p> ?z }',
  'SELECT * { <http://e/a> ?y ?z }',
  'SELECT * { ?x ?y <http://e/b> }',
  'SELECT * { GRAPH ?g { ?x ?y ?z } }',
  'SELECT * { ?x <http://e/p>|<http://e/q> ?z }',
  'SELECT (COUNT(*) AS ?n) { ?x <http://e/r> ?z }',
  'SELECT * FROM <http://e/h> FROM <http://e/a> { ?x ?y ?z }',
)

type GrantTrial = Trial & {readonly grants: readonly (string | undefined)[]}

const trialOf = (text: fc.Arbitrary<string>): fc.Arbitrary<GrantTrial> =>
  fc.record({
    quads: sharedQuads,
    documents: fc.oneof({weight: 5, arbitrary: threeDocuments}, randomDocuments),
    grants: randomGrants,
    text,
  })

/** Writes grants down, and the realms that follow from them. */
async function grant(database: Database, {documents, grants}: GrantTrial): Promise<void> {
  for (const [index, {iri, parent}] of documents.entries()) {
    const grantee = grants[index]
    if (grantee === undefined) continue
    await database.begin('read committed', async transaction => {
      await transaction.query(`set local search_path to ${schema}`)
      await transaction.query(
        `insert into access_grant (document, grantee, modes) select (term_ids(array[$1]))[1], $2, '{read}'`,
        [termKey(iri), grantee],
      )
      if (parent !== undefined)
        await transaction.query('select open_realm(d) from document as d where d.id = (term_ids(array[$1]))[1]', [
          termKey(iri),
        ])
    })
  }
}

/** The triples of the graphs that the caller may read: of whoever may read the root, all. */
function readableOf({quads, documents, grants}: GrantTrial): readonly Quad[] {
  const parents = new Map(documents.map(({iri, parent}) => [iri.value, parent?.value]))
  const granted = new Set(documents.flatMap(({iri}, index) => (isOurs(grants[index]) ? [iri.value] : [])))
  const isReadable = (document: string | undefined): boolean =>
    document !== undefined && (granted.has(document) || isReadable(parents.get(document)))
  const all = [...quads, ...ownQuads(documents), ...derivedQuads(documents)]
  const [root] = documents
  if (root !== undefined && granted.has(root.iri.value)) return all
  return all.filter(({graph}) => parents.has(graph.value) && isReadable(graph.value))
}

function isOurs(grantee: string | undefined): boolean {
  return grantee !== undefined && grantees.includes(grantee)
}

function show(trial: GrantTrial): string {
  return showTrial(trial, index => `, read by ${trial.grants[index]}`)
}

test('a caller is answered what there is in the graphs that it may read', async t => {
  const {database, engine} = await useEngine(t, () => ({grantees}))
  const trials = trialOf(fc.oneof({weight: 3, arbitrary: randomQuery}, plainQuery))

  await requireNoDifference(t, trials, oracleRuns(usualRuns), async trial => {
    const query = readQuery(trial.text)
    if (query === undefined) return undefined
    await engine.load([...trial.quads, ...ownQuads(trial.documents)], trial.documents)
    await grant(database, trial)
    const answered = await engine.answer(trial.text)
    const difference = differenceOf(answered, query, storeOf(readableOf(trial), query.dataset))
    return difference && `${difference}\nread by ${trial.grants.join(', ')}`
  })
})

test('constructed triples stand in those of their graphs that the caller may read', async t => {
  const {database, engine} = await useEngine(t, () => ({grantees}))

  await fc.assert(
    fc.asyncProperty(trialOf(randomConstruct), async trial => {
      const query = readQuery(trial.text)
      if (query === undefined) return
      await engine.load([...trial.quads, ...ownQuads(trial.documents)], trial.documents)
      await grant(database, trial)
      const readable = readableOf(trial)
      const made = answer(query, storeOf(readable, undefined))
      const expected = made.type === 'graph' ? inContexts(made.quads, readable) : []
      t.is(quadsDifference(await engine.construct(trial.text), expected), undefined, show(trial))
    }),
    {numRuns: oracleRuns(usualRuns, 1 / 2), ...givenSeed},
  )
})
