/** A service of two worker processes: what it serves and shares, what it survives, and how it ends. */
import {type ClientRequest, request} from 'node:http'
import {connect, type Socket} from 'node:net'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import test, {type ExecutionContext} from 'ava'
import {WebSocket} from 'ws'
import {isProcessAlive} from '../../src/base/process-identity.ts'
import {findPostmaster} from '../../src/db/embedded/postmaster.ts'
import {type Received, send} from '../support/client.ts'
import {freePort, until} from '../support/machine.ts'
import {administer, createTestDatabase} from '../support/postgres.ts'
import {type Program, type ProgramSettings, runProgram, temporaryFolder} from '../support/process.ts'
import {killWorker, logOf, workersOf} from '../support/workers.ts'

const turtle = {'Content-Type': 'text/turtle', Link: '<http://www.w3.org/ns/ldp#BasicContainer>; rel="type"'}

type Running = {readonly program: Program; readonly url: string; readonly line: string}

async function serve(t: ExecutionContext, settings: ProgramSettings = {}): Promise<Running> {
  const database = await createTestDatabase()
  t.teardown(database.drop)
  return serveWith(t, {DATABASE_URL: database.url, ...settings})
}

async function serveWith(t: ExecutionContext, settings: ProgramSettings): Promise<Running> {
  const program = runProgram(t, {PORT: '0', WORKERS: '2', ...settings})
  const {url, line} = await program.ready()
  await until(() => workersOf(program).length === 2)
  return {program, url, line}
}

/** Concurrent requests, each on a connection of its own. */
function askAtOnce(url: string, count: number): Promise<readonly Received[]> {
  return Promise.all(Array.from({length: count}, () => send(url)))
}

function countsOf(found: readonly Received[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const {status} of found) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The value of a metric. */
async function read(url: string, name: string): Promise<number> {
  const {text} = await send(url, {path: '/metrics'})
  const line = text.split('\n').find(each => each.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}

const answered = 'quadstead_http_requests_total{method="GET",route="document",status="200"}'

/** A request that creates a document, with half of its body. */
function half(url: string): {readonly sent: ClientRequest; readonly status: Promise<number | string>} {
  const sent = request(url, {method: 'POST', headers: {...turtle, Host: new URL(url).host, Connection: 'close'}})
  const status = new Promise<number | string>(resolve => {
    sent.on('response', response => resolve(response.resume().statusCode ?? 0))
    sent.on('error', error => resolve('code' in error ? String(error.code) : error.message))
  })
  sent.write('<> <http://example.org/name> ')
  return {sent, status}
}

/** Requests with half of their bodies, which workers have begun to answer. */
async function beginHalf(url: string, count: number): Promise<readonly ReturnType<typeof half>[]> {
  const requests = Array.from({length: count}, () => half(url))
  const running = count + 1 // with the request for the metrics
  await until(async () => (await read(url, 'quadstead_http_requests_running')) === running)
  return requests
}

test.serial('both workers serve every kind of request, and all end with 0 on SIGTERM', async t => {
  const {program, url, line} = await serve(t)
  t.regex(line, /, schema \w+, 2 workers\)$/)
  const workers = workersOf(program)
  t.is(workers.length, 2)

  const made = await send(url, {method: 'POST', headers: {...turtle, Slug: 'one'}, body: '<> <http://a/p> 1 .'})
  t.is(made.status, 201)
  const path = new URL(made.headers.location ?? '').pathname
  for (const _ of [1, 2, 3]) {
    t.regex((await send(url, {path})).text, /http:\/\/a\/p/)
    const query = `query=${encodeURIComponent('select ?o { ?s <http://a/p> ?o }')}`
    t.regex((await send(url, {path: `/sparql?${query}`})).text, /"value":"1"/)
  }
  t.is((await send(url, {path: '/ready'})).status, 200)
  t.is((await send(url, {path: '/live'})).status, 200)
  t.is((await send(url, {path: '/.well-known/void'})).status, 200)
  t.is((await send(url, {path, method: 'DELETE'})).status, 204)
  t.is((await send(url, {path})).status, 404)

  program.child.kill('SIGTERM')
  t.is(await program.exit, 0)
  t.is(program.output(), `${line}\n`)
  t.deepEqual(workers.filter(isProcessAlive), [])
  const busy = new Set(logOf(program).flatMap(({kind, worker}) => (kind === 'request' ? [worker] : [])))
  t.deepEqual([...busy].sort(), [1, 2])
})

test.serial('a quota applies to all workers together, however requests are distributed', async t => {
  const {url} = await serve(t, {REQUEST_LIMIT: '50', REQUEST_LIMIT_WINDOW_MS: '86400000'})

  t.deepEqual(countsOf(await askAtOnce(url, 200)), {200: 50, 429: 150})
  t.regex(String((await send(url)).headers.ratelimit), /^"requests";r=0;t=86\d{3}$/)
})

test.serial('a larger quota is exact to within a hundredth for each worker', async t => {
  const {url} = await serve(t, {REQUEST_LIMIT: '400', REQUEST_LIMIT_WINDOW_MS: '86400000'})

  const {200: granted = 0} = countsOf(await askAtOnce(url, 600))
  t.true(granted <= 400 && granted >= 392, `${granted} of 400`)
})

test.serial(
  'connections from an address are counted over all workers, and a closed connection frees its place',
  async t => {
    const {url, program} = await serve(t, {CONNECTION_LIMIT_PER_ADDRESS: '10'})
    const sockets: Socket[] = []
    t.teardown(() => {
      for (const socket of sockets) socket.destroy()
    })
    const open = () => sockets.filter(({closed}) => !closed).length
    const connectMany = (count: number) => {
      for (let n = 0; n < count; n++)
        sockets.push(connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {}))
    }

    connectMany(30)
    await until(() => open() === 10)
    t.true(logOf(program).some(({kind}) => kind === 'address-refused'))
    for (const socket of sockets) socket.destroy()
    await until(async () => (await send(url).catch(() => undefined))?.status === 200)

    const [victim = 0] = workersOf(program)
    await until(async () => {
      connectMany(10 - open()) // some may be refused while the first ones are being closed
      return (await send(url).catch(() => undefined)) === undefined
    })
    process.kill(victim, 'SIGKILL') // which has about half of them
    await until(async () => (await send(url).catch(() => undefined))?.status === 200)
  },
)

