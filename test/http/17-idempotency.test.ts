/** Requests with an Idempotency-Key (docs/interface.md, Repeating requests). */
import {randomUUID} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {setTimeout as delay} from 'node:timers/promises'
import test, {type ExecutionContext} from 'ava'
import {hashKey, makeKey} from '../../src/authentication/keys.ts'
import {createKey} from '../../src/db/store/keys.ts'
import {agentOf, startGuarded} from '../support/access.ts'
import type {Received, Sent} from '../support/client.ts'
import {answerOf, create, saidOf, turtle} from '../support/documents.ts'
import {brokenInvariants, childrenOf, ex, ldpatch, ruleOf} from '../support/members.ts'
import {rewriteReadme} from '../support/readme.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(async t => {
  t.deepEqual(await brokenInvariants(service), [])
  await service.stop()
})

const update = {'Content-Type': 'application/sparql-update'}
const json = {'Content-Type': 'application/json'}
const outcome = (answer: Received) =>
  answer.status < 400 ? String(answer.status) : `${answer.status} ${ruleOf(answer)}`
const said = async (path: string, of = service) => (await saidOf(of, path)).map(line => line.replace(/\^\^.*/, ''))

/** Sends a request with a key. */
function sendOnce(key: string, {headers = {}, ...sent}: Sent, to = service): Promise<Received> {
  return to.send({method: 'POST', ...sent, headers: {'Idempotency-Key': key, ...headers}})
}

/** Sends a request twice with one key. Fails if the responses differ. @returns the response */
async function twice(t: ExecutionContext, sent: Sent): Promise<Received> {
  const key = `"${randomUUID()}"`
  const first = await sendOnce(key, sent)
  const second = await sendOnce(key, sent)
  t.deepEqual(answerOf(t, second), answerOf(t, first))
  t.not(second.headers['x-request-id'], first.headers['x-request-id'])
  return second
}

/** Runs work while another transaction holds the lock on the row of a document. */
function whileLocked<Result>(of: TestService, path: string, work: () => Promise<Result>): Promise<Result> {
  return of.database.database.begin('read committed', async transaction => {
    await transaction.query(
      'select from quadstead.document as d join quadstead.term as t using (id) where t.lex = $1 for update of d',
      [of.base + path.slice(1)],
    )
    return work()
  })
}

/** The number of transactions with a key that run now. */
async function runningKeys(of: TestService): Promise<number> {
  const text = `select count(*)::int as held from pg_locks as l join pg_database as d on d.oid = l.database
    where l.locktype = 'advisory' and l.granted and d.datname = current_database()`
  const [row] = await of.database.database.query<{readonly held: number}>(text)
  return row?.held ?? 0
}

const increment = `DELETE { <> <${ex}n> ?n } INSERT { <> <${ex}n> ?m } WHERE { <> <${ex}n> ?n BIND (?n + 1 AS ?m) }`

test('a repeated POST creates one document and gets the first response', async t => {
  const {path} = await create(t, service, {slug: 'repeated'})
  const made = await twice(t, {path, headers: turtle, body: '<> <http://e/p> 1 .'})
  const slug = await twice(t, {path, headers: {...turtle, Slug: 'named', Prefer: 'return=representation'}, body: ''})

  t.deepEqual([made.status, slug.status], [201, 201])
  t.is(slug.headers.location, `${service.base}repeated/named/`)
  t.regex(slug.text, /c:created/)
  t.is((await childrenOf(service, path)).length, 2)
})

test('a repeated PATCH or update changes documents once', async t => {
  const {path} = await create(t, service, {slug: 'counted', body: `<> <${ex}n> 1 .`})
  const insert = `INSERT { GRAPH ?d { ?d <${ex}m> ?m } } WHERE { ?d <${ex}n> 4 BIND (RAND() AS ?m) }`

  const patched = await twice(t, {method: 'PATCH', path, headers: update, body: increment})
  const updated = await twice(t, {path, headers: update, body: increment})
  const posted = await twice(t, {
    path: '/sparql',
    headers: update,
    body: increment.replaceAll('<>', `<${service.base}x>`),
  })
  const form = {'Content-Type': 'application/x-www-form-urlencoded'}
  const sent = {path: '/sparql', headers: form, body: `update=${encodeURIComponent(insert.replace(' 4 ', ' 3 '))}`}
  const formed = await twice(t, sent)
  const patch = `Bind ?x <> . Add {<> <${ex}k> [ <${ex}v> 1 ]} .`
  const ldPatched = await twice(t, {method: 'PATCH', path, headers: ldpatch, body: patch})

  t.deepEqual([patched, updated, posted, formed, ldPatched].map(outcome), [
    '204',
    '200',
    '422 update-graph',
    '200',
    '204',
  ])
  t.is(JSON.parse(formed.text).changed.length, 1)
  const lines = await said(path)
  t.deepEqual([lines.length, lines.filter(line => line.includes('#n>'))], [4, [`<> <${ex}n> "3"`]])
})

