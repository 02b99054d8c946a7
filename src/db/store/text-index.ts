/**
 * The text index of a dataset: creates it while the service runs, recreates it after an interruption, drops it.
 *
 * It needs the extension pg_trgm. sql/functions/term/text_index.sql says what the index is for. Sources: PostgreSQL
 * manual, CREATE INDEX (CONCURRENTLY), pg_trgm.
 */
import {Refusal} from '../../base/refusal.ts'
import {firstLiteralId} from '../../rdf/id-layout.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database, Queryable} from '../connection/pool.ts'
import {databaseCodeOf} from '../connection/problem-of.ts'

export type TextIndexState = {
  readonly isOffered: boolean // the server has pg_trgm
  readonly extensionSchema: string | undefined // undefined: the extension is not created in this database
  readonly isThere: boolean
  readonly isUsable: boolean // false: missing, being created, or left invalid by an interruption
  readonly terms: number // in the dictionary, an estimate
}

type StateRow = {
  readonly is_offered: boolean
  readonly extension_schema: string | null
  readonly is_there: boolean
  readonly is_usable: boolean
  readonly terms: string
}

export async function readTextIndexState(queryable: Queryable, schema: string): Promise<TextIndexState> {
  const [row] = await queryable.query<StateRow>(`select * from ${quoteIdentifier(schema)}.text_index_state()`)
  return {
    isOffered: row?.is_offered ?? false,
    extensionSchema: row?.extension_schema ?? undefined,
    isThere: row?.is_there ?? false,
    isUsable: row?.is_usable ?? false,
    terms: Number(row?.terms ?? 0),
  }
}

const patient = {once: true, isPatient: true} as const
const pendingKilobytes = 1024 // pending entries of the GIN index, all of which each query reads

/**
 * Creates the index if it does not exist, without blocking reads and writes. Drops an invalid index of an interrupted
 * run first.
 *
 * @param database  without a time limit for statements
 * @returns         'busy': another session is creating it
 * @throws          Refusal: the server has no pg_trgm, or the role may not create it or the index
 */
export async function createTextIndex(database: Database, schema: string): Promise<'made' | 'kept' | 'busy'> {
  const state = await readTextIndexState(database, schema)
  if (state.isUsable) return 'kept'
  if (!state.isOffered && state.extensionSchema === undefined) {
    throw new Refusal('The text index needs pg_trgm, which this PostgreSQL does not have. Install its contrib modules.')
  }
  try {
    const extension = state.extensionSchema ?? (await createExtension(database, schema))
    if (await isBeingMade(database, schema)) return 'busy'
    if (state.isThere) await dropTextIndex(database, schema)
    const table = await readTable(database, schema)
    if (isShard(table)) await database.query(wishText(schema))
    await database.query(indexText(table, {schema, extension}), [], patient)
    await database.query(`analyze ${table}`, [], patient)
    return 'made'
  } catch (error) {
    if (databaseCodeOf(error) === '42P07' || databaseCodeOf(error) === '23505') return 'busy' // created meanwhile
    throw databaseCodeOf(error) === '42501' ? notAllowed(error) : error
  }
}

/** Drops the index if it exists. The extension stays. */
export async function dropTextIndex(database: Database, schema: string): Promise<void> {
  const text = `select ${quoteIdentifier(schema)}.store_relation('term_text', 'term')::text as name`
  const [row] = await database.query<{name: string | null}>(text)
  if (row?.name != null) await database.query(`drop index concurrently if exists ${row.name}`, [], patient)
  if (isShard(await readTable(database, schema)))
    await database.query(`delete from ${quoteIdentifier(schema)}.node_mark where name = '${wish}'`)
}

/** The row of `node_mark` that says that a dataset in a Citus cluster has a text index, on whichever node it is. */
const wish = 'text_index'

function wishText(schema: string): string {
  return `insert into ${quoteIdentifier(schema)}.node_mark (name, value) values ('${wish}', 1)
              on conflict (name) do nothing`
}

/** Whether a dataset in a Citus cluster shall have a text index. */
export async function isTextIndexWanted(node: Queryable, schema: string): Promise<boolean> {
  return (await node.query(`select from ${quoteIdentifier(schema)}.node_mark where name = '${wish}'`)).length > 0
}

function isShard(table: string): boolean {
  return table.match(shardSyntax) !== null
}

/** The name of the table with the dictionary, quoted. In a Citus cluster it is a shard. */
async function readTable(database: Database, schema: string): Promise<string> {
  const own = quoteIdentifier(schema)
  const text = `select format('%I.%I', n.nspname, c.relname) as name
                  from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
                 where c.oid = ${own}.store_relation('term', 'term')`
  const [row] = await database.query<{name: string}>(text)
  return row?.name ?? `${own}.term`
}

/** Creates pg_trgm in the schema public, or in the dataset's schema if there is no public. @returns the schema */
async function createExtension(database: Database, schema: string): Promise<string> {
  const [row] = await database.query<{exists: boolean}>(`select to_regnamespace('public') is not null as "exists"`)
  const place = row?.exists === true ? 'public' : schema
  await database.query(`create extension if not exists pg_trgm with schema ${quoteIdentifier(place)}`, [], patient)
  return (await readTextIndexState(database, schema)).extensionSchema ?? place
}

async function isBeingMade(database: Database, schema: string): Promise<boolean> {
  // Of sessions of other roles, PostgreSQL shows the database but not the table.
  const text = `select exists (select from pg_stat_progress_create_index as i
                                where i.datname = current_database()
                                  and coalesce(i.relid, 0) in (0, $1::regclass)) as "isBusy"`
  const [row] = await database.query<{isBusy: boolean}>(text, [await readTable(database, schema)])
  return row?.isBusy ?? false
}

const shardSyntax = /\.term(_\d+)$/

/** The index has the name of its table behind its own, if that is a shard. */
function indexText(table: string, {schema, extension}: {readonly schema: string; readonly extension: string}): string {
  const inSchema = `${quoteIdentifier(schema)}.`
  const [, shard = ''] = shardSyntax.exec(table) ?? []
  return `create index concurrently term_text${shard} on ${table}
    using gin (${inSchema}sparql_folded(lex) ${quoteIdentifier(extension)}.gin_trgm_ops)
     with (gin_pending_list_limit = ${pendingKilobytes}) where id >= ${firstLiteralId}`
}

function notAllowed(cause: unknown): Refusal {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Refusal(
    `This role may not make the text index (${reason}). Have the owner of the database run "create extension ` +
      'pg_trgm", and run "quadstead text-index" as the owner of the schema.',
    {cause},
  )
}