test.serial('metrics are the sum over all workers, and do not decrease if one is killed', async t => {
  const port = await freePort()
  const {url, program} = await serve(t, {METRICS_PORT: String(port)})
  const metrics = `http://127.0.0.1:${port}/`
  await askAtOnce(url, 20)

  t.is(await read(metrics, answered), 20)
  t.is(await read(metrics, 'quadstead_workers'), 2)
  t.is(await read(metrics, 'quadstead_pool_connections_max'), 10)
  await killWorker(program, 1)
  await askAtOnce(url, 20)

  t.is(await read(metrics, answered), 40)
  t.is(await read(metrics, 'quadstead_workers_lost_total'), 1)
  t.is((await send(url, {path: '/metrics'})).status, 404)
})

test.serial('both workers have the same metrics', async t => {
  const {url} = await serve(t)
  await askAtOnce(url, 10)

  for (const _ of [1, 2, 3, 4]) t.is(await read(url, answered), 10)
})

test.serial('a killed worker loses no acknowledged write, and the service continues', async t => {
  const {url, program} = await serve(t, {REQUEST_LIMIT: 'off'})
  const acknowledged: string[] = []
  const failures = new Set<unknown>()
  let isOver = false
  async function write(): Promise<void> {
    while (!isOver) {
      try {
        const {status, headers} = await send(url, {method: 'POST', headers: turtle, body: '<> <http://a/p> 1 .'})
        if (status === 201) acknowledged.push(headers.location ?? '')
        else failures.add(status)
      } catch (error) {
        failures.add(error instanceof Error && 'code' in error ? error.code : error)
      }
    }
  }
  const writers = Array.from({length: 8}, write)

  for (const number of [1, 2, 1]) {
    const before = acknowledged.length
    await until(() => acknowledged.length > before + 50)
    await killWorker(program, number)
  }
  isOver = true
  await Promise.all(writers)

  const missing = []
  for (const iri of acknowledged) {
    const {status} = await send(url, {path: new URL(iri).pathname})
    if (status !== 200) missing.push([iri, status])
  }
  t.deepEqual(missing, [])
  failures.delete('ECONNRESET')
  t.deepEqual([...failures], [])
})

test.serial('a connection in transit to a killed worker is closed', async t => {
  const {url, program} = await serve(t)
  const [victim = 0] = workersOf(program)
  process.kill(victim, 'SIGSTOP')
  const asking = Array.from({length: 6}, () =>
    send(url).then(
      ({status}) => status,
      () => 'closed',
    ),
  )
  await delay(300)

  process.kill(victim, 'SIGKILL')

  t.deepEqual((await Promise.all(asking)).sort(), [200, 200, 200, 200, 200, 'closed'])
})

test.serial('a stopped worker does not delay the others', async t => {
  const {url, program} = await serve(t)
  const [victim = 0] = workersOf(program)
  process.kill(victim, 'SIGSTOP')
  t.teardown(() => {
    if (isProcessAlive(victim)) process.kill(victim, 'SIGCONT')
  })

  const found: Received[] = []
  const asking = Array.from({length: 30}, () => send(url).then(answer => found.push(answer)))
  await until(() => found.length >= 29) // the stopped worker may have one
  process.kill(victim, 'SIGCONT')
  await Promise.all(asking)

  t.deepEqual(countsOf(found), {200: 30})
})

