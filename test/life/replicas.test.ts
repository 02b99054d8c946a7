/** Reads from replicas: a primary and two replicas, paused, killed, stopped, promoted. */
import {readdirSync, readFileSync} from 'node:fs'
import {Agent} from 'node:http'
import {connect, createServer, type Socket} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import ava, {type ExecutionContext} from 'ava'
import {type Observation, subscribe} from '../../src/base/observation.ts'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {createPool} from '../../src/db/connection/pool.ts'
import {openReplicas} from '../../src/db/replicas/replicas.ts'
import {openSession} from '../../src/db/store/create-session.ts'
import {addFollow, listFollows} from '../../src/db/store/follows.ts'
import {start} from '../../src/serve.ts'
import {readConfig} from '../../src/settings/config.ts'
import {type Received, type Sent, send} from '../support/client.ts'
import {untilCopied} from '../support/copies.ts'
import {until} from '../support/machine.ts'
import {schemaIdentifier, testSchema} from '../support/postgres.ts'
import {findReplicationBinaries, type Replication, startReplication, type TestReplica} from '../support/replication.ts'
import {useService} from '../support/service.ts'
import {gatherAllWords} from '../support/similar-words.ts'
import {readSlowly, requestText} from '../support/slow-reader.ts'
import {testWhen} from '../support/test-when.ts'

const binaries = await findReplicationBinaries()
const test = testWhen(binaries !== undefined, 'no PostgreSQL with pg_basebackup here')

let replication: Replication
let service: Awaited<ReturnType<typeof start>>
let first: TestReplica
let second: TestReplica

ava.before(async () => {
  if (binaries === undefined) return
  replication = await startReplication(binaries, 2)
  ;[first, second] = replication.replicas as [TestReplica, TestReplica]
  service = await start(
    readConfig({
      PORT: '0',
      DATABASE_URL: replication.url,
      DATABASE_READ_URL: replication.replicas.map(({url}) => url).join(' '),
      DATABASE_READ_LAG_MS: '2000',
      DRAIN_TIMEOUT_MS: '1000',
      LOG_LEVEL: 'silent',
    }),
  )
  await post('books')
  await replication.caughtUp()
  await bothIn()
})
ava.after.always(async () => {
  await service?.stop()
  await replication?.stop()
})

const ask = (sent: Sent): Promise<Received> => send(service.url, sent)
const get = (path: string, headers: Sent['headers'] = {}, agent?: Agent) =>
  ask({path, headers: {Accept: 'application/n-triples', ...headers}, ...(agent === undefined ? {} : {agent})})
const query = (text: string, headers: Sent['headers'] = {}, agent?: Agent) =>
  ask({
    method: 'POST',
    path: '/sparql',
    headers: {'Content-Type': 'application/sparql-query', Accept: 'text/csv', ...headers},
    body: text,
    ...(agent === undefined ? {} : {agent}),
  })
const post = (slug: string, agent?: Agent) =>
  ask({
    method: 'POST',
    path: '/',
    headers: {'Content-Type': 'text/turtle', Slug: slug},
    body: `<> <http://example.org/ns#name> "${slug}" .`,
    ...(agent === undefined ? {} : {agent}),
  })
const rename = (path: string, name: string, agent?: Agent) =>
  ask({
    method: 'PATCH',
    path,
    headers: {'Content-Type': 'text/ldpatch'},
    body: `Add { <> <http://example.org/ns#name> "${name}" . } .`,
    ...(agent === undefined ? {} : {agent}),
  })

const keepAlive = (t: ExecutionContext) => {
  const agent = new Agent({keepAlive: true, maxSockets: 1})
  t.teardown(() => agent.destroy())
  return agent
}
/** Pauses replay on both replicas until the test ends. */
const pauseBoth = async (t: ExecutionContext) => {
  await replication.caughtUp()
  await Promise.all([first.pause(), second.pause()])
  t.teardown(async () => {
    await Promise.all([first.resume(), second.resume()])
    await replication.caughtUp()
    await bothIn()
  })
}

/** Which servers answered the reads: 'replica', or the reason for using the primary. */
async function answeredBy<Result>(work: () => Promise<Result>): Promise<readonly [Result, readonly string[]]> {
  const servers: string[] = []
  const end = subscribe((observation: Observation) => {
    if (observation.kind === 'read') servers.push(observation.fallback ?? 'replica')
  })
  try {
    return [await work(), servers]
  } finally {
    end()
  }
}

