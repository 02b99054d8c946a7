/** The advice of `quadstead check` on the settings and tables of a real server. */
import test from 'ava'
import {adviceFor, advisedSettings} from '../../src/command/advice.ts'
import {readServerState, type ServerState} from '../../src/db/connection/server-settings.ts'
import {areDistributed, createTestDatabase, testSchema} from '../support/postgres.ts'

const good: Readonly<Record<string, string>> = {
  random_page_cost: '1.1',
  work_mem: '16MB',
  effective_cache_size: '4GB',
  synchronous_commit: 'on',
  track_io_timing: 'on',
  default_statistics_target: '100',
}
const bad: Readonly<Record<string, string>> = {
  random_page_cost: '4',
  work_mem: '1MB',
  effective_cache_size: '64MB',
  synchronous_commit: 'off',
  track_io_timing: 'off',
  default_statistics_target: '10',
}

const subjectsOf = (state: ServerState) =>
  adviceFor({state, schema: '"s"', connections: 10}).map(({subject, value, command}) => [subject, value, command])

for (const [name, values] of Object.entries({good, bad})) {
  test(`a server with ${name} settings gets exactly this advice`, async t => {
    const {database, drop} = await createTestDatabase()
    t.teardown(drop)
    const state = await database.begin('read committed', async transaction => {
      for (const [setting, value] of Object.entries(values)) {
        await transaction.query('select set_config($1, $2, true)', [setting, value])
      }
      return readServerState(transaction, testSchema, Object.keys(values))
    })

    const buffers = new Map([...state.settings, ['shared_buffers', 2 ** 27]])
    const expected = [
      ['synchronous_commit', 'off', "alter system set synchronous_commit = 'on'"],
      ['effective_cache_size', '64MB', "alter system set effective_cache_size = '384MB'"],
      ['random_page_cost', '4', "alter system set random_page_cost = '1.1'"],
      ['work_mem', '1MB', "alter system set work_mem = '16MB'"],
      ['track_io_timing', 'off', "alter system set track_io_timing = 'on'"],
      ['default_statistics_target', '10', "alter system set default_statistics_target = '100'"],
    ]
    t.deepEqual(subjectsOf({...state, settings: buffers}), name === 'good' ? [] : expected)
  })
}

test('there is no advice on settings that the role may not read', t => {
  t.deepEqual(subjectsOf({settings: new Map(), tables: [], bytes: 2 ** 40}), [])
})

test('settings have the units of bytes, and small buffers are compared with the dataset', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)

  const state = await readServerState(database, testSchema, advisedSettings)
  const [row] = await database.query<{bytes: string}>(
    "select pg_size_bytes(current_setting('shared_buffers'))::text as bytes",
  )

  t.is(state.settings.get('shared_buffers'), Number(row?.bytes))
  t.deepEqual([...state.settings.keys()].sort(), [...advisedSettings].sort())
  const settings = new Map([['shared_buffers', 2 ** 27]])
  t.deepEqual(subjectsOf({settings, tables: [], bytes: 2 ** 26}), [])
  t.deepEqual(subjectsOf({settings, tables: [], bytes: 3 * 2 ** 27}), [
    ['shared_buffers', '128MB', "alter system set shared_buffers = '512MB'"],
  ])
})

test('a table that was never analyzed, and one that is full of dead rows', async t => {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  const [table] = await database.query<{name: string}>(
    `select format('%I.%I', relnamespace::regnamespace::text, relname) as name
       from pg_class where oid = ${testSchema}.store_relation('term', 'term')`,
  )
  const stored = table?.name ?? '' // a shard in a cluster
  const named = areDistributed ? stored : '"s".term'
  await database.query(`alter table ${stored} set (autovacuum_enabled = off)`)
  await database.query(
    `insert into ${testSchema}.term (id, lex, hash)
     select 5000 + n, 'http://e/' || n, ${testSchema}.term_hash('Ihttp://e/' || n) from generate_series(1, 30000) as n`,
  )
  const of = async (): Promise<readonly (readonly string[])[]> => {
    await database.query('select pg_stat_force_next_flush()')
    const state = await readServerState(database, testSchema, [])
    return subjectsOf({...state, tables: state.tables.filter(({table}) => table === 'term')})
  }
  const eventually = async (subject: string) => {
    for (let tries = 0; tries < 100; tries += 1) {
      const found = (await of()).find(([, value]) => value?.includes(subject))
      if (found !== undefined) return found
    }
    return t.fail(`nothing was said of ${subject}`)
  }

  t.deepEqual(await eventually('never'), ['term', 'never analyzed', `analyze ${named}`])
  await database.query(`analyze ${stored}`)
  await database.query(`delete from ${testSchema}.term where id > 20000 and lex like 'http://e/%'`)
  const dead = await eventually('dead')
  t.is(dead === undefined ? undefined : dead[2], `vacuum (analyze) ${named}`)
})
