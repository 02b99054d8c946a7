/** The log of changes over HTTP: JSON lines with a long poll, and server-sent events. */
import {readFileSync} from 'node:fs'
import {setTimeout as delay} from 'node:timers/promises'
import test, {type ExecutionContext} from 'ava'
import {expireChanges, keepChanges} from '../../src/db/store/changes.ts'
import {startGuarded} from '../support/access.ts'
import {ldp, turtle} from '../support/documents.ts'
import {openEvents} from '../support/event-client.ts'
import {startFeedReaders} from '../support/feed-ledger.ts'
import {remove} from '../support/members.ts'
import {testSchema} from '../support/postgres.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

let made = 0

async function create(t: ExecutionContext, on = service, parent = '/', body = '<> <http://e/p> 1 .'): Promise<string> {
  const slug = `d${made++}`
  const answer = await on.send({method: 'POST', path: parent, headers: {...turtle, Slug: slug}, body})
  t.is(answer.status, 201, answer.text)
  return `${parent}${slug}/`
}

async function lines(query: string, on = service) {
  const {status, text, headers} = await on.send({path: `/changes?${query}`})
  const next = /<([^>]*)>; rel="next"/.exec(String(headers.link))?.[1] ?? ''
  const changes =
    status === 200
      ? text
          .split('\n')
          .filter(Boolean)
          .map(line => JSON.parse(line))
      : []
  return {status, text, changes, next, after: new URL(next || 'http://none/').searchParams.get('after') ?? ''}
}

async function until(isDone: () => boolean, limitMs = 10_000): Promise<void> {
  for (const end = Date.now() + limitMs; !isDone() && Date.now() < end; ) await delay(10)
}

test.serial('JSON lines are the changes after a position, and Link names the next page', async t => {
  const {after} = await lines('after=last')
  const path = await create(t)
  await service.send({
    method: 'PATCH',
    path,
    headers: {'Content-Type': 'text/ldpatch'},
    body: 'Add { <> <http://e/p> 2 } .',
  })
  await service.send({method: 'DELETE', path})

  const first = await lines(`after=${after}&limit=2&under=${path}`)
  const second = await lines(new URL(first.next).search.slice(1))
  const changes = [...first.changes, ...second.changes]
  const document = service.base + path.slice(1)
  t.deepEqual(
    changes.map(({action, document: about, parent}) => ({action, about, parent})),
    ['created', 'patched', 'deleted'].map(action => ({action, about: document, parent: service.base})),
  )
  t.is(changes[0].before, undefined)
  t.regex(changes[0].after, /^"\d+"$/)
  t.is(changes[1].before, changes[0].after)
  t.is(changes[2].before, changes[1].after)
  t.is(changes[2].after, undefined)
  t.true(Math.abs(Date.parse(changes[0].time) - Date.now()) < 60_000)
  t.deepEqual((await lines(new URL(second.next).search.slice(1))).changes, [])
})

test.serial('a long poll is answered when something changes, and at its end', async t => {
  const {after} = await lines('after=last')
  const begun = performance.now()
  const waiting = lines(`after=${after}&wait=30`)
  await delay(300)
  const path = await create(t)
  const created = performance.now()
  const {changes} = await waiting
  t.deepEqual(
    changes.map(({document}) => document),
    [service.base + path.slice(1)],
  )
  t.true(performance.now() - created < 5000)
  const idle = await lines(`after=last&wait=1&under=${path}`)
  t.deepEqual([idle.status, idle.changes], [200, []])
  t.true(performance.now() - begun > 1000)
})

test.serial('a change has its triples as RDF Patch', async t => {
  const {after} = await lines('after=last')
  const path = await create(t)
  await service.send({
    method: 'PATCH',
    path,
    headers: {'Content-Type': 'text/ldpatch'},
    body: 'Delete { <> <http://e/p> 1 } . Add { <> <http://e/p> "a\\"b"@en } .',
  })
  const {changes} = await lines(`after=${after}&triples=patch&action=patched`)
  const iri = `<${service.base}${path.slice(1)}>`
  const rows = String(changes[0].patch).split('\n')
  t.is(rows[0], 'TX .')
  t.is(rows.at(-2), 'TC .')
  t.true(rows.includes(`D ${iri} <http://e/p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> ${iri} .`))
  t.true(rows.includes(`A ${iri} <http://e/p> "a\\"b"@en ${iri} .`))
  t.is(rows.filter(row => row.startsWith('D ')).length, 2, 'and c:modified')
})

/** The values of e:p in the JSON-LD of a graph; undefined without a graph. */
function valuesOf(graph: readonly Record<string, unknown>[] | undefined) {
  const values = graph?.flatMap(node => (node['http://e/p'] ?? []) as readonly Record<string, string>[])
  return values?.map(value => value['@value'] ?? value['@id']).sort()
}

