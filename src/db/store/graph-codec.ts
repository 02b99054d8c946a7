/**
 * Encodes graphs for the store's SQL functions, and decodes documents and graphs from their rows.
 *
 * Encoded: each term once, as a key, and three arrays of references. Decoded: three arrays of ids and the dictionary
 * entries of these ids. Inline literals are ids only, never text. The SQL functions are in sql/functions/term/term.sql
 * and document/read.sql.
 */

import {type PackedTexts, packTexts, unpackTexts} from '../../base/packed-texts.ts'
import type {Changes} from '../../ldpatch/patch.ts'
import {blankNodeLabel, kindOfId} from '../../rdf/id-layout.ts'
import {packLiteral, unpackLiteral} from '../../rdf/inline.ts'
import {fromStoredText} from '../../rdf/stored-text.ts'
import {
  blankNode,
  type Iri,
  langLiteral,
  literal,
  type NamedNode,
  namedNode,
  type Resource,
  type Term,
  type Triple,
} from '../../rdf/term.ts'
import {blankNodeKey, kindOfKey, termKey, termOfKey} from '../../rdf/term-key.ts'
import {rdf} from '../../rdf/vocabulary.ts'
import {encodeValue} from '../connection/value.ts'
import type {Mode} from './caller.ts'
import {recallOnly, type TermMemory} from './term-memory.ts'

/** Encoded graphs. A positive reference n is the n-th key (from 1); a negative reference is an inline literal's id. */
export type EncodedGraphs = {
  readonly keys: readonly string[]
  readonly references: readonly (readonly string[])[] // s, p and o of the first graph, of the second …
}

/** The same as parameter texts. A thread that encodes a large graph returns this form. */
export type GraphParameters = {
  readonly keys: string
  readonly references: readonly string[]
  readonly labels: PackedTexts // of the blank nodes among the keys, in the order of the keys
}

/** A graph to write. */
export type GraphToWrite = readonly Triple[] | GraphParameters

export type Child = {
  readonly id: string // cursor for the next page
  readonly iri: Iri
  readonly isAccessPoint: boolean
  readonly memberBy: Iri | undefined // the relation under which it is a member of the parent
}

/** A page of the members of an access point's container document. */
export type MemberPage = {
  readonly container: Iri
  readonly relation: Iri
  readonly members: readonly {readonly id: string; readonly iri: Iri}[]
}

export type DocumentState = {
  readonly id: string
  readonly etag: string // without quotes
  readonly created: Date
  readonly modified: Date
  readonly isAccessPoint: boolean
  readonly triples: readonly Triple[] | undefined // undefined: the client has them, or there are too many for one read
  readonly children: readonly Child[]
  readonly members: MemberPage | undefined // only of an access point, if a page was requested
  readonly allowed: Allowed | undefined // undefined: the caller may do everything
}

/** The modes that the caller and everybody have on a document, without modes that combine others. */
export type Allowed = {readonly own: readonly Mode[]; readonly everybody: readonly Mode[]}

/** Creates an encoder, which refers to terms by keys, each kept once, or by the ids of inline literals. */
export function createEncoder() {
  const known = new Map<string, string>()
  return {
    /** @param scope  the same label in another scope is another blank node */
    refer(term: Term, scope = ''): string {
      const inline = term.termType === 'Literal' ? packLiteral(term) : undefined
      if (inline !== undefined) return inline.toString()
      const key = term.termType === 'BlankNode' ? blankNodeKey(scope + term.value) : termKey(term)
      const found = known.get(key)
      if (found !== undefined) return found
      const reference = String(known.size + 1)
      known.set(key, reference)
      return reference
    },
    keys: () => [...known.keys()],
  }
}

