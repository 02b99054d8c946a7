/** Past states of documents: Memento, the list of states, differences, restoring (docs/changes.md, History). */

import {readFileSync} from 'node:fs'
import test, {type ExecutionContext} from 'ava'
import {formatHttpDate} from '../../src/http/date.ts'
import {agentOf, startGuarded} from '../support/access.ts'
import type {Received} from '../support/client.ts'
import {answerOf, create, historyLinks, ldp, quadsOf, refusal} from '../support/documents.ts'
import {isIsomorphic} from '../support/isomorphism.ts'
import {areDistributed, schemaIdentifier} from '../support/postgres.ts'
import {startService, type TestService, useService} from '../support/service.ts'
import {type Declare, testWhen} from '../support/test-when.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const testTags: Declare = areDistributed ? testWhen(false, 'entity tags have other numbers in a Citus cluster') : test
const source = `${ldp}RDFSource; rel=interaction-model`
const resource = `<${ldp}Resource>; rel="type"`
const get = (path: string, headers: Readonly<Record<string, string>> = {}) => service.send({path, headers})

async function patch(t: ExecutionContext, path: string, body: string): Promise<string> {
  const headers = {'Content-Type': 'text/ldpatch', Prefer: source}
  const answer = await service.send({method: 'PATCH', path, headers, body})
  t.is(answer.status, 204, answer.text)
  return tagOf(answer)
}

function tagOf({headers}: Received): string {
  return String(headers.etag).slice(1, -1)
}

function replacing(iri: string, before: string, after: string): string {
  return `Delete { <${iri}> <http://x.example/p> "${before}" } . Add { <${iri}> <http://x.example/p> "${after}" } .`
}

/** A document with three states, whose values of x:p are one, two and three. Their times are given seconds of 2020. */
async function threeStates(t: ExecutionContext, slug: string) {
  const body = '<> <http://x.example/p> "one" ; <http://x.example/part> [ <http://x.example/q> 1 ] .'
  const {path, iri, etag} = await create(t, service, {slug, body})
  const first = await quadsOf(await get(path))
  const second = await patch(t, path, replacing(iri, 'one', 'two'))
  const middle = await quadsOf(await get(path))
  const third = await patch(t, path, replacing(iri, 'two', 'three'))
  const tags = [etag.slice(1, -1), second, third] as const
  await setTimes(tags.map((tag, index) => [tag, dates[index] ?? '']))
  return {path, iri, tags, graphs: [first, middle, await quadsOf(await get(path))] as const}
}

const dates = ['2020-01-01T10:00:00.250Z', '2020-01-01T10:00:05.500Z', '2020-01-01T10:00:10.750Z']
const dateOf = (index: number) => formatHttpDate(Date.parse(dates[index] ?? ''))

/** Sets the times of changes, with the parts before them. */
async function setTimes(times: readonly (readonly [tag: string, time: string])[]): Promise<void> {
  for (const [tag, time] of times) {
    const own = `select c.transaction from ${schemaIdentifier}.change as c where c.after = $1::int8`
    await service.database.database.query(
      `update ${schemaIdentifier}.change as c set time = $2::timestamptz where c.transaction = (${own})`,
      [tag, time],
    )
  }
}