test.serial('a change has the document before and after it as JSON-LD, with the names of then', async t => {
  const {after} = await lines('after=last')
  const path = await create(t, service, '/', '<> <http://e/p> 1, <> .')
  const [document, other] = [service.base + path.slice(1), `${service.base}states-moved/`]
  const patch = (body: string, at: string) =>
    service.send({method: 'PATCH', path: at, headers: {'Content-Type': 'text/ldpatch'}, body})
  t.is((await patch('Delete { <> <http://e/p> 1 } . Add { <> <http://e/p> 2 } .', path)).status, 204)
  t.is((await service.send({method: 'MOVE', path, headers: {Destination: other}})).status, 201)
  t.is((await patch('Add { <> <http://e/p> 3 } .', '/states-moved/')).status, 204)
  t.is((await service.send({method: 'DELETE', path: '/states-moved/'})).status, 204)
  const put = {...turtle, 'If-None-Match': '*'}
  t.is(
    (await service.send({method: 'PUT', path: '/states-moved/', headers: put, body: '<> <http://e/p> 4 .'})).status,
    201,
  )

  const {changes} = await lines(`after=${after}&triples=json-ld`)
  t.deepEqual(
    changes.map(({action, graphBefore, graphAfter}) => [action, valuesOf(graphBefore), valuesOf(graphAfter)]),
    [
      ['created', undefined, ['1', document]],
      ['patched', ['1', document], ['2', document]],
      ['moved', ['2', document], ['2', other]],
      ['patched', ['2', other], ['2', '3', other]],
      ['deleted', ['2', '3', other], undefined],
      ['created', undefined, ['4']],
    ],
  )
  t.true(changes.every(({patch}) => patch === undefined))
  const filtered = await lines(`after=${after}&triples=json-ld&action=patched`)
  t.deepEqual(
    filtered.changes.map(({graphBefore}) => valuesOf(graphBefore)),
    [
      ['1', document],
      ['2', other],
    ],
  )
  const present = await service.send({path: '/states-moved/', headers: {Accept: 'application/ld+json'}})
  const [{'@graph': graph}] = JSON.parse(present.text)
  const byId = (nodes: readonly Record<string, unknown>[]) =>
    new Map(nodes.map(node => [node['@id'], Object.keys(node).sort()]))
  t.deepEqual(byId(changes.at(-1).graphAfter), byId(graph))
})

test.serial('a change with very many triples leaves them out', async t => {
  const {after} = await lines('after=last')
  const body = Array.from({length: 10_001}, (_, n) => `<> <http://e/n> ${n} .`).join('\n')
  await create(t, service, '/', body)
  const states = (await lines(`after=${after}&triples=json-ld`)).changes[0]
  t.deepEqual([states.isLarge, states.graphAfter], [true, undefined])
  const {changes} = await lines(`after=${after}&triples=patch`)
  t.is(changes[0].isLarge, true)
  t.is(changes[0].patch, undefined)
})

test.serial('parameters that cannot be used are refused', async t => {
  for (const query of [
    'after=x',
    'after=1&after=2',
    'wait=61',
    'limit=1001',
    'under=http://elsewhere/',
    'under=/no-slash',
    'action=made',
    'triples=all',
    'since=1',
  ]) {
    const {status, text} = await service.send({path: `/changes?${query}`})
    t.is(status, 400, query)
    t.is(JSON.parse(text).title, 'changes-parameter', query)
  }
  const {status} = await service.send({path: '/changes', headers: {Accept: 'image/png'}})
  t.is(status, 406)
  t.is((await service.send({method: 'POST', path: '/changes', body: ''})).status, 405)
  for (const type of ['application/x-ndjson', 'text/event-stream', 'application/trig; charset=utf-8']) {
    const {status, headers} = await service.send({method: 'HEAD', path: '/changes', headers: {Accept: type}})
    t.deepEqual([status, headers['content-type']], [200, type])
  }
})

test.serial('events arrive in order and once, also after a new connection', async t => {
  const client = openEvents(() => `${service.url}changes`)
  t.teardown(client.close)
  await until(() => client.status() === 200)
  const paths = [await create(t), await create(t)]
  await until(() => client.events.length >= 2)
  client.close()
  paths.push(await create(t), await create(t))
  const again = openEvents(() => `${service.url}changes`, {lastId: client.lastId() ?? ''})
  t.teardown(again.close)
  await until(() => again.events.length >= 2)
  const documents = [...client.events, ...again.events].map(({data}) => JSON.parse(data).document)
  const own = paths.map(path => service.base + path.slice(1))
  t.deepEqual(
    documents.filter(document => own.includes(document)),
    own,
  )
  for (const {id, data} of client.events) t.is(JSON.parse(data).position, id)
})

