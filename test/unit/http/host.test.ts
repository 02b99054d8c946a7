/** Host fields, and lists of hosts. */
import test from 'ava'
import fc from 'fast-check'
import {hostOfTarget, isListedHost, isLoopbackHost, readHost, readHosts} from '../../../src/http/host.ts'

for (const [value, host] of [
  ['localhost', 'localhost'],
  ['LocalHost:8080', 'localhost'],
  ['localhost.', 'localhost'],
  ['example.org:', 'example.org'],
  ['127.0.0.1:80', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['[::0001]:8080', '[::1]'],
  ['a_b', 'a_b'],
  ['', ''],
  ['localhost, evil.example', undefined],
  ['localhost,evil.example', 'localhost,evil.example'],
  ['user@localhost', undefined],
  ['localhost/x', undefined],
  ['localhost\\x', undefined],
  ['localhost#', undefined],
  ['localhost?', undefined],
  ['localhost:8a', undefined],
  ['localhost:99999', undefined],
  ['[::1', undefined],
  ['::1', undefined],
  ['a b', undefined],
  ['lo\u00e4', undefined],
  ['%zz', undefined],
] as const)
  test(`the Host ${JSON.stringify(value)} is ${host === undefined ? 'none' : JSON.stringify(host)}`, t => {
    t.is(readHost(value), host)
  })

test('any Host gives a host or none, and a host gives itself', t => {
  fc.assert(
    fc.property(fc.string({unit: 'binary'}), value => {
      const host = readHost(value)
      return host === undefined || readHost(host) === host
    }),
  )
  t.pass()
})

test('the host of a target is that of its absolute form only', t => {
  t.deepEqual(
    ['http://LOCALHOST:1/a', 'HTTPS://a.example?x', '/http://a/', '*', 'a.example:443', 'http://', 'mailto:x'].map(
      hostOfTarget,
    ),
    ['localhost', 'a.example', undefined, undefined, undefined, undefined, undefined],
  )
})

test('a list of hosts has names, addresses, all names below a name, and * for any', t => {
  const list = readHosts('example.org, *.Example.NET 192.0.2.1 ::1') ?? {isAny: true, names: new Set(), suffixes: []}
  const listed = (host: string) => isListedHost(list, host)

  t.true(['example.org', 'a.example.net', 'a.b.example.net', '192.0.2.1', '[::1]'].every(listed))
  t.false(['a.example.org', 'example.net', 'aexample.net', '192.0.2.2', ''].some(listed))
  t.true(isListedHost(readHosts('*') ?? list, 'anything.example'))
  for (const bad of ['example.org:80', '*x', 'a*b', '*.', ' ', 'http://a/', '[::1]:80'])
    t.is(readHosts(bad), undefined, bad)
})

test('loopback hosts are those that DNS cannot change', t => {
  t.true(['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]'].every(isLoopbackHost))
  t.false(
    ['localhost.example', 'xlocalhost', '128.0.0.1', '127.0.0.1.example', '[::2]', '0.0.0.0', ''].some(isLoopbackHost),
  )
})
