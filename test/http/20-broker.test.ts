/** The broker: events over STOMP, by WebSocket and SockJS, with published clients. */

import test from 'ava'
import {WebSocket} from 'ws'
import {putGrants} from '../../src/db/store/grants.ts'
import {agentOf, startGuarded} from '../support/access.ts'
import {send} from '../support/client.ts'
import {create} from '../support/documents.ts'
import {add, createAccessPoint, remove} from '../support/members.ts'
import {startService, type TestService} from '../support/service.ts'
import {brokerConfig, openRaw, subscribeTo, type Transport} from '../support/stomp.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const c = (name: string) => `https://carbonldp.com/ns/v1/platform#${name}`

/** The message of an event, with its details. */
const event = (type: string, target: string, details?: readonly [type: string, property: string, iri: string]) =>
  details === undefined
    ? [{'@id': '_:1', '@type': [c(type)], [c('target')]: [{'@id': target}]}]
    : [
        {'@id': '_:1', '@type': [c(type)], [c('target')]: [{'@id': target}], [c('details')]: [{'@id': '_:2'}]},
        {'@id': '_:2', '@type': [c(details[0])], [c(details[1])]: [{'@id': details[2]}]},
      ]

async function patch(path: string, text = 'Add { <> <http://e/p> "x" . } .') {
  return service.send({method: 'PATCH', path, headers: {'Content-Type': 'text/ldpatch'}, body: text})
}

const transports: readonly Transport[] = ['websocket', 'sockjs', 'xhr-streaming', 'xhr-polling', 'eventsource']

for (const transport of transports)
  test(`a client hears the events of a subtree by ${transport}`, async t => {
    const slug = `by-${transport}`
    const {path} = await create(t, service, {slug, body: ''})
    const iri = service.base + path.slice(1)
    const {gather} = await subscribeTo(t, brokerConfig(service.url, transport), `/topic/*.*.${slug}.#`)

    await create(t, service, {parent: path, slug: 'a.b', body: ''})
    await patch(`${path}a.b/`)
    await service.send({method: 'DELETE', path: `${path}a.b/`})

    const messages = await gather(4)
    t.deepEqual(
      messages.map(({headers, body}) => [headers.destination, JSON.parse(body)]),
      [
        [
          `/topic/child.created.${slug}`,
          event('ChildCreatedEvent', iri, ['DocumentCreatedEventDetails', 'createdDocument', `${iri}a.b/`]),
        ],
        [
          `/topic/document.created.${slug}.a^b`,
          event('DocumentCreatedEvent', `${iri}a.b/`, ['DocumentCreatedEventDetails', 'createdDocument', `${iri}a.b/`]),
        ],
        [`/topic/document.modified.${slug}.a^b`, event('DocumentModifiedEvent', `${iri}a.b/`)],
        [`/topic/document.deleted.${slug}.a^b`, event('DocumentDeletedEvent', `${iri}a.b/`)],
      ],
    )
    t.true(messages.every(({headers}) => headers['content-type'] === 'application/ld+json'))
  })

test('access points and members have events', async t => {
  const {path} = await create(t, service, {slug: 'club', body: ''})
  const iri = service.base + path.slice(1)
  const {gather} = await subscribeTo(t, brokerConfig(service.url, 'websocket'), '/topic/*.*.club')
  await createAccessPoint(t, service, {parent: path, slug: 'people', relation: 'http://e/has'})
  t.is((await add(service, `${path}people/`, [service.base])).status, 204)
  t.is((await remove(service, `${path}people/`, [service.base])).status, 204)

  const messages = await gather(4)
  t.deepEqual(
    messages.map(({headers, body}) => [headers.destination, JSON.parse(body)]),
    [
      [
        '/topic/access-point.created.club',
        event('AccessPointCreatedEvent', iri, [
          'AccessPointCreatedEventDetails',
          'createdAccessPoint',
          `${iri}people/`,
        ]),
      ],
      ['/topic/document.modified.club', event('DocumentModifiedEvent', iri)], // it lists its access points
      ['/topic/member.added.club', event('MemberAddedEvent', iri, ['MemberAddedEventDetails', 'member', service.base])],
      [
        '/topic/member.removed.club',
        event('MemberRemovedEvent', iri, ['MemberRemovedEventDetails', 'member', service.base]),
      ],
    ],
  )
})

