/** Limits for one caller, and for connections that are deliberately slow. */
import {connect, type Socket} from 'node:net'
import test from 'ava'
import {type Observation, subscribe} from '../../src/base/observation.ts'
import {sentenceOf} from '../../src/telemetry/sentences.ts'
import {type Received, sendBytes} from '../support/client.ts'
import {create, turtle} from '../support/documents.ts'
import {until} from '../support/machine.ts'
import {isAnswering, schemaIdentifier} from '../support/postgres.ts'
import {type Settings, type TestService, useService} from '../support/service.ts'

const proxied = {TRUSTED_PROXIES: 'loopback'}
const from = (address: string) => ({'X-Forwarded-For': address})
const sparql = {'Content-Type': 'application/sparql-query', Accept: 'application/sparql-results+json'}

function problemIn({text}: Received): unknown {
  return JSON.parse(text)
}

test.serial(
  'each caller may send a number of requests in a window; responses count them, further ones are a 429',
  async t => {
    const service = await useService(t, {...proxied, REQUEST_LIMIT: '3', REQUEST_LIMIT_WINDOW_MS: '3600000'})
    const get = (address: string, path = '/') => service.send({path, headers: from(address)})

    const answers = [await get('192.0.2.1'), await get('192.0.2.1', '/gone/'), await get('192.0.2.1')]
    t.deepEqual(
      answers.map(({status, headers}) => [status, headers.ratelimit, headers['ratelimit-policy']]),
      [
        [200, '"requests";r=2;t=1200', '"requests";q=3;w=3600'],
        [404, '"requests";r=1;t=2400', '"requests";q=3;w=3600'],
        [200, '"requests";r=0;t=3600', '"requests";q=3;w=3600'],
      ],
    )
    const refused = await get('192.0.2.1')
    t.like(problemIn(refused), {status: 429, title: 'request-rate', limit: 3})
    t.like(refused.headers, {ratelimit: '"requests";r=0;t=3600', 'retry-after': '1200', 'cache-control': 'no-store'})
    t.is((await get('192.0.2.2')).status, 200)
    t.is((await get('192.0.2.1', '/ready')).status, 200)
  },
)

const one = {REQUEST_LIMIT: '1', REQUEST_LIMIT_WINDOW_MS: '3600000'}

test.serial('requests from this machine are counted for its address, whatever client they name', async t => {
  const service = await useService(t, one)
  const statuses = [await service.send(), await service.send({headers: from('192.0.2.1')}), await service.send()]

  t.deepEqual(
    statuses.map(({status, headers}) => [status, headers.ratelimit]),
    [
      [200, '"requests";r=0;t=3600'],
      [429, '"requests";r=0;t=3600'],
      [429, '"requests";r=0;t=3600'],
    ],
  )
  t.is((await service.send({path: '/ready'})).status, 200)
})

test.serial(
  'own requests of a trusted address of this machine are not counted, and no other address can pretend to be it',
  async t => {
    const service = await useService(t, {...proxied, ...one})
    for (const _ of [1, 2, 3]) {
      const {status, headers} = await service.send()
      t.deepEqual([status, headers.ratelimit], [200, undefined])
    }

    for (const claimed of ['127.0.0.1, 192.0.2.1', '127.0.0.1', 'unknown, 192.0.2.2', '::1', '']) {
      const statuses = [await service.send({headers: from(claimed)}), await service.send({headers: from(claimed)})]
      t.is(statuses.at(-1)?.status, 429, claimed)
    }
  },
)

