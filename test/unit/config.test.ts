/** Reads the environment into a Config. */
import {BlockList} from 'node:net'
import {availableParallelism, tmpdir} from 'node:os'
import test from 'ava'
import {Refusal} from '../../src/base/refusal.ts'
import {readConfig, settings} from '../../src/settings/config.ts'

test('without settings the defaults apply', t => {
  t.deepEqual(readConfig({}), {
    workers: 1,
    port: 8080,
    isPortGiven: false,
    host: '127.0.0.1',
    base: undefined,
    dataDirectory: './data',
    datasets: {
      schema: 'quadstead_datasets',
      openMax: 100,
      idleMs: 600_000,
      requests: Number.POSITIVE_INFINITY,
    },
    environment: {},
    platformNamespace: 'https://carbonldp.com/ns/v1/platform#',
    database: {
      address: undefined,
      schema: 'quadstead',
      connectionMax: 10,
      lagLimitMs: 5000,
      replicas: [],
      queueMax: 1000,
      queueWaitMs: 15_000,
      prepare: 'auto',
      waitMs: 30_000,
      statementTimeoutMs: 30_000,
      totalTimeoutMs: 120_000,
    },
    limits: {
      bodyBytes: 10_485_760,
      bodyTriples: 500_000,
      bodyTimeoutMs: 30_000,
      drainTimeoutMs: 20_000,
      uriBytes: 8000,
      headerBytes: 16_384,
      pageSize: 1000,
    },
    callers: {
      requests: 10_000,
      windowMs: 10_000,
      queriesAtOnce: 5,
      heldBodyBytes: 268435456,
      proxies: new BlockList(),
      forwardedHeader: 'x-forwarded-for',
      connections: 5000,
      connectionsPerAddress: 500,
      answerMs: 600_000,
      keyLastsMs: 86_400_000,
      batchRequests: 100,
      batchBytes: 10_485_760,
    },
    spool: {
      directory: tmpdir(),
      answerBytes: 268_435_456,
      callerBytes: 536_870_912,
      totalBytes: 2_147_483_648,
      memoryBytes: 16_777_216,
    },
    requireIfMatch: 'put',
    redirectSeconds: 0,
    changesKept: 30 * 86_400,
    changeListeners: 5000,
    queryLimits: {length: 1_000_000, tokens: 50_000, patterns: 1000, values: 50_000},
    textIndex: 'auto',
    hasSearch: true,
    webhooks: {networks: undefined, timeoutMs: 15_000, backoff: {firstMs: 5000, attempts: 20}},
    heldLimits: {bytes: 67_108_864, items: 250_000},
    federation: undefined,
    loading: undefined,
    hasExplanations: true,
    access: {
      isGuarded: false,
      isOpenGiven: false,
      isHidden: false,
      isAudited: false,
      allowed: undefined,
      hasQueryGrants: false,
      keptKeyMs: 10_000,
      tokens: undefined,
      provider: undefined,
      sessions: {idleMs: 7_200_000, lastsMs: 43_200_000},
    },
    operation: {
      cors: {
        origins: [
          {scheme: 'http', host: 'localhost', isSuffix: false, port: '*'},
          {scheme: 'http', host: '127.0.0.1', isSuffix: false, port: '*'},
        ],
        hasCredentials: true,
      },
      compressFromBytes: 1400,
      drainDelayMs: 0,
      log: {
        level: 'info',
        format: 'auto',
        destination: 'stderr',
        requests: 'all',
        hasQueries: true,
        slowQueryMs: 1000,
      },
      metrics: {path: '/metrics', port: undefined},
    },
  })
})

test('an empty setting counts as not given', t => {
  t.deepEqual(readConfig({PORT: '', BASE_URL: '', DATABASE_URL: '', DATA_DIR: ''}), readConfig({}))
})

test('all invalid settings are reported together, with value and expectation, secrets without value', t => {
  const error = t.throws(
    () =>
      readConfig({
        PORT: 'http',
        BASE_URL: 'example.org',
        DATABASE_URL: 'mysql://user:secret@host/db',
        DATABASE_SCHEMA: 'pg_mine',
        DATABASE_PREPARE: 'maybe',
        REQUIRE_IF_MATCH: 'PUT',
        PAGE_SIZE: '0',
      }),
    {instanceOf: Refusal},
  )

  t.is(error?.exitCode, 78)
  t.is(
    error?.message,
    [
      '7 settings cannot be used:',
      '  PORT="http": expected a port number from 0 (any free one) to 65535',
      '  BASE_URL="example.org": expected an absolute http or https URL without user, query and fragment',
      '  DATABASE_URL: it must start with postgres:// or postgresql:// and hold no "#" (write %23)',
      '  DATABASE_SCHEMA="pg_mine": expected a name of 1 to 63 bytes that does not start with pg_ and is not ' +
        'information_schema',
      '  DATABASE_PREPARE="maybe": expected auto, true or false',
      '  PAGE_SIZE="0": expected a whole number from 1 to 100000',
      '  REQUIRE_IF_MATCH="PUT": expected put or all',
    ].join('\n'),
  )
})

