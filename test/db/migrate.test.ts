/**
 * Applies the SQL folder to a schema: once, with any number of concurrent processes; edited and dropped files; other
 * versions.
 */
import {execFile} from 'node:child_process'
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {promisify} from 'node:util'
import test, {type ExecutionContext} from 'ava'
import {Refusal} from '../../src/base/refusal.ts'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {createPool} from '../../src/db/connection/pool.ts'
import {migrate} from '../../src/db/store/migrate.ts'
import {administer, createTestDatabase, type TestDatabase} from '../support/postgres.ts'
import {programParameters} from '../support/program.ts'

const run = promisify(execFile)

const store = {
  'migrations/000001_store.sql': 'create table thing (id bigint primary key, name text not null);',
  'functions/document/thing.sql': `
    create or replace function add_thing(id bigint, name text) returns void
    language plpgsql set search_path from current
    as $$ begin insert into thing values (add_thing.id, add_thing.name); end $$;`,
  'functions/document/count.sql': `
    create or replace function count_things() returns bigint
    language sql set search_path from current as $$ select count(*) from thing $$;`,
  'views/thing.sql': 'create or replace view readable_thing as select name from thing;',
}

async function empty(t: ExecutionContext): Promise<TestDatabase> {
  const made = await createTestDatabase('template0')
  t.teardown(made.drop)
  return made
}

/** A folder of SQL files. Later files replace earlier ones of the same name. */
async function folder(
  t: ExecutionContext,
): Promise<{directory: string; write: (files: Record<string, string>) => Promise<void>}> {
  const directory = await mkdtemp(join(tmpdir(), 'quadstead-sql-'))
  t.teardown(() => rm(directory, {recursive: true, force: true}))
  async function write(files: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory, name)), {recursive: true})
      await writeFile(join(directory, name), text)
    }
  }
  return {directory, write}
}

async function names(made: TestDatabase, schema: string): Promise<unknown> {
  return made.database.query(
    `select proname as name from pg_proc where pronamespace = $1::regnamespace
     union all select relname from pg_class where relnamespace = $1::regnamespace and relkind in ('r', 'v') order by 1`,
    [`"${schema.replaceAll('"', '""')}"`],
  )
}

test('an empty database gets the schema, a second run applies nothing', async t => {
  const made = await empty(t)
  const {directory, write} = await folder(t)
  await write(store)

  const first = await migrate(made.database, {schema: 'quadstead', directory})
  const second = await migrate(made.database, {schema: 'quadstead', directory})
  await made.database.query('select "quadstead".add_thing($1, $2)', ['1', 'one'])

  t.deepEqual([first, second], [['000001_store.sql', 'functions and views'], []])
  t.deepEqual(await made.database.query('select "quadstead".count_things() as n'), [{n: '1'}])
  t.deepEqual(await made.database.query('select * from quadstead.readable_thing'), [{name: 'one'}])
})

test('two datasets live side by side, whatever their schemas are called', async t => {
  const made = await empty(t)
  const {directory, write} = await folder(t)
  await write(store)

  await migrate(made.database, {schema: 'My-Data "quoted"', directory})
  await migrate(made.database, {schema: 'other', directory})
  await made.database.query('select "My-Data ""quoted""".add_thing(1, $1)', ['one'])

  t.deepEqual(await made.database.query('select "My-Data ""quoted""".count_things() as n, other.count_things() as m'), [
    {n: '1', m: '0'},
  ])
  t.deepEqual(await names(made, 'My-Data "quoted"'), await names(made, 'other'))
})

test('twenty concurrent connections migrate once', async t => {
  const made = await empty(t)
  const {directory, write} = await folder(t)
  await write(store)
  const pools = Array.from({length: 20}, () =>
    createPool(made.address, {connectionMax: 1, isPooled: false, prepare: true, statementTimeoutMs: 5000}),
  )
  t.teardown(() => Promise.all(pools.map(pool => pool.end(1000))))

  const applied = await Promise.all(pools.map(pool => migrate(pool, {schema: 'quadstead', directory})))

  t.is(applied.filter(names => names.length > 0).length, 1)
  t.deepEqual(await made.database.query('select version from quadstead.migration order by 1'), [
    {version: 0},
    {version: 1},
  ])
})

test('six concurrent processes migrate once', async t => {
  const made = await empty(t)
  const {directory, write} = await folder(t)
  await write(store)
  const program = programParameters('test/db/fixtures/migrate-once.ts')

  const outputs = await Promise.all(
    Array.from({length: 6}, () => run(process.execPath, [...program, made.url, 'quadstead', directory])),
  )

  t.deepEqual(
    outputs.map(({stdout}) => stdout.trim()).filter(line => line !== '[]'),
    ['["000001_store.sql","functions and views"]'],
  )
})

