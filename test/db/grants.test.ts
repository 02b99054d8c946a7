/** Grants in the store: what they come to in a tree that changes, and beside others who change it. */
import test from 'ava'
import fc from 'fast-check'
import type {Mode} from '../../src/db/access.ts'
import {exported, useDataset} from '../support/importing.ts'
import {schemaIdentifier, testSchema} from '../support/postgres.ts'
import {base, isBlocked, noConditions, openTransaction, type TestStore, triple, useStore} from '../support/store.ts'

const read: readonly Mode[] = ['read']

const grantTo = ({store}: TestStore, iri: string, ...grantees: readonly string[]) =>
  store.putGrants(iri, {
    grants: grantees.map(grantee => ({grantee, modes: read})),
    ifMatch: undefined,
    keepsControl: false,
  })

type Step =
  | {readonly kind: 'create' | 'delete'; readonly path: string}
  | {readonly kind: 'grant'; readonly path: string; readonly grantees: readonly string[]}

const names = ['a', 'b']
const path = fc.array(fc.constantFrom(...names), {maxLength: 4}).map(parts => parts.map(name => `${name}/`).join(''))
const grantees = fc.subarray(['public', 'group staff'])
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {weight: 4, arbitrary: fc.record({kind: fc.constant('create' as const), path})},
    {weight: 4, arbitrary: fc.record({kind: fc.constant('grant' as const), path, grantees})},
    {weight: 1, arbitrary: fc.record({kind: fc.constant('delete' as const), path})},
  ),
  {minLength: 8, maxLength: 25},
)

const parentOf = (child: string) => child.replace(/[^/]+\/$/, '')

test('whatever is created, granted and deleted: checks and realms say what the grants above a document say', async t => {
  const made = await useStore(t)
  const {store} = made
  const query = made.made.database.query
  await fc.assert(
    fc.asyncProperty(steps, async sequence => {
      for (const name of names) if (await store.hasDocument(`${base}${name}/`)) await remove(`${name}/`)
      await grantTo(made, base)
      const documents = new Map<string, readonly string[]>([['', []]]) // with the grantees of each
      for (const step of sequence) await apply(step, documents)

      t.deepEqual(await made.broken(), [])
      for (const caller of [['public'], ['group staff'], ['public', 'group staff']]) {
        const realms = await query<{realms: readonly string[] | null}>(
          `select ${schemaIdentifier}.granted_realms($1, 'read') as realms`,
          [caller],
        )
        const readable = await query<{iri: string}>(
          `select t.lex as iri from ${testSchema}.document as d join ${testSchema}.term as t on t.id = d.id
            where $1::int8[] is null or d.realm = any ($1::int8[]) order by 1`,
          [realms[0]?.realms ?? null],
        )
        const expected = [...documents.keys()].filter(one => isGranted(one, caller, documents)).map(one => base + one)
        t.deepEqual(
          readable.map(({iri}) => iri),
          expected.sort(),
        )
        const guarded = store.as({
          guard: {grantees: caller, isHidden: true},
          trail: undefined,
          least: 'read',
        })
        for (const one of documents.keys())
          t.is(await guarded.hasDocument(base + one), expected.includes(base + one), one)
      }
    }),
    {numRuns: 25},
  )

  async function remove(one: string): Promise<void> {
    await store.deleteDocument(base + one, noConditions, {isDeep: true})
  }

  async function apply(step: Step, documents: Map<string, readonly string[]>): Promise<void> {
    const isThere = documents.has(step.path)
    if (step.kind === 'create' && !isThere && documents.has(parentOf(step.path))) {
      await made.create(base + step.path)
      documents.set(step.path, [])
    }
    if (step.kind === 'grant' && isThere) {
      await grantTo(made, base + step.path, ...step.grantees)
      documents.set(step.path, step.grantees)
    }
    if (step.kind === 'delete' && isThere && step.path !== '') {
      await remove(step.path)
      for (const one of [...documents.keys()]) if (one.startsWith(step.path)) documents.delete(one)
    }
  }
})

function isGranted(one: string, caller: readonly string[], documents: ReadonlyMap<string, readonly string[]>): boolean {
  const own = documents.get(one) ?? []
  return own.some(grantee => caller.includes(grantee)) || (one !== '' && isGranted(parentOf(one), caller, documents))
}

const put = `select put_grants($1, '{public}', array['{read}'], null, false)`
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

test('a first grant waits for a child that is being created, and has it in the realm', async t => {
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

  t.is((await made.store.readDocument(`${base}p/`))?.etag, etag)
})

test('documents that are imported below a granted one are in its realm', async t => {
  const dataset = await useDataset(t, {beside: true})
  await dataset.load([{name: 'first.nq', content: exported('a/')}])
  const {database} = dataset.database
  await database.query(`select ${schemaIdentifier}.put_grants(base || 'a/', '{public}', array['{read}'], null, false)
                          from ${schemaIdentifier}.dataset`)

  await dataset.load([{name: 'second.nq', content: exported('a/b/') + exported('a/b/c/')}])

  t.deepEqual(await dataset.faults(), [])
  const realms = await database.query(
    `select count(*)::int as n from ${schemaIdentifier}.document where realm is not null`,
  )
  t.deepEqual(realms, [{n: 3}])
})