test('a state can be read by its tag, with links to the states around it', async t => {
  const {path, iri, tags, graphs} = await threeStates(t, 'by-tag')
  const memento = (index: number, relations: string) =>
    `<${iri}?state=${tags[index]}>; rel="${relations}memento"; datetime="${dateOf(index)}"`

  for (const [index, graph] of graphs.entries()) {
    const answer = await get(`${path}?state=${tags[index]}`)
    t.true(isIsomorphic(await quadsOf(answer), graph), `state ${index}`)
    t.deepEqual(
      [answer.status, answer.headers.etag, answer.headers['memento-datetime'], answer.headers['content-location']],
      [200, `"${tags[index]}"`, dateOf(index), undefined],
    )
  }
  const {headers} = answerOf(t, await get(`${path}?state=${tags[1]}`))
  t.deepEqual(headers, {
    link: [resource, ...historyLinks(iri), memento(0, 'first prev '), memento(2, 'next last '), memento(1, '')].join(
      ', ',
    ),
    'memento-datetime': dateOf(1),
    etag: `"${tags[1]}"`,
    vary: 'Accept, Accept-Datetime, Prefer, Accept-Encoding, Origin',
    'cache-control': 'no-cache',
    'content-type': 'text/turtle; charset=utf-8',
    'x-content-type-options': 'nosniff',
  })
  const asked = {path: `${path}?state=${tags[1]}`}
  const head = await service.send({...asked, method: 'HEAD'})
  t.deepEqual([head.status, head.text, tagOf(head)], [200, '', tags[1]])
  t.is((await service.send({...asked, headers: {'If-None-Match': `"${tags[1]}"`}})).status, 304)
  t.is((await service.send({...asked, headers: {'If-Match': `"${tags[2]}"`}})).status, 412)
})

test('Accept-Datetime selects the state as of a second, and the first one before all', async t => {
  const {path, iri, tags, graphs} = await threeStates(t, 'by-time')
  const cases: readonly (readonly [date: string, index: number])[] = [
    ['Wed, 01 Jan 2020 10:00:00 GMT', 0], // the end of the second counts
    ['Wed, 01 Jan 2020 10:00:04 GMT', 0],
    ['Wed, 01 Jan 2020 10:00:05 GMT', 1],
    ['Wed, 01 Jan 2020 10:00:09 GMT', 1],
    ['Wed, 01 Jan 2020 10:00:10 GMT', 2],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 2],
    ['Tue, 01 Jan 2019 00:00:00 GMT', 0],
  ]
  for (const [date, index] of cases) {
    const answer = await get(path, {'Accept-Datetime': date})
    t.true(isIsomorphic(await quadsOf(answer), graphs[index] ?? []), date)
    t.deepEqual(
      [answer.status, answer.headers['content-location'], answer.headers['memento-datetime'], tagOf(answer)],
      [200, `${iri}?state=${tags[index]}`, dateOf(index), tags[index]],
      date,
    )
    t.true(answer.headers.vary?.includes('Accept-Datetime'))
  }
  for (const value of ['yesterday', '2020-01-01T10:00:00Z', ''])
    t.deepEqual(
      answerOf(t, await get(path, {'Accept-Datetime': value})),
      refusal(
        service,
        {
          status: 400,
          rule: 'datetime-syntax',
          detail: `Accept-Datetime must be one HTTP date such as "Tue, 17 Nov 2026 09:30:00 GMT", not "${value}".`,
        },
        {path},
      ),
    )
  const present = await get(path)
  t.deepEqual(
    [present.headers['memento-datetime'], present.headers.link?.includes(historyLinks(iri).join(', '))],
    [undefined, true],
  )
})

test('the list of states is a TimeMap, in link format or RDF', async t => {
  const {path, iri, tags} = await threeStates(t, 'listed')
  const line = (index: number, relations: string) =>
    `<${iri}?state=${tags[index]}>; rel="${relations}memento"; datetime="${dateOf(index)}"`

  const answer = await get(`${path}?states`)

  t.deepEqual([answer.status, answer.headers['content-type']], [200, 'application/link-format'])
  t.deepEqual(answer.text.split(',\n'), [
    `<${iri}>; rel="original timegate"`,
    `<${iri}?states>; rel="self"; type="application/link-format"; from="${dateOf(0)}"; until="${dateOf(2)}"`,
    line(2, 'last '),
    line(1, ''),
    `${line(0, 'first ')}\n`,
  ])
  const rdf = await quadsOf(await get(`${path}?states`, {Accept: 'application/n-triples'}))
  const memento = 'http://mementoweb.org/ns#'
  t.deepEqual(
    rdf.filter(({predicate}) => predicate.value === `${memento}memento`).map(({object}) => object.value),
    [2, 1, 0].map(index => `${iri}?state=${tags[index]}`),
  )
  t.deepEqual(
    rdf.filter(({predicate}) => predicate.value.endsWith('#generatedAtTime')).map(({object}) => object.value),
    [2, 1, 0].map(index => dates[index]),
  )
})

