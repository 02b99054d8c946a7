/** Creating a document at a URL: PUT with If-None-Match: * (docs/interface.md, Creating at a URL). */
import {readFileSync} from 'node:fs'
import test from 'ava'
import {startGuarded} from '../support/access.ts'
import {answerOf, bodyToPut, c, create, documentHeaders, ldp, refusal, saidOf, turtle} from '../support/documents.ts'
import {ruleOf} from '../support/members.ts'
import {testSchema} from '../support/postgres.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const ifFree = {...turtle, 'If-None-Match': '*'}
const body = '<> <http://x.example/p> "v" .'

const put = (path: string, headers: Readonly<Record<string, string>> = {}, sent = body) =>
  service.send({method: 'PUT', path, headers: {...ifFree, ...headers}, body: sent})

test('a PUT with If-None-Match: * to a free URL is a 201 with the headers of a create', async t => {
  const {path: parent} = await create(t, service, {slug: 'shelf'})
  const path = `${parent}new/`

  const answer = await put(path)
  const etag = String(answer.headers.etag)

  t.deepEqual(answerOf(t, answer), {
    status: 201,
    headers: {...documentHeaders(service, path, etag), location: `${service.base}shelf/new/`},
    body: '',
  })
  t.is((await service.send({path})).headers.etag, etag)
  t.deepEqual(await saidOf(service, path), ['<> <http://x.example/p> "v"'])
  const listing = {Prefer: `return=representation; include="${ldp}PreferContainment"`}
  t.regex((await service.send({path: parent, headers: listing})).text, /ldp:contains <[^>]*shelf\/new\/>/)
})

test('the example of the guide creates a document', async t => {
  const guide = readFileSync('docs/interface.md', 'utf8').split('### Creating at a URL')[1] ?? ''
  const [head = '', sent = ''] = (guide.split('```http\n')[1]?.split('```')[0] ?? '').split('\n\n')
  const [request = '', ...fields] = head.split('\n')
  await create(t, service, {slug: 'books'})

  const [method = '', path = ''] = request.split(' ')
  const headers = Object.fromEntries(fields.map(field => field.split(': ')))
  t.is((await service.send({method, path, headers, body: sent})).status, 201)

  t.deepEqual(await saidOf(service, path), ['<> <http://purl.org/dc/terms/title> "Persuasion"'])
})

test('if the document exists it is a 412 with its ETag, whatever the body, and nothing changes', async t => {
  const {path, etag} = await create(t, service, {slug: 'there', body})
  const wanted = refusal(
    service,
    {
      status: 412,
      rule: 'etag-mismatch',
      detail: `The document exists and its entity tag is ${etag}.`,
      etag: etag.slice(1, -1),
    },
    {path, headers: {etag}},
  )

  t.deepEqual(answerOf(t, await put(path, {}, '<> <http://x.example/p> "other" .')), wanted)
  t.deepEqual(answerOf(t, await put(path, {}, 'no Turtle')), wanted)
  t.deepEqual(answerOf(t, await put(path, {Prefer: `${ldp}RDFSource; rel=interaction-model`})), wanted)
  t.is((await put('/', {})).status, 412)
  t.is((await service.send({path})).headers.etag, etag)
})

test('of several creates at once, one is a 201 and the others are a 412', async t => {
  const answers = await Promise.all(
    Array.from({length: 8}, (_, n) => put('/race/', {}, `<> <http://x.example/n> ${n} .`)),
  )

  t.deepEqual(answers.map(({status}) => status).sort(), [201, ...Array(7).fill(412)])
  const [winner] = answers.filter(({status}) => status === 201)
  t.true(answers.every(({headers}) => headers.etag === winner?.headers.etag))
})

test('without the header, or with If-Match beside it, a free URL is a 404', async t => {
  const send = (headers: Readonly<Record<string, string>>) =>
    service.send({method: 'PUT', path: '/unmade/', headers: {...turtle, ...headers}, body})

  t.is(ruleOf(await send({})), 'document-exists')
  t.is(ruleOf(await send({'If-None-Match': '"1"'})), 'document-exists')
  t.is(ruleOf(await send({'If-Match': '*', 'If-None-Match': '*'})), 'document-exists')
  const members = {'If-None-Match': '*', Prefer: `${ldp}Container; rel=interaction-model`}
  t.is(ruleOf(await send(members)), 'document-exists')
})

