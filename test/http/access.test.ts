/** Access control: every method with every mode, refused by 403 or by 404. */
import test, {type ExecutionContext} from 'ava'
import type {Mode} from '../../src/db/store/caller.ts'
import {createDocument} from '../../src/db/store/document-writes.ts'
import {putGrants} from '../../src/db/store/grants.ts'
import {agentOf, type GuardedService, startGuarded} from '../support/access.ts'
import type {Received, Sent} from '../support/client.ts'
import {c, ldp, preferChildren, turtle} from '../support/documents.ts'

const services = new Map<string, GuardedService>()

test.before(async () => {
  for (const refusal of ['403', '404']) {
    const service = await startGuarded({ACCESS_REFUSAL: refusal})
    services.set(refusal, service)
    await service.sendAs('root', {method: 'POST', path: '/', headers: {...turtle, Slug: 'member'}, body: ''})
    await service.grant('/member/', {public: ['read']})
  }
})
test.after.always(async () => {
  for (const service of services.values()) await service.stop()
})

function serviceOf(refusal: string): GuardedService {
  const service = services.get(refusal)
  if (service === undefined) throw new Error(`no service refuses by ${refusal}`)
  return service
}

let made = 0

/** A document with a child and an access point, on which only `root` has grants. */
async function makeBox(t: ExecutionContext, {sendAs}: GuardedService): Promise<string> {
  const name = `box-${made++}`
  const create = async (path: string, slug: string, body = '<> <http://e/p> "kept" .') => {
    const {status} = await sendAs('root', {method: 'POST', path, headers: {...turtle, Slug: slug}, body})
    t.is(status, 201)
  }
  await create('/', name)
  await create(`/${name}/`, 'child')
  await create(`/${name}/`, 'list', `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <http://e/member> .`)
  return `/${name}/`
}

async function etagOf({sendAs}: GuardedService, path: string): Promise<string> {
  return String((await sendAs('root', {path, method: 'HEAD'})).headers.etag)
}

const json = {'Content-Type': 'application/json'}
const container = `${ldp}Container; rel=interaction-model`

/** Requests that succeed for a caller with all modes, each with the modes that it needs. */
const requests: Readonly<
  Record<string, {readonly needs: readonly Mode[]; readonly make: (path: string, etag: string) => Sent}>
> = {
  GET: {needs: ['read'], make: path => ({path})},
  'GET of a page': {needs: ['read'], make: path => ({path, headers: {Accept: 'text/html'}})},
  'GET of children': {
    needs: ['read'],
    make: path => ({path, headers: {Prefer: `return=representation; include="${ldp}PreferContainment"`}}),
  },
  'GET known': {needs: ['read'], make: (path, etag) => ({path, headers: {'If-None-Match': etag}})},
  HEAD: {needs: ['read'], make: path => ({path, method: 'HEAD'})},
  OPTIONS: {needs: ['read'], make: path => ({path, method: 'OPTIONS'})},
  'GET without its slash': {needs: ['read'], make: path => ({path: path.slice(0, -1)})},
  'POST of a query': {
    needs: ['read'],
    make: path => ({path, method: 'POST', headers: {'Content-Type': 'application/sparql-query'}, body: 'ASK {}'}),
  },
  POST: {needs: ['create'], make: path => ({path, method: 'POST', headers: turtle, body: ''})},
  'POST of an access point': {
    needs: ['create', 'edit'],
    make: path => ({
      path,
      method: 'POST',
      headers: turtle,
      body: `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <http://e/other> .`,
    }),
  },
  PATCH: {
    needs: ['edit'],
    make: path => ({
      path,
      method: 'PATCH',
      headers: {'Content-Type': 'text/ldpatch'},
      body: 'Add { <> <http://e/p> "added" . } .',
    }),
  },
  'PATCH by a path': {
    needs: ['edit'],
    make: path => ({
      path,
      method: 'PATCH',
      headers: {'Content-Type': 'text/ldpatch'},
      body: 'Bind ?o <> / <http://e/p> . Add { <> <http://e/q> ?o . } .',
    }),
  },
  'PUT of a member': {
    needs: ['members'],
    make: path => ({
      path: `${path}list/`,
      method: 'PUT',
      headers: {...turtle, Prefer: container},
      body: `[] a <${c}AddMemberAction> ; <${c}targetMember> </member/> .`,
    }),
  },
  'PUT that removes a member': {
    needs: ['edit'],
    make: path => ({
      path: `${path}list/`,
      method: 'PUT',
      headers: {...turtle, Prefer: container},
      body: `[] a <${c}RemoveMemberAction> ; <${c}targetMember> </member/> .`,
    }),
  },
  'DELETE of children': {
    needs: ['delete'],
    make: path => ({path: `${path}child/`, method: 'DELETE', headers: {Prefer: preferChildren}}),
  },
  'DELETE of children with an access point': {
    needs: ['delete', 'edit'],
    make: path => ({path, method: 'DELETE', headers: {Prefer: preferChildren}}),
  },
  'DELETE of an access point': {
    needs: ['delete', 'edit'],
    make: path => ({path: `${path}list/`, method: 'DELETE'}),
  },
  DELETE: {needs: ['delete'], make: path => ({path, method: 'DELETE'})},
  'GET of grants': {needs: ['control'], make: path => ({path: `/.system/access?document=@${path}`})},
  'PUT of grants': {
    needs: ['control'],
    make: path => ({
      path: `/.system/access?document=@${path}`,
      method: 'PUT',
      headers: json,
      body: JSON.stringify({grants: [{grantee: 'public', modes: ['read']}]}),
    }),
  },
}

