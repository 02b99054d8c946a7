/** Moving a dataset: it is dumped and restored into another database, with any schema name. */
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import test, {type ExecutionContext} from 'ava'
import {quoteIdentifier} from '../../src/db/connection/identifier.ts'
import type {Database} from '../../src/db/connection/pool.ts'
import {createSession} from '../../src/db/store/create-session.ts'
import {openDataset, readVocabulary} from '../../src/db/store/dataset.ts'
import {readDocument} from '../../src/db/store/document-reads.ts'
import {createDocument, deleteDocument} from '../../src/db/store/document-writes.ts'
import {migrate} from '../../src/db/store/migrate.ts'
import {createSimilarIndex} from '../../src/db/store/search-index.ts'
import {inTransaction, type Session} from '../../src/db/store/session.ts'
import {createTextIndex, readTextIndexState} from '../../src/db/store/text-index.ts'
import {searchDocuments} from '../../src/ldp/search.ts'
import {blankNode, langLiteral, literal, namedNode, triple} from '../../src/rdf/term.ts'
import {reasonAgainst, runProgram} from '../support/client-programs.ts'
import {createTestDatabase, type TestDatabase} from '../support/postgres.ts'
import {gatherAllWords} from '../support/similar-words.ts'
import {base, noConditions, platformNamespace} from '../support/store.ts'

const schema = 'My-Data "of" ü'
const inSchema = `${quoteIdentifier(schema)}.`
const obstacle = (await reasonAgainst('pg_dump')) ?? (await reasonAgainst('psql'))
const testWhere = obstacle === undefined ? test : test.skip
const skipped = obstacle === undefined ? '' : ` (skipped: ${obstacle})`

async function empty(t: ExecutionContext): Promise<TestDatabase> {
  const made = await createTestDatabase('template0')
  t.teardown(made.drop)
  return made
}

async function openStore(database: Database): Promise<Session> {
  await openDataset(database, {schema, base: undefined, defaultBase: base, platformNamespace})
  return createSession(database, schema, await readVocabulary(database, schema))
}

async function filled(t: ExecutionContext): Promise<{made: TestDatabase; session: Session}> {
  const made = await empty(t)
  await migrate(made.database, {schema, directory: 'sql'})
  const session = await openStore(made.database)
  const name = namedNode('http://e/name')
  for (const path of ['a/', 'a/b/', 'c/']) {
    const iri = base + path
    const triples = [
      triple(namedNode(iri), name, langLiteral('tab\t, "quoted" \\ and\nlines', 'en-GB')),
      triple(namedNode('http://e/shared'), name, literal('é😀'.repeat(2000))),
      triple(namedNode(iri), namedNode('http://e/part'), blankNode('x')),
      triple(namedNode(iri), namedNode('http://e/see'), namedNode(`${base}a/b/`)),
    ]
    await createDocument(session, iri, iri.replace(/[^/]+\/$/, ''), {triples, isReturning: false})
  }
  return {made, session}
}

const everything = `select graph, subject, predicate, object, is_primary from ${inSchema}quads order by 1, 2, 3, 4`
const broken = `select * from ${inSchema}check_store()`

test('a schema with any name has a sound store', async t => {
  const {made, session} = await filled(t)

  await deleteDocument(session, `${base}a/`, noConditions, {isDeep: true})

  t.deepEqual(
    (await made.database.query<{iri: string}>(`select iri from ${inSchema}documents order by 1`)).map(({iri}) => iri),
    [base, `${base}c/`],
  )
  t.deepEqual(await made.database.query(`select child from ${inSchema}children`), [{child: `${base}c/`}])
  t.deepEqual(await made.database.query(broken), [])
})

