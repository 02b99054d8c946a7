/** The management of datasets over HTTP (docs/datasets.md). */
import {Validator} from '@seriousme/openapi-schema-validator'
import test, {type ExecutionContext} from 'ava'
import {hashKey} from '../../src/authentication/keys.ts'
import type {Sent} from '../support/client.ts'
import {type DatasetPlace, useDatasetPlace, useDatasets} from '../support/datasets.ts'
import {type Description, faultsOf} from '../support/openapi.ts'
import type {Settings} from '../support/service.ts'

const key = 'qso_0123456789'

async function useManagement(t: ExecutionContext, settings: Settings = {}) {
  const place = await useDatasetPlace(t, settings)
  await place.administration.registry.addKey({id: '1234', hash: hashKey(key), name: 'test'})
  const service = await useDatasets(t, place)
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : {'Content-Type': 'application/json'}),
    }
    const sent: Sent = {method, path: `/.system/datasets${path}`, headers}
    const {
      status,
      text,
      headers: received,
    } = await service.send(
      body === undefined ? sent : {...sent, body: typeof body === 'string' ? body : JSON.stringify(body)},
    )
    return {status, received, value: text === '' ? undefined : JSON.parse(text)}
  }
  return {place, ask, send: service.send}
}

async function entriesOf({administration}: DatasetPlace): Promise<readonly string[]> {
  const entries = await administration.registry.changedAfter('0')
  return entries.flatMap(({name, state}) => (state === 'removed' ? [] : [name]))
}

test('an operator adds, lists, changes and removes a dataset, which the service serves at once', async t => {
  const {ask, send} = await useManagement(t)
  t.deepEqual((await ask('GET', '')).value, {datasets: []})

  const added = await ask('POST', '', {name: 'one', base: 'http://localhost/one', settings: {PAGE_SIZE: 7}})
  t.is(added.status, 201)
  t.is(added.received.location, '/.system/datasets/one')
  const {created, migrated, ...rest} = added.value
  t.true(new Date(created) <= new Date(migrated))
  const shown = {name: 'one', base: 'http://localhost/one/', schema: 'dataset_one', settings: {PAGE_SIZE: '7'}}
  t.deepEqual(rest, {...shown, state: 'ready'})
  t.is((await send({path: '/one/'})).status, 200)

  const changed = await ask('PATCH', '/one', {settings: {PAGE_SIZE: null, EXPLAIN: 'off'}, state: 'paused'})
  t.like(changed.value, {state: 'paused', settings: {EXPLAIN: 'off'}})
  t.deepEqual(Object.keys(changed.value.settings), ['EXPLAIN'])
  t.is((await ask('PATCH', '/one', {name: 'two', state: 'served'})).status, 200)
  t.like((await ask('GET', '/two')).value, {name: 'two', schema: 'dataset_one', state: 'ready'})
  t.is((await ask('GET', '/one')).status, 404)
  t.is((await ask('GET', '')).value.datasets.length, 1)

  t.is((await ask('DELETE', '/two')).status, 204)
  t.is((await ask('DELETE', '/two')).status, 404)
  t.deepEqual((await ask('GET', '')).value, {datasets: []})
})

test('only operators manage datasets', async t => {
  const {send, place} = await useManagement(t)
  await place.add({name: 'one'})
  const path = '/.system/datasets'

  const anonymous = await send({path})
  t.is(anonymous.status, 401)
  t.is(anonymous.headers['www-authenticate'], 'Bearer realm="quadstead"')
  for (const authorization of ['Bearer qso_other', 'Basic eDp5', 'Bearer ', `bearer ${key}x`]) {
    const {status, text} = await send({path, headers: {Authorization: authorization}})
    t.is(status, 401)
    t.is(JSON.parse(text).title, 'credentials-valid')
  }
  t.is((await send({path: `${path}/one`, method: 'DELETE'})).status, 401)
  t.deepEqual(await entriesOf(place), ['one'])
})

