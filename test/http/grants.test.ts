/** Grants with an expiry, documents that do not inherit, and single grants by POST and DELETE. */
import {setTimeout as delay} from 'node:timers/promises'
import test, {type ExecutionContext} from 'ava'
import type {Mode} from '../../src/db/store/caller.ts'
import {type Grant, pruneGrants, putGrants} from '../../src/db/store/grants.ts'
import {agentOf, type GuardedService, startGuarded} from '../support/access.ts'
import type {Received, Sent} from '../support/client.ts'
import {ldp, preferChildren, turtle} from '../support/documents.ts'

let service: GuardedService

test.before(async () => {
  service = await startGuarded()
})
test.after.always(() => service.stop())

const json = {'Content-Type': 'application/json'}
const agent = (name: string) => `agent ${agentOf(name)}`
const ruleOf = ({text}: Received): unknown => JSON.parse(text).title

let made = 0

/** A document with a child and a grandchild, on which only `root` has grants. Returns their paths. */
async function makeTree(t: ExecutionContext): Promise<readonly [string, string, string]> {
  const name = `tree-${made++}`
  for (const [path, slug] of [
    ['/', name],
    [`/${name}/`, 'private'],
    [`/${name}/private/`, 'below'],
  ] as const) {
    const body = `<> <http://e/says> "${slug}" .`
    t.is((await service.sendAs('root', {method: 'POST', path, headers: {...turtle, Slug: slug}, body})).status, 201)
  }
  return [`/${name}/`, `/${name}/private/`, `/${name}/private/below/`]
}

const grantsOf = (path: string, more = '') =>
  `/.system/access?document=${encodeURIComponent(service.base + path.slice(1))}${more}`

async function shown(path: string, name = 'root') {
  const {text, headers, status} = await service.sendAs(name, {path: grantsOf(path)})
  return {...JSON.parse(text), status, etag: String(headers.etag)}
}

const sendJson = (name: string, method: string, path: string, body: unknown, headers = {}) =>
  service.sendAs(name, {method, path: grantsOf(path), headers: {...json, ...headers}, body: JSON.stringify(body)})

const statusOf = async (name: string | undefined, sent: Sent) => (await service.sendAs(name, sent)).status

/** The triples of a tree's documents that a query by the caller returns. */
async function saidTo(name: string | undefined, tree: string): Promise<readonly string[]> {
  const within = `STRSTARTS(STR(?s), "${service.base}${tree.slice(1)}")`
  const query = `SELECT ?o { ?s <http://e/says> ?o FILTER (${within}) } ORDER BY ?o`
  const sent = {path: `/sparql?query=${encodeURIComponent(query)}`, headers: {Accept: 'text/csv'}}
  const {status, text} = await service.sendAs(name, sent)
  return status === 200 ? text.trim().split('\r\n').slice(1) : [`${status}`]
}

/** Sets expiries back, as if time had passed. The service is not told. */
async function expire(path: string): Promise<void> {
  await service.database.database.query(
    `update quadstead.access_grant as g set expires = now() - interval '1 second'
       from quadstead.term as t where t.id = g.document and t.lex = $1 and g.expires < 'infinity'`,
    [service.base + path.slice(1)],
  )
}

test('a grant is in force until it expires, for requests and for queries with a cached plan', async t => {
  const [path] = await makeTree(t)
  const expires = '2999-01-01T00:00:00.000Z'
  t.is((await sendJson('root', 'POST', path, {grantee: agent('guest'), modes: ['write'], expires})).status, 204)
  for (const _ of [1, 2, 3]) t.is((await saidTo('guest', path)).length, 3)
  t.is(await statusOf('guest', {path}), 200)
  t.deepEqual((await shown(path)).grants, [{grantee: agent('guest'), modes: ['write'], expires}])

  await expire(path)

  t.is(await statusOf('guest', {path}), 403)
  t.is(await statusOf('guest', {path, method: 'DELETE'}), 403)
  t.is(await statusOf('guest', {path, method: 'POST', headers: turtle, body: ''}), 403)
  t.deepEqual(await saidTo('guest', path), [])
  const [{expired}] = (await shown(path)).grants
  t.true(expired)
})

