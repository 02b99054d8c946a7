/**
 * A dataset in a Citus cluster of a coordinator and two workers: services find it, and follow it when it moves.
 *
 * TEST_CITUS runs the other tests on such a cluster (test/support/run.ts).
 */
import {setTimeout as delay} from 'node:timers/promises'
import ava, {type ExecutionContext} from 'ava'
import type {Place} from '../../src/db/citus/place.ts'
import {readSearchIndexState} from '../../src/db/store/search-index.ts'
import {openLedger} from '../faults/ledger.ts'
import {ledgerAgent, runRound} from '../faults/round.ts'
import {createTrouble} from '../faults/trouble.ts'
import {createRandom} from '../fuzz/random.ts'
import {type CitusCluster, type CitusNode, distribute, findCitusBinaries, inNode, startCitus} from '../support/citus.ts'
import {type Sent, send} from '../support/client.ts'
import {until} from '../support/machine.ts'
import {schemaIdentifier, testSchema} from '../support/postgres.ts'
import {runProgram} from '../support/process.ts'
import {type TestService, useService} from '../support/service.ts'
import {testWhen} from '../support/test-when.ts'

const binaries = await findCitusBinaries()
const test = testWhen(binaries !== undefined, 'no PostgreSQL with Citus here')
const turtle = {'Content-Type': 'text/turtle'}
const name = 'postgres' // the database

ava.beforeEach(t => t.timeout(300_000))

type Scene = {
  readonly cluster: CitusCluster
  readonly nodes: readonly CitusNode[] // by group: the coordinator first
  readonly place: Place
  readonly other: CitusNode // the worker without the dataset
}

async function setScene(t: ExecutionContext, settings: Readonly<Record<string, string>> = {}): Promise<Scene> {
  const cluster = await startCitus(binaries ?? '', settings)
  t.teardown(cluster.stop)
  const nodes = [cluster.coordinator, ...cluster.workers]
  const place = await distribute(cluster.coordinator, name, testSchema)
  const other = cluster.workers.find(({port}) => port !== place.port)
  if (other === undefined) throw new Error('there are two workers')
  return {cluster, nodes, place, other}
}

function serviceAt(t: ExecutionContext, node: CitusNode, more: Readonly<Record<string, string>> = {}) {
  return useService(t, {DATABASE_URL: node.url, ...more})
}

/** Creates a document. @returns its entity tag */
async function create(service: TestService, slug: string): Promise<bigint> {
  const body = '<> <http://example.org/p> "x", [ <http://example.org/q> 1 ] .'
  const answer = await send(service.url, {method: 'POST', headers: {...turtle, Slug: slug}, body})
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  return BigInt((answer.headers.etag ?? '').replaceAll('"', ''))
}

async function statusOf({url}: TestService, path: string): Promise<number> {
  return (await send(`${url}${path}`)).status
}

function moveTo(cluster: CitusCluster, {port}: CitusNode, mode: string): Promise<unknown> {
  const text = `select citus_schema_move($1::regnamespace, '127.0.0.1', $2, $3::citus.shard_transfer_mode)`
  return inNode(cluster.coordinator, name, sql => sql.query(text, [`${testSchema}_tables`, port, mode]))
}

/** False if a session still used what the last move had left behind. */
function isMoved(move: Promise<unknown>): Promise<boolean> {
  return move.then(
    () => true,
    (error: unknown) => {
      if (String(error).includes('could not be cleaned up')) return false
      throw error
    },
  )
}

type Waits = {longestMs: number; refusedMs: number; refused: number; readMs: number}

/**
 * Writes and reads without a pause until it is told to end. Each wait is from the beginning of the first attempt to the
 * first answer that is not 503.
 */
function startProbe({send: ask}: TestService) {
  let isOver = false
  let waits: Waits = {longestMs: 0, refusedMs: 0, refused: 0, readMs: 0}
  async function answered(sent: Sent, wanted: number): Promise<{ms: number; refused: number}> {
    const start = performance.now()
    for (let refused = 0; ; refused += 1) {
      const {status, headers, text} = await ask(sent)
      if (status === wanted) return {ms: performance.now() - start, refused}
      if (status !== 503 || headers['retry-after'] === undefined) throw new Error(`${status} ${text}`)
      await delay(20)
    }
  }
  async function write(): Promise<void> {
    for (let number = 0; !isOver; number += 1) {
      const body = '<> <http://example.org/p> "x" .'
      const {ms, refused} = await answered({method: 'POST', headers: {...turtle, Slug: `p${number}`}, body}, 201)
      waits.longestMs = Math.max(waits.longestMs, ms)
      waits.refused += refused
      if (refused > 0) waits.refusedMs = Math.max(waits.refusedMs, ms)
    }
  }
  async function read(): Promise<void> {
    for (; !isOver; await delay(5)) waits.readMs = Math.max(waits.readMs, (await answered({}, 200)).ms)
  }
  const ended = Promise.all([write(), read()])
  return {
    /** The longest waits since the last call. */
    take(): Waits {
      const taken = waits
      waits = {longestMs: 0, refusedMs: 0, refused: 0, readMs: 0}
      return taken
    },
    async end(): Promise<void> {
      isOver = true
      await ended
    },
  }
}

