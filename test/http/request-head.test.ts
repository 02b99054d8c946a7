/** Rules for the head of every request: a known method, one known Host, single fields once. */
import test from 'ava'
import {agentOf, startGuarded} from '../support/access.ts'
import {sendBytes} from '../support/client.ts'
import {create, turtle} from '../support/documents.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

type Head = {readonly method?: string; readonly target?: string; readonly version?: string}

/** Sends a request as written. Returns the status and, for an error, its rule. */
async function ask(lines: readonly string[], {method = 'GET', target = '/', version = '1.1'}: Head = {}, body = '') {
  const head = [`${method} ${target} HTTP/${version}`, ...lines, 'Connection: close', '', body].join('\r\n')
  return outcomesIn(await sendBytes(service.url, head))[0]
}

function outcomesIn(answer: string): readonly string[] {
  return answer.split(/(?=HTTP\/1\.1 \d{3} )/).map(each => {
    const [, status = ''] = /^HTTP\/1\.1 (\d{3})/.exec(each) ?? []
    const [, rule] = /"title":"([^"]+)"/.exec(each) ?? []
    return rule === undefined ? status : `${status} ${rule}`
  })
}

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']
const targets = [
  '/kept/',
  '/',
  '/sparql',
  '/sparql?query=ASK%20%7B%7D',
  '/.system/platform/',
  '/.well-known/void',
  '/live',
  '/ready',
  '/metrics',
  '/errors',
  '/openapi.json',
  '/none',
  '*',
  '//',
]

test('a page whose name resolves to the address of the service reads and changes nothing, by any method', async t => {
  const {path, etag} = await create(t, service, {slug: 'kept', body: '<> <http://e.example/p> "kept" .'})
  const before = await service.send({path})
  const page = (host: string) => [`Host: ${host}`, `Origin: http://${host}`, `If-Match: ${etag}`, 'Content-Length: 0']
  for (const host of ['evil.example', `evil.example:${new URL(service.url).port}`])
    for (const method of methods)
      for (const target of targets) {
        const lines = [`${method} ${target} HTTP/1.1`, ...page(host), 'Accept: text/html', 'Connection: close', '', '']
        const said = await sendBytes(service.url, lines.join('\r\n'))
        t.regex(said, /^HTTP\/1\.1 421 Misdirected Request\r\n/, `${method} ${target}`)
        t.notRegex(said, /access-control-|etag/i, `${method} ${target}`)
        const preflight = [...page(host), 'Access-Control-Request-Method: DELETE']
        t.is(await ask(preflight, {method, target}), method === 'HEAD' ? '421' : '421 host-known')
      }
  t.deepEqual([(await service.send({path})).text, (await service.send({path})).headers.etag], [before.text, etag])
})

test('a preflight for an unknown host is refused, even from an allowed origin', async t => {
  const lines = ['Origin: http://localhost:3000', 'Access-Control-Request-Method: DELETE']

  t.is(await ask(['Host: localhost', ...lines], {method: 'OPTIONS'}), '204')
  t.is(await ask(['Host: evil.example', ...lines], {method: 'OPTIONS'}), '421 host-known')
})

test('hosts of this machine are known, with any port, but not hosts that resemble them', async t => {
  for (const host of [
    'localhost',
    'LOCALHOST:1',
    'localhost.',
    'a.localhost:8080',
    '127.0.0.1',
    '127.1.2.3:80',
    '[::1]',
    '[::1]:8080',
  ])
    t.is(await ask([`Host: ${host}`]), '200', host)
  for (const host of [
    'localhost.evil.example',
    'evillocalhost',
    '127.0.0.1.evil.example',
    '192.0.2.1',
    '0.0.0.0',
    '[::2]',
    '',
  ])
    t.is(await ask([`Host: ${host}`]), '421 host-known', host)
})

test('the host of a target in absolute form must be known as well', async t => {
  const {path} = await create(t, service, {slug: 'absolute'})
  const known = ['Host: localhost']

  t.is(await ask(known, {target: `http://127.0.0.1${path}`}), '200')
  t.is(await ask(known, {target: `http://evil.example${path}`, method: 'DELETE'}), '421 host-known')
  t.is(await ask(['Host: evil.example'], {target: `http://localhost${path}`, method: 'DELETE'}), '421 host-known')
  t.is((await service.send({path})).status, 200)
})

test('the hosts of BASE_URL and ALLOWED_HOSTS are known', async t => {
  const named = await useService(t, {
    BASE_URL: 'https://data.example:8443/x/',
    ALLOWED_HOSTS: 'other.example *.sub.example',
  })
  const get = async (host: string) => (await named.send({path: '/x/', headers: {Host: host}})).status
  t.deepEqual(
    await Promise.all(['data.example', 'Data.Example:8443', 'other.example:1', 'a.sub.example', 'localhost'].map(get)),
    [200, 200, 200, 200, 200],
  )
  t.deepEqual(await Promise.all(['sub.example', 'x.other.example', '192.0.2.1'].map(get)), [421, 421, 421])

  const any = await useService(t, {ALLOWED_HOSTS: '*'})
  t.is((await any.send({headers: {Host: 'evil.example'}})).status, 200)
})

