/** LOAD in updates: what it fetches, what it refuses, and that nothing is held meanwhile (docs/sparql.md, Updates). */
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {gzipSync} from 'node:zlib'
import test, {type ExecutionContext} from 'ava'
import {agentOf, startGuarded} from '../support/access.ts'
import type {Received} from '../support/client.ts'
import {c, create, saidOf} from '../support/documents.ts'
import {ruleOf} from '../support/members.ts'
import {type Settings, type TestService, useService} from '../support/service.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A web server that answers by path and notes what it was asked. */
async function useWeb(t: ExecutionContext, answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const answer = answers[path]
    if (answer === undefined) response.writeHead(404).end()
    else answer(response, request)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked}
}

const sends =
  (type: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Answer =>
  response =>
    response.writeHead(200, {...(type === '' ? {} : {'Content-Type': type}), ...headers}).end(body)

const leadsTo =
  (location: string, status = 302): Answer =>
  response =>
    response.writeHead(status, {Location: location}).end()

const updateType = {'Content-Type': 'application/sparql-update'}
const told = (answer: Received) => (answer.status < 300 ? `${answer.status}` : `${answer.status} ${ruleOf(answer)}`)

async function useLoading(t: ExecutionContext, answers: Readonly<Record<string, Answer>>, settings: Settings = {}) {
  const web = await useWeb(t, answers)
  const service = await useService(t, {LOAD_FROM: web.url, ...settings})
  const {path} = await create(t, service, {slug: 'target'})
  const run = (body: string, at = path) => service.send({method: 'POST', path: at, headers: updateType, body})
  return {web, service, run, said: () => saidOf(service, path)}
}

const one = '<> <http://e/p> <other> .'
const formats: readonly [path: string, Answer][] = [
  ['/turtle', sends('text/turtle; charset=utf-8', one)],
  ['/trig', sends('application/trig', one)],
  ['/json', sends('application/ld+json', '{"@id": "", "http://e/p": {"@id": "other"}}')],
  ['/gzip', sends('text/turtle', gzipSync(one), {'Content-Encoding': 'gzip'})],
  ['/file.ttl', sends('text/plain', one)],
  ['/none.ttl?a=b', sends('', one)],
  [
    '/xml',
    sends(
      'application/rdf+xml',
      `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">
         <r:Description r:about=""><e:p r:resource="other"/></r:Description></r:RDF>`,
    ),
  ],
]

test('LOAD adds the triples of each format to the document; relative IRIs are resolved against the URL', async t => {
  const {web, run, said} = await useLoading(t, Object.fromEntries(formats))

  for (const [path] of formats) {
    const url = `${web.url}${path.slice(1)}`
    const answer = await run(`LOAD <${url}>`)
    t.is(answer.status, 200, answer.text)
    t.is(JSON.parse(answer.text).triples.inserted, 1, path)
    t.true((await said()).includes(`<${url}> <http://e/p> <${web.url}other>`), path)
  }
})

test('INTO GRAPH creates a document, later operations see it, and blank nodes are new', async t => {
  const data = sends('application/n-triples', '_:a <http://e/p> "1" .\n_:a <http://e/q> "2" .')
  const {web, service, run} = await useLoading(t, {'/data': data})
  const loads = `LOAD <${web.url}data> INTO GRAPH <new/> ; LOAD <${web.url}data#part> INTO GRAPH <new/> ;
    INSERT { GRAPH <new/> { <new/> <http://e/nodes> ?n } }
     WHERE { { SELECT (COUNT(DISTINCT ?s) AS ?n) { GRAPH <new/> { ?s <http://e/p> "1" ; <http://e/q> "2" } } } }`

  t.is(told(await run(loads)), '200')

  const said = (await saidOf(service, '/target/new/')).filter(line => line.includes('nodes'))
  t.deepEqual(said, ['<> <http://e/nodes> "2"^^<http://www.w3.org/2001/XMLSchema#integer>'])
})

test('redirects are followed within the list only, and not for ever', async t => {
  const outside = await useWeb(t, {'/x': sends('text/turtle', one)})
  const {web, run, said} = await useLoading(t, {
    '/moved': leadsTo('/deep/turtle', 308),
    '/deep/turtle': sends('text/turtle', one),
    '/outside': leadsTo(`${outside.url}x`),
    '/circle': leadsTo('circle'),
    '/file': leadsTo('file:///etc/passwd'),
    '/nowhere': leadsTo('http://['),
  })

  t.is(told(await run(`LOAD <${web.url}moved>`)), '200')
  t.deepEqual(await said(), [`<${web.url}deep/turtle> <http://e/p> <${web.url}deep/other>`])
  for (const path of ['outside', 'circle', 'file', 'nowhere'])
    t.is(told(await run(`LOAD <${web.url}${path}>`)), '502 load-failed', path)
  t.is(web.asked.filter(path => path === '/circle').length, 6)
  t.deepEqual(outside.asked, [])
})

test('what cannot be loaded is an error that undoes the whole update; SILENT goes on without it', async t => {
  const {web, run, said} = await useLoading(
    t,
    {
      '/broken': sends('text/turtle', 'no Turtle'),
      '/html': sends('text/html', '<p>'),
      '/plain': sends('text/plain', one),
      '/graphs': sends('application/trig', '<http://e/g> { <> <http://e/p> 1 }'),
      '/context': sends('application/ld+json', '{"@context": "http://e/context"}'),
      '/long': sends('text/turtle', gzipSync(`# ${'x'.repeat(200_000)}`), {'Content-Encoding': 'gzip'}),
      '/many': sends('text/turtle', Array.from({length: 101}, (_, n) => `<> <http://e/p> ${n} .`).join('\n')),
      '/half': response => {
        response.writeHead(200, {'Content-Type': 'text/turtle', 'Content-Length': '1000'})
        response.write('<> <http://e/p> 1 .', () => response.destroy())
      },
    },
    {BODY_LIMIT_BYTES: '100000', BODY_LIMIT_TRIPLES: '100'},
  )
  const cases = [
    [`${web.url}broken`, '502 load-failed'],
    [`${web.url}html`, '502 load-failed'],
    [`${web.url}plain`, '502 load-failed'],
    [`${web.url}graphs`, '502 load-failed'],
    [`${web.url}context`, '502 load-failed'],
    [`${web.url}none`, '502 load-failed'],
    [`${web.url}half`, '502 load-failed'],
    [`${web.url}long`, '422 load-limit'],
    [`${web.url}many`, '422 load-limit'],
    ['http://127.0.0.1:9/', '403 load-allowed'],
    ['file:///etc/passwd', '403 load-allowed'],
    ['urn:x', '403 load-allowed'],
    [web.url.replace('http://', 'http://user@'), '403 load-allowed'],
  ] as const

  for (const [url, refusal] of cases) {
    t.is(told(await run(`INSERT DATA { <> <http://e/p> "undone" } ; LOAD <${url}>`)), refusal, url)
    t.is(told(await run(`LOAD SILENT <${url}> ; INSERT DATA { <> <http://e/silent> <${encodeURI(url)}> }`)), '200', url)
  }
  t.deepEqual(await said(), cases.map(([url]) => `<> <http://e/silent> <${url}>`).sort())
})

test('properties of the service cannot be loaded', async t => {
  const {service, web, run} = await useLoading(t, {
    '/own': (response, request) => {
      sends('text/turtle', `<${service.base}target/> <${c}created> "2020" .`)(response, request)
    },
  })
  t.is(told(await run(`LOAD <${web.url}own>`)), '409 reserved-free')
})

/** Whether the database has a session that is in a transaction. */
async function isHolding({database: {database, name}}: TestService): Promise<boolean> {
  const text = `select from pg_stat_activity where datname = $1 and pid <> pg_backend_pid() and xact_start is not null`
  return (await database.query(text, [name])).length > 0
}

test('a server that does not answer holds no transaction; the time of the update ends it', async t => {
  let asked: () => void
  const isAsked = new Promise<void>(resolve => {
    asked = resolve
  })
  const {service, web, run} = await useLoading(t, {'/slow': () => asked()}, {STATEMENT_TIMEOUT_MS: '1500'})

  const answering = run(`LOAD <${web.url}slow>`)
  await isAsked
  t.false(await isHolding(service))
  t.is((await service.send({path: '/target/'})).status, 200)

  t.is(told(await answering), '504 load-timeout')
})

test('without LOAD_FROM it is a 403 load-disabled, and SILENT does nothing', async t => {
  const service = await useService(t)
  const run = (body: string) => service.send({method: 'POST', path: '/', headers: updateType, body})

  t.is(told(await run('LOAD <http://127.0.0.1:9/>')), '403 load-disabled')
  t.is(told(await run('LOAD SILENT <http://127.0.0.1:9/>')), '200')
})

test('nothing is fetched for a caller that may not write there', async t => {
  const web = await useWeb(t, {'/turtle': sends('text/turtle', one)})
  for (const refusal of ['403', '404']) {
    const service = await startGuarded({LOAD_FROM: web.url, ACCESS_REFUSAL: refusal})
    t.teardown(service.stop)
    const send = async (name: string | undefined, text: string) =>
      told(await service.sendAs(name, {method: 'POST', path: '/sparql', headers: updateType, body: text}))
    const into = (name: string, silent = '') => `LOAD ${silent} <${web.url}turtle> INTO GRAPH <${service.base}${name}/>`
    t.is(await send('root', into('open')), '200')
    await service.grant('/open/', {[`agent ${agentOf('ann')}`]: ['edit', 'create']})
    web.asked.splice(0)

    const [refused, anonymous] =
      refusal === '404' ? ['422 graph-known', '422 graph-known'] : ['403 access-granted', '401 authentication-required']
    t.is(await send('ann', into('closed')), refused)
    t.is(await send('ann', into('closed', 'SILENT')), refused)
    t.is(await send(undefined, into('open')), anonymous)
    t.deepEqual(web.asked, [])
    t.is(await send('ann', into('open')), '200')
    t.is(await send('ann', into('open/child')), '200')
  }
})

test('a LOAD is not fetched in a batch or with an Idempotency-Key, which hold a transaction', async t => {
  const {web, service, run, said} = await useLoading(t, {'/turtle': sends('text/turtle', one)})
  const load = `LOAD <${web.url}turtle>`

  const requests = [
    {id: '1', method: 'POST', url: '/target/', headers: {'Content-Type': updateType['Content-Type']}, body: load},
  ]
  const headers = {'Content-Type': 'application/json'}
  const batch = await service.send({method: 'POST', path: '/batch', headers, body: JSON.stringify({requests})})
  const keyed = {method: 'POST', path: '/target/', headers: {...updateType, 'Idempotency-Key': '"load"'}, body: load}
  const answers = JSON.parse(batch.text).responses.map((answer: {status: number; body: {title: string}}) => [
    answer.status,
    answer.body.title,
  ])

  t.deepEqual(answers, [[422, 'load-alone']])
  t.is(told(await service.send(keyed)), '422 load-alone')
  t.deepEqual(web.asked, [])
  t.deepEqual(await said(), [])
  t.is(told(await run(load)), '200')
})
