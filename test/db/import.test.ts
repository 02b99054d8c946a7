/**
 * Import and export in process, into an empty dataset and into one with documents.
 *
 *   IMPORT_RUNS=200 npm test -- test/db/import.test.ts       more random datasets, exported and imported again
 */
import {isDeepStrictEqual} from 'node:util'
import {gzipSync} from 'node:zlib'
import test, {type ExecutionContext} from 'ava'
import fc from 'fast-check'
import {Refusal} from '../../src/base/refusal.ts'
import {formats, serialise} from '../../src/format/registry.ts'
import {namedNode, quad} from '../../src/rdf/term.ts'
import {outputFormats} from '../../src/transfer/export-text.ts'
import {datasets, plainLabels} from '../support/arbitrary-rdf.ts'
import {base, exported, platform, useDataset} from '../support/importing.ts'
import {areDistributed, testSchema} from '../support/postgres.ts'
import {type Declare, testWhen} from '../support/test-when.ts'

const ldp = 'http://www.w3.org/ns/ldp#'
const ns = 'http://example.org/ns#'
const numRuns = Number(process.env.IMPORT_RUNS ?? 4)
const ways = [{isMerged: false}, {isMerged: true}] as const
const wayName = ({isMerged}: {isMerged: boolean}) => (isMerged ? 'beside a graph' : 'into an empty dataset')

/** Only an import that exchanges tables keeps the labels of blank nodes. */
const testLabels: Declare = areDistributed ? testWhen(false, 'in a Citus cluster blank nodes get new labels') : test

const parent = exported('a/', [`<${base}a/> <${ldp}member> <${base}a/b/>`])
const children = exported('a/b/', [`<${base}a/b/> <${ns}p> "x\\ty"@EN-gb`]) + exported('a/c/')

/** The tables of a distributed dataset are not exchanged. */
const outcomeOf = ({isMerged}: {readonly isMerged: boolean}) => ({isMerged: isMerged || areDistributed})