test.serial('listeners learn of a change within 250 ms', async t => {
  const client = openEvents(() => `${service.url}changes?action=created`)
  t.teardown(client.close)
  await until(() => client.status() === 200)
  const lags: number[] = []
  for (let round = 0; round < 9; round += 1) {
    const count = client.events.length
    const begun = performance.now()
    await create(t)
    const stored = performance.now()
    await until(() => client.events.length > count)
    lags.push(performance.now() - stored)
    t.true(stored - begun < 10_000)
  }
  const median = [...lags].sort((a, b) => a - b)[4] ?? Number.NaN
  t.true(median < 1000, `median ${median} ms`) // generous: the machine is shared
})

test.serial('a position that is no longer kept is a 410 that names the oldest', async t => {
  const own = await useService(t)
  const {database} = own.database
  await create(t, own)
  const {changes} = await lines('after=first', own)
  await create(t, own)
  await database.query("update quadstead.change set time = time - interval '2 days'")
  await create(t, own)
  await keepChanges(database, testSchema, 86_400)
  t.true((await expireChanges(database, testSchema, 1000)) > 0)

  const gone = await own.send({path: `/changes?after=${changes[0].position}`})
  t.is(gone.status, 410)
  const {title, oldest} = JSON.parse(gone.text)
  t.is(title, 'changes-kept')
  t.is((await lines(`after=${oldest}`, own)).changes.length, 1)
  t.is((await lines('', own)).changes.length, 1, 'without a position: from the oldest')
  t.is((await own.send({path: '/changes?after=999999999'})).status, 410, 'of another log')
  const events = openEvents(() => `${own.url}changes`, {lastId: changes[0].position, isPatient: false})
  t.teardown(events.close)
  await until(() => events.status() !== undefined)
  t.is(events.status(), 410)
})

test.serial('without the log, there is nothing to read', async t => {
  const own = await useService(t, {CHANGES: 'off'})
  await create(t, own)
  const {status, text} = await own.send({path: '/changes?after=0'})
  t.is(status, 404)
  t.is(JSON.parse(text).title, 'changes-logged')
})

test.serial('listeners get changes of documents that they may read when it is sent', async t => {
  const guarded = await startGuarded()
  t.teardown(guarded.stop)
  const post = (path: string, slug: string) =>
    guarded.sendAs('root', {method: 'POST', path, headers: {...turtle, Slug: slug}, body: '<> <http://e/p> 1 .'})
  await post('/', 'open')
  await post('/', 'closed')
  await guarded.grant('/open/', {public: ['read']})
  const client = openEvents(() => `${guarded.url}changes?after=first`)
  t.teardown(client.close)
  await until(() => client.events.length >= 1)
  await post('/open/', 'a')
  await post('/closed/', 'b')
  await until(() => client.events.length >= 2)
  await guarded.grant('/open/', {})
  await post('/open/', 'c')
  await delay(1000)
  t.deepEqual(
    client.events.map(({data}) => JSON.parse(data).document),
    [`${guarded.base}open/`, `${guarded.base}open/a/`],
  )
})

test.serial('a service that stops ends its listeners at once, and they go on with the next one', async t => {
  const first = await startService({DRAIN_TIMEOUT_MS: '20000'})
  const client = openEvents(() => `${first.url}changes`, {isPatient: false})
  t.teardown(client.close)
  await until(() => client.status() === 200)
  await create(t, first)
  await until(() => client.events.length === 1)
  const poll = first.send({path: '/changes?after=last&wait=60'})
  await delay(200)
  const begun = performance.now()
  await first.stop()
  t.true(performance.now() - begun < 10_000)
  t.is((await poll).status, 200)
})

test.serial('there is a limit of listeners', async t => {
  const own = await useService(t, {CHANGES_LISTENERS: '1'})
  const client = openEvents(() => `${own.url}changes`)
  t.teardown(client.close)
  await until(() => client.status() === 200)
  const {status, text, headers} = await own.send({path: '/changes'})
  t.is(status, 503)
  t.is(JSON.parse(text).title, 'listeners')
  t.is(headers['retry-after'], '30')
})

test('the examples of docs/changes.md are answered', async t => {
  const own = await useService(t)
  await own.send({method: 'POST', headers: {...turtle, Slug: 'books'}, body: ''})
  await own.send({method: 'POST', path: '/books/', headers: {...turtle, Slug: 'emma'}, body: '<> <http://e/p> 1 .'})
  const page = readFileSync(new URL('../../docs/changes.md', import.meta.url), 'utf8')
  const [, block = ''] = /## Reading changes[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? []
  const paths = Array.from(block.matchAll(/curl 'http:\/\/localhost:8080(\S*)'/g), ([, path = '']) => path)
  const answers = await Promise.all(paths.map(path => own.send({path})))
  t.deepEqual(
    answers.map(({status, text}) => [status, text.split('\n').length - 1]),
    [
      [200, 2],
      [200, 1],
      [200, 0],
      [200, 2],
      [200, 2],
    ],
  )
  const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(page.split('## Reading changes')[1] ?? '')?.[1] ?? '')
  const [change] = (answers[1]?.text ?? '').split('\n').map(line => (line === '' ? {} : JSON.parse(line)))
  t.deepEqual(
    Object.keys(example).filter(name => !(name in change)),
    ['before'],
    'the first change is a creation',
  )
})

