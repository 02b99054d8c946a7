/** The schema of a fresh install: the reviewed file, comments, use of functions, volatility and search paths. */
import {readFileSync} from 'node:fs'
import test from 'ava'
import {sequences} from '../../src/db/citus/node-schema.ts'
import {readSources} from '../house/sources.ts'
import {
  areDistributed,
  createTestDatabase,
  schemaIdentifier,
  type TestDatabase,
  testSchema,
} from '../support/postgres.ts'
import {dumpSchema} from '../support/schema-dump.ts'
import {testWhen} from '../support/test-when.ts'

let made: TestDatabase

test.before(async () => {
  made = await createTestDatabase()
})

test.after.always(() => made.drop())

type Routine = {
  readonly name: string
  readonly signature: string
  readonly body: string
  readonly volatility: string
}

async function routines(): Promise<readonly Routine[]> {
  return made.database.query<Routine>(
    `select proname as name, oid::regprocedure::text as signature,
            coalesce(pg_get_function_sqlbody(oid), prosrc) as body, provolatile as volatility
       from pg_proc where pronamespace = $1::regnamespace order by 1, 2`,
    [schemaIdentifier],
  )
}

const calls = (text: string, name: string): boolean => new RegExp(`\\b${name}\\s*\\(`).test(text)

const testTables = testWhen(!areDistributed, 'in a Citus cluster the tables are in another schema')

testTables('sql/schema.sql is the schema of a fresh install', async t => {
  t.is(
    await dumpSchema(made.database, testSchema),
    readFileSync('sql/schema.sql', 'utf8'),
    'run "npm run db:dump" and look at what changed',
  )
})

testTables('every table, view, type and function has a comment', async t => {
  const silent = await made.database.query<{name: string}>(
    `select c.oid::regclass::text as name from pg_class as c
      where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'v') and obj_description(c.oid, 'pg_class') is null
      union all
     select t.oid::regtype::text from pg_type as t join pg_class as c on c.oid = t.typrelid and c.relkind = 'c'
      where t.typnamespace = $1::regnamespace and obj_description(t.oid, 'pg_type') is null
      union all
     select p.oid::regprocedure::text from pg_proc as p
      where p.pronamespace = $1::regnamespace and obj_description(p.oid, 'pg_proc') is null`,
    [schemaIdentifier],
  )

  t.deepEqual(silent, [])
})

test('every function is used by another one, a view, the program or an example', async t => {
  const all = await routines()
  const program = readSources('src', '.ts').map(({text}) => text)
  const views = readSources('sql/views', '.sql').map(({text}) => text)
  const examples = readSources('docs', '.md').flatMap(({text}) => text.match(/```sql\n.*?```/gs) ?? [])
  const aggregates = readSources('sql/functions', '.sql').map(({text}) => text)

  const orphans = all.filter(({name}) => {
    const others = all.filter(other => other.name !== name).map(({body}) => body)
    return (
      ![...others, ...program, ...views, ...examples].some(text => calls(text, name) || text.includes(`'${name}'`)) &&
      !aggregates.some(text => new RegExp(`\\b(?:s|combine)func = ${name}\\b`).test(text))
    )
  })

  t.deepEqual(
    orphans.map(({name}) => name),
    [],
  )
})

test('a stable function calls no volatile function, so that all of it sees one snapshot', async t => {
  const all = await routines()
  const volatile = all.filter(({volatility}) => volatility === 'v').map(({name}) => name)

  const breaks = all
    .filter(({volatility}) => volatility !== 'v')
    .flatMap(({name, body}) => volatile.filter(called => calls(body, called)).map(called => `${name} calls ${called}`))

  t.deepEqual(breaks, [])
})

test('every function that is not inlined and uses names of the schema has a pinned search path', async t => {
  const loose = await made.database.query<{name: string}>(
    `select p.oid::regprocedure::text as name
       from pg_proc as p join pg_language as l on l.oid = p.prolang
      where p.pronamespace = $1::regnamespace
        and (l.lanname = 'plpgsql' and p.proname <> 'plan_for' or p.prosecdef) -- plan_for's setting must outlive it
        and not coalesce(p.proconfig, '{}') @> array['search_path=quadstead, pg_temp']`,
    [schemaIdentifier],
  )

  const all = await routines()
  const relies = (name: string) => {
    const {body = ''} = all.find(routine => routine.signature === name) ?? {}
    return (
      all.some(other => calls(body, other.name)) ||
      /\b(from|join|into|update) (term|quad|document|dataset)\b/.test(body)
    )
  }
  t.deepEqual(loose.map(({name}) => name).filter(relies), [])
})

test('every function that writes for a caller begins with the lock on names', async t => {
  const writers = await made.database.query<{name: string; body: string}>(
    `select proname as name, prosrc as body from pg_proc
      where pronamespace = $1::regnamespace and provolatile = 'v' and prosecdef and 'caller' = any (proargnames)
      order by 1`,
    [schemaIdentifier],
  )
  const locks = ['hold_names', 'change_names', 'lock_grants'] // the last one begins with the first one

  const others = writers.filter(({body}) => !locks.some(name => calls(body, name))).map(({name}) => name)

  t.true(writers.length > 10)
  t.deepEqual(others, [
    'change_quads', // called by update_by_query and others, which have it
    'finish_update', // after operations that have it
    'put_graph', // replace_graph has it
    'read_changes', // writes nothing, and sees a new state in each statement
    'read_versions', // as read_changes
    'remove_api_key', // no IRI is looked up
    'replace_document', // replace_graph has it
  ])
})

test('in a Citus cluster each sequence has blocks of numbers on its node', async t => {
  const rows = await made.database.query<{name: string}>(
    `select relname::text as name from pg_class where relnamespace = $1::regnamespace and relkind = 'S' order by 1`,
    [schemaIdentifier],
  )

  t.deepEqual(
    rows.map(({name}) => name),
    sequences.map(({name}) => name).sort(),
  )
})