test('with access control a caller needs credentials, and Host does not matter unless hosts are listed', async t => {
  const guarded = await startGuarded()
  t.teardown(guarded.stop)
  const listed = await startGuarded({ALLOWED_HOSTS: 'data.example'})
  t.teardown(listed.stop)
  const get = async ({sendAs}: typeof guarded, host: string) => (await sendAs('root', {headers: {Host: host}})).status

  t.is(agentOf('root'), 'http://agents.example/root#me')
  t.deepEqual([await get(guarded, 'any.example'), await get(listed, 'any.example')], [200, 421])
  t.deepEqual([await get(listed, 'data.example'), await get(listed, 'localhost')], [200, 200])
})

test('a request must have one valid Host', async t => {
  const [known, other] = ['Host: localhost', 'Host: evil.example']

  t.is(await ask([known, other]), '400 host-single')
  t.is(await ask([known, known]), '400 host-single')
  t.is(await ask([known, 'X: y', 'hOST: localhost'], {target: 'http://localhost/'}), '400 host-single')
  t.is(await ask([]), '400 host-valid')
  t.is(await ask([], {version: '1.0'}), '200')
  t.is(await ask([other], {version: '1.0'}), '421 host-known')
  for (const bad of [
    'localhost, localhost',
    'a b',
    'user@localhost',
    'localhost/',
    'http://localhost',
    '[',
    'localhost:x',
    'l\u00f6',
  ])
    t.is(await ask([`Host: ${bad}`]), '400 host-valid', bad)
})

test('an unknown method is a 501, before other errors of the request', async t => {
  for (const method of ['BREW', 'PROPFIND', 'M-SEARCH', 'SOURCE', 'CONNECT', 'get', 'DESCRIBE'])
    for (const [lines, target] of [
      [['Host: localhost'], '/'],
      [['Host: localhost'], '/none/'],
      [['Host: localhost'], '//'],
      [['Host: localhost'], `/${'x'.repeat(9000)}`],
      [['Host: evil.example'], '/'],
      [['Host: localhost', 'Host: localhost'], '/sparql'],
      [[], '/live'],
    ] as const)
      t.is(await ask(lines, {method, target}), '501 method-known', `${method} ${target.slice(0, 9)} ${lines}`)
})

test('fields with one value may occur once; If-Match in several lines is one list', async t => {
  const {path, etag} = await create(t, service, {slug: 'single'})
  const lines = (...more: readonly string[]) => ['Host: localhost', ...more]
  const empty = 'Content-Length: 0'

  t.is(await ask(lines('Authorization: Bearer a', 'Authorization: Bearer b')), '400 field-single')
  t.is(
    await ask(lines('Content-Type: text/turtle', 'Content-Type: text/ldpatch', empty), {method: 'POST'}),
    '400 field-single',
  )
  const date = 'If-Unmodified-Since: Sun, 22 Nov 2026 13:00:00 GMT'
  t.is(await ask(lines(date, date)), '400 field-single')
  const remove = {method: 'DELETE', target: path}
  t.is(await ask(lines('If-Match: "a"', 'If-Match: "b"'), remove), '412 etag-mismatch')
  t.is(await ask(lines('If-Match: "a"', `If-Match: ${etag}`), remove), '204')
})

test('a request whose end is ambiguous is a 400 that closes the connection', async t => {
  const {path} = await create(t, service, {slug: 'smuggled'})
  const hidden = `DELETE ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const length = `Content-Length: ${hidden.length}`
  const ambiguous: readonly (readonly string[])[] = [
    ['Content-Length: 0', length],
    [length, 'Content-Length: 0'],
    ['Content-Length: 0', 'Content-Length: 0'],
    [`Content-Length: 0, ${hidden.length}`],
    ['Content-Length: +0'],
    ['Content-Length: 0x0'],
    ['Content-Length: -1'],
    ['Content-Length : 0'],
    ['Transfer-Encoding: chunked', 'Content-Length: 5'],
    ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked, identity'],
    ['Transfer-Encoding: identity', 'Content-Length: 5'],
    ['Transfer-Encoding: xchunked'],
    ['Transfer-Encoding : chunked'],
    ['Transfer-Encoding:\u000bchunked'],
    [' Transfer-Encoding: chunked'],
  ]
  for (const lines of ambiguous) {
    const head = ['POST / HTTP/1.1', 'Host: localhost', 'Content-Type: text/turtle', ...lines, '', ''].join('\r\n')
    const answers = outcomesIn(await sendBytes(service.url, `${head}0\r\n\r\n${hidden}`))
    t.deepEqual(answers, ['400 request-syntax'], lines.join(' | '))
  }
  t.is((await service.send({path})).status, 200)
  t.is((await service.send({method: 'POST', headers: turtle, body: ''})).status, 201)
})
