/** Several datasets in one service: which of them answers, and what they share. */
import test from 'ava'
import {type Observation, subscribe} from '../../src/base/observation.ts'
import {createOffice, dropDataset, rebaseEntry} from '../../src/datasets/administration.ts'
import {useDatasetPlace, useDatasets} from '../support/datasets.ts'
import {until} from '../support/machine.ts'
import {areDistributed, createTestDatabase} from '../support/postgres.ts'
import {type Declare, testWhen} from '../support/test-when.ts'

const turtle = {'Content-Type': 'text/turtle', Link: '<http://www.w3.org/ns/ldp#BasicContainer>; rel="type"'}

test('datasets are selected by host and by the longest path', async t => {
  const place = await useDatasetPlace(t)
  await place.add({name: 'alpha'})
  await place.add({name: 'inner', base: 'http://localhost/alpha/inner/'})
  await place.add({name: 'hosted', base: 'https://data.example.org/'})
  const {send} = await useDatasets(t, place)
  const made = async (path: string, slug: string, headers = {}) =>
    (await send({path, method: 'POST', headers: {...turtle, ...headers, Slug: slug}, body: '<> <http://a/p> 1 .'}))
      .headers.location

  t.is(await made('/alpha/', 'one'), 'http://localhost/alpha/one/')
  t.is(await made('/alpha/inner/', 'two'), 'http://localhost/alpha/inner/two/')
  t.is(await made('/', 'three', {Host: 'data.example.org'}), 'https://data.example.org/three/')
  const statusOf = async (path: string, host?: string) =>
    (await send({path, headers: host === undefined ? {} : {Host: host}})).status
  t.is(await statusOf('/alpha/one/'), 200)
  t.is(await statusOf('/alpha/two/'), 404)
  t.is(await statusOf('/alpha/inner/two/'), 200)
  t.is(await statusOf('/three/', 'data.example.org'), 200)
  t.is(await statusOf('/three/', 'DATA.example.org:443'), 200)
  t.is(await statusOf('/alpha/one/', 'data.example.org'), 404)
  t.is(await statusOf('/alpha/one/', 'localhost'), 200)
  t.is(await statusOf('/alpha', 'localhost'), 308)

  const stranger = await send({path: '/alpha/one/', headers: {Host: 'evil.example'}})
  t.is(stranger.status, 421)
  t.like(JSON.parse(stranger.text), {title: 'host-known', status: 421})
  t.is(await statusOf('/ready', 'evil.example'), 200)
  const query = `query=${encodeURIComponent('select ?s { ?s <http://a/p> 1 }')}`
  t.regex((await send({path: `/alpha/sparql?${query}`})).text, /localhost\/alpha\/one\//)
  t.notRegex((await send({path: `/alpha/sparql?${query}`})).text, /inner/)
})

test('a dataset that is added, changed, paused or removed is noticed without a restart', async t => {
  const place = await useDatasetPlace(t)
  const {registry} = place.administration
  const {send} = await useDatasets(t, place)
  t.is((await send({path: '/late/'})).status, 404, 'there is no dataset at all')

  await place.add({name: 'late'})
  t.is((await send({path: '/late/'})).status, 200)
  t.is((await send({path: '/other/'})).status, 404)

  await registry.change('late', {settings: {PAGE_SIZE: '1', EXPLAIN: 'off'}})
  const query = `query=${encodeURIComponent('select * { ?s ?p ?o }')}`
  const headers = {Accept: 'application/vnd.quadstead.explain+json'}
  await until(async () => (await send({path: `/late/sparql?${query}`, headers})).status === 406)

  await registry.change('late', {state: 'paused'})
  await until(async () => (await send({path: '/late/'})).status === 503)
  const paused = await send({path: '/late/'})
  t.is(paused.headers['retry-after'], '10')
  t.like(JSON.parse(paused.text), {title: 'dataset-paused'})

  await registry.change('late', {state: 'served', name: 'later'})
  await until(async () => (await send({path: '/late/'})).status === 200)
  await registry.change('later', {state: 'removed'})
  await until(async () => (await send({path: '/late/'})).status === 404)
})

const testSchemas: Declare = areDistributed
  ? testWhen(false, 'it changes schemas directly, which are on other nodes')
  : test

testSchemas('a dataset that is behind is brought up to date; one that cannot be opened is a 503', async t => {
  const place = await useDatasetPlace(t)
  const {database} = place.database
  await place.add({name: 'behind'})
  await place.add({name: 'broken'})
  await place.add({name: 'whole'})
  await database.query("update quadstead_datasets.dataset set sql_version = 'older' where name <> 'whole'")
  await database.query("update dataset_behind.migration set checksum = 'older' where version = 0")
  await database.query("update dataset_broken.migration set checksum = 'edited' where version = 1")
  const {send} = await useDatasets(t, place)

  t.is((await send({path: '/whole/'})).status, 200)
  t.is((await send({path: '/behind/'})).status, 200)
  const broken = await send({path: '/broken/'})
  t.is(broken.status, 503)
  t.is(broken.headers['retry-after'], '30')
  t.like(JSON.parse(broken.text), {title: 'dataset-available'})
  const states = await createOffice(place.administration).list()
  await until(async () => /state="failed"} 1/.test((await send({path: '/metrics'})).text))
  t.regex((await send({path: '/metrics'})).text, /quadstead_datasets{state="ready"} 2/)
  t.regex(String(states.find(({name}) => name === 'broken')?.failure), /was changed after schema dataset_broken/)
})