test('an edited migration is refused by name, and nothing changes', async t => {
  const made = await empty(t)
  const {directory, write} = await folder(t)
  await write(store)
  await migrate(made.database, {schema: 'quadstead', directory})
  await write({
    'migrations/000001_store.sql': 'create table other ();',
    'migrations/000002_more.sql': 'create table more ();',
  })

  const error = await t.throwsAsync(migrate(made.database, {schema: 'quadstead', directory}), {instanceOf: Refusal})

  t.regex(error?.message ?? '', /^The migration 000001_store\.sql was changed after schema quadstead took it/)
  t.deepEqual(await made.database.query(`select to_regclass('quadstead.more') as found`), [{found: null}])
})

test('a function and a view that no file defines any more are dropped, others stay', async t => {
  const made = await empty(t)
  const {directory, write} = await folder(t)
  await write(store)
  await migrate(made.database, {schema: 'quadstead', directory})
  await rm(join(directory, 'functions/document/thing.sql'))
  await rm(join(directory, 'views/thing.sql'))

  t.deepEqual(await migrate(made.database, {schema: 'quadstead', directory}), ['functions and views'])
  t.deepEqual(await names(made, 'quadstead'), [{name: 'count_things'}, {name: 'migration'}, {name: 'thing'}])
})

test('a function in no known folder is an error', async t => {
  const made = await empty(t)
  const {directory, write} = await folder(t)
  await write({...store, 'functions/more.sql': ''})

  await t.throwsAsync(migrate(made.database, {schema: 'quadstead', directory}), {
    message: 'functions/more.sql is not one of registry, term, change, document, access, sparql, update, move, bulk',
  })
})

test('a function that a migration created for a table stays', async t => {
  const made = await empty(t)
  const {directory, write} = await folder(t)
  await write({
    ...store,
    'migrations/000002_check.sql': `
      create function is_short(text) returns boolean language sql immutable as $$ select length($1) < 9 $$;
      alter table thing add constraint "name-short" check (is_short(name));`,
  })
  await migrate(made.database, {schema: 'quadstead', directory})
  await write({'functions/document/count.sql': `${store['functions/document/count.sql']} -- changed`})

  await migrate(made.database, {schema: 'quadstead', directory})

  const error = await t.throwsAsync(made.database.query('select quadstead.add_thing(1, $1)', ['far too long']))
  t.like(error, {constraint_name: 'name-short'})
})

test('a file that fails is named with its line, and nothing is applied', async t => {
  const made = await empty(t)
  const {directory, write} = await folder(t)
  await write({...store, 'migrations/000002_bad.sql': 'create table more ();\nselect 1;\ncreate tabel x ();'})

  const error = await t.throwsAsync(migrate(made.database, {schema: 'quadstead', directory}))

  t.is(error?.message, 'sql/migrations/000002_bad.sql failed: syntax error at or near "tabel" (line 3)')
  t.deepEqual(await made.database.query(`select to_regnamespace('quadstead') as found`), [{found: null}])
})

test('an older program works with a newer database and does not change its functions', async t => {
  const made = await empty(t)
  const newer = await folder(t)
  const older = await folder(t)
  await older.write(store)
  await newer.write({
    ...store,
    'migrations/000002_more.sql': 'create table more ();',
    'functions/document/new.sql': 'create function added() returns int language sql as $$ select 2 $$;',
  })
  await migrate(made.database, {schema: 'quadstead', directory: newer.directory})

  t.deepEqual(await migrate(made.database, {schema: 'quadstead', directory: older.directory}), [])
  t.deepEqual(await made.database.query('select quadstead.added() as n'), [{n: 2}])
})

test('a newer breaking migration keeps an older program from starting', async t => {
  const made = await empty(t)
  const newer = await folder(t)
  const older = await folder(t)
  await older.write(store)
  await newer.write({...store, 'migrations/000002_more.sql': '--! breaking\ncreate table more ();'})
  await migrate(made.database, {schema: 'quadstead', directory: newer.directory})

  const error = await t.throwsAsync(migrate(made.database, {schema: 'quadstead', directory: older.directory}), {
    instanceOf: Refusal,
  })

  t.regex(error?.message ?? '', /000002_more\.sql, which this version of Quadstead does not know/)
})

test('a role without rights may start if the schema is up to date; otherwise the error says what to do', async t => {
  const made = await empty(t)
  const {directory, write} = await folder(t)
  await write(store)
  const role = `${made.name}_service`
  await administer(`create role ${role} login`)
  t.teardown(() => administer(`drop role ${role}`))
  t.teardown(made.drop)
  await migrate(made.database, {schema: 'quadstead', directory})
  await made.database.begin('read committed', transaction =>
    transaction.script(`grant usage on schema quadstead to ${role}; grant select on quadstead.migration to ${role}`),
  )
  const pool = createPool(
    {...parseDatabaseUrl(made.url), user: role},
    {connectionMax: 1, isPooled: false, prepare: true, statementTimeoutMs: 0},
  )
  t.teardown(() => pool.end(1000))

  t.deepEqual(await migrate(pool, {schema: 'quadstead', directory}), [])
  await write({'migrations/000002_more.sql': 'create table more ();'})
  const error = await t.throwsAsync(migrate(pool, {schema: 'quadstead', directory}), {instanceOf: Refusal})
  t.regex(error?.message ?? '', /permission denied.*Run "quadstead migrate" as the owner\.$/)
})
