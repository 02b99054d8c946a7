/** Datasets in a Citus cluster as their operator sees them: a registry, upgrades, the text index, dumps and roles. */
import {readdirSync} from 'node:fs'
import ava, {type ExecutionContext} from 'ava'
import {nodeParameters} from '../../src/db/citus/prepare.ts'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {createPool, type Database} from '../../src/db/connection/pool.ts'
import {readTextIndexState} from '../../src/db/store/text-index.ts'
import {sqlDirectory} from '../../src/sql-directory.ts'
import {type CitusCluster, type CitusNode, distribute, findCitusBinaries, inNode, startCitus} from '../support/citus.ts'
import {type Received, type Sent, send} from '../support/client.ts'
import {until} from '../support/machine.ts'
import {distributesNew, testSchema} from '../support/postgres.ts'
import {type ProgramSettings, runProgram} from '../support/process.ts'
import {useService} from '../support/service.ts'
import {testWhen} from '../support/test-when.ts'

const binaries = await findCitusBinaries()
const test = testWhen(binaries !== undefined, 'no PostgreSQL with Citus here')
const turtle = {'Content-Type': 'text/turtle', Link: '<http://www.w3.org/ns/ldp#BasicContainer>; rel="type"'}
const name = 'postgres' // the database

ava.beforeEach(t => t.timeout(300_000))

async function useCluster(t: ExecutionContext): Promise<CitusCluster> {
  const cluster = await startCitus(binaries ?? '')
  t.teardown(cluster.stop)
  return cluster
}

/** A function that runs commands with these settings, and fails if one does. It returns what they print. */
function commands(t: ExecutionContext, settings: ProgramSettings) {
  return async (...words: readonly string[]): Promise<string> => {
    const program = runProgram(t, settings, words)
    t.is(await program.exit, 0, `${words.join(' ')}: ${program.output()}${program.complaints()}`)
    return program.output()
  }
}

/** A connection to a node that may use the shards. It is closed when the test ends. */
function openNode(t: ExecutionContext, url: string): Database {
  const address = {...parseDatabaseUrl(url), parameters: nodeParameters}
  const database = createPool(address, {connectionMax: 2, isPooled: false, prepare: false, statementTimeoutMs: 60_000})
  t.teardown(() => database.end(1000))
  return database
}

/** The worker whose `host:port` is marked by "datasets nodes", and the other one. */
function nodesOf(cluster: CitusCluster, shown: string): {readonly home: CitusNode; readonly other: CitusNode} {
  const [, port] = /^\* 127\.0\.0\.1:(\d+)/m.exec(shown) ?? []
  const [home, other] = [...cluster.workers].sort(one => (one.port === Number(port) ? -1 : 1))
  if (home === undefined || other === undefined || home.port !== Number(port)) throw new Error(shown)
  return {home, other}
}

