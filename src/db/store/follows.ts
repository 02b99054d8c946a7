/**
 * Copies of other stores: which are followed, how far each has got, and the steps that change the copies.
 *
 * The SQL functions are in sql/functions/change/follow.sql.
 */
import type {Iri, Triple} from '../../rdf/term.ts'
import {ask} from './call.ts'
import type {ChangeAction} from './changes.ts'
import {createEncoder, idsText} from './graph-codec.ts'
import type {Session} from './session.ts'

export type NewFollow = {
  readonly url: Iri // root document of the source, ends with '/'
  readonly path: string // of the followed document below the roots, there and here
  readonly key: string | undefined // API key or token for the source
}

export type ListedFollow = Omit<NewFollow, 'key'> & {
  readonly id: string
  readonly has_key: boolean
  readonly position: string
  readonly documents: string
  readonly failures: number
  readonly next_attempt: Date
  readonly last_reason: string | null
  readonly current_at: Date | null // when the copy last had all that the source had
  readonly behind: string | null // number of positions
}

/** A follow that this process holds. */
export type TakenFollow = {
  readonly id: string
  readonly url: Iri
  readonly path: string
  readonly key: string | null
  readonly base: Iri // of this dataset
  readonly platform_ns: Iri
  readonly position: string
  readonly failures: number
  readonly current_at: Date | null
}

/**
 * What is to be done to a copy.
 *
 * whole   its graph becomes the added triples
 * patch   triples are added and removed
 * leave   the memberships of its children among the removed triples end
 * keep    its own membership of its parent is as given
 * delete  it goes, with all below it
 */
export type FollowStep = {
  readonly kind: 'whole' | 'patch' | 'leave' | 'keep' | 'delete'
  readonly document: Iri
  readonly parent: Iri | undefined // undefined: the root document
  readonly memberBy: Iri | undefined
  readonly isAccessPoint: boolean
  readonly tag: string // of the state at the source
  readonly action: ChangeAction // of the change log here
  readonly added: readonly Triple[]
  readonly removed: readonly Triple[]
}

/** @returns its id @throws Problem 409 `follow-place` */
export async function addFollow(session: Session, {url, path, key}: NewFollow): Promise<string> {
  const text = `select f.id::text from ${session.inSchema}add_follow($1, $2, $3) as f (id)`
  const [row] = await ask<{readonly id: string}>(session, 'write', {
    name: 'add_follow',
    text,
    values: [url, path, key ?? null],
  })
  return row?.id ?? ''
}

export function listFollows(session: Session): Promise<readonly ListedFollow[]> {
  const text = `select f.*, f.documents::text from ${session.inSchema}list_follows() as f`
  return ask<ListedFollow>(session, 'read', {name: 'list_follows', text, values: []})
}

/** Ends a follow. The documents stay, and can be written. @throws Problem 404 `follow-exists` */
export async function removeFollow(session: Session, id: string): Promise<void> {
  await ask(session, 'write', {
    name: 'remove_follow',
    text: `select from ${session.inSchema}remove_follow($1)`,
    values: [id],
  })
}

/** Lets a follow list the documents of the source again. @throws Problem 404 `follow-exists` */
export async function restartFollow(session: Session, id: string): Promise<void> {
  const text = `select from ${session.inSchema}restart_follow($1)`
  await ask(session, 'write', {name: 'restart_follow', text, values: [id]})
}

/** Takes the follows that are due and that no other process holds. */
export function takeFollows(session: Session, holder: string, holdMs: number): Promise<readonly TakenFollow[]> {
  const text = `select f.* from ${session.inSchema}take_follows($1, $2) as f`
  return ask<TakenFollow>(session, 'write', {name: 'take_follows', text, values: [holder, holdMs]})
}

export type FollowHold = {
  readonly id: string
  readonly holder: string // UUID of the process
  readonly holdMs: number // 0: ends the hold
  readonly behind: bigint | undefined
  readonly isCurrent: boolean
}

/** @returns  whether the process still holds the follow */
export async function holdFollow(session: Session, {id, holder, holdMs, ...state}: FollowHold): Promise<boolean> {
  const text = `select ${session.inSchema}hold_follow($1, $2, $3, $4, $5) as held`
  const values = [id, holder, holdMs, state.behind?.toString() ?? null, state.isCurrent]
  const [row] = await ask<{readonly held: boolean}>(session, 'write', {name: 'hold_follow', text, values})
  return row?.held === true
}

export type FollowFailure = {
  readonly id: string
  readonly holder: string
  readonly reason: string
  readonly waitMs: number
}

/** Records a failure, and ends the hold. */
export async function failFollow(session: Session, {id, holder, reason, waitMs}: FollowFailure): Promise<void> {
  const text = `select from ${session.inSchema}fail_follow($1, $2, $3, $4)`
  await ask(session, 'write', {name: 'fail_follow', text, values: [id, holder, reason, waitMs]})
}

/** The source's entity tags of copies: null for one without triples yet. Documents that are no copies are left out. */
export async function readFollowedTags(
  session: Session,
  id: string,
  iris: readonly Iri[],
): Promise<Map<Iri, string | null>> {
  const text = `select t.* from ${session.inSchema}followed_tags($1, $2) as t`
  type Row = {readonly iri: Iri; readonly tag: string | null}
  const rows = await ask<Row>(session, 'read', {name: 'followed_tags', text, values: [id, iris]})
  return new Map(rows.map(({iri, tag}) => [iri, tag]))
}

export type FollowSteps = {
  readonly id: string
  readonly holder: string
  readonly position: string // before the steps
  readonly next: string // after them
  readonly steps: readonly FollowStep[]
  readonly isEnd: boolean // the source has no further changes
}

/**
 * Applies steps and stores the position after them, in one transaction.
 *
 * @returns  false: the process no longer holds the follow, and nothing was done
 * @throws   Problem 409 `follow-place`
 */
export async function applyFollow(session: Session, follow: FollowSteps): Promise<boolean> {
  const {id, holder, position, next, steps, isEnd} = follow
  const {refer, keys} = createEncoder()
  const rows = steps.flatMap(({document, added, removed}, index) => {
    const scope = `${document} `
    const row = ({subject, predicate, object}: Triple, isAdded: boolean) => ({
      step: String(index + 1),
      isAdded,
      subject: refer(subject, scope),
      predicate: refer(predicate),
      object: refer(object, scope),
    })
    return [...added.map(triple => row(triple, true)), ...removed.map(triple => row(triple, false))]
  })
  const values = [
    ...[id, holder, position, next],
    steps.map(({kind}) => kind),
    steps.map(({document}) => document),
    steps.map(({parent}) => parent ?? null),
    steps.map(({memberBy}) => memberBy ?? null),
    steps.map(({isAccessPoint}) => isAccessPoint),
    steps.map(({tag}) => tag),
    steps.map(({action}) => action),
    keys(),
    idsText(rows.map(({step}) => step)),
    rows.map(({isAdded}) => isAdded),
    idsText(rows.map(({subject}) => subject)),
    idsText(rows.map(({predicate}) => predicate)),
    idsText(rows.map(({object}) => object)),
    isEnd,
  ]
  const places = values.map((_, index) => `$${index + 1}`).join(', ')
  const text = `select ${session.inSchema}apply_follow(${places}) as applied`
  const [row] = await ask<{readonly applied: boolean}>(session, 'write', {name: 'apply_follow', text, values})
  return row?.applied === true
}