const bases = [
  ['https://Example.org', 'https://example.org/'],
  ['http://localhost:80/', 'http://localhost/'],
  ['https://host/ldp', 'https://host/ldp/'],
  ['https://host/ldp/', 'https://host/ldp/'],
  ['http://[::1]:8080/', 'http://[::1]:8080/'],
] as const

for (const [given, base] of bases) {
  test(`BASE_URL ${given} is ${base}`, t => {
    t.is(readConfig({BASE_URL: given}).base, base)
  })
}

for (const given of [
  'ftp://host/',
  'http://u:p@host/',
  'http://host/?',
  'http://host/#',
  'http://host//a/',
  '/ldp/',
  'http://',
]) {
  test(`BASE_URL ${given} is refused`, t => {
    t.throws(() => readConfig({BASE_URL: given}), {instanceOf: Refusal, message: /BASE_URL=/})
  })
}

for (const name of ['My-Data', 'a"b', 'über', 'x'.repeat(63)]) {
  test(`DATABASE_SCHEMA ${name} is used unchanged`, t => {
    t.is(readConfig({DATABASE_SCHEMA: name}).database.schema, name)
  })
}

for (const name of ['pg_catalog', 'information_schema', 'x'.repeat(64), 'ü'.repeat(32), 'a\0b']) {
  test(`DATABASE_SCHEMA ${JSON.stringify(name)} is refused`, t => {
    t.throws(() => readConfig({DATABASE_SCHEMA: name}), {instanceOf: Refusal, message: /DATABASE_SCHEMA=/})
  })
}

test('SERVICE is off without endpoints, and limited with them', t => {
  const given = {SERVICE_ENDPOINTS: 'https://a.example/sparql, https://b.example/', SERVICE_LIMIT_ROWS: '5'}

  t.deepEqual(readConfig(given).federation, {
    endpoints: {exact: new Set(['https://a.example/sparql', 'https://b.example/']), below: ['https://b.example/']},
    limitBytes: 16_777_216,
    limitRows: 5,
  })
})

test('DATABASE_READ_URL names several servers, each with hosts of its own', t => {
  const {replicas} = readConfig({DATABASE_READ_URL: 'postgres://a,b/d, postgresql://c:1/e\npostgres://f/g'}).database

  t.deepEqual(
    replicas.map(({hosts}) => hosts.map(({host, port}) => `${host}:${port}`)),
    [['a:5432', 'b:5432'], ['c:1'], ['f:5432']],
  )
})

test('workers divide the connections: three for each at least, four for each unless their number is given', t => {
  const divided = (environment: Readonly<Record<string, string>>) => {
    const {workers, database} = readConfig(environment)
    return [workers, database.connectionMax]
  }

  t.deepEqual(divided({WORKERS: '2'}), [2, 10])
  t.deepEqual(divided({WORKERS: '8'}), [8, 32])
  t.deepEqual(divided({WORKERS: '3', DATABASE_POOL_MAX: '9'}), [3, 9])
  t.deepEqual(divided({WORKERS: 'auto', DATABASE_POOL_MAX: '5'}), [1, 5])
  t.deepEqual(divided({WORKERS: 'auto'}), [availableParallelism(), Math.max(10, 4 * availableParallelism())])
  t.throws(() => readConfig({WORKERS: '4', DATABASE_POOL_MAX: '11'}), {
    instanceOf: Refusal,
    message: /WORKERS="4": expected DATABASE_POOL_MAX=12 at least, three for each, not 11$/,
  })
  t.throws(() => readConfig({WORKERS: '0'}), {instanceOf: Refusal, message: /WORKERS="0": expected a whole number/})
})

test('every default is a value that its setting takes', t => {
  const defaults = Object.entries(settings).filter(([, {initial}]) => initial !== '')
  const bad = defaults.filter(([, {initial, read}]) => read(initial) === undefined)

  t.true(defaults.length > 50)
  t.deepEqual(bad, [])
})

test('a bad value is the only fault, though others are compared with it', t => {
  t.throws(() => readConfig({WORKERS: '3', DATABASE_POOL_MAX: 'many'}), {
    instanceOf: Refusal,
    message: /^A setting cannot be used:\n {2}DATABASE_POOL_MAX="many": expected a whole number from 1 to 1000$/,
  })
})
