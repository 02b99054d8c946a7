/** A store for a test: a database of its own with a dataset, and shortcuts to write graphs. */
import type {ExecutionContext} from 'ava'
import type {PoolOptions} from '../../src/db/connection/driver-options.ts'
import type {Transaction} from '../../src/db/connection/pool.ts'
import {openSession} from '../../src/db/store/create-session.ts'
import {openDataset} from '../../src/db/store/dataset.ts'
import {readDocument} from '../../src/db/store/document-reads.ts'
import {createDocument, replaceDocument, type Written} from '../../src/db/store/document-writes.ts'
import type {DocumentState} from '../../src/db/store/graph-codec.ts'
import type {Session, WriteConditions} from '../../src/db/store/session.ts'
import {type Iri, namedNode, type Triple} from '../../src/rdf/term.ts'
import {createTestDatabase, schemaIdentifier, type TestDatabase, testSchema} from './postgres.ts'

export const base = 'http://test/'
export const platformNamespace = 'https://carbonldp.com/ns/v1/platform#'
export const noConditions: WriteConditions = {ifMatch: undefined, ifNoneMatch: undefined, ifUnmodifiedSince: undefined}

/** Predicates whose values a replacement must not change. */
const kept = new Set([
  `${platformNamespace}created`,
  `${platformNamespace}modified`,
  'http://www.w3.org/ns/ldp#membershipResource',
  'http://www.w3.org/ns/ldp#hasMemberRelation',
  'http://www.w3.org/ns/ldp#insertedContentRelation',
])

type Created = Omit<Written, 'labels'> & {readonly labels: ReadonlyMap<string, string>}

export type TestStore = {
  readonly made: TestDatabase
  readonly session: Session
  /** Creates a document in the parent that its IRI implies. */
  readonly create: (iri: Iri, triples?: readonly Triple[]) => Promise<Created>
  /** Replaces the client's triples of a document. The service's triples are sent as the state has them. */
  readonly replace: (iri: Iri, state: DocumentState, triples: readonly Triple[], ifMatch?: string) => Promise<Written>
  /** The broken invariants. */
  readonly broken: () => Promise<readonly object[]>
}

/** Opens a store for one test, dropped when the test ends. */
export async function useStore(t: ExecutionContext, options: Partial<PoolOptions> = {}): Promise<TestStore> {
  const made = await createTestDatabase(undefined, options)
  t.teardown(made.drop)
  return storeIn(made)
}

/** The store in a database that has the migrations. */
export async function storeIn(made: TestDatabase): Promise<TestStore> {
  const {database} = made
  await openDataset(database, {schema: testSchema, base, defaultBase: base, platformNamespace})
  const session = await openSession(database, testSchema)
  return {
    made,
    session,
    async create(iri, triples = []) {
      const written = await createDocument(session, iri, iri.replace(/[^/]+\/$/, ''), {triples, isReturning: false})
      return {...written, labels: new Map(written.labels)}
    },
    replace: (iri, state, triples, ifMatch = state.etag) =>
      replaceDocument(
        session,
        iri,
        {...noConditions, ifMatch: [ifMatch]},
        {triples: [...keptTriples(iri, state), ...triples], isReturning: false},
      ),
    broken: () => database.query(`select * from ${schemaIdentifier}.check_store()`),
  }
}

/** The state of a document, which must exist. */
export async function readState({session}: TestStore, iri: Iri): Promise<DocumentState> {
  const state = await readDocument(session, iri)
  if (state === undefined) throw new Error(`there is no document ${iri}`)
  return state
}

/** The triples that a client may change. */
export function ownTriples(iri: Iri, {triples = []}: DocumentState): readonly Triple[] {
  return triples.filter(triple => !isService(iri, triple))
}

function keptTriples(iri: Iri, {triples = []}: DocumentState): readonly Triple[] {
  return triples.filter(({subject, predicate}) => subject.value === iri && kept.has(predicate.value))
}

function isService(iri: Iri, {subject, predicate, object}: Triple): boolean {
  const isServiceType =
    object.value.startsWith(platformNamespace) || object.value.startsWith('http://www.w3.org/ns/ldp#')
  return subject.value === iri && (kept.has(predicate.value) || (predicate.value.endsWith('#type') && isServiceType))
}

/** The session on behalf of a caller, to whom documents without a grant are hidden. */
export function asCaller(session: Session, grantees: readonly string[]): Session {
  return {...session, caller: {grantees, isHidden: true, agent: undefined, isAudited: false}}
}

/** A triple of three IRIs. */
export function triple(subject: Iri, predicate: Iri, object: Iri): Triple {
  return {subject: namedNode(subject), predicate: namedNode(predicate), object: namedNode(object)}
}

/** An open transaction, until it is told to end. */
export type OpenTransaction = {
  readonly pid: number
  readonly query: Transaction['query']
  readonly commit: () => Promise<void>
  readonly rollback: () => Promise<void>
}

/** Begins a transaction of several statements on a connection of its own, with the dataset's search path. */
export async function openTransaction({made}: TestStore): Promise<OpenTransaction> {
  const {promise: end, resolve: finish, reject: fail} = deferred<void>()
  const {promise: began, resolve: begin} = deferred<Transaction>()
  const whole = made.database.begin('read committed', async transaction => {
    begin(transaction)
    await end
  })
  const transaction = await began
  await transaction.script(`set local search_path = ${schemaIdentifier}, pg_temp`)
  const [row] = await transaction.query<{pid: number}>('select pg_backend_pid() as pid')
  return {
    pid: row?.pid ?? 0,
    query: transaction.query,
    async commit() {
      finish()
      await whole
    },
    async rollback() {
      fail(new Error('rolled back'))
      await whole.catch(() => undefined)
    },
  }
}

/** Resolves when a backend waits for a lock. Throws if its work ends before. */
export async function isBlocked({made}: TestStore, pid: number, work: Promise<unknown>): Promise<void> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  for (;;) {
    const [row] = await made.database.query<{blocked: boolean}>('select pg_blocking_pids($1) <> $2 as blocked', [
      pid,
      [],
    ])
    if (row?.blocked) return
    if (isOver) throw new Error('it did not wait for a lock')
  }
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => undefined
  let reject: (reason: Error) => void = () => undefined
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return {promise, resolve, reject}
}
