/**
 * Compares queries of a caller with the oracle on the graphs that the caller may read.
 *
 *   ORACLE_RUNS=5000 ORACLE_SEED=7 npm test -- test/oracle/grants.test.ts
 */
import test from 'ava'
import fc from 'fast-check'
import type {Database} from '../../src/db/connection/pool.ts'
import {literal, namedNode, type Quad, quad} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'
import {testSchema as schema} from '../support/postgres.ts'
import {answer} from './answer.ts'
import {differenceOf, quadsDifference} from './comparison.ts'
import {storeOf} from './evaluator.ts'
import {derivedQuads, graphs, ownQuads, randomDocuments, randomQuads, withoutDuplicates} from './random-data.ts'
import {randomConstruct, randomQuery} from './random-query.ts'
import {searchedFrequencies} from './searched.ts'
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

/**
 * Grants of `read` on a document, and whether it inherits. `nobody` has an expired grant. Undefined: no grants of its
 * own.
 */
type RandomGrant = {
  readonly grantee: string | undefined
  readonly isExpired: boolean
  readonly isIsolated: boolean
}

const randomGrant = (grantee: fc.Arbitrary<string | undefined>, isIsolated: fc.Arbitrary<boolean>) =>
  fc.record({grantee, isExpired: fc.nat(5).map(n => n === 0), isIsolated})

/** Grants of the documents, in order. The root seldom has one. */
const randomGrants = fc.tuple(
  randomGrant(fc.constantFrom(...Array<undefined>(4).fill(undefined), 'public'), fc.constant(false)),
  ...[1, 2].map(() =>
    randomGrant(
      fc.constantFrom(undefined, ...grantees, 'agent http://e/other'),
      fc.nat(2).map(n => n === 0),
    ),
  ),
)

/**
 * Mostly three documents, with half of the triples in two graphs or more, to find errors in the choice of the graph.
 */
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

/** Plain queries, whose answers show each triple that counts twice or not at all. */
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

type GrantTrial = Trial & {readonly grants: readonly RandomGrant[]}

const trialOf = (text: fc.Arbitrary<string>): fc.Arbitrary<GrantTrial> =>
  fc.record({
    quads: sharedQuads,
    documents: fc.oneof({weight: 5, arbitrary: threeDocuments}, randomDocuments),
    grants: randomGrants,
    text,
  })

/** Stores grants and the realms that follow from them. */
async function grant(database: Database, {documents, grants}: GrantTrial): Promise<void> {
  for (const [index, {iri, parent}] of documents.entries()) {
    const {grantee, isExpired = false, isIsolated = false} = grants[index] ?? {}
    if (grantee === undefined && !isIsolated) continue
    await database.begin('read committed', async transaction => {
      await transaction.query(`set local search_path to ${schema}`)
      const key = termKey(iri)
      const expires = isExpired ? new Date(Date.now() - 60_000) : 'infinity'
      if (grantee !== undefined)
        await transaction.query(
          `insert into access_grant (document, grantee, modes, expires)
           values ((term_ids(array[$1]))[1], $2, '{read}', $3)`,
          [key, grantee, expires],
        )
      if (parent === undefined) return
      await transaction.query('select open_realm(d) from document as d where d.id = (term_ids(array[$1]))[1]', [key])
      await transaction.query('update access_realm set is_isolated = $2 where id = (term_ids(array[$1]))[1]', [
        key,
        isIsolated,
      ])
    })
  }
}

/**
 * The triples of the graphs that the caller may read; with a grant on the root also raw graphs.
 *
 * @param within  the document to which the caller's key is confined; the key is useless if the document is not the head
 *                of a realm
 */
function readableOf({quads, documents, grants}: GrantTrial, within?: string): readonly Quad[] {
  const places = new Map(documents.map(({iri, parent}, index) => [iri.value, {parent: parent?.value, index}]))
  const isReadable = (document: string | undefined): boolean => {
    const place = places.get(document ?? '')
    if (place === undefined) return false
    const given = grants[place.index]
    return isOurs(given) || (given?.isIsolated !== true && isReadable(place.parent))
  }
  const isInside = (document: string | undefined): boolean =>
    document === within || (document !== undefined && isInside(places.get(document)?.parent))
  const confining = within === undefined ? undefined : grants[places.get(within)?.index ?? -1]
  const isOfUse = within === undefined || confining?.grantee !== undefined || confining?.isIsolated === true
  const all = [...quads, ...ownQuads(documents), ...derivedQuads(documents)]
  const [root] = documents
  const hasOthers = within === undefined && root !== undefined && isReadable(root.iri.value)
  return all.filter(({graph}) =>
    places.has(graph.value)
      ? isOfUse && (within === undefined || isInside(graph.value)) && isReadable(graph.value)
      : hasOthers,
  )
}

