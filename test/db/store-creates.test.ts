/** Concurrent creates: one transaction for many, and none waits for the lock of another. */
import test, {type ExecutionContext} from 'ava'
import {subscribe} from '../../src/base/observation.ts'
import {Problem} from '../../src/base/problem.ts'
import {hasDocument} from '../../src/db/store/document-reads.ts'
import {createDocument} from '../../src/db/store/document-writes.ts'
import {holdDocument} from '../../src/db/store/hold-document.ts'
import {blankNode, type Iri, literal, namedNode, type Triple} from '../../src/rdf/term.ts'
import {
  base,
  openTransaction,
  ownTriples,
  readState,
  storeIn,
  type TestStore,
  triple,
  useStore,
} from '../support/store.ts'

/** Names of the statements that have ended since, in order. */
function statementsOf(t: ExecutionContext): string[] {
  const names: string[] = []
  t.teardown(subscribe(seen => seen.kind === 'statement' && names.push(seen.name)))
  return names
}

const say = (subject: Iri, predicate: Iri, text: string): Triple => {
  return {subject: namedNode(subject), predicate: namedNode(predicate), object: literal(text)}
}

/** The result of a create: an entity tag, or the rule of its error. */
async function outcomeOf(work: Promise<{readonly etag: string}>): Promise<string> {
  try {
    return (await work).etag
  } catch (error) {
    if (error instanceof Problem) return error.rule
    throw error
  }
}

/** Enough to fill the running statements; further creates share one. */
const keepBusy = ({create}: TestStore) => [create(`${base}busy1/`), create(`${base}busy2/`)]

test.serial('many concurrent creates are few statements, and each has the same result as alone', async t => {
  const made = await useStore(t)
  const iris = Array.from({length: 60}, (_, number) => `${base}d${number}/`)
  const triplesFor = (iri: Iri) => [
    say(iri, 'http://e/name', iri),
    triple(iri, 'http://e/see', 'http://e/shared'),
    triple('http://e/shared', 'http://e/seen', iri),
  ]

  await made.create(`${base}first/`, triplesFor(`${base}first/`)) // the terms that all use
  const names = statementsOf(t)

  const written = await Promise.all(iris.map(iri => made.create(iri, triplesFor(iri))))

  t.true(names.length <= 8, names.join(' '))
  t.deepEqual([...new Set(names)], ['create_documents'])
  for (const [index, iri] of iris.entries()) {
    const state = await readState(made, iri)
    t.deepEqual([state.etag, state.modified], [written[index]?.etag, written[index]?.modified])
    t.deepEqual(new Set(ownTriples(iri, state)), new Set(triplesFor(iri)))
  }
  t.deepEqual(await made.broken(), [])
})

test('labels of blank nodes belong to their own document', async t => {
  const made = await useStore(t)
  const named = (iri: Iri): Triple[] => [
    {subject: blankNode('x'), predicate: namedNode('http://e/of'), object: namedNode(iri)},
    {subject: blankNode('x'), predicate: namedNode('http://e/by'), object: blankNode('1 y')},
  ]
  const iris = ['a', 'b', 'c', 'd', 'e'].map(name => `${base}${name}/`)

  const written = await Promise.all(iris.map(iri => made.create(iri, named(iri))))

  const labels = written.flatMap(({labels}) => [labels.get('x') ?? '', labels.get('1 y') ?? ''])
  t.is(new Set(labels.filter(label => label.startsWith('qs'))).size, 10)
  for (const [index, iri] of iris.entries()) {
    const label = (sent: string) => blankNode(written[index]?.labels.get(sent) ?? '')
    const expected = named(iri).map(({predicate}, place) => {
      return {subject: label('x'), predicate, object: place === 0 ? namedNode(iri) : label('1 y')}
    })
    t.deepEqual(new Set(ownTriples(iri, await readState(made, iri))), new Set(expected))
  }
})

test('of several with one IRI one is created; a missing parent among them is reported', async t => {
  const made = await useStore(t)
  const iris = ['same/', 'other/', 'same/', 'none/child/', 'same/', 'last/'].map(path => base + path)
  await made.create(`${base}parent/`)
  const first = keepBusy(made)

  const outcomes = await Promise.all(
    iris.map((iri, index) => outcomeOf(made.create(iri, [say(iri, 'http://e/name', `number ${index}`)]))),
  )
  await Promise.all(first)

  const refused = outcomes.filter(outcome => !/^\d+$/.test(outcome)).sort()
  t.deepEqual(refused, ['document-iri-free', 'document-iri-free', 'parent-exists'])
  t.deepEqual(
    [outcomes[1], outcomes[5]],
    [(await readState(made, `${base}other/`)).etag, (await readState(made, `${base}last/`)).etag],
  )
  const same = await readState(made, `${base}same/`)
  const winner = outcomes.indexOf(same.etag)
  t.deepEqual(ownTriples(`${base}same/`, same), [say(`${base}same/`, 'http://e/name', `number ${winner}`)])
  t.deepEqual(await made.broken(), [])
})

test('a create whose parent is being deleted waits alone', async t => {
  const made = await useStore(t)
  await made.create(`${base}going/`)
  const deleting = await openTransaction(made)
  await deleting.query('select delete_document($1)', [`${base}going/`])
  const first = keepBusy(made)

  const late = outcomeOf(made.create(`${base}going/child/`))
  const others = ['a/', 'b/', 'c/'].map(path => made.create(base + path))
  await Promise.all([...first, ...others])
  await deleting.commit()

  t.is(await late, 'parent-exists')
  t.deepEqual(await made.broken(), [])
})

test('a create that needs a term of an open transaction waits alone', async t => {
  const made = await useStore(t)
  const open = await openTransaction(made)
  await open.query(`select intern_terms('{Ihttp://e/new}')`)
  const first = keepBusy(made)

  const late = made.create(`${base}late/`, [triple(`${base}late/`, 'http://e/see', 'http://e/new')])
  const others = ['a/', 'b/', 'c/'].map(path => made.create(base + path))
  await Promise.all([...first, ...others])
  await open.rollback()

  t.is((await late).etag, (await readState(made, `${base}late/`)).etag)
  t.deepEqual(await made.broken(), [])
})

test('two services create concurrently, with the same new terms and the same IRIs', async t => {
  const one = await useStore(t, {connectionMax: 6})
  const two = await storeIn(one.made)
  const work = ({create}: TestStore) =>
    Array.from({length: 80}, (_, number) => {
      const iri = `${base}d${number % 70}/`
      const said = [0, 1, 2].map(n => say(`http://e/s${(number * 7 + n * 3) % 11}`, `http://e/p${n}`, `${number % 5}`))
      return outcomeOf(create(iri, [...said, say(iri, 'http://e/name', `number ${number % 9}`)]))
    })

  const outcomes = await Promise.all([...work(one), ...work(two)])

  const tags = outcomes.filter(outcome => /^\d+$/.test(outcome))
  t.is(new Set(tags).size, 70)
  t.deepEqual(new Set(outcomes.filter(outcome => !tags.includes(outcome))), new Set(['document-iri-free']))
  t.deepEqual(await one.broken(), [])
})

test('a create inside a transaction belongs to it', async t => {
  const made = await useStore(t)
  await made.create(`${base}held/`)
  const body = {triples: [], isReturning: false}

  const work = holdDocument(made.session, `${base}held/`, async held => {
    await createDocument(held, `${base}held/child/`, `${base}held/`, body)
    throw new Error('never mind')
  })

  await t.throwsAsync(work, {message: 'never mind'})
  t.false(await hasDocument(made.session, `${base}held/child/`))
})
