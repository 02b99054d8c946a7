/**
 * Slow readers of one service: where their responses are buffered, what happens without room, and that nothing is left
 * behind.
 */
import {mkdtemp, readdir, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import test, {type ExecutionContext} from 'ava'
import {type Observation, subscribe} from '../../src/base/observation.ts'
import {until} from '../support/machine.ts'
import {type Settings, startService, type TestService, useService} from '../support/service.ts'
import {readSlowly, requestText} from '../support/slow-reader.ts'

const query = (text: string) => `/sparql?query=${encodeURIComponent(text)}`
const path = '/large/'
const rows = query('SELECT ?o { ?s <http://e/p> ?o }')

let writer: TestService // its time limits are the defaults, so that it can store a large document on a busy machine

test.before(async t => {
  writer = await startService()
  const lines = Array.from({length: 6000}, (_, n) => `<> <http://e/p> "${n} ${'x'.repeat(1500)}" .`)
  const headers = {'Content-Type': 'text/turtle', Slug: 'large'}
  t.is((await writer.send({method: 'POST', headers, body: lines.join('\n')})).status, 201)
})

test.after.always(() => writer.stop())

/** A service over a document whose responses exceed the buffers of a connection: 6,000 triples, 9 MB. */
async function serve(t: ExecutionContext, settings: Settings = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'quadstead-readers-'))
  t.teardown(() => rm(folder, {recursive: true, force: true}))
  const shared = {DATABASE_URL: writer.database.url, DATABASE_POOL_MAX: '1'}
  const service = await useService(t, {SPOOL_DIR: folder, COMPRESS_FROM_BYTES: 'off', ...shared, ...settings})
  return {service, folder, expected: await readSlowly(service.url, requestText(path)).hurry()}
}

function hear<Kind extends Observation['kind']>(t: ExecutionContext, kind: Kind) {
  const heard: Extract<Observation, {kind: Kind}>[] = []
  t.teardown(
    subscribe(observation => {
      if (observation.kind === kind) heard.push(observation as (typeof heard)[number])
    }),
  )
  return heard
}

/** Bytes of responses that wait for their clients. */
async function spooled({send}: TestService, place: 'memory' | 'file' = 'file'): Promise<number> {
  const {text} = await send({path: '/metrics'})
  return Number(new RegExp(`^quadstead_spool_bytes\\{place="${place}"\\} (-?\\d+)$`, 'm').exec(text)?.[1])
}

test.serial(
  'the only connection is free while clients read: no transaction is open, documents are read and written',
  async t => {
    const {service, expected, folder} = await serve(t)
    const slow = [path, rows, path].map(asked => readSlowly(service.url, requestText(asked)))
    await until(() => slow.every(({socket}) => socket.readableLength > 0))
    await until(async () => (await spooled(service)) > 0)

    const {status, headers} = await service.send({path: '/'})
    t.is(status, 200)
    t.truthy(headers.etag)
    t.is((await service.send({method: 'POST', headers: {'Content-Type': 'text/turtle'}, body: ''})).status, 201)
    t.is((await service.send({path: query('ASK {}')})).status, 200)
    t.is((await service.send({path: '/ready'})).status, 200)
    const open = `select from pg_stat_activity where datname = $1 and state ~ '^idle in transaction'`
    t.deepEqual(await writer.database.database.query(open, [writer.database.name]), [])

    const [first, second, third] = await Promise.all(slow.map(({hurry}) => hurry()))
    t.deepEqual([first, third], [expected, expected])
    t.true(second?.isWhole)
    await until(async () => (await spooled(service)) === 0)
    t.deepEqual(await readdir(folder), [])
  },
)

test.serial('a client that disconnects leaves nothing behind', async t => {
  const {service} = await serve(t)
  const slow = [path, rows].map(asked => readSlowly(service.url, requestText(asked)))
  await until(async () => (await spooled(service)) > 0)

  for (const {leave} of slow) leave()

  await until(async () => (await spooled(service)) === 0)
  const {text} = await service.send({path: '/metrics'})
  t.regex(text, /^quadstead_spool_files 0$/m)
  t.regex(text, /^quadstead_spool_bytes\{place="memory"\} 0$/m)
})

test.serial(
  'responses on one connection are complete and in order; those for a client that disconnects are dropped',
  async t => {
    const {service, expected} = await serve(t)
    const keep = requestText(path, {Connection: 'keep-alive'})
    const both = readSlowly(service.url, keep + requestText('/live'))
    const left = readSlowly(service.url, keep + keep + requestText(path))
    await until(async () => (await spooled(service)) > 0)
    left.leave()

    const answer = await both.hurry()
    t.deepEqual(answer, expected)
    t.true(both.text().endsWith('\r\n\r\nok\n'))
    await until(async () => (await spooled(service)) === 0)
  },
)

