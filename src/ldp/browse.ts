/**
 * Reads what the page of a document shows: its triples or a part of them, children, access points, references from
 * other documents, and labels for all IRIs shown.
 *
 * Takes two round trips. On later pages another query, beside the first one, finds where the previous page begins. The
 * cost of each is bounded, whatever the size of document and store.
 */

import {Problem} from '../base/problem.ts'
import {
  type ArrangedChild,
  type ChildOrder,
  readArrangedChildren,
  readStore,
  type StoreOverview,
} from '../db/store/browse-reads.ts'
import type {DocumentState} from '../db/store/graph-codec.ts'
import {
  type AccessPoint,
  type Mention,
  readLabels,
  readPage,
  readPlaceBefore,
  readValues,
  readValuesBefore,
} from '../db/store/page-reads.ts'
import type {Session} from '../db/store/session.ts'
import {parentOf} from '../rdf/iri.ts'
import type {Iri, Term, Triple} from '../rdf/term.ts'
import {labelProperties, ldp, rdf, xsd} from '../rdf/vocabulary.ts'
import type {Dataset} from './context.ts'
import {noDocument} from './no-document.ts'

export type BrowsedDocument = {
  readonly iri: Iri
  readonly state: DocumentState // with the children and members of this page
  readonly triples: readonly Triple[]
  readonly isPart: boolean // the document is too large; `triples` is a part of it
  readonly childCount: number
  readonly isCounted: boolean // false: there are more than `childCount` children
  readonly nextAfter: string | undefined // `after` of the next page of children or members; undefined: there is none
  readonly previousAfter: string | undefined // `after` of the previous page; undefined: that is the first, or none
  readonly accessPoints: readonly AccessPoint[]
  readonly mentions: readonly Mention[] // without ldp:membershipResource: `accessPoints` has these
  readonly hasMoreMentions: boolean
  readonly arranged: ArrangedPage | undefined // undefined: the children are those of `state`, as they were created
  readonly store: StoreOverview | undefined // of the root document only
  readonly labels: ReadonlyMap<Iri, string>
}

/** A page of the children in the order that a reader has chosen. */
export type ArrangedPage = ChildChoice & {
  readonly total: number // of children that contain the search text
  readonly pages: number
  readonly children: readonly ArrangedChild[] | undefined // undefined: there are too many to arrange
}

/** How a reader wants the children. */
export type ChildChoice = {
  readonly order: ChildOrder
  readonly isDown: boolean
  readonly search: string // '' for all
  readonly page: number // from 1
}

export type BrowsedValues = {
  readonly iri: Iri
  readonly etag: string
  readonly property: Iri
  readonly values: readonly Term[]
  readonly nextAfter: string | undefined
  readonly previousAfter: string | undefined
  readonly labels: ReadonlyMap<Iri, string>
}

export type BrowseOptions = {
  readonly after: string | undefined
  readonly languages: readonly string[]
  readonly choice?: ChildChoice | undefined // of children
}

const shownQuads = 1000 // a document with more is shown in part
const shownChildren = 50
const countedChildren = 1_000_001
export const arrangedChildren = 10_000 // of a document with more, the children are only in the order of their creation
const storeLimits = {names: 200, counted: 1000, newest: 10} as const
const labelledNames = 40 // the most frequent ones
const shownMentions = 30
const heads = {values: 20, properties: 200, others: 2000}
export const shownValues = 100
const labelledIris = 2000

/** @throws Problem 404 `document-exists` · 400 `page-known` */
export async function browseDocument(
  {session, base}: Pick<Dataset, 'session' | 'base'>,
  iri: Iri,
  {after, languages, choice}: BrowseOptions,
): Promise<BrowsedDocument> {
  const place = checkedPlace(after, /^[0-9]{1,18}$/) ?? '0'
  const [page, before, arranged, store] = await Promise.all([
    readPage(session, iri, {
      after: place,
      children: shownChildren + 1,
      counted: countedChildren,
      mentions: shownMentions + 1,
      quads: shownQuads,
      heads,
    }),
    place === '0' ? '0' : readPlaceBefore(session, iri, place, shownChildren),
    choice && arrange(session, iri, choice, languages),
    iri === base && place === '0' ? readOverview(session) : undefined,
  ])
  if (page === undefined) throw noDocument(iri)
  const {isPart, accessPoints, childCount} = page
  const {state, nextAfter} = cutPage(page.state)
  const {triples = []} = state
  const mentions = page.mentions.slice(0, shownMentions).filter(({predicate}) => predicate !== ldp.membershipResource)
  const named = [
    iri,
    ...ancestorsOf(iri, base),
    ...(arranged?.children ?? state.children).map(child => child.iri),
    ...storeIris(store),
    ...(state.members?.members ?? []).map(member => member.iri),
    ...accessPoints.flatMap(point => [point.iri, point.relation, point.inverse ?? point.relation]),
    ...mentions.flatMap(({document, subject, predicate}) => [document, subject, predicate]),
    ...irisOf(triples),
  ]
  return {
    iri,
    state,
    triples,
    isPart,
    childCount: Math.min(childCount, countedChildren - 1),
    isCounted: childCount < countedChildren,
    nextAfter,
    previousAfter: before === '0' ? undefined : before,
    accessPoints,
    mentions,
    hasMoreMentions: page.mentions.length > shownMentions,
    arranged,
    store,
    labels: await labelsOf(session, named, languages),
  }
}

