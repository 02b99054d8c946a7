/** API keys over HTTP: who may create them, what they may do, when they expire, and when they were used. */
import test, {type ExecutionContext} from 'ava'
import {createKeyUses} from '../../src/authentication/key-uses.ts'
import {hashKey, makeKey} from '../../src/authentication/keys.ts'
import {openSession} from '../../src/db/store/create-session.ts'
import {createKey, type KeyUse, listKeys, noteKeyUses} from '../../src/db/store/keys.ts'
import {start} from '../../src/serve.ts'
import {readConfig} from '../../src/settings/config.ts'
import {agentOf, type GuardedService, startGuarded} from '../support/access.ts'
import {type Received, type Sent, send} from '../support/client.ts'
import {turtle} from '../support/documents.ts'
import {createTestDatabase, testSchema} from '../support/postgres.ts'

let service: GuardedService

test.before(async () => {
  service = await startGuarded({API_KEY_CACHE_MS: '3600000'})
})
test.after.always(() => service.stop())

const json = {'Content-Type': 'application/json'}
const keysPath = '/.system/keys'
const ruleOf = ({text}: Received): unknown => JSON.parse(text).title

const ask = (name: string | undefined, body: unknown, headers = {}) =>
  service.sendAs(name, {method: 'POST', path: keysPath, headers: {...json, ...headers}, body: JSON.stringify(body)})

/** The JSON of a key that an agent creates for itself. */
async function make(t: ExecutionContext, name: string, more: object = {}) {
  const {status, text} = await ask(name, more)
  t.is(status, 201, text)
  const made = JSON.parse(text)
  const sendWith = (sent: Sent) =>
    service.send({...sent, headers: {Authorization: `Bearer ${made.key}`, ...sent.headers}})
  return {...made, sendWith, statusOf: async (sent: Sent): Promise<number> => (await sendWith(sent)).status}
}

let made = 0

/** A document with these grants, and a child of it. Returns their paths. */
async function makeTree(grants: Parameters<GuardedService['grant']>[1]): Promise<readonly [string, string]> {
  const name = `keys-${made++}`
  for (const [path, slug] of [
    ['/', name],
    [`/${name}/`, 'child'],
  ] as const)
    await service.sendAs('root', {
      method: 'POST',
      path,
      headers: {...turtle, Slug: slug},
      body: `<> <http://e/says> "${name} ${slug}" .`,
    })
  await service.grant(`/${name}/`, grants)
  return [`/${name}/`, `/${name}/child/`]
}

test('a key is created, shown once, listed, used and deleted by its agent', async t => {
  const expires = '2999-01-01T00:00:00.000Z'
  const answer = await ask('ada', {name: 'nightly', expires})
  const {key, id, created, ...others} = JSON.parse(answer.text)
  t.is(answer.status, 201)
  t.regex(key, /^qsk_[A-Za-z0-9_-]{43}$/)
  t.is(answer.headers.location, `${service.base}.system/keys/${id}`)
  t.regex(String(answer.headers['cache-control']), /no-store/)
  t.true(Math.abs(Date.parse(created) - Date.now()) < 600_000)
  t.deepEqual(others, {name: 'nightly', agent: agentOf('ada'), groups: [], expires})

  const one = await service.sendAs('ada', {path: `${keysPath}/${id}`})
  t.deepEqual(JSON.parse(one.text), {id, created, ...others})
  const listed = await service.sendAs('ada', {path: keysPath})
  t.false(listed.text.includes(key))
  t.deepEqual(
    JSON.parse(listed.text).keys.map((each: {name: string}) => each.name),
    ['ada', 'nightly'],
  )
  const read = {path: keysPath, headers: {Authorization: `Bearer ${key}`}}
  t.is((await service.send(read)).status, 200)

  t.is((await service.sendAs('ada', {method: 'DELETE', path: `${keysPath}/${id}`})).status, 204)
  const again = await service.sendAs('ada', {method: 'DELETE', path: `${keysPath}/${id}`})
  t.deepEqual([again.status, ruleOf(again)], [404, 'key-exists'])
  const rows = await service.database.database.query(
    'select action, agent from quadstead.audit where document = $1 order by id',
    [`${service.base}.system/keys/${id}`],
  )
  t.deepEqual(rows, [
    {action: 'create-key', agent: agentOf('ada')},
    {action: 'remove-key', agent: agentOf('ada')},
  ])
})

