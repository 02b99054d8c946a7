/** The OpenAPI document is valid, linked from the root, and describes the actual responses of every operation. */
import {Validator} from '@seriousme/openapi-schema-validator'
import test, {type ExecutionContext} from 'ava'
import {startGuarded} from '../support/access.ts'
import type {Received, Sent} from '../support/client.ts'
import {bodyToPut, create, ldp, preferChildren, turtle} from '../support/documents.ts'
import {contentsOf, type Description, descriptionPath, faultsOf} from '../support/openapi.ts'
import {schemaIdentifier} from '../support/postgres.ts'
import {startService, type TestService, useService} from '../support/service.ts'

const methods = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete']

let service: TestService
let described: Description

test.before(async () => {
  service = await startService()
  described = JSON.parse((await service.send({path: descriptionPath})).text)
})
test.after.always(() => service.stop())

test('it is valid OpenAPI 3.1, linked from the root and from nowhere else', async t => {
  const {headers, text} = await service.send({path: descriptionPath})
  const {path: other} = await create(t, service, {slug: 'unlinked'})

  const {valid, errors} = await new Validator().validate(JSON.parse(text))

  t.deepEqual([valid, errors], [true, undefined])
  t.is(described.openapi, '3.1.1')
  t.is(headers['content-type'], 'application/vnd.oai.openapi+json;version=3.1')
  t.true((await service.send()).headers.link?.includes(`<${service.base}.well-known/openapi.json>; rel="service-desc"`))
  t.false((await service.send({path: other})).headers.link?.includes('service-desc'))
})

test('every reference in it can be resolved', t => {
  const references = JSON.stringify(described).match(/"#\/[^"]+"/g) ?? []
  const resolve = (reference: string) =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((place, name) => (place as Record<string, unknown> | undefined)?.[name], described)

  t.true(references.length > 50)
  t.deepEqual(
    references.map(quoted => JSON.parse(quoted)).filter(reference => resolve(reference) === undefined),
    [],
  )
})

/** An operation, the expected status, and the request, or a function that makes it when its turn comes. */
type Exchange = readonly [template: string, method: string, status: number, sent: Sent | (() => Promise<Sent>)]

function readOnly(template: string, place: string): readonly Exchange[] {
  return [
    [template, 'get', 200, {path: place}],
    [template, 'head', 200, {path: place, method: 'HEAD'}],
    [template, 'options', 204, {path: place, method: 'OPTIONS'}],
  ]
}

const describe = `/describe?${new URLSearchParams({iri: 'http://example.org/'})}`
const describeExchanges: readonly Exchange[] = [
  ['/describe', 'get', 200, {path: describe, headers: {Accept: 'text/html'}}],
  ['/describe', 'get', 303, {path: describe}],
  ['/describe', 'head', 200, {path: describe, method: 'HEAD', headers: {Accept: 'text/html'}}],
  ['/describe', 'head', 303, {path: describe, method: 'HEAD'}],
  ['/describe', 'options', 204, {path: describe, method: 'OPTIONS'}],
]

const searchExchanges: readonly Exchange[] = [
  ['/search', 'get', 200, {path: '/search?q=emma'}],
  ['/search', 'head', 200, {path: '/search?q=emma', method: 'HEAD'}],
  ['/search', 'options', 204, {path: '/search', method: 'OPTIONS'}],
]

function explained(type: string): Sent {
  return {path: `/sparql?query=${encodeURIComponent('ask {}')}`, headers: {Accept: type}}
}

