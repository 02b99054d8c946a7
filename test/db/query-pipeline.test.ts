/** What a query leaves behind: no open snapshot, and nothing that another dataset of the process could use. */
import {fileURLToPath} from 'node:url'
import test, {type ExecutionContext} from 'ava'
import {createChecksumPool} from '../../src/checksum/pool.ts'
import type {Database} from '../../src/db/connection/pool.ts'
import {createSession} from '../../src/db/store/create-session.ts'
import {openDataset, readVocabulary} from '../../src/db/store/dataset.ts'
import {createDocument} from '../../src/db/store/document-writes.ts'
import {migrate} from '../../src/db/store/migrate.ts'
import {createQueryService, type QueryAnswer, type QueryService} from '../../src/query/answer.ts'
import {literal, namedNode, triple} from '../../src/rdf/term.ts'
import {platformVocabulary} from '../../src/rdf/vocabulary.ts'
import {until} from '../support/machine.ts'
import {createTestDatabase} from '../support/postgres.ts'

const base = 'http://example.org/'
const platformNamespace = 'https://carbonldp.com/ns/v1/platform#'
const platform = platformVocabulary(platformNamespace)
const preferences = {contexts: false, checksums: false}
const directory = fileURLToPath(new URL('../../sql', import.meta.url))

/** A dataset in a schema of its own. */
async function openService(t: ExecutionContext, database: Database, schema: string) {
  await migrate(database, {schema, directory})
  await openDataset(database, {schema, base, defaultBase: base, platformNamespace})
  const vocabulary = await readVocabulary(database, schema)
  const checksums = createChecksumPool()
  t.teardown(checksums.close)
  const queries = createQueryService({database, schema, vocabulary, timeoutMs: 10_000, checksums, platform})
  return {queries, session: createSession(database, schema, vocabulary)}
}

async function valuesOf(queries: QueryService, text: string): Promise<readonly (string | undefined)[]> {
  return queries.answer({text, base, preferences}, async answer => {
    const values: (string | undefined)[] = []
    if (answer.form === 'select')
      for await (const rows of answer.rows) for (const [term] of rows) values.push(term?.value)
    return values
  })
}

test('two datasets of one process share no plan, no id and no term', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  const [first, second] = [await openService(t, database, 'first'), await openService(t, database, 'second')]
  const names = ['a', 'b', 'c']
  const put = async ({session}: typeof first, order: readonly string[], value: string) => {
    for (const name of order) {
      const triples = [
        triple(namedNode(`http://e/${name}`), namedNode('http://e/p'), namedNode(`http://e/${name}${value}`)),
      ]
      await createDocument(session, `${base}${name}/`, base, {triples, isReturning: false})
    }
  }
  await put(first, names, '1')
  await put(second, names.toReversed(), '2') // the same terms, with other ids
  const ask = async (name: string) => {
    const text = `SELECT ?o { <http://e/${name}> <http://e/p> ?o }`
    return [await valuesOf(first.queries, text), await valuesOf(second.queries, text)]
  }

  for (const _ of ['planned', 'planned before'])
    for (const name of names) t.deepEqual(await ask(name), [[`http://e/${name}1`], [`http://e/${name}2`]])
})

test('a snapshot is closed when its answer is written, and when that fails', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  const {queries, session} = await openService(t, database, 'quadstead')
  const triples = Array.from({length: 3000}, (_, n) =>
    triple(namedNode(`${base}a/`), namedNode('http://e/p'), literal(String(n))),
  )
  await createDocument(session, `${base}a/`, base, {triples, isReturning: false})
  const isFree = () => Object.values(database.load().busy).every(count => count === 0)
  const ask = (write: (answer: QueryAnswer) => Promise<unknown>, signal?: AbortSignal) =>
    queries.answer({text: 'SELECT * { ?s <http://e/p> ?o }', base, preferences, signal}, write)

  for (const _ of ['planned in the snapshot', 'planned before it']) {
    const busy = await ask(async () => Object.values(database.load().busy).reduce((sum, count) => sum + count, 0))
    t.is(busy, 1)
    await until(async () => isFree())
    await t.throwsAsync(
      ask(async answer => {
        if (answer.form === 'select') for await (const _rows of answer.rows) throw new Error('half written')
      }),
      {message: 'half written'},
    )
    await until(async () => isFree())
    const gone = new AbortController()
    await t.throwsAsync(
      ask(async answer => {
        gone.abort()
        if (answer.form === 'select') for await (const _rows of answer.rows);
      }, gone.signal),
      {message: /client/},
    )
    await until(async () => isFree())
  }
  const [open] = await database.query<{count: number}>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`,
  )
  t.deepEqual(open, {count: 0})
})