test('the topic of an access point has the events of its members', async t => {
  const {path} = await create(t, service, {slug: 'guild', body: ''})
  const iri = service.base + path.slice(1)
  for (const slug of ['masters', 'guests'])
    await createAccessPoint(t, service, {parent: path, slug, relation: `http://e/${slug}`})
  const {gather} = await subscribeTo(t, brokerConfig(service.url, 'websocket'), '/topic/member.*.guild.*')
  t.is((await add(service, `${path}guests/`, [service.base])).status, 204)
  t.is((await add(service, `${path}masters/`, [service.base])).status, 204)
  t.is((await remove(service, `${path}masters/`, [service.base])).status, 204)

  const messages = await gather(3)
  const details = (kind: 'Added' | 'Removed') => [`Member${kind}EventDetails`, 'member', service.base] as const
  t.deepEqual(
    messages.map(({headers, body}) => [headers.destination, JSON.parse(body)]),
    [
      ['/topic/member.added.guild.guests', event('MemberAddedEvent', `${iri}guests/`, details('Added'))],
      ['/topic/member.added.guild.masters', event('MemberAddedEvent', `${iri}masters/`, details('Added'))],
      ['/topic/member.removed.guild.masters', event('MemberRemovedEvent', `${iri}masters/`, details('Removed'))],
    ],
  )
})

test('a listener that may not read an access point does not hear of it', async t => {
  const guarded = await startGuarded()
  t.teardown(guarded.stop)
  const {sendAs, grant} = guarded
  const make = async (path: string, slug: string, body = '') => {
    const headers = {'Content-Type': 'text/turtle', Slug: slug}
    t.is((await sendAs('root', {method: 'POST', path, headers, body})).status, 201)
  }
  await make('/', 'den')
  await grant('/den/', {[`agent ${agentOf('ada')}`]: ['read']})
  const relation = '<http://www.w3.org/ns/ldp#hasMemberRelation>'
  for (const slug of ['open', 'secret'])
    await make('/den/', slug, `<> a <${c('AccessPoint')}> ; ${relation} <http://e/p> .`)
  const grants = [{grantee: `agent ${agentOf('root')}`, modes: ['write', 'control'] as const}]
  const hidden = `${guarded.base}den/secret/`
  await putGrants(guarded.session, hidden, {grants, ifMatch: undefined, keepsControl: false, inherits: false})
  const connectHeaders = {Authorization: await guarded.authorizationOf('ada')}
  const config = {...brokerConfig(guarded.url, 'websocket'), connectHeaders}
  const {gather} = await subscribeTo(t, config, '/topic/member.added.#')
  const body = `[] a <${c('AddMemberAction')}> ; <${c('targetMember')}> <${guarded.base}> .`
  const headers = {'Content-Type': 'text/turtle', Prefer: 'http://www.w3.org/ns/ldp#Container; rel=interaction-model'}
  t.is((await sendAs('root', {method: 'PUT', path: '/den/secret/', headers, body})).status, 204)

  t.is((await sendAs('ada', {path: '/den/secret/'})).status, 403)
  const heard = (await gather(2)).map(message => message.headers.destination)
  t.deepEqual(heard, ['/topic/member.added.den', '/topic/member.added.den.open'])
})

test('a move is a deletion at the old IRI and a creation at the new one', async t => {
  const {path} = await create(t, service, {slug: 'before', body: ''})
  const {gather} = await subscribeTo(t, brokerConfig(service.url, 'websocket'), '/topic/document.*.#')
  await service.send({method: 'MOVE', path, headers: {Destination: `${service.base}after-move/`}})

  await gather(2)
  const own = async () =>
    (await gather(2)).map(({headers}) => headers.destination).filter(one => /\.(before|after-move)$/.test(one ?? ''))
  for (let left = 100; left > 0 && (await own()).length < 2; left -= 1) await new Promise(done => setTimeout(done, 50))
  t.deepEqual(await own(), ['/topic/document.deleted.before', '/topic/document.created.after-move'])
})

const connect = 'CONNECT\naccept-version:1.0,1.2\nheart-beat:0,0\n\n\0'

