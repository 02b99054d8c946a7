/**
 * Random writes of every kind to a few documents: creations, patches, replacements, members, deletions and moves.
 */
import {moveDocument} from '../../src/db/store/document-moves.ts'
import {
  addMembers,
  createAccessPoint,
  deleteDocument,
  patchDocument,
  putGraph,
  removeMembers,
} from '../../src/db/store/document-writes.ts'
import type {Iri, Term} from '../../src/rdf/term.ts'
import {namedNode} from '../../src/rdf/term.ts'
import {pick, type Random} from './random.ts'
import {base, noConditions, type TestStore, triple} from './store.ts'

const ldp = 'http://www.w3.org/ns/ldp#'

/** The IRIs of documents that may exist, besides the root and those that moves make. */
export const places: readonly Iri[] = ['a', 'b', 'c', 'a/x', 'a/y', 'b/x', 'c/a'].map(name => `${base}${name}/`)
export const accessPoint = `${base}a/point/`

const usualObjects: readonly Term[] = [...places, 'http://e/1', 'http://e/2', 'http://e/3'].map(namedNode)

/** One write; those that the store refuses change nothing. */
export async function writeRandomly(
  random: Random,
  {session, create}: TestStore,
  objects: readonly Term[] = usualObjects,
): Promise<void> {
  const iri = pick(random, places)
  const value = () => {
    const subject = random.chance(0.8) ? iri : pick(random, places)
    return {...triple(subject, `http://e/${pick(random, ['p', 'q', 'r'])}`, iri), object: pick(random, objects)}
  }
  const changes = {removed: [value(), value()], added: [value(), value()]}
  const writes: readonly (() => Promise<unknown>)[] = [
    () => create(iri, [value(), value()]),
    () => create(iri, [value()]),
    () => create(`${base}a/`, [value()]),
    () =>
      createAccessPoint(session, accessPoint, `${base}a/`, {
        triples: [triple(accessPoint, `${ldp}hasMemberRelation`, pick(random, ['http://e/m', `${ldp}member`]))],
        isReturning: false,
      }),
    () => patchDocument(session, iri, noConditions, {changes, isReturning: false}),
    () => patchDocument(session, iri, noConditions, {changes, isReturning: false}),
    () => putGraph(session, iri, noConditions, {triples: [value(), value(), value()], isReturning: false}),
    () => addMembers(session, accessPoint, noConditions, [iri]),
    () =>
      removeMembers(
        session,
        pick(random, [accessPoint, `${base}a/`]),
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
