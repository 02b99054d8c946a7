/**
 * Every state that a document ever had can be read again.
 *
 * Random writes change a few documents. After each, the test notes the new states. At the end, all of them must be read
 * as they were, by tag and by time, and the difference of any two must lead from one to the other. Some are restored.
 */
import test from 'ava'
import {readDocument} from '../../src/db/store/document-reads.ts'
import {listChanges, readDifference, readState, restoreDocument} from '../../src/db/store/history.ts'
import {termText} from '../../src/format/ntriples-write.ts'
import type {Iri, Triple} from '../../src/rdf/term.ts'
import {pastTable} from '../../src/sparql/print/past-table.ts'
import {schemaIdentifier} from '../support/postgres.ts'
import {createRandom} from '../support/random.ts'
import {accessPoint, places, writeRandomly} from '../support/random-writes.ts'
import {noConditions, type TestStore, useStore} from '../support/store.ts'

const runs = Number(process.env.HISTORY_RUNS ?? 3)
const steps = 100
/** A state: the document's id, and its triples with the names of its time. */
type Noted = {readonly id: string; readonly tag: string; readonly triples: readonly string[]; readonly noted: Date}

function textsOf(triples: readonly Triple[]): readonly string[] {
  return triples.map(({subject, predicate, object}) => [subject, predicate, object].map(termText).join(' ')).sort()
}

async function existing({
  session,
}: TestStore): Promise<ReadonlyMap<Iri, {tag: string; id: string; triples: readonly string[]}>> {
  const found = new Map<Iri, {tag: string; id: string; triples: readonly string[]}>()
  for (const iri of [...places, accessPoint]) {
    const state = await readDocument(session, iri)
    if (state !== undefined) found.set(iri, {tag: state.etag, id: state.id, triples: textsOf(state.triples ?? [])})
  }
  return found
}

/** All quads at a time, with the names of that time. `copy` marks all rows of a triple but one. */
type Moment = {readonly at: string; readonly quads: readonly string[]}

type Table = (name: 'quad' | 'document' | 'term') => string

/** The quads of a store; a triple with two primary rows, or none, is there twice. */
const quadsText = (table: Table) => `
  with held as (
    select q.g, q.s, q.p, q.o, q.copy is null as is_first from ${table('quad')} as q
     union all select d.parent, d.parent, 10, d.id, true from ${table('document')} as d where d.parent is not null
     union all select d.parent, d.parent, d.member_by, d.id, true from ${table('document')} as d
                where d.member_by is not null),
  named as (
    select h.*, array(select coalesce(t.lex, x.id::text)
                        from unnest(array[h.g, h.s, h.p, h.o]) with ordinality as x (id, n)
                        left join ${table('term')} as t on t.id = x.id order by x.n)::text as quad
      from held as h)
  select n.quad || case when n.is_first then ' first' else '' end as quad from named as n order by 1`

async function momentOf({made: {database}}: TestStore): Promise<Moment> {
  const quads = await database.query<{quad: string}>(quadsText(name => `${schemaIdentifier}.${name}`))
  const [row] = await database.query<{at: string}>('select clock_timestamp()::text as at')
  return {at: row?.at ?? '', quads: withoutFirst(quads)}
}

/** Checks that each triple is counted once, and leaves out which of its rows is the first. */
function withoutFirst(rows: readonly {readonly quad: string}[]): readonly string[] {
  const first = rows.filter(({quad}) => quad.endsWith(' first')).map(({quad}) => quad.replace(/^\{[^,]*,/, ''))
  const twice = first.filter((triple, index) => first.indexOf(triple) !== index)
  if (twice.length > 0) throw new Error(`counted twice: ${twice.join(' ')}`)
  const triples = new Set(rows.map(({quad}) => quad.replace(/^\{[^,]*,/, '').replace(/ first$/, '')))
  if (triples.size !== first.length) throw new Error(`${triples.size} triples, ${first.length} counted`)
  return [...new Set(rows.map(({quad}) => quad.replace(/ first$/, '')))].sort()
}

/** The quads of a past state, by the tables that queries of the past read. */
async function quadsAt({made: {database}}: TestStore, at: string): Promise<readonly string[]> {
  return database.begin('repeatable read read only', async transaction => {
    const opened = `select p.first::text, p.is_renamed from ${schemaIdentifier}.open_past($1) as p`
    const [row] = await transaction.query<{first: string; is_renamed: boolean}>(opened, [at])
    const names = {first: row?.is_renamed ? row.first : undefined}
    const table: Table = name => pastTable({name, schema: schemaIdentifier, names, known: () => undefined})
    await transaction.query(`select ${schemaIdentifier}.past_read($1, '{}', 'quads')`, [quadsText(table)])
    return withoutFirst(await transaction.query<{quad: string}>('fetch all from quads'))
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
    const moments: Moment[] = []
    for (let step = 0; step < steps; step++) {
      await writeRandomly(random, store)
      if (random.chance(0.3)) moments.push(await momentOf(store))
      for (const {id, tag, triples} of (await existing(store)).values())
        if (!states.some(state => state.tag === tag)) states.push({id, tag, triples, noted: new Date()})
    }

    for (const {at, quads} of moments) t.deepEqual(await quadsAt(store, at), quads, at)
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
      const isService = ({predicate}: Triple) =>
        /(?:created|modified|accessPoint|MemberRelation|MemberOfRelation)$/.test(predicate.value)
      t.deepEqual(textsOf([...removed, ...added].filter(each => !isService(each))), [], `restored ${iri} ${tag}`)
    }
    t.deepEqual(await store.broken(), [])
  })
}
