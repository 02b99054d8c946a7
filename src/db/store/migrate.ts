/**
 * Applies the SQL folder to a schema of the database, once, even if several processes start at the same time.
 *
 * All pending files run in one transaction under one advisory lock of that transaction, so it works through a pooler
 * and is applied completely or not at all. Files name no schema: `search_path` is set for them. Version 0 of the table
 * `migration` is the entry of the repeatable files.
 */
import {observe} from '../../base/observation.ts'
import {Refusal} from '../../base/refusal.ts'
import {isInCluster} from '../citus/place.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database, Transaction} from '../connection/pool.ts'
import {databaseCodeOf} from '../connection/problem-of.ts'
import {type Migration, readSqlFiles, type SqlFiles} from './sql-files.ts'

export type MigrateOptions = {
  readonly schema: string
  readonly directory: string // holds migrations/, functions/, views/
  /** Leaves out the comments on functions. To find one by its name, PostgreSQL loads those of all schemas. */
  readonly isOneOfMany?: boolean
}

type Applied = {readonly version: number; readonly name: string; readonly checksum: string; readonly breaking: boolean}

type Plan = {
  readonly migrations: readonly Migration[]
  readonly isRepeating: boolean // whether functions and views must be applied again
}

/** In a Citus cluster, a schema that is not that of a distributed dataset stays on its node. So does the registry. */
const localText = `
  set local citus.enable_schema_based_sharding to off;
  set local citus.enable_ddl_propagation to off`

/**
 * Brings a schema up to date.
 *
 * @returns  names of the files that were applied; [] if none was pending
 * @throws   Refusal: a released file was edited, the database has a newer breaking migration, or the role lacks rights
 */
export async function migrate(
  database: Database,
  {schema, directory, isOneOfMany = false}: MigrateOptions,
): Promise<readonly string[]> {
  const inCluster = database.migrateInCluster?.(schema)
  if (inCluster !== undefined) return inCluster
  const read = await readSqlFiles(directory)
  const files = isOneOfMany ? {...read, repeatables: read.repeatables.map(withoutComments)} : read
  const applied = await database
    .begin('read committed', async transaction => {
      if (await isInCluster(transaction)) await transaction.script(localText)
      return applyFiles(transaction, files, schema)
    })
    .catch(error => {
      throw databaseCodeOf(error) === '42501' ? notAllowed(schema, error) : error
    })
  if (applied.length > 0) observe({kind: 'migrated', schema, applied})
  return applied
}

type Repeatable = SqlFiles['repeatables'][number]