// Serial, because the other tests of this file might delay its start until the expiry.
test.serial('a grant expires by itself at its time', async t => {
  const [path] = await makeTree(t)
  const expires = new Date(Date.now() + 10_000).toISOString()
  t.is((await sendJson('root', 'POST', path, {grantee: agent('brief'), modes: ['read'], expires})).status, 204)

  let status = 200
  for (let left = 300; left > 0 && status === 200; left -= 1) {
    status = await statusOf('brief', {path})
    if (status === 200) await delay(100)
  }

  t.is(status, 403)
  t.true(Date.now() >= Date.parse(expires))
})

test('a grantee may have a permanent grant and one that expires; each can be removed separately', async t => {
  const [path] = await makeTree(t)
  const [grantee, expires] = [agent('both'), '2999-01-01T00:00:00.000Z']
  t.is((await sendJson('root', 'POST', path, {grantee, modes: ['read']})).status, 204)
  t.is((await sendJson('root', 'POST', path, {grantee, modes: ['write'], expires})).status, 204)
  t.is(await statusOf('both', {path: `${path}private/below/`, method: 'DELETE'}), 204)

  await expire(path)
  t.is(await statusOf('both', {path}), 200)
  t.is(await statusOf('both', {path, method: 'DELETE'}), 403)
  t.is((await sendJson('root', 'POST', path, {grantee: 'public', modes: ['read']})).status, 204)
  t.deepEqual((await shown(path)).grants, [
    {grantee, modes: ['read']},
    {grantee: 'public', modes: ['read']},
  ]) // the change removed the expired one

  t.is((await sendJson('root', 'POST', path, {grantee, modes: ['write'], expires})).status, 204)
  const remove = (expiry: string) =>
    service.sendAs('root', {
      method: 'DELETE',
      path: grantsOf(path, `&grantee=${encodeURIComponent(grantee)}&expires=${encodeURIComponent(expiry)}`),
    })
  t.is((await remove('never')).status, 204)
  t.is((await remove('never')).status, 404)
  t.is(ruleOf(await remove('never')), 'grant-exists')
  t.is((await remove('soon')).status, 400)
  t.is((await remove(expires)).status, 204)
  t.deepEqual((await shown(path)).grants, [{grantee: 'public', modes: ['read']}])
})

test('expired grants are pruned, and so is the realm of a document without others', async t => {
  const [path] = await makeTree(t)
  const expires = '2999-01-01T00:00:00Z'
  await sendJson('root', 'POST', path, {grantee: agent('pruned'), modes: ['read'], expires})
  await expire(path)
  const realms = () =>
    service.database.database.query(
      `select from quadstead.access_realm as r join quadstead.term as t on t.id = r.id where t.lex = $1`,
      [service.base + path.slice(1)],
    )
  t.is((await realms()).length, 1)

  while ((await pruneGrants(service.session)) !== undefined);

  t.is((await realms()).length, 0)
  t.deepEqual((await shown(path)).grants, [])
  t.deepEqual(await service.database.database.query('select * from quadstead.check_store()'), [])
})

test('a document that does not inherit is private under a shared parent', async t => {
  const [shared, secret, below] = await makeTree(t)
  await service.grant(shared, {public: ['read'], [agent('writer')]: ['write', 'control']})
  const tree = shared.slice(1, -1)
  t.deepEqual(await saidTo(undefined, shared), ['below', 'private', tree])
  const grants = [{grantee: agent('keeper'), modes: ['write', 'control']}]

  t.is((await sendJson('root', 'PUT', secret, {grants, inherits: false})).status, 204)

  for (const path of [secret, below]) {
    t.is(await statusOf(undefined, {path}), 401)
    for (const name of ['writer', 'root']) {
      t.is(await statusOf(name, {path}), 403)
      t.is(await statusOf(name, {path, method: 'POST', headers: turtle, body: ''}), 403)
      t.is(await statusOf(name, {path: grantsOf(path)}), 403)
    }
    t.is(await statusOf('keeper', {path}), 200)
  }
  t.is(await statusOf(undefined, {path: shared}), 200)
  for (const name of [undefined, 'writer', 'root']) t.deepEqual(await saidTo(name, shared), [tree], name)
  t.deepEqual(await saidTo('keeper', shared), ['below', 'private', tree])
  const state = await shown(secret, 'keeper')
  t.deepEqual([state.inherits, state.inherited, state.grants.length], [false, [], 1])
  t.deepEqual(
    (await shown(below, 'keeper')).inherited.map(({document}: {document: string}) => document),
    [service.base + secret.slice(1)],
  )

  const created = await service.sendAs('keeper', {
    method: 'POST',
    path: below,
    headers: {...turtle, Slug: 'new'},
    body: '',
  })
  t.is(created.status, 201)
  t.is(await statusOf('writer', {path: `${below}new/`}), 403)
  t.is((await sendJson('keeper', 'PUT', secret, {grants})).status, 204) // without "inherits", which does not change
  t.is(await statusOf('writer', {path: secret}), 403)
  t.is((await sendJson('keeper', 'PUT', secret, {grants, inherits: true})).status, 204)
  t.is(await statusOf('writer', {path: secret}), 200)
  t.deepEqual(await service.database.database.query('select * from quadstead.check_store()'), [])
})