const upOf = async () => {
  const {text} = await ask({path: '/metrics'})
  return Array.from(text.matchAll(/^quadstead_replica_up\{.*\} (\d)$/gm), ([, value]) => value)
}
const bothIn = () => until(async () => (await upOf()).join() === '1,1')

test('documents, pages and queries are read from a replica', async t => {
  const [document, byDocument] = await answeredBy(() => get('/books/'))
  const [page, byPage] = await answeredBy(() => ask({path: '/books/', headers: {Accept: 'text/html'}}))
  const [listing, byListing] = await answeredBy(() =>
    get('/', {Prefer: 'return=representation; include="http://www.w3.org/ns/ldp#PreferContainment"'}),
  )
  const [answer, byQuery] = await answeredBy(() => query('ASK { ?s <http://example.org/ns#name> "books" }'))

  t.deepEqual([document.status, page.status, listing.status, answer.status], [200, 200, 200, 200])
  t.true(document.text.includes('"books"') && page.text.includes('books') && listing.text.includes('ldp#contains'))
  t.deepEqual(
    [byDocument, byPage.every(server => server === 'replica'), byListing, byQuery],
    [['replica'], true, ['replica'], ['replica']],
  )
})

test('slow readers of long answers hold no snapshot on a replica, and get complete responses', async t => {
  const lines = Array.from({length: 6000}, (_, n) => `<> <http://example.org/ns#long> "${n} ${'x'.repeat(1000)}" .`)
  const headers = {'Content-Type': 'text/turtle', Slug: 'large'}
  t.is((await ask({method: 'POST', path: '/', headers, body: lines.join('\n')})).status, 201)
  await replication.caughtUp()
  const all = 'SELECT ?o { ?s <http://example.org/ns#long> ?o }'
  const paths = ['/large/', `/sparql?query=${encodeURIComponent(all)}`]
  const read = (path: string) => readSlowly(service.url, requestText(path))
  const expected = await Promise.all(paths.map(path => read(path).hurry()))

  const [slow, servers] = await answeredBy(async () => {
    const readers = paths.flatMap(path => Array.from({length: 5}, () => read(path)))
    await until(() => readers.every(({bytes}) => bytes() > 0))
    return readers
  })
  t.deepEqual(new Set(servers), new Set(['replica']))
  for (const {query: askReplica} of [first, second])
    await until(
      async () => (await askReplica(`select from pg_stat_activity where state ~ '^idle in transaction'`)).length === 0,
    )
  const answers = await Promise.all(slow.map(({hurry}) => hurry()))

  for (const [n, answer] of answers.entries()) t.deepEqual(answer, expected[n < 5 ? 0 : 1])
  t.true(expected.every(({isWhole, length}) => isWhole && length > 6_000_000))
})

test('the response to a write has a token; a read with the token sees the write', async t => {
  await pauseBoth(t)

  const written = await rename('/books/', 'paused')
  const token = String(written.headers['quadstead-consistency'])
  const [old, byReplica] = await answeredBy(() => get('/books/'))
  const [fresh, byToken] = await answeredBy(() => get('/books/', {'Quadstead-Consistency': token}))
  const [answer, byQuery] = await answeredBy(() =>
    query('ASK { ?s <http://example.org/ns#name> "paused" }', {'Quadstead-Consistency': token, Accept: 'text/csv'}),
  )

  t.regex(token, /^[0-9A-F]+\/[0-9A-F]+$/)
  t.deepEqual([old.text.includes('paused'), byReplica], [false, ['replica']])
  t.deepEqual([fresh.text.includes('paused'), byToken], [true, ['behind']])
  t.deepEqual([answer.text.includes('true'), byQuery], [true, ['behind']])
})

test('without a token, a read sees writes on its connection and with its Authorization', async t => {
  await pauseBoth(t)
  const agent = keepAlive(t)
  const authorization = {Authorization: 'Bearer some-client'}

  await rename('/books/', 'by connection', agent)
  const [mine, byConnection] = await answeredBy(() => get('/books/', {}, agent))
  await ask({
    method: 'PATCH',
    path: '/books/',
    headers: {'Content-Type': 'text/ldpatch', ...authorization},
    body: 'Add { <> <http://example.org/ns#name> "by caller" . } .',
  })
  const [callers, byCaller] = await answeredBy(() => get('/books/', authorization))
  const [strangers, byStranger] = await answeredBy(() => get('/books/', {Authorization: 'Bearer another'}))

  t.deepEqual([mine.text.includes('by connection'), byConnection], [true, ['behind']])
  t.deepEqual([callers.text.includes('by caller'), byCaller], [true, ['behind']])
  t.deepEqual([strangers.text.includes('by caller'), byStranger], [false, ['replica']])
})

