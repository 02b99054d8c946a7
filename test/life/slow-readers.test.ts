/** A hundred slow readers: other clients are served as usual, and memory does not grow. */
import {readdir} from 'node:fs/promises'
import {setTimeout as delay} from 'node:timers/promises'
import test, {type ExecutionContext} from 'ava'
import {send} from '../support/client.ts'
import {until} from '../support/machine.ts'
import {createTestDatabase} from '../support/postgres.ts'
import {type ProgramSettings, runProgram, temporaryFolder} from '../support/process.ts'
import {readSlowly, requestText, type SlowAnswer} from '../support/slow-reader.ts'

const settings = {
  TRUSTED_PROXIES: 'loopback',
  LOG_REQUESTS: 'none',
  DATABASE_QUEUE_WAIT_MS: '200000', // a hundred answers of 6 MB wait for each other
  BODY_TIMEOUT_MS: '600000',
  // as in `npm start` and the image
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  NODE_OPTIONS: '--max-semi-space-size=8',
} as const
const readers = 100
const mostMemory = 250 * 2 ** 20 // bytes

async function serve(t: ExecutionContext, more: ProgramSettings = {}) {
  const database = await createTestDatabase()
  t.teardown(database.drop)
  const folder = await temporaryFolder(t)
  const program = runProgram(t, {PORT: '0', DATABASE_URL: database.url, SPOOL_DIR: folder, ...settings, ...more})
  const {url} = await program.ready()
  return {database, folder, program, url, metric: (name: string) => readMetric(url, name)}
}

async function readMetric(url: string, name: string): Promise<number> {
  const {text} = await send(`${url}metrics`)
  return Number(
    text
      .split('\n')
      .find(line => line.startsWith(`${name} `))
      ?.slice(name.length + 1) ?? Number.NaN,
  )
}

/** A document whose responses exceed the buffers of a connection: 6,000 triples, 6 MB. */
async function createLarge(t: ExecutionContext, url: string): Promise<void> {
  const lines = Array.from({length: 6000}, (_, n) => `<> <http://e/p> "${n} ${'x'.repeat(1000)}" .`)
  const headers = {'Content-Type': 'text/turtle', Slug: 'large'}
  t.is((await send(url, {method: 'POST', headers, body: lines.join('\n')})).status, 201)
}

const query = (text: string) => `/sparql?query=${encodeURIComponent(text)}`
const asked = [
  {path: '/large/', headers: {Accept: 'text/turtle'}},
  {path: query('SELECT * { ?s <http://e/p> ?o }'), headers: {Accept: 'application/sparql-results+json'}},
  {path: '/large/', headers: {Accept: 'application/ld+json'}},
  {path: query('CONSTRUCT { ?s <http://e/q> ?o } { ?s <http://e/p> ?o }'), headers: {Accept: 'application/n-triples'}},
  {path: query('SELECT ?o { ?s <http://e/p> ?o }'), headers: {Accept: 'text/csv', 'Accept-Encoding': 'gzip'}},
] as const

