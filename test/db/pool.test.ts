/** The pool with a real server: lost connections, limits, cancellation, cursors, transactions. */
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import test, {type ExecutionContext} from 'ava'
import postgres from 'postgres'
import type {PoolOptions} from '../../src/db/connection/driver-options.ts'
import {createPool, type Database, type Queryable} from '../../src/db/connection/pool.ts'
import {databaseCodeOf} from '../../src/db/connection/problem-of.ts'
import {readOnly, retry} from '../../src/db/connection/transaction.ts'
import {startBreakingServer} from '../support/fake-server.ts'
import {startNetProxy} from '../support/net-proxy.ts'
import {administer, createTestDatabase, type TestDatabase} from '../support/postgres.ts'

const unavailable = {status: 503, rule: 'database-available'}

async function open(t: ExecutionContext, options: Partial<PoolOptions> = {}): Promise<TestDatabase> {
  const made = await createTestDatabase('template0', options)
  t.teardown(made.drop)
  return made
}

async function backendOf(queryable: Queryable): Promise<number> {
  const [row] = await queryable.query<{pid: number}>('select pg_backend_pid() as pid')
  return row?.pid ?? 0
}

/** Ends sessions of a database when they execute the given statement. */
async function killWhile(name: string, state: 'active' | 'idle in transaction'): Promise<void> {
  await administer(`
    do $$ begin
      for i in 1 .. 500 loop
        exit when (select count(pg_terminate_backend(pid)) from pg_stat_activity
                    where datname = '${name}' and state = '${state}' and pid <> pg_backend_pid()) > 0;
        perform pg_sleep(0.01), pg_stat_clear_snapshot();
      end loop;
    end $$`)
}

async function works(database: Database): Promise<unknown> {
  return Promise.all(Array.from({length: 8}, (_, n) => database.query('select $1::int as n', [n])))
}

const eight = Array.from({length: 8}, (_, n) => [{n}])

test('a backend killed during a statement is a 503, and the pool still works', async t => {
  const {database, name} = await open(t, {connectionMax: 2})

  const [error] = await Promise.all([t.throwsAsync(database.query('select pg_sleep(20)')), killWhile(name, 'active')])

  t.like(error, unavailable)
  t.deepEqual(await works(database), eight)
})

test.serial('a connection keeps a limited number of prepared statements, the last used ones', async t => {
  const {database} = await open(t, {connectionMax: 1, prepare: true})
  const ask = (n: number) => database.query<{n: number}>(`select ${n} + $1::int as n`, [1])
  for (let n = 0; n < 600; n += 1) {
    t.deepEqual(await ask(n), [{n: n + 1}])
    await ask(7) // is always among the last used
  }

  const kept = await database.query<{statement: string}>(
    `select statement from pg_prepared_statements where statement ~ '^select \\d+ [+]' order by prepare_time`,
    [],
    {once: true},
  )

  const numbers = kept.map(({statement}) => Number.parseInt(statement.slice(7), 10))
  t.deepEqual(numbers, [7, ...Array.from({length: 249}, (_, index) => 351 + index)])
})

test('a statement gets the oldest connection that is free', async t => {
  const {database} = await open(t, {connectionMax: 4})
  const backend = () => database.query<{pid: number}>('select pg_backend_pid() as pid')
  const first = await backend()

  for (let round = 0; round < 5; round += 1) {
    await Promise.all([backend(), database.query('select pg_sleep(0.01)'), backend()])
    t.deepEqual(await backend(), first)
  }
})

test.serial('many texts on one connection, in transactions and with cursors', async t => {
  const {database} = await open(t, {connectionMax: 1, prepare: true})
  for (let n = 0; n < 300; n += 1) {
    const found = await database.begin('read committed', async transaction => {
      const batches: unknown[] = []
      const [first, second] = await Promise.all([
        transaction.query(`select ${n} + $1::int as n`, [1]),
        transaction.query(`select ${n} + $1::int as n`, [2]),
      ])
      for await (const rows of transaction.cursor(`select ${n} + $1 + i as n from generate_series(1, 3) i`, [3], {
        batchRows: 2,
      }))
        batches.push(rows)
      return [first, second, batches]
    })
    t.deepEqual(found, [[{n: n + 1}], [{n: n + 2}], [[{n: n + 4}, {n: n + 5}], [{n: n + 6}]]])
  }
})

