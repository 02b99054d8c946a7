/**
 * Reading documents: one round trip each, or one snapshot for as long as a large one takes.
 *
 * Floor 3. sql/functions/55_read.sql and 57_stream.sql are the other end.
 */
import type {Iri, Triple} from '../rdf/term.ts'
import {createDocumentBatch} from './document-batch.ts'
import {type DocumentState, type StateRow, stateOf} from './document-state.ts'
import {createDecoder, type StoredGraph} from './graph-codec.ts'
import type {Database, Queryable} from './pool.ts'
import type {LogPosition, Reader} from './reader.ts'
import {conditionValues, quadLimit, type Session, type WriteConditions} from './session.ts'
import {readOnly} from './transaction.ts'
import type {Value} from './value.ts'

const batchRows = 1000

export type ReadOptions = {
  readonly known?: readonly string[] // entity tags whose triples the client has
  readonly isHeadOnly?: boolean // leave the triples out
  readonly children?: {readonly after: string; readonly limit: number} // a page, and of members
  readonly reader?: Reader | undefined // undefined: the primary's state counts
  readonly seen?: readonly string[] // entity tags that the client knows: it is not told of an older state
}

type UseDocument<Result> = (
  state: DocumentState | undefined, // undefined: there is none
  batches: AsyncIterable<readonly Triple[]>,
) => Promise<Result>

export function createReads(session: Session) {
  const {database, inSchema, retry} = session
  const ask = <Row extends object>(text: string, values: readonly Value[]) =>
    retry('read', () => database.query<Row>(text, values))
  const batchOf = createBatches(session)

  return {
    /** A document's state; undefined when there is none. */
    readDocument(
      iri: Iri,
      {known, isHeadOnly = false, children, reader, seen}: ReadOptions = {},
    ): Promise<DocumentState | undefined> {
      const limit = isHeadOnly ? 0 : quadLimit
      const find = async (server: Database, after: LogPosition | undefined) => {
        if (children === undefined)
          return (await batchOf(server)({iri, known: known ?? [], quadLimit: limit, after})) ?? undefined
        const values = [iri, known ?? null, limit, children.after, children.limit]
        const [row] = await retry('read', () => server.query<StateRow>(readText(session), values, {after}))
        return rowState(row, session)
      }
      return database.read(reader, find, {isEnough: state => isAsNewAs(state, seen)})
    },

    /** Reads a document in batches, all of one state, for as long as `use` runs. */
    streamDocument<Result>(iri: Iri, {children, reader}: ReadOptions, use: UseDocument<Result>): Promise<Result> {
      let isUsed = false
      const work = async (transaction: Queryable) => {
        const values = [iri, null, 0, children?.after ?? '0', children?.limit ?? 0]
        const [row] = await transaction.query<StateRow>(readText(session), values)
        const state = rowState(row, session)
        isUsed = true
        return use(state, state === undefined ? noBatches() : graphBatches(transaction, state.id, session))
      }
      return database.read(reader, (server, after) => readOnly(server, work, {after}), {isTold: () => isUsed})
    },

    /** Whether there is a document with this IRI. */
    hasDocument(iri: Iri, reader?: Reader): Promise<boolean> {
      const text = `select ${inSchema}has_document($1) as found`
      const find = async (server: Database, after: LogPosition | undefined) => {
        const [row] = await retry('read', () => server.query<{found: boolean}>(text, [iri], {after}))
        return row?.found === true
      }
      return database.read(reader, find, {isEnough: isFound => isFound})
    },

    /** Existence and preconditions without a write: Problem 404 `document-exists`, 412 `etag-mismatch`. */
    async checkPrecondition(iri: Iri, conditions: WriteConditions): Promise<void> {
      await ask(`select ${inSchema}check_precondition($1, $2, $3, $4)`, [iri, ...conditionValues(conditions)])
    },
  }
}

/** Each server has questions of its own under way. */
function createBatches(session: Session) {
  const batches = new WeakMap<Database, ReturnType<typeof createDocumentBatch>>()
  return (server: Database) => {
    const batch = batches.get(server) ?? createDocumentBatch(server, session)
    batches.set(server, batch)
    return batch
  }
}

/** A document that a replica lacks may be new; and a state is too old for a client that knows a later one. */
function isAsNewAs(state: DocumentState | undefined, seen: readonly string[] = []): boolean {
  if (state === undefined) return false
  const revision = BigInt(state.etag)
  return seen.every(tag => revisionOf(tag) <= revision)
}

/** The revision in an entity tag, also in that of a listing or page (`12-…`); 0 in what is none of ours. */
function revisionOf(tag: string): bigint {
  const [, digits] = /^([0-9]{1,19})(?:-|$)/.exec(tag) ?? []
  return BigInt(digits ?? 0)
}

function readText({inSchema}: Session): string {
  return `select * from ${inSchema}read_document($1, $2, $3, $4, $5)`
}

function rowState(row: StateRow | undefined, {vocabulary}: Session): DocumentState | undefined {
  return row === undefined || row.id === null ? undefined : stateOf(row, vocabulary)
}

/** A graph in the order of its document: its own triples first, then by subject. */
async function* graphBatches(
  transaction: Queryable,
  id: string,
  {inSchema, vocabulary}: Session,
): AsyncIterable<readonly Triple[]> {
  const [opened] = await transaction.query<{rows: string}>(`select ${inSchema}open_graph($1)::text as rows`, [id])
  if (opened === undefined) throw new Error('open_graph gave no row')
  for (;;) {
    const text = `select * from ${inSchema}read_graph($1::text::refcursor, $2)`
    const [batch] = await transaction.query<StoredGraph>(text, [opened.rows, batchRows])
    if (batch === undefined || batch.subjects.length === 0) return
    yield createDecoder(vocabulary)(batch)
  }
}

async function* noBatches(): AsyncIterable<readonly Triple[]> {}