/** The modes that a mode includes. */
const included: Readonly<Record<Mode, readonly Mode[]>> = {
  read: ['read'],
  create: ['create'],
  members: ['members'],
  edit: ['read', 'members', 'edit'],
  delete: ['read', 'delete'],
  append: ['create', 'members'],
  write: ['read', 'create', 'members', 'edit', 'delete'],
  query: [],
  control: ['control'],
}
const granted: readonly (readonly Mode[])[] = [
  [],
  ['read'],
  ['create'],
  ['members'],
  ['edit'],
  ['create', 'edit'],
  ['delete'],
  ['append'],
  ['read', 'append'],
  ['write'],
  ['query'],
  ['control'],
]

function withIri({base}: GuardedService, sent: Sent): Sent {
  return {...sent, path: (sent.path ?? '').replace('@/', encodeURIComponent(base))}
}

/** Removes the values that always differ, and the name of the document. */
function comparable({status, headers, text}: Received, path: string) {
  const differing = ['date', 'x-request-id', 'connection', 'keep-alive', 'content-length']
  const others = Object.fromEntries(Object.entries(headers).filter(([name]) => !differing.includes(name)))
  const body = text.replace(/"requestId":"[^"]*"|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '')
  return JSON.parse(JSON.stringify({status, others, body}).replaceAll(path.split('/')[1] ?? '', '…'))
}

for (const refusal of ['403', '404']) {
  for (const [name, {needs, make}] of Object.entries(requests)) {
    test(`${name} needs ${needs.join(' and ')}, or is refused by ${refusal}`, async t => {
      const service = serviceOf(refusal)
      for (const modes of granted) {
        const agent = `agent-${made++}`
        const path = await makeBox(t, service)
        if (modes.length > 0) await service.grant(path, {[`agent ${agentOf(agent)}`]: modes})
        const sent = withIri(service, make(path, await etagOf(service, path)))
        const has = modes.flatMap(mode => included[mode])

        const answer = await service.sendAs(agent, sent)

        if (needs.every(mode => has.includes(mode))) {
          t.true(answer.status < 400, `${modes}: ${answer.status} ${answer.text}`)
          continue
        }
        const isSeen = refusal === '403' || has.includes('read')
        t.is(answer.status, isSeen ? 403 : 404, `${modes}: ${answer.text}`)
        if (isSeen && sent.method !== 'HEAD' && !answer.headers['content-type']?.includes('html'))
          t.is(JSON.parse(answer.text).title, 'access-granted')
        t.is(await etagOf(service, path), await etagOf(service, path))
      }
    })

    test(`${name} of a missing document and of an unreadable one have equal refusals by ${refusal}`, async t => {
      const service = serviceOf(refusal)
      const path = await makeBox(t, service)
      const absent = `/none-${made++}/`
      const etag = await etagOf(service, path)

      for (const agent of ['stranger', undefined]) {
        const hidden = await service.sendAs(agent, withIri(service, make(path, etag)))
        const missing = await service.sendAs(agent, withIri(service, make(absent, etag)))

        t.deepEqual(comparable(hidden, path), comparable(missing, absent))
        t.is(hidden.status, refusal === '404' ? 404 : agent === undefined ? 401 : 403)
      }
    })
  }
}

