/** The OpenAPI document: valid, linked, and true of real answers of every operation. */
import {Validator} from '@seriousme/openapi-schema-validator'
import test, {type ExecutionContext} from 'ava'
import {startGuarded} from '../support/access.ts'
import type {Received, Sent} from '../support/client.ts'
import {bodyToPut, create, ldp, preferChildren, turtle} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

type Answer = {
  readonly headers?: Readonly<Record<string, {readonly $ref: string}>>
  readonly content?: Readonly<Record<string, object>>
}
type Operation = {readonly responses: Readonly<Record<string, Answer>>}
type Description = {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {readonly headers: Readonly<Record<string, {readonly required: boolean}>>}
}

const methods = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete']
const path = '/.well-known/openapi.json'

let service: TestService
let described: Description

test.before(async () => {
  service = await startService()
  described = JSON.parse((await service.send({path})).text)
})
test.after.always(() => service.stop())

test('it is valid OpenAPI 3.1, linked from the root and from nowhere else', async t => {
  const {headers, text} = await service.send({path})
  const {path: other} = await create(t, service, {slug: 'unlinked'})

  const {valid, errors} = await new Validator().validate(JSON.parse(text))

  t.deepEqual([valid, errors], [true, undefined])
  t.is(described.openapi, '3.1.1')
  t.is(headers['content-type'], 'application/vnd.oai.openapi+json;version=3.1')
  t.true((await service.send()).headers.link?.includes(`<${service.base}.well-known/openapi.json>; rel="service-desc"`))
  t.false((await service.send({path: other})).headers.link?.includes('service-desc'))
})