test.serial('the creation of a document by an update has its triples', async t => {
  const {after} = await lines('after=last')
  const iri = `${service.base}by-update/`
  const answer = await service.send({
    method: 'POST',
    path: '/sparql',
    headers: {'Content-Type': 'application/sparql-update'},
    body: `INSERT DATA { GRAPH <${iri}> { <${iri}> <http://e/p> 1 } }`,
  })
  t.true(answer.status < 300, answer.text)
  const {changes} = await lines(`after=${after}&under=/by-update/&triples=patch`)
  t.deepEqual(
    changes.map(({action}) => action),
    ['created'],
  )
  t.true(changes[0].patch.includes(`A <${iri}> <http://e/p> "1"^^`), changes[0].patch)
  t.true(changes[0].patch.includes('platform#created>'), changes[0].patch)
})

test.serial('readers keep a membership that is stored and derived if a body leaves it out', async t => {
  const parent = await create(t)
  const child = `${service.base + parent.slice(1)}child/`
  const stored = {method: 'PATCH', path: parent, headers: {'Content-Type': 'text/ldpatch'}}
  const patched = await service.send({...stored, body: `Add { <> <${ldp}member> <${child}> } .`})
  t.true(patched.status < 300, patched.text)
  const slug = {...turtle, Slug: 'child'}
  const created = await service.send({method: 'POST', path: parent, headers: slug, body: '<> <http://e/p> 1 .'})
  t.is(created.status, 201, created.text)
  const readers = await startFeedReaders(t, service.base)
  const read = async () => {
    const {text, headers} = await service.send({path: parent, headers: {Accept: 'application/n-triples'}})
    return {rows: text.split('\n').filter(row => !row.includes('http://e/p')), tag: String(headers.etag)}
  }
  const isMember = async () => {
    const headers = {Accept: 'application/sparql-results+json', 'Content-Type': 'application/sparql-query'}
    const query = `ASK { <${service.base + parent.slice(1)}> <${ldp}member> <${child}> }`
    return JSON.parse((await service.send({method: 'POST', path: '/sparql', headers, body: query})).text).boolean
  }

  for (const isKept of [true, false]) {
    const {rows, tag} = await read()
    const sent = rows.filter(row => isKept || !row.includes(child))
    const body = [...sent, `<> <http://e/p> ${isKept} .`].join('\n')
    const headers = {...turtle, 'If-Match': tag}
    const replaced = await service.send({method: 'PUT', path: parent, headers, body})
    t.true(replaced.status < 300, replaced.text)

    t.is((await read()).rows.filter(row => row.includes(child)).length, isKept ? 1 : 0, `kept: ${isKept}`)
    t.true(await isMember())
    t.deepEqual(await readers.verify(), [])
  }
})

test.serial(
  'a membership that is stored and derived is removed once, and readers have the graph without it',
  async t => {
    const parent = await create(t)
    const [list, child] = [service.base + parent.slice(1), `${service.base + parent.slice(1)}child/`]
    const other = service.base + (await create(t)).slice(1) // a child of the root, and so a member of it
    const stored = {method: 'PATCH', path: parent, headers: {'Content-Type': 'text/ldpatch'}}
    const patched = await service.send({...stored, body: `Add { <> <${ldp}member> <${child}> , <${other}> } .`})
    t.true(patched.status < 300, patched.text)
    const created = await service.send({
      method: 'POST',
      path: parent,
      headers: {...turtle, Slug: 'child'},
      body: '<> <http://e/p> 1 .',
    })
    t.is(created.status, 201, created.text)
    const readers = await startFeedReaders(t, service.base)
    const {after} = await lines('after=last')

    const removed = await remove(service, parent, [child, other])
    t.true(removed.status < 300, removed.text)
    const {changes} = await lines(`after=${after}&under=${parent}&triples=patch`)
    const gone = [child, other].map(member => `D <${list}> <${ldp}member> <${member}> <${list}> .`)
    t.deepEqual(
      changes.map(({patch}) =>
        patch
          .split('\n')
          .filter((row: string) => row.includes('#member>'))
          .sort(),
      ),
      [gone.sort()],
    )
    t.deepEqual(await readers.verify(), [])
  },
)