async function arrange(
  session: Session,
  iri: Iri,
  choice: ChildChoice,
  languages: readonly string[],
): Promise<ArrangedPage> {
  const {order, isDown, search, page} = choice
  const found = await readArrangedChildren(session, iri, {
    ...{order, isDown, search, languages},
    skip: (page - 1) * shownChildren,
    limit: shownChildren,
    childLimit: arrangedChildren,
    properties: labelProperties,
  })
  const total = found?.total ?? 0
  return {...choice, total, pages: Math.max(1, Math.ceil(total / shownChildren)), children: found?.children}
}

/** The overview of the store with its most frequent names, these first. */
async function readOverview(session: Session): Promise<StoreOverview> {
  const store = await readStore(session, storeLimits)
  const mostFrequent = (names: StoreOverview['classes']) =>
    [...names].sort(([, left], [, right]) => right - left).slice(0, labelledNames)
  return {...store, classes: mostFrequent(store.classes), properties: mostFrequent(store.properties)}
}

function storeIris(store: StoreOverview | undefined): readonly Iri[] {
  if (store === undefined) return []
  return [...store.newest, ...store.classes.map(([iri]) => iri), ...store.properties.map(([iri]) => iri)]
}

/** @throws Problem 404 `document-exists` · 400 `page-known` */
export async function browseValues(
  {session, base}: Pick<Dataset, 'session' | 'base'>,
  iri: Iri,
  property: Iri,
  {after, languages}: BrowseOptions,
): Promise<BrowsedValues> {
  const place = checkedPlace(after, /^-?[0-9]{1,19}$/)
  const [page, previousAfter] = await Promise.all([
    readValues(session, iri, property, {after: place, limit: shownValues}),
    place === undefined ? undefined : readValuesBefore(session, iri, property, {after: place, limit: shownValues}),
  ])
  if (page === undefined) throw noDocument(iri)
  return {
    iri,
    etag: page.etag,
    property,
    values: page.triples.map(({object}) => object),
    nextAfter: page.triples.length < shownValues ? undefined : page.last,
    previousAfter,
    labels: await labelsAround({session, base}, iri, {named: [property, ...irisOf(page.triples)], languages}),
  }
}

/** The documents above one, the root last. */
function ancestorsOf(iri: Iri, base: Iri): readonly Iri[] {
  const above: Iri[] = []
  for (let parent = parentOf(iri, base); parent !== undefined; parent = parentOf(parent, base)) above.push(parent)
  return above
}

/** Labels of a document, of those above it, and of further IRIs. */
export function labelsAround(
  {session, base}: Pick<Dataset, 'session' | 'base'>,
  iri: Iri,
  {named, languages}: {readonly named: readonly Iri[]; readonly languages: readonly string[]},
): Promise<ReadonlyMap<Iri, string>> {
  return labelsOf(session, [iri, ...ancestorsOf(iri, base), ...named], languages)
}

export function labelsOf(session: Session, named: readonly Iri[], languages: readonly string[]) {
  const iris = [...new Set(named)].slice(0, labelledIris)
  return readLabels(session, iris, {properties: labelProperties, languages})
}

/**
 * Checks an id from a link of the page. Users can change links.
 *
 * @throws Problem 400 `page-known`
 */
function checkedPlace(after: string | undefined, syntax: RegExp): string | undefined {
  if (after === undefined || (syntax.test(after) && BigInt.asIntN(64, BigInt(after)) === BigInt(after))) return after
  throw new Problem(400, 'page-known', `No page begins after "${after.slice(0, 40)}".`)
}

/**
 * Cuts children and members to one page by their ids. The query reads one of each beyond the page size, to learn
 * whether another page exists.
 */
function cutPage(state: DocumentState): {readonly state: DocumentState; readonly nextAfter: string | undefined} {
  const {children, members} = state
  const isMore = children.length > shownChildren || (members?.members.length ?? 0) > shownChildren
  if (!isMore) return {state, nextAfter: undefined}
  const ids = [...children, ...(members?.members ?? [])].map(({id}) => BigInt(id)).sort((a, b) => (a < b ? -1 : 1))
  const last = ids[shownChildren - 1] ?? 0n
  const isOn = ({id}: {readonly id: string}) => BigInt(id) <= last
  return {
    state: {
      ...state,
      children: children.filter(isOn),
      members: members === undefined ? undefined : {...members, members: members.members.filter(isOn)},
    },
    nextAfter: String(last),
  }
}

/** Well-known datatypes, shown without a label. */
const familiar = new Set<Iri>([...Object.values(xsd), rdf.langString])

export function irisOf(triples: readonly Triple[]): readonly Iri[] {
  return triples.flatMap(({subject, predicate, object}) => [
    ...(subject.termType === 'NamedNode' ? [subject.value] : []),
    predicate.value,
    ...(object.termType === 'NamedNode' ? [object.value] : []),
    ...(object.termType === 'Literal' && !familiar.has(object.datatype.value) ? [object.datatype.value] : []),
  ])
}