test('settings, quotas, grants and keys belong to one dataset', async t => {
  const place = await useDatasetPlace(t)
  await place.add({name: 'narrow', settings: {REQUEST_LIMIT: '3', REQUEST_LIMIT_WINDOW_MS: '86400000'}})
  await place.add({name: 'wide', settings: {REQUEST_LIMIT: '5', REQUEST_LIMIT_WINDOW_MS: '86400000'}})
  await place.add({name: 'twin', settings: {REQUEST_LIMIT: '3', REQUEST_LIMIT_WINDOW_MS: '86400000'}})
  await place.add({
    name: 'total',
    settings: {DATASET_REQUEST_LIMIT: '2', REQUEST_LIMIT_WINDOW_MS: '86400000'},
  })
  await place.add({name: 'guarded', settings: {ACCESS: 'grants'}})
  const {send} = await useDatasets(t, place)
  const statusesOf = async (path: string) => {
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) statuses.push((await send({path})).status)
    return statuses
  }

  t.deepEqual(await statusesOf('/narrow/'), [200, 200, 200, 429, 429, 429])
  t.deepEqual(await statusesOf('/wide/'), [200, 200, 200, 200, 200, 429])
  t.deepEqual(await statusesOf('/twin/'), [200, 200, 200, 429, 429, 429])
  t.deepEqual(await statusesOf('/total/'), [200, 200, 429, 429, 429, 429])
  t.is(JSON.parse((await send({path: '/total/'})).text).title, 'dataset-rate')
  t.is((await send({path: '/guarded/'})).status, 401)
})

test('requests are counted by dataset, in metrics and in the log', async t => {
  const place = await useDatasetPlace(t)
  await place.add({name: 'counted'})
  await place.add({name: 'silent'})
  const {send} = await useDatasets(t, place)
  const heard: Observation[] = []
  const isOwn = (observation: Observation) => 'dataset' in observation && observation.dataset === 'counted'
  t.teardown(subscribe(observation => isOwn(observation) && heard.push(observation))) // other tests run meanwhile
  await send({path: '/counted/'})
  await send({path: '/counted/missing/'})
  await send({path: `/counted/sparql?query=${encodeURIComponent('ask {}')}`})

  await until(() => heard.filter(({kind}) => kind === 'request').length === 3)
  t.deepEqual(
    heard.flatMap(one => (one.kind === 'request' || one.kind === 'query' ? [[one.kind, one.dataset]] : [])).sort(),
    [...[1, 2, 3].map(() => ['request', 'counted']), ['query', 'counted']].sort(),
  )
  const {text} = await send({path: '/metrics'})
  t.regex(text, /^quadstead_dataset_requests_total{dataset="counted",status="2xx"} 2$/m)
  t.regex(text, /^quadstead_dataset_requests_total{dataset="counted",status="4xx"} 1$/m)
  t.regex(text, /^quadstead_dataset_queries_total{dataset="counted",outcome="answered"} 1$/m)
  t.regex(text, /^quadstead_datasets_open 1$/m)
  t.notRegex(text, /dataset="silent"/)
})

