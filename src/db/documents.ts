/**
 * The documents' SQL functions, a typed function each, one round trip a call.
 *
 * Floor 3. No logic: what a document is and who may change what is said in sql/functions/ and decided in src/ldp/.
 */
import type {Iri, Triple} from '../rdf/term.ts'
import {
  blankLabelsOf,
  blankNodeLabel,
  createDecoder,
  encodeGraph,
  type StoredGraph,
  type StoredTerms,
} from './graph-codec.ts'
import {quoteIdentifier} from './identifier.ts'
import type {Database, Queryable} from './pool.ts'
import {readOnly, retry} from './transaction.ts'
import type {Value} from './value.ts'

/** A document larger than this many triples is read in batches. */
const quadLimit = 5000
const batchRows = 1000

export type Child = {
  readonly id: string // pages continue after it
  readonly iri: Iri
  readonly isAccessPoint: boolean
  readonly memberBy: Iri | undefined // the relation under which the parent has it as a member
}

export type DocumentState = {
  readonly id: string
  readonly etag: string // without its quotes
  readonly created: Date
  readonly modified: Date
  readonly isAccessPoint: boolean
  readonly triples: readonly Triple[] | undefined // undefined: the client knows them, or there are too many at once
  readonly children: readonly Child[]
}

export type Written = {
  readonly etag: string
  readonly modified: Date
  readonly labels: ReadonlyMap<string, string> // blank node labels: as sent, as stored
  readonly state?: DocumentState // when the call asked for it
}

/** Preconditions of a write, as sql/functions/50_precondition.sql takes them. */
export type WriteConditions = {
  readonly ifMatch: readonly string[] | undefined // strong tags without quotes, or ['*']
  readonly ifNoneMatch: readonly string[] | undefined
  readonly ifUnmodifiedSince: Date | undefined
}

export type ReadOptions = {
  readonly known?: readonly string[] // entity tags whose triples the client has
  readonly children?: {readonly after: string; readonly limit: number} // a page of them
}

export type GraphBody = {readonly triples: Iterable<Triple>; readonly isReturning: boolean}

export type Store = ReturnType<typeof createStore>

type StateRow = {
  readonly id: string | null
  readonly etag: string
  readonly created: Date
  readonly modified: Date
  readonly is_access_point: boolean
  readonly subjects: string[] | null
  readonly predicates: string[] | null
  readonly objects: string[] | null
  readonly terms: StoredTerms | null
  readonly children: readonly [string, Iri, boolean, Iri | null][] | null
}
type WrittenRow = {readonly blank_nodes: string[]; readonly etag: string; readonly modified: Date}

/**
 * The functions of one dataset.
 *
 * @param vocabulary  `readVocabulary` of the same schema
 */