/** Encodes several graphs with one set of keys. */
export function encodeGraphs(graphs: readonly Iterable<Triple>[]): EncodedGraphs {
  const {refer, keys} = createEncoder()
  const references = graphs.flatMap(graph => {
    const subjects: string[] = []
    const predicates: string[] = []
    const objects: string[] = []
    for (const {subject, predicate, object} of graph) {
      subjects.push(refer(subject))
      predicates.push(refer(predicate))
      objects.push(refer(object))
    }
    return [subjects, predicates, objects]
  })
  return {keys: keys(), references}
}

export function graphParameters(graphs: readonly Iterable<Triple>[]): GraphParameters {
  const {keys, references} = encodeGraphs(graphs)
  return {
    keys: String(encodeValue(keys)),
    references: references.map(idsText),
    labels: packTexts(blankLabelsOf(keys)),
  }
}

/**
 * Encodes the removed and the added triples. A label only in removed triples is not written, so it becomes anonymous.
 */
export function changeParameters({removed, added}: Changes): GraphParameters {
  const {labels, ...others} = graphParameters([removed, added])
  const put = new Set(
    added
      .flatMap(({subject, object}) => [subject, object])
      .filter(isBlank)
      .map(({value}) => value),
  )
  return {...others, labels: packTexts(Array.from(unpackTexts(labels), label => (put.has(label) ? label : anonymous)))}
}

export function isEncoded(graph: GraphToWrite | Changes): graph is GraphParameters {
  return 'references' in graph
}

const anonymous = '!' // see isAnonymousLabel in format/

function isBlank({termType}: Term): boolean {
  return termType === 'BlankNode'
}

/** The text of a PostgreSQL array of numbers, which need no quotes. */
export function idsText(ids: readonly string[]): string {
  return `{${ids.join(',')}}`
}

/** The labels of the blank nodes among the keys, in the order of the `blank_nodes` of the SQL functions. */
export function blankLabelsOf(keys: readonly string[]): string[] {
  return keys.filter(key => kindOfKey(key) === 'blank').map(key => termOfKey(key).value)
}

/** A graph as rows have it: ids. */
type StoredGraph = {
  readonly subjects: readonly string[]
  readonly predicates: readonly string[]
  readonly objects: readonly string[]
}

/** A term of the dictionary. */
export type StoredTerm = string | readonly [lexicalForm: string, datatype: string | null, language: string | null]

/** The dictionary entries of a row: ids and, in the same order, their terms. Null: there are none. */
export type StoredTerms = {
  readonly term_ids: readonly string[] | null
  readonly term_texts: readonly StoredTerm[] | null
}

/** A row with a graph. */
export type GraphRow = StoredGraph & StoredTerms

export function triplesOf(row: GraphRow, memory: TermMemory): Triple[] {
  return decodeGraph(row, createDecoder(row, memory), memory)
}

/**
 * Creates a decoder of several graphs whose dictionary entries are in one place.
 *
 * @returns  a function; its `names` replace the IRIs of some ids, for triples from before a move
 */
export function createGraphDecoder(stored: StoredTerms, memory: TermMemory) {
  const decode = createDecoder(stored, memory)
  return (graph: StoredGraph, names: Readonly<Record<string, Iri>> | null): Triple[] => {
    if (names === null) return decodeGraph(graph, decode, memory)
    const decodeOld = (id: string) => (names[id] === undefined ? decode(id) : namedNode(names[id]))
    return decodeGraph(graph, decodeOld, recallOnly(memory))
  }
}

/**
 * The SQL type `document_state`. The columns of the graph are null if the triples are left out, those of the page if
 * none was requested, and the modes if the caller may do everything.
 */
export type DocumentRow = StoredTerms & {
  readonly [Name in keyof StoredGraph]: StoredGraph[Name] | null
} & {
  readonly id: string | null // null: there is no such document, or the caller may not read it
  readonly etag: string
  readonly created: Date
  readonly modified: Date
  readonly is_access_point: boolean
  readonly children: readonly [string, Iri, boolean, Iri | null][] | null
  readonly members: readonly [container: Iri, relation: Iri, members: readonly [string, Iri][]] | null
  readonly own_modes: readonly Mode[] | null
  readonly public_modes: readonly Mode[] | null
}