/** The path of a page's assets. */
async function assetPaths(): Promise<readonly string[]> {
  const pages = await Promise.all(
    ['/', '/sparql'].map(place => service.send({path: place, headers: {Accept: 'text/html'}})),
  )
  return [...new Set(pages.flatMap(({text}) => text.match(/\/\.system\/assets\/[^"]+/g) ?? []))]
}

/** Requests to the graph store: about a document, and without one. */
function graphExchanges(): readonly Exchange[] {
  const template = '/rdf-graph-store'
  const place = `${template}?graph=${encodeURIComponent(`${service.base}graph/`)}`
  const whole = {...turtle, Prefer: 'return=representation'}
  const update = {headers: {'Content-Type': 'application/sparql-update'}, body: ''}
  const add = {headers: {'Content-Type': 'text/ldpatch'}, body: 'Add { <#a> <#b> 1 } .'}
  const tagged = async (method: string): Promise<Sent> => {
    const {headers} = await service.send({path: place})
    return {method, path: place, headers: {'If-None-Match': headers.etag ?? ''}}
  }
  return [
    [template, 'put', 201, {method: 'PUT', path: place, headers: turtle, body: ''}],
    [template, 'put', 204, {method: 'PUT', path: place, headers: turtle, body: ''}],
    [template, 'put', 200, {method: 'PUT', path: place, headers: whole, body: ''}],
    [template, 'post', 201, {method: 'POST', path: template, headers: turtle, body: ''}],
    [template, 'post', 204, {method: 'POST', path: place, headers: turtle, body: ''}],
    [template, 'post', 200, {method: 'POST', path: place, headers: whole, body: ''}],
    [template, 'post', 200, {method: 'POST', path: place, ...update}],
    [template, 'get', 200, {path: place}],
    [template, 'get', 304, () => tagged('GET')],
    [template, 'get', 200, {path: `${template}?default`}],
    [template, 'head', 200, {method: 'HEAD', path: place}],
    [template, 'head', 304, () => tagged('HEAD')],
    [template, 'head', 200, {method: 'HEAD', path: `${template}?default`}],
    [template, 'patch', 204, {method: 'PATCH', path: place, ...add}],
    [template, 'patch', 200, {method: 'PATCH', path: place, ...add, headers: {...whole, ...add.headers}}],
    ...[template, place, `${template}?default`].map(
      (path): Exchange => [template, 'options', 204, {method: 'OPTIONS', path}],
    ),
    [template, 'delete', 204, {method: 'DELETE', path: place}],
  ]
}

const session = '/broker/000/openapi'
const brokerExchanges: readonly Exchange[] = [
  ['/broker', 'get', 200, {path: '/broker'}],
  ['/broker/info', 'get', 200, {path: '/broker/info'}],
  ['/broker/{server}/{session}/{transport}', 'post', 200, {method: 'POST', path: `${session}/xhr`}],
  [
    '/broker/{server}/{session}/{transport}',
    'post',
    204,
    {method: 'POST', path: `${session}/xhr_send`, body: JSON.stringify(['\n'])},
  ],
]

/** Requests for all operations: every described response occurs. */
async function exchanges(t: ExecutionContext): Promise<readonly Exchange[]> {
  const {path: one, etag} = await create(t, service, {slug: 'one', body: '<> <http://example.org/ns#p> 1 .'})
  const root = (await service.send()).headers.etag ?? ''
  const platform = (await service.send({path: '/.system/platform/'})).headers.etag ?? ''
  const model = {Prefer: `${ldp}RDFSource; rel=interaction-model`}
  const whole = {Prefer: ['return=representation', `${ldp}RDFSource; rel=interaction-model`]}
  const patch = {method: 'PATCH', headers: {'Content-Type': 'text/ldpatch', ...model}, body: 'Add { <#a> <#b> 1 } .'}
  const ask = {method: 'POST', headers: {'Content-Type': 'application/sparql-query'}, body: 'ask {}'}
  const update = {method: 'POST', headers: {'Content-Type': 'application/sparql-update'}, body: ''}
  const replace = (place: string, headers: Sent['headers']) => async (): Promise<Sent> => {
    const current = (await service.send({path: place})).headers.etag ?? ''
    const body = await bodyToPut(service, place)
    return {method: 'PUT', path: place, headers: {...turtle, 'If-Match': current, ...headers}, body}
  }
  const of = (template: string, place: string, tag: string): readonly Exchange[] => [
    [template, 'get', 200, {path: place}],
    [template, 'get', 304, {path: place, headers: {'If-None-Match': tag}}],
    [template, 'head', 200, {path: place, method: 'HEAD'}],
    [template, 'head', 304, {path: place, method: 'HEAD', headers: {'If-None-Match': tag}}],
    ...['?states', `?state=${tag.slice(1, -1)}`, `?difference=${tag.slice(1, -1)}`].flatMap((query): Exchange[] => [
      [template, 'get', 200, {path: place + query}],
      [template, 'head', 200, {path: place + query, method: 'HEAD'}],
    ]),
    [template, 'get', 200, {path: place, headers: {'Accept-Datetime': 'Tue, 17 Nov 2026 09:30:00 GMT'}}],
    [template, 'get', 304, {path: `${place}?state=${tag.slice(1, -1)}`, headers: {'If-None-Match': tag}}],
    [template, 'options', 204, {path: place, method: 'OPTIONS'}],
    [template, 'post', 204, {path: `${place}?restore=${tag.slice(1, -1)}`, method: 'POST', headers: {'If-Match': '*'}}],
    [template, 'post', 201, {path: place, method: 'POST', headers: turtle, body: ''}],
    [template, 'post', 201, {path: place, method: 'POST', headers: {...turtle, ...whole}, body: ''}],
    [template, 'post', 200, {path: place, ...ask}],
    [template, 'post', 200, {path: place, ...update}],
    [template, 'post', 204, {path: place, ...update, headers: {...update.headers, Prefer: 'return=minimal'}}],
    [template, 'put', 204, replace(place, model)],
    [template, 'put', 200, replace(place, whole)],
    [template, 'patch', 204, {path: place, ...patch}],
    [template, 'patch', 200, {path: place, ...patch, headers: {...patch.headers, ...whole}}],
  ]
  const form = 'application/x-www-form-urlencoded'
  return [
    ...of('/', '/', root),
    ...of('/{path}', one, etag),
    [
      '/{path}',
      'put',
      201,
      {path: `${one}put/`, method: 'PUT', headers: {...turtle, ...whole, 'If-None-Match': '*'}, body: ''},
    ],
    ['/{path}', 'delete', 204, {path: one, method: 'DELETE', headers: {Prefer: preferChildren}}],
    ['/{path}', 'delete', 204, {path: one, method: 'DELETE', headers: model}],
    ['/sparql', 'get', 200, {path: '/sparql'}],
    ['/sparql', 'head', 200, {path: '/sparql', method: 'HEAD'}],
    ['/sparql', 'get', 200, {path: '/sparql', headers: {Accept: 'text/html'}}],
    ['/sparql', 'get', 200, explained('text/vnd.quadstead.explain')],
    ['/sparql', 'get', 200, explained('application/vnd.quadstead.explain+json')],
    ['/sparql', 'get', 200, {path: `/sparql?query=${encodeURIComponent('select * {} limit 1')}`}],
    ['/sparql', 'post', 200, {path: '/sparql', ...ask}],
    ['/sparql', 'post', 200, {path: '/sparql', method: 'POST', headers: {'Content-Type': form}, body: 'query=ask {}'}],
    ['/sparql', 'post', 200, {path: '/sparql', ...update}],
    ['/sparql', 'post', 204, {path: '/sparql', ...update, headers: {...update.headers, Prefer: 'return=minimal'}}],
    ...graphExchanges(),
    [
      '/batch',
      'post',
      200,
      {path: '/batch', method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{"requests": []}'},
    ],
    ['/batch', 'options', 204, {path: '/batch', method: 'OPTIONS'}],
    ['/sparql', 'options', 204, {path: '/sparql', method: 'OPTIONS'}],
    ['/.system/platform/', 'get', 200, {path: '/.system/platform/'}],
    ['/.system/platform/', 'get', 304, {path: '/.system/platform/', headers: {'If-None-Match': platform}}],
    ['/.system/platform/', 'head', 200, {path: '/.system/platform/', method: 'HEAD'}],
    [
      '/.system/platform/',
      'head',
      304,
      {path: '/.system/platform/', method: 'HEAD', headers: {'If-None-Match': platform}},
    ],
    ['/.system/platform/', 'options', 204, {path: '/.system/platform/', method: 'OPTIONS'}],
    ...['/.well-known/void', '/changes', descriptionPath, '/errors', '/docs', '/.system/names'].flatMap(place =>
      readOnly(place, place),
    ),
    ...describeExchanges,
    ...brokerExchanges,
    ...searchExchanges,
    ['/errors', 'get', 303, {path: '/errors', headers: {Accept: 'text/html'}}],
    ['/errors', 'head', 303, {path: '/errors', method: 'HEAD', headers: {Accept: 'text/html'}}],
    ['/docs', 'get', 304, {path: '/docs', headers: {'If-None-Match': '*'}}],
    ['/docs', 'head', 304, {path: '/docs', method: 'HEAD', headers: {'If-None-Match': '*'}}],
    ...(await assetPaths()).flatMap(place => readOnly('/.system/assets/{hash}/{name}', place)),
    ...['/live', '/ready', '/metrics'].flatMap((place): readonly Exchange[] => [
      [place, 'get', 200, {path: place}],
      [place, 'head', 200, {path: place, method: 'HEAD'}],
    ]),
  ]
}

test('the responses of every operation match its description: status, header fields, types', async t => {
  const asked = new Set<string>()
  const faults: string[] = []
  for (const [template, method, status, sent] of await exchanges(t)) {
    const name = `${method} ${template} ${status}`
    const operation = described.paths[template]?.[method]
    if (operation === undefined) {
      t.fail(`${name} is not described`)
      continue
    }
    asked.add(name)
    const answer = await service.send(typeof sent === 'function' ? await sent() : sent)
    t.is(answer.status, status, `${name}: ${answer.text}`)
    faults.push(...faultsOf(described, operation, answer).map(fault => `${name}: ${fault}`))
  }
  t.deepEqual(faults, [])

  const all = Object.entries(described.paths).flatMap(([template, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .flatMap(([method, {responses}]) => Object.keys(responses).map(status => `${method} ${template} ${status}`)),
  )
  const hard = ['default', '101', '421', '429', '503'] // see below, 20-broker.test.ts and test/life/drain.test.ts
  const endless = ['get /broker/{server}/{session}/{transport} 200']
  t.deepEqual(
    all.filter(name => !asked.has(name) && !hard.includes(name.split(' ').at(-1) ?? '') && !endless.includes(name)),
    [],
  )
})

test('a document is available in every listed format', async t => {
  const ofHistory = ['application/link-format', 'text/ldpatch']
  const types = contentsOf(described.paths['/']?.get).filter(type => !ofHistory.includes(type))

  t.true(types.includes('text/turtle') && types.includes('application/ld+json'))
  for (const type of types) {
    const {headers} = await service.send({headers: {Accept: type}})
    t.is(headers['content-type']?.replace('; charset=utf-8', ''), type)
  }
})

test('errors are problems as described, and a document has exactly the described methods', async t => {
  const {path: place} = await create(t, service, {slug: 'abilities'})
  const {headers} = await service.send({path: place})
  const failed = await service.send({path: '/missing/'})

  t.deepEqual(
    Object.keys(described.paths['/{path}'] ?? {})
      .filter(method => methods.includes(method))
      .concat('move', 'copy') // described in prose
      .sort(),
    headers.allow?.toLowerCase().split(', ').sort(),
  )
  const misdirected = await service.send({headers: {Host: 'evil.example'}})
  t.deepEqual(faultsIn(described, '/', 'get', [misdirected]), [[421]])
  t.deepEqual(Object.keys(JSON.parse(failed.text)), ['type', 'title', 'status', 'detail', 'instance', 'requestId'])
})

test('resources of the service are read-only: OPTIONS lists the methods, others are a 405', async t => {
  const probes = ['/live', '/ready', '/metrics', '/broker', '/broker/info']
  const pages = ['/.well-known/void', descriptionPath, '/errors', '/.system/names', ...(await assetPaths())]
  const readOnly = [...probes, ...pages].map(place => [place, 'GET, HEAD, OPTIONS'] as const)
  const others = [
    ['/broker/websocket', 'GET, OPTIONS'],
    ['/broker/000/abc/websocket', 'GET, OPTIONS'],
    ['/broker/000/abc/xhr', 'POST, OPTIONS'],
  ] as const
  for (const [place, allow] of [...readOnly, ...others]) {
    const {status, headers, text} = await service.send({path: place, method: 'PUT', headers: turtle, body: ''})
    t.deepEqual([status, headers.allow, JSON.parse(text).title], [405, allow, 'method-allowed'], place)
    const listed = await service.send({path: place, method: 'OPTIONS'})
    t.deepEqual([listed.status, listed.headers.allow, listed.text], [204, allow, ''], place)
  }
})

/** The differences between the responses to an operation and its description, by status. */
function faultsIn(description: Description, template: string, method: string, answers: readonly Received[]) {
  const operation = description.paths[template]?.[method]
  return answers.map(answer => [answer.status, ...(operation ? faultsOf(description, operation, answer) : ['none'])])
}

test.serial('responses match their description with and without too many requests', async t => {
  const limits = {TRUSTED_PROXIES: 'loopback', REQUEST_LIMIT: '2', REQUEST_LIMIT_WINDOW_MS: '3600000'}
  const limited = await useService(t, limits)
  const headers = {'X-Forwarded-For': '192.0.2.1'}

  const answers = [await limited.send({headers}), await limited.send({headers}), await limited.send({headers})]

  t.deepEqual(faultsIn(described, '/', 'get', answers), [[200], [200], [429]])
  t.deepEqual(
    answers.map(({headers}) => [headers['ratelimit-policy'], headers.ratelimit, headers['retry-after']]),
    [
      ['"requests";q=2;w=3600', '"requests";r=1;t=1800', undefined],
      ['"requests";q=2;w=3600', '"requests";r=0;t=3600', undefined],
      ['"requests";q=2;w=3600', '"requests";r=0;t=3600', '1800'],
    ],
  )
})

test.serial('the response after a wait that is too long matches its description', async t => {
  const busy = await useService(t, {DATABASE_POOL_MAX: '1', DATABASE_QUEUE_WAIT_MS: '100', DATABASE_QUEUE_MAX: '1'})
  const lock = `lock table ${schemaIdentifier}.document in access exclusive mode`
  const answers = await busy.database.database.begin('read committed', async transaction => {
    await transaction.query(lock)
    return Promise.all(['/a/', '/b/', '/c/', '/d/'].map(place => busy.send({path: place, method: 'PATCH', ...patch})))
  })

  const refused = answers.filter(({status}) => status === 503)
  t.true(refused.length > 0)
  t.deepEqual(
    faultsIn(described, '/{path}', 'patch', refused),
    refused.map(() => [503]),
  )
  t.true(refused.every(({headers}) => Number(headers['retry-after']) > 0))
})

test.serial('the response to a query that takes too long matches its description', async t => {
  const hasty = await useService(t, {STATEMENT_TIMEOUT_MS: '200'})
  const values = `VALUES ?X { ${Array.from({length: 60}, (_, index) => index).join(' ')} }`
  const crossed = ['a', 'b', 'c', 'd', 'e'].map(name => values.replace('X', name)).join(' ')
  const path = `/sparql?query=${encodeURIComponent(`SELECT (COUNT(*) AS ?n) { ${crossed} }`)}`

  t.deepEqual(faultsIn(described, '/sparql', 'get', [await hasty.send({path})]), [[503]])
})

const patch = {headers: {'Content-Type': 'text/ldpatch'}, body: 'Add { <#a> <#b> 1 } .'}

test('with access control it describes credentials, grants and their errors, and is valid', async t => {
  const guarded = await startGuarded()
  t.teardown(guarded.stop)
  const description: Description = JSON.parse((await guarded.send({path: descriptionPath})).text)

  t.true((await new Validator().validate(description as never)).valid)
  t.like(description, {
    security: [{}, {key: []}],
    components: {securitySchemes: {key: {type: 'http', scheme: 'bearer', bearerFormat: 'qsk_…'}}},
  })
  t.false('/.system/access' in described.paths)
  t.false('security' in described)
  const refusals = [
    await guarded.send(),
    await guarded.sendAs('somebody', {}),
    await guarded.send({headers: {Authorization: 'Basic eDp5'}}),
  ]
  t.deepEqual(faultsIn(description, '/', 'get', refusals), [[401], [403], [401]])
  const place = '/.system/access'
  const read = await guarded.sendAs('root', {path: place})
  t.deepEqual(faultsIn(description, place, 'get', [read, await guarded.send({path: place})]), [[200], [401]])
  const headers = {'Content-Type': 'application/json', 'If-Match': read.headers.etag ?? ''}
  const put = {method: 'PUT', path: place, headers, body: read.text}
  const [changed, again] = [await guarded.sendAs('root', put), await guarded.sendAs('root', {...put, body: '{}'})]
  t.deepEqual(faultsIn(description, place, 'put', [changed, again]), [[204], [400]])
  const body = JSON.stringify({grantee: 'public', modes: ['read'], expires: '2999-01-01T00:00:00Z'})
  const post = {method: 'POST', path: place, headers: {'Content-Type': 'application/json'}, body}
  const [added, twice] = [await guarded.sendAs('root', post), await guarded.sendAs('root', post)]
  t.deepEqual(faultsIn(description, place, 'post', [added, twice]), [[204], [409]])
  t.deepEqual(faultsIn(description, place, 'get', [await guarded.sendAs('root', {path: place})]), [[200]])
  const remove = {method: 'DELETE', path: `${place}?grantee=public`}
  const [removed, missing] = [await guarded.sendAs('root', remove), await guarded.sendAs('root', remove)]
  t.deepEqual(faultsIn(description, place, 'delete', [removed, missing]), [[204], [404]])
  const options = await guarded.sendAs('root', {method: 'OPTIONS', path: place})
  t.deepEqual(faultsIn(description, place, 'options', [options]), [[204]])
})

test('it describes signing in with a browser, and the pages of grants and keys', async t => {
  const guarded = await startGuarded()
  t.teardown(guarded.stop)
  const description = JSON.parse((await guarded.send({path: descriptionPath})).text)
  const key = (await guarded.authorizationOf('root')).replace('Bearer ', '')
  const fields = {'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin'}
  const form = (path: string, body: string, headers = {}) =>
    guarded.send({method: 'POST', path, headers: {...fields, ...headers}, body})
  const place = '/.system/sign-in'
  const entered = await form(place, `key=${key}`)
  const cookie = {Cookie: entered.headers['set-cookie']?.[0]?.split(';')[0] ?? ''}

  const posts = [
    entered,
    await form(place, 'key=qsk_x', {Accept: 'text/html'}),
    await guarded.send({path: place, method: 'POST'}),
  ]
  t.deepEqual(faultsIn(description, place, 'post', posts), [[303], [401], [403]])
  const gets = [await guarded.send({path: place}), await guarded.send({path: place, headers: cookie})]
  t.deepEqual(faultsIn(description, place, 'get', gets), [[200], [303]])
  const away = [
    await guarded.send({path: `${place}/issuer`}),
    await guarded.send({path: `${place}/issuer`, method: 'OPTIONS'}),
  ]
  t.deepEqual(faultsIn(description, `${place}/issuer`, 'get', away.slice(0, 1)), [[404]])
  t.deepEqual(faultsIn(description, `${place}/issuer`, 'options', away.slice(1)), [[204]])
  for (const path of ['/.system/access', '/.system/keys', '/.system/sessions']) {
    const read = await guarded.send({path, headers: {...cookie, Accept: 'text/html'}})
    t.deepEqual(faultsIn(description, path, 'get', [read]), [[200]])
  }
  const sessions = '/.system/sessions'
  const ended = [await form(sessions, 'end=others', cookie), await form(sessions, 'end=x', cookie)]
  t.deepEqual(faultsIn(description, sessions, 'post', ended), [[303], [404]])
  t.deepEqual(faultsIn(description, sessions, 'get', [await guarded.send({path: sessions, headers: cookie})]), [[200]])
  const out = '/.system/sign-out'
  t.deepEqual(faultsIn(description, out, 'get', [await guarded.send({path: out})]), [[200]])
  t.deepEqual(
    faultsIn(description, out, 'post', [await form(out, '', cookie), await guarded.send({path: out, method: 'POST'})]),
    [[200], [403]],
  )
})

test('with tokens of an issuer it describes both kinds of credentials', async t => {
  const issued = await startGuarded({JWT_ISSUER: 'http://localhost:9/', JWT_AUDIENCE: 'http://localhost/'})
  t.teardown(issued.stop)
  const description = JSON.parse((await issued.send({path: descriptionPath})).text)

  t.true((await new Validator().validate(description)).valid)
  t.deepEqual(description.security, [{}, {key: []}, {token: []}])
  t.like(description.components.securitySchemes.token, {type: 'http', scheme: 'bearer', bearerFormat: 'JWT'})
  const headers = {Authorization: 'Bearer e30.e30.x'}
  t.deepEqual(faultsIn(description, '/', 'get', [await issued.send({headers})]), [[503]])
})
