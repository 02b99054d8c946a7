/** Raw graphs: listed with their size, removed all or none, also beside an import and with triples of documents. */
import test from 'ava'
import {listRawGraphs, removeRawGraphs} from '../../src/db/bulk/raw-graphs.ts'
import {base, exported, type TestDataset, useDataset} from '../support/importing.ts'
import {until} from '../support/machine.ts'
import {testSchema} from '../support/postgres.ts'

const ns = 'http://example.org/ns#'
const shared = `<http://shared/> <${ns}p> <http://both/>`
const graph = (name: string, statements: readonly string[]) =>
  statements.map(statement => `${statement} <${name}> .\n`).join('')
const numbered = (number: number) => Array.from({length: number}, (_, n) => `_:n <${ns}p> "${n}"`)

const load = (dataset: TestDataset, content: string, isRaw: boolean) =>
  dataset.load([{name: 'in.nq', content}], {isRaw})
const listed = async ({database: {database}}: TestDataset) =>
  (await listRawGraphs(database, testSchema)).map(({iri, quads}) => `${iri} ${quads}`)
const remove = ({database: {database}}: TestDataset, ...iris: readonly string[]) =>
  removeRawGraphs(database, testSchema, iris)

test('raw graphs are listed with their quads and size; a removed one leaves no trace but what others contain', async t => {
  const dataset = await useDataset(t, {isMerged: false})
  const raw = graph('urn:one', [shared, ...numbered(20)]) + graph('urn:two', [shared, ...numbered(3)])
  await load(dataset, raw, true)
  await load(dataset, exported('a/', [shared]), false)

  t.deepEqual(await listed(dataset), ['urn:one 21', 'urn:two 4'])
  const [one] = await listRawGraphs(dataset.database.database, testSchema)
  t.true(one !== undefined && one.bytes !== null && one.bytes > 21 * 50)
  t.is(await remove(dataset, 'urn:one', 'urn:one'), 21)

  t.deepEqual(await listed(dataset), ['urn:two 4'])
  t.deepEqual(await dataset.faults(), [])
  t.true((await dataset.write()).text.includes(shared))
  const {text} = await dataset.write({kind: 'raw'})
  t.is(text.split('\n').filter(line => line.includes('urn:two')).length, 4)
  t.false(text.includes('urn:one'))
  t.is(await remove(dataset, 'urn:two'), 4)
  t.deepEqual(await dataset.faults(), [])
  t.true((await dataset.write()).text.includes(shared))
})

test('if one of them is no raw graph, none is removed; the IRI of a removed one is free for a document', async t => {
  const dataset = await useDataset(t, {isMerged: false})
  await load(dataset, exported('a/'), false)
  await load(dataset, graph(`${base}raw/`, [shared]), true)

  for (const wrong of ['urn:none', `${base}a/`])
    await t.throwsAsync(remove(dataset, `${base}raw/`, wrong), {
      message: `<${wrong}> is not a raw graph.`,
    })
  t.deepEqual(await listed(dataset), [`${base}raw/ 1`])

  t.is(await remove(dataset, `${base}raw/`), 1)
  await load(dataset, exported('raw/'), false)
  t.deepEqual(await dataset.faults(), [])
})

test('an import into a graph that is being removed makes it again', async t => {
  const dataset = await useDataset(t, {isMerged: false})
  await load(dataset, exported('a/'), false)
  await load(dataset, graph('urn:g', numbered(5)), true)
  const {database} = dataset.database

  const {loading} = await database.begin('read committed', async transaction => {
    await transaction.query(`select ${testSchema}.remove_raw_graphs($1)`, [['urn:g']])
    const started = load(dataset, graph('urn:g', [shared]), true)
    await until(async () => {
      const waiting = `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`
      return (await database.query(waiting, [dataset.database.name])).length > 0
    })
    return {loading: started}
  })
  await loading

  t.deepEqual(await listed(dataset), ['urn:g 1'])
  t.deepEqual(await dataset.faults(), [])
})