test('a read with an entity tag that is newer than a replica goes to the primary', async t => {
  await pauseBoth(t)
  const {headers} = await rename('/books/', 'tagged')
  const tag = String(headers.etag)

  const [known, byKnown] = await answeredBy(() => get('/books/', {'If-None-Match': tag}))
  const [wanted, byWanted] = await answeredBy(() => get('/books/', {'If-Match': tag}))

  t.deepEqual([known.status, byKnown], [304, ['older']])
  t.deepEqual([wanted.status, wanted.headers.etag, byWanted], [200, tag, ['older']])
})

test('a document that a replica lacks is read from the primary, and so is its whole page', async t => {
  await pauseBoth(t)
  await post('unknown')

  const [document, byDocument] = await answeredBy(() => get('/unknown/'))
  const [page, byPage] = await answeredBy(() => ask({path: '/unknown/', headers: {Accept: 'text/html'}}))
  const [none, byNone] = await answeredBy(() => get('/nowhere/'))
  const asked = {
    method: 'POST',
    path: '/unknown/',
    headers: {'Content-Type': 'application/sparql-query'},
    body: 'ASK {}',
  }
  const answer = await ask(asked)

  t.deepEqual([document.status, byDocument], [200, ['older']])
  t.deepEqual([page.status, byPage], [200, ['older']])
  t.deepEqual([none.status, byNone], [404, ['older', 'older']]) // the second asks for its past states
  t.is(answer.status, 200)
})

test('a state that a replica lacks is read from the primary, so that copies of the store miss none', async t => {
  await pauseBoth(t)
  const {headers} = await rename('/books/', 'newer')
  await post('newest')
  const tag = String(headers.etag).slice(1, -1)

  const [state, byState] = await answeredBy(() => get(`/books/?state=${tag}`))
  const [list, byList] = await answeredBy(() => get('/newest/?states'))
  const [none, byNone] = await answeredBy(() => get('/books/?state=999999999'))

  t.deepEqual([state.status, state.text.includes('"newer"'), byState], [200, true, ['older']])
  t.deepEqual([list.status, byList.includes('older')], [200, true])
  t.deepEqual([none.status, byNone], [404, ['older']])
})

test('a copy of a store whose replicas lag misses nothing and applies nothing twice', async t => {
  const copy = await useService(t)
  const session = await openSession(copy.database.database, testSchema)
  const sides = [
    {database: replication.primary, base: service.base},
    {database: copy.database.database, base: copy.base},
  ] as const
  const child = (slug: string) =>
    ask({method: 'POST', path: '/followed/', headers: {'Content-Type': 'text/turtle', Slug: slug}, body: ''})
  await post('followed')
  for (const slug of ['a', 'b', 'c']) await child(slug)
  await addFollow(session, {url: service.base, path: 'followed/', key: undefined})
  await untilCopied(t, ...sides, 'followed/')

  await pauseBoth(t)
  for (const slug of ['d', 'e']) await child(slug)
  await rename('/followed/a/', 'renamed')
  await ask({method: 'MOVE', path: '/followed/b/', headers: {Destination: `${service.base}followed/moved/`}})
  await ask({method: 'DELETE', path: '/followed/c/'})
  await untilCopied(t, ...sides, 'followed/')

  await Promise.all([first.resume(), second.resume()])
  await replication.caughtUp()
  await rename('/followed/d/', 'after')
  await untilCopied(t, ...sides, 'followed/')
  const twice = await copy.database.database.query(
    `select document from ${schemaIdentifier}.change
      where action in ('created', 'deleted', 'patched') group by document, action having count(*) > 1`,
  )
  t.deepEqual(twice, [])
  const [follow] = await listFollows(session)
  t.is(follow?.failures, 0, follow?.last_reason ?? '')
})