/** One request of each other kind meanwhile. Returns the longest time in milliseconds. */
async function useService(t: ExecutionContext, url: string, name: string): Promise<number> {
  let longestMs = 0
  async function ask(status: number, path: string, sent: Parameters<typeof send>[1]) {
    const begun = performance.now()
    const answer = await send(url, {path, ...sent})
    longestMs = Math.max(longestMs, performance.now() - begun)
    t.is(answer.status, status, `${path}: ${answer.text}`)
    return answer
  }
  const headers = {'Content-Type': 'text/turtle', 'X-Forwarded-For': '192.0.2.200'}
  const created = await ask(201, '/', {method: 'POST', headers: {...headers, Slug: name}, body: '<> <http://e/q> 1 .'})
  const {headers: got, text} = await ask(200, `/${name}/`, {headers: {...headers, Accept: 'text/turtle'}})
  const body = text.replace(' 1', ' 2')
  await ask(204, `/${name}/`, {method: 'PUT', headers: {...headers, 'If-Match': got.etag ?? ''}, body})
  const short = query(`SELECT ?o { <${created.headers.location}> <http://e/q> ?o }`)
  const {text: found} = await ask(200, short, {headers: {Accept: 'text/csv', 'X-Forwarded-For': '192.0.2.201'}})
  t.is(found, 'o\r\n2\r\n')
  await ask(200, '/ready', {})
  await ask(200, '/live', {})
  return longestMs
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

test.serial(`${readers} slow readers block nobody, and get their complete responses`, async t => {
  const {url, database, folder, metric} = await serve(t)
  await createLarge(t, url)
  const expected: SlowAnswer[] = []
  for (const {path, headers} of asked) expected.push(await readSlowly(url, requestText(path, headers)).hurry())
  t.true(expected.every(({status, isWhole}) => status === 200 && isWhole))
  await delay(5000) // the thread that read the document's body ends, because it has no more work
  const aloneMs = await useService(t, url, 'alone')

  const slow = Array.from({length: readers}, (_, n) => {
    const {path, headers} = asked[n % asked.length] ?? asked[0]
    return readSlowly(url, requestText(path, {...headers, 'X-Forwarded-For': `192.0.2.${n}`}))
  })
  t.teardown(() => {
    for (const {leave} of slow) leave()
  })
  const seen = {memory: 0, files: 0, longestMs: 0, rounds: 0}
  const look = async () => {
    seen.longestMs = Math.max(seen.longestMs, await useService(t, url, `other${seen.rounds++}`))
    seen.memory = Math.max(seen.memory, await metric('process_resident_memory_bytes'))
    seen.files = Math.max(seen.files, await metric('quadstead_spool_files'))
  }
  const isMade = async () => (await metric('quadstead_pool_connections_busy{share="long"}')) === 0
  await until(async () => {
    await look()
    return slow.every(({bytes}) => bytes() > 0) && isMade()
  }, 200_000)
  const queryMs = await timeOf(async () => {
    t.is((await send(url, {path: query('SELECT * { ?s <http://e/q> ?o } LIMIT 5')})).status, 200)
  })
  const open = await database.database.query(
    `select state, query from pg_stat_activity where datname = $1 and state ~ '^idle in transaction'`,
    [database.name],
  )
  for (let n = 0; n < 5; n += 1) {
    await look()
    await delay(200)
  }
  const answers = await Promise.all(slow.map(({hurry}) => hurry()))

  t.deepEqual(open, [], 'no snapshot waits for a reader')
  t.true(seen.longestMs < 4000 + 20 * aloneMs && queryMs < 4000, JSON.stringify({...seen, aloneMs, queryMs}))
  t.true(seen.memory < mostMemory, `${seen.memory / 2 ** 20} MiB`)
  t.true(seen.files >= readers / 2, `${seen.files} files`)
  for (const [n, answer] of answers.entries()) t.deepEqual(answer, expected[n % asked.length])
  await until(async () => (await metric('quadstead_spool_files')) === 0)
  t.deepEqual(await readdir(folder), [])
  t.log(JSON.stringify({...seen, aloneMs, queryMs}))
})

test.serial('after SIGTERM waiting responses are completed if the client reads', async t => {
  const {url, program, metric} = await serve(t, {DRAIN_TIMEOUT_MS: '20000'})
  await createLarge(t, url)
  const expected = await readSlowly(url, requestText('/large/')).hurry()
  const slow = [
    readSlowly(url, requestText('/large/')),
    readSlowly(url, requestText('/large/', {Connection: 'keep-alive'})),
  ]
  await until(async () => (await metric('quadstead_spool_files')) === 2)

  program.child.kill('SIGTERM')
  await until(() => program.complaints().includes('stopping: 2 requests to finish'))

  t.deepEqual(await Promise.all(slow.map(({hurry}) => hurry())), [expected, expected])
  t.is(await program.exit, 0)
})

test.serial('responses that nobody reads break off when the drain timeout ends', async t => {
  const {url, program, folder, metric} = await serve(t, {DRAIN_TIMEOUT_MS: '500'})
  await createLarge(t, url)
  const slow = readSlowly(url, requestText('/large/'))
  t.teardown(slow.leave)
  await until(async () => (await metric('quadstead_spool_files')) === 1)

  program.child.kill('SIGTERM')

  t.is(await program.exit, 0)
  t.false((await slow.hurry()).isWhole)
  t.deepEqual(await readdir(folder), [])
})