test('a private document is listed by its parent, and nothing else of it is shown', async t => {
  const [shared, secret] = await makeTree(t)
  await service.grant(shared, {public: ['read']})
  await sendJson('root', 'PUT', secret, {
    grants: [{grantee: agent('owner'), modes: ['write', 'control']}],
    inherits: false,
  })
  const headers = {Accept: 'application/n-triples', Prefer: `return=representation; include="${ldp}PreferContainment"`}

  const listed = await service.sendAs(undefined, {path: shared, headers})
  t.true(listed.text.includes(`contains> <${service.base}${secret.slice(1)}>`))
  const page = await service.sendAs(undefined, {path: shared, headers: {Accept: 'text/html'}})
  t.is(page.status, 200)
  t.false(page.text.includes('>"private"<'))
  for (const query of [
    `ASK { GRAPH <${service.base}${secret.slice(1)}> { ?s ?p ?o } }`,
    `ASK { GRAPH ?g { ?s ?p ?o } FILTER (?g = <${service.base}${secret.slice(1)}>) }`,
    `ASK { <${service.base}${secret.slice(1)}> ?p ?o }`,
    `ASK { ?s <http://e/says> "private" FILTER STRSTARTS(STR(?s), "${service.base}${secret.slice(1)}") }`,
  ])
    t.true(
      (await service.sendAs('root', {path: `/sparql?query=${encodeURIComponent(query)}`})).text.includes('false'),
      query,
    )
})

test('a caller who may not delete a private document cannot delete a document above it', async t => {
  const [shared, secret, below] = await makeTree(t)
  await service.grant(shared, {[agent('writer')]: ['write']})
  await sendJson('root', 'PUT', secret, {
    grants: [{grantee: agent('owner'), modes: ['write', 'control']}],
    inherits: false,
  })

  for (const name of ['writer', 'root']) {
    const refused = await service.sendAs(name, {method: 'DELETE', path: shared})
    t.deepEqual([refused.status, ruleOf(refused)], [403, 'access-granted'])
    t.true(refused.text.includes(secret))
    t.is(await statusOf(name, {method: 'DELETE', path: shared, headers: {Prefer: preferChildren}}), 403)
  }
  t.is(await statusOf('owner', {path: below}), 200)
  t.is(await statusOf('owner', {method: 'DELETE', path: below}), 204)
  t.is(await statusOf('owner', {method: 'DELETE', path: secret}), 204)
  t.is(await statusOf('writer', {method: 'DELETE', path: shared}), 204)
})

test('a private document and the root always have a permanent grant of control', async t => {
  const [, secret] = await makeTree(t)
  const put = (path: string, grants: unknown, inherits?: boolean) => sendJson('root', 'PUT', path, {grants, inherits})
  const expires = '2999-01-01T00:00:00Z'

  for (const grants of [
    [],
    [{grantee: 'public', modes: ['write']}],
    [{grantee: agent('x'), modes: ['control'], expires}],
  ]) {
    const refused = await put(secret, grants, false)
    t.deepEqual([refused.status, ruleOf(refused)], [409, 'control-kept'])
  }
  const atRoot = await put('/', [{grantee: agent('root'), modes: ['write', 'control'], expires}])
  t.deepEqual([atRoot.status, ruleOf(atRoot)], [409, 'control-kept'])
  const isolated = await put('/', [{grantee: agent('root'), modes: ['write', 'control']}], false)
  t.deepEqual([isolated.status, ruleOf(isolated)], [422, 'isolation-place'])

  t.is((await put(secret, [{grantee: agent('owner'), modes: ['control']}], false)).status, 204)
  const last = await service.sendAs('owner', {
    method: 'DELETE',
    path: grantsOf(secret, `&grantee=${encodeURIComponent(agent('owner'))}`),
  })
  t.deepEqual([last.status, ruleOf(last)], [409, 'control-kept'])
})

