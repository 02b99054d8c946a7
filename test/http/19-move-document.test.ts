/** MOVE and COPY of documents (docs/interface.md, Moving and copying). */
import {readFileSync} from 'node:fs'
import test from 'ava'
import {answerOf, create, documentHeaders, refusal, saidOf, turtle} from '../support/documents.ts'
import {ruleOf} from '../support/members.ts'
import {schemaIdentifier} from '../support/postgres.ts'
import {startService, type TestService, useService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

type Headers = Readonly<Record<string, string>>
const send = (method: 'MOVE' | 'COPY', path: string, destination: string, headers: Headers = {}) =>
  service.send({method, path, headers: {Destination: destination, ...headers}})

const query = async (text: string) => {
  const headers = {'Content-Type': 'application/sparql-query', Accept: 'text/csv'}
  return (await service.send({method: 'POST', path: '/sparql', headers, body: text})).text.trim().split('\r\n').slice(1)
}

test('a MOVE is a 201 at the new URL, and references in other documents follow with new tags', async t => {
  const box = await create(t, service, {slug: 'box', body: '<> <http://x/p> <#it>, <in/> . <#it> <http://x/p> "it" .'})
  const inside = await create(t, service, {parent: box.path, slug: 'in', body: '<> <http://x/up> </box/> .'})
  const other = await create(t, service, {slug: 'other', body: '<> <http://x/see> </box/in/>, </box/#it> .'})
  const before = (await service.send({path: box.path})).headers.etag

  const answer = await send('MOVE', box.path, '/chest/', {'If-Match': String(before)})
  const etag = String(answer.headers.etag)

  t.deepEqual(answerOf(t, answer), {
    status: 201,
    headers: {...documentHeaders(service, '/chest/', etag), location: `${service.base}chest/`},
    body: '',
  })
  t.not(etag, before)
  t.is((await service.send({path: '/chest/'})).headers.etag, etag)
  t.is((await service.send({path: box.path})).status, 404)
  t.is((await service.send({path: inside.path})).status, 404)
  t.deepEqual(await saidOf(service, '/chest/in/'), [`<> <http://x/up> <${service.base}chest/>`])
  t.deepEqual(await saidOf(service, '/other/'), [
    `<> <http://x/see> <${service.base}chest/#it>`,
    `<> <http://x/see> <${service.base}chest/in/>`,
  ])
  t.not((await service.send({path: '/other/'})).headers.etag, other.etag)
})

test('the example of the guide moves a document', async t => {
  const guide = readFileSync('docs/interface.md', 'utf8').split('## Moving and copying')[1] ?? ''
  const [request = '', ...fields] = (guide.split('```http\n')[1]?.split('```')[0] ?? '').trim().split('\n')
  await create(t, service, {slug: 'books'})
  const drafts = await create(t, service, {slug: 'drafts'})
  await create(t, service, {parent: drafts.path, slug: 'emma', body: '<> <http://x/title> "Emma" .'})

  const [method = '', path = ''] = request.split(' ')
  const headers = Object.fromEntries(fields.map(field => field.split(': ')))
  t.is((await service.send({method, path, headers})).status, 201)

  t.deepEqual(await saidOf(service, '/books/emma/'), ['<> <http://x/title> "Emma"'])
})

test('a query that is cached answers with the new names after a move', async t => {
  await create(t, service, {slug: 'cached', body: '<> <http://x/kind> <#kind> .'})
  await create(t, service, {slug: 'user', body: '<> <http://x/uses> </cached/#kind> .'})
  const about = (path: string) => query(`SELECT ?s { ?s ?p <${service.base}${path}> FILTER(?p = <http://x/uses>) }`)
  const kinds = () => query('SELECT ?k { ?s <http://x/uses> ?k }')
  for (let n = 0; n < 3; n += 1) {
    t.deepEqual(await kinds(), [`${service.base}cached/#kind`])
    t.deepEqual(await about('cached/#kind'), [`${service.base}user/`])
    t.deepEqual(await about('renamed/#kind'), [])
  }

  t.is((await send('MOVE', '/cached/', '/renamed/')).status, 201)

  t.deepEqual(await kinds(), [`${service.base}renamed/#kind`])
  t.deepEqual(await about('cached/#kind'), [])
  t.deepEqual(await about('renamed/#kind'), [`${service.base}user/`])
})

test('predicates and classes have their new names in documents that were read before', async t => {
  await create(t, service, {slug: 'words'})
  await create(t, service, {slug: 'said', body: '<> a </words/#Class> ; </words/#verb> "v" .'})
  const names = async () => {
    const {text} = await service.send({path: '/said/', headers: {Accept: 'application/n-triples'}})
    return [...new Set(text.match(/[a-z]+\/#(Class|verb)/g))].toSorted()
  }
  t.deepEqual(await names(), ['words/#Class', 'words/#verb'])

  t.is((await send('MOVE', '/words/', '/terms/')).status, 201)

  t.deepEqual(await names(), ['terms/#Class', 'terms/#verb'])
})

test('Overwrite: F keeps a document at the destination; otherwise it is deleted, and the answer is a 204', async t => {
  const source = await create(t, service, {slug: 'new', body: '<> <http://x/p> "new" .'})
  const old = await create(t, service, {slug: 'old', body: '<> <http://x/p> "old" .'})
  await create(t, service, {parent: old.path, slug: 'below'})
  await create(t, service, {slug: 'refers', body: '<> <http://x/p> </old/>, </new/> .'})

  for (const method of ['MOVE', 'COPY'] as const)
    t.deepEqual(
      answerOf(t, await send(method, source.path, old.path, {Overwrite: 'F'})),
      refusal(
        service,
        {status: 412, rule: 'destination-free', detail: `There is already a document <${service.base}old/>.`},
        {path: source.path},
      ),
    )
  t.deepEqual(await saidOf(service, old.path), ['<> <http://x/p> "old"'])

  const answer = await send('MOVE', source.path, old.path)
  t.is(answer.status, 204)
  t.deepEqual(await saidOf(service, old.path), ['<> <http://x/p> "new"'])
  t.is((await service.send({path: '/old/below/'})).status, 404)
  t.deepEqual(await saidOf(service, '/refers/'), [`<> <http://x/p> <${service.base}old/>`])
})

test('a COPY has its own IRIs; with Depth: 0 it is alone', async t => {
  await create(t, service, {slug: 'tree', body: '<> <http://x/p> <leaf/>, <#it>, </tree/none> .'})
  await create(t, service, {parent: '/tree/', slug: 'leaf', body: '<> <http://x/up> </tree/> .'})
  const before = (await service.send({path: '/tree/'})).headers.etag

  const deep = await send('COPY', '/tree/', `${service.base}wood/`)
  t.is(deep.status, 201)
  t.is(deep.headers.etag, (await service.send({path: '/wood/'})).headers.etag)
  t.deepEqual(
    await saidOf(service, '/wood/'),
    ['#it', 'leaf/', 'none'].map(name => `<> <http://x/p> <${service.base}wood/${name}>`),
  )
  t.deepEqual(await saidOf(service, '/wood/leaf/'), [`<> <http://x/up> <${service.base}wood/>`])

  t.is((await send('COPY', '/tree/', '/alone/', {Depth: '0'})).status, 201)
  t.deepEqual(
    await saidOf(service, '/alone/'),
    ['alone/#it', 'tree/leaf/', 'tree/none'].map(path => `<> <http://x/p> <${service.base}${path}>`),
  )
  t.is((await service.send({path: '/alone/leaf/'})).status, 404)
  t.is((await service.send({path: '/tree/'})).headers.etag, before)
})

test('headers that are not understood are refused, and nothing is done', async t => {
  const {path} = await create(t, service, {slug: 'stays'})
  const refused = async (method: 'MOVE' | 'COPY', headers: Headers, on = path) => {
    const {status, text} = await service.send({method, path: on, headers})
    return `${status} ${JSON.parse(text).title}`
  }

  const cases: readonly (readonly ['MOVE' | 'COPY', Headers, string])[] = [
    ['MOVE', {}, '400 destination-valid'],
    ['COPY', {Destination: 'elsewhere'}, '400 destination-valid'],
    ['MOVE', {Destination: '/a/?q'}, '400 destination-valid'],
    ['MOVE', {Destination: '/a/#b'}, '400 destination-valid'],
    ['MOVE', {Destination: '/a/../b/'}, '400 destination-valid'],
    ['MOVE', {Destination: '/'}, '400 destination-valid'],
    ['MOVE', {Destination: '/.system/'}, '400 destination-valid'],
    ['MOVE', {Destination: '/.well-known/'}, '400 destination-valid'],
    ['MOVE', {Destination: 'http://elsewhere.example/a/'}, '502 destination-here'],
    ['MOVE', {Destination: '/a/', Overwrite: 'no'}, '400 overwrite-known'],
    ['MOVE', {Destination: '/a/', Depth: '0'}, '400 depth-known'],
    ['COPY', {Destination: '/a/', Depth: '1'}, '400 depth-known'],
    ['MOVE', {Destination: '/none/a/'}, '409 destination-parent'],
    ['MOVE', {Destination: path}, '403 destination-apart'],
    ['COPY', {Destination: `${path}below/`}, '403 destination-apart'],
    ['MOVE', {Destination: '/a/', 'If-Match': '"0"'}, '412 etag-mismatch'],
  ]
  for (const [method, headers, answer] of cases) t.is(await refused(method, headers), answer, JSON.stringify(headers))
  t.is(await refused('MOVE', {Destination: '/a/'}, '/'), '405 root-stays')
  t.is(await refused('COPY', {Destination: '/a/'}, '/'), '405 root-stays')
  t.is(await refused('MOVE', {}, '/none/'), '404 document-exists')
  t.is((await service.send({path})).status, 200)
})

test('the destination may have another form of the same URL', async t => {
  const {path} = await create(t, service, {slug: 'forms'})
  t.is((await send('MOVE', path, '/%66orm%c3%a9')).headers.location, `${service.base}form%C3%A9/`)
})

test('without MOVED_REDIRECTS_SECONDS an old URL is a 404, with it a 308, until a new document takes it', async t => {
  await create(t, service, {slug: 'away'})
  t.is((await send('MOVE', '/away/', '/gone/')).status, 201)
  t.is((await service.send({path: '/away/'})).status, 404)

  const other = await useService(t, {MOVED_REDIRECTS_SECONDS: '3600'})
  await create(t, other, {slug: 'away'})
  await create(t, other, {parent: '/away/', slug: 'in'})
  for (const [path, destination] of [
    ['/away/', '/on/'],
    ['/on/', '/gone/'],
    ['/gone/in/', '/in/'],
  ] as const)
    t.is((await other.send({method: 'MOVE', path, headers: {Destination: destination}})).status, 201)
  const redirected = async (path: string, method = 'GET') => {
    const {status, headers} = await other.send({method, path})
    return [status, headers.location, headers['cache-control']]
  }

  t.deepEqual(await redirected('/away/?after=1'), [308, `${other.base}gone/?after=1`, 'no-cache'])
  t.deepEqual(await redirected('/on/', 'DELETE'), [308, `${other.base}gone/`, 'no-cache'])
  t.deepEqual(await redirected('/away/in/'), [308, `${other.base}in/`, 'no-cache'])
  t.deepEqual(await redirected('/away/in'), [308, `${other.base}in/`, 'no-cache'])
  t.is((await redirected('/away/none/'))[0], 404)
  const posted = {method: 'POST', path: '/on/', headers: {...turtle, Slug: 'x'}, body: ''}
  t.is((await other.send(posted)).headers.location, `${other.base}gone/`)

  await create(t, other, {slug: 'away'})
  t.is((await redirected('/away/'))[0], 200)
  t.deepEqual(await redirected('/away/in/'), [308, `${other.base}in/`, 'no-cache'])
  await other.database.database.query(`update ${schemaIdentifier}.moved set expires = now()`)
  t.is((await redirected('/on/'))[0], 404)
  t.is((await other.send({method: 'MOVE', path: '/gone/', headers: {Destination: '/on/'}})).status, 201)
  const rows = await other.database.database.query(`select iri from ${schemaIdentifier}.moved`)
  t.deepEqual(rows, [{iri: `${other.base}gone/`}])
})

test('a redirect follows the document, not another one that has taken an IRI on its way', async t => {
  const other = await useService(t, {MOVED_REDIRECTS_SECONDS: '3600'})
  const move = async (path: string, destination: string) =>
    t.is((await other.send({method: 'MOVE', path, headers: {Destination: destination}})).status, 201)
  const location = async (path: string) => (await other.send({method: 'DELETE', path})).headers.location

  await create(t, other, {slug: 'one'})
  await create(t, other, {parent: '/one/', slug: 'in'})
  await move('/one/', '/two/')
  await move('/two/in/', '/two-in/')
  await move('/two/', '/three/')
  await create(t, other, {slug: 'two'})
  await create(t, other, {parent: '/two/', slug: 'in'})
  t.is(await location('/one/'), `${other.base}three/`)
  t.is(await location('/one/in/'), `${other.base}two-in/`)

  await move('/two/', '/four/')
  t.is(await location('/two/'), `${other.base}four/`)
  t.is(await location('/one/'), `${other.base}three/`)
})

test('a body, which would be ignored, is refused', async t => {
  const {path} = await create(t, service, {slug: 'bodied'})
  for (const method of ['MOVE', 'COPY']) {
    const headers = {...turtle, Destination: '/embodied/'}
    const answer = await service.send({method, path, headers, body: '<> <http://x.example/p> 1 .'})
    t.is(answer.status, 415)
    t.is(ruleOf(answer), 'media-type-known')
  }
  t.is((await service.send({path: '/embodied/'})).status, 404)
})
