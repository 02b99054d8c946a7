/** Grants in the store: their effect in a changing tree, and with concurrent changes. */
import test from 'ava'
import fc from 'fast-check'
import type {Mode} from '../../src/db/store/caller.ts'
import {hasDocument, readDocument} from '../../src/db/store/document-reads.ts'
import {deleteDocument} from '../../src/db/store/document-writes.ts'
import {mayReadAll, pruneGrants, putGrants} from '../../src/db/store/grants.ts'
import {exported, useDataset} from '../support/importing.ts'
import {schemaIdentifier, testSchema} from '../support/postgres.ts'
import {
  asCaller,
  base,
  isBlocked,
  noConditions,
  openTransaction,
  type TestStore,
  triple,
  useStore,
} from '../support/store.ts'

const read: readonly Mode[] = ['read']

const grantTo = ({session}: TestStore, iri: string, ...grantees: readonly string[]) =>
  putGrants(session, iri, {
    grants: grantees.map(grantee => ({grantee, modes: read})),
    ifMatch: undefined,
    keepsControl: false,
  })

type Step =
  | {readonly kind: 'create' | 'delete' | 'isolate' | 'inherit' | 'expire' | 'prune'; readonly path: string}
  | {readonly kind: 'grant'; readonly path: string; readonly grantees: readonly string[]}

const names = ['a', 'b']
const path = fc.array(fc.constantFrom(...names), {maxLength: 4}).map(parts => parts.map(name => `${name}/`).join(''))
const grantees = fc.subarray(['public', 'group staff'])
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {weight: 4, arbitrary: fc.record({kind: fc.constant('create' as const), path})},
    {weight: 4, arbitrary: fc.record({kind: fc.constant('grant' as const), path, grantees})},
    {weight: 2, arbitrary: fc.record({kind: fc.constantFrom('isolate' as const, 'inherit' as const), path})},
    {
      weight: 1,
      arbitrary: fc.record({kind: fc.constantFrom('delete' as const, 'expire' as const, 'prune' as const), path}),
    },
  ),
  {minLength: 8, maxLength: 30},
)

/** The model of a document: its grants of `read`, and whether it inherits. */
type Known = {
  readonly grantees: readonly string[]
  readonly hasExpired: boolean // the expired grants still exist
  readonly isIsolated: boolean
}

const plain: Known = {grantees: [], hasExpired: false, isIsolated: false}

const parentOf = (child: string) => child.replace(/[^/]+\/$/, '')

/** Callers, and the part of the tree to which the keys of the last ones are confined. */
const callers: readonly (readonly [grantees: readonly string[], within: string | undefined])[] = [
  [['public'], undefined],
  [['group staff'], undefined],
  [['public', 'group staff'], undefined],
  [['public', 'group staff'], 'a/'],
  [['public', 'group staff'], 'a/b/'],
]

test('after random changes of documents and grants, checks and realms follow from the grants above', async t => {
  const made = await useStore(t)
  const {session} = made
  const query = made.made.database.query
  await fc.assert(
    fc.asyncProperty(steps, fc.subarray(['public', 'group staff']), async (sequence, atRoot) => {
      for (const name of names) if (await hasDocument(session, `${base}${name}/`)) await remove(`${name}/`)
      await grantTo(made, base, ...atRoot)
      const documents = new Map<string, Known>([['', {...plain, grantees: atRoot}]])
      for (const step of sequence) await apply(step, documents)

      t.deepEqual(await made.broken(), [])
      for (const [callerGrantees, within] of callers) {
        const caller = [...callerGrantees, ...(within === undefined ? [] : [`within ${base}${within}`])]
        const readable = await query<{iri: string}>(
          `with may as (select ${schemaIdentifier}.granted_realms($1, 'read') as realms)
           select t.lex as iri from ${testSchema}.document as d join ${testSchema}.term as t on t.id = d.id, may
            where ${schemaIdentifier}.is_in_realms(d.id, may.realms) order by 1`,
          [caller],
        )
        const expected = [...documents.keys()]
          .filter(one => isGranted(one, callerGrantees, documents) && isWithin(one, within, documents))
          .map(one => base + one)
        t.deepEqual(
          readable.map(({iri}) => iri),
          expected.sort(),
        )
        const guarded = asCaller(session, caller)
        for (const one of documents.keys())
          t.is(await hasDocument(guarded, base + one), expected.includes(base + one), one)
        t.is(await mayReadAll(guarded), within === undefined && expected.length === documents.size)
      }
    }),
    {numRuns: Number(process.env.GRANT_RUNS ?? 40)},
  )

  async function remove(one: string): Promise<void> {
    await deleteDocument(session, base + one, noConditions, {isDeep: true})
  }

  async function apply(step: Step, documents: Map<string, Known>): Promise<void> {
    const known = documents.get(step.path)
    const iri = base + step.path
    if (known === undefined) {
      if (step.kind !== 'create' || !documents.has(parentOf(step.path))) return
      await made.create(iri)
      documents.set(step.path, plain)
      return
    }
    if (step.path === '') return
    switch (step.kind) {
      case 'create':
        return
      case 'grant':
        await grantTo(made, iri, ...step.grantees)
        documents.set(step.path, {...known, grantees: step.grantees, hasExpired: false})
        return
      case 'isolate':
      case 'inherit': {
        const grants = known.grantees.map(grantee => ({grantee, modes: read}))
        const inherits = step.kind === 'inherit'
        await putGrants(session, iri, {grants, inherits, ifMatch: undefined, keepsControl: false})
        documents.set(step.path, {...known, isIsolated: !inherits, hasExpired: false})
        return
      }
      case 'expire':
        await expire(made, iri)
        documents.set(step.path, {...known, grantees: [], hasExpired: known.grantees.length > 0 || known.hasExpired})
        return
      case 'prune':
        while ((await pruneGrants(session)) !== undefined);
        for (const [one, state] of documents) documents.set(one, {...state, hasExpired: false})
        return
      case 'delete':
        await remove(step.path)
        for (const one of [...documents.keys()]) if (one.startsWith(step.path)) documents.delete(one)
    }
  }
})