test('a statement that runs before another is in its transaction and message', async t => {
  const {database} = await open(t, {connectionMax: 1, prepare: true})
  const before = (value: string) => [["select set_config('work_mem', $1, true)", [value]]] as const
  const shown = "select current_setting('work_mem') as memory, $1::int as n"
  const ask = (value: string, n: number) => database.query(shown, [n], {before: before(value)})
  const [{memory: usual} = {}] = await database.query("select current_setting('work_mem') as memory")

  for (let round = 0; round < 3; round += 1) {
    t.deepEqual(await ask('5MB', 1), [{memory: '5MB', n: 1}])
    t.deepEqual(await database.query(shown, [2]), [{memory: usual, n: 2}])
  }
  t.deepEqual(await Promise.all([ask('6MB', 3), ask('7MB', 4)]), [[{memory: '6MB', n: 3}], [{memory: '7MB', n: 4}]])

  const both = await database.query("select txid_current()::text = current_setting('own.id') as is_same", [], {
    before: [["select set_config('own.id', txid_current()::text, true)", []]],
  })
  t.deepEqual(both, [{is_same: true}])
})

test('an error of a statement that runs before another is an error of both', async t => {
  const {database} = await open(t, {connectionMax: 1, prepare: true})
  const divide = (one: number, other: number) =>
    database.query('select 6 / $1::int as n', [other], {before: [['select 6 / $1::int as n', [one]]]})
  for (let round = 0; round < 3; round += 1) {
    t.deepEqual(await divide(1, 2), [{n: 3}])
    await t.throwsAsync(divide(0, 2), {message: /division by zero/})
    await t.throwsAsync(divide(1, 0), {message: /division by zero/})
  }
  const several = await Promise.allSettled([divide(0, 1), divide(1, 1), divide(1, 0), divide(1, 3)])
  t.deepEqual(
    several.map(one => (one.status === 'fulfilled' ? one.value : 'failed')),
    ['failed', [{n: 6}], 'failed', [{n: 2}]],
  )
  t.deepEqual(await works(database), eight)
})

test('several statements may run before another, in their order, and an error skips those that follow', async t => {
  const {database} = await open(t, {connectionMax: 1, prepare: true})
  const level =
    "select current_setting('transaction_isolation') as level, current_setting('own.n') as n, 6 / $1::int as q"
  const ask = (first: number, second: number, third: number) =>
    database.query(level, [third], {
      before: [
        ["set transaction_isolation = 'repeatable read'", []],
        ["select set_config('own.n', (6 / $1::int)::text, true)", [first]],
        ["select set_config('own.n', current_setting('own.n') || (6 / $1::int)::text, true)", [second]],
      ],
    })
  for (let round = 0; round < 3; round += 1) {
    t.deepEqual(await ask(1, 2, 3), [{level: 'repeatable read', n: '63', q: 2}])
    for (const [first, second, third] of [
      [0, 1, 1],
      [1, 0, 1],
      [1, 1, 0],
    ] as const)
      await t.throwsAsync(ask(first, second, third), {message: /division by zero/})
  }
  const several = await Promise.allSettled([ask(0, 1, 1), ask(1, 1, 1), ask(1, 0, 1), ask(2, 3, 6)])
  t.deepEqual(
    several.map(one => (one.status === 'fulfilled' ? one.value : 'failed')),
    ['failed', [{level: 'repeatable read', n: '66', q: 6}], 'failed', [{level: 'repeatable read', n: '32', q: 1}]],
  )
  await database.query('deallocate all', [], {once: true})
  t.deepEqual(await ask(6, 6, 6), [{level: 'repeatable read', n: '11', q: 1}])
  t.deepEqual(await database.query("select current_setting('transaction_isolation') as level"), [
    {level: 'read committed'},
  ])
})

test('statements that the server has forgotten are prepared again, with those that run before them', async t => {
  const {database} = await open(t, {connectionMax: 1, prepare: true})
  const ask = (n: number) => database.query('select 6 / $1::int as n', [n], {before: [['select 5 / $1::int', [n]]]})
  t.deepEqual(await ask(1), [{n: 6}])
  await database.query('deallocate all', [], {once: true})
  t.deepEqual(await ask(2), [{n: 3}])
  t.deepEqual(await ask(3), [{n: 2}])
})