for (const way of ways) {
  test(`documents are imported with times, members and triples: ${wayName(way)}`, async t => {
    const dataset = await useDataset(t, way)

    const summary = await dataset.load([{name: 'data.nq', content: parent + children}])

    t.deepEqual(summary, {quads: 26, documents: 3, faults: 0, ...outcomeOf(way), told: []})
    t.deepEqual(await dataset.faults(), [])
    const rows = await dataset.database.database.query(
      `select d.iri, d.parent, d.created::text, d.is_access_point, c.member_by
         from quadstead.documents as d left join quadstead.children as c on c.child = d.iri
        where d.parent is not null order by d.iri`,
    )
    const same = {created: '2024-05-06 07:08:09.123+00', is_access_point: false}
    t.deepEqual(rows, [
      {iri: `${base}a/`, parent: base, ...same, member_by: null},
      {iri: `${base}a/b/`, parent: `${base}a/`, ...same, member_by: `${ldp}member`},
      {iri: `${base}a/c/`, parent: `${base}a/`, ...same, member_by: null},
    ])
    const {text} = await dataset.write({subtree: `${base}a/`})
    t.deepEqual(text.split('\n').sort(), (parent + children).split('\n').sort())
  })

  test(`the tables are ready for queries, with statistics and a visibility map: ${wayName(way)}`, async t => {
    const expected = ['document', 'quad', 'term'].map(relname => ({relname, isCounted: true, isVisible: true}))
    let tables: readonly Record<string, unknown>[] = []
    // An ANALYZE by autovacuum at the same moment keeps VACUUM from marking pages. It does not come three times.
    for (let tries = 0; tries < 3 && !isDeepStrictEqual(tables, expected); tries += 1) {
      const dataset = await useDataset(t, way)
      await dataset.load([{name: 'data.nq', content: parent + children}])
      tables = await dataset.database.database.query(
        `select t.name as relname, c.reltuples > 0 as "isCounted", c.relallvisible = c.relpages as "isVisible"
           from unnest(array['document', 'quad', 'term']) as t (name)
           join pg_class as c on c.oid = quadstead.store_relation(t.name, t.name)`,
      )
    }
    t.deepEqual(tables, expected)
  })

  test(`a graph without triples of the service becomes a document as by POST: ${wayName(way)}`, async t => {
    const dataset = await useDataset(t, way)
    const content = `<${base}n/#x> <${ns}p> <${base}n/> <${base}n/> .\n<${base}n/c/> <${ns}p> 1 <${base}n/c/> .\n`

    await dataset.load([{name: 'data.nq', content: content.replace(' 1 ', ' "1"^^<http://a/b> ')}])

    t.deepEqual(await dataset.faults(), [])
    const {text} = await dataset.write({subtree: `${base}n/`})
    const plain = text.replace(/"[^"]*Z"/g, '"…"')
    t.true(plain.includes(`<${base}n/> <${ldp}member> <${base}n/c/> <${base}n/> .`))
    t.is(text.split('\n').length - 1, 9 + 9 + 1)
  })

  test(`repeated triples, in one document or in two, are stored once each: ${wayName(way)}`, async t => {
    const dataset = await useDataset(t, way)
    const same = `<http://x/> <${ns}p> <http://y/>`
    const membership = `<${base}a/> <${ldp}member> <${base}a/b/>`
    const a = exported('a/', [same, same, membership])
    const b = exported('a/b/', [same, membership])

    await dataset.load([
      {name: 'one.nq', content: a + b},
      {name: 'two.nq', content: a},
    ])

    t.deepEqual(await dataset.faults(), [])
    const {text} = await dataset.write({subtree: `${base}a/`})
    t.deepEqual(text.split('\n').sort(), [...new Set((a + b).split('\n'))].sort())
  })

  test(`access points are imported with their parent and their list: ${wayName(way)}`, async t => {
    const dataset = await useDataset(t, way)
    const point = `<${base}d/point/>`
    const type = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'
    const time = '"2024-05-06T07:08:09.123Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>'
    const pointLines = [
      `${point} ${type} <${platform}Document>`,
      `${point} ${type} <${platform}AccessPoint>`,
      `${point} ${type} <${ldp}RDFSource>`,
      `${point} ${type} <${ldp}DirectContainer>`,
      `${point} <${platform}created> ${time}`,
      `${point} <${platform}modified> ${time}`,
      `${point} <${ldp}membershipResource> <${base}d/>`,
      `${point} <${ldp}hasMemberRelation> <${ns}has>`,
      `${point} <${ldp}insertedContentRelation> <${ldp}MemberSubject>`,
    ]
    const lines = pointLines.map(line => `${line} ${point} .\n`).join('')
    const owner = exported('d/', [
      `<${base}d/> <${platform}accessPoint> ${point}`,
      `<${base}d/> <${ns}has> <${base}d/point/m/>`,
    ])
    const member = exported('d/point/m/')

    await dataset.load([{name: 'data.nq', content: member + lines + owner}])

    t.deepEqual(await dataset.faults(), [])
    const {text} = await dataset.write({subtree: `${base}d/`})
    t.deepEqual(text.split('\n').sort(), (member + lines + owner).split('\n').sort())
  })

  test(`the root of a dataset without documents is imported from the file: ${wayName(way)}`, async t => {
    const dataset = await useDataset(t, way)
    const content = exported('', [`<${base}> <${ns}p> "root"`, `<${base}> <${ldp}member> <${base}a/>`]) + exported('a/')

    await dataset.load([{name: 'data.nq', content}])

    t.deepEqual(await dataset.faults(), [])
    t.deepEqual((await dataset.write()).text.split('\n').sort(), content.split('\n').sort())
    await t.throwsAsync(dataset.load([{name: 'root.nq', content: exported('')}]), {message: /exists already/})
  })

  test(`raw graphs with any name are queried and are not documents: ${wayName(way)}`, async t => {
    const dataset = await useDataset(t, way)
    const content = `_:x <${ns}p> _:x <urn:one> .\n_:x <${ns}p> "\\u0000" <${base}not-a-document> .\n`

    const summary = await dataset.load([{name: 'raw.nq', content}], {isRaw: true})

    t.like(summary, {quads: 2, documents: 2})
    t.deepEqual(await dataset.faults(), [])
    const {text} = await dataset.write({kind: 'raw'})
    t.deepEqual(
      text
        .replace(/_:qs\d+/g, '_:x')
        .split('\n')
        .sort(),
      content.split('\n').sort(),
    )
    const {text: documents} = await dataset.write()
    t.false(documents.includes('not-a-document'))
  })

  test(`invalid input is refused with its place, and nothing is imported: ${wayName(way)}`, async t => {
    const dataset = await useDataset(t, way)
    const good = exported('a/')
    const cases: readonly (readonly [string, string, RegExp])[] = [
      ['<http://a> <http://b> .\n', 'grammar', /x\.nq:9:\d+: (Unexpected|Expected a term)/],
      [`<a> <http://b> <http://c> <${base}a/> .\n`, 'relative IRI', /x\.nq:9:1: Not an absolute IRI: <a>/],
      ['<http://a> <http://b> <http://c> .\n', 'no graph', /x\.nq:9: The statement is in no graph: name a document/],
      ['<http://a> <http://b> <http://c> <http://else.where/> .\n', 'outside', /x\.nq:9: .* cannot be a document here/],
      [`<http://a> <http://b> <http://c> <${base}a> .\n`, 'no slash', /x\.nq:9: .* cannot be a document here/],
      [`<http://a> <http://b> <http://c> <${base}no/way/> .\n`, 'no parent', /x\.nq:9: <.*no\/way\/> has no parent/],
      [exported('a/b/') + exported('a/b/', [], {at: '2020-01-01T00:00:00.000Z'}), 'two times', /:20: .*two values/],
      [`_:x <http://b> _:x <${base}a/> .\n_:x <http://b> _:x <${base}b/> .\n`, 'shared node', /:10: .*two documents/],
      [
        `<${base}a/> <${ldp}contains> <${base}a/z/> <${base}a/> .\n`,
        'containment',
        /: <.*a\/> says <.*contains> of <.*a\/z\/>, which the input does not hold/,
      ],
      [
        `<${base}a/> <${ldp}contains> <http://z/> <${base}a/> .\n`,
        'foreign containment',
        /x\.nq:9: Only the service states ldp:contains/,
      ],
    ]
    const before = await dataset.write()

    for (const [bad, name, message] of cases) {
      const content = good + bad
      const error = await t.throwsAsync(dataset.load([{name: 'x.nq', content}]), {instanceOf: Refusal}, name)
      t.regex(error?.message ?? '', message, name)
      t.regex(error?.message ?? '', /\nNothing was loaded\.$/, name)
      t.deepEqual(await dataset.write(), before, name)
    }
    t.deepEqual(await dataset.faults(), [])
  })

  test(`invalid lines are reported and skipped with --skip-bad: ${wayName(way)}`, async t => {
    const dataset = await useDataset(t, way)
    const lines = [
      '# a comment\r\n',
      'nonsense\n',
      exported('a/'),
      `<${base}a/> <${ns}p> "\\u12" <${base}a/> .\n`,
      `<${base}a/> <${ns}p> "good\\n" <${base}a/> .\n`,
      Buffer.from([0xff, 0x0a]),
    ]
    const content = Buffer.concat(lines.map(line => Buffer.from(line)))

    const {told, ...summary} = await dataset.load([{name: 'x.nq', content}], {skipsBad: true})

    t.deepEqual(summary, {quads: 9, documents: 1, faults: 3, ...outcomeOf(way)})
    t.deepEqual(
      told.map(({file, line}) => `${file}:${line}`),
      ['x.nq:2', 'x.nq:11', 'x.nq:13'],
    )
    t.deepEqual(await dataset.faults(), [])
  })
}

