/** Each sslmode with a server whose certificate authority is unknown. */
import {execFileSync} from 'node:child_process'
import {chmod, chown, copyFile, mkdtemp, readFile, rm, stat, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import ava from 'ava'
import {Refusal} from '../../src/base/refusal.ts'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {openDatabase} from '../../src/db/connection/connect.ts'
import {createPool} from '../../src/db/connection/pool.ts'
import {startEmbedded} from '../../src/db/embedded/embedded.ts'
import {canRun, freePort} from '../support/machine.ts'
import {useService} from '../support/service.ts'
import {testWhen} from '../support/test-when.ts'

const hasOpenssl = canRun('openssl', ['version'])
const test = testWhen(hasOpenssl, 'no openssl here to make a certificate with')

let port = 0
let certificate = ''
const ends: (() => Promise<void>)[] = []

ava.before(async () => {
  if (!hasOpenssl) return
  const dataDirectory = await mkdtemp(join(tmpdir(), 'quadstead-tls-'))
  ends.push(() => rm(dataDirectory, {recursive: true, force: true}))
  certificate = join(dataDirectory, 'server.crt')
  const first = await startEmbedded({dataDirectory})
  await first.stop() // the cluster exists; now it can get a certificate
  await makeCertificate(dataDirectory, first.directory)
  await requireTls(first.directory)
  port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    ssl: 'on',
    ssl_cert_file: 'server.crt',
    ssl_key_file: 'server.key',
  }
  const server = await startEmbedded({dataDirectory, settings})
  ends.unshift(server.stop)
  const owner = createPool(server.address, {connectionMax: 1, isPooled: false, prepare: false, statementTimeoutMs: 0})
  await owner.query('create role required login')
  await owner.query('grant create on database postgres to required')
  await owner.end(1000)
})
ava.after.always(async () => {
  for (const end of ends) await end()
})

/** The TLS state of a session to the server, or the error. */
async function session(host: string, parameters: string): Promise<unknown> {
  const address = parseDatabaseUrl(`postgres://quadstead@${host}:${port}/postgres?${parameters}`)
  const {database} = await openDatabase(address, {connectionMax: 1, prepare: 'auto', statementTimeoutMs: 0, waitMs: 0})
  try {
    return await database.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
  } finally {
    await database.end()
  }
}

for (const [parameters, ssl] of [
  ['sslmode=disable', false],
  ['', true],
  ['sslmode=prefer', true],
  ['sslmode=require', true],
] as const) {
  test(`${parameters || 'without sslmode'}: ${ssl ? 'TLS' : 'no TLS'}, and nothing is verified`, async t => {
    t.deepEqual(await session('127.0.0.1', parameters), [{ssl}])
  })
}

test('verify-ca and verify-full accept a certificate of the given authority', async t => {
  t.deepEqual(await session('localhost', `sslmode=verify-full&sslrootcert=${certificate}`), [{ssl: true}])
  t.deepEqual(await session('127.0.0.1', `sslmode=verify-ca&sslrootcert=${certificate}`), [{ssl: true}])
  t.deepEqual(await session('127.0.0.1', `sslmode=require&sslrootcert=${certificate}`), [{ssl: true}])
})

test('verify-full refuses a host that is not in the certificate', async t => {
  const error = await t.throwsAsync(session('127.0.0.1', `sslmode=verify-full&sslrootcert=${certificate}`), {
    instanceOf: Refusal,
  })

  t.regex(error?.message ?? '', /127\.0\.0\.1.*is not in the cert's list/)
})

for (const mode of ['verify-ca', 'verify-full']) {
  test(`${mode} refuses a certificate of an unknown authority`, async t => {
    const error = await t.throwsAsync(session('localhost', `sslmode=${mode}`), {instanceOf: Refusal})

    t.regex(error?.message ?? '', /self-signed certificate.*Give the authority that signed it as sslrootcert/)
  })
}

test('a statement is cancelled over TLS too, and its connection still works', async t => {
  const address = parseDatabaseUrl(`postgres://quadstead@localhost:${port}/postgres?sslmode=require`)
  const {database} = await openDatabase(address, {connectionMax: 1, prepare: 'auto', statementTimeoutMs: 0, waitMs: 0})
  const signal = AbortSignal.timeout(50)

  const error = await t.throwsAsync(database.query('select pg_sleep(20)', [], {signal}))

  t.like(error, {status: 503, rule: 'query-timeout'})
  t.deepEqual(await database.query('select 1 as n'), [{n: 1}])
  await database.end()
})

test('a server that requires TLS refuses a connection without it, with advice', async t => {
  const error = await t.throwsAsync(
    useService(t, {DATABASE_URL: requiredUrl('sslmode=disable'), DATABASE_WAIT_MS: '0'}),
    {
      instanceOf: Refusal,
    },
  )

  t.regex(error?.message ?? '', /pg_hba\.conf rejects connection .*no encryption.*set sslmode=verify-full/)
})

for (const parameters of ['', `sslmode=verify-full`]) {
  test(`a service works with such a server ${parameters === '' ? 'by default' : `with ${parameters}`}`, async t => {
    const trusted = parameters === '' ? '' : `${parameters}&sslrootcert=${certificate}`
    const service = await useService(t, {DATABASE_URL: requiredUrl(trusted)})
    const headers = {'Content-Type': 'text/turtle', Slug: `a${parameters.length}`}

    const created = await service.send({method: 'POST', headers, body: '<> <http://e/p> 1 .'})
    const read = await service.send({path: `/a${parameters.length}/`})
    const asked = await service.send({path: `/sparql?query=${encodeURIComponent('ask { ?s <http://e/p> 1 }')}`})
    const ready = await service.send({path: '/ready'})

    t.deepEqual(
      [created, read, asked, ready].map(({status}) => status),
      [201, 200, 200, 200],
    )
  })
}

function requiredUrl(parameters: string): string {
  return `postgres://required@localhost:${port}/postgres?${parameters}`
}

/** The role `required` may connect over TLS only, as on managed servers. */
async function requireTls(clusterDirectory: string): Promise<void> {
  const file = join(clusterDirectory, 'pg_hba.conf')
  await writeFile(file, `hostnossl all required all reject\n${await readFile(file, 'utf8')}`)
}

/** A self-signed certificate for localhost. Only the server's account can read the key. */
async function makeCertificate(directory: string, clusterDirectory: string): Promise<void> {
  const key = join(directory, 'server.key')
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    {stdio: 'ignore'},
  )
  const {uid, gid} = await stat(clusterDirectory)
  for (const name of ['server.crt', 'server.key']) {
    const copy = join(clusterDirectory, name)
    await copyFile(join(directory, name), copy)
    await chmod(copy, 0o600)
    await chown(copy, uid, gid)
  }
}