test('a batch with a key is one transaction: what succeeded is done once, what failed is not', async t => {
  const {path} = await create(t, service, {slug: 'batched', body: `<> <${ex}n> 1 .`})
  const requests = [
    {id: 'a', method: 'POST', url: path, headers: turtle, body: ''},
    {id: 'b', method: 'GET', url: '/nothing/'},
    {id: 'c', method: 'PATCH', url: path, headers: update, body: increment},
    {id: 'd', method: 'POST', url: path, headers: turtle, body: '', atomicityGroup: 'g'},
    {id: 'e', method: 'DELETE', url: '/nothing/', atomicityGroup: 'g'},
    {id: 'f', method: 'POST', url: '/', headers: {'Content-Type': 'application/sparql-query'}, body: 'ASK {}'},
    {id: 'g1', method: 'GET', url: '$a', headers: {accept: 'text/turtle'}},
  ]
  const headers = {...json, Prefer: 'continue-on-error'}
  const answer = await twice(t, {path: '/batch', headers, body: JSON.stringify({requests})})

  t.deepEqual(
    JSON.parse(answer.text).responses.map(({status}: {status: number}) => status),
    [201, 404, 204, 424, 404, 422, 200],
  )
  t.deepEqual(await said(path), [`<> <${ex}n> "2"`])
  t.is((await childrenOf(service, path)).length, 1)
})

test('a batch with a key is undone if a request cannot be done now, and can be repeated', async t => {
  const own = await useService(t, {STATEMENT_TIMEOUT_MS: '2000'})
  const paths = await Promise.all(
    ['free', 'locked'].map(async slug => (await create(t, own, {slug, body: `<> <${ex}n> 1 .`})).path),
  )
  const requests = paths.map((url, index) => ({id: `${index}`, method: 'PATCH', url, headers: update, body: increment}))
  const sent = {path: '/batch', headers: json, body: JSON.stringify({requests})}

  const refused = await whileLocked(own, '/locked/', () => sendOnce('"locked"', sent, own))
  const counts = () => Promise.all(paths.map(path => said(path, own)))

  t.deepEqual([refused.status, refused.headers['retry-after'] === undefined], [503, false], refused.text)
  t.deepEqual(await counts(), [[`<> <${ex}n> "1"`], [`<> <${ex}n> "1"`]])
  const [first, second] = [await sendOnce('"locked"', sent, own), await sendOnce('"locked"', sent, own)]
  t.deepEqual([first.status, second.text], [200, first.text])
  t.deepEqual(await counts(), [[`<> <${ex}n> "2"`], [`<> <${ex}n> "2"`]])
})

test('a key stands for one request of one caller', async t => {
  const guarded = await startGuarded()
  t.teardown(guarded.stop)
  await guarded.grant('/', {public: ['read', 'write'], authenticated: ['read', 'write']})
  const send = (who: string | undefined, sent: Sent) =>
    guarded.sendAs(who, {
      method: 'POST',
      path: '/',
      body: '',
      ...sent,
      headers: {...turtle, 'Idempotency-Key': '"k"', ...sent.headers},
    })
  const [ann, ben, nobody] = [await send('ann', {}), await send('ben', {}), await send(undefined, {})]

  t.deepEqual([ann, ben, nobody].map(outcome), ['201', '201', '201'])
  t.is(new Set([ann, ben, nobody].map(({headers}) => headers.location)).size, 3)
  t.is((await send('ann', {})).headers.location, ann.headers.location)
  const others = [
    await send('ann', {body: '<> <http://e/p> 1 .'}),
    await send('ann', {path: '/?x'}),
    await send('ann', {method: 'PATCH'}),
  ]
  t.deepEqual(others.map(outcome), Array(3).fill('422 idempotency-request'))

  const narrow = makeKey()
  const scope = {modes: ['read', 'create'] as const, within: null}
  await createKey(guarded.session, {
    ...scope,
    hash: hashKey(narrow),
    agent: agentOf('ann'),
    groups: [],
    name: 'narrow',
    expires: null,
  })
  const byNarrow = await send(undefined, {headers: {Authorization: `Bearer ${narrow}`}})
  t.is(outcome(byNarrow), '422 idempotency-request')
})

test('requests at once with one key do their work once; others than the first get a 409 or its response', async t => {
  const {path} = await create(t, service, {slug: 'at-once'})
  const answers = await Promise.all(
    Array.from({length: 20}, () =>
      sendOnce('at-once', {path, headers: turtle, body: `<> <http://e/p> "${'x'.repeat(99)}" .`}),
    ),
  )
  const made = answers.filter(({status}) => status === 201)

  t.deepEqual(
    answers.map(outcome).filter(one => one !== '201' && one !== '409 idempotency-running'),
    [],
  )
  t.is(new Set(made.map(({headers}) => headers.location)).size, 1)
  t.is((await childrenOf(service, path)).length, 1)
})