test('descriptions of the whole store are only for callers who may read all of it', async t => {
  const own = await startGuarded()
  t.teardown(own.stop)
  await own.sendAs('root', {method: 'POST', path: '/', headers: {...turtle, Slug: 'private'}, body: ''})
  await own.grant('/', {[agent('root')]: ['write', 'control'], [agent('all')]: ['read']})
  const ask = async () => {
    const explain = {path: '/sparql?query=ASK%7B%7D', headers: {Accept: 'text/vnd.quadstead.explain'}}
    const counts = await own.sendAs('all', {path: '/.well-known/void', headers: {Accept: 'text/turtle'}})
    const names = JSON.parse((await own.sendAs('all', {path: '/.system/names'})).text)
    const metrics = await own.sendAs('all', {path: '/metrics'})
    const explained = await own.sendAs('all', explain)
    return [explained.status, counts.text.includes('void:documents'), names.classes.length > 0, metrics.status]
  }
  const change = (grants: readonly Grant[]) =>
    putGrants(own.session, `${own.base}private/`, {grants, inherits: false, ifMatch: undefined, keepsControl: true})
  const owner: Grant = {grantee: agent('owner'), modes: ['write', 'control']}

  t.deepEqual(await ask(), [200, true, true, 200])
  await change([owner])
  t.deepEqual(await ask(), [403, false, false, 200])
  await change([owner, {grantee: agent('all'), modes: ['read']}])
  t.deepEqual(await ask(), [200, true, true, 200])
})

test('single grants by POST and DELETE: validated, with an entity tag, with an audit row', async t => {
  const [path] = await makeTree(t)
  const grant = {grantee: 'group staff', modes: ['read']}
  const post = (body: unknown, headers = {}) => sendJson('root', 'POST', path, body, headers)
  const remove = (more: string, headers = {}) =>
    service.sendAs('root', {method: 'DELETE', path: grantsOf(path, more), headers})
  const {etag} = await shown(path)

  t.is((await post(grant, {'If-Match': '"other"'})).status, 412)
  const added = await post(grant, {'If-Match': etag})
  t.deepEqual([added.status, added.headers.etag === etag], [204, false])
  t.is((await shown(path)).etag, added.headers.etag)
  for (const [sent, status, rule] of [
    [grant, 409, 'grant-free'],
    [{...grant, modes: ['write']}, 409, 'grant-free'],
    [{...grant, expires: '2001-01-01T00:00:00Z'}, 422, 'expiry-ahead'],
    [{...grant, expires: '2027-02-30T00:00:00Z'}, 400, 'grants-shape'],
    [{...grant, expires: '2027-01-01T00:00:00'}, 400, 'grants-shape'],
    [{...grant, expires: 1}, 400, 'grants-shape'],
    [{grantee: 'all', modes: ['read']}, 400, 'grants-shape'],
    [{grantee: 'public', modes: ['own']}, 400, 'grants-shape'],
    [{grants: [grant]}, 400, 'grants-shape'],
    [[], 400, 'grants-shape'],
    [null, 400, 'grants-shape'],
  ] as const) {
    const answer = await post(sent)
    t.deepEqual([answer.status, ruleOf(answer)], [status, rule], JSON.stringify(sent))
  }
  for (const [headers, status] of [
    [{'Content-Type': 'text/plain'}, 415],
    [{'Content-Type': 'application/x-www-form-urlencoded'}, 415],
    [{}, 400],
  ] as const)
    t.is(await statusOf('root', {method: 'POST', path: grantsOf(path), headers, body: JSON.stringify(grant)}), status)
  t.is((await sendJson('root', 'POST', '/none/', grant)).status, 404)
  t.is((await sendJson('stranger', 'POST', path, grant)).status, 403)
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  for (const body of [
    deep,
    `{"grantee": ${deep}, "modes": ["read"]}`,
    `{"grantee": "public", "modes": ${deep}}`,
    `{"grantee": "public", "modes": ["read"], "expires": ${deep}}`,
    `{"grants": [], "inherits": ${deep}}`,
    `{"grants": ${deep}}`,
  ])
    for (const method of ['POST', 'PUT'])
      t.is(await statusOf('root', {method, path: grantsOf(path), headers: json, body}), 400, body.slice(0, 40))
  t.deepEqual((await shown(path)).grants, [grant])

  t.is((await remove('')).status, 400)
  t.is((await remove('&grantee=group%20other')).status, 404)
  t.is((await remove('&grantee=group%20staff', {'If-Match': '"other"'})).status, 412)
  t.is((await remove('&grantee=group%20staff', {'If-Match': String(added.headers.etag)})).status, 204)
  t.deepEqual((await shown(path)).grants, [])
  const rows = await service.database.database.query(
    'select agent, action, etag is not null as has_etag from quadstead.audit where document = $1 and action = $2',
    [service.base + path.slice(1), 'grant'],
  )
  t.deepEqual(rows, Array(2).fill({agent: agentOf('root'), action: 'grant', has_etag: true}))
})