test('what cannot be used is refused, and nothing is registered', async t => {
  const {ask, place} = await useManagement(t)
  await place.add({name: 'taken'})
  const base = 'http://localhost/new/'
  const cases: readonly (readonly [unknown, number, string, RegExp])[] = [
    ['{', 400, 'json-syntax', /not JSON/],
    ['[]', 400, 'dataset-shape', /not a JSON object/],
    [{name: 'new', base, colour: 'red'}, 400, 'dataset-shape', /"colour"/],
    [{name: 'new', base: 5}, 400, 'dataset-shape', /"base" must be a string/],
    [{name: 'New', base}, 422, 'dataset-usable', /"New"/],
    [{name: 'new', base: 'ftp://localhost/'}, 422, 'dataset-usable', /ftp:/],
    [{name: 'new', base, schema: 'pg_catalog'}, 422, 'dataset-usable', /pg_catalog/],
    [{name: 'new', base, schema: 'quadstead_datasets'}, 422, 'dataset-usable', /quadstead_datasets/],
    [{name: 'new', base, databaseUrl: 'mysql://x'}, 422, 'dataset-usable', /postgres:\/\//],
    [{name: 'new', base, settings: {PORT: '1'}}, 422, 'dataset-usable', /PORT cannot be set/],
    [{name: 'new', base, settings: {PAGE_SIZE: 'many'}}, 422, 'dataset-usable', /PAGE_SIZE="many"/],
    [{name: 'taken', base}, 409, 'dataset-name-free', /"taken"/],
    [{name: 'new', base: 'http://localhost/taken/'}, 409, 'dataset-base-free', /localhost\/taken/],
    [{name: 'new', base, schema: 'dataset_taken'}, 409, 'dataset-schema-free', /"dataset_taken"/],
  ]
  for (const [body, status, rule, message] of cases) {
    const {status: found, value} = await ask('POST', '', body)
    t.is(found, status, JSON.stringify(body))
    t.is(value.title, rule)
    t.regex(value.detail, message)
  }
  t.is((await ask('PUT', '', {})).received.allow, 'GET, HEAD, POST')
  t.is((await ask('POST', '/taken', {})).received.allow, 'GET, HEAD, PATCH, DELETE')
  t.is((await ask('PATCH', '/taken', {state: 'removed'})).status, 400)
  t.is((await ask('PATCH', '/taken', {settings: {WORKERS: '2'}})).status, 422)
  t.deepEqual(await entriesOf(place), ['taken'])
})

test('metrics of a guarded service are for operators', async t => {
  const {send} = await useManagement(t, {ACCESS: 'grants'})

  t.is((await send({path: '/metrics'})).status, 401)
  t.is((await send({path: '/metrics', headers: {Authorization: `Bearer ${key}`}})).status, 200)
  t.is((await send({path: '/live'})).status, 200)
})

test('a schema with a dataset of another base is not adopted', async t => {
  const {ask, place} = await useManagement(t)
  await place.add({name: 'one'})
  t.is((await ask('DELETE', '/one')).status, 204)

  const other = await ask('POST', '', {name: 'two', base: 'http://localhost/two/', schema: 'dataset_one'})
  t.is(other.status, 422)
  t.regex(other.value.detail, /live under <http:\/\/localhost\/one\/>/)
  t.deepEqual(await entriesOf(place), [])
  t.is((await ask('POST', '', {name: 'two', base: 'http://localhost/one/', schema: 'dataset_one'})).status, 201)
})

test('credentials that prove nothing are limited for each address', async t => {
  const {send} = await useManagement(t, {REQUEST_LIMIT: '3', REQUEST_LIMIT_WINDOW_MS: '86400000'})
  const ask = async (own: string) =>
    (await send({path: '/.system/datasets', headers: {Authorization: `Bearer ${own}`}})).status

  const statuses: number[] = []
  for (const own of [key, 'qso_1', key, 'qso_2', 'qso_3', 'qso_4', key]) statuses.push(await ask(own))
  t.deepEqual(statuses, [200, 401, 200, 401, 401, 429, 429])
})

test('OpenAPI describes the management, as it answers', async t => {
  const {send} = await useManagement(t)
  const description = await send({path: '/.system/openapi.json'})
  const described: Description = JSON.parse(description.text)
  t.deepEqual(
    [description.status, (await new Validator().validate(JSON.parse(description.text))).errors],
    [200, undefined],
  )
  t.is((await send({path: '/.system/openapi.json', method: 'POST'})).status, 405)
  const [all, one] = ['/.system/datasets', '/.system/datasets/{name}']
  const added = {name: 'one', base: 'http://localhost/one/'}
  const exchanges: readonly (readonly [string, string, number, unknown?])[] = [
    [all, 'post', 201, added],
    [all, 'post', 409, added],
    [all, 'post', 400, {name: 'two', colour: 'red'}],
    [all, 'post', 422, {name: '-', base: 'http://localhost/two/'}],
    [all, 'get', 200],
    [all, 'head', 200],
    [one, 'get', 200],
    [one, 'head', 200],
    [one, 'patch', 200, {state: 'paused'}],
    [one, 'patch', 400, 'nothing'],
    [one, 'delete', 204],
    [one, 'get', 404],
    [one, 'delete', 404],
  ]
  for (const [template, method, status, value] of exchanges) {
    const headers = {
      Authorization: `Bearer ${key}`,
      ...(value === undefined ? {} : {'Content-Type': 'application/json'}),
    }
    const body = value === undefined ? {} : {body: JSON.stringify(value)}
    const path = template.replace('{name}', 'one')
    const received = await send({path, method: method.toUpperCase(), headers, ...body})
    const operation = described.paths[template]?.[method]
    t.is(received.status, status, `${method} ${path}: ${received.text}`)
    t.deepEqual(
      operation === undefined ? ['undescribed'] : faultsOf(described, operation, received),
      [],
      `${method} ${path}`,
    )
  }
  const refused = await send({path: all})
  const list = described.paths[all]?.get
  t.deepEqual([refused.status, list === undefined ? ['undescribed'] : faultsOf(described, list, refused)], [401, []])
})