test('after a 412 or a 409 the client sees the state that caused it', async t => {
  await pauseBoth(t)
  const agent = keepAlive(t)
  await rename('/books/', 'by somebody else')

  const refused = await ask({
    method: 'PATCH',
    path: '/books/',
    headers: {'Content-Type': 'text/ldpatch', 'If-Match': '"1"'},
    body: 'Add { <> <http://example.org/ns#name> "late" . } .',
    agent,
  })
  const [current] = await answeredBy(() => get('/books/', {}, agent))
  const taken = await post('books')

  t.deepEqual([refused.status, current.headers.etag], [412, refused.headers.etag])
  t.deepEqual([taken.status, typeof taken.headers['quadstead-consistency']], [409, 'string'])
})

test('an invalid token is a 400; a token from the future is answered by the primary', async t => {
  const bad = await get('/books/', {'Quadstead-Consistency': 'tomorrow'})
  const [far, byFar] = await answeredBy(() => get('/books/', {'Quadstead-Consistency': 'FFFFFFFF/FFFFFFFF'}))

  t.is(bad.status, 400)
  t.true(bad.text.includes('consistency-syntax'))
  t.deepEqual([far.status, byFar], [200, ['behind']])
})

test('a replica that lags too much is not used until it has caught up', async t => {
  await pauseBoth(t)
  await rename('/books/', 'lagging')

  await until(async () => (await upOf()).join() === '0,0')
  const [document, byPrimary] = await answeredBy(() => get('/books/'))
  const {text} = await ask({path: '/metrics'})
  await first.resume()
  await until(async () => (await upOf()).join() === '1,0')
  const [, bySecond] = await answeredBy(() => get('/books/'))

  t.deepEqual([document.text.includes('lagging'), byPrimary], [true, ['none']])
  t.regex(text, /^quadstead_replica_lag_bytes\{replica="[^"]+"\} [1-9]/m)
  t.deepEqual(bySecond, ['replica'])
})

test('killed replicas fail no read, are not used, and are used again after they restart', async t => {
  const statuses = new Set<number>()
  let isOver = false
  const reading = Promise.all(
    Array.from({length: 8}, async (_, n) => {
      while (!isOver) statuses.add((await (n % 2 === 0 ? get('/books/') : query('ASK { ?s ?p ?o }'))).status)
    }),
  )

  await first.kill()
  await until(async () => (await upOf()).join() === '0,1')
  await second.kill()
  await until(async () => (await upOf()).join() === '0,0')
  const [, byPrimary] = await answeredBy(() => get('/books/'))
  await Promise.all([first.start(), second.start()])
  await bothIn()
  isOver = true
  await reading

  t.deepEqual([...statuses], [200])
  t.false(byPrimary.includes('replica'))
})

test('a read that waits for an unresponsive replica is answered by the primary', async t => {
  await replication.caughtUp()
  first.freeze()
  second.freeze()
  t.teardown(async () => {
    first.thaw()
    second.thaw()
    await bothIn()
  })

  const [answers, servers] = await answeredBy(() => Promise.all(Array.from({length: 6}, () => get('/books/'))))

  t.deepEqual(
    answers.map(({status}) => status),
    answers.map(() => 200),
  )
  t.true(servers.length >= 6 && servers.every(server => server === 'lost' || server === 'none'), servers.join())
})

test('every kind of query has the same answer on a replica as on the primary', async t => {
  await replication.caughtUp()
  const texts = readdirSync('test/queries')
    .filter(name => name.endsWith('.rq'))
    .map(name => [name, readFileSync(join('test/queries', name), 'utf8')] as const)

  for (const [name, text] of texts) {
    const accept = {Accept: 'text/csv, application/n-triples;q=0.5'}
    const [replicas, byReplica] = await answeredBy(() => query(text, accept))
    const [again, byKeptPlan] = await answeredBy(() => query(text, accept))
    t.deepEqual([again.status, byKeptPlan], [200, ['replica']], `${name}: ${again.text}`)
    const primarys = await query(text, {...accept, 'Quadstead-Consistency': 'FFFFFFFF/FFFFFFFF'})
    t.deepEqual([replicas.status, byReplica], [200, ['replica']], `${name}: ${replicas.text}`)
    if (!/rand|limit/i.test(text)) t.deepEqual(linesOf(replicas), linesOf(primarys), name)
  }
})

const linesOf = ({text}: Received) => text.split('\n').sort()

test('a query of the past is answered by a replica, from when it has replayed that time', async t => {
  const asked = (at: Date) =>
    answeredBy(async () => {
      const text = `SELECT ?n { ?s <http://example.org/ns#name> "past", ?n } ORDER BY ?n`
      const path = `/sparql?at=${encodeURIComponent(at.toISOString())}&query=${encodeURIComponent(text)}`
      return (await ask({path, headers: {Accept: 'text/csv'}})).text.trim().split('\r\n').slice(1)
    })
  await post('past')
  await delay(10)
  const before = new Date()
  await delay(10)
  await rename('/past/', 'later')
  await replication.caughtUp()
  t.deepEqual(await asked(before), [['past'], ['replica']])

  await pauseBoth(t)
  await rename('/past/', 'unseen')
  await delay(10)
  t.deepEqual(await asked(before), [['past'], ['replica']])
  t.deepEqual(await asked(new Date()), [['later', 'past', 'unseen'], ['behind']])
})

test('a read that conflicts with replay is repeated on the primary', async t => {
  await replication.caughtUp()
  const limits = {connectionMax: 2, prepare: false, statementTimeoutMs: 10_000, lagLimitMs: 60_000}
  const one = {...limits, guardedSchema: undefined}
  await first.query('alter system set max_standby_streaming_delay = 0')
  await first.query('select pg_reload_conf()')
  const {database, close} = await openReplicas(replication.primary, [parseDatabaseUrl(first.url)], one)
  t.teardown(async () => {
    await close()
    await first.query('alter system reset max_standby_streaming_delay')
    await first.query('select pg_reload_conf()')
  })
  await replication.primary.query('create table victim as select generate_series(1, 1000) as n')
  await replication.caughtUp()
  const asked: boolean[] = []

  const [row] = await database.read({after: undefined, place: 0, server: undefined}, server =>
    server.begin('repeatable read read only', async transaction => {
      const [{isReplica}] = (await transaction.query(
        'select pg_is_in_recovery() as "isReplica", count(*) from victim',
      )) as [{isReplica: boolean}]
      asked.push(isReplica)
      if (isReplica) {
        await replication.primary.query('delete from victim')
        await replication.primary.query('vacuum victim')
        await replication.caughtUp().catch(() => undefined)
      }
      return transaction.query<{count: string}>('select count(*)::text as count from victim')
    }),
  )

  t.deepEqual([asked, row?.count], [[true, false], '0'])
  await replication.primary.query('drop table victim')
})

test('a read that must see a log position takes one round trip', async t => {
  const {socketPath = ''} = parseDatabaseUrl(first.url)
  const path = join(tmpdir(), `qs-turns-${process.pid}.sock`)
  let turns = 0
  let isAsking = false
  const proxy = createServer(client => {
    const server = connect(socketPath)
    client.on('data', bytes => {
      if (!isAsking) turns += 1
      isAsking = true
      server.write(bytes)
    })
    server.on('data', bytes => {
      isAsking = false
      client.write(bytes)
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('close', () => other.destroy())
  }).listen(path)
  const options = {connectionMax: 1, isPooled: false, prepare: true, statementTimeoutMs: 10_000}
  const pool = createPool({...parseDatabaseUrl(first.url), socketPath: path}, options)
  t.teardown(async () => {
    await pool.end(1000)
    proxy.close()
  })
  const read = () =>
    pool.query('select * from quadstead.read_documents($1, $2, $3)', [[service.base], [null], [0]], {after: 1n})
  await read()
  await read()
  turns = 0

  const rows = await read()

  t.deepEqual([rows.length, turns], [1, 1])
})

test('an address that leads to several servers is not used, and the log says what to set', async t => {
  const path = join(tmpdir(), `qs-balancer-${process.pid}.sock`)
  const sockets = [first, second].map(({url}) => parseDatabaseUrl(url).socketPath ?? '')
  const clients: Socket[] = []
  const balancing = {choose: (_: number) => 0}
  const balancer = createServer(client => {
    const server = connect(sockets[balancing.choose(clients.push(client))] ?? '')
    client.pipe(server).pipe(client)
    for (const end of [client, server]) end.on('error', () => undefined)
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  }).listen(path)
  const told: string[] = []
  t.teardown(
    subscribe(observation => {
      if (observation.kind === 'replica-left') told.push(observation.reason)
      if (observation.kind === 'replica-joined') told.push('joined')
    }),
  )
  const pool = {connectionMax: 3, prepare: 'auto', statementTimeoutMs: 10_000} as const
  const open = () => openReplicas(primary, [balanced], {...pool, lagLimitMs: 10_000, guardedSchema: undefined})
  const primary = createPool(parseDatabaseUrl(replication.url), {...pool, isPooled: false, prepare: true})
  const balanced = {...parseDatabaseUrl(first.url), socketPath: path}
  const several = 'its URL leads to several servers: name each of them in DATABASE_READ_URL'

  const early = await open()
  await until(() => told.length === 1)
  const last = clients.at(-1) // of the pool
  balancing.choose = opened => opened % 2
  const late = await open()
  await until(() => told.length === 2)
  t.deepEqual([told, early.states()[0]?.isIn, late.states()[0]?.isIn], [['joined', several], true, false])
  await late.close()

  balancing.choose = () => 1
  last?.destroy() // the pool connects again
  await until(() => told.length === 3)
  t.deepEqual([told[2], early.states()[0]?.isIn], [several, false])
  await Promise.all([early.close(), primary.end(1000)])
  balancer.close()
})

test('clients read their own writes, whatever happens to the replicas', async t => {
  let isOver = false
  const disturbing = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const replica = turn % 2 === 0 ? first : second
      await replica.pause()
      await new Promise(resolve => setTimeout(resolve, Math.random() * 60))
      await replica.resume()
      await new Promise(resolve => setTimeout(resolve, Math.random() * 60))
    }
  })()
  const count: Record<string, number> = {}
  const end = subscribe(observation => {
    if (observation.kind !== 'read') return
    const by = observation.fallback ?? 'replica'
    count[by] = (count[by] ?? 0) + 1
  })

  const clients = Promise.all(Array.from({length: 8}, (_, n) => history(t, n, 60)))
  const histories = await clients.finally(() => {
    isOver = true
  })
  await disturbing
  end()
  t.deepEqual(histories.flat(), [])
  t.log(count)
  t.true((count.replica ?? 0) > 100 && (count.behind ?? 0) > 10, JSON.stringify(count))
})