test('a body of grants of more than a megabyte is refused, and nothing changes', async t => {
  const [tree] = await makeTree(t)
  const grantee = `group ${'x'.repeat(1000)}`
  const grants = Array.from({length: 1100}, (_, n) => ({grantee: `${grantee}${n}`, modes: ['read']}))

  const refused = await sendJson('root', 'PUT', tree, {grants})

  t.is(refused.status, 413)
  t.deepEqual((await shown(tree)).grants, [])
})

test('concurrent additions and removals of grants all take effect', async t => {
  const [path] = await makeTree(t)
  const names = Array.from({length: 12}, (_, index) => `group at-once-${String(index).padStart(2, '0')}`)
  const statuses = await Promise.all(
    names.map(async grantee => (await sendJson('root', 'POST', path, {grantee, modes: ['read']})).status),
  )
  t.deepEqual(
    statuses,
    names.map(() => 204),
  )
  t.deepEqual(
    (await shown(path)).grants.map(({grantee}: {grantee: string}) => grantee),
    names,
  )

  const twice = await Promise.all([
    sendJson('root', 'POST', path, {grantee: 'public', modes: ['read']}),
    sendJson('root', 'POST', path, {grantee: 'public', modes: ['read']}),
    ...names
      .slice(1)
      .map(grantee =>
        service.sendAs('root', {method: 'DELETE', path: grantsOf(path, `&grantee=${encodeURIComponent(grantee)}`)}),
      ),
  ])
  t.deepEqual(twice.map(({status}) => status).sort(), [...names.map(() => 204), 409])
  t.deepEqual(
    (await shown(path)).grants.map(({grantee}: {grantee: string}) => grantee),
    [names[0], 'public'],
  )
  t.deepEqual(await service.database.database.query('select * from quadstead.check_store()'), [])
})

