/** Lists of origins with wildcards. */
import test from 'ava'
import {isAllowedOrigin, readOrigins} from '../../../src/http/origins.ts'

const table = [
  ['https://app.example.org', ['https://app.example.org'], ['http://app.example.org', 'https://example.org', 'null']],
  ['https://A.example.org:443', ['https://a.example.org', 'https://a.example.org:443'], ['https://a.example.org:444']],
  ['http://localhost:*', ['http://localhost', 'http://localhost:3000'], ['https://localhost', 'http://localhost.evil']],
  ['https://*.example.org', ['https://a.b.example.org'], ['https://example.org', 'https://evilexample.org']],
  ['http://[::1]:*, https://x.org', ['http://[::1]:80', 'https://x.org'], ['http://[::2]']],
  ['*', ['https://anything', 'null'], []],
  ['none', [], ['https://anything', 'null']],
] as const

for (const [rules, allowed, refused] of table) {
  test(`${rules} means ${allowed.join(', ') || 'nobody'}`, t => {
    const read = readOrigins(rules) ?? []

    t.deepEqual(
      [...allowed, ...refused].filter(origin => isAllowedOrigin(read, origin)),
      [...allowed],
    )
  })
}

test('an invalid list of origins is refused', t => {
  const bad = ['', 'example.org', 'https://', 'https://a/b', 'https://a*b.org', 'https://a:port', 'https://a.org *.org']

  t.deepEqual(
    bad.filter(text => readOrigins(text) !== undefined),
    [],
  )
})
