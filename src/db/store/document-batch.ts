/**
 * Reads documents for concurrent requests with one statement, and decodes its rows.
 *
 * The SQL function is in sql/functions/56_read_many.sql.
 */
import {type Stopwatch, startStopwatch} from '../../base/stopwatch.ts'
import type {Iri, NamedNode, Resource, Term, Triple} from '../../rdf/term.ts'
import {rdf} from '../../rdf/vocabulary.ts'
import {encodeValue} from '../connection/value.ts'
import {createTermMemory, type TermMemory} from '../query/term-memory.ts'
import type {LogPosition} from '../replicas/reader.ts'
import {createBatch} from './batch.ts'
import {ask, sharersOf} from './call.ts'
import {type AllowedRow, allowedOf, type DocumentState} from './document-state.ts'
import {buildTerm, type StoredTerm} from './graph-codec.ts'
import type {Session} from './session.ts'
import type {DocumentQuestion, ReadTogether} from './together.ts'

type Asked = DocumentQuestion & {readonly watch: Stopwatch}

type Shared = {readonly memory: TermMemory; readonly vocabulary: ReadonlyMap<string, Iri>}

type BatchRow = AllowedRow & {
  readonly id: string | null
  readonly etag: string
  readonly created: Date
  readonly modified: Date
  readonly is_access_point: boolean
  readonly subjects: readonly string[] | null
  readonly predicates: readonly string[]
  readonly objects: readonly string[]
  readonly term_ids: readonly string[] | null // of all rows, in the first row
  readonly term_texts: readonly StoredTerm[] | null
}

/** Two statements, so that a large document delays at most half of the others. Node cannot use more. */
const limits = {sizeMax: 16, flightMax: 2, waitMax: 1000}

/** A larger document is read on its own, so that it does not delay the others. */
const sharedQuadLimit = 500

export function createDocumentBatch(session: Session): ReadTogether {
  const shared = {memory: createTermMemory(session.vocabulary), vocabulary: session.vocabulary}
  const [open, guarded] = [createReader(session, shared, 'all'), createReader(session, shared, 'readable')]
  return question => (question.grantees === undefined ? open(question) : guarded(question))
}

/** @param which  which documents are returned: all, or those that their callers may read */
function createReader(session: Session, shared: Shared, which: 'all' | 'readable'): ReadTogether {
  const {inSchema} = session
  const isGuarded = which === 'readable'
  const called = isGuarded ? 'read_documents_for($1, $4, $2, $3)' : 'read_documents($1, $2, $3)'
  const text = `select * from ${inSchema}${called}`

  async function askAll(questions: readonly Asked[]): Promise<(DocumentState | null)[]> {
    const values = [
      questions.map(({iri}) => iri),
      questions.map(({known}) => tagsText(known)),
      questions.map(({quadLimit}) => quadLimit),
      ...(isGuarded ? [questions.map(({grantees = []}) => String(encodeValue(grantees)))] : []),
    ]
    const call = {name: 'read_documents', text, values, after: latest(questions)}
    return statesOf(await ask<BatchRow>(session, 'read', call, sharersOf(questions)), shared)
  }
  const askTogether = createBatch(limits, askAll)

  return async question => {
    const {quadLimit} = question
    const watch = startStopwatch()
    if (quadLimit <= sharedQuadLimit) return askTogether({...question, watch})
    const state = await askTogether({...question, quadLimit: sharedQuadLimit, watch})
    if (state === null || state.triples !== undefined || question.known.includes(state.etag)) return state
    const [whole = null] = await askAll([{...question, watch: startStopwatch()}])
    return whole
  }
}

/** If a replica is not far enough, each question is asked on its own. */
function latest(questions: readonly DocumentQuestion[]): LogPosition | undefined {
  return questions.reduce<LogPosition | undefined>(
    (most, {after}) => (most === undefined || (after !== undefined && after > most) ? after : most),
    undefined,
  )
}

/** Our entity tags are revisions. Any other tag matches nothing. */
function tagsText(tags: readonly string[]): string | null {
  const revisions = tags.filter(tag => /^[0-9]+$/.test(tag))
  return revisions.length === 0 ? null : `{${revisions.join(',')}}`
}

type Decode = (id: string) => Term

function statesOf(rows: readonly BatchRow[], {memory, vocabulary}: Shared): (DocumentState | null)[] {
  const {term_ids: ids, term_texts: texts} = rows[0] ?? {}
  const terms = new Map<string, Term>()
  for (const [at, id] of (ids ?? []).entries())
    terms.set(id, memory.recall(id) ?? buildTerm(id, texts?.[at], vocabulary))
  const decode = (id: string): Term => {
    const known = terms.get(id) ?? memory.recall(id)
    if (known !== undefined) return known
    const term = buildTerm(id, undefined, vocabulary)
    terms.set(id, term)
    return term
  }
  return rows.map(row => (row.id === null ? null : stateOf(row, row.id, decode, memory)))
}

function stateOf(row: BatchRow, id: string, decode: Decode, memory: TermMemory): DocumentState {
  return {
    id,
    etag: row.etag,
    created: row.created,
    modified: row.modified,
    isAccessPoint: row.is_access_point,
    triples: row.subjects === null ? undefined : triplesOf(row.subjects, row.predicates, row.objects, decode, memory),
    children: [],
    members: undefined,
    allowed: allowedOf(row),
  }
}

/** Rows are sorted by subject, so most repeat the one before. */
function triplesOf(
  subjects: readonly string[],
  predicates: readonly string[],
  objects: readonly string[],
  decode: Decode,
  memory: TermMemory,
): Triple[] {
  const triples: Triple[] = []
  let lastId = ''
  let subject: Term | undefined
  for (let at = 0; at < subjects.length; at += 1) {
    const id = subjects[at] ?? ''
    if (subject === undefined || id !== lastId) subject = decode(id)
    lastId = id
    const predicateId = predicates[at] ?? ''
    const objectId = objects[at] ?? ''
    const known = memory.recall(predicateId)
    const predicate = known ?? decode(predicateId)
    const object = decode(objectId)
    if (known === undefined) memory.remember(predicateId, predicate)
    if (predicate.value === rdf.type) memory.remember(objectId, object)
    triples.push({subject: subject as Resource, predicate: predicate as NamedNode, object})
  }
  return triples
}
