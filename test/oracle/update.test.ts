/**
 * Compares updates with the oracle: random updates of random documents have the same result.
 *
 *   ORACLE_RUNS=5000 ORACLE_SEED=7 npm test -- test/oracle/update.test.ts    more updates, repeatable
 */
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../src/base/problem.ts'
import {deleteChildren} from '../../src/db/store/document-writes.ts'
import {createPlanCache} from '../../src/query/plan-cache.ts'
import {update} from '../../src/query/update.ts'
import {namedNode, type Quad, quad} from '../../src/rdf/term.ts'
import {ldp} from '../../src/rdf/vocabulary.ts'
import {prepareUpdate} from '../../src/sparql/compile.ts'
import {isIsomorphic} from '../support/isomorphism.ts'
import {schemaIdentifier, testSchema} from '../support/postgres.ts'
import {base, noConditions, ownTriples, readState, type TestStore, useStore} from '../support/store.ts'
import {quadsDifference} from './comparison.ts'
import {graphs, namespace, nodes, randomQuads} from './random-data.ts'
import {group, value, variable} from './random-query.ts'
import {givenSeed, oracleRuns} from './trial.ts'
import {updated} from './update.ts'

type Text = fc.Arbitrary<string>

/** The documents that stand for the graphs of random data; the first is the document of the request. */
const documents = new Map(graphs.map(({value}) => [value, `${base}${value.slice(namespace.length)}/`]))
const [document = ''] = documents.values()

const term = (shortName: string) => `:${shortName}`
const node = fc.constantFrom(...nodes.map(({value}) => term(value.slice(namespace.length))))
const graphName = fc.constantFrom(...graphs.map(({value}) => term(value.slice(namespace.length))))
const subject: Text = fc.oneof(variable, node)
const verb: Text = fc.oneof({weight: 3, arbitrary: fc.constantFrom(':p', ':q', ':r')}, variable)
const object: Text = fc.oneof({weight: 2, arbitrary: variable}, node, value)
const triple: Text = fc.tuple(subject, verb, object).map(parts => `${parts.join(' ')} .`)
const dataTriple: Text = fc
  .tuple(node, fc.constantFrom(':p', ':q', ':r'), fc.oneof(node, value))
  .map(parts => `${parts.join(' ')} .`)

/** Triples in braces, some in a graph. */
function template(of: Text): Text {
  const place = fc.oneof(
    {weight: 3, arbitrary: of},
    fc.tuple(graphName, of).map(([name, text]) => `GRAPH ${name} { ${text} }`),
  )
  return fc.array(place, {minLength: 1, maxLength: 3}).map(parts => `{ ${parts.join(' ')} }`)
}

const withBlank = fc.oneof(
  {weight: 5, arbitrary: triple},
  fc.tuple(verb, object).map(([p, o]) => `[ ${p} ${o} ] :q 1 .`),
)
const using = fc.oneof(
  {weight: 3, arbitrary: fc.constant('')},
  graphName.map(name => `USING ${name}`),
  fc.tuple(graphName, graphName).map(([one, other]) => `USING ${one} USING NAMED ${other}`),
)
const modify: Text = fc
  .tuple(
    fc.constantFrom('', '', 'WITH :h '),
    fc.option(template(triple)),
    fc.option(template(withBlank)),
    using,
    group(2),
  )
  .map(([own, deleted, inserted, dataset, where]) => {
    const parts = [deleted && `DELETE ${deleted}`, inserted && `INSERT ${inserted}`].filter(part => part !== null)
    return `${own}${parts.length === 0 ? 'DELETE { }' : parts.join(' ')} ${dataset} WHERE ${where}`
  })
const operation: Text = fc.oneof(
  {weight: 6, arbitrary: modify},
  {weight: 2, arbitrary: template(triple).map(text => `DELETE WHERE ${text}`)},
  {weight: 2, arbitrary: template(dataTriple).map(text => `INSERT DATA ${text}`)},
  {weight: 1, arbitrary: template(dataTriple).map(text => `DELETE DATA ${text}`)},
  {weight: 1, arbitrary: fc.constantFrom('CLEAR DEFAULT', 'CLEAR GRAPH :h', 'CLEAR NAMED', 'CLEAR ALL')},
  {weight: 1, arbitrary: fc.constantFrom('COPY DEFAULT TO :h', 'COPY :g TO :a', 'ADD :h TO DEFAULT', 'ADD :a TO :h')},
)