/** A file without its comments on functions. The other statements keep their lines. */
function withoutComments({name, text}: Repeatable): Repeatable {
  const comment = /^comment on (?:function|aggregate)\b[^']*'(?:[^']|'')*';$/gm
  return {name, text: text.replace(comment, found => found.replace(/[^\n]/g, ''))}
}

/** Brings a schema up to date within a transaction. */
export async function applyFiles(
  transaction: Transaction,
  files: SqlFiles,
  schema: string,
): Promise<readonly string[]> {
  await transaction.script('set local statement_timeout = 0; set local lock_timeout = 0')
  const lock = `select pg_advisory_xact_lock(hashtextextended('quadstead migrate ' || $1, 0))`
  await transaction.query(lock, [schema], {isPatient: true})
  const plan = makePlan(files, await readApplied(transaction, schema), schema)
  if (plan.migrations.length === 0 && !plan.isRepeating) return []
  await prepareSchema(transaction, schema)
  for (const {name, text} of plan.migrations) await runFile(transaction, `migrations/${name}`, text)
  await Promise.all(
    plan.migrations.map(({version, name, checksum, isBreaking}) =>
      record(transaction, version, name, checksum, isBreaking),
    ),
  )
  if (plan.isRepeating) await applyRepeatables(transaction, files, schema)
  return [...plan.migrations.map(({name}) => name), ...(plan.isRepeating ? ['functions and views'] : [])]
}

/** The applied migrations; none if the schema or its table does not exist yet. */
async function readApplied(transaction: Transaction, schema: string): Promise<readonly Applied[]> {
  const table = `${quoteIdentifier(schema)}.migration`
  const [found] = await transaction.query<{exists: boolean}>('select to_regclass($1) is not null as "exists"', [table])
  if (!found?.exists) return []
  return transaction.query<Applied>(`select version, name, checksum, breaking from ${table} order by version`)
}

/** Compares the folder with the database. An older program leaves a newer database unchanged. */
function makePlan(files: SqlFiles, applied: readonly Applied[], schema: string): Plan {
  const known = new Map(files.migrations.map(migration => [migration.version, migration]))
  const numbered = applied.filter(({version}) => version > 0)
  for (const row of numbered) refuseIfDifferent(row, known.get(row.version), schema)
  const versions = new Set(numbered.map(({version}) => version))
  const isAhead = numbered.some(({version}) => !known.has(version))
  const repeatable = applied.find(({version}) => version === 0)
  return {
    migrations: files.migrations.filter(({version}) => !versions.has(version)),
    isRepeating: !isAhead && files.repeatables.length > 0 && repeatable?.checksum !== files.repeatableChecksum,
  }
}

function refuseIfDifferent(row: Applied, file: Migration | undefined, schema: string): void {
  if (file === undefined) {
    if (!row.breaking) return
    throw new Refusal(
      `Schema ${schema} has the migration ${row.name}, which this version of Quadstead does not know and cannot ` +
        'work with. Start a newer version.',
    )
  }
  if (file.checksum === row.checksum) return
  throw new Refusal(
    `The migration ${file.name} was changed after schema ${schema} took it (${row.name}, SHA-256 ` +
      `${row.checksum.slice(0, 12)}…, now ${file.checksum.slice(0, 12)}…). Put it back as it was and write a new one.`,
  )
}

async function prepareSchema(transaction: Transaction, schema: string): Promise<void> {
  const [found] = await transaction.query<{exists: boolean}>('select to_regnamespace($1) is not null as "exists"', [
    quoteIdentifier(schema),
  ])
  if (!found?.exists) await transaction.script(`create schema ${quoteIdentifier(schema)}`)
  await transaction.script(`
    set local search_path to ${quoteIdentifier(schema)}, pg_temp;
    set local check_function_bodies = off;
    set local client_min_messages = warning`)
  const [table] = await transaction.query<{exists: boolean}>(`select to_regclass('migration') is not null as "exists"`)
  if (table?.exists) return
  await transaction.script(`
    create table migration (
      version    integer primary key,
      name       text not null,
      checksum   text not null,
      breaking   boolean not null default false,
      applied_at timestamptz not null default now()
    );
    comment on table migration is 'Files of sql/ this schema has taken; version 0: functions/ and views/ together.';
  `)
}

/** Sends all files at once: PostgreSQL runs them in this order, and after an error none of the later ones. */
async function applyRepeatables(transaction: Transaction, files: SqlFiles, schema: string): Promise<void> {
  await Promise.all(files.repeatables.map(({name, text}) => runFile(transaction, name, text)))
  await transaction.script((await staleDefinitions(transaction, schema)).join(';\n'))
  await transaction.query('delete from migration where version = 0')
  await record(transaction, 0, 'functions and views', files.repeatableChecksum, false)
}

async function runFile(transaction: Transaction, name: string, text: string): Promise<void> {
  try {
    await transaction.script(text)
  } catch (error) {
    if (databaseCodeOf(error) === '42501') throw error
    throw new Error(
      `sql/${name} failed: ${error instanceof Error ? error.message : String(error)}${placeOf(error, text)}`,
      {cause: error},
    )
  }
}

function placeOf(error: unknown, text: string): string {
  const position = error instanceof Error && 'position' in error ? Number(error.position) : Number.NaN
  return Number.isNaN(position) ? '' : ` (line ${text.slice(0, position).split('\n').length})`
}

async function record(transaction: Transaction, version: number, name: string, checksum: string, breaking: boolean) {
  await transaction.query('insert into migration (version, name, checksum, breaking) values ($1, $2, $3, $4)', [
    version,
    name,
    checksum,
    breaking,
  ])
}

/**
 * Statements that drop the views and functions that no file defines any more: those whose catalogue row this
 * transaction did not write. Functions on which a table, an index or a constraint depends come from a migration and are
 * kept, and so are members of extensions.
 */
async function staleDefinitions(transaction: Transaction, schema: string): Promise<readonly string[]> {
  const rows = await transaction.query<{statement: string}>(
    `with own as materialized (
       select n.classid, n.objid
         from pg_depend as n
        where n.refclassid = 'pg_namespace'::regclass and n.refobjid = to_regnamespace($1)
          and not exists (select from pg_depend as d
                           where d.classid = n.classid and d.objid = n.objid and d.deptype = 'e')
     )
     select 'drop view ' || c.oid::regclass || ' cascade' as statement
       from own as o
       join pg_class as c on c.oid = o.objid and c.relkind = 'v'
       join pg_rewrite as r on r.ev_class = c.oid and r.rulename = '_RETURN'
      where o.classid = 'pg_class'::regclass and r.xmin::text <> (pg_current_xact_id()::xid)::text
      union all
     select 'drop routine ' || string_agg(p.oid::regprocedure::text, ', ') -- in one: they may need each other
       from own as o
       join pg_proc as p on p.oid = o.objid
      where o.classid = 'pg_proc'::regclass and p.xmin::text <> (pg_current_xact_id()::xid)::text
        and not exists (
          select from pg_depend d
           where d.refobjid = p.oid and d.refclassid = 'pg_proc'::regclass
             and d.classid in ('pg_class'::regclass, 'pg_attrdef'::regclass, 'pg_constraint'::regclass,
                               'pg_trigger'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass,
                               'pg_policy'::regclass))
     having count(*) > 0`,
    [quoteIdentifier(schema)],
  )
  return rows.map(({statement}) => statement)
}

function notAllowed(schema: string, cause: unknown): Refusal {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Refusal(
    `Schema ${schema} cannot be read or brought up to date by this role (${reason}). Run "quadstead migrate" as ` +
      'the owner.',
    {cause},
  )
}