test('the datasets of a registry are distributed, and each moves by itself', async t => {
  const cluster = await useCluster(t)
  await inNode(cluster.coordinator, name, sql => sql.query(distributesNew(name)))
  const settings = {DATABASE_URL: cluster.coordinator.url, PORT: '0'}
  const run = commands(t, settings)
  for (const dataset of ['one', 'two'])
    await run('datasets', 'add', dataset, '--base-url', `http://localhost/${dataset}/`)
  const distributed = await inNode(cluster.coordinator, name, sql =>
    sql.query('select schema_name::text as name from citus_schemas order by 1'),
  )
  t.deepEqual(distributed, [{name: 'dataset_one_tables'}, {name: 'dataset_two_tables'}])
  const service = runProgram(t, settings)
  await service.ready()
  const [, url = ''] = /is ready at (\S+)/.exec(service.output()) ?? []
  const ask = (sent: Sent) => send(url, sent)
  const create = async (dataset: string, slug: string) =>
    (await ask({method: 'POST', path: `/${dataset}/`, headers: {...turtle, Slug: slug}, body: '<> a <http://a/C> .'}))
      .status
  t.deepEqual([await create('one', 'a'), await create('two', 'a')], [201, 201])

  const {other} = nodesOf(cluster, await run('datasets', 'nodes', 'two'))
  const place = await run('datasets', 'nodes', 'one')
  await run('datasets', 'move', 'two', '--to', `127.0.0.1:${other.port}`)

  t.deepEqual([await create('one', 'b'), await create('two', 'b')], [201, 201])
  t.is(nodesOf(cluster, await run('datasets', 'nodes', 'two')).home, other)
  t.is(await run('datasets', 'nodes', 'one'), place)
  for (const path of ['/one/a/', '/one/b/', '/two/a/', '/two/b/']) t.is((await ask({path})).status, 200)
  t.is((await ask({path: '/two/c/'})).status, 404)
  for (const dataset of ['one', 'two']) t.regex(await run('check', '--dataset', dataset), /nothing is wrong/)
  t.is(await run('migrate'), '2 of 2 datasets are up to date.\n')
  await run('datasets', 'remove', 'one', '--confirm', 'one', '--drop')
  await until(async () => (await ask({path: '/one/a/'})).status === 404)
  t.is((await ask({path: '/two/a/'})).status, 200)
  const left = await inNode(cluster.coordinator, name, sql => sql.query('select schema_name::text from citus_schemas'))
  t.is(left.length, 1)
})

test('statistics and the text index are there again after a move', async t => {
  const cluster = await useCluster(t)
  const place = await distribute(cluster.coordinator, name, testSchema)
  const other = cluster.workers.find(({port}) => port !== place.port)
  if (other === undefined) throw new Error('there are two workers')
  const service = await useService(t, {DATABASE_URL: cluster.coordinator.url})
  const body = '<> <http://example.org/p> "needle in a haystack" .'
  t.is((await send(service.url, {method: 'POST', headers: {...turtle, Slug: 'a'}, body})).status, 201)
  const run = commands(t, {DATABASE_URL: cluster.coordinator.url})
  t.is(await run('text-index'), `Schema ${testSchema} has a text index now.\n`)

  await run('datasets', 'move', testSchema, '--to', `127.0.0.1:${other.port}`)

  const state = await inNode(other, name, sql => readTextIndexState(sql, testSchema))
  t.like(state, {isThere: true, isUsable: true, extensionSchema: 'public'})
  const quads = await openNode(t, other.url).query(
    `select c.reltuples = (select count(*) from ${testSchema}.quad) as "isCounted"
       from pg_class as c where c.oid = ${testSchema}.store_relation('quad', 'quad')`,
  )
  t.deepEqual(quads, [{isCounted: true}])
  await run('text-index', '--drop')
  await run('datasets', 'move', testSchema, '--to', `127.0.0.1:${place.port}`, '--block-writes')
  const home = cluster.workers.find(({port}) => port === place.port) ?? other
  t.like(await inNode(home, name, sql => readTextIndexState(sql, testSchema)), {isThere: false})
})

test('a dataset whose schema has signs of SQL in its name is distributed and moves', async t => {
  const schema = `a"b'; $$--`
  const cluster = await useCluster(t)
  const place = await distribute(cluster.coordinator, name, schema)
  const other = cluster.workers.find(({port}) => port !== place.port)
  if (other === undefined) throw new Error('there are two workers')
  const settings = {DATABASE_URL: cluster.coordinator.url, DATABASE_SCHEMA: schema}
  const service = await useService(t, settings)
  const body = '<> <http://example.org/p> "needle" .'
  t.is((await service.send({method: 'POST', path: '/', headers: {...turtle, Slug: 'a'}, body})).status, 201)
  const run = commands(t, settings)
  t.is(await run('text-index'), `Schema ${schema} has a text index now.\n`)

  await run('datasets', 'move', schema, '--to', `127.0.0.1:${other.port}`)

  t.is((await service.send({method: 'POST', path: '/', headers: {...turtle, Slug: 'b'}, body})).status, 201)
  t.regex((await service.send({path: '/a/'})).text, /needle/)
  t.like(await inNode(other, name, sql => readTextIndexState(sql, schema)), {isThere: true, isUsable: true})
  t.regex(await run('check'), /: nothing is wrong\./)
})