test('an agent manages its own keys only; a caller with control of the root manages all', async t => {
  const bobs = await make(t, 'bob', {name: 'of bob'})
  const paths = [keysPath, `${keysPath}/${bobs.id}`]

  for (const path of paths) t.is((await service.sendAs(undefined, {path})).status, 401)
  t.is((await ask(undefined, {})).status, 401)
  t.is((await service.sendAs('eve', {path: `${keysPath}/${bobs.id}`})).status, 404)
  t.is((await service.sendAs('eve', {method: 'DELETE', path: `${keysPath}/${bobs.id}`})).status, 404)
  t.is((await service.sendAs('eve', {path: `${keysPath}?agent=${encodeURIComponent(agentOf('bob'))}`})).status, 403)
  t.is((await ask('eve', {agent: agentOf('bob')})).status, 403)
  t.is((await ask('eve', {groups: ['staff']})).status, 403)
  t.false((await service.sendAs('eve', {path: keysPath})).text.includes('bob'))

  const all = JSON.parse((await service.sendAs('root', {path: keysPath})).text).keys
  t.true(all.some(({agent}: {agent: string}) => agent === agentOf('bob')))
  const path = `${keysPath}?agent=${encodeURIComponent(agentOf('bob'))}`
  const some = JSON.parse((await service.sendAs('root', {path})).text).keys
  t.deepEqual(
    some.map(({name}: {name: string}) => name),
    ['bob', 'of bob'],
  )
  const made = await ask('root', {agent: agentOf('bob'), groups: ['staff']})
  t.deepEqual([made.status, JSON.parse(made.text).groups], [201, ['staff']])
  t.is((await service.sendAs('root', {method: 'DELETE', path: `${keysPath}/${bobs.id}`})).status, 204)
})

test('a key has at most the modes of its scope, and never more than its agent', async t => {
  const [path, child] = await makeTree({[`agent ${agentOf('cleo')}`]: ['write', 'control']})
  const reading = await make(t, 'cleo', {modes: ['read']})
  const editing = await make(t, 'cleo', {modes: ['edit']})
  const all = await make(t, 'dan', {modes: ['write', 'control']})
  const create = {method: 'POST', path, headers: turtle, body: ''}
  const grants = {path: `/.system/access?document=${encodeURIComponent(service.base + path.slice(1))}`}
  const patch = {
    method: 'PATCH',
    path: child,
    headers: {'Content-Type': 'text/ldpatch'},
    body: 'Add { <> <http://e/p> "x" . } .',
  }

  const statuses = async ({statusOf}: typeof reading) =>
    Promise.all([{path: child}, create, patch, {method: 'DELETE', path: child}, grants].map(sent => statusOf(sent)))
  t.deepEqual(await statuses(reading), [200, 403, 403, 403, 403])
  t.deepEqual(await statuses(editing), [200, 403, 204, 403, 403])
  t.deepEqual(await statuses(all), [403, 403, 403, 403, 403])
})

test('a key that is confined to a document may do nothing elsewhere, not even read public documents', async t => {
  const fay = {[`agent ${agentOf('fay')}`]: ['write'] as const}
  const [inside, child] = await makeTree(fay)
  const [outside] = await makeTree({...fay, public: ['read']})
  const {statusOf, sendWith} = await make(t, 'fay', {within: service.base + inside.slice(1)})

  t.deepEqual(
    await Promise.all([inside, child, outside, '/', '/none/'].map(path => statusOf({path}))),
    [200, 200, 403, 403, 403],
  )
  const query = {
    path: `/sparql?query=${encodeURIComponent('SELECT ?o { ?s <http://e/says> ?o } ORDER BY ?o')}`,
    headers: {Accept: 'text/csv'},
  }
  const name = inside.slice(1, -1)
  for (const _ of [1, 2])
    t.deepEqual((await sendWith(query)).text.trim().split('\r\n').slice(1), [`${name} ${name}`, `${name} child`].sort())
  const roots = await make(t, 'root', {within: service.base + inside.slice(1), modes: ['read']})
  t.deepEqual(
    await Promise.all([inside, child, outside, '/'].map(path => roots.statusOf({path}))),
    [200, 200, 403, 403],
  )

  await service.grant(inside, {}) // the document is not the head of a realm any more
  t.is(await roots.statusOf({path: inside}), 403)
  t.deepEqual((await roots.sendWith(query)).text.trim().split('\r\n').slice(1), [])
})

test('a key with a scope cannot manage keys, and a key with an expiry cannot create one that expires later', async t => {
  const expires = '2998-01-01T00:00:00Z'
  const scoped = await make(t, 'gil', {modes: ['read', 'control']})
  const brief = await make(t, 'gil', {expires})
  const askWith = async ({sendWith}: typeof brief, body: unknown) => {
    const answer = await sendWith({method: 'POST', path: keysPath, headers: json, body: JSON.stringify(body)})
    return [answer.status, answer.status === 201 ? undefined : ruleOf(answer)]
  }

  t.deepEqual(await askWith(scoped, {}), [403, 'access-granted'])
  t.is(await scoped.statusOf({path: keysPath}), 403)
  t.is(await scoped.statusOf({method: 'DELETE', path: `${keysPath}/${brief.id}`}), 403)
  t.deepEqual(await askWith(brief, {}), [422, 'key-lasts'])
  t.deepEqual(await askWith(brief, {expires: '2999-01-01T00:00:00Z'}), [422, 'key-lasts'])
  t.deepEqual(await askWith(brief, {expires}), [201, undefined])
})