const testOfTables: Declare = areDistributed ? testWhen(false, 'in a Citus cluster tables are not exchanged') : test

testOfTables('a load into an empty dataset makes new tables, unless they would lose something', async t => {
  const content = exported('a/')
  const columns = `attrelid in ('${testSchema}.quad'::regclass, '${testSchema}.term'::regclass) and attnum > 0`
  const changes = {
    select: false,
    // an option that some minor releases of PostgreSQL give each column
    [`update pg_attribute set attoptions = array['pg_attver=26532928'] where ${columns}`]: false,
    [`alter table ${testSchema}.quad alter column o set (n_distinct = 1000)`]: true,
    [`grant select (lex) on ${testSchema}.term to public`]: true,
  }
  for (const [change, isMerged] of Object.entries(changes)) {
    const dataset = await useDataset(t, {isMerged: false})
    await dataset.database.database.query(change)
    t.is((await dataset.load([{name: 'a.nq', content}])).isMerged, isMerged, change)
    t.deepEqual(await dataset.faults(), [], change)
  }
})

test('existing documents are not imported again', async t => {
  const dataset = await useDataset(t, {isMerged: false})
  await dataset.load([{name: 'a.nq', content: exported('a/')}])

  const again = await t.throwsAsync(dataset.load([{name: 'a.nq', content: exported('a/b/') + exported('a/')}]))
  const raw = await t.throwsAsync(dataset.load([{name: 'a.nq', content: exported('a/')}], {isRaw: true}))

  t.regex(
    again?.message ?? '',
    /a\.nq:9: <.*\/a\/> exists already: --replace or --merge says what to do with it\nNothing was loaded\.$/,
  )
  t.regex(raw?.message ?? '', /<.*\/a\/> is a document, and no graph to be loaded with --raw/)
  t.is((await dataset.load([{name: 'b.nq', content: exported('a/b/')}])).documents, 1)
  t.deepEqual(await dataset.faults(), [])
})