/** Commits whose log is not awaited stay in memory for a long time, where a move does not find them. */
const lateLog = {synchronous_commit: 'off', wal_writer_delay: '10s'}

const longestWaitMs = 20_000 // on a busy machine; usually one or two seconds

test('a dataset moves while clients write and read: nothing acknowledged is lost, and every history has an order', async t => {
  const {cluster, nodes, place, other} = await setScene(t, lateLog)
  const service = await serviceAt(t, cluster.coordinator, {STATEMENT_TIMEOUT_MS: '20000'})
  const isReady = async () => (await statusOf(service, 'ready')) === 200
  const running = `select from pg_stat_activity where application_name like 'quadstead%' and state <> 'idle'
                      and pid <> pg_backend_pid() and query not like '%pg_stat_activity%'`
  const scene = {
    base: service.base,
    isReady,
    async calm() {
      await until(isReady)
      for (const node of nodes)
        await until(() => inNode(node, name, async sql => (await sql.query(running)).length === 0))
    },
    async check() {
      for (const node of cluster.workers) {
        const rows = await inNode(node, name, sql =>
          sql.query(`select to_regnamespace('${testSchema}') is not null as here`),
        )
        if (rows[0]?.here === true)
          return inNode(node, name, sql => sql.query(`select * from ${schemaIdentifier}.check_store()`))
      }
      return ['no worker has the functions']
    },
  }
  const trouble = createTrouble(scene)
  const agent = ledgerAgent()
  t.teardown(() => agent.destroy())
  const dice = createRandom(1)
  const ledgers = await Promise.all(
    ['w0', 'w1', 'w2'].map((writer, seed) =>
      openLedger({base: service.base, name: writer, agent, dice: createRandom(seed), inTrouble: trouble.meet}),
    ),
  )
  const home = cluster.workers.find(({port}) => port === place.port) ?? other
  const moves = [
    {to: other, mode: 'auto'},
    {to: home, mode: 'block_writes'},
    {to: other, mode: 'block_writes'},
    {to: home, mode: 'auto'},
  ]

  const probe = startProbe(service)
  for (const [number, {to, mode}] of moves.entries()) {
    probe.take()
    const strike = () => until(() => isMoved(moveTo(cluster, to, mode)), 60_000)
    const started = performance.now()
    const fault = {name: `move ${number} (${mode})`, strike}
    const report = await runRound({scene, fault, number, ledgers, trouble, dice})
    t.deepEqual(report.wrong, [])
    const {longestMs, refusedMs, refused, readMs} = probe.take()
    t.true(longestMs < longestWaitMs && readMs < longestWaitMs, `a write after ${longestMs} ms, a read after ${readMs}`)
    const waited = `longest wait of a writer ${Math.round(longestMs)} ms, of one that was refused ${Math.round(refusedMs)}`
    t.log(`${fault.name}: ${report.operations} operations, ${Math.round(performance.now() - started)} ms`)
    t.log(`${waited} (${refused} times 503), of a reader ${Math.round(readMs)} ms`)
  }
  await probe.end()
  t.log(`met ${JSON.stringify([...trouble.met])}`)
})

test('the commit of a writer waits for the log, so that a move cannot miss it', async t => {
  const {cluster, place} = await setScene(t, lateLog)
  const home = cluster.workers.find(({port}) => port === place.port) ?? cluster.coordinator
  const unwritten = `select (pg_current_wal_insert_lsn() - pg_current_wal_lsn())::int as bytes`
  const left = (before: string) =>
    inNode(home, name, async sql => {
      await sql.begin('read committed', async transaction => {
        await transaction.query(before)
        await transaction.query(`update ${schemaIdentifier}.search_gathering set next = next`)
      })
      return (await sql.query<{bytes: number}>(unwritten))[0]?.bytes
    })

  t.not(await left('select 1'), 0, 'otherwise the test shows nothing')
  t.is(await left(`select ${schemaIdentifier}.hold_place()`), 0)
})

test('two services agree at once after a move that neither has noticed', async t => {
  const {cluster, other} = await setScene(t)
  const first = await serviceAt(t, cluster.coordinator)
  const [second, third] = await Promise.all(cluster.workers.map(node => serviceAt(t, node)))
  if (second === undefined || third === undefined) throw new Error('there are two workers')
  const services = [first, second, third]
  const before = await create(first, 'a')
  t.deepEqual(await Promise.all(services.map(service => statusOf(service, 'a/'))), [200, 200, 200])

  await moveTo(cluster, other, 'block_writes')
  t.is(await statusOf(second, 'a/'), 200, 'a reader that has not noticed')
  const after = await create(first, 'b')

  t.true(after > before, 'entity tags increase')
  t.is(await statusOf(second, 'b/'), 200, 'acknowledged elsewhere')
  t.is(await statusOf(third, 'b/'), 200)
  const ids = await inNode(other, name, sql =>
    sql.query(`select count(*)::int as n from ${schemaIdentifier}.term group by id having count(*) > 1`),
  )
  t.deepEqual(ids, [])
})

