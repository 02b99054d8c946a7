/**
 * Creates a distributed dataset, and prepares the node that holds it: its schema with views and functions.
 *
 * Only one node has that schema. Before it is created on another node, it is dropped on the node that had it. A service
 * that still reads there therefore fails, and never answers from a state that others have changed elsewhere since.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {observe} from '../../base/observation.ts'
import {Refusal} from '../../base/refusal.ts'
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Database, Queryable, Transaction} from '../connection/pool.ts'
import {databaseCodeOf} from '../connection/problem-of.ts'
import {applyFiles} from '../store/migrate.ts'
import {createSmallSearchIndex} from '../store/search-index.ts'
import {splitStatements} from '../store/split-statements.ts'
import {readSqlFiles, type SqlFiles} from '../store/sql-files.ts'
import {
  blockNumbers,
  placeFunctionsText,
  sequences,
  shardName,
  shardOf,
  viewsText,
  writtenCommit,
} from './node-schema.ts'
import {type CitusNode, type Place, readPlace, tablesSchema} from './place.ts'
import {readRights} from './rights.ts'

/** Connects to a node. The caller ends the database. */
export type Connect = (node: CitusNode) => Database

export type ClusterOptions = {
  readonly schema: string
  readonly directory: string // of the SQL files
  readonly connect: Connect
}

/** The settings of every session of ours on a node: Citus must leave the local schema alone. */
export const nodeParameters = {
  'citus.enable_ddl_propagation': 'off',
  'citus.enable_schema_based_sharding': 'off',
  'citus.enable_manual_changes_to_shards': 'on',
  'citus.override_table_visibility': 'off',
}

/**
 * Creates the tables of a dataset in a distributed schema, or applies the migrations that its tables lack.
 *
 * @param coordinator  Citus changes distributed tables there only
 * @returns            the names of the applied files
 */
export async function migrateTables(
  coordinator: Database,
  {schema, directory, connect}: ClusterOptions,
): Promise<readonly string[]> {
  const files = await readSqlFiles(directory)
  const tables = tablesSchema(schema)
  const numbered: SqlFiles = {...files, repeatables: []}
  const place = await readPlace(coordinator, schema)
  if (place !== undefined) {
    if (await withDatabase(connect(place), node => hasFiles(node, files, schema))) return []
    const missing = await missingMigrations(coordinator, files, tables)
    if (missing.length === 0 && (await missingMarks(coordinator, tables)).length === 0) return []
    // The views depend on the tables.
    await withDatabase(connect(place), node => dropNodeSchema(node, schema, async () => undefined))
  }
  return coordinator.begin('read committed', async transaction => {
    await transaction.script('set local citus.enable_ddl_propagation to on')
    if (place !== undefined) await setSequences(transaction, tables)
    const applied = await applyFiles(place === undefined ? transaction : oneByOne(transaction), numbered, tables)
    if (place !== undefined || (await readPlace(transaction, schema)) !== undefined) {
      await addMarks(transaction, tables)
      return applied
    }
    await transaction.script(marksText(tables))
    await addMarks(transaction, tables)
    await transaction.query('select citus_schema_distribute($1::regnamespace)', [quoteIdentifier(tables)])
    const left = 'select truncate_local_data_after_distributing_table($1::regclass)' // the rows from before
    await transaction.query(left, [`${quoteIdentifier(tables)}.term`])
    return applied
  })
}

/** Deletes a dataset: the schema with the functions on its node, then the tables. */
export async function dropTables(
  coordinator: Database,
  {node, schema}: {readonly node: Database | undefined; readonly schema: string},
): Promise<void> {
  if (node !== undefined) await dropNodeSchema(node, schema, async () => undefined)
  await coordinator.begin('read committed', async transaction => {
    await transaction.script(`
      set local client_min_messages = warning;
      set local citus.enable_ddl_propagation to on;
      drop schema if exists ${quoteIdentifier(tablesSchema(schema))} cascade`)
  })
}