test('a backend killed during a statement with one before it is a 503', async t => {
  const {database, name} = await open(t, {connectionMax: 1})
  const before = [['select 1', []]] as const
  for (const [first, second] of [
    ['select pg_sleep(20)', 'select 1 as n'],
    ['select 1', 'select pg_sleep(20)'],
  ] as const) {
    const sleeping = t.throwsAsync(database.query(second, [], {before: [[first, []]]}))
    await killWhile(name, 'active')
    t.like(await sleeping, unavailable)
    t.deepEqual(await database.query('select 8 as n', [], {before}), [{n: 8}])
  }
})

test('a snapshot may be the first use of a pool', async t => {
  const {database} = await open(t, {connectionMax: 2})
  const read = () => readOnly(database, transaction => transaction.query('select 1 as n'))

  t.deepEqual(await Promise.all([read(), read(), read()]), [[{n: 1}], [{n: 1}], [{n: 1}]])
})

test('a snapshot that waits for a connection gets one, even if that one is lost', async t => {
  const {database, name} = await open(t, {connectionMax: 1})
  const sleeping = t.throwsAsync(database.query('select pg_sleep(20)'))
  const waiting = readOnly(database, transaction => transaction.query('select 1 as n'))

  await killWhile(name, 'active')

  t.like(await sleeping, unavailable)
  t.deepEqual(await waiting, [{n: 1}])
  t.deepEqual(await works(database), eight)
})

test('a backend killed during a transaction is a 503, and the pool still works', async t => {
  const {database, name} = await open(t, {connectionMax: 2})

  const [error] = await Promise.all([
    t.throwsAsync(database.begin('read committed', transaction => transaction.query('select pg_sleep(20)'))),
    killWhile(name, 'active'),
  ])

  t.like(error, unavailable)
  t.deepEqual(await works(database), eight)
})

test('a backend killed between two statements of a transaction fails the second', async t => {
  const {database, name} = await open(t, {connectionMax: 2})

  const error = await t.throwsAsync(
    database.begin('read committed', async transaction => {
      await transaction.query('select 1')
      await killWhile(name, 'idle in transaction')
      return transaction.query('select 2')
    }),
  )

  t.like(error, unavailable)
  t.deepEqual(await works(database), eight)
})

test('a cursor whose backend is killed throws: no result is silently incomplete', async t => {
  const {database} = await open(t, {connectionMax: 2})
  let rows = 0

  const error = await t.throwsAsync(async () => {
    for await (const batch of database.cursor(
      'select pg_backend_pid() as pid, n from generate_series(1, 100000) n',
      [],
      {batchRows: 10},
    )) {
      if (rows === 0) await administer(`select pg_terminate_backend(${batch[0]?.pid})`)
      rows += batch.length
    }
  })

  t.like(error, unavailable)
  t.true(rows < 100_000)
  t.deepEqual(await works(database), eight)
})

test('a read is repeated if its connection was lost while it was idle', async t => {
  const {database} = await open(t, {connectionMax: 1})
  await administer(`select pg_terminate_backend(${await backendOf(database)})`)

  t.deepEqual(await retry('read', () => database.query('select 1 as n')), [{n: 1}])
})

test('a cursor that is left early is closed, and its connection is free again', async t => {
  const {database} = await open(t, {connectionMax: 1})

  for await (const batch of database.cursor('select generate_series(1, 1000) as n', [], {batchRows: 2})) {
    t.deepEqual(batch, [{n: 1}, {n: 2}])
    break
  }

  t.deepEqual(await works(database), eight)
})

test('a statement over the time limit is a 503 that names the limit', async t => {
  const {database} = await open(t, {statementTimeoutMs: 50})

  t.like(await t.throwsAsync(database.query('select pg_sleep(20)')), {
    status: 503,
    rule: 'query-timeout',
    members: {limitMs: 50},
  })
})

test('behind a pooler the service enforces the same limit', async t => {
  const {database} = await open(t, {statementTimeoutMs: 50, isPooled: true, prepare: false})

  t.like(await t.throwsAsync(database.query('select pg_sleep(20)')), {
    status: 503,
    rule: 'query-timeout',
    members: {limitMs: 50},
  })
  t.deepEqual(await works(database), eight)
})

