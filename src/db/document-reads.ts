/**
 * Reading documents: one round trip each, or one snapshot for as long as a large one takes.
 *
 * Floor 3. sql/functions/55_read.sql and 57_stream.sql are the other end.
 */

import {Problem} from '../base/problem.ts'
import type {Iri, Triple} from '../rdf/term.ts'
import type {DocumentReader} from './document-batch.ts'
import {type DocumentState, type StateRow, stateOf} from './document-state.ts'
import {createDecoder, type StoredGraph} from './graph-codec.ts'
import {type Checked, checked} from './guard.ts'
import type {Queryable} from './pool.ts'
import {conditionValues, quadLimit, type Session, type WriteConditions} from './session.ts'
import {readOnly} from './transaction.ts'
import type {Value} from './value.ts'

const batchRows = 1000

export type ReadOptions = {
  readonly known?: readonly string[] // entity tags whose triples the client has
  readonly isHeadOnly?: boolean // leave the triples out
  readonly children?: {readonly after: string; readonly limit: number} // a page, and of members
}

type UseDocument<Result> = (
  state: DocumentState | undefined, // undefined: there is none
  batches: AsyncIterable<readonly Triple[]>,
) => Promise<Result>

/** @param together  reads a document along with others that are asked for at the same time */
export function createReads(session: Session, together: DocumentReader) {
  const {database, inSchema, retry, access} = session
  const least = access?.least ?? 'read'
  const ask = <Row extends object>(text: string, values: readonly Value[]) =>
    retry('read', () => database.query<Row>(text, values))

  /** Why a document was not given, where a caller who may not read it is told so. */
  async function explainMissing(iri: Iri): Promise<void> {
    if (access?.guard === undefined || access.guard.isHidden) return
    const {before, values} = checked(session, [iri], {modes: ['read']})
    await ask(`select from ${before}(select) as nothing`, values)
  }

  return {
    /** A document's state; undefined when there is none. Problem 401, 403: may not be read. */
    async readDocument(
      iri: Iri,
      {known, isHeadOnly = false, children}: ReadOptions = {},
    ): Promise<DocumentState | undefined> {
      const limit = isHeadOnly ? 0 : quadLimit
      if (children === undefined) {
        const question = {iri, known: known ?? [], quadLimit: limit, grantees: access?.guard?.grantees}
        const state = await together(question)
        if (state === null) await explainMissing(iri)
        return state ?? undefined
      }
      const {text, values} = readStatement(session, [iri, known ?? null, limit, children.after, children.limit])
      const [row] = await orNothing(ask<StateRow>(text, values))
      return rowState(row, session)
    },

    /** Reads a document in batches, all of one state, for as long as `use` runs. */
    streamDocument<Result>(iri: Iri, {children}: ReadOptions, use: UseDocument<Result>): Promise<Result> {
      return readOnly(database, async transaction => {
        const {text, values} = readStatement(session, [iri, null, 0, children?.after ?? '0', children?.limit ?? 0])
        const [row] = await transaction.query<StateRow>(text, values)
        const state = rowState(row, session)
        return use(state, state === undefined ? noBatches() : graphBatches(transaction, state.id, session))
      })
    },

    /** Whether there is a document with this IRI. Problem 401, 403: the request may not be made of it. */
    async hasDocument(iri: Iri): Promise<boolean> {
      const call: Checked = checked(session, [iri], {modes: [least]})
      const text = selectCall(call, `${inSchema}has_document(${call.iri})`, 'found')
      const [row] = await orNothing(ask<{found: boolean}>(text, call.values))
      return row?.found === true
    },

    /** Existence and preconditions without a write: Problem 404 `document-exists`, 412 `etag-mismatch`. */
    async checkPrecondition(iri: Iri, conditions: WriteConditions): Promise<void> {
      const values = [iri, ...conditionValues(conditions)]
      const hasConditions = values.slice(1).some(value => value !== null)
      const call = checked(session, values, {modes: hasConditions ? [least, 'read'] : [least]})
      const name = `${inSchema}check_precondition(${call.iri}, $2, $3, $4)`
      await ask(call.before === '' ? `select ${name}` : selectCall(call, name, 'met'), call.values)
    },
  }
}

function selectCall({before}: Checked, call: string, name: string): string {
  return before === '' ? `select ${call} as ${name}` : `select f.${name} from ${before}${call} as f (${name})`
}

function readStatement(session: Session, values: readonly Value[]) {
  const {inSchema} = session
  const {before, iri, values: all} = checked(session, values, {modes: ['read']})
  const text =
    before === ''
      ? `select * from ${inSchema}read_document($1, $2, $3, $4, $5)`
      : `select d.* from ${before}${inSchema}read_document_for(${iri}, $2, $3, $4, $5, $7) as d`
  return {text, values: all}
}

/** No row for a document that is hidden from the caller: as if there were none. */
async function orNothing<Row>(rows: Promise<readonly Row[]>): Promise<readonly Row[]> {
  return rows.catch((error: unknown) => {
    if (error instanceof Problem && error.rule === 'document-exists') return []
    throw error
  })
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