// Serial, because the other tests of this file might delay its start until the expiry.
test.serial('a key expires at its time, however long keys are cached', async t => {
  const expires = new Date(Date.now() + 10_000).toISOString()
  const {statusOf, id} = await make(t, 'hal', {expires})
  const sent = {path: keysPath}
  t.is(await statusOf(sent), 200)

  let status = 200
  for (let left = 300; left > 0 && status === 200; left -= 1) {
    await new Promise(resolve => setTimeout(resolve, 100))
    status = await statusOf(sent)
  }

  t.is(status, 401)
  t.true(Date.now() >= Date.parse(expires))
  t.true(JSON.parse((await service.sendAs('hal', {path: `${keysPath}/${id}`})).text).expired)
  await make(t, 'hal')
  t.is((await service.sendAs('hal', {path: `${keysPath}/${id}`})).status, 404) // a new key removes expired ones
})

test('invalid descriptions of keys, and bodies that a form of another site could send, are refused', async t => {
  for (const [body, status, rule] of [
    [[], 400, 'key-shape'],
    [null, 400, 'key-shape'],
    [{mode: ['read']}, 400, 'key-shape'],
    [{modes: []}, 400, 'key-shape'],
    [{modes: 'read'}, 400, 'key-shape'],
    [{modes: ['own']}, 400, 'key-shape'],
    [{name: 'x'.repeat(201)}, 400, 'key-shape'],
    [{name: 'a\0b'}, 400, 'key-shape'],
    [{groups: [1]}, 400, 'key-shape'],
    [{within: 'not an IRI'}, 400, 'key-shape'],
    [{expires: 'tomorrow'}, 400, 'key-shape'],
    [{expires: '2001-01-01T00:00:00Z'}, 422, 'expiry-ahead'],
    [{within: `${service.base}none/`}, 422, 'key-scope'],
    [{within: service.base}, 422, 'key-scope'],
  ] as const) {
    const answer = await ask('ida', body)
    t.deepEqual([answer.status, ruleOf(answer)], [status, rule], JSON.stringify(body))
  }
  const statusWith = async (headers: Readonly<Record<string, string>>) =>
    (await service.sendAs('ida', {method: 'POST', path: keysPath, headers, body: '{}'})).status
  t.deepEqual(
    await Promise.all([{}, {'Content-Type': 'text/plain'}, {'Content-Type': 'multipart/form-data'}].map(statusWith)),
    [400, 415, 415],
  )
  t.is((await service.sendAs('ida', {method: 'PUT', path: keysPath, headers: json, body: '{}'})).status, 405)
  for (const id of ['..%2f', 'a'.repeat(16), "'", '0'])
    t.is((await service.sendAs('ida', {path: `${keysPath}/${id}`})).status, 404, id)
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  for (const member of ['name', 'agent', 'groups', 'modes', 'within', 'expires', 'other']) {
    const body = `{"${member}": ${deep}}`
    const {status} = await service.sendAs('ida', {method: 'POST', path: keysPath, headers: json, body})
    t.is(status, 400, member)
  }
})

test('an agent has at most a hundred keys, also with concurrent requests', async t => {
  const statuses = await Promise.all(Array.from({length: 105}, async () => (await ask('jo', {})).status))

  t.deepEqual([...new Set(statuses)].sort(), [201, 409])
  t.is(statuses.filter(status => status === 201).length, 99) // and the one of this request
})

test('uses are recorded in memory, written together, and never decrease', async t => {
  const {database} = service.database
  const {key, id} = await make(t, 'kim')
  const usedAt = async () => (await listKeys(service.session, agentOf('kim'))).find(one => one.id === id)?.last_used
  const written: (readonly KeyUse[])[] = []
  const uses = createKeyUses(async noted => {
    written.push(noted)
    await noteKeyUses(database, testSchema, noted)
  })

  for (let count = 0; count < 50; count += 1) uses.note(hashKey(key))
  t.is(await usedAt(), null)
  await uses.flush()
  await uses.flush()
  t.deepEqual(
    written.map(({length}) => length),
    [1],
  )
  const first = await usedAt()
  t.true(first instanceof Date && Math.abs(first.getTime() - Date.now()) < 600_000)
  await noteKeyUses(database, testSchema, [{hash: hashKey(key), agoMs: 86_400_000}])
  t.deepEqual(await usedAt(), first)
  await noteKeyUses(database, testSchema, [{hash: hashKey('qsk_gone'), agoMs: 0}])
})

test('a service writes the times of use when it stops', async t => {
  const made = await createTestDatabase()
  t.teardown(made.drop)
  const settings = {PORT: '0', DATABASE_URL: made.url, DRAIN_TIMEOUT_MS: '1000', ACCESS: 'grants'}
  const {url, stop} = await start(readConfig(settings))
  const key = makeKey()
  const scope = {modes: null, within: null, groups: [], name: '', expires: null}
  const session = await openSession(made.database, testSchema)
  await createKey(session, {...scope, hash: hashKey(key), agent: agentOf('lea')})
  t.is((await send(url, {headers: {Authorization: `Bearer ${key}`}})).status, 403)
  const lastUsed = async () => (await listKeys(session, null))[0]?.last_used

  t.is(await lastUsed(), null)
  await stop()
  t.true((await lastUsed()) instanceof Date)
})
