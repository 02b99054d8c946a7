/** The audit: one row for each change, in the same transaction. */
import test from 'ava'
import {agentOf, type GuardedService, startGuarded} from '../support/access.ts'
import {c, ldp, preferChildren, turtle} from '../support/documents.ts'
import {useService} from '../support/service.ts'

type Row = {agent: string | null; request_id: string | null; action: string; document: string; etag: string | null}

const rowsOf = ({database}: Pick<GuardedService, 'database'>) =>
  database.database.query<Row>('select agent, request_id, action, document, etag from quadstead.audit order by id')

test('every kind of change is recorded, with agent, request, document and new entity tag', async t => {
  const service = await startGuarded()
  t.teardown(service.stop)
  const {base} = service
  const box = `${base}box/`
  let number = 0
  const send = async (method: string, path: string, headers: Record<string, string | readonly string[]>, body = '') => {
    const answer = await service.sendAs('root', {
      method,
      path,
      headers: {...headers, 'X-Request-Id': `request-${++number}`},
      ...(method === 'DELETE' ? {} : {body}),
    })
    t.true(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return String(answer.headers.etag ?? '').replaceAll('"', '')
  }
  const ldPatch = {'Content-Type': 'text/ldpatch'}
  const members = {...turtle, Prefer: `${ldp}Container; rel=interaction-model`}
  const action = (kind: string) => `[] a <${c}${kind}MemberAction> ; <${c}targetMember> </box/child/> .`
  const point = `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <http://e/has> .`

  const tags = [
    await send('POST', '/', {...turtle, Slug: 'box'}),
    await send('POST', '/box/', {...turtle, Slug: 'child'}),
    await send('POST', '/box/', {...turtle, Slug: 'list'}, point),
    await send('PATCH', '/box/', ldPatch, 'Add { <> <http://e/p> 1 . } .'),
    await send('PATCH', '/box/', ldPatch, 'Bind ?o <> / <http://e/p> . Add { <> <http://e/q> ?o . } .'),
    await send('PUT', '/box/list/', members, action('Add')),
    await send('PUT', '/box/list/', members, action('Remove')),
  ]
  await send('DELETE', '/box/', {Prefer: preferChildren})
  await send('DELETE', '/box/', {})

  const agent = agentOf('root')
  const expected = [
    ['create', box],
    ['create', `${box}child/`],
    ['create', `${box}list/`],
    ['patch', box],
    ['patch', box],
    ['add-members', `${box}list/`],
    ['remove-members', `${box}list/`],
    ['delete-children', box],
    ['delete', box],
  ].map(([what, document], index) => ({
    agent,
    request_id: `request-${index + 1}`,
    action: what,
    document,
    etag: tags[index] ?? null,
  }))
  t.deepEqual(await rowsOf(service), expected as Row[])
})

test('refused requests and reads are not recorded', async t => {
  const service = await startGuarded()
  t.teardown(service.stop)

  await service.sendAs('root', {path: '/'})
  await service.sendAs('root', {method: 'POST', path: '/none/', headers: turtle, body: ''})
  await service.sendAs('root', {method: 'POST', path: '/', headers: turtle, body: 'no turtle'})
  await service.sendAs('root', {method: 'DELETE', path: '/none/'})
  await service.sendAs('stranger', {method: 'POST', path: '/', headers: turtle, body: ''})
  await service.sendAs('root', {path: '/sparql?query=ASK%7B%7D'})

  t.deepEqual(await rowsOf(service), [])
})

test('it works without access control, and access control without it', async t => {
  const open = await useService(t, {AUDIT: 'on'})
  const silent = await startGuarded({AUDIT: 'off'})
  t.teardown(silent.stop)
  const create = {method: 'POST', path: '/', headers: {...turtle, Slug: 'made'}, body: ''}

  t.is((await open.send({...create, headers: {...create.headers, 'X-Request-Id': 'mine'}})).status, 201)
  t.is((await silent.sendAs('root', create)).status, 201)

  const [row, ...others] = await rowsOf(open)
  t.like(row, {agent: null, request_id: 'mine', action: 'create', document: `${open.base}made/`})
  t.deepEqual(others, [])
  t.deepEqual(await rowsOf(silent), [])
})

test('changes of grants are recorded too', async t => {
  const service = await startGuarded()
  t.teardown(service.stop)
  const body = JSON.stringify({grants: [{grantee: `agent ${agentOf('root')}`, modes: ['control', 'read']}]})

  const {headers} = await service.sendAs('root', {
    method: 'PUT',
    path: '/.system/access',
    headers: {'Content-Type': 'application/json'},
    body,
  })

  const etag = String(headers.etag).replaceAll('"', '')
  t.like((await rowsOf(service))[0], {action: 'grant', document: service.base, etag})
})
