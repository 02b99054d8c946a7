/**
 * Creates small documents of concurrent requests with one statement. Each document has an outcome of its own.
 *
 * The SQL function is in sql/functions/61_create_many.sql. Documents that it leaves undone, and all documents of a call
 * that fails because of one of them, are created one by one outside the batch, so that no request waits for the lock or
 * fails with the error of another.
 */
import {Problem} from '../../base/problem.ts'
import {startStopwatch} from '../../base/stopwatch.ts'
import {blankNodeLabel} from '../../rdf/id-layout.ts'
import {namedNode, type Triple} from '../../rdf/term.ts'
import {databaseCodeOf, isCollision} from '../connection/problem-of.ts'
import {encodeValue} from '../connection/value.ts'
import {createBatch} from './batch.ts'
import {ask, type Sharer, sharersOf} from './call.ts'
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

/** A batch per combination of access checks and recording. In practice a site uses one of them for all its requests. */
export function createCreateBatch(session: Session): CreateTogether {
  const own: Session = {...session, retry: (_, once) => once()}
  const batches = new Map<string, CreateTogether>()
  return document => {
    const {grantees, isAudited} = document.caller ?? {}
    const kind = `${grantees !== undefined} ${isAudited}`
    const batch = batches.get(kind) ?? createCreator(own)
    batches.set(kind, batch)
    return batch(document)
  }
}

function createCreator(session: Session): CreateTogether {
  const createTogether = createBatch<Asked, Made | 'undone'>(limits, async asked => {
    try {
      return await createAll(session, asked)
    } catch (error) {
      if (!isOfOne(error)) throw error
      return asked.map(() => 'undone' as const)
    }
  })
  return async document => {
    const made = await createTogether({...document, watch: startStopwatch()})
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
  const {text, others} = statementFor(session, asked, values.length)
  const call = {name: 'create_documents', text, values: [...values, ...others]}
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

/** @param taken  the number of parameters before those of the check and the record */
function statementFor({inSchema}: Session, asked: readonly Asked[], taken: number) {
  const {grantees, isAudited} = asked[0]?.caller ?? {}
  const callers = asked.map(({caller}) => String(encodeValue(caller?.grantees ?? [])))
  const parents = grantees === undefined ? '$2' : `${inSchema}permitted_iris($2, $${taken + 1}, '{create}')`
  const made = `${inSchema}create_documents($1, ${parents}, $3, $4, $5, $6, $7)`
  const checks = grantees === undefined ? [] : [callers]
  if (isAudited !== true)
    return {text: `select w.id, w.etag, w.modified, w.blank_nodes from ${made} as w`, others: checks}
  const [iris, agents, requests] = [1, 2, 3].map(number => `$${taken + checks.length + number}::text[]`)
  const record = `${inSchema}record_change('create', (${iris})[w.n], w.etag, (${agents})[w.n], (${requests})[w.n])`
  return {
    text:
      'select w.id, w.etag, w.modified, w.blank_nodes, r.is_recorded ' +
      `from ${made} with ordinality as w (id, etag, modified, blank_nodes, n) ` +
      `left join lateral (select ${record} where w.id is not null) as r (is_recorded) on true`,
    others: [
      ...checks,
      asked.map(({iri}) => iri),
      asked.map(({caller}) => caller?.agent ?? null),
      asked.map(({requestId}) => requestId ?? null),
    ],
  }
}