test('no more datasets than allowed are open, and a closed one is opened again', async t => {
  const place = await useDatasetPlace(t, {DATASETS_OPEN_MAX: '2'})
  for (const name of ['a', 'b', 'c', 'd']) await place.add({name})
  const {send} = await useDatasets(t, place)
  const openOnes = async () =>
    Number(/^quadstead_datasets_open (\d+)$/m.exec((await send({path: '/metrics'})).text)?.[1])

  for (const round of [1, 2])
    for (const name of ['a', 'b', 'c', 'd']) {
      const made = await send({path: `/${name}/`, method: 'POST', headers: turtle, body: `<> <http://a/p> ${round} .`})
      t.is(made.status, 201)
      await until(async () => (await openOnes()) <= 2)
    }
  const all = await Promise.all(['a', 'b', 'c', 'd', 'a', 'b'].map(name => send({path: `/${name}/`})))
  t.deepEqual(
    all.map(({status}) => status),
    [200, 200, 200, 200, 200, 200],
  )
  await until(async () => (await openOnes()) <= 2)
})

test('a dataset has a database of its own, whose password comes from the environment', async t => {
  const place = await useDatasetPlace(t)
  const other = await createTestDatabase('template0')
  t.teardown(other.drop)
  process.env.QUADSTEAD_SECRET_TEST = 'a password/with@characters'
  const url = new URL(other.url)
  const databaseUrl = `postgres://${url.username}:\${QUADSTEAD_SECRET_TEST}@${url.host}${url.pathname}${url.search}`
  await place.add({name: 'apart', databaseUrl})
  await place.add({name: 'near'})
  const {send, stop} = await useDatasets(t, place)

  for (const name of ['apart', 'near']) {
    const headers = {...turtle, Slug: name}
    t.is((await send({path: `/${name}/`, method: 'POST', headers, body: '<> <http://a/p> 1 .'})).status, 201)
    t.is((await send({path: `/${name}/${name}/`})).status, 200)
  }
  const rows = await other.database.query<{schema: string}>(
    "select nspname as schema from pg_namespace where nspname like 'dataset%' or nspname like 'quadstead%'",
  )
  t.deepEqual([...rows], [{schema: 'dataset_apart'}])
  const shown = JSON.stringify(await createOffice(place.administration).list())
  t.false(shown.includes('password'))
  t.false(shown.includes('SECRET'))
  await t.throwsAsync(place.add({name: 'unset', databaseUrl: databaseUrl.replace('TEST', 'UNSET')}), {
    message: /QUADSTEAD_SECRET_UNSET/,
  })
  await t.throwsAsync(place.add({name: 'home', databaseUrl: databaseUrl.replace('QUADSTEAD_SECRET_TEST', 'HOME')}), {
    message: /whose name begins with QUADSTEAD_SECRET_/,
  })
  await stop()
})

test('a dataset gets another base, and is removed with its data', async t => {
  const place = await useDatasetPlace(t)
  await place.add({name: 'old'})
  const {send} = await useDatasets(t, place)
  const headers = {...turtle, Slug: 'kept'}
  await send({path: '/old/', method: 'POST', headers, body: '<> <http://a/p> <http://localhost/old/> .'})

  t.true((await rebaseEntry(place.administration, 'old', 'http://localhost/new/')) > 0)
  await until(async () => (await send({path: '/new/kept/'})).status === 200)
  t.regex((await send({path: '/new/kept/'})).text, /localhost\/new\//)
  t.is((await send({path: '/old/kept/'})).status, 404)

  await dropDataset(place.administration, 'old')
  t.is((await send({path: '/new/kept/'})).status, 404)
  const schemas = await place.database.database.query("select from pg_namespace where nspname = 'dataset_old'")
  t.is(schemas.length, 0)
  await place.add({name: 'old'})
  const again = await send({path: '/old/'})
  t.is(again.status, 200, again.text)
})
