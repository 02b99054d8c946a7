/** Concurrent POSTs share a statement. Each has its own response, whatever the others contain. */
import {once} from 'node:events'
import {connect} from 'node:net'
import test from 'ava'
import {agentOf, startGuarded} from '../support/access.ts'
import {c, jsonLd, ldp, turtle} from '../support/documents.ts'
import {useService} from '../support/service.ts'

test('each of many concurrent POSTs has the same response as alone', async t => {
  const service = await useService(t)
  const {send, base} = service
  await send({
    method: 'POST',
    headers: {...turtle, Slug: 'list'},
    body: `<> <${ldp}isMemberOfRelation> <http://e/in> .`,
  })
  const point = `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <http://e/has> .`
  const kinds = [
    (n: number) => ({body: `<> <http://e/p> "plain ${n}" ; <http://e/q> [ <http://e/r> ${n} ] .`}),
    (n: number) => ({body: `<> <http://e/p> "${n}" , <http://e/broken`}),
    (n: number) => ({body: `<> <http://e/p> "child ${n}" .`, path: '/list/'}),
    () => ({body: '', path: '/none/'}),
    (n: number) => ({body: `<#it> <http://e/p> "${n}" . <http://e/x> <http://e/y> <http://e/z> .`}),
    (n: number) => ({body: Array.from({length: 300}, (_, at) => `<> <http://e/p> "${n}.${at}" .`).join('\n')}),
    (n: number) => ({body: `{"@id": "", "http://e/p": "json ${n}\\u0000"}`, headers: jsonLd}),
    (n: number) => ({body: `<> <http://e/p> "told ${n}" .`, headers: {...turtle, Prefer: 'return=representation'}}),
    () => ({body: point}),
    () => ({body: `<> <${c}created> "2020-01-01" .`}),
  ]
  const requests = Array.from({length: 60}, (_, n) => ({
    n,
    kind: n % kinds.length,
    sent: {path: '/', headers: turtle, ...kinds[n % kinds.length]?.(n)},
  }))
  const sendOne = (slug: string, sent: (typeof requests)[number]['sent']) =>
    send({method: 'POST', ...sent, headers: {...sent.headers, Slug: slug, Accept: 'application/n-triples'}})

  const together = await Promise.all(requests.map(({n, sent}) => sendOne(`t${n}`, sent)))

  const statuses = [201, 400, 201, 404, 201, 201, 201, 201, 201, 409]
  for (const {n, kind, sent} of requests) {
    const answer = together[n]
    const alone = await sendOne(`a${n}`, sent)
    t.deepEqual([answer?.status, alone.status], [statuses[kind], statuses[kind]], `${kind}: ${answer?.text}`)
    if (answer?.status !== 201) continue
    t.is(answer.headers.location, `${base}${sent.path.slice(1)}t${n}/`)
    const accept = {Accept: 'application/n-triples'}
    const stored = await send({path: `${sent.path}t${n}/`, headers: accept})
    const storedAlone = await send({path: `${sent.path}a${n}/`, headers: accept})
    t.is(stored.headers.etag, answer.headers.etag)
    const lines = (text: string) =>
      text
        .replace(/_:\w+|\/[at]\d+\/|"[\d:T.-]+Z"/g, '…')
        .split('\n')
        .sort()
    t.deepEqual(lines(stored.text), lines(storedAlone.text))
  }
  t.deepEqual(await service.database.database.query('select * from quadstead.check_store()'), [])
})

test('of many POSTs with one Slug one is a 201, the others are a 409', async t => {
  const {send, base} = await useService(t)
  const body = '<> <http://e/p> "mine" .'

  const answers = await Promise.all(
    Array.from({length: 12}, () => send({method: 'POST', headers: {...turtle, Slug: 'same'}, body})),
  )

  t.deepEqual(answers.map(({status}) => status).sort(), [201, ...Array.from({length: 11}, () => 409)])
  for (const {status, text} of answers) if (status === 409) t.is(JSON.parse(text).existing, `${base}same/`)
})

test('each is checked against the grants, and each success is recorded once', async t => {
  const service = await startGuarded({AUDIT: 'on'})
  t.teardown(service.stop)
  const {sendAs, base} = service
  await sendAs('root', {method: 'POST', path: '/', headers: {...turtle, Slug: 'box', 'X-Request-Id': 'box'}, body: ''})
  await service.grant('/box/', {[`agent ${agentOf('friend')}`]: ['append']})
  for (const name of ['friend', 'stranger']) await service.authorizationOf(name)
  const callers = ['root', 'friend', 'stranger', undefined]
  const requests = Array.from({length: 40}, (_, n) => ({n, caller: callers[n % 4], path: n % 8 < 4 ? '/box/' : '/'}))

  const answers = await Promise.all(
    requests.map(({n, caller, path}) => {
      const headers = {...turtle, Slug: `d${n}`, 'X-Request-Id': `request-${n}`}
      return sendAs(caller, {method: 'POST', path, headers, body: `<> <http://e/p> "${n}" .`})
    }),
  )

  const expected = requests.map(({caller, path}) =>
    caller === undefined ? 401 : caller === 'root' || (caller === 'friend' && path === '/box/') ? 201 : 403,
  )
  t.deepEqual(
    answers.map(({status}) => status),
    expected,
  )
  const rows = await service.database.database.query<{request_id: string}>(
    'select agent, request_id, action, document, etag from quadstead.audit order by id',
  )
  const done = requests.flatMap(({n, caller, path}) => {
    const {status, headers} = answers[n] ?? {}
    if (status !== 201 || caller === undefined) return []
    const etag = String(headers?.etag).replaceAll('"', '')
    const document = `${base}${path.slice(1)}d${n}/`
    return [{agent: agentOf(caller), request_id: `request-${n}`, action: 'create', document, etag}]
  })
  const byId = (left: {request_id: string}, right: {request_id: string}) =>
    left.request_id < right.request_id ? -1 : 1
  t.deepEqual(rows.filter(({request_id: id}) => id !== 'box').sort(byId), done.sort(byId))
})

test('clients that disconnect do not affect the responses of others', async t => {
  const {send, url} = await useService(t)
  const {hostname, port} = new URL(url)
  const leave = async (slug: string) => {
    const socket = connect({host: hostname, port: Number(port)})
    await once(socket, 'connect')
    const head = `POST / HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: text/turtle\r\nSlug: ${slug}\r\n`
    socket.end(`${head}Content-Length: 2\r\n\r\n \n`)
    socket.destroy()
  }

  const work = Array.from({length: 30}, async (_, n) => {
    if (n % 3 === 0) await leave(`gone${n}`)
    return send({method: 'POST', headers: {...turtle, Slug: `d${n}`}, body: `<> <http://e/p> ${n} .`})
  })

  t.deepEqual(
    (await Promise.all(work)).map(({status}) => status),
    work.map(() => 201),
  )
})