testWhere(`pg_dump and psql move a dataset${obstacle === undefined ? '' : ` (skipped: ${obstacle})`}`, async t => {
  const {made, session} = await filled(t)
  const other = await empty(t)
  const folder = await mkdtemp(join(tmpdir(), 'quadstead-dump-'))
  t.teardown(() => rm(folder, {recursive: true, force: true}))
  const file = join(folder, 'dump.sql')
  const before = await made.database.query(everything)
  const last = await createDocument(session, `${base}d/`, base, {triples: [], isReturning: false})
  await deleteDocument(session, `${base}d/`, noConditions, {isDeep: true})

  await writeFile(file, await runProgram('pg_dump', made.name, '--no-owner', '-d'))
  await runProgram('psql', other.name, '-q', '-v', 'ON_ERROR_STOP=1', '-f', file, '-d')

  const moved = await openStore(other.database)
  t.deepEqual(await other.database.query(everything), before)
  t.deepEqual(await other.database.query(broken), [])
  t.deepEqual(await migrate(other.database, {schema, directory: 'sql'}), [])
  const [one, two] = [await readDocument(session, `${base}c/`), await readDocument(moved, `${base}c/`)]
  t.deepEqual(two, one)
  const fresh = await createDocument(moved, `${base}d/`, base, {triples: [], isReturning: false})
  t.true(BigInt(fresh.etag) > BigInt(last.etag), 'the next tag is new')
  await deleteDocument(moved, `${base}a/`, noConditions, {isDeep: true})
  t.deepEqual(await other.database.query(broken), [])
})

const move = async (made: TestDatabase, other: TestDatabase, folder: string, ...what: readonly string[]) => {
  const file = join(folder, 'dump.sql')
  await writeFile(file, await runProgram('pg_dump', made.name, '--no-owner', ...what, '-d'))
  await runProgram('psql', other.name, '-q', '-f', file, '-d')
}

testWhere(`a text index moves with the whole database, otherwise it can be created again${skipped}`, async t => {
  const {made} = await filled(t)
  await createTextIndex(made.database, schema)
  const before = await made.database.query(everything)
  const folder = await mkdtemp(join(tmpdir(), 'quadstead-dump-'))
  t.teardown(() => rm(folder, {recursive: true, force: true}))
  const [whole, alone] = [await empty(t), await empty(t)]

  await move(made, whole, folder)
  await move(made, alone, folder, '-n', quoteIdentifier(schema)) // does not create the extension

  t.deepEqual(await whole.database.query(everything), before)
  t.like(await readTextIndexState(whole.database, schema), {extensionSchema: 'public', isUsable: true})
  t.deepEqual(await alone.database.query(everything), before)
  t.like(await readTextIndexState(alone.database, schema), {extensionSchema: undefined, isThere: false})
  t.deepEqual(await alone.database.query(broken), [])
  t.is(await createTextIndex(alone.database, schema), 'made')
})

testWhere(`a search finds the same after pg_dump and psql, also in a read-only session${skipped}`, async t => {
  const {made, session} = await filled(t)
  t.true(await gatherAllWords(made.database, schema))
  const folder = await mkdtemp(join(tmpdir(), 'quadstead-dump-'))
  t.teardown(() => rm(folder, {recursive: true, force: true}))
  const [whole, alone] = [await empty(t), await empty(t)]

  await move(made, whole, folder)
  await move(made, alone, folder, '-n', quoteIdentifier(schema)) // does not create the extension

  const found = ['a/', 'a/b/', 'c/'].map(path => base + path)
  const similar = ['quoted', 'quotde', 'quotodd', 'absent']
  t.deepEqual(await searchAll(session, similar), [found, found, found, []])
  t.deepEqual(await searchAll(await openStore(whole.database), similar), [found, found, found, []])
  t.deepEqual(await searchAll(await openStore(alone.database), similar), [found, found, [], []], 'without pg_trgm')
  t.true(await createSimilarIndex(alone.database, schema))
  t.deepEqual(await searchAll(await openStore(alone.database), similar), [found, found, found, []])
})

/** The documents that each text finds, in a transaction that cannot write. */
function searchAll(session: Session, texts: readonly string[]): Promise<readonly (readonly string[])[]> {
  return session.database.begin('repeatable read read only', async transaction => {
    const found: string[][] = []
    for (const text of texts) {
      const asked = {text, languages: ['en'], filters: {}, order: 'relevance', page: 1} as const
      const {hits} = await searchDocuments({session: inTransaction(session, transaction)}, asked)
      found.push(hits.map(({document}) => document).sort())
    }
    return found
  })
}