/** A transaction that sends the statements of a script one by one: Citus does not change its tables otherwise. */
function oneByOne(transaction: Transaction): Transaction {
  return {
    ...transaction,
    async script(text) {
      for (const statement of splitStatements(text)) await transaction.script(statement)
    },
  }
}

async function missingMigrations(coordinator: Database, {migrations}: SqlFiles, tables: string) {
  const rows = await coordinator.query<{version: number}>(`select version from ${quoteIdentifier(tables)}.migration`)
  return migrations.filter(({version}) => !rows.some(row => row.version === version))
}

/**
 * Sets the sequences of the distributed schema, which only migrations read, to the last number before the next block.
 * All numbers that were given are at most that, and the next node gives greater ones.
 */
async function setSequences(transaction: Transaction, tables: string): Promise<void> {
  const own = quoteIdentifier(tables)
  const rows = await transaction.query<{name: string; last: string}>(
    `select name, greatest(value - 1, 1)::text as last from ${own}.node_mark`,
  )
  const known = sequences.filter(({name}) => rows.some(row => row.name === name))
  for (const {name} of known)
    await transaction.query('select setval($1, $2)', [
      `${own}.${quoteIdentifier(name)}`,
      rows.find(row => row.name === name)?.last ?? '1',
    ])
}

/** The sequences without a mark: those of later versions. */
async function missingMarks(coordinator: Queryable, tables: string) {
  const rows = await coordinator.query<{name: string}>(`select name from ${quoteIdentifier(tables)}.node_mark`)
  return sequences.filter(({name}) => !rows.some(row => row.name === name))
}

/** Adds the first unused number of each sequence that has no mark yet. */
async function addMarks(transaction: Transaction, tables: string): Promise<void> {
  for (const {name} of await missingMarks(transaction, tables)) {
    const [next] = await transaction.query<{value: string}>('select nextval($1)::text as value', [
      `${quoteIdentifier(tables)}.${quoteIdentifier(name)}`,
    ])
    await transaction.query(`insert into ${quoteIdentifier(tables)}.node_mark (name, value) values ($1, $2)`, [
      name,
      next?.value ?? '',
    ])
  }
}

/** A table for the first unused number of each sequence, and for the node whose schema has the functions. */
function marksText(tables: string): string {
  return `
    alter table quad replica identity full; -- it has no key, and moves replicate its changes
    create table node_mark (name text primary key, value int8 not null);
    comment on table node_mark is 'Numbers from which on sequences are unused, and the node that has the functions.';
    insert into node_mark (name, value) values ('node', -1);
    set local search_path to ${quoteIdentifier(tables)}, pg_temp`
}

/**
 * Prepares the node of a dataset, unless it is prepared.
 *
 * @param node  a database of the node, which may change schemas
 * @returns     names of the files that were applied; undefined if the dataset has moved to another node meanwhile
 * @throws      Refusal: a newer program has changed the tables
 */
export async function prepareNode(
  node: Database,
  place: Place,
  options: ClusterOptions,
): Promise<readonly string[] | undefined> {
  const {schema, directory} = options
  const files = await readSqlFiles(directory)
  if ((await hasFiles(node, files, schema)) && !(await isAnyScarce(node, schema))) return []
  const applied = await node.begin('read committed', async transaction => {
    await transaction.script('set local statement_timeout = 0; set local lock_timeout = 0')
    const lock = `select pg_advisory_xact_lock(hashtextextended('quadstead migrate ' || $1, 0))`
    await transaction.query(lock, [schema], {isPatient: true})
    if (!(await holdsPlace(transaction, place))) return undefined
    const [view] = await transaction.query<{exists: boolean}>('select to_regclass($1) is not null as "exists"', [
      `${quoteIdentifier(schema)}.node_mark`,
    ])
    const fill = async () => {
      await takeNumbers(transaction, schema)
      const shown = {name: 'views of the shards', text: viewsText(schema, place)}
      const own = {name: 'functions of the node', text: placeFunctionsText(schema, place)}
      const names = await applyFiles(transaction, {...files, repeatables: [shown, ...files.repeatables, own]}, schema)
      await refuseEmpty(transaction, schema)
      await createSmallSearchIndex(transaction, schema)
      return names
    }
    if (view?.exists === true) return fill()
    return leaveEarlierNode(transaction, place, options, async rights => {
      await createNodeSchema(transaction, place, schema)
      const names = await fill()
      for (const statement of rights) await transaction.script(statement)
      return names
    })
  })
  if (applied !== undefined && applied.length > 0) observe({kind: 'migrated', schema, applied})
  return applied
}