for (const [title, frames, rule, detail] of [
  ['a message', 'SEND\ndestination:/topic/a\nreceipt:7\n\nhello\0', 'stomp-frame', /accepts no messages/],
  ['an unknown command', 'SING\n\n\0', 'stomp-frame', /cannot send SING/],
  ['a subscription without id', 'SUBSCRIBE\ndestination:/topic/a.b\n\n\0', 'stomp-frame', /needs the header id/],
  ['a strange destination', 'SUBSCRIBE\nid:1\ndestination:/queue/a\n\n\0', 'stomp-frame', /"\/queue\/a"/],
  ['an unknown subscription', 'UNSUBSCRIBE\nid:9\n\n\0', 'stomp-frame', /no subscription with the id "9"/],
  ['an ACK of nothing', 'ACK\nid:1\n\n\0', 'stomp-frame', /No message has the ack "1"/],
  ['an unknown transaction', 'COMMIT\ntransaction:x\n\n\0', 'stomp-frame', /There is no transaction "x"/],
  ['a transaction twice', 'BEGIN\ntransaction:x\n\n\0BEGIN\ntransaction:x\n\n\0', 'stomp-frame', /has begun already/],
  ['bytes', 'x:\\q\n\n\0', 'stomp-frame', /cannot send/],
] as const)
  test(`${title} is answered with an ERROR, and the connection is closed`, async t => {
    const {send: say, heard, closed} = await openRaw(t, service.url)
    say(connect)
    t.regex(
      await heard(text => text.startsWith('CONNECTED')),
      /^CONNECTED\nversion:1.2\nheart-beat:0,0\nserver:quadstead\//,
    )
    say(frames)

    const error = await heard(text => text.startsWith('ERROR'))
    t.true(error.includes(`message:${rule}\n`), error)
    t.is(error.includes('receipt-id:7'), frames.includes('receipt:7'))
    t.regex(error, detail)
    t.deepEqual(await closed, {code: 1008, reason: rule})
  })

test('a client that does not begin with CONNECT of STOMP 1.2 is refused', async t => {
  for (const [frame, detail] of [
    ['SUBSCRIBE\nid:1\ndestination:/topic/a\n\n\0', /The first frame is CONNECT/],
    ['CONNECT\naccept-version:1.0,1.1\n\n\0', /speaks STOMP 1.2, not 1.0,1.1/],
    ['CONNECT\naccept-version:1.2\nheart-beat:a,b\n\n\0', /heart-beat/],
  ] as const) {
    const {send: say, heard} = await openRaw(t, service.url)
    say(frame)
    t.regex(await heard(text => text.startsWith('ERROR')), detail)
  }
})

test('receipts, acknowledgements and transactions are answered, and DISCONNECT ends the connection', async t => {
  const {send: say, heard, closed} = await openRaw(t, service.url)
  say(connect)
  say('SUBSCRIBE\nid:1\nack:client\ndestination:/topic/child.created.acks\nreceipt:a\n\n\0')
  await heard(text => text === 'RECEIPT\nreceipt-id:a\n\n\0')
  const {path} = await create(t, service, {slug: 'acks', body: ''})
  await create(t, service, {parent: path, slug: 'one', body: ''})
  const message = await heard(text => text.startsWith('MESSAGE'))
  const [, ack] = /\nack:(\d+)\n/.exec(message) ?? []
  t.regex(message, /\nposition:\d+\n/)
  say(`BEGIN\ntransaction:t\n\n\0ACK\nid:${ack}\ntransaction:t\n\n\0COMMIT\ntransaction:t\n\n\0`)
  say(`NACK\nid:${ack}\nreceipt:b\n\n\0`)
  await heard(text => text === 'RECEIPT\nreceipt-id:b\n\n\0')
  say('UNSUBSCRIBE\nid:1\n\n\0DISCONNECT\nreceipt:c\n\n\0')

  await heard(text => text === 'RECEIPT\nreceipt-id:c\n\n\0')
  t.is((await closed).code, 1000)
})

test('only allowed origins, and pages of the service itself, connect', async t => {
  const url = `${service.url.replace('http', 'ws')}broker/websocket`
  const statusOf = (origin: string) =>
    new Promise(resolve => {
      const socket = new WebSocket(url, {headers: {Origin: origin}})
      socket.once('open', () => {
        socket.terminate()
        resolve(101)
      })
      socket.once('unexpected-response', (_, response) => resolve(response.statusCode))
      socket.once('error', () => undefined)
    })

  t.is(await statusOf('http://localhost:3000'), 101)
  t.is(await statusOf(new URL(service.url).origin), 101)
  t.is(await statusOf('https://evil.example'), 403)
  const info = await service.send({path: '/broker/info', headers: {Origin: 'https://evil.example'}})
  t.is(info.status, 403)
})