test('a statement is cancelled in the server if its client disconnects', async t => {
  const {database} = await open(t, {connectionMax: 2})
  const client = new AbortController()
  const started = database.query('select pg_sleep(20)', [], {signal: client.signal})
  const isActive = () => database.query(`select from pg_stat_activity where query = 'select pg_sleep(20)'`)
  while ((await isActive()).length === 0);
  client.abort()

  t.like(await t.throwsAsync(started), {status: 503, rule: 'query-timeout'})
  t.deepEqual(await works(database), eight)
})

test('a cancel request that arrives late does not cancel the statement of another caller', async t => {
  const {address} = await open(t)
  const proxy = await startNetProxy(t, {cancelDelayMs: 300})
  proxy.lead(address.socketPath ?? address.hosts[0]?.port)
  const through = {...address, socketPath: undefined, hosts: [{host: '127.0.0.1', port: proxy.port}]}
  const database = createPool(through, {connectionMax: 2, isPooled: false, prepare: true, statementTimeoutMs: 0})
  t.teardown(() => database.end(1000))
  await works(database)
  const client = new AbortController()

  const cancelled = database.query('select pg_sleep(0.2)', [], {signal: client.signal})
  setTimeout(() => client.abort(), 100)
  await database.query('select pg_sleep(0.3)') // on the other connection: the statements after it take turns
  await database.query('select 1')

  t.like(await database.query('select pg_sleep(0.5), 2 as n'), [{n: 2}])
  t.is((await cancelled).length, 1)
})

test('a statement is not sent if its client has disconnected before', async t => {
  const {database} = await open(t, {connectionMax: 1})
  await database.query('create table if not exists sent (n int)')
  const gone = {signal: AbortSignal.abort()}

  t.like(await t.throwsAsync(database.query('insert into sent values (1)', [], gone)), {
    status: 499,
    rule: 'client-gone',
  })
  t.like(
    await t.throwsAsync(database.begin('read committed', one => one.query('insert into sent values (2)', [], gone))),
    {
      status: 499,
      rule: 'client-gone',
    },
  )
  t.deepEqual(await database.query('select n from sent'), [])
  t.deepEqual(await works(database), eight)
})

test('at most as many statements run as there are connections, and the others wait in order', async t => {
  const {database} = await open(t, {connectionMax: 2})

  const pids = await Promise.all(Array.from({length: 20}, () => backendOf(database)))

  t.is(new Set(pids).size, 2)
})

test('a statement is prepared once on each connection, unless it is marked as rare or long', async t => {
  const {database} = await open(t, {connectionMax: 1})
  for (const n of [1, 2, 3]) await database.query('select $1::int as often', [n])
  await database.query('select $1::int as seldom', [1], {once: true})
  const long = `select $1::int as ${' '.repeat(30_000)}long`
  for (const n of [1, 2]) t.deepEqual(await database.query(long, [n]), [{long: n}])

  const rows = await database.query<{statement: string}>(
    'select statement from pg_prepared_statements where statement not like $1',
    ['%pg_prepared%'],
  )

  t.deepEqual(rows, [{statement: 'select $1::int as often'}])
})

test('a transaction that throws leaves nothing behind and passes its error on', async t => {
  const {database} = await open(t)
  await database.query('create table thing (n int)')
  const fault = new Error('ours')

  const error = await t.throwsAsync(
    database.begin('read committed', async transaction => {
      await transaction.query('insert into thing values (1)')
      throw fault
    }),
  )

  t.is(error, fault)
  t.deepEqual(await database.query('select * from thing'), [])
})

test('several reads see one state, and cannot write', async t => {
  const {database} = await open(t)
  await database.query('create table thing (n int)')

  const [before, after] = await readOnly(database, async transaction => {
    const first = await transaction.query('select count(*)::int as n from thing')
    await database.query('insert into thing values (1)')
    return [first, await transaction.query('select count(*)::int as n from thing')]
  })
  const error = await t.throwsAsync(
    readOnly(database, transaction => transaction.query('insert into thing values (2)')),
  )

  t.deepEqual([before, after], [[{n: 0}], [{n: 0}]])
  t.like(error, {code: '25006'})
})

