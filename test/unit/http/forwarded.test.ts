/** The client of a request: only trusted proxies can state it. */
import {BlockList} from 'node:net'
import test from 'ava'
import {type ForwardedHeader, isIn, networkOf, readNetworks, senderOf} from '../../../src/http/forwarded.ts'

const rule = (header: ForwardedHeader, proxies = '10.0.0.0/8 ::1') => ({
  header,
  proxies: readNetworks(proxies) ?? new BlockList(),
})

const xForwardedFor: readonly (readonly [what: string, peer: string, values: readonly string[], sender: string])[] = [
  ['the peer only', '203.0.113.7', [], '203.0.113.7'],
  ['an untrusted peer', '203.0.113.7', ['198.51.100.1'], '203.0.113.7'],
  ['a trusted proxy', '10.0.0.1', ['198.51.100.1'], '198.51.100.1'],
  ['a client that invented the list', '10.0.0.1', ['1.1.1.1, 198.51.100.1'], '198.51.100.1'],
  ['two trusted proxies', '10.0.0.1', ['1.1.1.1, 198.51.100.1, 10.0.0.2'], '198.51.100.1'],
  ['a list in several lines', '10.0.0.1', ['1.1.1.1', '198.51.100.1', '10.0.0.2'], '198.51.100.1'],
  ['trusted ones only', '10.0.0.1', ['10.0.0.3, 10.0.0.2'], '10.0.0.3'],
  ['an address with a port', '10.0.0.1', ['198.51.100.1:4711'], '198.51.100.1'],
  ['an IPv6 address with brackets, port and zone', '::1', ['[2001:db8::1%eth0]:4711'], '2001:db8::1'],
  ['an IPv4 address in IPv6', '::ffff:10.0.0.1', ['::ffff:198.51.100.1'], '198.51.100.1'],
  ['an invalid list', '10.0.0.1', ['198.51.100.1, <script>'], '10.0.0.1'],
]
for (const [what, peer, values, sender] of xForwardedFor)
  test(`X-Forwarded-For of ${what}`, t => {
    t.is(senderOf(peer, values, rule('x-forwarded-for')), sender)
  })

const forwarded: readonly (readonly [value: string, sender: string])[] = [
  ['for=198.51.100.1', '198.51.100.1'],
  ['for=1.1.1.1;proto=https, FOR="198.51.100.1:80" ; by=10.0.0.1', '198.51.100.1'],
  ['for="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
  ['for=198.51.100.1, for=10.0.0.9', '198.51.100.1'],
  ['for=198.51.100.1, for=_hidden', '10.0.0.1'],
  ['for=198.51.100.1, for=unknown', '10.0.0.1'],
  ['by=10.0.0.1', '10.0.0.1'],
  ['for="198.51.100.1', '10.0.0.1'],
]
for (const [value, sender] of forwarded)
  test(`Forwarded: ${value}`, t => {
    t.is(senderOf('10.0.0.1', [value], rule('forwarded')), sender)
  })

test('networks and their names are read; anything else is refused', t => {
  const all = readNetworks('loopback, private 192.0.2.0/24 2001:db8::/32') ?? new BlockList()
  t.deepEqual(
    ['127.9.9.9', '::1', '10.1.2.3', '172.31.0.1', '192.0.2.200', '2001:db8:1::', '192.0.3.1', '2001:db9::', 'x'].map(
      address => isIn(all, address),
    ),
    [true, true, true, true, true, true, false, false, false],
  )
  for (const text of ['10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0', 'example.org', '10.0.0.1/x', '1.2.3.4/-1'])
    t.is(readNetworks(text), undefined, text)
})

test('an IPv6 caller is its network', t => {
  t.deepEqual(
    ['198.51.100.1', '2001:db8:0:1:2:3:4:5', '2001:db8::1', '::1', '2001:DB8:0:1::', '1:2:3:4:5:6:7::'].map(networkOf),
    ['198.51.100.1', '2001:db8:0:1::/64', '2001:db8:0:0::/64', '0:0:0:0::/64', '2001:db8:0:1::/64', '1:2:3:4::/64'],
  )
})