for (const [name, {make}] of Object.entries(requests)) {
  test(`${name} below a private document is refused by an equal 404, whether the document exists or not`, async t => {
    const service = serviceOf('404')
    const parent = await makeBox(t, service)
    const secret = `${parent}child/`
    const [hidden, absent] = [`${secret}inner/`, `${secret}other/`]
    await service.sendAs('root', {method: 'POST', path: secret, headers: {...turtle, Slug: 'inner'}, body: ''})
    const etag = await etagOf(service, hidden)
    await service.grant(parent, {public: ['read'], [`agent ${agentOf('writer')}`]: ['write', 'control']})
    const expires = new Date('2999-01-01T00:00:00Z')
    await putGrants(service.session, service.base + secret.slice(1), {
      grants: [
        {grantee: `agent ${agentOf('owner')}`, modes: ['write', 'control']},
        {grantee: `agent ${agentOf('former')}`, modes: ['write', 'control'], expires},
      ],
      inherits: false,
      ifMatch: undefined,
      keepsControl: true,
    })
    await service.database.database.query('update quadstead.access_grant set expires = now() where expires = $1', [
      expires,
    ])

    for (const agent of ['writer', 'former', 'stranger', undefined]) {
      const [ofHidden, ofAbsent] = await Promise.all(
        [hidden, absent].map(async path =>
          comparable(await service.sendAs(agent, withIri(service, make(path, etag))), path),
        ),
      )
      t.is(JSON.stringify(ofHidden).replaceAll('inner', 'other'), JSON.stringify(ofAbsent))
      t.is(ofHidden.status, 404)
    }
  })
}

test('invalid requests on hidden documents reveal nothing either', async t => {
  const service = serviceOf('404')
  const path = await makeBox(t, service)
  const absent = `/none-${made++}/`
  const bad: readonly Sent[] = [
    {method: 'POST', headers: {'Content-Type': 'text/nothing'}, body: 'x'},
    {method: 'POST', headers: turtle, body: 'no turtle'},
    {method: 'POST', headers: {...turtle, 'If-Match': '"1"'}, body: ''},
    {method: 'POST', headers: {...turtle, 'If-None-Match': '*'}, body: ''},
    {method: 'PUT', headers: {...turtle, 'If-Match': '"1"'}, body: ''},
    {method: 'PUT', headers: turtle, body: ''},
    {method: 'PUT', headers: {...turtle, Prefer: container}, body: 'no turtle'},
    {method: 'PATCH', headers: {'Content-Type': 'text/ldpatch', 'If-Match': '"1"'}, body: 'no patch'},
    {method: 'PATCH', headers: {'Content-Type': 'text/nothing'}, body: ''},
    {method: 'DELETE', headers: {'If-Match': '"1"'}},
    {method: 'DELETE', headers: {Depth: '0'}},
    {method: 'DELETE', headers: {'If-Match': `"${'0'.repeat(64)}"`}},
    {method: 'GET', headers: {Accept: 'text/nothing'}},
    {method: 'GET', headers: {'If-Match': '"1"'}},
    {method: 'TRACE'},
  ]

  for (const sent of bad) {
    const hidden = await service.sendAs('stranger', {...sent, path})
    const missing = await service.sendAs('stranger', {...sent, path: absent})

    t.deepEqual(comparable(hidden, path), comparable(missing, absent), JSON.stringify(sent))
  }
})

