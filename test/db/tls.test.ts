/** Each sslmode with a server whose certificate authority is unknown. */
import {execFileSync} from 'node:child_process'
import {chmod, chown, copyFile, mkdtemp, rm, stat} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import ava from 'ava'
import {Refusal} from '../../src/base/refusal.ts'
import {parseDatabaseUrl} from '../../src/db/connection/address.ts'
import {openDatabase} from '../../src/db/connection/connect.ts'
import {startEmbedded} from '../../src/db/embedded/embedded.ts'
import {canRun, freePort} from '../support/machine.ts'
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