export function createStore(database: Database, schema: string, vocabulary: ReadonlyMap<string, Iri>) {
  const inSchema = `${quoteIdentifier(schema)}.`

  /** POST: Problem 404 `parent-exists`, 409 `document-iri-free`. */
  function createDocument(iri: Iri, parent: Iri, body: GraphBody): Promise<Written> {
    return write('create_document($1, $2, $3, $4, $5, $6)', [iri, parent], body)
  }

  /** PUT: Problem 404 `document-exists`, 412 `etag-mismatch` and `reserved-kept`, 409 `containment-kept`. */
  function replaceDocument(iri: Iri, conditions: WriteConditions, body: GraphBody): Promise<Written> {
    return write('replace_document($1, $2, $3, $4, $5, $6, $7, $8)', [iri, ...conditionValues(conditions)], body)
  }

  /** A document's state; undefined when there is none. */
  function readDocument(iri: Iri, {known, children}: ReadOptions = {}): Promise<DocumentState | undefined> {
    return readState(database, [iri, known ?? null, quadLimit, children?.after ?? '0', children?.limit ?? 0])
  }

  /**
   * Reads a document in batches, all of one state, for as long as `use` runs.
   *
   * @param use  gets undefined when there is no such document
   */
  function streamDocument<Result>(
    iri: Iri,
    options: ReadOptions,
    use: (state: DocumentState | undefined, batches: AsyncIterable<readonly Triple[]>) => Promise<Result>,
  ): Promise<Result> {
    return readOnly(database, async transaction => {
      const {after, limit} = options.children ?? {after: '0', limit: 0}
      const state = await readState(transaction, [iri, null, 0, after, limit])
      return use(state, state === undefined ? noBatches() : graphBatches(transaction, state.id))
    })
  }

  async function* graphBatches(transaction: Queryable, id: string): AsyncIterable<readonly Triple[]> {
    const text = `select s, p, o from ${inSchema}quad where g = $1 order by s <> $1, s, p, o`
    for await (const rows of transaction.cursor<{s: string; p: string; o: string}>(text, [id], {batchRows})) {
      const subjects = rows.map(row => row.s)
      const predicates = rows.map(row => row.p)
      const objects = rows.map(row => row.o)
      const ids = [...new Set([...subjects, ...predicates, ...objects])].filter(term => !term.startsWith('-'))
      const [row] = await transaction.query<{terms: StoredTerms | null}>(`select ${inSchema}terms_of($1) as terms`, [
        ids,
      ])
      yield createDecoder(vocabulary)({subjects, predicates, objects, terms: row?.terms ?? null})
    }
  }

  /** DELETE: time of removal. Problem 404, 405 `root-stays`, 409 `document-empty`, 412. */
  function deleteDocument(iri: Iri, conditions: WriteConditions, {isDeep}: {isDeep: boolean}): Promise<Date> {
    return remove('delete_document($1, $2, $3, $4, $5)', [iri, ...conditionValues(conditions), isDeep])
  }

  /** DELETE of all children: time of removal. Problem 404, 412. */
  function deleteChildren(iri: Iri, conditions: WriteConditions): Promise<Date> {
    return remove('delete_children($1, $2, $3, $4)', [iri, ...conditionValues(conditions)])
  }

  /** Whether there is a document with this IRI. */
  async function hasDocument(iri: Iri): Promise<boolean> {
    const [row] = await call<{found: boolean}>('read', `select ${inSchema}has_document($1) as found`, [iri])
    return row?.found === true
  }

  /** Existence and preconditions without a write: Problem 404 `document-exists`, 412 `etag-mismatch`. */
  async function checkPrecondition(iri: Iri, conditions: WriteConditions): Promise<void> {
    await call('read', `select ${inSchema}check_precondition($1, $2, $3, $4)`, [iri, ...conditionValues(conditions)])
  }

  function call<Row extends object>(kind: 'read' | 'write', text: string, values: readonly Value[]) {
    return retry(kind, () => database.query<Row>(text, values))
  }

  async function readState(queryable: Queryable, values: readonly Value[]): Promise<DocumentState | undefined> {
    const text = `select * from ${inSchema}read_document($1, $2, $3, $4, $5)`
    const [row] = await (queryable === database
      ? call<StateRow>('read', text, values)
      : queryable.query<StateRow>(text, values))
    return row === undefined || row.id === null ? undefined : stateOf(row)
  }

  async function write(
    signature: string,
    values: readonly Value[],
    {triples, isReturning}: GraphBody,
  ): Promise<Written> {
    const {keys, subjects, predicates, objects} = encodeGraph(triples)
    const text = isReturning
      ? `select w.blank_nodes, r.* from ${inSchema}${signature} as w, ${inSchema}read_written(w.id, ${quadLimit}) as r`
      : `select w.blank_nodes, w.etag, w.modified from ${inSchema}${signature} as w`
    const rows = await call<WrittenRow | (WrittenRow & StateRow)>('write', text, [
      ...values,
      keys,
      subjects,
      predicates,
      objects,
    ])
    const row = onlyRow(rows)
    return {
      etag: row.etag,
      modified: row.modified,
      labels: new Map(blankLabelsOf(keys).map((label, index) => [label, blankNodeLabel(row.blank_nodes[index] ?? '')])),
      ...('terms' in row ? {state: stateOf(row)} : {}),
    }
  }

  async function remove(signature: string, values: readonly Value[]): Promise<Date> {
    return onlyRow(await call<{at: Date}>('write', `select ${inSchema}${signature} as at`, values)).at
  }

  function stateOf(row: StateRow): DocumentState {
    const {subjects, predicates, objects, terms, children} = row
    return {
      id: row.id ?? '',
      etag: row.etag,
      created: row.created,
      modified: row.modified,
      isAccessPoint: row.is_access_point,
      triples:
        subjects === null || predicates === null || objects === null
          ? undefined
          : createDecoder(vocabulary)({subjects, predicates, objects, terms} satisfies StoredGraph),
      children: (children ?? []).map(([id, iri, isAccessPoint, memberBy]) => {
        return {id, iri, isAccessPoint, memberBy: memberBy ?? undefined}
      }),
    }
  }

  return {
    createDocument,
    replaceDocument,
    readDocument,
    streamDocument,
    deleteDocument,
    deleteChildren,
    hasDocument,
    checkPrecondition,
  }
}

function conditionValues({ifMatch, ifNoneMatch, ifUnmodifiedSince}: WriteConditions): readonly Value[] {
  return [ifMatch ?? null, ifNoneMatch ?? null, ifUnmodifiedSince ?? null]
}

async function* noBatches(): AsyncIterable<readonly Triple[]> {}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a function call gave no row')
  return row
}
