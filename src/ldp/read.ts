/**
 * A document to its representation: its triples, and on request a page of what it contains or has as members.
 *
 * Floor 4. One round trip; documents too large for one come in batches from one snapshot.
 * Sources: interface, endpoint 2; decisions, 3 and 4, and the rows "ETag per format?" and "does a new child change…".
 */
import {createHash} from 'node:crypto'
import {Problem} from '../base/problem.ts'
import type {DocumentState} from '../db/document-state.ts'
import {type EntityTag, strongTag, weakTag} from '../http/conditional.ts'
import type {Preferences} from '../http/prefer.ts'
import {type Iri, namedNode, type Triple, termKey} from '../rdf/term.ts'
import {ldp} from '../rdf/vocabulary.ts'
import type {Dataset} from './dataset.ts'

/** Which derived triples are listed, and from where on. */
export type Listing = {
  readonly containment: boolean
  readonly membership: boolean
  readonly after: string // the id of the last child of the page before; '0' for the first page
  readonly limit: number
}

export type Representation = {
  readonly tag: EntityTag // weak when anything is listed
  readonly state: DocumentState
  readonly listed: readonly Triple[]
  readonly nextAfter: string | undefined // where the next page begins
}

export type KnownTags = {readonly known: readonly string[]; readonly seen: readonly string[]}

/**
 * What a GET asks to be listed.
 *
 * @param query  of the request target; `after=<id>` continues a listing
 * @returns      undefined for the plain document
 * @throws       Problem 400 `page-known`
 */
export function readListing({include}: Preferences, query: string | undefined, limit: number): Listing | undefined {
  const containment = include.has(ldp.PreferContainment)
  const membership = include.has(ldp.PreferMembership)
  if (!containment && !membership) return undefined
  const after = query === undefined ? '0' : (new URLSearchParams(query).get('after') ?? '0')
  if (!/^[0-9]{1,18}$/.test(after))
    throw new Problem(400, 'page-known', `No page of children begins after "${after.slice(0, 40)}"`)
  return {containment, membership, after, limit}
}

/**
 * Reads a document at once; its triples are undefined when the client knows them or when they are too many.
 *
 * @param known       entity tags that the client holds, so that the triples may stay away
 * @param seen        tags that it knows of: no older state is told
 * @param isHeadOnly  nobody will look at the triples
 * @throws       Problem 404 `document-exists`
 */
export async function readDocument(
  {store}: Dataset,
  iri: Iri,
  listing: Listing | undefined,
  {known, seen, isHeadOnly}: KnownTags & {readonly isHeadOnly: boolean},
): Promise<Representation> {
  const what = listing === undefined ? {known} : {children: childrenOf(listing)}
  const options = {isHeadOnly, seen, ...what}
  const state = await store.readDocument(iri, options)
  return represent(iri, state, listing)
}

/** Reads a document in batches, all of one state. `use` must be done with them when it resolves. */
export function streamDocument<Result>(
  {store}: Dataset,
  iri: Iri,
  listing: Listing | undefined,
  use: (representation: Representation, batches: AsyncIterable<readonly Triple[]>) => Promise<Result>,
): Promise<Result> {
  const options = listing === undefined ? {} : {children: childrenOf(listing)}
  return store.streamDocument(iri, options, (state, batches) => use(represent(iri, state, listing), batches))
}

/** One child more than the page holds tells whether there is another page. */
function childrenOf({after, limit}: Listing) {
  return {after, limit: limit + 1}
}

function represent(iri: Iri, state: DocumentState | undefined, listing: Listing | undefined): Representation {
  if (state === undefined) throw new Problem(404, 'document-exists', `There is no document <${iri}>.`)
  if (listing === undefined) return {tag: strongTag(state.etag), state, listed: [], nextAfter: undefined}
  const entries = [...childEntries(iri, state, listing), ...memberEntries(state, listing)].sort(byId)
  const last = entries[listing.limit - 1]?.id
  const isMore = entries.length > listing.limit && entries.at(-1)?.id !== last
  const page = isMore ? entries.filter(({id}) => compareIds(id, last ?? '') <= 0) : entries
  const nextAfter = isMore ? last : undefined
  const listed = withoutStored(
    page.flatMap(({triples}) => triples),
    state,
  )
  return {tag: listingTag(state.etag, listed, nextAfter), state, listed, nextAfter}
}

/** A document may have said of a member what is derived since: once is enough. */
function withoutStored(listed: readonly Triple[], {triples = []}: DocumentState): readonly Triple[] {
  const keyOf = ({subject, predicate, object}: Triple) => [subject, predicate, object].map(termKey).join('\n')
  const relations = new Set(listed.map(({predicate}) => predicate.value))
  const stored = new Set(triples.filter(({predicate}) => relations.has(predicate.value)).map(keyOf))
  return stored.size === 0 ? listed : listed.filter(triple => !stored.has(keyOf(triple)))
}

/** What one child or member adds to a listing; pages are cut between ids. */
type Entry = {readonly id: string; readonly triples: readonly Triple[]}

function childEntries(iri: Iri, {children}: DocumentState, {containment, membership}: Listing): Entry[] {
  return children.map(({id, iri: child, memberBy}) => ({
    id,
    triples: [
      ...(containment ? [tripleOf(iri, ldp.contains, child)] : []),
      ...(membership && memberBy !== undefined ? [tripleOf(iri, memberBy, child)] : []),
    ],
  }))
}

/** An access point lists the members of its container document (decisions, row "GET access point"). */
function memberEntries({members: page}: DocumentState, {membership}: Listing): Entry[] {
  if (page === undefined || !membership) return []
  return page.members.map(({id, iri}) => ({id, triples: [tripleOf(page.container, page.relation, iri)]}))
}

function tripleOf(subject: Iri, predicate: Iri, object: Iri): Triple {
  return {subject: namedNode(subject), predicate: namedNode(predicate), object: namedNode(object)}
}

function byId(left: Entry, right: Entry): number {
  return compareIds(left.id, right.id)
}

/** Ids are whole numbers beyond the range that JavaScript counts exactly, without leading zeros. */
function compareIds(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length
  return left < right ? -1 : left > right ? 1 : 0
}

/** A listing changes without its document, so its tag says what it lists; weak, because it is not for If-Match. */
function listingTag(etag: string, listed: readonly Triple[], nextAfter: string | undefined): EntityTag {
  const hash = createHash('sha256')
  for (const {predicate, object} of listed) hash.update(`${predicate.value} ${object.value}\n`)
  hash.update(nextAfter ?? '')
  return weakTag(`${etag}-${hash.digest('base64url').slice(0, 16)}`)
}