/** Sets the expiry of the document's grants back, as if time had passed. */
async function expire({made}: TestStore, iri: string): Promise<void> {
  await made.database.query(
    `update ${schemaIdentifier}.access_grant as g set expires = now() - interval '1 millisecond'
       from ${schemaIdentifier}.term as t where t.id = g.document and t.lex = $1`,
    [iri],
  )
}

function isGranted(one: string, caller: readonly string[], documents: ReadonlyMap<string, Known>): boolean {
  const {grantees: own = [], isIsolated = false} = documents.get(one) ?? {}
  if (own.some(grantee => caller.includes(grantee))) return true
  return one !== '' && !isIsolated && isGranted(parentOf(one), caller, documents)
}

/** A key has no effect while the document that it is confined to has no grants of its own and inherits. */
function isWithin(one: string, within: string | undefined, documents: ReadonlyMap<string, Known>): boolean {
  if (within === undefined) return true
  const known = documents.get(within)
  return (
    known !== undefined && one.startsWith(within) && (known.grantees.length > 0 || known.hasExpired || known.isIsolated)
  )
}

const put = `select put_grants($1, '{public}', array['{read}'], array[null]::timestamptz[], null, null, false)`
const create = `select create_document($1, $2, '{}', '{}', '{}', '{}')`

test('a child that is created while its parent gets its first grant is in the realm', async t => {
  const made = await useStore(t)
  await made.create(`${base}p/`)
  await made.create(`${base}p/q/`)
  const [granting, creating] = [await openTransaction(made), await openTransaction(made)]
  await granting.query(put, [`${base}p/`])

  const work = creating.query(create, [`${base}p/q/child/`, `${base}p/q/`])
  await isBlocked(made, creating.pid, work)
  await granting.commit()
  await work
  await creating.commit()

  t.deepEqual(await made.broken(), [])
})

test('a first grant waits for a child that is being created, which is then in the realm', async t => {
  const made = await useStore(t)
  await made.create(`${base}p/`)
  const [granting, creating] = [await openTransaction(made), await openTransaction(made)]
  await creating.query(create, [`${base}p/child/`, `${base}p/`])

  const work = granting.query(put, [`${base}p/`])
  await isBlocked(made, granting.pid, work)
  await creating.commit()
  await work
  await granting.commit()

  t.deepEqual(await made.broken(), [])
})

test('grants and realms change no entity tag', async t => {
  const made = await useStore(t)
  const {etag} = await made.create(`${base}p/`, [triple(`${base}p/`, 'http://e/p', 'http://e/o')])

  await grantTo(made, `${base}p/`, 'public')
  await grantTo(made, `${base}p/`)

  t.is((await readDocument(made.session, `${base}p/`))?.etag, etag)
})

test('documents that are imported below a document with grants are in its realm', async t => {
  const dataset = await useDataset(t, {isMerged: true})
  await dataset.load([{name: 'first.nq', content: exported('a/')}])
  const {database} = dataset.database
  await database.query(
    `select ${schemaIdentifier}.add_grant(base || 'a/', 'public', '{read}', null, null) from ${schemaIdentifier}.dataset`,
  )

  await dataset.load([{name: 'second.nq', content: exported('a/b/') + exported('a/b/c/')}])

  t.deepEqual(await dataset.faults(), [])
  const realms = await database.query(
    `select count(*)::int as n from ${schemaIdentifier}.document where realm is not null`,
  )
  t.deepEqual(realms, [{n: 3}])
})