test('grants are inherited and add up, including those of groups and of everybody', async t => {
  const service = serviceOf('403')
  const path = await makeBox(t, service)
  await service.authorizationOf('grouped', ['staff'])
  const statusOf = async (name: string | undefined, at: string) => (await service.sendAs(name, {path: at})).status

  const steps: readonly (readonly [Parameters<GuardedService['grant']>[1], number[]])[] = [
    [{}, [403, 403, 401]],
    [{'group staff': ['read']}, [200, 403, 401]],
    [{authenticated: ['read']}, [200, 200, 401]],
    [{public: ['read']}, [200, 200, 200]],
  ]
  for (const [grants, expected] of steps) {
    await service.grant(path, grants)
    for (const at of [path, `${path}child/`]) {
      t.deepEqual(await Promise.all(['grouped', 'other', undefined].map(name => statusOf(name, at))), expected)
    }
  }
  await service.grant(`${path}child/`, {'agent http://nobody.example/': ['read']})
  t.is(await statusOf(undefined, `${path}child/`), 200) // there are no denials
})

test('a new document inherits grants, and a deleted document loses its own', async t => {
  const service = serviceOf('403')
  const path = await makeBox(t, service)
  await service.grant(path, {public: ['read'], [`agent ${agentOf('writer')}`]: ['write']})
  const create = {method: 'POST', path, headers: {...turtle, Slug: 'new'}, body: ''}

  t.is((await service.sendAs('writer', create)).status, 201)
  t.is((await service.sendAs(undefined, {path: `${path}new/`})).status, 200)
  t.is((await service.sendAs('root', {method: 'DELETE', path})).status, 204)
  t.is(
    (await service.sendAs('root', {...create, path: '/', headers: {...turtle, Slug: path.slice(1, -1)}})).status,
    201,
  )
  t.is((await service.sendAs(undefined, {path})).status, 401)
})

test('unreadable members count as missing documents, and protected members do not change', async t => {
  const service = serviceOf('404')
  const [path, other] = [await makeBox(t, service), await makeBox(t, service)]
  await service.grant(path, {[`agent ${agentOf('keeper')}`]: ['write']})
  const inverse = `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <http://e/has> ; <${ldp}isMemberOfRelation> <http://e/in> .`
  await service.sendAs('keeper', {method: 'POST', path, headers: {...turtle, Slug: 'inverse'}, body: inverse})
  const add = (list: string, member: string) =>
    service.sendAs('keeper', {
      method: 'PUT',
      path: `${path}${list}/`,
      headers: {...turtle, Prefer: container},
      body: `[] a <${c}AddMemberAction> ; <${c}targetMember> <${service.base.slice(0, -1)}${member}> .`,
    })

  const [hidden, absent] = [await add('list', other), await add('list', '/absent-one/')]
  t.deepEqual([hidden.status, JSON.parse(hidden.text).title], [422, 'member-known'])
  t.deepEqual(comparable(hidden, other), comparable(absent, '/absent-one/'))

  await service.grant(other, {[`agent ${agentOf('keeper')}`]: ['read']})
  const before = await etagOf(service, other)
  t.is((await add('list', other)).status, 204)
  t.is((await add('inverse', other)).status, 403)
  t.is(await etagOf(service, other), before)

  await service.grant(other, {[`agent ${agentOf('keeper')}`]: ['read', 'append']})
  t.is((await add('inverse', other)).status, 204)
  t.not(await etagOf(service, other), before)
})