for (const [limit, settings] of [
  ['answer', {SPOOL_LIMIT_BYTES: '0'}],
  ['caller', {SPOOL_LIMIT_CALLER_BYTES: '0', TRUSTED_PROXIES: 'loopback'}],
  ['total', {SPOOL_LIMIT_TOTAL_BYTES: '0'}],
  ['folder', {SPOOL_DIR: '/proc/nowhere'}],
] as const)
  test.serial(`without room (${limit}) a client that reads gets everything, others are soon disconnected`, async t => {
    const [full, cut] = [hear(t, 'spool-full'), hear(t, 'answer-cut')]
    const {service, expected} = await serve(t, {...settings, STATEMENT_TIMEOUT_MS: '5000'})
    const asked = requestText(path, {'X-Forwarded-For': '192.0.2.1'})
    t.true(expected.isWhole)

    const reader = readSlowly(service.url, asked, {sipBytes: 1_000_000, everyMs: 10})
    t.deepEqual(await reader.hurry(), expected)
    const slow = readSlowly(service.url, asked)
    await until(() => cut.length > 0)
    const {isWhole, status} = await slow.hurry()

    t.deepEqual([isWhole, status], [false, 200])
    t.deepEqual(cut, [{kind: 'answer-cut', waitedMs: 5000}])
    t.deepEqual(full.at(-1), {kind: 'spool-full', limit})
    t.is((await service.send({path: '/'})).status, 200)
  })

test.serial('long bodies that are produced in one piece wait in files, and are sent with their length', async t => {
  const {service} = await serve(t)
  const headers = {Accept: 'application/rdf+json'}
  const asked = requestText(query('CONSTRUCT { ?s <http://e/q> ?o } { ?s <http://e/p> ?o }'), headers)
  const expected = await readSlowly(service.url, asked).hurry()
  const slow = readSlowly(service.url, asked)
  await until(async () => (await spooled(service)) > 0)

  t.deepEqual(await slow.hurry(), expected)
  t.true(expected.isWhole && expected.length > 9_000_000)
  t.regex(slow.text().slice(0, 2000), /\r\ncontent-length: \d+\r\n/i)
})

test.serial('a body of some hundred kilobytes that was produced in one piece waits in memory', async t => {
  const {service} = await serve(t)
  const some = query('SELECT ?o { ?s <http://e/p> ?o } ORDER BY ?o LIMIT 400')
  const behind = requestText(path, {Connection: 'keep-alive'}) + requestText(some)
  const expected = await readSlowly(service.url, requestText(some)).hurry()
  t.true(expected.isWhole && expected.length > 600_000)
  const before = await spooled(service, 'memory')
  t.is(before, 0)

  const [read, left] = [readSlowly(service.url, behind), readSlowly(service.url, behind)]
  await until(async () => (await spooled(service, 'memory')) > 2 * expected.length)
  left.leave()
  await until(async () => (await spooled(service, 'memory')) < 2 * expected.length)
  await read.hurry()

  t.true(read.text().endsWith(']}}\n'))
  await until(async () => (await spooled(service, 'memory')) === 0)

  const next = requestText(some, {Connection: 'keep-alive'})
  const sent = readSlowly(service.url, next.repeat(20) + requestText(some)) // one of them is being sent, others wait
  await until(async () => (await spooled(service, 'memory')) > 5 * expected.length)
  sent.leave()
  await until(async () => (await spooled(service, 'memory')) <= 0)
  t.is(await spooled(service, 'memory'), 0)
})

test.serial('HEAD of a large document opens no spool', async t => {
  const {service} = await serve(t, {SPOOL_LIMIT_TOTAL_BYTES: '0'})
  const full = hear(t, 'spool-full')
  const {status, bytes} = await service.send({method: 'HEAD', path})

  t.deepEqual([status, bytes.length, full], [200, 0, []])
})

test.serial('the statements of a response together have a time limit', async t => {
  const {service} = await serve(t, {READ_TIMEOUT_MS: '1'})
  for (const asked of [rows, path]) {
    const {status, text, headers} = await service.send({path: asked})
    t.like(JSON.parse(text), {status: 503, title: 'query-timeout', limitMs: 1})
    t.deepEqual([status, headers['retry-after']], [503, '1'])
  }
  t.is((await service.send({path: '/'})).status, 200)
})
