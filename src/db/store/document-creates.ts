/**
 * Creates small documents of concurrent requests with one statement. Each document has an outcome of its own.
 *
 * The SQL function is in sql/functions/document/create_many.sql. Documents that it leaves undone, and all documents of
 * a call that fails because of one of them, are created one by one outside the batch, so that no request waits for the
 * lock or fails with the error of another.
 */
import {Problem} from '../../base/problem.ts'
import {startStopwatch} from '../../base/stopwatch.ts'
import {blankNodeLabel} from '../../rdf/id-layout.ts'
import {namedNode, type Triple} from '../../rdf/term.ts'
import {databaseCodeOf, isCollision} from '../connection/problem-of.ts'
import type {SqlValue} from '../connection/value.ts'
import {createBatch} from './batch.ts'
import {ask, type Sharer, sharersOf} from './call.ts'
import {callerValue} from './caller.ts'
import {blankLabelsOf, createEncoder, idsText} from './graph-codec.ts'
import type {Session} from './session.ts'
import type {CreateTogether, Made, NewDocument} from './together.ts'

type Asked = NewDocument & Sharer

type MadeRow = {
  readonly id: string | null
  readonly etag: string
  readonly modified: Date
  readonly blank_nodes: readonly string[] | null // of all documents, in the first row
}

/** Two statements may run at a time, because each ends with a wait for the disk. */
const limits = {sizeMax: 16, flightMax: 2, waitMax: 1000}

/** A larger document is created on its own, so that it does not delay the others. */
const tripleLimit = 100
const textLimit = 16_384 // UTF-16 units of all objects

export function isSmall(triples: readonly Triple[]): boolean {
  return triples.length <= tripleLimit && triples.reduce((sum, {object}) => sum + object.value.length, 0) <= textLimit
}

export function createCreateBatch(session: Session): CreateTogether {
  const own: Session = {...session, retry: (_, once) => once()}
  const createTogether = createBatch<Asked, Made | 'undone'>(limits, async asked => {
    try {
      return await createAll(own, asked)
    } catch (error) {
      if (!isOfOne(error)) throw error
      return asked.map(() => 'undone' as const)
    }
  })
  return async document => {
    const made = await createTogether({watch: startStopwatch(), ...document})
    return made === 'undone' ? undefined : made
  }
}

/**
 * Whether an error is due to one document or to a collision, so that all may be tried one by one. Nothing was done
 * then.
 */
function isOfOne(error: unknown): boolean {
  const code = databaseCodeOf(error)
  return code !== undefined && (isCollision(code) || !(error instanceof Problem) || error.status !== 503)
}

async function createAll(session: Session, asked: readonly Asked[]): Promise<(Made | 'undone')[]> {
  const {values, labels} = encode(asked)
  const text = `select * from ${session.inSchema}create_documents($1, $2, $3, $4, $5, $6, $7, $8)`
  const call = {name: 'create_documents', text, values: [...values, callersOf(asked)]}
  const rows = await ask<MadeRow>(session, 'write', call, sharersOf(asked))
  const nodes = rows[0]?.blank_nodes ?? []
  const labelsOf = asked.map(() => new Map<string, string>())
  for (const [at, {document, label}] of labels.entries())
    labelsOf[document]?.set(label, blankNodeLabel(nodes[at] ?? ''))
  return asked.map((_, at) => {
    const row = rows[at]
    if (row === undefined || row.id === null) return 'undone'
    return {etag: row.etag, modified: row.modified, labels: labelsOf[at] ?? new Map()}
  })
}

/**
 * Encodes the documents as the SQL function takes them, with the labels of their blank nodes in the order of the keys.
 */
function encode(asked: readonly Asked[]) {
  const {refer, keys} = createEncoder()
  const places: string[] = []
  const graphs: string[] = []
  const subjects: string[] = []
  const predicates: string[] = []
  const objects: string[] = []
  for (const [at, {iri, triples}] of asked.entries()) {
    const scope = `${at} `
    places.push(refer(namedNode(iri)))
    for (const {subject, predicate, object} of triples) {
      graphs.push(String(at + 1))
      subjects.push(refer(subject, scope))
      predicates.push(refer(predicate))
      objects.push(refer(object, scope))
    }
  }
  const all = keys()
  const labels = blankLabelsOf(all).map(scoped => {
    const end = scoped.indexOf(' ')
    return {document: Number(scoped.slice(0, end)), label: scoped.slice(end + 1)}
  })
  const parents = asked.map(({parent}) => parent)
  return {values: [idsText(places), parents, all, ...[graphs, subjects, predicates, objects].map(idsText)], labels}
}

/** The callers of the documents; null if none of them is restricted or audited. */
function callersOf(asked: readonly Asked[]): SqlValue {
  if (asked.every(({caller}) => caller === undefined)) return null
  return asked.map(({caller, requestId}) => callerValue(caller, requestId))
}
