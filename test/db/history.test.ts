/**
 * Every state that a document ever had can be read again.
 *
 * Random writes change a few documents. After each, the test notes the new states. At the end, all of them must be read
 * as they were, by tag and by time, and the difference of any two must lead from one to the other. Some are restored.
 */
import test from 'ava'
import {moveDocument} from '../../src/db/store/document-moves.ts'
import {readDocument} from '../../src/db/store/document-reads.ts'
import {
  addMembers,
  createAccessPoint,
  deleteDocument,
  patchDocument,
  putGraph,
  removeMembers,
} from '../../src/db/store/document-writes.ts'
import {listChanges, readDifference, readState, restoreDocument} from '../../src/db/store/history.ts'
import {termText} from '../../src/format/ntriples-write.ts'
import type {Iri, Triple} from '../../src/rdf/term.ts'
import {schemaIdentifier} from '../support/postgres.ts'
import {createRandom, pick, type Random} from '../support/random.ts'
import {base, noConditions, type TestStore, triple, useStore} from '../support/store.ts'

const runs = Number(process.env.HISTORY_RUNS ?? 3)
const steps = 100
const ldp = 'http://www.w3.org/ns/ldp#'

const names = ['a', 'b', 'c', 'a/x', 'a/y', 'b/x', 'c/a']
const places = names.map(name => `${base}${name}/`)

/** A state: the document's id, and its triples with the names of its time. */
type Noted = {readonly id: string; readonly tag: string; readonly triples: readonly string[]; readonly noted: Date}

function textsOf(triples: readonly Triple[]): readonly string[] {
  return triples.map(({subject, predicate, object}) => [subject, predicate, object].map(termText).join(' ')).sort()
}

async function existing({
  session,
}: TestStore): Promise<ReadonlyMap<Iri, {tag: string; id: string; triples: readonly string[]}>> {
  const found = new Map<Iri, {tag: string; id: string; triples: readonly string[]}>()
  for (const iri of [...places, `${base}a/point/`]) {
    const state = await readDocument(session, iri)
    if (state !== undefined) found.set(iri, {tag: state.etag, id: state.id, triples: textsOf(state.triples ?? [])})
  }
  return found
}

/** One write; those that the store refuses change nothing. */
async function write(random: Random, {session, create}: TestStore): Promise<void> {
  const iri = pick(random, places)
  const value = () =>
    triple(
      iri,
      `http://e/${pick(random, ['p', 'q'])}`,
      pick(random, [...places, 'http://e/1', 'http://e/2', 'http://e/3']),
    )
  const changes = {removed: [value(), value()], added: [value(), value()]}
  const writes: readonly (() => Promise<unknown>)[] = [
    () => create(iri, [value(), value()]),
    () => create(iri, [value()]),
    () => create(`${base}a/`, [value()]),
    () =>
      createAccessPoint(session, `${base}a/point/`, `${base}a/`, {
        triples: [triple(`${base}a/point/`, `${ldp}hasMemberRelation`, pick(random, ['http://e/m', `${ldp}member`]))],
        isReturning: false,
      }),
    () => patchDocument(session, iri, noConditions, {changes, isReturning: false}),
    () => patchDocument(session, iri, noConditions, {changes, isReturning: false}),
    () => putGraph(session, iri, noConditions, {triples: [value(), value(), value()], isReturning: false}),
    () => addMembers(session, `${base}a/point/`, noConditions, [iri]),
    () =>
      removeMembers(
        session,
        pick(random, [`${base}a/point/`, `${base}a/`]),
        noConditions,
        random.chance(0.7) ? [iri] : undefined,
      ),
    () => deleteDocument(session, iri, noConditions, {isDeep: true}),
    () =>
      moveDocument(session, iri, noConditions, {
        iri: pick(random, places),
        overwrites: random.chance(0.3),
        redirectSeconds: 0,
      }),
  ]
  await pick(random, writes)().catch(error => {
    if (!('rule' in error) || error.status >= 500) throw error
  })
}

for (let run = 1; run <= runs; run++) {
  test(`random writes ${run}: every state can be read, compared and restored`, async t => {
    const store = await useStore(t)
    const {session} = store
    const ask = (text: string) => store.made.database.query(text.replaceAll('$schema', schemaIdentifier))
    await ask("select $schema.keep_changes('forever')")
    const random = createRandom(run * 2_654_435_761)
    const states: Noted[] = []
    for (let step = 0; step < steps; step++) {
      await write(random, store)
      for (const {id, tag, triples} of (await existing(store)).values())
        if (!states.some(state => state.tag === tag)) states.push({id, tag, triples, noted: new Date()})
    }

    const present = await existing(store)
    const iris = new Map([...present].map(([iri, {id}]) => [id, iri]))
    let compared = 0
    for (const {id, tag, triples, noted} of states) {
      const iri = iris.get(id)
      if (iri === undefined) continue
      const state = await readState(session, iri, {tag})
      t.deepEqual([state.tag, textsOf((state.tag && state.triples) || [])], [tag, triples], `${iri} ${tag}`)
      const changes = await listChanges(session, iri, {under: undefined, limit: 1000})
      t.true(changes.some(change => change.tag === tag))
      const at = await readState(session, iri, {at: noted})
      t.is(at.tag, tag, `${iri} at ${noted.toISOString()}`)
      const {removed, added} = await readDifference(session, iri, tag, undefined)
      const old = new Set(
        textsOf(await readState(session, iri, {tag}, {hasPresentNames: true}).then(s => (s.tag && s.triples) || [])),
      )
      for (const text of textsOf(removed)) t.true(old.delete(text), text)
      for (const text of textsOf(added)) old.add(text)
      t.deepEqual([...old].sort(), present.get(iri)?.triples, `difference of ${iri} ${tag}`)
      compared++
    }
    t.true(compared > 5, `${compared} states`)
    for (const [iri] of present) {
      const [first] = states.filter(({id}) => iris.get(id) === iri)
      if (first === undefined) continue
      const {tag} = first
      const written = await restoreDocument(session, iri, noConditions, tag)
      const {removed, added} = await readDifference(session, iri, tag, written.etag)
      const isService = ({predicate}: Triple) => /created|modified|accessPoint$/.test(predicate.value)
      t.deepEqual(textsOf([...removed, ...added].filter(each => !isService(each))), [], `restored ${iri} ${tag}`)
    }
    t.deepEqual(await store.broken(), [])
  })
}
