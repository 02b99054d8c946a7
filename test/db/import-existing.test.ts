/** An import of documents that exist: --replace and --merge. */
import test, {type ExecutionContext} from 'ava'
import {openSession} from '../../src/db/store/create-session.ts'
import {readDocument} from '../../src/db/store/document-reads.ts'
import {createAccessPoint, createDocument} from '../../src/db/store/document-writes.ts'
import {putGrants} from '../../src/db/store/grants.ts'
import {base, exported, platform, type TestDataset, useDataset} from '../support/importing.ts'
import {testSchema} from '../support/postgres.ts'
import {triple} from '../support/store.ts'

const ldp = 'http://www.w3.org/ns/ldp#'
const ns = 'http://example.org/ns#'
const [a, child, point] = [`${base}a/`, `${base}a/child/`, `${base}a/point/`]
const stated = (value: string) => `<${a}> <${ns}p> "${value}"`
const shared = `<http://shared/> <${ns}p> <http://both/>`

/** A document with a child, an access point, grants, and triples that another document has too. */
async function useDocuments(t: ExecutionContext) {
  const dataset = await useDataset(t, {isMerged: false})
  const session = await openSession(dataset.database.database, testSchema)
  const content = exported('a/', [stated('old'), stated('kept'), shared, `_:x <${ns}p> _:x`]) + exported('b/', [shared])
  await dataset.load([{name: 'first.nq', content}])
  await createDocument(session, child, a, {triples: [], isReturning: false})
  const relation = triple(point, `${ldp}hasMemberRelation`, `${ns}member`)
  await createAccessPoint(session, point, a, {triples: [relation], isReturning: false})
  await putGrants(session, a, {grants: [{grantee: 'public', modes: ['read']}], ifMatch: undefined, keepsControl: false})
  const state = async () => {
    const document = await readDocument(session, a)
    if (document === null || document === undefined) throw new Error('there is no document')
    return document
  }
  return {dataset, session, state}
}

/** The statements of a document's own that an export has. */
async function said({write}: TestDataset, iri: string): Promise<readonly string[]> {
  const {text} = await write()
  return text
    .split('\n')
    .filter(line => line.endsWith(` <${iri}> .`) && line.includes(ns))
    .map(line => line.replace(/ <[^>]*> \.$/, '').replaceAll(/_:\w+/g, '_:x'))
    .sort()
}

const load = ({load: run}: TestDataset, content: string, existing: 'replace' | 'merge' | undefined) =>
  run([{name: 'again.nq', content}], {existing})

test('--replace gives a document the graph of the file; what the service says of it stays', async t => {
  const {dataset, state} = await useDocuments(t)
  const before = await state()
  const other = await said(dataset, `${base}b/`)

  const content = exported('a/', [stated('kept'), stated('new')], {at: '2000-01-01T00:00:00.000Z'}) + exported('new/')
  const summary = await load(dataset, content, 'replace')

  t.is(summary.documents, 2)
  t.deepEqual(await dataset.faults(), [])
  t.deepEqual(await said(dataset, a), [stated('kept'), stated('new')])
  t.deepEqual(await said(dataset, `${base}b/`), other)
  const after = await state()
  t.true(BigInt(after.etag) > BigInt(before.etag))
  t.true(after.modified > before.modified)
  const {text} = await dataset.write()
  t.true(text.includes(`<${a}> <${platform}created> "2024-05-06T07:08:09.123Z"`))
  t.true(text.includes(`<${a}> <${platform}accessPoint> <${point}> <${a}> .`))
  t.true(text.includes(`<${a}> <${ldp}member> <${child}> <${a}> .`))
  const grants = await dataset.database.database.query(`select from ${testSchema}.access_grant`)
  t.is(grants.length, 1)
})

test('--merge adds the triples of the file; those that are there stay once', async t => {
  const {dataset, state} = await useDocuments(t)
  const before = await state()

  await load(
    dataset,
    [stated('new'), stated('old'), shared, `_:y <${ns}p> _:y`].map(s => `${s} <${a}> .\n`).join(''),
    'merge',
  )

  t.deepEqual(await dataset.faults(), [])
  t.deepEqual(
    await said(dataset, a),
    [`_:x <${ns}p> _:x`, `_:x <${ns}p> _:x`, shared, stated('kept'), stated('new'), stated('old')].sort(),
  )
  const after = await state()
  t.true(BigInt(after.etag) > BigInt(before.etag))
})

test('an export is merged into its own dataset, and replaces it: the same statements', async t => {
  const {dataset} = await useDocuments(t)
  const without = (text: string) =>
    text
      .split('\n')
      .filter(line => !line.includes('_:') && !line.includes(`${platform}modified`))
      .sort()
  const {text} = await dataset.write()

  for (const existing of ['merge', 'replace'] as const) {
    const summary = await load(dataset, text, existing)
    t.is(summary.documents, 5)
    t.deepEqual(without((await dataset.write()).text), without(text), existing)
    t.deepEqual(await dataset.faults(), [])
  }
})

test('what cannot be is refused, and nothing is loaded', async t => {
  const {dataset} = await useDocuments(t)
  const {text} = await dataset.write()
  const type = `<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>`
  const wrong: readonly [string, string][] = [
    [`<${a}> ${type} <${platform}AccessPoint> <${a}> .\n`, 'is an access point in the input and a document'],
    [`<${a}> <${ldp}hasMemberRelation> <${ns}other> <${a}> .\n`, 'has another ldp:hasMemberRelation in the dataset'],
    [`<${a}> <${ldp}membershipResource> <${base}> <${a}> .\n`, 'has another ldp:membershipResource'],
    [`<${a}> <${ldp}contains> <${base}b/> <${a}> .\n`, 'cannot be contained in'],
    [`${[1, 2].map(n => `<${a}> <${ldp}isMemberOfRelation> <${ns}${n}> <${a}> .\n`).join('')}`, 'can have one value'],
    [`${stated('new')} <${base}none/child/> .\n`, 'has no parent'],
  ]

  for (const existing of ['merge', 'replace'] as const) {
    for (const [content, message] of wrong)
      await t.throwsAsync(load(dataset, `${stated('new')} <${base}b/> .\n${content}`, existing), {
        message: new RegExp(`${message}.*\\nNothing was loaded\\.$`, 's'),
      })
  }
  await t.throwsAsync(load(dataset, `${stated('new')} <${a}> .\n`, undefined), {message: /exists already: --replace/})
  t.is((await dataset.write()).text, text)
})

test('a new access point below a replaced document is listed there', async t => {
  const {dataset} = await useDocuments(t)
  const made = `${base}a/more/`
  const content =
    `${stated('new')} <${a}> .\n` +
    `<${made}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <${platform}AccessPoint> <${made}> .\n` +
    `<${made}> <${ldp}hasMemberRelation> <${ns}more> <${made}> .\n`

  await load(dataset, content, 'replace')

  t.deepEqual(await dataset.faults(), [])
  t.true((await dataset.write()).text.includes(`<${a}> <${platform}accessPoint> <${made}> <${a}> .`))
})

test('with nothing but the root both load as without', async t => {
  for (const existing of ['merge', 'replace'] as const) {
    const dataset = await useDataset(t, {isMerged: false})
    const content = exported('', [`<${base}> <${ns}p> "root"`]) + exported('a/', [stated('new')])
    t.is((await load(dataset, content, existing)).documents, 2)
    t.is((await load(dataset, content, existing)).documents, 2)
    t.deepEqual(await said(dataset, base), [`<${base}> <${ns}p> "root"`])
    t.deepEqual(await dataset.faults(), [])
  }
})
