/** Parses connection URIs. */
import test from 'ava'
import {Refusal} from '../../../src/base/refusal.ts'
import {describeAddress, parseDatabaseUrl} from '../../../src/db/connection/address.ts'

test('a URL gives host, user and database, and TLS is preferred', t => {
  t.deepEqual(
    parseDatabaseUrl('postgres://us%40er:p%3Ass@db.example:6432/my%20data?application_name=a&connect_timeout=3'),
    {
      hosts: [{host: 'db.example', port: 6432}],
      socketPath: undefined,
      user: 'us@er',
      password: 'p:ss',
      database: 'my data',
      tls: 'prefer',
      targetSessionAttributes: undefined,
      connectTimeoutSeconds: 3,
      parameters: {application_name: 'a'},
    },
  )
})

test('several hosts, IPv6 among them, keep their ports', t => {
  const {hosts, targetSessionAttributes} = parseDatabaseUrl(
    'postgresql://a:1,[::1]:2,c/x?target_session_attrs=read-write&port=7',
  )

  t.deepEqual(hosts, [
    {host: 'a', port: 1},
    {host: '::1', port: 2},
    {host: 'c', port: 7},
  ])
  t.is(targetSessionAttributes, 'read-write')
})

test('a host that is a folder means a Unix socket, without TLS', t => {
  const address = parseDatabaseUrl('postgres://u@localhost/x?host=%2Frun%2Fpostgresql')

  t.is(address.socketPath, '/run/postgresql/.s.PGSQL.5432')
  t.is(address.tls, false)
})

test('an address is described without its password', t => {
  t.is(describeAddress(parseDatabaseUrl('postgres://u:secret@[::1]/x')), '[::1]:5432, database x, user u')
})

for (const [mode, tls] of [
  ['disable', false],
  ['prefer', 'prefer'],
  ['require', {rejectUnauthorized: false}],
] as const) {
  test(`sslmode=${mode}`, t => {
    t.deepEqual(parseDatabaseUrl(`postgres://h/x?sslmode=${mode}`).tls, tls)
  })
}

for (const [url, reason] of [
  ['mysql://h/x', /it must start with postgres/],
  ['postgres://h/x?sslmode=on', /its sslmode "on" is none of/],
  ['postgres://h/x?pgbouncer=true', /its parameter pgbouncer is not known/],
  ['postgres://h:99999/x', /its port "99999" is not a number/],
  ['postgres://h/x?sslmode=verify-ca&sslrootcert=/none', /its file \/none cannot be read/],
  ['postgres://h/100%', /"%" that starts no escape/],
  ['postgres://1.2.3.4,b/x?sslmode=verify-full', /needs names, not addresses/],
] as const) {
  test(`${url} is refused with its reason`, t => {
    const error = t.throws(() => parseDatabaseUrl(url), {instanceOf: Refusal, message: reason})
    t.is(error?.exitCode, 78)
  })
}