test('each response to a read has the modes of the caller and of everybody in WAC-Allow', async t => {
  const [path, child] = await makeTree(t)
  const all: Record<string, readonly Mode[]> = {
    reader: ['read'],
    filler: ['append', 'read'],
    editor: ['edit'],
    cleaner: ['edit', 'delete'],
    writer: ['write'],
    owner: ['write', 'control', 'query'],
  }
  const grants = Object.entries(all).map(([name, modes]) => [agent(name), modes])
  await service.grant(path, Object.fromEntries(grants))
  const allowed = async (name: string | undefined, sent: Sent = {path: child}) =>
    (await service.sendAs(name, sent)).headers['wac-allow']

  t.deepEqual(await Promise.all(Object.keys(all).map(name => allowed(name))), [
    'user="read"',
    'user="read append"',
    'user="read"',
    'user="read write"',
    'user="read append write"',
    'user="read append write control"',
  ])
  t.is(await allowed('stranger'), undefined)
  await service.grant(child, {public: ['read']})
  t.is(await allowed('writer'), 'user="read append write", public="read"')
  t.is(await allowed(undefined), 'user="read", public="read"')
  const etag = String((await service.sendAs('writer', {path: child})).headers.etag)
  const expected = 'user="read append write", public="read"'
  const children = `return=representation; include="${ldp}PreferContainment"`
  for (const sent of [
    {path: child, method: 'HEAD'},
    {path: child, headers: {'If-None-Match': etag}},
    {path: child, headers: {Accept: 'text/html'}},
    {path: `${child}?view=edit`, headers: {Accept: 'text/html'}},
    {path: child, headers: {Prefer: children}},
  ])
    t.is(await allowed('writer', sent), expected, JSON.stringify(sent))
  const cross = await service.sendAs('writer', {path: child, headers: {Origin: 'http://localhost:3000'}})
  t.regex(String(cross.headers['access-control-expose-headers']), /(?:^|, )WAC-Allow(?:,|$)/)

  await service.grant(child, {public: ['read'], [agent('owner')]: ['control']})
  await putGrants(service.session, service.base + child.slice(1), {
    grants: [
      {grantee: agent('owner'), modes: ['control']},
      {grantee: 'public', modes: ['read']},
    ],
    inherits: false,
    ifMatch: undefined,
    keepsControl: true,
  })
  t.is(await allowed('writer'), 'user="read", public="read"')
  t.is(await allowed('owner'), 'user="read control", public="read"')
})

test('a document that is read in batches has WAC-Allow too', async t => {
  const [path] = await makeTree(t)
  const body = Array.from({length: 6000}, (_, index) => `<> <http://e/p> "${index}" .`).join('\n')
  const slug = {...turtle, Slug: 'large'}
  t.is((await service.sendAs('root', {method: 'POST', path, headers: slug, body})).status, 201)
  await service.grant(path, {public: ['read']})

  const {headers, status} = await service.sendAs('root', {path: `${path}large/`})

  t.deepEqual([status, headers['wac-allow']], [200, 'user="read append write control", public="read"'])
})

test('with QUERY_ACCESS=granted a query needs the mode query on its document, in every form', async t => {
  const own = await startGuarded({QUERY_ACCESS: 'granted'})
  t.teardown(own.stop)
  await own.sendAs('root', {method: 'POST', path: '/', headers: {...turtle, Slug: 'a'}, body: '<> <http://e/p> "1" .'})
  await own.grant('/', {[agent('root')]: ['write', 'control'], [agent('asker')]: ['read', 'query'], public: ['read']})
  await own.grant('/a/', {[agent('part')]: ['query'], [agent('asker')]: ['read']})
  const ask = encodeURIComponent('ASK { ?s <http://e/p> "1" }')
  const query = {'Content-Type': 'application/sparql-query'}
  const form = {'Content-Type': 'application/x-www-form-urlencoded'}
  const forms: readonly Sent[] = [
    {path: `/sparql?query=${ask}`},
    {method: 'HEAD', path: `/sparql?query=${ask}`},
    {method: 'POST', path: '/sparql', headers: query, body: 'ASK { ?s <http://e/p> "1" }'},
    {method: 'POST', path: '/sparql', headers: form, body: `query=${ask}`},
    {method: 'POST', path: '/', headers: query, body: 'ASK { ?s <http://e/p> "1" }'},
    {path: `/sparql?query=${ask}`, headers: {Accept: 'text/vnd.quadstead.explain'}},
    {path: `/sparql?query=${encodeURIComponent('ASK { SERVICE <http://e/sparql> { ?s ?p ?o } }')}`},
    {path: '/sparql?query=nonsense'},
  ]
  const inside = {method: 'POST', path: '/a/', headers: query, body: 'ASK { ?s <http://e/p> "1" }'}
  const statuses = (name: string | undefined) =>
    Promise.all([...forms, inside].map(async sent => (await own.sendAs(name, sent)).status))

  t.deepEqual(await statuses(undefined), Array(9).fill(401))
  t.deepEqual(await statuses('root'), Array(9).fill(403)) // write does not include query
  t.deepEqual(await statuses('part'), [...Array(8).fill(403), 200])
  t.deepEqual(await statuses('asker'), [200, 200, 200, 200, 200, 200, 403, 400, 200])
  t.is((await own.sendAs('root', {path: '/sparql', headers: {Accept: 'text/turtle'}})).status, 200)
  t.is((await own.sendAs('root', {path: '/'})).status, 200)
})