test('every format is read, compressed or not', async t => {
  const quads = [quad(namedNode('http://s/'), namedNode(`${ns}p`), namedNode('http://o/'))]
  const names = {turtle: 'ttl', trig: 'trig', 'n-triples': 'nt', 'n-quads': 'nq', 'json-ld': 'jsonld', 'rdf-xml': 'rdf'}
  for (const [id, extension] of Object.entries(names)) {
    const format = formats.find(one => one.id === id)
    if (format === undefined) throw new Error(id)
    const content = Buffer.from(serialise(format, quads))
    const dataset = await useDataset(t, {isMerged: false})
    const inputs = [
      {name: `plain.${extension}`, content},
      {name: `packed.${extension}.gz`, content: gzipSync(content)},
    ]

    const summary = await dataset.load(inputs, {graph: `${base}g/`})

    t.like(summary, {quads: 2, documents: 1}, id)
    t.true((await dataset.write()).text.includes(`<http://s/> <${ns}p> <http://o/> <${base}g/> .\n`), id)
    t.deepEqual(await dataset.faults(), [], id)
  }
})

testLabels('an export is the same after an import, byte for byte, and in every format', async t => {
  const graphs = fc.array(datasets({graphs: 'one', labels: plainLabels}), {minLength: 1, maxLength: 6})
  await fc.assert(
    fc.asyncProperty(graphs, async all => {
      const content = all.map((quads, index) => documentOf(quads, index)).join('')
      const [first, second] = [await useDataset(t, {isMerged: true}), await empty(t)]
      await first.load([{name: 'a.nq', content}])
      const written = await first.write()

      await second.load([{name: 'b.nq', content: written.text}])
      t.deepEqual(await second.write(), written)
      t.deepEqual([...outputFormats.keys()], ['jsonld', 'trig', 'nquads'])
      for (const [format, {extensions}] of outputFormats) {
        const {text} = await second.write({format})
        const other = await empty(t)
        await other.load([{name: `c.${extensions[0]}`, content: text}])
        t.deepEqual((await other.write()).checksums, written.checksums)
        t.deepEqual(await other.faults(), [])
      }
      for (const dataset of [first, second]) t.deepEqual(await dataset.faults(), [])
    }),
    {numRuns},
  )
})

const empty = (t: ExecutionContext) => useDataset(t, {isMerged: false})

/** Random triples of a document, with blank nodes of its own. */
function documentOf(quads: Parameters<typeof serialise>[1], index: number): string {
  const format = formats.find(({id}) => id === 'n-triples')
  if (format === undefined) throw new Error('no N-Triples')
  const path = index % 2 === 0 ? `r${index}/` : `r${index - 1}/r${index}/`
  const lines = String(serialise(format, quads)).split('\n').slice(0, -1)
  const name = `<${base}${path}>`
  return lines.map(line => `${line.replace(/_:/g, `_:g${index}`).slice(0, -1)}${name} .\n`).join('') + exported(path)
}

test('a graph that is too large to be sorted in memory is the same too', async t => {
  const lines = Array.from({length: 6000}, (_, n) => `<${base}big/> <${ns}p${n % 7}> "${(n * 7919) % 6000}"`)
  const dataset = await useDataset(t, {isMerged: false})
  await dataset.load([{name: 'a.nq', content: exported('big/', lines)}])
  const written = await dataset.write()

  const again = await useDataset(t, {isMerged: false})
  await again.load([{name: 'b.nq', content: written.text}])

  t.deepEqual(await again.write(), written)
  t.regex(written.checksums[1] ?? '', /^lines-[0-9a-f]{64} /)
})