test('members of a list are shown to callers who may read its container document', async t => {
  const service = serviceOf('404')
  const path = await makeBox(t, service)
  await service.grant(`${path}list/`, {public: ['read']})
  await service.sendAs('root', requests['PUT of a member']?.make(path, '') ?? {})
  const asked = {
    path: `${path}list/`,
    headers: {
      Accept: 'application/n-triples',
      Prefer: `return=representation; include="${ldp}PreferMembership"`,
    },
  }

  t.regex((await service.sendAs('root', asked)).text, /<http:\/\/e\/member> <.*\/member\/>/)
  t.notRegex((await service.sendAs(undefined, asked)).text, /\/member\/>/)
  t.notRegex((await service.sendAs(undefined, {path: asked.path, headers: {Accept: 'text/html'}})).text, /\/member\//)
})

test('responses are for their caller only, also in caches', async t => {
  const service = serviceOf('403')
  const path = await makeBox(t, service)
  const caching = async (sent: Sent) => {
    const {headers} = await service.sendAs('root', sent)
    return [headers['cache-control'], /\bAuthorization\b/.test(String(headers.vary))]
  }

  t.deepEqual(await caching({path}), ['private, no-cache', true])
  t.deepEqual(await caching({path: '/.well-known/void'}), ['private, max-age=60', true])
  t.deepEqual(await caching({path: '/sparql?query=ASK%7B%7D'}), ['private, no-cache', true])
  t.deepEqual(await caching({path: '/none/'}), ['no-store', true])
})

test('grants over HTTP: read with inherited ones, replaced with their entity tag', async t => {
  const service = serviceOf('403')
  const {base} = service
  const path = await makeBox(t, service)
  const controller = `agent ${agentOf('controller')}`
  await service.grant(path, {[controller]: ['control', 'read']})
  const at = (document: string) => `/.system/access?document=${encodeURIComponent(base + document.slice(1))}`
  const put = (grants: unknown, headers = {}) =>
    service.sendAs('controller', {
      method: 'PUT',
      path: at(path),
      headers: {...json, ...headers},
      body: JSON.stringify({grants}),
    })

  const first = await service.sendAs('controller', {path: at(path)})
  t.deepEqual(JSON.parse(first.text), {
    document: base + path.slice(1),
    inherits: true,
    grants: [{grantee: controller, modes: ['control', 'read']}],
    inherited: [],
    withheld: 1,
  })
  const grants = [
    {grantee: controller, modes: ['control']},
    {grantee: 'group some staff', modes: ['read']},
  ]
  t.is((await put(grants, {'If-Match': '"other"'})).status, 412)
  const changed = await put(grants, {'If-Match': String(first.headers.etag)})
  t.deepEqual([changed.status, changed.headers.etag !== first.headers.etag], [204, true])
  t.deepEqual(JSON.parse((await service.sendAs('controller', {path: at(path)})).text).grants, grants)

  for (const bad of [
    undefined,
    [{}],
    [{grantee: 'somebody', modes: ['read']}],
    [{grantee: 'public', modes: []}],
    [{grantee: 'public', modes: ['own']}],
    [grants[0], grants[0]],
  ]) {
    const {status, text} = await put(bad)
    t.deepEqual([status, JSON.parse(text).title], [400, 'grants-shape'])
  }
  t.is((await service.sendAs('root', {path: at('/none/')})).status, 404)
  const left = await service.sendAs('root', {method: 'PUT', path: at('/'), headers: json, body: '{"grants":[]}'})
  t.deepEqual([left.status, JSON.parse(left.text).title], [409, 'control-kept'])
  t.deepEqual(await service.database.database.query('select * from quadstead.check_store()'), [])
})

test('a controller of a subtree learns the number of grants above it, but not the other grantees', async t => {
  const service = await startGuarded()
  t.teardown(service.stop)
  const {base} = service
  const root = {grantee: `agent ${agentOf('root')}`, modes: ['control', 'write']}
  const [upper, lower] = ['upper', 'lower'].map(name => ({grantee: `agent ${agentOf(name)}`, modes: ['control']}))
  const [staff, everybody] = [
    {grantee: 'group staff', modes: ['read'], expires: '2999-01-31T00:00:00.000Z'},
    {grantee: 'public', modes: ['read']},
  ]
  const granted = async (path: string, body: object) => {
    const document = encodeURIComponent(base + path)
    const sent = {
      method: 'PUT',
      path: `/.system/access?document=${document}`,
      headers: json,
      body: JSON.stringify(body),
    }
    t.is((await service.sendAs('root', sent)).status, 204)
  }
  for (const path of ['a/', 'a/b/'])
    await createDocument(service.session, base + path, base + path.replace(/[^/]+\/$/, ''), {
      triples: [],
      isReturning: false,
    })
  await granted('', {grants: [root, everybody, {grantee: 'group board', modes: ['read']}]})
  await granted('a/', {grants: [upper, staff]})
  await granted('a/b/', {grants: [lower]})
  await service.authorizationOf('lower', ['staff'])
  const inheritedBy = async (name: string) => {
    const {text} = await service.sendAs(name, {path: `/.system/access?document=${encodeURIComponent(`${base}a/b/`)}`})
    const {inherited, withheld} = JSON.parse(text)
    return {inherited, withheld}
  }
  const at = (path: string, ...all: readonly unknown[]) =>
    all.map(one => ({document: base + path, ...(one as typeof root)}))
  const board = {grantee: 'group board', modes: ['read']}

  t.deepEqual(await inheritedBy('root'), {
    inherited: [...at('', root, board, everybody), ...at('a/', upper, staff)],
    withheld: 0,
  })
  t.deepEqual(await inheritedBy('upper'), {inherited: [...at('', everybody), ...at('a/', upper, staff)], withheld: 2})
  t.deepEqual(await inheritedBy('lower'), {inherited: [...at('', everybody), ...at('a/', staff)], withheld: 3})

  await granted('a/', {grants: [upper, staff], inherits: false})
  t.deepEqual(await inheritedBy('lower'), {inherited: at('a/', staff), withheld: 1})
  t.deepEqual(await inheritedBy('upper'), {inherited: at('a/', upper, staff), withheld: 0})
})

test('a caller who may append to a list but not read it learns neither its entity tag nor its type', async t => {
  const service = serviceOf('404')
  const path = await makeBox(t, service)
  const send = async (name: string, path: string, prefer = container) =>
    service.sendAs(name, {
      method: 'PUT',
      path,
      headers: {...turtle, Prefer: prefer},
      body: `[] a <${c}AddMemberAction> ; <${c}targetMember> </member/> .`,
    })
  await service.grant(path, {
    [`agent ${agentOf('sender')}`]: ['append'],
    [`agent ${agentOf('reader')}`]: ['append', 'read'],
  })

  const [list, document, read] = [
    await send('sender', `${path}list/`),
    await send('sender', path),
    await send('reader', `${path}list/`),
  ]

  t.is(list.status, 204)
  t.deepEqual(comparable(list, path), comparable(document, path))
  t.deepEqual([list.headers.etag, list.headers['last-modified']], [undefined, undefined])
  t.is(list.headers.link, `<${ldp}Resource>; rel="type"`)
  t.is(read.headers.etag, await etagOf(service, `${path}list/`))
  t.regex(String(read.headers.link), /DirectContainer/)
})

test('descriptions of the whole store are for callers who may read all of it', async t => {
  const service = await startGuarded({ACCESS_REFUSAL: '404'}) // without private documents
  t.teardown(service.stop)
  const paths = ['/.well-known/void', '/sparql']
  const accept = {Accept: 'text/turtle'}
  const explain = {path: '/sparql?query=ASK%7B%7D', headers: {Accept: 'text/vnd.quadstead.explain'}}

  for (const path of paths) {
    t.regex((await service.sendAs('root', {path, headers: accept})).text, /void:documents/)
    t.notRegex((await service.sendAs('stranger', {path, headers: accept})).text, /void:documents|void:property /)
  }
  const names = (await service.sendAs('stranger', {path: '/.system/names'})).text
  t.deepEqual([JSON.parse(names).properties, JSON.parse(names).classes], [[], []])
  for (const sent of [explain, {path: '/metrics'}]) {
    t.is((await service.sendAs('root', sent)).status, 200)
    t.is((await service.sendAs('stranger', sent)).status, 403)
    t.is((await service.sendAs(undefined, sent)).status, 401)
  }
})