test('while the first request runs, others with its key are a 409', async t => {
  const own = await useService(t)
  const {path} = await create(t, own, {slug: 'running'})
  const sent = {path, headers: turtle, body: '<> <http://e/p> 1 .'}

  const [first, others] = await whileLocked(own, path, async () => {
    const running = sendOnce('running', sent, own)
    const begun = async () => (await runningKeys(own)) > 0
    while (!(await begun())) await delay(5)
    return [running, [await sendOnce('running', sent, own), await sendOnce('running', sent, own)]] as const
  })

  t.deepEqual(others.map(outcome), ['409 idempotency-running', '409 idempotency-running'])
  t.is((await first).status, 201)
  t.is((await sendOnce('running', sent, own)).text, (await first).text)
})

test('a refused request has changed nothing, and its key may be used again', async t => {
  const {path, etag} = await create(t, service, {slug: 'refused', body: `<> <${ex}n> 1 .`})
  const patch = {method: 'PATCH', path, body: increment}
  const stale = await sendOnce('again', {...patch, headers: {...update, 'If-Match': '"1"'}})
  const right = await sendOnce('again', {...patch, headers: {...update, 'If-Match': etag}})
  const repeated = await sendOnce('again', {...patch, headers: {...update, 'If-Match': etag}})

  t.deepEqual([stale, right, repeated].map(outcome), ['412 etag-mismatch', '204', '204'])
  t.is(repeated.headers.etag, right.headers.etag)
  t.deepEqual(await said(path), [`<> <${ex}n> "2"`])
})

test('a malformed key is refused; requests that can be repeated anyway ignore it', async t => {
  const malformed = ['', '""', 'a b', '"a', 'a, b', `"${'x'.repeat(256)}"`, ['a', 'b']]
  for (const key of malformed) {
    const headers = {...turtle, 'Idempotency-Key': key}
    t.is(outcome(await service.send({method: 'POST', path: '/', headers, body: ''})), '400 idempotency-syntax')
  }
  const headers = {'Idempotency-Key': 'a b'}
  const query = {'Content-Type': 'Application/SPARQL-Query ; charset=utf-8', ...headers}
  t.is((await service.send({path: '/', headers})).status, 200)
  t.is((await service.send({method: 'DELETE', path: '/nothing/', headers})).status, 404)
  t.is((await service.send({method: 'POST', path: '/', headers: query, body: 'ASK {}'})).status, 200)
  const {location} = (await sendOnce('"same"', {path: '/', headers: turtle, body: ''})).headers
  t.is((await sendOnce('same', {path: '/', headers: turtle, body: ''})).headers.location, location)
})

test('a response expires; expired ones are deleted in portions', async t => {
  const brief = await useService(t, {IDEMPOTENCY_KEPT_MS: '60000'})
  const {database} = brief.database
  const post = (key: string) => sendOnce(key, {path: '/', headers: turtle, body: ''}, brief)
  const first = await post('k')
  for (let n = 0; n < 24; n += 1) await post(`old-${n}`)
  await database.query(`update quadstead.kept_answer set made = now() - interval '61 s'`)
  const count = async () =>
    (await database.query<{n: number}>('select count(*)::int as n from quadstead.kept_answer'))[0]?.n

  const second = await post('k')
  t.not(second.headers.location, first.headers.location)
  t.is((await post('k')).headers.location, second.headers.location)
  const counts = [await count()]
  for (const key of ['x', 'y', 'z']) {
    await post(key)
    counts.push(await count())
  }
  t.true((counts[0] ?? 0) >= 15 && (counts[0] ?? 0) <= 16, String(counts))
  t.is(counts.at(-1), 4)
})

test('a response that is too long to be kept is refused, and nothing is done', async t => {
  const {path} = await create(t, service, {slug: 'long'})
  const headers = {...turtle, Prefer: 'return=representation'}
  const body = `<> <http://e/p> ${Array.from({length: 1100}, (_, n) => `"${n}${'x'.repeat(1000)}"`).join(', ')} .`

  t.is(outcome(await sendOnce('long', {path, headers, body})), '422 answer-size')
  t.deepEqual(await childrenOf(service, path), [])
  t.is(outcome(await sendOnce('long', {path, headers: turtle, body})), '201')
})

test('pages of other origins may send the field', async t => {
  const {headers} = await service.send({
    method: 'OPTIONS',
    path: '/',
    headers: {Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST'},
  })
  t.regex(String(headers['access-control-allow-headers']), /\bidempotency-key\b/)
})

test('the example of the guide does what it says', async t => {
  const page = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('\n## Repeating requests\n')
  const example = `\`\`\`sh\n${section.split('```sh\n')[1]?.split('```')[0]}\`\`\``

  const lines = (await rewriteReadme(example, service.base)).split('\n').filter(line => line.startsWith('# '))

  t.is(lines.length, 2)
  t.regex(String(lines[0]), /^# 201 http:\/\/localhost:\d+\/\d+\/$/)
  t.is(lines[0], lines[1])
})
