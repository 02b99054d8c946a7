/** Request targets: normal form, and invalid ones. */
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../../src/base/problem.ts'
import {readRequestTarget} from '../../../src/http/request-target.ts'

const accepted: [string, string, string | undefined][] = [
  ['/', '/', undefined],
  ['/a', '/a', undefined],
  ['/a/', '/a/', undefined],
  ['/a/b/c/', '/a/b/c/', undefined],
  ['/.system/platform/', '/.system/platform/', undefined],
  ['/a.b/..c/d../...', '/a.b/..c/d../...', undefined],
  ["/~-_!$&'()*+,;=:@/", "/~-_!$&'()*+,;=:@/", undefined],
  ['/?', '/', ''],
  ['/a/?query=ASK%20%7B%7D', '/a/', 'query=ASK%20%7B%7D'],
  ['/a?b?c=//../', '/a', 'b?c=//../'],
  ['/a?x={"y":[|^`\\]}', '/a', 'x={"y":[|^`\\]}'],
  // Normal form: unreserved characters bare, hexadecimal digits in upper case, reserved ones as written.
  ['/%41%5a%61%7a%30%2d%5F%7e/', '/AZaz0-_~/', undefined],
  ['/a%c3%b1o/', '/a%C3%B1o/', undefined],
  ['/a%20b%2cc,d/', '/a%20b%2Cc,d/', undefined],
  ['/a%2fb/', '/a%2Fb/', undefined],
  ['/a%5cb/', '/a%5Cb/', undefined],
  ['/%2541/', '/%2541/', undefined],
  ['/a%2eb/', '/a.b/', undefined],
  ['/%E6%97%A5%F0%9F%98%80', '/%E6%97%A5%F0%9F%98%80', undefined],
  // Absolute form, and the server itself.
  ['http://host/path/', '/path/', undefined],
  ['HTTPS://host:8080/a%41?b', '/aA', 'b'],
  ['http://host', '/', undefined],
  ['http://host?a=b', '/', 'a=b'],
  ['*', '*', undefined],
]

for (const [target, path, query] of accepted)
  test(`target ${target} is path ${path}, query ${query}`, t => {
    t.deepEqual(readRequestTarget(target), {path, query})
  })

const refused: [string, string][] = [
  ['', 'it does not start with a slash'],
  ['a/b', 'it does not start with a slash'],
  ['?a', 'it does not start with a slash'],
  ['host:443', 'it does not start with a slash'],
  ['ftp://host/a', 'it does not start with a slash'],
  ['http:///a', 'it does not start with a slash'],
  ['//', 'it contains an empty segment'],
  ['//host/a', 'it contains an empty segment'],
  ['/a//b/', 'it contains an empty segment'],
  ['/a/b//', 'it contains an empty segment'],
  ['http://host//a', 'it contains an empty segment'],
  ['/.', 'it contains a dot segment'],
  ['/..', 'it contains a dot segment'],
  ['/a/./b', 'it contains a dot segment'],
  ['/a/../b/', 'it contains a dot segment'],
  ['/a/%2e%2E/b', 'it contains a dot segment'],
  ['/.%2e/', 'it contains a dot segment'],
  ['/%2e', 'it contains a dot segment'],
  ['/a b', 'it contains a character that must be percent-encoded'],
  ['/a\\b', 'it contains a character that must be percent-encoded'],
  ['/a\u00e9', 'it contains a character that must be percent-encoded'],
  ['/a\u0000', 'it contains a character that must be percent-encoded'],
  ['/a\u007f', 'it contains a character that must be percent-encoded'],
  ['/a#b', 'it contains a character that must be percent-encoded'],
  ['/<a>', 'it contains a character that must be percent-encoded'],
  ['/{a|b}', 'it contains a character that must be percent-encoded'],
  ['/a%', 'it contains a % that does not start an escape'],
  ['/a%4', 'it contains a % that does not start an escape'],
  ['/a%zz', 'it contains a % that does not start an escape'],
  ['/a%%41', 'it contains a % that does not start an escape'],
  ['/a%00', 'it contains an escaped control character'],
  ['/a%0d%0a', 'it contains an escaped control character'],
  ['/a%1F', 'it contains an escaped control character'],
  ['/a%7f', 'it contains an escaped control character'],
  ['/%E9', 'its escapes are not UTF-8'],
  ['/%C0%AF', 'its escapes are not UTF-8'],
  ['/%ED%A0%80', 'its escapes are not UTF-8'],
  ['/%C3/%B1', 'its escapes are not UTF-8'],
  ['/a?b c', 'the query contains a character that must be percent-encoded'],
  ['/a?b#c', 'the query contains a character that must be percent-encoded'],
  ['/a?\u00e9', 'the query contains a character that must be percent-encoded'],
  ['/a?%', 'it contains a % that does not start an escape'],
  ['/a?%00', 'it contains an escaped control character'],
  ['/a?%ff', 'its escapes are not UTF-8'],
]

for (const [target, reason] of refused)
  test(`target ${JSON.stringify(target)} is a 400: ${reason}`, t => {
    const error = t.throws(() => readRequestTarget(target))

    t.like(error, {status: 400, rule: 'uri-valid'})
    t.true(error?.message.endsWith(`is not valid: ${reason}`), error?.message)
  })

test('a query may contain escaped line ends', t => {
  t.deepEqual(readRequestTarget('/?query=ASK%0A%7B%7D'), {path: '/', query: 'query=ASK%0A%7B%7D'})
})

test('a target as long as the limit is read, a longer one is a 414', t => {
  const target = `/${'a'.repeat(7999)}`

  t.is(readRequestTarget(target).path, target)
  t.like(
    t.throws(() => readRequestTarget(`${target}a`)),
    {
      status: 414,
      rule: 'uri-length',
      message: 'The URI has 8001 bytes; 8000 are allowed',
    },
  )
  t.like(
    t.throws(() => readRequestTarget('/abc', {limitBytes: 3})),
    {status: 414},
  )
})

const pieces = fc.constantFrom(
  ...[
    '/',
    '.',
    '%2e',
    '%2F',
    '%41',
    '%c3%b1',
    '%',
    'a',
    ',',
    '%2c',
    '?',
    '#',
    ' ',
    '\\',
    'http://h',
    '%00',
    '\u00e9',
    '*',
  ],
)
const anyTarget = fc.oneof(
  fc.string({unit: 'binary-ascii'}),
  fc.array(pieces, {maxLength: 20}).map(parts => parts.join('')),
  fc.array(pieces, {maxLength: 20}).map(parts => `/${parts.join('')}`),
)

test('the normal form is its own normal form, and the only error is a Problem', t => {
  fc.assert(
    fc.property(anyTarget, target => {
      try {
        const {path, query} = readRequestTarget(target)
        const again = readRequestTarget(query === undefined ? path : `${path}?${query}`)
        return again.path === path && again.query === query && !/\/(?:\/|\.\.?(?:\/|$))/.test(path)
      } catch (error) {
        return error instanceof Problem && error.rule === 'uri-valid'
      }
    }),
    {numRuns: 2000},
  )
  t.pass()
})