test('every reference in it leads somewhere', t => {
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

/** What an answer has that is not described, or lacks that is. */
function faultsOf({responses}: Operation, {status, headers, bytes}: Received): readonly string[] {
  const answer = responses[status]
  if (answer === undefined) return [`status ${status}`]
  const missing = Object.entries(answer.headers ?? {}).filter(([name, {$ref}]) => {
    const isNeeded = described.components.headers[$ref.split('/').at(-1) ?? '']?.required === true
    return isNeeded && headers[name.toLowerCase()] === undefined
  })
  const type = headers['content-type']?.replace(/; ?charset=utf-8.*$|; version=0.0.4.*$/, '') ?? ''
  const isUnknown = bytes.length > 0 && answer.content?.[type] === undefined
  return [...missing.map(([name]) => `no ${name}`), ...(isUnknown ? [`type ${type}`] : [])]
}

/** An operation, the status of its answer, and the request, or what makes it when its turn has come. */
type Exchange = readonly [template: string, method: string, status: number, sent: Sent | (() => Promise<Sent>)]

function readOnly(template: string, place: string): readonly Exchange[] {
  return [
    [template, 'get', 200, {path: place}],
    [template, 'head', 200, {path: place, method: 'HEAD'}],
    [template, 'options', 204, {path: place, method: 'OPTIONS'}],
  ]
}

function explained(type: string): Sent {
  return {path: `/sparql?query=${encodeURIComponent('ask {}')}`, headers: {Accept: type}}
}

/** What pages are made with, as the pages name it. */
async function assetPaths(): Promise<readonly string[]> {
  const pages = await Promise.all(
    ['/', '/sparql'].map(place => service.send({path: place, headers: {Accept: 'text/html'}})),
  )
  return [...new Set(pages.flatMap(({text}) => text.match(/\/\.system\/assets\/[^"]+/g) ?? []))]
}

/** Requests for all operations: each answer that is described comes up. */
async function exchanges(t: ExecutionContext): Promise<readonly Exchange[]> {
  const {path: one, etag} = await create(t, service, {slug: 'one', body: '<> <http://example.org/ns#p> 1 .'})
  const root = (await service.send()).headers.etag ?? ''
  const platform = (await service.send({path: '/.system/platform/'})).headers.etag ?? ''
  const model = {Prefer: `${ldp}RDFSource; rel=interaction-model`}
  const whole = {Prefer: ['return=representation', `${ldp}RDFSource; rel=interaction-model`]}
  const patch = {method: 'PATCH', headers: {'Content-Type': 'text/ldpatch', ...model}, body: 'Add { <#a> <#b> 1 } .'}
  const ask = {method: 'POST', headers: {'Content-Type': 'application/sparql-query'}, body: 'ask {}'}
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
    [template, 'options', 204, {path: place, method: 'OPTIONS'}],
    [template, 'post', 201, {path: place, method: 'POST', headers: turtle, body: ''}],
    [template, 'post', 201, {path: place, method: 'POST', headers: {...turtle, ...whole}, body: ''}],
    [template, 'post', 200, {path: place, ...ask}],
    [template, 'put', 204, replace(place, model)],
    [template, 'put', 200, replace(place, whole)],
    [template, 'patch', 204, {path: place, ...patch}],
    [template, 'patch', 200, {path: place, ...patch, headers: {...patch.headers, ...whole}}],
  ]
  const form = 'application/x-www-form-urlencoded'
  return [
    ...of('/', '/', root),
    ...of('/{path}', one, etag),
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
    ...['/.well-known/void', path, '/errors', '/.system/names'].flatMap(place => readOnly(place, place)),
    ['/errors', 'get', 200, {path: '/errors', headers: {Accept: 'text/html'}}],
    ...(await assetPaths()).flatMap(place => readOnly('/.system/assets/{hash}/{name}', place)),
    ...['/live', '/ready', '/metrics'].flatMap((place): readonly Exchange[] => [
      [place, 'get', 200, {path: place}],
      [place, 'head', 200, {path: place, method: 'HEAD'}],
    ]),
  ]
}

test('every operation answers as it says: status, headers, types', async t => {
  const asked = new Set<string>()
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
    t.deepEqual(faultsOf(operation, answer), [], name)
  }

  const all = Object.entries(described.paths).flatMap(([template, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .flatMap(([method, {responses}]) => Object.keys(responses).map(status => `${method} ${template} ${status}`)),
  )
  const hard = ['default', '503'] // failures: below, and in test/life/drain.test.ts
  t.deepEqual(
    all.filter(name => !asked.has(name) && !hard.includes(name.split(' ').at(-1) ?? '')),
    [],
  )
})

test('every format that is listed for a document is one it is answered in', async t => {
  const types = Object.keys(described.paths['/']?.get?.responses['200']?.content ?? {})

  t.true(types.includes('text/turtle') && types.includes('application/ld+json'))
  for (const type of types) {
    const {headers} = await service.send({headers: {Accept: type}})
    t.is(headers['content-type']?.replace('; charset=utf-8', ''), type)
  }
})

test('what goes wrong is a problem as described, and the methods of a document are those described', async t => {
  const {path: place} = await create(t, service, {slug: 'abilities'})
  const {headers} = await service.send({path: place})
  const failed = await service.send({path: '/missing/'})

  t.deepEqual(
    Object.keys(described.paths['/{path}'] ?? {})
      .filter(method => methods.includes(method))
      .sort(),
    headers.allow?.toLowerCase().split(', ').sort(),
  )
  t.deepEqual(Object.keys(JSON.parse(failed.text)), ['type', 'title', 'status', 'detail', 'instance', 'requestId'])
})

test('pages of the service are for reading: any other method is a 405 that says so', async t => {
  for (const place of ['/.well-known/void', path, '/errors', '/.system/names', ...(await assetPaths())]) {
    const {status, headers, text} = await service.send({path: place, method: 'PUT', headers: turtle, body: ''})
    t.deepEqual([status, headers.allow, JSON.parse(text).title], [405, 'GET, HEAD, OPTIONS', 'method-allowed'], place)
  }
})

test('where grants count, it tells of credentials and of grants, and is valid too', async t => {
  const guarded = await startGuarded()
  t.teardown(guarded.stop)
  const document = JSON.parse((await guarded.send({path})).text)

  t.true((await new Validator().validate(document)).valid)
  t.deepEqual(document.security, [{}, {bearer: []}])
  t.is(document.components.securitySchemes.bearer.scheme, 'bearer')
  t.deepEqual(Object.keys(document.paths['/.system/access']), ['summary', 'parameters', 'get', 'put'])
  t.false('/.system/access' in described.paths)
  t.false('security' in described)
})