/**
 * Decodes the rows of one result. The first row has the dictionary entries of all.
 *
 * @returns  for each row the state; null for a row without a document
 */
export function documentsOf(rows: readonly DocumentRow[], memory: TermMemory): (DocumentState | null)[] {
  const [first] = rows
  if (first === undefined) return []
  const decode = createDecoder(first, memory)
  return rows.map(row => {
    const {id, subjects, predicates, objects, children, members, own_modes: own, public_modes: everybody} = row
    if (id === null) return null
    const isWhole = subjects !== null && predicates !== null && objects !== null
    return {
      id,
      etag: row.etag,
      created: row.created,
      modified: row.modified,
      isAccessPoint: row.is_access_point,
      triples: isWhole ? decodeGraph({subjects, predicates, objects}, decode, memory) : undefined,
      children: children === null ? [] : children.map(childOf),
      members: members === null ? undefined : memberPageOf(members),
      allowed: own === null || everybody === null ? undefined : {own, everybody},
    }
  })
}

export function documentOf(row: DocumentRow, memory: TermMemory): DocumentState | undefined {
  return documentsOf([row], memory)[0] ?? undefined
}

function childOf([id, iri, isAccessPoint, memberBy]: readonly [string, Iri, boolean, Iri | null]): Child {
  return {id, iri, isAccessPoint, memberBy: memberBy ?? undefined}
}

function memberPageOf([container, relation, members]: NonNullable<DocumentRow['members']>): MemberPage {
  return {container, relation, members: members.map(([id, iri]) => ({id, iri}))}
}

type Decode = (id: string) => Term

/** Creates one term object per id. The row has the texts of all ids except those of the vocabulary. */
function createDecoder({term_ids: ids, term_texts: texts}: StoredTerms, {recall}: TermMemory): Decode {
  const terms = new Map<string, Term>()
  for (const [at, id] of (ids ?? []).entries()) {
    const text = texts?.[at]
    const known = recall(id)
    const isCurrent = known !== undefined && (typeof text !== 'string' || text === known.value)
    terms.set(id, isCurrent ? known : buildTerm(id, text))
  }
  return id => {
    const known = terms.get(id) ?? recall(id)
    if (known !== undefined) return known
    const term = buildTerm(id)
    terms.set(id, term)
    return term
  }
}

/** Remembers predicates and classes. Rows are sorted by subject, so most repeat the one before. */
function decodeGraph({subjects, predicates, objects}: StoredGraph, decode: Decode, memory: TermMemory): Triple[] {
  let lastId: string | undefined
  let subject: Term | undefined
  return subjects.map((id, at) => {
    if (subject === undefined || id !== lastId) subject = decode(id)
    lastId = id
    const predicateId = predicates[at] ?? ''
    const objectId = objects[at] ?? ''
    const predicate = decode(predicateId)
    const object = decode(objectId)
    if (memory.recall(predicateId) !== predicate) memory.remember(predicateId, predicate)
    if (predicate.value === rdf.type) memory.remember(objectId, object)
    return {subject: subject as Resource, predicate: predicate as NamedNode, object}
  })
}

/** @param stored  the dictionary entry; undefined for an inline literal or a blank node, whose id determines it */
export function buildTerm(id: string, stored?: StoredTerm): Term {
  if (id.startsWith('-')) return unpackLiteral(BigInt(id))
  if (typeof stored === 'string') return namedNode(stored)
  if (stored !== undefined) {
    const [storedForm, datatype, language] = stored
    const lexicalForm = fromStoredText(storedForm)
    return language === null ? literal(lexicalForm, datatype ?? undefined) : langLiteral(lexicalForm, language)
  }
  if (kindOfId(id) === 'blank') return blankNode(blankNodeLabel(id))
  throw new Error(`term ${id} is not in the dictionary`)
}