/** A client that writes a number and reads it by document and by query. Reports every stale answer. */
async function history(t: ExecutionContext, client: number, length: number): Promise<readonly string[]> {
  const agent = client % 2 === 0 ? keepAlive(t) : undefined
  const stale: string[] = []
  const path = `/counter-${client}/`
  let token = String((await post(`counter-${client}`, agent)).headers['quadstead-consistency'])
  for (let n = 1; n <= length; n += 1) {
    const written = await rename(path, `step ${n}`, agent)
    token = String(written.headers['quadstead-consistency'])
    const own = agent === undefined ? {'Quadstead-Consistency': token} : {}
    const document = await get(path, own, agent)
    if (document.headers.etag !== written.headers.etag) stale.push(`${path} ${n}: ${document.status} ${document.text}`)
    const asked = `ASK { <${service.base.slice(0, -1)}${path}> <http://example.org/ns#name> "step ${n}" }`
    const answer = await query(asked, own, agent)
    if (!answer.text.includes('true')) stale.push(`${path} ${n}: ${answer.status} ${answer.text}`)
  }
  return stale
}

test('searches are answered by replicas, misspelt words and suggestions too', async t => {
  await post('quixotic')
  t.true(await gatherAllWords(replication.primary, 'quadstead'))
  await replication.caughtUp()
  const search = async (parameters: string) => JSON.parse((await ask({path: `/search?${parameters}`})).text)
  const asked = ['q=quixotic', 'q=kuixotik', 'q=quix*&sort=date', 'q=absent', 'q=quixotic&under=/quixotic/']

  const [answers, servers] = await answeredBy(() => Promise.all(asked.map(search)))
  const [{suggestions}] = await answeredBy(() => search('suggest=quix'))

  t.deepEqual(
    answers.map(({total, isCorrected}) => [total, isCorrected]),
    [
      [1, false],
      [1, true],
      [1, false],
      [0, false],
      [1, false],
    ],
  )
  t.deepEqual([...new Set(servers)], ['replica'])
  t.deepEqual(suggestions, [], 'not a label')
})

test('a promoted replica is not used any more', async t => {
  await second.query('select pg_promote()')

  await until(async () => (await upOf()).join() === '1,0')

  const [answer] = await answeredBy(() => get('/books/'))
  t.is(answer.status, 200)
})