function isOurs(given: RandomGrant | undefined): boolean {
  return given?.grantee !== undefined && !given.isExpired && grantees.includes(given.grantee)
}

function showGrants({grants}: GrantTrial): string {
  return grants
    .map(({grantee, isExpired, isIsolated}) =>
      [grantee, ...(isExpired ? ['expired'] : []), ...(isIsolated ? ['isolated'] : [])].join(' '),
    )
    .join(', ')
}

function show(trial: GrantTrial): string {
  return `${showTrial(trial, () => '')}\nread by ${showGrants(trial)}`
}

test('the answer to a caller is that on the graphs which it may read', async t => {
  const {database, engine} = await useEngine(t, () => ({grantees}))
  const trials = trialOf(fc.oneof({weight: 3, arbitrary: randomQuery}, plainQuery))

  await requireNoDifference(t, trials, oracleRuns(usualRuns), async trial => {
    const query = readQuery(trial.text)
    if (query === undefined) return undefined
    await engine.load([...trial.quads, ...ownQuads(trial.documents)], trial.documents)
    await grant(database, trial)
    const answered = await engine.answer(trial.text)
    const difference = differenceOf(answered, query, storeOf(readableOf(trial), query.dataset))
    return difference && `${difference}\nread by ${showGrants(trial)}`
  })
})

test('the text index finds only literals of graphs that the caller may read', async t => {
  const {database, engine} = await useEngine(t, () => ({grantees, frequencies: searchedFrequencies}))
  const pattern = fc.constantFrom(
    '?x <http://e/r> ?z',
    '?x ?y ?z',
    'GRAPH ?g { ?x <http://e/r> ?z }',
    'GRAPH ?g { ?x ?y ?z }',
  )
  const filter = fc.constantFrom('CONTAINS(?z, "ocum")', 'STRSTARTS(LCASE(?z), "doc")', 'REGEX(?z, "DOC.ment", "i")')
  const trials = trialOf(fc.tuple(pattern, filter).map(([one, test]) => `SELECT * { ${one} FILTER(${test}) }`))
  const word = quad(namedNode('http://e/a'), namedNode('http://e/r'), literal('document'), namedNode('http://e/h'))

  await requireNoDifference(t, trials, oracleRuns(usualRuns, 1 / 2), async given => {
    const trial = {...given, quads: withoutDuplicates([...given.quads, word])}
    const query = readQuery(trial.text)
    if (query === undefined) return undefined
    const stored = withoutDuplicates([...trial.quads, ...ownQuads(trial.documents)])
    await engine.load(stored, trial.documents)
    await grant(database, trial)
    const answered = await engine.answer(trial.text)
    const difference = differenceOf(answered, query, storeOf(withoutDuplicates(readableOf(trial)), query.dataset))
    return difference && `${difference}\nread by ${showGrants(trial)}`
  })
})

test('a key that is confined to a document queries only this document and those below', async t => {
  const within = 'http://e/h'
  const {database, engine} = await useEngine(t, () => ({grantees: [...grantees, `within ${within}`, 'only read,edit']}))
  const trials = trialOf(fc.oneof(randomQuery, plainQuery))

  await requireNoDifference(t, trials, oracleRuns(usualRuns, 1 / 2), async trial => {
    const query = readQuery(trial.text)
    if (query === undefined) return undefined
    await engine.load([...trial.quads, ...ownQuads(trial.documents)], trial.documents)
    await grant(database, trial)
    const answered = await engine.answer(trial.text)
    const difference = differenceOf(answered, query, storeOf(readableOf(trial, within), query.dataset))
    return difference && `${difference}\nread by ${showGrants(trial)}`
  })
})

test('constructed triples are only in graphs that the caller may read', async t => {
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
