/**
 * Requests that would change documents other than the addressed one: documents that the caller may not write do not
 * change.
 */
import test, {type ExecutionContext} from 'ava'
import {agentOf, type GuardedService, startGuarded} from '../support/access.ts'
import type {Sent} from '../support/client.ts'
import {c, ldp, preferChildren, turtle} from '../support/documents.ts'

const ada = `agent ${agentOf('ada')}`
const asContainer = {...turtle, Prefer: `${ldp}Container; rel=interaction-model`}
const point = `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <http://e/has> ; <${ldp}isMemberOfRelation> <http://e/in> .`
const action = (kind: string, member: string) => `[] a <${c}${kind}MemberAction> ; <${c}targetMember> <${member}> .`

/**
 * Ada may write /a/ and /own/. /others/, which she may not read, has triples about documents in /a/ before they exist.
 */
async function start(t: ExecutionContext) {
  const service = await startGuarded()
  t.teardown(service.stop)
  const create = (path: string, slug: string, body = '') =>
    statusOf(service, 'root', {method: 'POST', path, headers: {...turtle, Slug: slug}, body})
  const says = '<> <http://e/see> </a/future/>, </a/future/deep/> ; <http://e/list> (1 </a/future/> 2) .'
  t.deepEqual(
    [await create('/', 'a'), await create('/', 'own', says), await create('/', 'others', says)],
    Array(3).fill(201),
  )
  for (const path of ['/a/', '/own/']) await service.grant(path, {[ada]: ['write']})
  return {...service, create, others: await stateOf(service, '/others/')}
}

async function statusOf({sendAs}: GuardedService, name: string, sent: Sent): Promise<number> {
  return (await sendAs(name, sent)).status
}

/** Entity tag and text of a document. */
async function stateOf({sendAs}: GuardedService, path: string) {
  const {status, headers, text} = await sendAs('root', {path, headers: {Accept: 'application/n-triples'}})
  return {status, etag: headers.etag, text}
}

const asAda = (service: GuardedService, method: string, path: string, more: Partial<Sent> = {}) =>
  statusOf(service, 'ada', {method, path, ...more})

const deletions: readonly (readonly [string, string, Sent['headers']])[] = [
  ['a document and what it contains', '/a/future/', {}],
  ['the document above', '/a/', {}],
  ['all children', '/a/', {Prefer: preferChildren}],
]
for (const [what, path, headers = {}] of deletions) {
  test(`a DELETE of ${what} removes references from documents that the caller may write`, async t => {
    const service = await start(t)
    for (const [parent, Slug] of [
      ['/a/', 'future'],
      ['/a/future/', 'deep'],
    ] as const)
      t.is(await asAda(service, 'POST', parent, {headers: {...turtle, Slug}, body: ''}), 201)

    t.is(await asAda(service, 'DELETE', path, {headers}), 204)

    t.is((await stateOf(service, '/a/future/')).status, 404)
    t.deepEqual(await stateOf(service, '/others/'), service.others)
    const {text} = await stateOf(service, '/own/')
    t.notRegex(text, /future/)
    t.is(text.match(/#rest>/g)?.length, 2)
    const rows = await service.database.database.query<{action: string; document: string}>(
      `select action, document from quadstead.audit where action like 'delete%'`,
    )
    const action = path === '/a/' && 'Prefer' in headers ? 'delete-children' : 'delete'
    t.deepEqual(rows, [{action, document: service.base.slice(0, -1) + path}])
    t.deepEqual(await service.database.database.query('select * from quadstead.check_store()'), [])
  })
}

test('without access control, or with write everywhere, references are removed from all documents', async t => {
  const service = await start(t)
  t.is(await service.create('/a/', 'future'), 201)

  t.is(await statusOf(service, 'root', {method: 'DELETE', path: '/a/future/'}), 204)

  const {text} = await stateOf(service, '/others/')
  t.notRegex(text, /see> <[^>]*\/a\/future\/> |first> <[^>]*\/a\/future\//)
  t.regex(text, /future\/deep/)
})

test('an access point gives no access to its container document', async t => {
  const service = await start(t)
  t.is(await service.create('/others/', 'list', point), 201)
  t.is(await service.create('/own/', 'm'), 201)
  await service.grant('/others/list/', {[ada]: ['write']})
  const member = {headers: asContainer, body: action('Add', '/own/m/')}
  t.is(await statusOf(service, 'root', {method: 'PUT', path: '/others/list/', ...member}), 204)
  const [others, own] = [await stateOf(service, '/others/'), await stateOf(service, '/own/m/')]

  const refused = [
    await asAda(service, 'PUT', '/others/list/', {headers: asContainer, body: action('Add', '/own/')}),
    await asAda(service, 'PUT', '/others/list/', {headers: asContainer, body: action('Remove', '/own/m/')}),
    await asAda(service, 'POST', '/others/list/', {headers: turtle, body: ''}),
    await asAda(service, 'DELETE', '/others/list/'),
  ]
  t.deepEqual(refused, [403, 403, 403, 403])
  t.deepEqual(await stateOf(service, '/own/m/'), own)

  t.is(await asAda(service, 'DELETE', '/own/m/'), 204) // a member of a list that she may not change
  t.deepEqual(await stateOf(service, '/others/'), others)
  t.regex(others.text, /<http:\/\/e\/has> <[^>]*\/own\/m\/>/)

  await service.grant('/others/', {[ada]: ['members', 'read']})
  t.is(await asAda(service, 'PUT', '/others/list/', {headers: asContainer, body: action('Add', '/own/')}), 204)
  t.is(await asAda(service, 'POST', '/others/list/', {headers: turtle, body: ''}), 201)
  t.is(await asAda(service, 'DELETE', '/others/list/'), 403)
  await service.grant('/others/', {[ada]: ['create', 'delete']})
  for (const Prefer of [preferChildren, undefined])
    t.is(await asAda(service, 'DELETE', Prefer ? '/others/' : '/others/list/', {headers: Prefer ? {Prefer} : {}}), 403)
  await service.grant('/others/', {[ada]: ['edit']})
  t.is(await asAda(service, 'PUT', '/others/list/', {headers: asContainer, body: action('Remove', '/own/m/')}), 204)
  t.notRegex((await stateOf(service, '/others/')).text, /\/own\/m\//)
  t.is(await asAda(service, 'DELETE', '/others/list/'), 204)
  t.deepEqual(await service.database.database.query('select * from quadstead.check_store()'), [])
})

test('removing members needs edit on the list only; an inverse triple in a protected member stays', async t => {
  const service = await start(t)
  t.is(await service.create('/own/', 'list', point), 201)
  const add = {method: 'PUT', path: '/own/list/', headers: asContainer, body: action('Add', '/others/')}
  t.is(await statusOf(service, 'root', add), 204)
  const others = await stateOf(service, '/others/')

  t.is(await asAda(service, 'PUT', '/own/list/', {headers: asContainer, body: action('Remove', '/others/')}), 204)

  t.notRegex((await stateOf(service, '/own/')).text, /<http:\/\/e\/has>/)
  t.deepEqual(await stateOf(service, '/others/'), others)
  t.regex(others.text, /<http:\/\/e\/in> <[^>]*\/own\/>/)
  t.is(await asAda(service, 'DELETE', '/own/'), 204)
  t.deepEqual(await stateOf(service, '/others/'), others)
  t.deepEqual(await service.database.database.query('select * from quadstead.check_store()'), [])
})
