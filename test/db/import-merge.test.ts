/** An import into a dataset with documents: shared triples, and concurrent writes. */
import test from 'ava'
import {base, exported, type TestDataset, useDataset} from '../support/importing.ts'
import {until} from '../support/machine.ts'

const ns = 'http://example.org/ns#'
const line = (subject: string, object: string) => `<${subject}> <${ns}p> <${object}>`

/** The number of graphs that contain a triple, and how many of its rows are the primary. */
async function rowsOf({database: {database}}: TestDataset, subject: string): Promise<readonly object[]> {
  return database.query(
    `select q.object, count(*)::int as graphs, count(*) filter (where q.is_primary)::int as primaries
       from quadstead.quads as q where q.subject = $1 group by 1 order by 1`,
    [subject],
  )
}

test('triples of both are stored once as the primary, and as a copy in every other document', async t => {
  const dataset = await useDataset(t, {isMerged: true})
  const known = line('http://known/', 'http://both/')
  await dataset.load([{name: 'a.nq', content: exported('a/', [known])}])
  const more = [known, known, line('http://known/', 'http://later/'), line('http://new/', 'http://x/')]
  const content = ['b/', 'c/', 'c/d/'].map(path => exported(path, more)).join('')

  await dataset.load([{name: 'b.nq', content}])

  t.deepEqual(await dataset.faults(), [])
  t.deepEqual(await rowsOf(dataset, 'http://known/'), [
    {object: 'http://both/', graphs: 4, primaries: 1},
    {object: 'http://later/', graphs: 3, primaries: 1},
  ])
  t.deepEqual(await rowsOf(dataset, 'http://new/'), [{object: 'http://x/', graphs: 3, primaries: 1}])
})

test('a stored triple that an imported document implies becomes a copy', async t => {
  const dataset = await useDataset(t, {isMerged: true})
  const membership = `<${base}a/> <http://www.w3.org/ns/ldp#member> <${base}a/b/>`
  await dataset.load([{name: 'a.nq', content: exported('a/') + exported('n/', [membership])}])

  await dataset.load([{name: 'b.nq', content: `<http://x/> <${ns}p> "1" <${base}a/b/> .\n`}])

  t.deepEqual(await dataset.faults(), [])
  const {text} = await dataset.write({subtree: `${base}a/`})
  t.true(text.includes(`${membership} <${base}a/> .`))
})

test('a triple that is written after its new subject is known is found', async t => {
  const dataset = await useDataset(t, {isMerged: true})
  const {database} = dataset.database
  const content = ['b/', 'c/'].map(path =>
    exported(path, [line('http://new/', 'http://x/'), line('http://a/', 'http://b/')]),
  )
  const keys = [`I${base}n/`, 'Ihttp://new/', `I${ns}p`, 'Ihttp://x/']

  const {loading} = await database.begin('read committed', async transaction => {
    await transaction.query('lock table quadstead.document in share row exclusive mode') // the merge waits here
    const started = dataset.load([{name: 'b.nq', content: content.join('')}])
    await until(async () => (await database.query(`select from quadstead.term where lex = 'http://new/'`)).length > 0)
    await transaction.query('select quadstead.create_document($1, $2, $3, $4, $5, $6)', [
      `${base}n/`,
      base,
      keys,
      [2],
      [3],
      [4],
    ])
    return {loading: started}
  })

  t.like(await loading, {isMerged: true, documents: 2})
  t.deepEqual(await dataset.faults(), [])
  t.deepEqual(await rowsOf(dataset, 'http://new/'), [{object: 'http://x/', graphs: 3, primaries: 1}])
  t.deepEqual(await rowsOf(dataset, 'http://a/'), [{object: 'http://b/', graphs: 2, primaries: 1}])
})