test.serial('running requests of all workers finish after SIGTERM', async t => {
  const {url, program} = await serve(t)
  const requests = await beginHalf(url, 6)

  program.child.kill('SIGTERM')
  const drains = () => logOf(program).filter(({kind}) => kind === 'draining').length
  await until(() => drains() === 2)
  for (const {sent} of requests) sent.end('"x" .')

  t.deepEqual(await Promise.all(requests.map(({status}) => status)), [201, 201, 201, 201, 201, 201])
  t.is(await program.exit, 0)
})

test.serial('a second signal ends running requests', async t => {
  const {url, program} = await serve(t)
  const requests = await beginHalf(url, 4)

  program.child.kill('SIGTERM')
  await until(() => logOf(program).some(({kind}) => kind === 'draining'))
  program.child.kill('SIGTERM')

  t.is(await program.exit, 143)
  t.deepEqual(new Set(await Promise.all(requests.map(({status}) => status))), new Set(['ECONNRESET']))
})

test.serial('the embedded PostgreSQL stops with the service, outlives a killed keeper, and is adopted', async t => {
  const directory = await temporaryFolder(t)
  const settings = {DATA_DIR: directory}
  const postmaster = async () => (await findPostmaster(join(directory, 'pg18')))?.processId
  const killed = await serveWith(t, settings)
  const processes = [...workersOf(killed.program), await postmaster()]

  killed.program.child.kill('SIGKILL')
  await killed.program.exit
  await until(() => processes.slice(0, 2).every(each => !isProcessAlive(each ?? 0)))
  t.true(isProcessAlive(processes[2] ?? 0))

  const {program, url} = await serveWith(t, settings)
  t.is(await postmaster(), processes[2])
  t.is((await send(url)).status, 200)
  program.child.kill('SIGINT')
  t.is(await program.exit, 0)
  t.is(await postmaster(), undefined)
})

test.serial('if a worker cannot start again, the service ends with the reason', async t => {
  const database = await createTestDatabase()
  t.teardown(database.drop)
  const {program} = await serveWith(t, {DATABASE_URL: database.url, DATABASE_WAIT_MS: '0'})
  const [victim = 0] = workersOf(program)
  await administer(`alter database ${database.name} allow_connections false`)

  process.kill(victim, 'SIGKILL')

  t.is(await program.exit, 1)
  t.regex(
    program.complaints(),
    /quadstead: Worker 1 could not start 5 times in a row\. The last time: PostgreSQL at .* cannot be used/,
  )
})

test.serial('SockJS offers WebSockets only, and says so to clients that ask for another transport', async t => {
  const {url, program} = await serve(t)
  const refused = await Promise.all(
    ['xhr', 'xhr_streaming', 'xhr_send'].map(name => send(url, {method: 'POST', path: `/broker/000/abc/${name}`})),
  )
  const source = await send(url, {path: '/broker/000/abc/eventsource'})
  const socket = new WebSocket(`${url.replace('http', 'ws')}broker/000/abc/websocket`)
  t.teardown(() => socket.close())
  const first = await new Promise(resolve => socket.once('message', data => resolve(String(data))))

  for (const {status, text} of [...refused, source])
    t.like({status, ...JSON.parse(text)}, {status: 404, title: 'sockjs-transport', available: ['websocket']})
  t.is(first, 'o')
  program.child.kill('SIGTERM')
  t.is(await program.exit, 0)
})

test.serial('a service that cannot start prints its error once, with its exit code', async t => {
  const port = await freePort()
  const {program, url} = await serve(t, {PORT: String(port)})
  const other = await createTestDatabase()
  t.teardown(other.drop)

  const late = runProgram(t, {WORKERS: '2', PORT: new URL(url).port, DATABASE_URL: other.url})
  t.is(await late.exit, 1)
  t.regex(late.complaints(), /quadstead: Worker 1: Port \d+ of 127\.0\.0\.1 is taken by another program\./)

  const wrong = runProgram(t, {WORKERS: '2', PORT: '0', DATABASE_URL: other.url, BASE_URL: 'http://one.example/'})
  await wrong.ready()
  wrong.child.kill('SIGTERM')
  await wrong.exit
  const again = runProgram(t, {WORKERS: '2', PORT: '0', DATABASE_URL: other.url, BASE_URL: 'http://other.example/'})
  t.is(await again.exit, 78)
  t.is(again.output(), '')
  t.is((await send(url)).status, 200)
  program.child.kill('SIGTERM')
  t.is(await program.exit, 0)
})
