/** Servers that cannot be used, simulated by a fake one. */
import test, {type ExecutionContext} from 'ava'
import {subscribe} from '../../../src/base/observation.ts'
import {Refusal} from '../../../src/base/refusal.ts'
import {parseDatabaseUrl} from '../../../src/db/connection/address.ts'
import {openDatabase} from '../../../src/db/connection/connect.ts'
import {isDriverPatched} from '../../../src/db/connection/driver.ts'
import {type FakeServer, startFakeServer, startRefusingServer} from '../../support/fake-server.ts'

async function refusal(t: ExecutionContext, server: FakeServer, parameters = '', waitMs = 0): Promise<string> {
  t.teardown(server.close)
  const address = parseDatabaseUrl(`postgres://user:secret@127.0.0.1:${server.port}/data${parameters}`)
  const opening = openDatabase(address, {connectionMax: 1, prepare: 'auto', statementTimeoutMs: 0, waitMs})
  const error = await t.throwsAsync(opening, {instanceOf: Refusal})
  return (error?.message ?? '').replaceAll(String(server.port), 'PORT')
}

test('a server older than PostgreSQL 15 is refused with its version', async t => {
  t.is(
    await refusal(t, await startFakeServer('140012', '14.12 (Debian 14.12-1)')),
    'PostgreSQL 14.12 (Debian 14.12-1) at 127.0.0.1:PORT, database data, user user is too old: Quadstead needs ' +
      'PostgreSQL 15 or newer.',
  )
})

test('a refused password and a missing database are reported at once, with what to do', async t => {
  t.is(
    await refusal(t, await startRefusingServer('28P01', 'password authentication failed'), '', 60_000),
    'PostgreSQL at 127.0.0.1:PORT, database data, user user cannot be used: password authentication failed. ' +
      'Look at the user, the password and pg_hba.conf.',
  )
  t.is(
    await refusal(t, await startRefusingServer('3D000', 'database "data" does not exist'), '', 60_000),
    'PostgreSQL at 127.0.0.1:PORT, database data, user user cannot be used: database "data" does not exist. ' +
      'Create the database first (createdb).',
  )
})

test('waits for a server that is starting, and names it if it takes too long', async t => {
  const heard: string[] = []
  t.teardown(subscribe(({kind}) => heard.push(kind)))

  const message = await refusal(t, await startRefusingServer('57P03', 'the database system is starting up'), '', 2000)

  t.regex(message, /cannot be used: the database system is starting up\./)
  t.true(heard.includes('database-awaited'))
})

test('a server without TLS is refused with the reason if TLS is required', async t => {
  t.is(
    await refusal(t, await startFakeServer('180000', '18.0'), '?sslmode=require'),
    'PostgreSQL at 127.0.0.1:PORT, database data, user user cannot be used: wrong version number. Perhaps it ' +
      'does not speak TLS, which sslmode asks for.',
  )
})

test('the driver is patched', t => {
  t.true(isDriverPatched())
})