test('two concurrent increments of a state that both have read both succeed', async t => {
  const {database} = await open(t)
  await database.query('create table counter as select 0 as n')
  const countUp = () =>
    retry('write', () =>
      database.begin('repeatable read', async transaction => {
        const [row] = await transaction.query<{n: number}>('select n from counter')
        await transaction.query('update counter set n = $1', [(row?.n ?? 0) + 1])
      }),
    )

  await Promise.all([countUp(), countUp()])

  t.deepEqual(await database.query('select n from counter'), [{n: 2}])
})

test('a missing server is a 503 for each statement', async t => {
  const {address} = await open(t)
  const database = createPool(
    {...address, socketPath: '/none/.s.PGSQL.1'},
    {connectionMax: 1, isPooled: false, prepare: true, statementTimeoutMs: 0},
  )
  t.teardown(() => database.end(100))

  t.like(await t.throwsAsync(database.query('select 1')), {...unavailable, headers: {'Retry-After': '2'}})
})

test('a connection without a response is given up, and the pool still works', async t => {
  const {database} = await open(t, {connectionMax: 1, answerWithinMs: 300})
  const backend = await backendOf(database)

  process.kill(backend, 'SIGSTOP')
  t.teardown(() => process.kill(backend, 'SIGCONT'))
  const [statement, transaction] = [
    await t.throwsAsync(database.query('select 1')),
    await database.begin('read committed', inner => inner.query('select 1 as n')), // on a new connection
  ]

  t.like(statement, unavailable)
  t.is(databaseCodeOf(statement), 'ANSWER_TIMEOUT')
  t.deepEqual(transaction, [{n: 1}])
})

test('long statements without a limit are awaited, and so are idle transactions', async t => {
  const {database} = await open(t, {connectionMax: 1, answerWithinMs: 300})

  await database.begin('read committed', async transaction => {
    await transaction.script('select pg_sleep(0.5)')
    await transaction.query('select pg_sleep(0.5)', [], {isPatient: true})
    await new Promise(resolve => setTimeout(resolve, 500))
    t.deepEqual(await transaction.query('select 1 as n'), [{n: 1}])
  })
  t.like(await t.throwsAsync(database.query('select pg_sleep(0.5)')), unavailable)
})

test('a snapshot for reading works on a new and on an open connection, and after failures', async t => {
  const {database, name} = await open(t, {connectionMax: 1})
  const read = () => readOnly(database, transaction => transaction.query('select 1 as n'))

  t.deepEqual(await read(), [{n: 1}])
  await administer(`alter database ${name} allow_connections false`)
  await administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  for (const _ of [1, 2, 3]) await t.throwsAsync(read())
  await administer(`alter database ${name} allow_connections true`)

  await retry('read', () => database.query('select'))
  t.deepEqual(await Promise.all([read(), read(), read()]), [[{n: 1}], [{n: 1}], [{n: 1}]])
})

test('when a connection breaks, pipelined statements do not get the error of the one before', async t => {
  const server = await startBreakingServer('QS422', 'of the first')
  t.teardown(server.close)
  const options = {host: '127.0.0.1', port: server.port, max: 1, max_pipeline: 1, fetch_types: false, user: 'x'}
  const sql = postgres(options as object)
  t.teardown(() => sql.end({timeout: 0}))

  await sql.unsafe('select') // on a new connection nothing is sent behind the first statement
  const [first, second] = await Promise.allSettled([sql.unsafe('select first'), sql.unsafe('select second')])

  t.like(first, {status: 'rejected', reason: {code: 'QS422'}})
  t.like(second, {status: 'rejected', reason: {code: 'CONNECTION_CLOSED'}})
})

test('a failed statement leaves nothing behind', async t => {
  const {database} = await open(t)
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  const heldBytes = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const fail = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const text = `select 1 / 0 -- ${n} ${Buffer.alloc(200_000, 'x').toString('latin1')}` // a unique text
      await t.throwsAsync(database.query(text, [], {once: true}), {message: 'division by zero'})
    }
  }

  await fail(5)
  const before = heldBytes()
  await fail(200) // some 40 MB of text

  t.true(heldBytes() - before < 10_000_000)
})