test('the paths of the broker answer as SockJS demands, and others are documents', async t => {
  const {entropy, ...info} = JSON.parse((await service.send({path: '/broker/info?t=1'})).text)
  t.deepEqual(info, {websocket: true, origins: ['*:*'], cookie_needed: false})
  t.true(Number.isInteger(entropy))
  t.is((await service.send({path: '/broker'})).text, 'Welcome to SockJS!\n')
  const plain = await service.send({path: '/broker/websocket'})
  t.deepEqual([plain.status, JSON.parse(plain.text).title], [426, 'websocket-asked'])
  const absent = await service.send({method: 'POST', path: '/broker/000/nobody/xhr_send', body: '["x"]'})
  t.deepEqual([absent.status, JSON.parse(absent.text).title], [404, 'sockjs-session'])
  const jsonp = await service.send({path: '/broker/000/abc/jsonp'})
  t.deepEqual([jsonp.status, JSON.parse(jsonp.text).title], [404, 'sockjs-transport'])
  t.is((await service.send({path: '/broker/000/abc/xhr'})).status, 405)
  t.is((await create(t, service, {slug: 'broker', body: ''})).path, '/broker/')
  t.is((await service.send({path: '/broker/'})).status, 200)
})

test('clients hear only of documents that they may read, and credentials come with the CONNECT frame', async t => {
  const guarded = await startGuarded()
  t.teardown(guarded.stop)
  const made = async (slug: string, parent = '/') =>
    guarded.sendAs('root', {
      method: 'POST',
      path: parent,
      headers: {'Content-Type': 'text/turtle', Slug: slug},
      body: '',
    })
  await made('open')
  await made('secret')
  await guarded.grant('/open/', {[`agent ${agentOf('ada')}`]: ['read']})
  const key = (await guarded.authorizationOf('ada')).replace('Bearer ', '')
  const byHeader = {connectHeaders: {Authorization: `Bearer ${key}`}}
  const byPasscode = {connectHeaders: {login: 'ada', passcode: key}}
  const plain = brokerConfig(guarded.url, 'websocket')
  const heard = await Promise.all(
    [byHeader, byPasscode].map(one => subscribeTo(t, {...plain, ...one}, '/topic/document.created.#')),
  )
  const nobody = await subscribeTo(t, plain, '/topic/document.created.#')

  await made('one', '/secret/')
  await made('two', '/open/')
  for (const {gather} of heard)
    t.deepEqual(
      (await gather(1)).map(({headers}) => headers.destination),
      ['/topic/document.created.open.two'],
    )
  t.deepEqual(nobody.messages, [])
  const wrong = {...plain, connectHeaders: {passcode: 'qsk_wrong'}}
  await t.throwsAsync(subscribeTo(t, wrong, '/topic/#'), {message: /credentials-valid/})

  await guarded.grant('/open/', {})
  await made('three', '/open/')
  await guarded.grant('/open/', {[`agent ${agentOf('ada')}`]: ['read']})
  await made('four', '/open/')
  const [first] = heard
  const last = (await first?.gather(2))?.at(-1)?.headers.destination
  t.true(last === '/topic/document.created.open.three' || last === '/topic/document.created.open.four')
})

test('a client that reads nothing is closed after a while, and one that stops the service hears why', async t => {
  const slow = await startService({BODY_TIMEOUT_MS: '1000'})
  t.teardown(slow.stop)
  const {send: say, heard, closed, socket} = await openRaw(t, slow.url)
  say(connect)
  const ids = Array.from({length: 500}, (_, id) => `SUBSCRIBE\nid:${id}\ndestination:/topic/#\n\n\0`)
  say(ids.slice(0, 250).join(''))
  say(`${ids.slice(250).join('')}BEGIN\ntransaction:t\nreceipt:all\n\n\0`)
  await heard(text => text === 'RECEIPT\nreceipt-id:all\n\n\0')
  socket.pause()
  for (let count = 0; count < 40; count += 1)
    await send(slow.url, {method: 'POST', headers: {'Content-Type': 'text/turtle', Slug: `s${count}`}, body: ''})
  await new Promise(done => setTimeout(done, 3500))
  socket.resume()
  t.is((await closed).code === 1008 || (await closed).code === 1006, true)

  const {send: sayToo, heard: hear, closed: end} = await openRaw(t, slow.url)
  sayToo(connect)
  await hear(text => text.startsWith('CONNECTED'))
  await slow.stop()
  t.is((await end).code, 1012)
})
