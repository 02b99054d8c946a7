/** Webhooks: signatures, waits between attempts, and addresses that are not public. */

import {readFileSync} from 'node:fs'
import test from 'ava'
import fc from 'fast-check'
import {Webhook} from 'standardwebhooks'
import {waitAfter} from '../../../src/base/backoff.ts'
import {writeHookMessage} from '../../../src/hooks/deliver.ts'
import {showSecret, signMessage} from '../../../src/hooks/signature.ts'
import {isPublicAddress} from '../../../src/http/public-address.ts'

test('the published library verifies every signature, and refuses a changed message', t => {
  fc.assert(
    fc.property(fc.uint8Array({minLength: 24, maxLength: 64}), fc.json(), (secret, body) => {
      const headers = signMessage({id: 'chg_1', body}, secret, new Date())
      const webhook = new Webhook(showSecret(secret))
      t.deepEqual(webhook.verify(body, headers), JSON.parse(body))
      t.throws(() => webhook.verify(`${body} `, headers))
    }),
    {numRuns: 50},
  )
})

test('waits double up to six hours, less a quarter at most, and respect Retry-After', t => {
  const backoff = {firstMs: 5000, attempts: 20}
  const wait = (failures: number, random: number, askedMs?: number) => waitAfter(failures, backoff, {random, askedMs})

  t.deepEqual(
    [1, 2, 3, 13, 14, 100].map(failures => wait(failures, 0)),
    [5000, 10_000, 20_000, 20_480_000, 21_600_000, 21_600_000],
  )
  t.is(wait(1, 1), 3750)
  t.is(wait(1, 0, 60_000), 60_000)
  t.is(wait(1, 0, 10 ** 9), 21_600_000)
})

const privates = [
  '127.0.0.1 127.255.255.255 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 0.1.2.3',
  '192.0.0.8 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255',
  ':: ::1 ::ffff:8.8.8.8 ::ffff:127.0.0.1 64:ff9b::7f00:1 100::1 2001::1 2001:db8::1 2002:7f00:1:: fc00::1 fd00::1',
  'fe80::1 fec0::1 ff02::1 3fff::1 ::127.0.0.1',
].flatMap(line => line.split(' '))
const publics = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '172.15.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1']

test('only addresses of the public Internet are public', t => {
  t.deepEqual(privates.filter(isPublicAddress), [])
  t.deepEqual(publics.filter(isPublicAddress), publics)
})

test('the message of docs/changes.md is the one of its change', t => {
  const [, section = ''] = /\n## Webhooks\n(.*)/s.exec(readFileSync('docs/changes.md', 'utf8')) ?? []
  const [, example = ''] = /```json\n(.*?)```/s.exec(section) ?? []
  const time = new Date('2026-11-21T09:30:00Z')
  const change = {
    position: '1042',
    time,
    action: 'created',
    document: 'http://localhost:8080/books/emma/',
    oldDocument: undefined,
    parent: 'http://localhost:8080/books/',
    isAccessPoint: false,
    isRawGraph: false,
    isLarge: false,
    memberBy: undefined,
    isRenamed: false,
    accessPoints: [],
    before: undefined,
    after: '57',
    agent: undefined,
    request: '6e8bc430-9c3a-4d12-8f69-0800200c9a66',
    added: undefined,
    removed: undefined,
  } as const
  const {headers, body} = writeHookMessage(change, Buffer.from('secret'), time)

  t.deepEqual(JSON.parse(body), JSON.parse(example))
  t.deepEqual([headers['webhook-id'], headers['webhook-timestamp']], ['chg_1042', '1795253400'])
})