test('a dataset that is not distributed stays on its node', async t => {
  const cluster = await useCluster(t)
  const [home, other] = cluster.workers
  if (home === undefined || other === undefined) throw new Error('there are two workers')
  const objects = `
    select (select count(*) from pg_proc as p where p.pronamespace = to_regnamespace('${testSchema}'))::int as count,
           (select count(*) from pg_extension as e where e.extname = 'pg_trgm')::int as extensions`
  const service = await useService(t, {DATABASE_URL: home.url})
  const body = '<> <http://example.org/p> "needle" .'
  t.is((await service.send({method: 'POST', path: '/', headers: {...turtle, Slug: 'a'}, body})).status, 201)

  const run = commands(t, {DATABASE_URL: home.url})
  t.is(await run('text-index'), `Schema ${testSchema} has a text index now.\n`)

  const [own = {count: 0, extensions: 0}] = await openNode(t, home.url).query<{
    count: number
    extensions: number
  }>(objects)
  t.true(own.count > 100, String(own.count))
  t.is(own.extensions, 1)
  for (const node of [cluster.coordinator, other])
    t.deepEqual(await openNode(t, node.url).query(objects), [{count: 0, extensions: 0}])
})

/** Every state that the log knows, with its triples. The tables' rows are as they are, and so is their order. */
const statesText = `
  select c.position::text, to_json(q) as quads
    from ${testSchema}.change as c cross join lateral ${testSchema}.state_quads(c.document, c.position) as q
   where c.after is not null
   order by c.position`

test('kept states move with a dataset, and further ones follow from them', async t => {
  const cluster = await useCluster(t)
  const place = await distribute(cluster.coordinator, name, testSchema)
  const [home, other] = [...cluster.workers].sort(one => (one.port === place.port ? -1 : 1))
  if (home === undefined || other === undefined) throw new Error('there are two workers')
  const service = await useService(t, {DATABASE_URL: cluster.coordinator.url, CHANGES: 'forever'})
  const body = '<> <http://example.org/p> "x" .'
  t.is((await service.send({method: 'POST', path: '/', headers: {...turtle, Slug: 'a'}, body})).status, 201)
  const change = `
    select ${testSchema}.touch_documents(array[t.id], null, null)
      from ${testSchema}.term as t, generate_series(1, 500) where t.lex like '%/a/'`
  const keep = `select ${testSchema}.keep_states(100000, 10)`
  const countKept = `select count(*)::int as count from ${testSchema}.kept_state`
  const before = openNode(t, home.url)
  await before.query(change)
  await before.query(keep)
  const [kept = {count: 0}] = await before.query<{count: number}>(countKept)
  t.true(kept.count > 2, String(kept.count))
  const states = await before.query(statesText)
  t.true(states.length > 500, String(states.length))

  const run = commands(t, {DATABASE_URL: cluster.coordinator.url})
  await run('datasets', 'move', testSchema, '--to', `127.0.0.1:${other.port}`)

  const after = openNode(t, other.url)
  t.deepEqual(await after.query(countKept), [kept])
  t.deepEqual(await after.query(statesText), states)
  await after.query(change)
  await after.query(keep)
  const [more = {count: 0}] = await after.query<{count: number}>(countKept)
  t.true(more.count > kept.count, `${kept.count}, ${more.count}`)
  t.deepEqual((await after.query(statesText)).slice(0, states.length), states)
  t.deepEqual(await after.query(`select * from ${testSchema}.check_changes()`), [])
})