test('the parent must exist: a missing one, or two missing levels, are a 404 parent-exists', async t => {
  const wanted = (path: string, parent: string) =>
    refusal(
      service,
      {
        status: 404,
        rule: 'parent-exists',
        detail: `There is no document <${service.base}${parent}> to create a child in.`,
      },
      {path},
    )

  t.deepEqual(answerOf(t, await put('/gone/child/')), wanted('/gone/child/', 'gone/'))
  t.deepEqual(answerOf(t, await put('/gone/far/child/', {}, 'no Turtle')), wanted('/gone/far/child/', 'gone/far/'))
  t.is((await put('/gone/child/', {'Content-Type': 'text/plain'})).status, 404)
  t.is((await service.send({path: '/gone/'})).status, 404)
})

test('URLs that no slug can give are refused', async t => {
  for (const name of ['.system', '.well-known', 'x'.repeat(256)]) {
    const answer = await put(`/${name}/`)
    t.is(`${answer.status} ${ruleOf(answer)}`, '400 segment-usable', name)
  }
  t.is((await put(`/${'x'.repeat(255)}/`)).status, 201)
  t.is((await put('/gr%C3%BC%C3%9Fe/')).status, 201)
})

test('the URL of a raw graph is a 409 document-iri-free', async t => {
  await service.database.database.query(
    `insert into ${testSchema}.raw_graph select (${testSchema}.intern_terms(array[$1]))[1]`,
    [`I${service.base}raw/`],
  )

  const answer = await put('/raw/')

  t.is(`${answer.status} ${ruleOf(answer)}`, '409 document-iri-free')
})

test('the rules of a create hold: reserved properties, access points, own graph', async t => {
  t.is(ruleOf(await put('/rules/', {}, `<> <${c}created> "2020" .`)), 'reserved-free')
  t.is(
    ruleOf(await put('/rules/', {'Content-Type': 'application/trig'}, '<http://x.example/g> { <> <a:b> 1 }')),
    'graph-own',
  )
  t.is(ruleOf(await put('/rules/', {'Content-Type': 'text/plain'})), 'media-type-known')
  t.is((await service.send({path: '/rules/'})).status, 404)

  const {path: parent} = await create(t, service, {slug: 'with-point'})
  const point = await put(
    `${parent}point/`,
    {},
    `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <http://x.example/m> .`,
  )
  t.is(point.status, 201)
  t.regex(String(point.headers.link), /DirectContainer/)
  t.regex((await service.send({path: parent})).text, /accessPoint/)
})

test('a body that reads like an access point makes a document, whatever the model', async t => {
  const model = {Prefer: `${ldp}RDFSource; rel=interaction-model`}
  const answer = await put('/relation/', model, `<> <${ldp}hasMemberRelation> <http://x.example/m> .`)

  t.is(answer.status, 201)
  t.regex(String(answer.headers.link), /BasicContainer/)
})

test('return=representation answers with the stored graph; a PUT can go on from its ETag', async t => {
  const answer = await put('/returned/', {Prefer: 'return=representation'})

  t.is(answer.status, 201)
  t.is(answer.headers['content-location'], `${service.base}returned/`)
  const next = await service.send({
    method: 'PUT',
    path: '/returned/',
    headers: {...turtle, 'If-Match': String(answer.headers.etag)},
    body: await bodyToPut(service, '/returned/', '<> <http://x.example/q> 1 .'),
  })
  t.is(next.status, 204)
})

test('grants: create on the parent is needed and enough; what is hidden stays hidden', async t => {
  for (const refusalStatus of ['403', '404']) {
    const guarded = await startGuarded({ACCESS_REFUSAL: refusalStatus})
    t.teardown(guarded.stop)
    const send = (name: string | undefined, path: string) =>
      guarded.sendAs(name, {method: 'PUT', path, headers: ifFree, body})
    const told = async (name: string | undefined, path: string) => {
      const answer = await send(name, path)
      return answer.status < 300 ? String(answer.status) : `${answer.status} ${ruleOf(answer)}`
    }
    t.is(await told('root', '/open/'), '201')
    t.is(await told('root', '/closed/'), '201')
    await guarded.grant('/open/', {'agent http://agents.example/ann#me': ['create']})
    await guarded.grant('/closed/', {'agent http://agents.example/other#me': ['read']})

    t.is(await told('ann', '/open/a/'), '201')
    const again = await send('ann', '/open/a/')
    t.is(`${again.status} ${again.headers.etag}`, '412 undefined', 'ann may not read it')
    const hidden = refusalStatus === '404'
    t.is(await told('ann', '/closed/a/'), hidden ? '404 parent-exists' : '403 access-granted')
    t.is(await told(undefined, '/closed/a/'), hidden ? '404 parent-exists' : '401 authentication-required')
    t.is(await told('ann', '/missing/a/'), hidden ? '404 parent-exists' : '403 access-granted')
    t.is(await told('ann', '/open/.system/'), '400 segment-usable')
  }
})