test.serial('an undeclared proxy on this machine is logged once, with the setting', async t => {
  const heard: Observation[] = []
  t.teardown(
    subscribe(observation => {
      if (observation.kind === 'proxy-undeclared') heard.push(observation)
    }),
  )
  const told = async (settings: Settings, headers: Readonly<Record<string, string>>) => {
    const service = await useService(t, settings)
    heard.length = 0
    await service.send({headers})
    await service.send({headers})
    return heard.map(sentenceOf)
  }
  const line = (header: string, needed: string) => [
    `requests come from 127.0.0.1 with the header ${header}, as a proxy sends them, and all count as those of one ` +
      `caller: if a proxy is there, set ${needed}`,
  ]
  const on = {REQUEST_LIMIT: '10'}
  const written = {Forwarded: 'for=192.0.2.1'}

  t.deepEqual(await told(on, from('192.0.2.1')), line('x-forwarded-for', 'TRUSTED_PROXIES=loopback'))
  t.deepEqual(await told(on, written), line('forwarded', 'TRUSTED_PROXIES=loopback and FORWARDED_HEADER=forwarded'))
  t.deepEqual(await told({...on, ...proxied}, written), line('forwarded', 'FORWARDED_HEADER=forwarded'))
  t.deepEqual(await told({...on, ...proxied}, from('192.0.2.1')), [])
  t.deepEqual(await told(on, {}), [])
})

test.serial('with FORWARDED_HEADER=forwarded, Forwarded counts and X-Forwarded-For does not', async t => {
  const settings = {...proxied, FORWARDED_HEADER: 'forwarded', REQUEST_LIMIT: '1', REQUEST_LIMIT_WINDOW_MS: '3600000'}
  const service = await useService(t, settings)
  const get = (address: string, made: string) =>
    service.send({headers: {Forwarded: `for="${address}"`, 'X-Forwarded-For': made}})

  t.is((await get('[2001:db8::1]:80', '192.0.2.1')).status, 200)
  t.is((await get('[2001:db8::2]:81', '192.0.2.2')).status, 429) // same network
  t.is((await get('[2001:db8:0:1::1]', '192.0.2.1')).status, 200)
})

test.serial('queries of one caller wait for each other, those of other callers do not', async t => {
  const settings = {...proxied, QUERY_LIMIT_AT_ONCE: '1', DATABASE_QUEUE_WAIT_MS: '300', STATEMENT_TIMEOUT_MS: '3000'}
  const service = await useService(t, settings)
  const ask = (address: string, body: string) =>
    service.send({method: 'POST', headers: {...sparql, ...from(address)}, body})
  const quick = 'ASK {}'
  const endless = `SELECT (COUNT(*) AS ?n) { ${Array.from({length: 6}, (_, i) => `?a${i} ?b${i} ?c${i}`).join(' . ')} }`
  for (let n = 0; n < 5; n++) await create(t, service, {slug: `d${n}`})
  const slow = ask('192.0.2.1', endless)
  await until(() => isAnswering(service.database))

  t.is((await ask('192.0.2.2', quick)).status, 200)
  const refused = await ask('192.0.2.1', quick)
  t.like(problemIn(refused), {status: 429, title: 'queries-at-once', limit: 1})
  t.is(refused.headers['retry-after'], '1')
  t.is((await service.send({headers: from('192.0.2.1')})).status, 200)
  t.like(problemIn(await slow), {status: 503, title: 'query-timeout'})
  t.is((await ask('192.0.2.1', quick)).status, 200)
})

test.serial('a request that waits too long for a connection is a 503 with Retry-After', async t => {
  const service = await useService(t, {DATABASE_POOL_MAX: '1', DATABASE_QUEUE_WAIT_MS: '100', DATABASE_QUEUE_MAX: '1'})
  const {first, answers} = await service.database.database.begin('read committed', async transaction => {
    await transaction.query(`lock table ${schemaIdentifier}.document in access exclusive mode`)
    const waiting = {first: service.send()}
    await until(async () => {
      const locked = `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`
      return (await service.database.database.query(locked, [service.database.name])).length > 0
    })
    return {...waiting, answers: await Promise.all([service.send(), service.send()])}
  })

  for (const answer of answers) {
    t.like(problemIn(answer), {status: 503, title: 'busy'})
    t.is(answer.headers['retry-after'], '2')
  }
  t.is((await first).status, 200)
})