/**
 * Whether the schema on a node has these SQL files. Reads only views that the role of a service may read
 * (sql/roles.sql), which may not prepare a node.
 */
async function hasFiles(node: Queryable, files: SqlFiles, schema: string): Promise<boolean> {
  const own = quoteIdentifier(schema)
  const [found] = await node.query<{exists: boolean}>('select to_regprocedure($1) is not null as "exists"', [
    `${own}.hold_place()`,
  ])
  if (found?.exists !== true) return false
  const rows = await node.query<{version: number; checksum: string}>(`select version, checksum from ${own}.migration`)
  const isThere = (asked: number) => rows.some(({version}) => version === asked)
  return (
    files.migrations.every(({version}) => isThere(version)) &&
    rows.some(({version, checksum}) => version === 0 && checksum === files.repeatableChecksum) &&
    (await missingMarks(node, schema)).length === 0
  )
}

async function isAnyScarce(node: Queryable, schema: string): Promise<boolean> {
  for (const {name} of sequences) if (await isScarce(node, schema, name)) return true
  return false
}

/** Whether a sequence has used half of its block of numbers. */
async function isScarce(node: Queryable, schema: string, name: string): Promise<boolean> {
  const sequence = `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`
  const [state] = await node.query<{isScarce: boolean}>(
    `select s.last_value > q.seqmax - $1 as "isScarce" from ${sequence} as s, pg_sequence as q
      where q.seqrelid = $2::regclass`,
    [blockNumbers / 2, sequence],
  )
  return state?.isScarce === true
}

/** Keeps the dataset on the node until the transaction ends. @returns false if it is elsewhere */
async function holdsPlace(transaction: Transaction, place: Place): Promise<boolean> {
  const {id} = shardOf(place, 'dataset')
  await transaction.query(writtenCommit)
  await transaction.query('select lock_shard_metadata(5, array[$1]::int8[])', [id], {isPatient: true})
  const rows = await transaction.query('select from pg_dist_placement where shardid = $1 and groupid = $2', [
    id,
    place.group,
  ])
  return rows.length > 0
}

/**
 * Drops the schema on the node that had it, then runs `work` with the rights on it, and commits both.
 *
 * The drop is committed first. It is rolled back if `work` fails.
 */