/** Graph names are those of documents. */
const randomUpdate: Text = fc
  .array(operation, {minLength: 1, maxLength: 2})
  .map(parts => `PREFIX : <${namespace}> ${parts.join(' ; ')}`)
  .map(text =>
    text.replace(/\b(GRAPH|WITH|USING|NAMED|COPY|ADD|TO) :(\w+)/g, (whole, word: string, name: string) => {
      const found = documents.get(namespace + name)
      return found === undefined ? whole : `${word} <${found}>`
    }),
  )

/** Blank nodes belong to one document here, so the data have none. */
const data = randomQuads.map(quads =>
  quads.flatMap(({subject, predicate, object, graph}) => {
    const home = documents.get(graph.value)
    const isPlain =
      subject.termType !== 'BlankNode' && object.termType !== 'BlankNode' && predicate.value !== ldp.contains
    return home !== undefined && isPlain ? [quad(subject, predicate, object, namedNode(home))] : []
  }),
)

/** What follows from the documents' rows: that the root contains them, and has them as members. */
const implied = [...documents.values()].flatMap(iri =>
  [ldp.contains, ldp.member].map(relation =>
    quad(namedNode(base), namedNode(relation), namedNode(iri), namedNode(base)),
  ),
)

async function load({session, create, made}: TestStore, quads: readonly Quad[]): Promise<void> {
  await deleteChildren(session, base, noConditions)
  for (const iri of documents.values())
    await create(
      iri,
      quads.filter(({graph}) => graph.value === iri),
    )
  await made.database.query(`delete from ${schemaIdentifier}.quad as q using ${schemaIdentifier}.document as d
    where q.g = d.id and q.s = d.id and ${schemaIdentifier}.is_reserved(d.is_access_point, q.p, q.o)`)
}

async function contentOf(store: TestStore): Promise<readonly Quad[]> {
  const all = await Promise.all(
    Array.from(documents.values(), async iri =>
      ownTriples(iri, await readState(store, iri)).map(({subject, predicate, object}) =>
        quad(subject, predicate, object, namedNode(iri)),
      ),
    ),
  )
  return all.flat()
}

/** A blank node that is in two graphs for the oracle is two nodes in two documents, so graphs are compared alone. */
function differenceIn(iri: string, actual: readonly Quad[], expected: readonly Quad[]): string | undefined {
  const [ours, theirs] = [actual, expected].map(quads => quads.filter(({graph}) => graph.value === iri))
  return isIsomorphic(ours ?? [], theirs ?? []) ? undefined : quadsDifference(ours ?? [], theirs ?? [])
}

test('random updates have the same result as with the oracle', async t => {
  const store = await useStore(t)
  const process = {database: store.made.database, schema: testSchema, timeoutMs: 30_000, cache: createPlanCache()}
  const scope = {document}
  let compared = 0

  await fc.assert(
    fc.asyncProperty(data, randomUpdate, async (quads, text) => {
      const operations = readUpdate(text, scope)
      if (operations === undefined) return
      await load(store, quads)
      const request = {text, base: namespace, scope, session: store.session, conditions: noConditions}
      const isRefused = await update({...process, limits: undefined, threads: undefined}, request).then(
        () => false,
        isContainmentKept,
      )
      const expected = isRefused ? quads : updated(quads, {documents: [...documents.values()], implied}, operations)
      const actual = await contentOf(store)
      const difference = [...documents.values()].map(iri => differenceIn(iri, actual, expected))
      t.deepEqual(
        difference.filter(one => one !== undefined),
        [],
        `${text}\n${JSON.stringify(quads)}`,
      )
      if (!isRefused) compared += 1
    }),
    {numRuns: oracleRuns(150), ...givenSeed},
  )
  t.true(compared > oracleRuns(150) / 2)
})

/** Whether an update was refused because it would add or remove containment. Then it has changed nothing. */
function isContainmentKept(error: unknown): boolean {
  if (error instanceof Problem && error.rule === 'containment-kept') return true
  throw error
}

function readUpdate(text: string, scope: {readonly document: string}) {
  try {
    return prepareUpdate(text, namespace, scope)
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return undefined
    throw error
  }
}