test.serial('a client that resets its connection causes no failure in the log', async t => {
  const service = await useService(t)
  const heard: Observation[] = []
  t.teardown(subscribe(observation => heard.push(observation)))
  const isOver = (observation: Observation) => observation.kind === 'request' && observation.path === '/reset/'
  await service.database.database.begin('read committed', async transaction => {
    await transaction.query(`lock table ${schemaIdentifier}.document in access exclusive mode`)
    const socket = await openDeaf(service, 'GET /reset/ HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await until(() => isAnswering(service.database))
    socket.resetAndDestroy()
    await until(() => heard.some(isOver))
  })

  t.like(heard.find(isOver), {isWhole: false})
  t.deepEqual(
    heard.filter(({kind}) => kind === 'failure'),
    [],
  )
})

/** A connection that reads nothing of its response. */
function openDeaf(service: TestService, request: string): Promise<Socket> {
  return new Promise(resolve => {
    const socket = connect({port: Number(new URL(service.url).port), host: '127.0.0.1'}, () => {
      socket.pause()
      socket.write(request)
      resolve(socket)
    })
    socket.on('error', () => undefined)
  })
}

/** Finished requests. */
function hearRequests(t: {teardown: (end: () => void) => void}, path: string) {
  const heard: Extract<Observation, {kind: 'request'}>[] = []
  t.teardown(
    subscribe(observation => {
      if (observation.kind === 'request' && observation.path === path) heard.push(observation)
    }),
  )
  return heard
}

const many = Array.from({length: 1500}, (_, index) => `<> <http://e/p> ${index} .`).join('\n')
const endless = 'SELECT * { ?s ?p ?o . ?s2 ?p2 ?o2 }' // some 400 MB, more than the buffers of sockets

for (const [what, settings, sipMs] of [
  ['does not read a stream', {BODY_TIMEOUT_MS: '2000'}, undefined],
  ['reads a stream slowly', {ANSWER_TIMEOUT_MS: '2000', BODY_TIMEOUT_MS: '60000'}, 50],
] as const)
  test.serial(`a client that ${what} is disconnected, and its connection to PostgreSQL is free again`, async t => {
    const service = await useService(t, {...settings, COMPRESS_FROM_BYTES: 'off', DATABASE_POOL_MAX: '1'})
    await create(t, service, {slug: 'many', body: many})
    const path = `/sparql?query=${encodeURIComponent(endless)}`
    const heard = hearRequests(t, '/sparql')

    const socket = await openDeaf(service, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    const sip = sipMs === undefined ? undefined : setInterval(() => socket.read(1000), sipMs)
    t.teardown(() => {
      clearInterval(sip)
      socket.destroy()
    })
    await until(() => heard.length > 0)

    t.like(heard[0], {status: 200, isWhole: false})
    t.is((await service.send()).status, 200)
  })

test.serial('a client that does not read a complete response is disconnected', async t => {
  const service = await useService(t, {BODY_TIMEOUT_MS: '5000', COMPRESS_FROM_BYTES: 'off'})
  const {iri} = await create(t, service, {slug: 'large'})
  const path = new URL(iri).pathname
  for (let n = 0; n < 3; n++) {
    const body = `Add { <> <http://e/p> "${n}${'x'.repeat(9_000_000)}" . } .`
    t.is((await service.send({method: 'PATCH', path, headers: {'Content-Type': 'text/ldpatch'}, body})).status, 204)
  }
  const heard = hearRequests(t, path)

  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const socket = await openDeaf(service, request.repeat(4)) // more than the buffers of sockets
  t.teardown(() => socket.destroy())

  await until(() => heard.some(({isWhole}) => !isWhole))
  t.true(heard.length <= 4)
})

for (const [what, bytes] of [
  ['says nothing', ''],
  ['never ends its header section', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
  [
    'never ends its body',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/turtle\r\nContent-Length: 90\r\n\r\n<> ',
  ],
] as const)
  test.serial(`a client that ${what}, however slowly it sends, is disconnected`, async t => {
    const service = await useService(t, {BODY_TIMEOUT_MS: '1000'})
    let answer = ''
    const socket = connect({port: Number(new URL(service.url).port), host: '127.0.0.1'}, () => socket.write(bytes))
    const drip = bytes === '' ? undefined : setInterval(() => socket.write('a'), 100)
    t.teardown(() => clearInterval(drip))
    socket
      .on('error', () => undefined)
      .on('data', chunk => {
        answer += chunk
      })

    await new Promise(resolve => socket.once('close', resolve))

    t.regex(answer, /^HTTP\/1\.1 408 .*(request-time|body-time)/s)
  })

test.serial('connections above the limit are closed and logged', async t => {
  const service = await useService(t, {CONNECTION_LIMIT: '2'})
  const refused: Observation[] = []
  t.teardown(
    subscribe(observation => {
      if (observation.kind === 'connection-refused') refused.push(observation)
    }),
  )
  const sockets = [await openDeaf(service, ''), await openDeaf(service, '')]
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })

  t.is(await sendBytes(service.url, 'GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n').catch(() => ''), '')

  t.deepEqual(refused, [{kind: 'connection-refused', connections: 2}])
  for (const socket of sockets) socket.destroy()
  await until(async () => (await service.send({path: '/live'}).catch(() => ({status: 0}))).status === 200)
})

test.serial('connections of an address above its limit are closed at once', async t => {
  const service = await useService(t, {CONNECTION_LIMIT_PER_ADDRESS: '2'})
  const refused: Observation[] = []
  t.teardown(
    subscribe(observation => {
      if (observation.kind === 'address-refused') refused.push(observation)
    }),
  )
  const live = 'GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  const askFrom = (localAddress: string) => sendBytes(service.url, live, {localAddress}).catch(() => '')
  const sockets = [await openDeaf(service, ''), await openDeaf(service, '')]
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })

  t.deepEqual([await askFrom('127.0.0.1'), await askFrom('127.0.0.1')], ['', ''])
  t.regex(await askFrom('127.0.0.2'), /^HTTP\/1\.1 200 /)
  const one = {kind: 'address-refused', address: '127.0.0.1', connections: 2} as const
  t.deepEqual(refused, [one, one])
  t.is(sentenceOf(one), 'a connection of 127.0.0.1 was refused: it has 2 already (CONNECTION_LIMIT_PER_ADDRESS)')
  t.regex(
    (await service.send({path: '/metrics', localAddress: '127.0.0.2'})).text,
    /^quadstead_connections_refused_total\{limit="address"\} 2$/m,
  )

  sockets[0]?.destroy()
  await until(async () => (await askFrom('127.0.0.1')).startsWith('HTTP/1.1 200 '))
})

test.serial('trusted proxies may use all connections', async t => {
  const service = await useService(t, {...proxied, CONNECTION_LIMIT_PER_ADDRESS: '1'})
  const sockets = [await openDeaf(service, ''), await openDeaf(service, '')]
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })

  t.is((await service.send({path: '/live'})).status, 200)
})

test.serial('the service fetches and expands nothing for a client unless a setting allows it', async t => {
  const service = await useService(t)
  const refuse = async (headers: Readonly<Record<string, string>>, body: string) => {
    const {status, text} = await service.send({method: 'POST', headers, body})
    return [status, JSON.parse(text).title]
  }

  t.deepEqual(
    await refuse({'Content-Type': 'application/ld+json'}, '{"@context": "http://127.0.0.1:1/c", "@id": ""}'),
    [422, 'remote-context-refused'],
  )
  t.deepEqual(await refuse(sparql, 'SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }'), [
    403,
    'federation-disabled',
  ])
  const xml = '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r>&e;</r>'
  t.deepEqual(await refuse({'Content-Type': 'application/rdf+xml'}, xml), [400, 'xml-doctype-refused'])
  t.is((await service.send({method: 'POST', headers: turtle, body: ''})).status, 201)
})