test('"quadstead datasets" shows, moves and rebalances; "check" inspects the cluster', async t => {
  const {cluster, place, other} = await setScene(t)
  const service = await serviceAt(t, cluster.coordinator)
  await create(service, 'a')
  const run = async (...words: string[]) => {
    const program = runProgram(t, {DATABASE_URL: cluster.coordinator.url}, words)
    return {code: await program.exit, stdout: program.output(), stderr: program.complaints()}
  }
  await inNode(cluster.coordinator, name, sql => sql.query('create role reading nologin'))
  const home = cluster.workers.find(({port}) => port === place.port) ?? other
  await inNode(home, name, async sql => {
    await sql.query(`grant usage on schema ${schemaIdentifier} to reading`)
    await sql.query(`grant select on ${schemaIdentifier}.quad to reading`)
    await sql.query(`revoke all on function ${schemaIdentifier}.check_store() from public`)
  })

  const shown = await run('datasets', 'nodes')
  t.is(shown.code, 0, shown.stderr)
  t.deepEqual(
    shown.stdout.split('\n').filter(line => line.startsWith('*')),
    [`* 127.0.0.1:${place.port}`],
  )

  const moved = await run('datasets', 'move', testSchema, '--to', `127.0.0.1:${other.port}`)
  t.is(moved.code, 0, moved.stderr)
  t.is(moved.stdout, `The dataset of schema ${testSchema} is on 127.0.0.1:${other.port} now.\n`)
  t.is(await statusOf(service, 'a/'), 200)
  t.deepEqual((await inNode(other, name, sql => readSearchIndexState(sql, testSchema))).isUsable, true)
  const [rights] = await inNode(other, name, sql =>
    sql.query(
      `select has_table_privilege('reading', '${schemaIdentifier}.quad', 'select') as reads,
              has_schema_privilege('reading', '${testSchema}', 'usage') as uses,
              has_function_privilege('reading', '${schemaIdentifier}.check_store()', 'execute') as calls`,
    ),
  )
  t.deepEqual(rights, {reads: true, uses: true, calls: false})

  const checked = await run('check')
  t.is(checked.code, 0, checked.stdout + checked.stderr)
  await inNode(home, name, async sql => {
    await sql.query('set citus.enable_ddl_propagation to off')
    await sql.query(`create schema ${schemaIdentifier}`)
  })
  const found = await run('check')
  t.is(found.code, 1)
  t.regex(found.stdout, /^cluster-schema: 127\.0\.0\.1:\d+ has the schema/)
  await inNode(home, name, async sql => {
    await sql.query('set citus.enable_ddl_propagation to off')
    await sql.query(`drop schema ${schemaIdentifier}`)
  })

  const balanced = await run('datasets', 'rebalance')
  t.is(balanced.code, 0, balanced.stderr)
  const nowhere = await run('datasets', 'move', testSchema, '--to', 'nowhere:1')
  t.regex(nowhere.stderr, /The cluster has no node nowhere:1; it has 127\.0\.0\.1:/)
})

test('numbers of sequences are never used again, also if their block is used up', async t => {
  const {cluster, place, other} = await setScene(t)
  const service = await serviceAt(t, cluster.coordinator)
  const home = cluster.workers.find(({port}) => port === place.port) ?? other
  await create(service, 'a')
  await inNode(home, name, async sql => {
    const [end] = await sql.query<{max: string}>(
      `select seqmax::text as max from pg_sequence where seqrelid = '${schemaIdentifier}.revision_seq'::regclass`,
    )
    await sql.query(`select setval('${schemaIdentifier}.revision_seq', $1)`, [end?.max ?? ''])
  })

  const tag = await create(service, 'b')
  await moveTo(cluster, other, 'block_writes')
  const next = await create(service, 'c')

  t.true(tag > 2n ** 36n, String(tag))
  t.true(next >= 2n ** 36n * 2n, String(next))

  const far = 2n ** 36n * 9n + 5n // as in a history from another cluster
  for (const number of [7, far]) {
    await inNode(other, name, sql =>
      sql.query(`select ${schemaIdentifier}.reach_number('revision_seq', $1)`, [String(number)]),
    )
    t.is((await create(service, `reached${number}`)) > far, number === far)
  }
  await moveTo(cluster, home, 'block_writes')
  t.true((await create(service, 'd')) >= 2n ** 36n * 10n)
})
