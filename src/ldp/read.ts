/**
 * Reads the representation of a document: its triples and, on request, a page of its children or members.
 *
 * Takes one round trip. Large documents come in batches from one snapshot.
 * Sources: docs/interface.md, Children and members; decisions 0001, 0003 and 0004.
 */
import {createHash} from 'node:crypto'
import {Problem} from '../base/problem.ts'
import {readDocument, streamDocument} from '../db/store/document-reads.ts'
import type {DocumentState} from '../db/store/graph-codec.ts'
import {type EntityTag, strongTag, weakTag} from '../http/conditional.ts'
import type {Preferences} from '../http/prefer.ts'
import {type Iri, namedNode, type Triple} from '../rdf/term.ts'
import {termKey} from '../rdf/term-key.ts'
import {ldp} from '../rdf/vocabulary.ts'
import type {Dataset} from './context.ts'
import {noDocument} from './no-document.ts'

/** Which derived triples to list, and where the page begins. */
export type Listing = {
  readonly containment: boolean
  readonly membership: boolean
  readonly after: string // id of the last child or member of the previous page; '0': the first page
  readonly limit: number
}

export type Representation = {
  readonly tag: EntityTag // weak if a listing was requested
  readonly state: DocumentState
  readonly listed: readonly Triple[]
  readonly nextAfter: string | undefined // `after` of the next page; undefined: there is none
}

export type KnownTags = {readonly known: readonly string[]; readonly seen: readonly string[]}

/**
 * Reads which listing a GET requests.
 *
 * @param query  query of the request target; `after=<id>` continues a listing
 * @param limit  children and members per page
 * @returns      undefined: the document alone
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
 * Reads a document in one piece. Its triples are undefined if the client has them, or if there are too many.
 *
 * @param known       entity tags of the states whose triples the client has; these are not read again
 * @param seen        entity tags that the client has seen; the result is never an older state
 * @param isHeadOnly  the caller does not need the triples
 * @throws            Problem 404 `document-exists`
 */
export async function readRepresentation(
  {session}: Dataset,
  iri: Iri,
  listing: Listing | undefined,
  {known, seen, isHeadOnly}: KnownTags & {readonly isHeadOnly: boolean},
): Promise<Representation> {
  const options = listing === undefined ? {isHeadOnly, seen, known} : {isHeadOnly, seen, children: childrenOf(listing)}
  const state = await readDocument(session, iri, options)
  return represent(iri, state, listing)
}

/**
 * Reads a document in batches from one snapshot, which ends when the promise of `use` resolves.
 *
 * @throws  Problem 404 `document-exists` · what `use` throws
 */
export function streamRepresentation<Result>(
  {session}: Dataset,
  iri: Iri,
  listing: Listing | undefined,
  use: (representation: Representation, batches: AsyncIterable<readonly Triple[]>) => Promise<Result>,
): Promise<Result> {
  const options = listing === undefined ? {} : {children: childrenOf(listing)}
  return streamDocument(session, iri, options, (state, batches) => use(represent(iri, state, listing), batches))
}

/** Fetches one child more than the page size to learn whether another page exists. */
function childrenOf({after, limit}: Listing) {
  return {after, limit: limit + 1}
}

function represent(iri: Iri, state: DocumentState | undefined, listing: Listing | undefined): Representation {
  if (state === undefined) throw noDocument(iri)
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

/** Drops listed triples that are also stored in the document: a client may store a membership triple itself. */
function withoutStored(listed: readonly Triple[], {triples = []}: DocumentState): readonly Triple[] {
  const keyOf = ({subject, predicate, object}: Triple) => [subject, predicate, object].map(termKey).join('\n')
  const relations = new Set(listed.map(({predicate}) => predicate.value))
  const stored = new Set(triples.filter(({predicate}) => relations.has(predicate.value)).map(keyOf))
  return stored.size === 0 ? listed : listed.filter(triple => !stored.has(keyOf(triple)))
}

/** The triples that one child or member adds to a listing. Pages are cut between ids. */
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

/** An access point lists the members of the document that it belongs to (decision 0004). */
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

/** Compares ids by number. They are decimal texts without sign or leading zeros, too large for a JavaScript number. */
function compareIds(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * The entity tag of a listing. It covers the listed triples, because they change without the document. It is weak, so
 * that it never matches If-Match.
 */
function listingTag(etag: string, listed: readonly Triple[], nextAfter: string | undefined): EntityTag {
  const hash = createHash('sha256')
  for (const {predicate, object} of listed) hash.update(`${predicate.value} ${object.value}\n`)
  hash.update(nextAfter ?? '')
  return weakTag(`${etag}-${hash.digest('base64url').slice(0, 16)}`)
}