async function leaveEarlierNode<Result>(
  transaction: Transaction,
  place: Place,
  {schema, connect}: ClusterOptions,
  work: (rights: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const marks = shardName(schema, shardOf(place, 'node_mark'))
  const [node] = await transaction.query<CitusNode>(
    `select n.groupid as "group", n.nodename as host, n.nodeport as port
       from (select value from ${marks} where name = 'node' for update) as m
       join pg_dist_node as n on n.groupid = m.value and n.noderole = 'primary' and n.isactive`,
  )
  if (node === undefined || node.group === place.group) return work([])
  return withDatabase(connect(node), earlier => dropNodeSchema(earlier, schema, work))
}

/** Creates the schema with its types, sequences and views. */
async function createNodeSchema(transaction: Transaction, place: Place, schema: string): Promise<void> {
  const own = quoteIdentifier(schema)
  await transaction.script(`
    set local client_min_messages = warning;
    drop schema if exists ${own} cascade;
    create schema ${own};
    set local search_path to ${own}, pg_temp;
    ${await typesText(transaction, schema)};
    ${sequences.map(({name}) => `create sequence ${name}`).join(';\n')};
    ${viewsText(schema, place)};
    delete from migration where version = 0;
    update node_mark set value = ${place.group} where name = 'node'`)
  for (const {name} of sequences) await transaction.query('select setval($1, 1, false)', [`${own}.${name}`])
  await takeNumbers(transaction, schema, {isNew: true})
  // Their last values must be numbers that were drawn.
  await transaction.query(`select nextval('change_seq'), nextval('revision_seq')`)
}

/** The types of the distributed schema. */
async function typesText(transaction: Transaction, schema: string): Promise<string> {
  const rows = await transaction.query<{text: string}>(
    `select format('create type %I as (%s)', c.relname,
                   string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum)
            ) as text
       from pg_class as c
       join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = to_regnamespace($1) and c.relkind = 'c'
      group by c.relname`,
    [quoteIdentifier(tablesSchema(schema))],
  )
  return rows.map(({text}) => text).join(';\n')
}

/** Takes a block of numbers for each sequence that is new or has used half of its block. */
async function takeNumbers(transaction: Transaction, schema: string, {isNew = false} = {}): Promise<void> {
  const own = quoteIdentifier(schema)
  for (const {name} of sequences) {
    const sequence = `${own}.${quoteIdentifier(name)}`
    if (!isNew && !(await isScarce(transaction, schema, name))) continue
    const [mark] = await transaction.query<{first: string; last: string}>(
      `update ${own}.node_mark set value = value + $1 where name = $2
       returning (value - $1)::text as first, (value - 1)::text as last`,
      [blockNumbers, name],
    )
    if (mark === undefined) throw new Error(`node_mark has no row ${name}`)
    const start = isNew ? `minvalue ${mark.first} start ${mark.first} restart` : ''
    await transaction.script(`alter sequence ${sequence} maxvalue ${mark.last} ${start}`)
  }
}

async function refuseEmpty(transaction: Transaction, schema: string): Promise<void> {
  const name = `${quoteIdentifier(schema)}.hold_place()`
  const [found] = await transaction.query<{exists: boolean}>('select to_regprocedure($1) is not null as "exists"', [
    name,
  ])
  if (found?.exists === true) return
  throw new Refusal(
    `A newer version of Quadstead has changed the tables of schema ${schema}, and its node has changed since. Start ` +
      'that version first.',
  )
}

const dropAttempts = 10

/**
 * Drops the schema with the functions, and runs `work` with the rights on it before the drop is committed. Ends
 * sessions that do not let go of the schema within a second.
 */
async function dropNodeSchema<Result>(
  node: Database,
  schema: string,
  work: (rights: readonly string[]) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await node.begin('read committed', async transaction => {
        const rights = await readRights(transaction, schema)
        await transaction.script(`
          set local client_min_messages = warning;
          set local lock_timeout = '1s';
          drop schema if exists ${quoteIdentifier(schema)} cascade`)
        return work(rights)
      })
    } catch (error) {
      if (attempt === dropAttempts || databaseCodeOf(error) !== '55P03') throw error
      await endSessions(node, schema)
      await delay(50)
    }
  }
}

/** Ends the sessions that use a schema. */
async function endSessions(node: Database, schema: string): Promise<void> {
  await node.query(
    `select pg_terminate_backend(l.pid)
       from pg_locks as l
       join pg_class as c on c.oid = l.relation
      where l.database = (select oid from pg_database where datname = current_database())
        and c.relnamespace = to_regnamespace($1) and l.granted and l.pid <> pg_backend_pid()
      group by l.pid`,
    [quoteIdentifier(schema)],
  )
}

async function withDatabase<Result>(database: Database, work: (database: Database) => Promise<Result>) {
  try {
    return await work(database)
  } finally {
    await database.end(1000)
  }
}