test('each table of a dataset has what a move replicates its changed rows by, and a view with its columns', async t => {
  const cluster = await useCluster(t)
  const place = await distribute(cluster.coordinator, name, testSchema)
  const node = openNode(t, `postgres://quadstead@127.0.0.1:${place.port}/${name}`)
  const columnsOf = `
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class as c
      join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = to_regnamespace($1) and c.relkind = $2 and a.attname not in ('ctid', 'xmin')
     group by c.relname
     order by c.relname`

  const tables = await inNode(cluster.coordinator, name, sql =>
    sql.query<{readonly name: string}>(columnsOf, [`${testSchema}_tables`, 'r']),
  )
  t.true(tables.length > 10)
  const views = await node.query<{readonly name: string}>(columnsOf, [testSchema, 'v'])
  t.deepEqual(
    views.filter(view => tables.some(table => table.name === view.name)),
    tables,
  )
  const withoutIdentity = await node.query(
    `select c.relname
       from pg_class as c
      where c.relnamespace = to_regnamespace($1) and c.relkind = 'r' and c.relreplident = 'd'
        and not exists (select from pg_index as i where i.indrelid = c.oid and i.indisprimary)`,
    [`${testSchema}_tables`],
  )
  t.deepEqual(withoutIdentity, [])
})

/** Takes back the migrations from 000012 on, as if an earlier version had distributed the dataset. */
const takenBack = `
  drop table change, old_name, webhook, followed, followed_node, web_session, search_word, search_gathering, kept_state;
  drop table follow;
  drop sequence change_seq;
  alter table dataset drop column logs_changes;
  alter table dataset drop column changes_kept;
  alter table dataset drop column changes_lost;
  alter table dataset drop column changes_lost_time;
  alter table dataset drop column changes_lost_tag;
  alter table dataset drop column states_seen;
  delete from migration where version >= 12;
  delete from node_mark where name in ('change_seq', 'webhook_id_seq', 'follow_id_seq');
  update node_mark set value = -1 where name = 'node'`

test('the tables of a dataset that an earlier version distributed are migrated with their rows', async t => {
  const cluster = await useCluster(t)
  const place = await distribute(cluster.coordinator, name, testSchema)
  const settings = {DATABASE_URL: cluster.coordinator.url, BASE_URL: 'http://localhost/'}
  const earlier = await useService(t, settings)
  const headers = {Accept: 'application/n-triples'}
  const body = '<> <http://example.org/p> "x", [ <http://example.org/q> 1 ] .'
  const created = await earlier.send({method: 'POST', path: '/', headers: {...turtle, Slug: 'a'}, body})
  t.is(created.status, 201)
  const {text} = await earlier.send({path: '/a/', headers})
  await earlier.stop()
  const node = openNode(t, `postgres://quadstead@127.0.0.1:${place.port}/${name}`)
  await node.query(`drop schema ${testSchema} cascade`)
  const coordinator = openNode(t, cluster.coordinator.url)
  await coordinator.begin('read committed', async transaction => {
    await transaction.script(
      `set local citus.enable_ddl_propagation to on; set local search_path to ${testSchema}_tables`,
    )
    for (const statement of takenBack.split(';')) await transaction.query(statement)
  })

  const service = await useService(t, {...settings, CHANGES: 'forever'})

  const applied = await coordinator.query(`select version from ${testSchema}_tables.migration where version >= 12`)
  const versions = readdirSync(`${sqlDirectory}/migrations`).map(file => Number.parseInt(file, 10))
  t.deepEqual(applied.map(({version}) => version).sort(), versions.filter(version => version >= 12).sort())
  t.is((await service.send({path: '/a/', headers})).text, text)
  const tag = ({headers: {etag = ''}}: Received) => BigInt(etag.replaceAll('"', ''))
  const later = await service.send({method: 'POST', path: '/a/', headers: {...turtle, Slug: 'b'}, body})
  t.is(later.status, 201)
  t.true(tag(later) > tag(created), 'entity tags increase')
  const [lost] = await node.query<{tag: string}>(`select changes_lost_tag::text as tag from ${testSchema}.dataset`)
  const lostTag = BigInt(lost?.tag ?? 0)
  t.true(
    lostTag >= tag(created) && lostTag < tag(later),
    `${tag(created)} ${lostTag} ${tag(later)}: the log begins after the entity tags that were given`,
  )
  t.regex((await service.send({path: '/changes', headers: {Accept: 'application/jsonl'}})).text, /\/a\/b\//)
  t.deepEqual(await node.query(`select * from ${testSchema}.check_store()`), [])
})
