/**
 * The log of changes as a Linked Data Event Stream: pages of versions, in the order of the log.
 *
 * Pure. Page n has the changes at positions above n · `pagePositions`, up to (n + 1) · `pagePositions`. That never
 * changes, also if transactions are rolled back and their positions stay empty. A page is full when the log has a
 * change at its last position or later: nothing before a visible change can still be committed.
 * Sources: LDES 1.0 (w3id.org/ldes/specification), TREE hypermedia (w3id.org/tree/specification), SHACL §2.3.1 (paths).
 */
import type {Version} from '../db/store/versions.ts'
import {
  defaultGraph,
  type Iri,
  literal,
  type NamedNode,
  namedNode,
  type Quad,
  type Term,
  type Triple,
} from '../rdf/term.ts'
import {rdf, xsd} from '../rdf/vocabulary.ts'
import {stateIri} from './time-map.ts'

export const pagePositions = 50

const ldes = (name: string) => namedNode(`https://w3id.org/ldes#${name}`)
const tree = (name: string) => namedNode(`https://w3id.org/tree#${name}`)
const activity = (name: string) => namedNode(`https://www.w3.org/ns/activitystreams#${name}`)
const type = namedNode(rdf.type)
const timestamp = namedNode('http://www.w3.org/ns/prov#generatedAtTime')
const sequence = namedNode('http://schema.org/position')
const versionOf = namedNode('http://purl.org/dc/terms/isVersionOf')
const seeAlso = namedNode('http://www.w3.org/2000/01/rdf-schema#seeAlso')

/** The pages of a log that has the changes after one position, up to another. */
export type StreamRange = {readonly oldest: string; readonly last: string}

export type StreamPage = {
  readonly number: number
  readonly after: string // position
  readonly until: string // position: of the last change that the page has or can have
  readonly isFull: boolean // nothing will be added
}

/** @returns  undefined: there is no such page, because its changes have expired, or are still to come */
export function streamPage({oldest, last}: StreamRange, number: number): StreamPage | 'expired' | undefined {
  const start = BigInt(number) * BigInt(pagePositions)
  const end = start + BigInt(pagePositions)
  if (number < firstPage({oldest})) return 'expired'
  if (start > BigInt(last)) return undefined
  const isFull = BigInt(last) >= end
  const after = start < BigInt(oldest) ? oldest : String(start)
  return {number, after, until: isFull ? String(end) : last, isFull}
}

/** The number of the first page that is kept. */
export function firstPage({oldest}: Pick<StreamRange, 'oldest'>): number {
  return Number(BigInt(oldest) / BigInt(pagePositions))
}

/** @param root  the IRI of the root node */
export function streamPageIri(root: Iri, number: number): Iri {
  return `${root}?page=${number}`
}

const streamIri = (root: Iri) => namedNode(`${root}#stream`)

/**
 * The root node: what the stream is, and a link to its first page.
 *
 * @param keptSeconds  how long changes are kept; undefined: forever
 */
export function rootTriples(root: Iri, range: StreamRange, keptSeconds: number | undefined): readonly Triple[] {
  const [node, stream, policy] = [namedNode(root), streamIri(root), namedNode(`${root}#retention`)]
  const about = (predicate: NamedNode, object: Term): Triple => ({subject: stream, predicate, object})
  const retention: readonly Triple[] =
    keptSeconds === undefined
      ? []
      : [
          {subject: node, predicate: ldes('retentionPolicy'), object: policy},
          {subject: policy, predicate: type, object: ldes('RetentionPolicy')},
          {subject: policy, predicate: ldes('fullLogDuration'), object: literal(`PT${keptSeconds}S`, xsd.duration)},
        ]
  return [
    about(type, ldes('EventStream')),
    about(tree('view'), node),
    about(ldes('timestampPath'), timestamp),
    about(ldes('sequencePath'), sequence),
    about(ldes('versionOfPath'), versionOf),
    about(ldes('versionCreatePath'), type),
    about(ldes('versionCreateObject'), activity('Create')),
    about(ldes('versionUpdatePath'), type),
    about(ldes('versionUpdateObject'), activity('Update')),
    about(ldes('versionDeletePath'), type),
    about(ldes('versionDeleteObject'), activity('Delete')),
    {subject: node, predicate: type, object: ldes('EventSource')},
    {subject: node, predicate: type, object: tree('Node')},
    ...relationTriples({root, from: root, number: firstPage(range)}),
    ...retention,
  ]
}

/** A link to a page, all of whose members have greater positions than those of earlier pages. */
function relationTriples({root, from, number}: {root: Iri; from: Iri; number: number}): readonly Triple[] {
  const relation = namedNode(`${from}#next`)
  const start = String(BigInt(number) * BigInt(pagePositions))
  return [
    {subject: namedNode(from), predicate: tree('relation'), object: relation},
    {subject: relation, predicate: type, object: tree('GreaterThanRelation')},
    {subject: relation, predicate: tree('path'), object: sequence},
    {subject: relation, predicate: tree('value'), object: literal(start, xsd.integer)},
    {subject: relation, predicate: tree('node'), object: namedNode(streamPageIri(root, number))},
  ]
}

const inDefaultGraph = (triple: Triple): Quad => ({...triple, graph: defaultGraph})

/** A page: its members, and, if it is full, a link to the next one. The graph of a member has the document's state. */
export function pageQuads(root: Iri, {number, isFull}: StreamPage, versions: readonly Version[]): readonly Quad[] {
  const self = streamPageIri(root, number)
  const node = namedNode(self)
  const page: readonly Triple[] = [
    {subject: node, predicate: type, object: tree('Node')},
    {subject: streamIri(root), predicate: type, object: ldes('EventStream')},
    ...(isFull
      ? [
          {subject: node, predicate: ldes('immutable'), object: literal('true', xsd.boolean)},
          ...relationTriples({root, from: self, number: number + 1}),
        ]
      : []),
  ]
  return [...page.map(inDefaultGraph), ...versions.flatMap(version => memberQuads(root, version))]
}

/** A move is two members: the old IRI is gone, and the new one has the document. */
function memberQuads(root: Iri, version: Version): readonly Quad[] {
  const {position, document, oldDocument, isNew, tag, triples = []} = version
  const member = namedNode(`${root}#${position}`)
  const left = namedNode(`${root}#${position}-left`)
  const action = tag === undefined ? 'Delete' : isNew || oldDocument !== undefined ? 'Create' : 'Update'
  const described = [
    ...(oldDocument === undefined
      ? []
      : describe({root, member: left, document: oldDocument, action: 'Delete', version})),
    ...describe({root, member, document, action, version}),
    ...(tag === undefined ? [] : [{subject: member, predicate: seeAlso, object: namedNode(stateIri(document, tag))}]),
  ]
  return [...described.map(inDefaultGraph), ...triples.map(triple => ({...triple, graph: member}))]
}

type Described = {
  readonly root: Iri
  readonly member: NamedNode
  readonly document: Iri
  readonly action: 'Create' | 'Update' | 'Delete'
  readonly version: Version
}

function describe({root, member, document, action, version: {time, position, agent}}: Described): readonly Triple[] {
  return [
    {subject: streamIri(root), predicate: tree('member'), object: member},
    {subject: member, predicate: type, object: activity(action)},
    {subject: member, predicate: versionOf, object: namedNode(document)},
    {subject: member, predicate: timestamp, object: literal(time.toISOString(), xsd.dateTime)},
    {subject: member, predicate: sequence, object: literal(position, xsd.integer)},
    ...(agent === undefined ? [] : [{subject: member, predicate: activity('actor'), object: namedNode(agent)}]),
  ]
}