test('a long list of states has pages', async t => {
  const {path, iri, etag} = await create(t, service, {slug: 'long', body: '<> <http://x.example/p> "0" .'})
  const tags = [etag.slice(1, -1)]
  for (let n = 1; n <= 210; n++) tags.push(await patch(t, path, replacing(iri, String(n - 1), String(n))))

  const seen: string[] = []
  let next: string | undefined = `${path}?states`
  let pages = 0
  while (next !== undefined) {
    const {text} = await get(next)
    pages++
    seen.push(...Array.from(text.matchAll(/state=(\d+)>; rel="[^"]*memento"/g), ([, tag = '']) => tag))
    const [, more] = /<[^>]*(\/long\/\?states&before=\d+)>; rel="timemap"/.exec(text) ?? []
    next = more
  }

  t.deepEqual([pages, seen], [2, tags.toReversed()])
  t.is((await get(`${path}?states&before=x`)).status, 400)
})

test('a deleted document is a 404 that links to its states, and can be restored', async t => {
  const {path, iri, tags, graphs} = await threeStates(t, 'deleted')
  t.is((await service.send({method: 'DELETE', path})).status, 204)

  const gone = await get(path)
  t.deepEqual(
    answerOf(t, gone),
    refusal(
      service,
      {status: 404, rule: 'document-exists', detail: `There is no document <${iri}>.`},
      {path, headers: {link: [resource, ...historyLinks(iri)].join(', ')}},
    ),
  )
  const later = await get(path, {'Accept-Datetime': 'Fri, 01 Jan 2100 00:00:00 GMT'})
  t.is(later.status, 404)
  t.true(later.headers.link?.includes(`<${iri}?state=${tags[2]}>; rel="last memento"`))
  const before = await get(path, {'Accept-Datetime': 'Wed, 01 Jan 2020 10:00:05 GMT'})
  t.true(isIsomorphic(await quadsOf(before), graphs[1]))
  t.is((await get(`${path}?states`)).status, 200)
  t.is((await get('/never/')).headers.link, resource)
  t.is((await get('/never/?states')).status, 404)

  const restore = {method: 'POST', path: `${path}?restore=${tags[1]}`}
  t.is((await service.send({...restore, headers: {'If-Match': `"${tags[2]}"`}})).status, 404)
  const restored = await service.send({...restore, headers: {'If-None-Match': '*'}})
  t.deepEqual([restored.status, restored.headers.location], [201, iri])
  t.true(isIsomorphic(clientQuads(await quadsOf(await get(path))), clientQuads(graphs[1])))
  t.is((await service.send({...restore, headers: {'If-None-Match': '*'}})).status, 412)
  t.true(isIsomorphic(await quadsOf(await get(`${path}?state=${tags[0]}`)), graphs[0]))
})

function clientQuads(quads: Awaited<ReturnType<typeof quadsOf>>) {
  return quads.filter(({predicate}) => !/#(?:created|modified)$/.test(predicate.value))
}

test('the difference of two states is an LD Patch that leads from one to the other', async t => {
  const {path, iri, tags, graphs} = await threeStates(t, 'compared')
  const line = (value: string) => `  <${iri}> <http://x.example/p> "${value}" .\n`

  const answer = await get(`${path}?difference=${tags[0]}`)

  t.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/ldpatch; charset=utf-8'])
  t.is(answer.text, `Delete {\n${line('one')}} .\n\nAdd {\n${line('three')}} .\n`)
  t.is(
    (await get(`${path}?difference=${tags[0]}&to=${tags[1]}`)).text,
    `Delete {\n${line('one')}} .\n\nAdd {\n${line('two')}} .\n`,
  )
  t.is((await get(`${path}?difference=${tags[2]}`)).text, '')
  await patch(t, path, (await get(`${path}?difference=${tags[2]}&to=${tags[0]}`)).text)
  t.true(isIsomorphic(clientQuads(await quadsOf(await get(path))), clientQuads(graphs[0])))
  t.is((await get(`${path}?difference=${tags[0]}`, {Accept: 'text/turtle'})).status, 406)
})

test('a state is restored with If-Match, as a change of its own', async t => {
  const {path, tags, graphs} = await threeStates(t, 'restored')
  const child = await create(t, service, {parent: path, slug: 'child'})
  const restore = (headers: Readonly<Record<string, string>>) =>
    service.send({method: 'POST', path: `${path}?restore=${tags[0]}`, headers})

  t.is((await restore({})).status, 428)
  t.is((await restore({'If-Match': `"${tags[1]}"`})).status, 412)
  const restored = await restore({'If-Match': `"${tags[2]}"`})

  t.is(restored.status, 204, restored.text)
  t.true(Number(tagOf(restored)) > Number(tags[2]))
  t.true(isIsomorphic(clientQuads(await quadsOf(await get(path))), clientQuads(graphs[0])))
  t.true(isIsomorphic(await quadsOf(await get(`${path}?state=${tags[2]}`)), graphs[2]))
  t.is((await get(child.path)).status, 200)
  const states = (await get(`${path}?states`)).text
  t.deepEqual(
    Array.from(states.matchAll(/state=(\d+)/g), ([, tag]) => tag),
    [tagOf(restored), ...tags.toReversed()],
  )
})

test('a past state cannot be written, and no other state can be read', async t => {
  const {path, tags} = await threeStates(t, 'fixed')
  for (const method of ['PUT', 'PATCH', 'POST', 'DELETE', 'MOVE', 'COPY'])
    for (const query of [`state=${tags[0]}`, 'states', `difference=${tags[0]}`]) {
      const answer = await service.send({method, path: `${path}?${query}`})
      t.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD, OPTIONS'], `${method} ${query}`)
    }
  t.is((await get(`${path}?restore=${tags[0]}`)).status, 405)
  t.is((await get(path)).status, 200)
  const rules = [
    [`state=${tags[2]}0`, 404, 'state-exists'],
    ['state=x', 404, 'state-exists'],
    [`state=${tags[0]}&states`, 400, 'history-query'],
    [`difference=${tags[0]}&to=1`, 404, 'state-exists'],
  ] as const
  for (const [query, status, rule] of rules) {
    const answer = await get(`${path}?${query}`)
    t.deepEqual([answer.status, JSON.parse(answer.text).title], [status, rule], query)
  }
})

test('a transaction belongs to the state of a time as a whole', async t => {
  const {path, iri, tags} = await threeStates(t, 'whole')
  const {path: other} = await create(t, service, {slug: 'whole-other'})
  const last = `select c.transaction from ${schemaIdentifier}.change as c where c.after = $1::int8`
  await service.database.database.query(
    `insert into ${schemaIdentifier}.change (position, transaction, time, document, action, before, after)
     select nextval('${schemaIdentifier}.change_seq'), (${last}), '2020-01-01T10:01:00Z', t.id, 'patched', 1, 2
       from ${schemaIdentifier}.term as t where t.lex = $2`,
    [tags[2], `${service.base}${other.slice(1)}`],
  )

  const at = async (date: string) => tagOf(await get(path, {'Accept-Datetime': date}))

  t.is(await at('Wed, 01 Jan 2020 10:00:30 GMT'), tags[1], iri)
  t.is(await at('Wed, 01 Jan 2020 10:01:00 GMT'), tags[2])
})

test('after a move, old states have the old names', async t => {
  const {path, iri, tags} = await threeStates(t, 'moved')
  const target = `${service.base}moved-on/`
  t.is((await service.send({method: 'MOVE', path, headers: {Destination: target}})).status, 201)

  const old = await quadsOf(await get(`/moved-on/?state=${tags[1]}`))
  const difference = await get(`/moved-on/?difference=${tags[1]}`)

  t.true(old.some(({subject, object}) => subject.value === iri && object.value === 'two'))
  t.false(old.some(({subject}) => subject.value === target))
  t.is(difference.text.match(/"two"|"three"/g)?.join(' '), '"two" "three"')
  t.false(difference.text.includes(`<${iri}>`))
})

test('states that have expired are gone, and the oldest one that is left is named', async t => {
  const own = await useService(t)
  const {path, iri, etag} = await create(t, own, {slug: 'a', body: '<> <http://x.example/p> "one" .'})
  const change = async (before: string, after: string) =>
    tagOf(
      await own.send({
        method: 'PATCH',
        path,
        headers: {'Content-Type': 'text/ldpatch', Prefer: source},
        body: replacing(iri, before, after),
      }),
    )
  const second = await change('one', 'two')
  const middle = await quadsOf(await own.send({path}))
  const third = await change('two', 'three')
  const {query} = own.database.database
  await query(
    `update ${schemaIdentifier}.change as c set time = '2020-01-01Z' where c.position <=
       (select d.position from ${schemaIdentifier}.change as d where d.after = $1::int8)`,
    [second],
  )
  await query(`select ${schemaIdentifier}.expire_changes(1000)`)

  const gone = await own.send({path: `${path}?state=${etag.slice(1, -1)}`})
  t.deepEqual([gone.status, JSON.parse(gone.text).title, JSON.parse(gone.text).oldest], [410, 'state-kept', second])
  t.true(isIsomorphic(await quadsOf(await own.send({path: `${path}?state=${second}`})), middle))
  const first = await own.send({path, headers: {'Accept-Datetime': 'Wed, 01 Jan 2020 00:00:00 GMT'}})
  t.is(tagOf(first), second)
  t.deepEqual(
    Array.from((await own.send({path: `${path}?states`})).text.matchAll(/state=(\d+)/g), ([, tag]) => tag),
    [third, second],
  )
})

test('without a log of changes there is no history', async t => {
  const own = await useService(t, {CHANGES: 'off'})
  const {path, etag} = await create(t, own, {slug: 'a'})

  const answer = await own.send({path, headers: {'Accept-Datetime': 'Wed, 01 Jan 2020 00:00:00 GMT'}})

  t.deepEqual([answer.status, answer.headers['memento-datetime'], answer.headers.etag], [200, undefined, etag])
  t.false(answer.headers.link?.includes('timemap'))
  for (const query of ['states', `state=${etag.slice(1, -1)}`, `difference=${etag.slice(1, -1)}`]) {
    const {status, text} = await own.send({path: `${path}?${query}`})
    t.deepEqual([status, JSON.parse(text).title], [404, 'changes-logged'], query)
  }
})

test('people see changes with their authors, a state with what changed, and a form to restore it', async t => {
  const {path, tags} = await threeStates(t, 'shown')
  const html = {Accept: 'text/html'}

  const list = (await get(`${path}?states`, html)).text
  const state = await get(`${path}?state=${tags[1]}`, html)
  const last = (await get(`${path}?state=${tags[2]}`, html)).text

  t.deepEqual(
    Array.from(list.matchAll(/\?state=(\d+)"/g), ([, tag]) => tag),
    tags.toReversed(),
  )
  t.true(list.includes('<td>Created</td>'))
  t.is(list.match(/<td>Edited<\/td>/g)?.length, 2)
  t.true(
    list.includes(
      '<time datetime="2020-01-01T10:00:05.500Z" title="2020-01-01T10:00:05.500Z">1 January 2020, 10:00:05 UTC</time>',
    ),
  )
  t.is(state.headers['memento-datetime'], dateOf(1))
  const [, added = '', removed = ''] =
    /<h2>Added<\/h2>([\s\S]*)<h2>Removed<\/h2>([\s\S]*)<h2>Prop/.exec(state.text) ?? []
  t.deepEqual([added.includes('>two<'), removed.includes('>one<'), added.includes('modified')], [true, true, false])
  t.true(state.text.includes(`data-path="${path}?restore=${tags[1]}" data-next="${path}" data-etag="${tags[2]}"`))
  t.true(last.includes('This is the present state.'))
  t.true((await get(path, html)).text.includes(`href="${path}?states"`))
  const missing = await get('/never/?states', html)
  t.deepEqual([missing.status, missing.headers['content-type']], [404, 'text/html; charset=utf-8'])
})

test('grants of today decide who may read and restore past states', async t => {
  const guarded = await startGuarded()
  t.teardown(guarded.stop)
  const {sendAs, grant} = guarded
  const make = async (slug: string, parent = '/') => {
    const headers = {'Content-Type': 'text/turtle', Slug: slug}
    return tagOf(await sendAs('root', {method: 'POST', path: parent, headers, body: '<> <http://x.example/p> "one" .'}))
  }
  await make('open')
  await grant('/open/', {public: ['read']})
  const tag = await make('closed', '/open/')
  await grant('/open/closed/', {[`agent ${agentOf('ada')}`]: ['read']})
  await sendAs('root', {method: 'POST', path: '/', headers: {'Content-Type': 'text/turtle', Slug: 'secret'}, body: ''})
  const secret = tagOf(await sendAs('root', {path: '/secret/', method: 'HEAD'}))

  const status = async (name: string | undefined, path: string, method = 'GET', headers = {}) =>
    (await sendAs(name, {path, method, headers})).status

  for (const query of [`state=${secret}`, 'states', `difference=${secret}`])
    t.deepEqual(
      [
        await status(undefined, `/secret/?${query}`),
        await status('ada', `/secret/?${query}`),
        await status('root', `/secret/?${query}`),
      ],
      [401, 403, 200],
      query,
    )
  t.is(await status('ada', '/secret/', 'GET', {'Accept-Datetime': 'Fri, 01 Jan 2100 00:00:00 GMT'}), 403)
  t.is(await status('ada', `/open/closed/?state=${tag}`), 200)
  t.is(await status('ada', `/open/closed/?restore=${tag}`, 'POST', {'If-Match': `"${tag}"`}), 403)
  t.is(await status('root', `/open/closed/?restore=${tag}`, 'POST', {'If-Match': `"${tag}"`}), 204)

  // A deleted document with grants of its own is closed to those who may read the document above.
  t.is(await status('root', '/open/closed/', 'DELETE'), 204)
  t.deepEqual(
    [await status('ada', `/open/closed/?state=${tag}`), await status('root', `/open/closed/?state=${tag}`)],
    [404, 200],
  )
  t.is((await sendAs('ada', {path: '/open/closed/'})).headers.link?.includes('timemap'), false)
})

testTags('the examples of docs/changes.md do what they say', async t => {
  const own = await useService(t)
  await create(t, own, {slug: 'books'})
  const {path, iri, etag} = await create(t, own, {
    parent: '/books/',
    slug: 'emma',
    body: '<> <http://x.example/p> "one" .',
  })
  t.is(etag, '"3"')
  const headers = {'Content-Type': 'text/ldpatch', Prefer: source}
  t.is((await own.send({method: 'PATCH', path, headers, body: replacing(iri, 'one', 'two')})).headers.etag, '"4"')
  const text = readFileSync(new URL('../../docs/changes.md', import.meta.url), 'utf8')
  const [, block = ''] = /## History of a document[\s\S]*?```sh\n([\s\S]*?)```/.exec(text) ?? []
  const answers: number[] = []
  for (const line of block.trim().split('\n')) {
    const [, method = 'GET'] = /-X (\w+)/.exec(line) ?? []
    const [, name = 'X-None', value = ''] = /-H '([\w-]+): ([^']*)'/.exec(line) ?? []
    const [, target = ''] = /http:\/\/localhost:8080([^\s']*)/.exec(line) ?? []
    answers.push((await own.send({method, path: target, headers: {[name]: value}})).status)
  }

  t.deepEqual(answers, [200, 200, 200, 200, 204])
})
